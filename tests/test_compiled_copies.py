"""How much rules are written out: the same rules in forms that once became ever more copies of one another."""

from __future__ import annotations

from pathlib import Path

import pytest

from amounts import each

pytest.importorskip("llvmlite.binding")

from both_engines import Refused, by_core, by_machine, by_python, lines_for_llvm, nodes_of_core
from test_compiled_meaning import HEAD, IDIOMS, SAME, WIDE, require_same, rules_of
from thresholds import little_is_written_out, nothing_is_copied_anyway, programs_are_long, texts_are_long

FRAME = """
import itertools
STEPS = {{"u": (-1, 0), "d": (1, 0), "l": (0, -1), "r": (0, 1)}}

class Rules(Game):
    width: int = 4
    height: int = 4

    class State(NamedTuple):
        cells: tuple[int, ...]
        turn: bool

    def start(self):
        w, h = self.width, self.height
        cells = [1 + (r + c) % 2 for r in range(h) for c in range(w)]
        mid = h // 2 * w + w // 2
        cells[mid - 1: mid + 1] = [0, 0]
        return self.State(tuple(cells), False)

    def limits(self):
        return self.State(2, True)

    def to_move(self, state):
        return int(state.turn)

    def at(self, state, r, c):
        return state.cells[r * self.width + c] if 0 <= r < self.height and 0 <= c < self.width else None

    def may(self, state, r, c, dr, dc):
        return self.at(state, r + dr, c + dc) == 2 - state.turn and self.at(state, r + 2 * dr, c + 2 * dc) == 0

    def targets(self, state, r, c, dr, dc):
        found = []
        while self.may(state, r, c, dr, dc):
            r, c = r + 2 * dr, c + 2 * dc
            found.append(r * self.width + c)
        return found

    def moves(self, state):
{moves}

    def play(self, state, move):
        source, target = move
        cells = list(state.cells)
        low, high = min(move), max(move)
        for k in range(low, high + 1, 1 if high - low < self.width else self.width):
            cells[k] = 0
        cells[target] = 1 + state.turn
        return self.State(tuple(cells), not state.turn)

    def payoff(self, state):
        return (1, -1) if state.turn else (-1, 1)
"""
"""Jumps over stones of the other colour; who cannot jump loses."""
FORMS = {
    "a comprehension": """
        own = 1 + state.turn
        return [(k, target) for k, stone in enumerate(state.cells) if stone == own
                for dr, dc in STEPS.values()
                for target in self.targets(state, k // self.width, k % self.width, dr, dc)]""",
    "a starred argument": """
        return [(k, target) for k, stone in enumerate(state.cells) if stone == 1 + state.turn
                for step in STEPS.values() for target in self.targets(state, *divmod(k, self.width), *step)]""",
    "a generator expression": """
        own = 1 + state.turn
        yield from ((k, target) for k, stone in enumerate(state.cells) if stone == own
                    for dr, dc in ((-1, 0), (1, 0), (0, -1), (0, 1))
                    for target in self.targets(state, k // self.width, k % self.width, dr, dc))""",
    "loops": """
        for k, stone in enumerate(state.cells):
            if stone == 1 + state.turn:
                for dr, dc in STEPS.values():
                    for target in self.targets(state, *divmod(k, self.width), dr, dc):
                        yield k, target""",
    "loops over known numbers": """
        for r, c in itertools.product(range(self.height), range(self.width)):
            if self.at(state, r, c) == 1 + state.turn:
                for dr, dc in STEPS.values():
                    y, x = r, c
                    for n in range(1, 3):
                        if not self.may(state, y, x, dr, dc):
                            break
                        y, x = y + 2 * dr, x + 2 * dc
                        yield r * self.width + c, y * self.width + x""",
}


@pytest.mark.parametrize("name", FORMS)
def test_loops_in_loops_are_not_copied_without_end(name: str, tmp_path: Path) -> None:
    """The moves alone had up to 5,400 nodes, and LLVM took minutes for some of them."""
    kind = rules_of(name.replace(" ", "_"), FRAME.format(moves=FORMS[name]), tmp_path)
    for width, height in ((2, 3), (4, 3), (4, 4), (4, 6)):
        assert nodes_of_core(kind(width=width, height=height)) < 1200
    assert lines_for_llvm(kind()) < 7000
    game = kind(width=3, height=4)
    plain = by_python(game)
    require_same(plain, by_core(game), name)
    require_same(plain, by_machine(game), name)


ITEMS = """
def next_one(n): return n + 1
def twice(n): return n * 2
def rest(n): return n * n % 7

class Rules(Game):
    players = 1
    class State(NamedTuple):
        number: int
    def setup(self):
        self.ways = (next_one, twice, rest)
    def limits(self): return self.State(50)
    def start(self): return self.State(1)
    def moves(self, state):
        if state.number < 20:
            for way in self.ways:
                yield way(state.number) + sum(k * state.number % 3 for k in (1, 2, 3, 5))  # no
    def play(self, state, move): return self.State(max(state.number + 1, move % 50))
    def payoff(self, state): return state.number
"""


def test_a_loop_that_compiles_only_written_out_is_written_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    little_is_written_out(monkeypatch, 20)
    game = rules_of("ways", ITEMS, tmp_path)()
    require_same(by_python(game), by_core(game), "ways")


def test_a_loop_that_compiles_only_written_out_may_be_too_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    little_is_written_out(monkeypatch, 20)
    nothing_is_copied_anyway(monkeypatch)
    with pytest.raises(Refused) as caught:
        by_core(rules_of("too_long", ITEMS, tmp_path)())
    lines = (HEAD + ITEMS).splitlines()
    assert "# no" in lines[(caught.value.line or 0) - 1]


@pytest.mark.parametrize("name", each(IDIOMS, lambda name: IDIOMS.index(name) % 12 == 5))
def test_loops_that_stay_loops_mean_the_same(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    little_is_written_out(monkeypatch, 10)
    game = rules_of(name, (SAME | WIDE)[name], tmp_path)()
    require_same(by_python(game), by_core(game), name)


def test_a_long_program_is_written_out_less(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kind = rules_of("long", FRAME.format(moves=FORMS["loops over known numbers"]), tmp_path)
    before = nodes_of_core(kind())
    programs_are_long(monkeypatch, 300)
    assert nodes_of_core(kind()) < before
    game = kind(width=3)
    require_same(by_python(game), by_core(game), "long")


MANY = """
class Rules(Game):
    players = 1
    class State(NamedTuple):
        number: int
    def limits(self): return self.State(99)
    def start(self): return self.State(1)
    def moves(self, state):
        n = state.number
        if n > 80:
            return
{parts}
    def play(self, state, move): return self.State(min(99, max(state.number + 1, move)))
    def payoff(self, state): return state.number
"""
PART = """
        k = n + {at}
        while k % 5:
            k += {at} + 1
            yield k
"""


@pytest.mark.parametrize(("count", "is_compiled"), [(7, True), (101, False)])
def test_jumps_into_many_loops_are_refused(count: int, is_compiled: bool, tmp_path: Path) -> None:
    """With 200 of them LLVM worked for minutes."""
    text = MANY.format(parts="".join(PART.format(at=5 * at + 4) for at in range(count)))
    game = rules_of(f"many_{count}", text, tmp_path)()
    if is_compiled:
        require_same(by_python(game), by_machine(game), "many")
        return
    with pytest.raises(Refused, match="loops yield in more than 100 places") as caught:
        by_machine(game)
    last = [number for number, line in enumerate((HEAD + text).splitlines(), start=1) if "yield k" in line][-1]
    assert caught.value.line == last


@pytest.mark.parametrize("most", [100, 100_000])
def test_a_text_that_would_take_llvm_too_long_is_refused(
    most: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts_are_long(monkeypatch, most)
    kind = rules_of(f"most_{most}", FRAME.format(moves=FORMS["loops"]), tmp_path)
    game = kind(width=2, height=5 if most > 1000 else 4)  # no other test has compiled it
    if most > 1000:
        require_same(by_python(game), by_machine(game), "side by side")
        return
    with pytest.raises(Refused, match="lines of code for LLVM, and more than 100 take it too long"):
        by_machine(game)
