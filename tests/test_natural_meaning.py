"""What expressions over fields of natural types mean: in the core and in machine code as in Python, or refused."""

from __future__ import annotations

import itertools
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("llvmlite.binding")

from both_engines import Refused, by_machine, by_python, parts_of, refusal
from endsight import Game
from endsight.errors import RulesError
from interpreted import FaultError, interpreted
from test_compiled_meaning import rules_of

FRAME = """
from enum import Enum
from typing import Literal, NamedTuple
class Mark(Enum):
    EMPTY = "."
    CROSS = "X"
    @property
    def other(self):
        return Mark.CROSS if self is Mark.EMPTY else Mark.EMPTY
class Pair(NamedTuple):
    a: int
    b: bool
class Rules(Game):
    class State(NamedTuple):
        text: str
        mark: Mark
        open: int | None
        hand: tuple[int, ...]
        pair: Pair
        own: frozenset[int]
        phase: Literal["bid", "play"]
        grid: tuple[tuple[int, ...], ...]
    players = 1
    def limits(self):
        return self.State(".XO", None, 3, (3, 3, 3), Pair(2, True), 9, None, 2)
    def start(self):
        return self.State(".X", Mark.EMPTY, None, (), Pair(0, False), frozenset(), "bid", ((0, 1), (2, 0)))
    def moves(self, state):
{moves}
    def play(self, state, move):
        text, mark, open, hand, pair, own, phase, grid = state
{play}
    def payoff(self, state):
        text, mark, open, hand, pair, own, phase, grid = state
        n = len(hand)
{lines}
"""
TAKEN = [
    'int(text == "XO") + 2 * int(text == ".X")',
    'text.count("X") + 3 * int("O" in text) + 9 * len(text)',
    'text.find("O") + 5 * int(text[0] + text[1] == "X" * 2)',
    'int(text[:1] + "O" == text) + 2 * int(text[n % 2] != ".")',
    'int("".join(letter for letter in reversed(text)) == "X.")',
    'int(text.replace("X", "O") == "OO") + int(text[1:] in ("X", "O"))',
    "int((text[0], text[1]) == text)",
    "sum(1 for a, b in zip(text, text[1:]) if a == b)",
    "int(mark is Mark.CROSS) + 2 * int(mark == Mark.EMPTY) + 4 * int(mark.other is Mark.CROSS)",
    'int(mark == "X") + 2 * int(mark.value == "X") + 4 * int(mark.name == "EMPTY")',
    "{Mark.EMPTY: 3, Mark.CROSS: 8}[mark] + int(mark.value in text)",
    "int(open is None) + 2 * int(open == 2) + 4 * int(open is not None and open > 1)",
    "0 if open is None else open + 1",
    "int(bool(open)) + 2 * int(open != 3) + 4 * int(open in (1, 3))",
    "len(hand) + sum(hand) + max(hand, default=7)",
    "hand[0] if hand else 9",
    "int(hand == (1, 2)) + 2 * int(2 in hand) + 4 * int(hand == ()) + 8 * int(hand[1:] == (2,))",
    "sum(card * 10**at for at, card in enumerate(sorted(hand, reverse=True)))",
    "pair.a + 3 * int(pair.b) + 6 * int(pair == (1, True)) + 12 * int(pair[0] == 2)",
    "len(own) + 10 * sum(own) + 100 * int(3 in own)",
    "int(own == {1, 2}) + 2 * int(own <= {1, 2, 3}) + 4 * len(own | {9}) + 64 * len(own - {2})",
    "sum(member * 10**at for at, member in enumerate(sorted(own)))",
    "len(own & {n, 2, 40}) + 8 * len({n, 9, 3} - own) + 64 * len(own - {n, n - 5, 70}) + 512 * int(n - 4 in own)",
    "sum(sorted(own.union((4, 6)) - set(hand))) + 100 * len(own.intersection(range(3))) + 900 * int(own == {n})",
    "int(own < {1, 2, 3}) + 2 * int(own > {3}) + 4 * int(own >= {100}) + 8 * int({9} <= own) + 16 * int(bool(own))",
    "int(own <= {1, 2, 99}) + 2 * int(own.issubset((1, 2, 3))) + 4 * int(own != frozenset()) + 8 * int(own == {1, 77})",
    "len({k for k in range(9) if k % 2 or k in hand} ^ own) + 16 * int(62 in own) + 32 * int(63 in own | {62})",
    "sum(k * int(n in {j for j in range(5) if j % 3 != k}) for k in range(4))",
    "int(own.issuperset((1, 2))) + 2 * int(own.isdisjoint({8, 9}))",
    'int(phase == "bid") + 2 * len(phase)',
    "sum(row[0] for row in grid) + 10 * grid[n % 2][1] + 100 * max(max(row) for row in grid)",
    "int((0, 1) in grid) + 2 * int(grid[0] == grid[1]) + 4 * int(grid == ((0, 1), (2, 0)))",
    "int(state._replace(open=n) == state) + 2 * int(state._replace(pair=Pair(0, False)).pair.b)",
]
FAILING = [  # in Python for some of the states
    "open + 1",
    "hand[n - 2]",
    'text.index("O")',
    "{0: 1}[n]",
]
REFUSED = [
    'int(text < "XO")',
    "int(text.upper() == text)",
    "next(iter(own), 0)",
    "[member for member in own][0] if own else 0",
    'int("X." in text)',
    "len(sorted(text))",
]
STATES = list(
    itertools.product(
        [".X", "XO", "XX", "O.", "X."],
        [0, 1],
        [None, 0, 2, 3],
        [(), (1,), (1, 2), (3, 0, 2)],
        [(0, False), (1, True), (2, True)],
        [frozenset(), frozenset({1, 2}), frozenset({3}), frozenset({9, 1, 3})],
        ["bid", "play"],
        [((0, 1), (2, 0)), ((1, 1), (1, 1))],
    )
)[::37]


def game_of(name: str, folder: Path, **parts: str) -> Game:
    """Rules with that payoff, moves or play."""
    texts = {"moves": "return []", "play": "return state", "lines": "return 0"} | parts
    indented = {key: "\n".join("        " + line for line in text.split("\n")) for key, text in texts.items()}
    return rules_of(name, FRAME.format(**indented), folder)()


def states_of(game: Game) -> list[Any]:
    """States of every kind."""
    module = vars(sys.modules[type(game).__module__])
    marks, pair = list(module["Mark"]), module["Pair"]
    return [game.State(row[0], marks[row[1]], *row[2:4], pair(*row[4]), *row[5:]) for row in STATES]


def outcomes(game: Game) -> tuple[list[Any], list[Any]]:
    """What Python and the core give at each state; None for an error."""
    core = interpreted(game)
    plain: list[Any] = []
    own: list[Any] = []
    for state in states_of(game):
        try:
            plain.append(game.payoff(state))
        except (TypeError, IndexError, ValueError, KeyError):
            plain.append(None)
        try:
            assert core.play(state, 0) == state
            own.append(core.payoff(state))
        except FaultError:
            own.append(None)
    return plain, own


@pytest.mark.parametrize("number", range(len(TAKEN)))
def test_expressions_mean_what_they_mean_in_python(number: int, tmp_path: Path) -> None:
    plain, own = outcomes(game_of(f"taken{number}", tmp_path, lines=f"return {TAKEN[number]}"))
    assert own == plain
    assert None not in plain


@pytest.mark.parametrize("number", range(len(FAILING)))
def test_errors_are_faults(number: int, tmp_path: Path) -> None:
    plain, own = outcomes(game_of(f"failing{number}", tmp_path, lines=f"return {FAILING[number]}"))
    assert own == plain
    assert None in plain


@pytest.mark.parametrize("number", range(len(REFUSED)))
def test_what_has_no_meaning_in_the_core_is_refused(number: int, tmp_path: Path) -> None:
    assert refusal(game_of(f"refused{number}", tmp_path, lines=f"return {REFUSED[number]}"))


SETS = [  # statements, which end with a number
    "seen = own\nfor k in range(4):\n    seen = seen | {k + n}\nreturn sum(sorted(seen)) + 100 * int(3 in own)",
    "seen = own - own\nfor k in range(4):\n    if k in own: seen = own - seen\nreturn len(seen) + 10 * int(1 in seen)",
    "old = own\nnew = own ^ {n}\nfor k in (0, 1):\n    old = new\n    new = old ^ {k}\nreturn len(old) + 9 * len(new)",
    "s = {k for k in range(6) if k in own}\ns.add(n + 70)\ns.discard(1)\nreturn len(s) + 10 * int(n + 70 in s)",
    "s = set(own)\ns |= {n + 80}\nreturn len(s) + int(80 in s)",
    "s = own if n else own | {5}\nt = s\nif 3 in s: s = s - {3}\nreturn len(s) + 10 * len(t) + 100 * int(3 in s)",
    "k = 0\nleft = own\nwhile left:\n    left = left - {min(left)}\n    k += 1\nreturn k",
    "f = lambda s, k: int(k in s) + len(s)\nreturn f(own, 3) + 10 * f(own | {n}, n) + 100 * f({1, 2}, 2)",
    "return sum(k * at for at, k in enumerate(sorted(own | {8}))) + max(own, default=0) * 1000",
    "s = own | {n}\nn += 1\nreturn int(n in s) + 2 * int(n - 1 in s) + 4 * int({n, 3} & own == {3})",
    "x = n\ns = {x, 4}\nx += 2\nreturn sorted(s | own)[0] + 10 * int(x in s)",
]


@pytest.mark.parametrize("number", range(len(SETS)))
def test_sets_in_statements_mean_what_they_mean_in_python(number: int, tmp_path: Path) -> None:
    plain, own = outcomes(game_of(f"sets{number}", tmp_path, lines=SETS[number]))
    assert own == plain
    assert None not in plain


def test_machine_code_means_the_same(tmp_path: Path) -> None:
    lines = "\n".join(f"total = (total * 7 + {each}) % 1000003" for each in TAKEN)
    for number, each in enumerate(SETS):  # as functions of their own
        body = each.replace("\n", "\n    ")
        lines += f"\ndef sets{number}(own, n):\n    {body}\ntotal = (total * 7 + sets{number}(own, n)) % 1000003"
    play = "a, b = move[1]\nif a == 3: mark = mark.other\ntext = text[1:] + ('X' if a else 'O')\nopen = a\n"
    play += "if a == 2: return self.State(text, mark, None, hand, pair, own, phase, grid)\n"
    play += "hand = hand + (a,) if len(hand) < 3 else (a, *hand[:1])\nown = own ^ {a, b}\n"
    play += "phase = 'play' if phase == 'bid' and b else 'bid'\n"
    play += "row = grid[a % 2]\nrow = row[:b] + (pair.a,) + row[b + 1:]\n"
    play += "return self.State(text, mark, open, hand, Pair(b, b == 1), own, phase, (row, grid[1]))"
    moves = "if len(state.own) > 3: return\nfor a in range(4):\n    yield 'pair', (a, a % 2)"
    game = game_of("machine", tmp_path, moves=moves, play=play, lines=f"total = 0\n{lines}\nreturn total")
    plain = by_python(game)
    assert len(plain.keys) > 100
    assert parts_of(plain) == parts_of(by_machine(game))


@pytest.mark.parametrize(
    "made",
    [
        'state._replace(text="XZ")',
        'state._replace(text=text + "X")',
        "state._replace(hand=(1, 2, 3, 1))",
        "state._replace(hand=hand + (1, 2, 3, 1)[n:])",
        "state._replace(own=own | {10})",
        "state._replace(open=n + 4)",
        "state._replace(grid=(grid[0], (1, 3)))",
        "state._replace(grid=grid + grid)",
    ],
)
def test_what_lies_outside_of_limits_is_left_to_python(made: str, tmp_path: Path) -> None:
    game = game_of("outside", tmp_path, moves="yield 1", play=f"n = len(hand)\nreturn {made}")
    with pytest.raises((Refused, RulesError)):
        by_machine(game, tracks_mover=False)
