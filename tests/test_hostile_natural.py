"""Fields of natural types, loops that are left early, and lists that change: in the core as in Python, or refused.

Each case was wrong once, or lies next to one that was.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

pytest.importorskip("llvmlite.binding")

from fuzz_rules import by_interpreter, by_machine, own_cache, verdict

FRAME = """
import enum, itertools
from enum import Enum, IntEnum
from typing import Literal, NamedTuple
from endsight.game import Game
{before}
class Rules(Game):
    players = 1
    class State(NamedTuple):
{types}
        step: int
    def limits(self): return self.State({limits}, 3)
    def start(self): return self.State({starts}, 0)
    def moves(self, state):
{moves}
    def play(self, state, move):
{play}
    def payoff(self, state):
{payoff}
{members}
"""


@dataclass(frozen=True)
class Case:
    """What comes of rules: `fields` are lines of `name: type = start ~ limit`."""

    kind: str
    payoff: str
    fields: str
    play: str = "return state._replace(step=state.step + 1)"
    moves: str = "if state.step < 2: yield from (0, 1, 2)"
    before: str = ""
    members: str = ""

    def text(self) -> str:
        """The file of rules."""
        rows = [[part.strip() for part in line.replace(" ~ ", " = ").split(" = ")] for line in self.fields.split("\n")]
        types, starts, limits = zip(*rows, strict=True)
        parts = {"types": "\n".join(types), "moves": self.moves, "play": self.play, "payoff": self.payoff}
        shifted = {key: textwrap.indent(part, "        ") for key, part in parts.items()}
        members = textwrap.indent(self.members, "    ")
        ends = {"starts": ", ".join(starts), "limits": ", ".join(limits)}
        return FRAME.format(**shifted, **ends, before=self.before, members=members)


CASES = {
    "true in frozenset, paid": Case(
        "refused",
        "return max(state.own, default=5)",
        fields="own: frozenset[int] = frozenset() ~ 3",
        play="return self.State(state.own | {move == 1}, state.step + 1)",
    ),
    "true constant in frozenset, paid": Case(
        "refused",
        "return min(state.own, default=5)",
        fields="own: frozenset[int] = frozenset() ~ 3",
        play="return self.State(frozenset({True, 2}), state.step + 1)",
    ),
    "true constant in up to, paid": Case(
        "refused",
        "return sum(state.a[:1]) if not state.a else state.a[0]",
        fields="a: tuple[int, ...] = () ~ (3, 3)",
        play="return self.State((True,), state.step + 1)",
    ),
    "true start in tuple, paid": Case("refused", "return state.a[0]", fields="a: tuple[int, ...] = (True, 0) ~ 3"),
    "true start frozenset, paid": Case(
        "refused", "return max(state.a)", fields="a: frozenset[int] = frozenset({True}) ~ 3"
    ),
    "literal given True, paid": Case(
        "refused", "return state.a", fields="a: Literal[1, 2] = 2 ~ 2", play="return self.State(True, state.step + 1)"
    ),
    "intenum plain given, name": Case(
        "refused",
        "return len(state.a.name)",
        fields="a: L = L.A ~ L.A",
        play="return self.State(1 + move % 2, state.step + 1)",
        before=("class L(IntEnum):\n    A = 1\n    B = 2"),
    ),
    "enum dict value True/1": Case(
        "taken",
        "return {1: 5, True: 7, 0: 2}[state.step] if state.step < 2 else {1: 5, 2: 3, True: 9}.get(state.step - 1, 4)",
        fields="a: int = 0 ~ 3",
    ),
    "str enum given plain text": Case(
        "refused",
        "return int(state.a is M.B) + len(state.a.name)",
        fields="a: M = M.A ~ M.A",
        play='return self.State("b" if move else "a", state.step + 1)',
        before=('class M(str, Enum):\n    A = "a"\n    B = "b"'),
    ),
    "literal of enum": Case(
        "taken",
        "return int(state.a is M.B) + 2 * (state.a is None) + 4 * (not state.a)",
        fields="a: Literal[M.A, M.B, None] = None ~ None",
        play="return self.State(M.B if move else None, state.step + 1)",
        before=('class M(Enum):\n    A = "a"\n    B = "b"'),
    ),
    "several is None": Case(
        "taken",
        ("x = None\nif state.a > 1:\n    x = 5\nreturn int(x is None) + 2 * int(x == None) + 4 * int(not x)"),
        fields="a: int = 0 ~ 3",
        play="return self.State(move, state.step + 1)",
    ),
    "perhaps vs chosen none, all combos": Case(
        "taken",
        ("x = (None, M.A, M.B)[state.b]\nreturn int(x == state.a) + 2 * int(state.a == x) + 4 * int(state.a != x)"),
        fields=("a: M | None = None ~ M\nb: int = 0 ~ 3"),
        play="return self.State((None, M.A, M.B)[move % 3], move // 3, state.step + 1)",
        moves="if state.step < 2: yield from range(9)",
        before=("class M(Enum):\n    A = 1\n    B = 2"),
    ),
    "perhaps field fitted by chosen none": Case(
        "taken",
        "return int(state.a is None) + 2 * int(state.a == M.A)",
        fields="a: M | None = None ~ M",
        play=("x = None if move == 0 else M.B\nreturn self.State(x, state.step + 1)"),
        moves="if state.step < 2: yield from range(3)",
        before=("class M(Enum):\n    A = 1\n    B = 2"),
    ),
    "perhaps tuple": Case(
        "taken",
        (
            "return int(state.a is None) + 2 * int(state.a == (1, 1)) + 4 * int(state.a in ((2, 1), None)) "
            "+ 8 * bool(state.a)"
        ),
        fields="a: tuple[int, int] | None = None ~ (3, 3)",
        play="return self.State((move, 1) if move else None, state.step + 1)",
    ),
    "perhaps count index": Case(
        "taken",
        (
            "return state.a.count(None) + 10 * state.a.index(None) + 100 * state.a.index(0) + 1000 * "
            "state.a.count(1) + 10000 * (None in state.a) + 20000 * (state.a[0] == state.a[1]) + 40000 * (0 "
            "in state.a)"
        ),
        fields="a: tuple[int | None, ...] = (None, 1, 0) ~ 3",
        play="return self.State((state.a[1], state.a[2], state.a[0]), state.step + 1)",
    ),
    "upto in namedtuple order": Case(
        "refused",
        "return int(state.a < state.b) + 2 * int(state.a == state.b) + 4 * int(state.a > state.b)",
        fields=("a: D = D((), 1) ~ D((3, 3), 3)\nb: D = D((3,), 1) ~ D((3, 3), 3)"),
        play="return self.State(D((move, 0), 1), D((3,), 2), state.step + 1)",
        before=("class D(NamedTuple):\n    x: tuple[int, ...]\n    y: int"),
    ),
    "perhaps in namedtuple order": Case(
        "refused",
        "return int(state.a < state.b) + 2 * int(state.a == state.b) + 4 * int(state.a > state.b)",
        fields=("a: D = D(None, 1) ~ D(3, 3)\nb: D = D(2, 1) ~ D(3, 3)"),
        play="return self.State(D(move, 1), D(2, 2), state.step + 1)",
        before=("class D(NamedTuple):\n    x: int | None\n    y: int"),
    ),
    "state order": Case(
        "refused",
        (
            "return int(state < self.State((2,), 1)) + 2 * int(state > self.State((2, 0), 2)) + 4 * "
            "int(state == self.State((3,), 2))"
        ),
        fields="a: tuple[int, ...] = () ~ (3, 3)",
        play="return self.State((3,) if move else (1, 2), state.step + 1)",
    ),
    "state in list of states": Case(
        "refused",
        "return max([state, self.State((2,), 1)]).step",
        fields="a: tuple[int, ...] = () ~ (3, 3)",
        play="return self.State((3,) if move else (1, 2), state.step + 1)",
    ),
    "slices negative": Case(
        "taken",
        (
            "return sum(x * 10 ** i for i, x in enumerate(state.a[-3:-1])) + sum(state.a[-1:-4:-2]) + "
            "len(state.a[5:]) + len(state.a[-9:2]) + len(state.a[3:1]) + sum(state.a[3:0:-1]) * 100"
        ),
        fields="a: tuple[int, ...] = (0, 1, 2, 3) ~ 3",
        play="return self.State((*state.a[-move:], *state.a[:-move]) if move else state.a[::-1], state.step + 1)",
    ),
    "bool int keys": Case(
        "taken",
        (
            "seen = {True, 2}\n"
            "seen.add(state.a)\n"
            "d = {1: 5, True: 7}\n"
            "d[state.a > 0] = 9\n"
            "return len(seen) + 10 * len(d) + 100 * sum(d.values()) + sum(d) * 10000"
        ),
        fields="a: int = 0 ~ 3",
        play="return self.State(move, state.step + 1)",
    ),
    "dict keeps first key": Case(
        "refused",
        ("d = {True: 5}\nd[1] = 7\nfor k in d:\n    pass\nreturn k"),
        fields="a: int = 0 ~ 3",
        play="return self.State(move, state.step + 1)",
    ),
    "sorted stable reverse": Case(
        "taken",
        "return sum(x * 10 ** i for i, x in enumerate(sorted(range(4), key=lambda i: state.a[i] % 2, reverse=True)))",
        fields="a: tuple[int, ...] = (3, 1, 2, 1) ~ 3",
        play="return self.State(state.a[1:] + state.a[:1], state.step + 1)",
    ),
    "walrus any leaves": Case(
        "taken",
        ("w = 9\nif any((w := x) > 2 for x in state.a):\n    return w\nreturn w + 50"),
        fields="a: tuple[int, ...] = (3, 1, 2, 1) ~ 3",
        play="return self.State(state.a[1:] + state.a[:1], state.step + 1)",
    ),
    "sorted tuples with texts": Case(
        "refused",
        ("xs = [(state.a, 1), ('m', state.step)]\nreturn sorted(xs)[0][1]"),
        fields="a: Literal['z', 'b'] = 'b' ~ 'b'",
        play="return self.State('z' if move else 'b', state.step + 1)",
    ),
    "sorted by tuple text key": Case(
        "refused",
        ("xs = [1, state.step]\nreturn sorted(xs, key=lambda x: (state.a if x == 1 else 'm', x))[0]"),
        fields="a: Literal['z', 'b'] = 'b' ~ 'b'",
        play="return self.State('z' if move else 'b', state.step + 1)",
    ),
    "max by text key": Case(
        "refused",
        "return max((1, 2), key=lambda x: state.a if x == 1 else 'm')",
        fields="a: Literal['z', 'b'] = 'b' ~ 'b'",
        play="return self.State('z' if move else 'b', state.step + 1)",
    ),
    "generator next with side effects": Case(
        "taken",
        ("out = [0]\nk = next((x for x in self.walk(state.a, out) if x != 1), 9)\nreturn out[0] * 10 + k"),
        fields="a: tuple[int, ...] = (1, 2, 0) ~ 3",
        play="return self.State((*state.a[1:], move), state.step + 1)",
        members=("def walk(self, xs, out):\n    for x in xs:\n        out[0] += 1\n        yield x"),
    ),
    "map lazy with changes": Case(
        "taken",
        (
            "xs = [1, 2, state.a]\n"
            "total = 0\n"
            "for y in map(lambda v: v + xs[0], xs):\n"
            "    xs[0] = 10\n"
            "    total = total * 100 + y\n"
            "return total"
        ),
        fields="a: int = 1 ~ 3",
        play="return self.State(move, state.step + 1)",
    ),
    "zip lazy with changes": Case(
        "taken",
        (
            "xs = [1, 2, state.a]\n"
            "total = 0\n"
            "for x, y in zip(xs, xs[::-1]):\n"
            "    xs[1] = 7\n"
            "    total = total * 100 + x * 10 + y\n"
            "return total"
        ),
        fields="a: int = 1 ~ 3",
        play="return self.State(move, state.step + 1)",
    ),
    "accumulate and islice changes": Case(
        "refused",
        (
            "xs = [1, 2, state.a]\n"
            "total = 0\n"
            "for y in itertools.islice(itertools.accumulate(xs), 3):\n"
            "    xs[2] = 5\n"
            "    total = total * 100 + y\n"
            "return total"
        ),
        fields="a: int = 1 ~ 3",
        play="return self.State(move, state.step + 1)",
    ),
    "chain changes": Case(
        "taken",
        (
            "xs = [1, 2]\n"
            "ys = [state.a]\n"
            "total = 0\n"
            "for y in itertools.chain(xs, ys):\n"
            "    ys[0] = 9\n"
            "    total = total * 100 + y\n"
            "return total"
        ),
        fields="a: int = 1 ~ 3",
        play="return self.State(move, state.step + 1)",
    ),
    "product is eager": Case(
        "refused",
        (
            "xs = [1, state.a]\n"
            "total = 0\n"
            "for x, y in itertools.product(xs, xs):\n"
            "    xs[1] = 9\n"
            "    total = total * 100 + x * 10 + y\n"
            "return total"
        ),
        fields="a: int = 1 ~ 3",
        play="return self.State(move, state.step + 1)",
    ),
    "combinations are eager": Case(
        "refused",
        (
            "xs = [1, state.a, 3]\n"
            "total = 0\n"
            "for x, y in itertools.combinations(xs, 2):\n"
            "    xs[2] = 9\n"
            "    total = total * 100 + x * 10 + y\n"
            "return total"
        ),
        fields="a: int = 1 ~ 3",
        play="return self.State(move, state.step + 1)",
    ),
    "pairwise with changes": Case(
        "refused",
        (
            "xs = [1, state.a, 3]\n"
            "total = 0\n"
            "for x, y in itertools.pairwise(xs):\n"
            "    xs[2] = 9\n"
            "    xs[1] = 8\n"
            "    total = total * 100 + x * 10 + y\n"
            "return total"
        ),
        fields="a: int = 1 ~ 3",
        play="return self.State(move, state.step + 1)",
    ),
    "class attribute shadows method": Case(
        "taken",
        "return self.helper(state.a)",
        fields="a: int = 1 ~ 3",
        play="return self.State(move, state.step + 1)",
        members=("def helper(self, x): return x\ndef later(self, x): return x * 5\nhelper = later"),
    ),
    "loop closures late": Case(
        "taken",
        (
            "total = 0\n"
            "for i in range(3):\n"
            "    f = lambda x: x * i\n"
            "    total += f(2)\n"
            "i = 50\n"
            "return total + f(state.a)"
        ),
        fields="a: int = 1 ~ 3",
        play="return self.State(move, state.step + 1)",
    ),
    "keyword change under listcomp": Case(
        "taken",
        (
            "xs = [1, state.a, 3]\n"
            "total = 0\n"
            "for y in [x + 1 for x in xs]:\n"
            "    self.change(items=xs)\n"
            "    total = total * 100 + y\n"
            "return total"
        ),
        fields="a: int = 1 ~ 3",
        play="return self.State(move, state.step + 1)",
        members=("def change(self, items):\n    items[2] = 9\n    return 1"),
    ),
    "dict values changed by v": Case(
        "refused",
        (
            "d = {1: 2, 2: 1, 7: 0}\n"
            "total = 0\n"
            "for v in d.values():\n"
            "    d[v] = 7\n"
            "    total = total * 10 + v\n"
            "return total + state.a"
        ),
        fields="a: int = 1 ~ 3",
        play="return self.State(move, state.step + 1)",
    ),
    "dict items changed by k": Case(
        "taken",
        (
            "d = {1: 2, 2: 1, 7: state.a}\n"
            "total = 0\n"
            "for k, v in d.items():\n"
            "    d[k] = 7\n"
            "    total = total * 10 + v\n"
            "return total + sum(d.values()) * 1000"
        ),
        fields="a: int = 1 ~ 3",
        play="return self.State(move, state.step + 1)",
    ),
    "product in generator, consumer changes": Case(
        "refused",
        (
            "xs = [1, state.a]\n"
            "total = 0\n"
            "for y in self.walk(xs):\n"
            "    xs[1] = 9\n"
            "    total = total * 100 + y\n"
            "return total"
        ),
        fields="a: int = 1 ~ 3",
        play="return self.State(move, state.step + 1)",
        members=("def walk(self, xs):\n    for a, b in itertools.product(xs, xs):\n        yield a * 10 + b"),
    ),
    "recursion two results": Case(
        "taken",
        ("x, y = self.best(state.a + 2)\nreturn x * 10 + y"),
        fields="a: int = 3 ~ 3",
        play="return self.State(move, state.step + 1)",
        members=(
            "def best(self, n):\n    if n <= 0:\n        return 0, n\n    x, y = self.best(n - 2)\n    return x + n, y"
        ),
    ),
    "closure changes under product": Case(
        "refused",
        (
            "xs = [1, state.a]\n"
            "def f():\n"
            "    xs[1] = 9\n"
            "total = 0\n"
            "for x, y in itertools.product(xs, xs):\n"
            "    f()\n"
            "    total = total * 100 + x * 10 + y\n"
            "return total"
        ),
        fields="a: int = 1 ~ 3",
        play="return self.State(move, state.step + 1)",
    ),
    "product read only": Case(
        "taken",
        (
            "xs = [1, state.a]\n"
            "ys = [0, 0]\n"
            "total = 0\n"
            "for x, y in itertools.product(xs, xs):\n"
            "    ys[1] += xs[0] + len(xs) + max(xs)\n"
            "    total = total * 10 + x * y\n"
            "return total + ys[1]"
        ),
        fields="a: int = 1 ~ 3",
        play="return self.State(move, state.step + 1)",
    ),
    "next of generator with stop": Case(
        "taken",
        (
            "xs = list(state.a)\n"
            "return next((x * y for x in xs for y in xs if x + y > 4), -1) + 100 * next((i for i, x in "
            "enumerate(state.a) if x == 2), 9) + 1000 * next(x for x in state.a)"
        ),
        fields="a: tuple[int, ...] = (1, 2, 3) ~ 3",
        play="return self.State((move, *state.a[1:]), state.step + 1)",
    ),
    "mixed enums in a tuple": Case(
        "taken",
        (
            "return int(state.a[0] == state.a[1]) + 2 * (state.a[state.step % 2] is N.B) + 4 * (M.A in "
            "state.a) + 8 * state.a[state.step % 2].value + 100 * state.a[0].value"
        ),
        fields="a: tuple[M, N] = (M.A, N.B) ~ (M, N)",
        play="return self.State((M.B if move else M.A, state.a[1]), state.step + 1)",
        before=("class M(Enum):\n    A = 1\n    B = 2\nclass N(Enum):\n    A = 1\n    B = 2"),
    ),
    "range over the edge": Case(
        "refused",
        "n = state.a\nfor y in range(-9223372036854775807, -9223372036854775811, -2):\n    n += 1\nreturn n",
        fields="a: int = 0 ~ 3",
    ),
    "in a range over the edge": Case(
        "refused",
        "return int(state.a in range(0, 2**64)) + 2 * int(state.a in range(-2**64, 2))",
        fields="a: int = 0 ~ 3",
    ),
    "item of a long range": Case(
        "refused", "return R[state.a + 5]", fields="a: int = 0 ~ 3", before="R = range(10**12)"
    ),
    "in a long range": Case(
        "taken", "return int(state.a in R)", fields="a: int = 0 ~ 3", before="R = range(0, 10**12, 3)"
    ),
    "the first member that is not a known one": Case(
        "taken",
        "mark = Mark.CROSS\nreturn int(next(q for q in Mark if q is not mark) is Mark.EMPTY)",
        fields="a: int = 1 ~ 3",
        before="class Mark(Enum):\n    NOUGHT = 0\n    CROSS = 5\n    EMPTY = 7",
    ),
    "None on one way, a value or None on the other": Case(
        "taken",
        "own = state.a\nif state.a == 1:\n    own = None\nreturn int(own is None)",
        fields="a: int | None = None ~ 3",
        play="return self.State(move, state.step + 1)",
    ),
    "None on one way, a value on the other, compared": Case(
        "taken",
        "if state.step:\n    own = None\nelse:\n    own = (1, 2)\nreturn 3 if own is not None else 4",
        fields="a: int | None = None ~ 3",
    ),
    "None on one way, a value or None on the other, tested by a function": Case(
        "taken",
        "own = state.a if state.step else None\nif state.a == 2:\n    own = None\nreturn (lambda x: x is None)(own)*2",
        fields="a: int | None = None ~ 3",
        play="return self.State(move, state.step + 1)",
    ),
    "loop over a long range": Case(
        "taken",
        "n = 0\nfor x in R:\n    n += x\n    if x > state.a:\n        break\nreturn n + next(x for x in R if x > 4)",
        fields="a: int = 0 ~ 3",
        before="R = range(10**12)",
    ),
}


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    with own_cache() as place:
        yield place


@pytest.mark.parametrize("name", CASES)
def test_meaning_or_refusal(name: str, folder: Path) -> None:
    came = verdict(CASES[name].text(), folder, by_interpreter)
    assert came.kind == CASES[name].kind, came


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_meaning_as_machine_code(name: str, folder: Path) -> None:
    assert verdict(CASES[name].text(), folder, by_machine).kind == CASES[name].kind


def test_a_game_that_is_over_at_its_start_has_no_moves_of_any_kind(folder: Path) -> None:
    over = Case("taken", "return state.a", fields="a: int = 1 ~ 3", moves='if state.a > 2: yield ("go", 1)')
    assert verdict(over.text(), folder, by_machine).kind == "taken"
