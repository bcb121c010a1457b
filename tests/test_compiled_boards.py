"""Boards that are tuples: what lies in one word in machine code is what Python has, also where numbers do not fit."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from amounts import seeds

pytest.importorskip("llvmlite.binding")

from both_engines import Refused, by_machine, by_python
from endsight.errors import RulesError
from test_compiled_meaning import require_same, rules_of

FRAME = """
class Rules(Game):
    class State(NamedTuple):
        before: int
        cells: tuple[{kind}, ...]
        rows: tuple[tuple[int, ...], ...]
        turn: int
    players = 2
    def limits(self):
        return self.State(5, {limit}, 6, 3)
    def start(self):
        return self.State(0, ({zero},) * {count}, ((0, 1, 2), (3, 4, 5)), 0)
    def other(self, cells, rows, a, b):
        return cells[a] * 7 + rows[b % 2][a % 3] * 3 + sum(cells)
    def moves(self, state):
        if state.turn < 3:
            for a in range(len(state.cells)):
                if not state.cells[a] or state.rows[a % 2][state.turn % 3] > 2:
                    yield a
    def play(self, state, move):
        a = move
        b = (move * 3 + state.turn + 1) % len(state.cells)
        cells = list(state.cells)
        rows = state.rows
        before = self.other(state.cells, rows, a, b) % 6
{steps}
        return self.State(before, tuple(cells), rows, state.turn + 1)
    def payoff(self, state):
        after = state._replace(cells=state.cells[:1] + ({one},) + state.cells[2:])
        worth = self.other(after.cells, state.rows, state.before % len(state.cells), state.turn)
        worth += int(after == state) + 2 * int(after.cells[state.before % len(state.cells)])
        return worth, -worth
"""
STEPS = [
    "cells[a], cells[b] = cells[b], cells[a]",
    "cells[a] = {one}",
    "cells[b] = {one} if cells[a - 1] else {zero}",
    "cells[a] += 40\nbefore = cells[a] % 6\ncells[a] = {one}",
    "cells[b] = -1\nbefore = (before + cells[b] * 5 + cells[a]) % 6\ncells[b] = {zero}",
    "cells[a] = state.before\ncells[a] = {kind}(cells[a] > 2)",
    "row = list(rows[a % 2])\nrow[b % 3] = (row[b % 3] + 3) % 7\nk = a % 2\n"
    "rows = rows[:k] + (tuple(row),) + rows[k + 1 :]",
    "row = tuple(6 if at == b % 3 else old for at, old in enumerate(rows[1]))\nrows = (rows[1], row)",
    "cells = [{zero} if at == b else cell for at, cell in enumerate(cells)]",
    "cells = list(state.cells[:a] + ({one},) + state.cells[a + 1 :])",
    "if cells[b]:\n    cells[a] = {zero}\nelse:\n    cells[-1] = {one}",
    "for at in range(2):\n    cells[at] = cells[at + 1]",
    "cells = [{kind}((1, 0, 1, 2)[cell] % 2) for cell in cells]",
    "cells = [{one} if cell == 0 else {zero} if cell == 1 else cell for cell in cells]",
    "before = (before + cells.count({one}) * 2 + state.cells.count({zero}) + cells.count(before)) % 6",
    "cells = [cell if cell else {kind}(3 // (cell + 1) == 3) for cell in state.cells]",
    "before += int(cells[0] == cells[1] == {one}) + 2 * int(state.cells[0] != state.cells[2] or not cells[1])\n"
    "before %= 6",
    "cells = [{kind}((0, 1)[cell] if cell < 2 else 0) for cell in cells]\ncells[b] = {kind}(before % 2)",
    "cells = [{kind}(1 - cell) if cell < 2 else {kind}(cell == 2) for cell in cells]\ncells[a] = {kind}(cells[b] > 1)",
    "cells = [{one} if b - 2 <= at < a + before - 1 else cell for at, cell in enumerate(cells)]",
    "k = before * 9 - 20\ncells = [{kind}(cell and not a < at <= k) for at, cell in enumerate(cells)]",
    "k = before * 9 - 20\ncells = [{kind}((cell > 0) ^ (k >= at)) for at, cell in enumerate(cells)]",
    "cells = [{zero} if at != before - 1 else cell for at, cell in enumerate(cells)]",
    "cells = [cell if at > b - 2 or at <= before else {zero} if cell else {one} for at, cell in enumerate(cells)]",
    "k = 1 if before > 2 else 0\ncells = [{kind}(k if at + 1 == a else cell) for at, cell in enumerate(cells)]",
    "cells = [{kind}(old | (at == b)) for at, old in enumerate(cells)]",
    "cells = [{kind}((before + (cell > 1) + (at < a)) % 2) for at, cell in enumerate(cells)]",
    "kept = state.cells\nbefore = (before + int(kept[b]) + 2 * int(kept[a - 2])) % 6",
]


def program(seed: int) -> str:
    """Rules with some of the steps."""
    chance = random.Random(seed)
    kind, limit, zero, one = chance.choice(
        [("bool", "True", "False", "True"), ("int", "3", "0", "2"), ("int", "2", "0", "2")]
    )
    own = {"kind": kind, "limit": limit, "zero": zero, "one": one}
    steps = "\n".join(step.format(**own) for step in chance.sample(STEPS, chance.randint(2, 5)))
    indented = "\n".join("        " + line for line in steps.splitlines())
    return FRAME.format(steps=indented, count=chance.choice([4, 5, 9, 18]), **own)


@pytest.mark.parametrize("seed", seeds(60, 4))
def test_boards_in_a_word_are_those_of_python(seed: int, tmp_path: Path) -> None:
    game = rules_of(f"board{seed}", program(seed), tmp_path)()
    require_same(by_python(game), by_machine(game), program(seed))


UNEVEN = """
class Rules(Game):
    class State(NamedTuple):
        rows: tuple[tuple[int, ...], ...]
        turn: int
    players = 2
    def limits(self):
        return self.State(6, 3)
    def start(self):
        return self.State({start}, 0)
    def moves(self, state):
        return [at for at in range(3) if state.turn < 3 and {read} % 4 != at]
    def play(self, state, move):
        return self.State({after}, state.turn + 1)
    def payoff(self, state):
        return {worth}
"""


def uneven(seed: int) -> str:
    """Rules whose board has rows of different lengths, read by known numbers, from the front and from the back."""
    chance = random.Random(f"uneven {seed}")
    lengths = [1, *chance.choices((1, 2, 3, 4), k=chance.randint(0, 2)), chance.choice((2, 3, 5))]
    chance.shuffle(lengths)

    def cell() -> str:
        row = chance.randrange(len(lengths))
        column = chance.randrange(lengths[row])
        names = [chance.choice((at, at - count)) for at, count in ((row, len(lengths)), (column, lengths[row]))]
        return f"state.rows[{names[0]}][{names[1]}]"

    def rows(text: Callable[[], str]) -> str:
        return "".join(f"({''.join(text() + ', ' for _ in range(length))}), " for length in lengths)

    return UNEVEN.format(
        start=f"({rows(lambda: str(chance.randrange(7)))})",
        read=f"({cell()} + {cell()})",
        after=f"({rows(lambda: chance.choice((cell(), f'({cell()} + move) % 7', f'({cell()} * {cell()}) % 7')))})",
        worth=" + ".join(f"{cell()} * {chance.randint(1, 9)}" for _ in range(4)),
    )


@pytest.mark.parametrize("seed", seeds(40, 5))
def test_rows_of_different_lengths_are_those_of_python(seed: int, tmp_path: Path) -> None:
    game = rules_of(f"uneven{seed}", uneven(seed), tmp_path)()
    require_same(by_python(game), by_machine(game), uneven(seed))


AHEAD = """
class Rules(Game):
    class State(NamedTuple):
        cells: tuple[int, ...]
        turn: int
    players = 2
    def limits(self):
        return self.State(2, 3)
    def start(self):
        return self.State((0,) * 6, 0)
    def moves(self, state):
        return [at for at in range(6) if state.turn < 3 and state.cells[at] < 2]
    def play(self, state, move):
        return self.State(state.cells[:move] + (state.cells[move] + {step},) + state.cells[move + 1 :], state.turn + 1)
    def payoff(self, state):
        return sum(state.cells[at] * at for at in range(6))
"""


def test_a_number_that_does_not_fit_is_told(tmp_path: Path) -> None:
    game: Any = rules_of("fits", AHEAD.format(step=1), tmp_path)()
    require_same(by_python(game), by_machine(game), "fits")
    wide: Any = rules_of("wide", AHEAD.format(step=9), tmp_path)()
    with pytest.raises(RulesError, match="a state lies outside limits"):
        by_machine(wide, tracks_mover=False)


def test_a_number_out_of_limits_that_rules_only_look_at_is_told(tmp_path: Path) -> None:
    looked = "return 9 * int(self.play(state, 0).cells[0] == 3) + "
    text = AHEAD.replace("return sum", f"{looked}sum").format(step=1)
    game: Any = rules_of("looked", text, tmp_path)()
    by_python(game)
    with pytest.raises(Refused, match="a state lies outside limits"):
        by_machine(game, tracks_mover=False)


INSTEAD = """
class Rules(Game):
    class State(NamedTuple):
        cells: tuple[int, ...]
        rows: tuple[int, ...]
        turn: int
    players = 2
    def limits(self):
        return self.State(3, 15, 3)
    def start(self):
        return self.State((0, 1, 2, 3, 1, 0), (7, 9, 11, 15, 3, 8), 0)
    def found(self, cells, state):
        if state.turn % 2:
            cells = state.cells
        return cells[state.turn - 2]
    def moves(self, state):
        return [at for at in range(6) if state.turn < 3 and state.cells[at - 1]]
    def play(self, state, move):
        cells = list(state.cells)
        cells[move] = self.found({given}, state) % 4
        return self.State(tuple(cells), state.rows, state.turn + 1)
    def payoff(self, state):
        return sum(state.cells[at] * at for at in range(6))
"""


@pytest.mark.parametrize("given", ["state.rows", "(7, 8, 9, move, 11, 12)", "state.cells[::-1]"])
def test_an_argument_that_is_replaced_by_a_board(given: str, tmp_path: Path) -> None:
    """The word of the board was read where the argument had stayed as it was."""
    game: Any = rules_of(f"instead{len(given)}", INSTEAD.format(given=given), tmp_path)()
    require_same(by_python(game), by_machine(game), given)


LISTED = """
class Rules(Game):
    class State(NamedTuple):
        cells: tuple[int, ...]
        turn: int
    players = 2
    def limits(self):
        return self.State(3, 4)
    def start(self):
        return self.State((0, 1, 2, 0, 1, 2), 0)
    def moves(self, state):
        ahead = [self.play(state, at) for at in range(6) if state.turn < 3]
        for at in range(len(ahead)):
            if ahead[at].cells[at - 1] != 2 and ahead[at] != ahead[at - 2]:
                yield at
    def play(self, state, move):
        cells = list(state.cells)
        cells[move], cells[-1] = cells[-1], (cells[move] + 1) % 4
        return self.State(tuple(cells), state.turn + 1)
    def payoff(self, state):
        both = [(state.turn, state), (9, self.play(state, state.turn))]
        at = state.cells[2] % 2
        return both[at][0] + sum(both[at][1].cells[at:]) + 8 * int(both[at][1] == state)
"""


def test_states_with_boards_in_lists(tmp_path: Path) -> None:
    game: Any = rules_of("listed", LISTED, tmp_path)()
    require_same(by_python(game), by_machine(game), "listed")


CHANGED = """
class Rules(Game):
    class State(NamedTuple):
        cells: tuple[int, ...]
        turn: int
    players = 2
    def limits(self):
        return self.State(3, 3)
    def start(self):
        return self.State((0, 1, 2, 3, 1, 0), 0)
    def exchange(self, cells, a):
        cells[a], cells[0] = cells[0], cells[a]
    def least(self, cells, state):
        if state.turn:
            cells = state.cells
        return cells[state.turn - 2]
    def moves(self, state):
        return [at for at in range(6) if state.turn < 3 and state.cells[at - 1]]
    def play(self, state, move):
        cells = list(state.cells)
{steps}
        return self.State(tuple(cells), state.turn + 1)
    def payoff(self, state):
        return sum(state.cells[at] * at for at in range(6))
"""
CHANGES = {
    "by a helper": "self.exchange(cells, move)",
    "before they grow": "few = [move]\nfew[0] += 1\nfew.append(2)\ncells[few[-1]] = few[0] % 4",
    "of two lengths": "if move > 2:\n    few = [move, 1]\nelse:\n    few = [move, 1, 3]\n"
    "few[1] = 2\ncells[few[-1]] = len(few)",
    "of tuples": "few = [(move,), (1,)]\nfew[move % 2] = (4,)\ncells[few[0][0]] = few[1][0] % 4",
    "longer than boards": f"many = [{', '.join(f'move * {at}' for at in range(20))}]\nmany[move + 9] -= 7\n"
    "cells[2] = many[move + 9] % 4",
    "in a loop": "for at in range(1, 6):\n    cells[at - 1] = cells[at]\n    if cells[at] > 2:\n        cells[at] = 0",
    "by a name in a loop": "at = 0\nwhile at < 5 and cells[at] < 3:\n    cells[at + 1] = cells[at]\n    at += 1",
    "where a number stands alone": "if state.turn > 5:\n    cells[1] = [1, 2][3]",
    "beside numbers out of limits": "cells[move] = 9\nif cells[1] < 9 and cells[move] > 8:\n    cells[1] = -5\n"
    "cells[move], cells[1] = cells[1] % 4, cells[move] % 4",
    "to their limit": "cells[move] = 3\nif cells[move - 1] == 3 or cells.count(3) > 2:\n    cells[0] = 1",
    "one above their limit": "cells[move] += 1\nif cells[move] == 4:\n    cells[move] = 2",
    "beside an argument": "cells[move] = self.least((7, 8, 9, move, 11, 12), state) % 4",
}


@pytest.mark.parametrize("name", CHANGES)
def test_lists_of_numbers_change_as_in_python(name: str, tmp_path: Path) -> None:
    steps = CHANGES[name].replace("\n", "\n        ")
    game: Any = rules_of(f"changed {name}".replace(" ", "-"), CHANGED.format(steps=" " * 8 + steps), tmp_path)()
    require_same(by_python(game), by_machine(game), name)


LETTERS = """
class Piece(Enum):
    EMPTY = "."
    OWN = "x"
    OTHER = "o"
class Rules(Game):
    class State(NamedTuple):
        cells: {kind}
        marks: str
        turn: int
    players = 2
    def limits(self):
        return self.State(".xo", "ox", 3)
    def start(self):
        return self.State({start}, "xxxo", 0)
    def moves(self, state):
        if state.turn < 3 and not state.cells[2] == state.cells[4] == state.cells[0] == {x}:
            for a in range(6):
                if state.cells[a] == {e} or state.marks[a % 4] == "o":
                    yield a
    def play(self, state, move):
        a = move
        b = (move * 3 + state.turn + 1) % 6
        cells = state.cells
        marks = state.marks
{steps}
        return self.State(cells, marks, state.turn + 1)
    def payoff(self, state):
        worth = state.cells.count({x}) * 10 + state.cells.count({o}) * 100 + state.marks.count("o") * 1000
        worth += int(state.cells[0] == state.cells[1] == {x}) + 2 * int(state.cells[1] != state.cells[2])
        return worth + 4 * int(state.cells[state.turn] == state.cells[state.turn - 3] or state.cells[5] == {e})
"""
LETTER_STEPS = [
    "cells = cells[:a] + {own} + cells[a + 1 :]",
    "cells = {join}({x} if each == {o} else {o} if each == {x} else each for each in cells)",
    "cells = {join}({x} if each == {x} else {e} for each in cells)",
    "cells = {join}({o} if at == b else each for at, each in enumerate(cells))",
    "cells = {join}(cells[b] if at == a else cells[a] if at == b else each for at, each in enumerate(cells))",
    "cells = cells[1:] + cells[:1]",
    "marks = marks[:1] + ('x' if cells[b] == {e} else 'o') + marks[2:]",
    "if cells[a] == {o} or cells.count({x}) > cells.count({e}):\n    cells = cells[::-1]",
]


@pytest.mark.parametrize("seed", [pytest.param(at, marks=[pytest.mark.slow] if at >= 8 else []) for at in range(40)])
def test_letters_in_a_word_are_those_of_python(seed: int, tmp_path: Path) -> None:
    chance = random.Random(f"letters {seed}")
    pieces = {"e": "Piece.EMPTY", "x": "Piece.OWN", "o": "Piece.OTHER", "own": "(Piece.OWN,)", "join": "tuple"}
    letters = {"e": "'.'", "x": "'x'", "o": "'o'", "own": "'x'", "join": "''.join"}
    own, kind, start = chance.choice(
        [(letters, "str", "'..xo.x'"), (pieces, "tuple[Piece, ...]", "(Piece.EMPTY,) * 4 + (Piece.OWN, Piece.OTHER)")]
    )
    steps = "\n".join(step.format(**own) for step in chance.sample(LETTER_STEPS, chance.randint(1, 4)))
    indented = "\n".join("        " + line for line in steps.splitlines())
    text = LETTERS.format(steps=indented, kind=kind, start=start, **own)
    game = rules_of(f"letters{seed}", text, tmp_path)()
    require_same(by_python(game), by_machine(game), text)


GATHERED = """
class Rules(Game):
    class State(NamedTuple):
        cells: tuple[int, ...]
        turn: int
    players = 2
    def limits(self):
        return self.State(3, 4)
    def start(self):
        return self.State((0, 1, 2, 3, 1, 0, 2, 3), 0)
    def free(self, state):
        for at in range(8):
            if state.cells[at] > 1:
                yield at * 100 + 7
    def moves(self, state):
{moves}
    def play(self, state, move):
        cells = list(state.cells)
        cells[move % 8] = move % 3
        return self.State(tuple(cells), state.turn + 1)
    def payoff(self, state):
        return sum(state.cells[at] * at for at in range(8))
"""
GATHERED_MOVES = {
    "only where it is reached": """
for at in range(8):
    if state.turn < 3 and state.cells[at]:
        yield at * 10 + 12 // state.cells[at] - 6 % state.cells[at]
""",
    "none and all": """
for at in range(8 if state.turn < 1 else 0):
    yield at
for at in range(8):
    if state.turn == 2:
        yield 70 - at
""",
    "loops in loops": """
if state.turn > 2:
    return
for row in range(4):
    if state.cells[row] == 3:
        continue
    for column in range(3):
        if state.cells[row + column] != 2:
            yield row * 10 + column
        elif row == 2:
            break
""",
    "handed on": """
if state.turn < 3:
    yield from self.free(state)
    for at in range(7):
        if state.cells[at] == state.cells[at + 1]:
            yield at
""",
    "a long range that is left": """
for at in range(-(1 << 63), (1 << 63) - 1):
    if state.turn > 2 or at > 3 - (1 << 63):
        return
    yield at & 7
""",
    "an error that is reached": """
for at in range(8):
    if state.turn < 2:
        yield at + 6 // (state.cells[at] - (0 if state.turn == 0 else 2) + 4 * (at > 4) + 5 * (state.turn == 0))
""",
}


@pytest.mark.parametrize("name", GATHERED_MOVES)
def test_moves_that_are_written_down_first_are_those_of_python(name: str, tmp_path: Path) -> None:
    moves = GATHERED_MOVES[name].strip().replace("\n", "\n        ")
    game: Any = rules_of(f"gathered {name}".replace(" ", "-"), GATHERED.format(moves=" " * 8 + moves), tmp_path)()
    if name != "an error that is reached":
        require_same(by_python(game), by_machine(game), name)
        return
    with pytest.raises(RulesError, match="by zero"):
        by_python(game)
    with pytest.raises(RulesError, match="zero"):
        by_machine(game, tracks_mover=False)
