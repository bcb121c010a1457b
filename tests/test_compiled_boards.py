"""Boards that are tuples: what lies in one word in machine code is what Python has, also where numbers do not fit."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from amounts import seeds

pytest.importorskip("llvmlite.binding")

from endsight.compiler.exploring import explore_arrays
from endsight.compiler.rules import CompiledRules
from endsight.errors import RulesError
from endsight.game.limits import Budget
from test_compiled_meaning import by_python, compiled, require_same, rules_of

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
    "kept = state.cells\nbefore = (before + int(kept[b]) + 2 * int(kept[a - 2])) % 6",
]


def program(seed: int) -> str:
    """Rules with some of the steps."""
    chance = random.Random(seed)
    kind, limit, zero, one = chance.choice([("bool", "True", "False", "True"), ("int", "3", "0", "2")])
    own = {"kind": kind, "limit": limit, "zero": zero, "one": one}
    steps = "\n".join(step.format(**own) for step in chance.sample(STEPS, chance.randint(2, 5)))
    indented = "\n".join("        " + line for line in steps.splitlines())
    return FRAME.format(steps=indented, count=chance.choice([4, 5, 9, 18]), **own)


@pytest.mark.parametrize("seed", seeds(60, 6))
def test_boards_in_a_word_are_those_of_python(seed: int, tmp_path: Path) -> None:
    game = rules_of(f"board{seed}", program(seed), tmp_path)()
    require_same(by_python(game)[1], compiled(game), program(seed))


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
    require_same(by_python(game)[1], compiled(game), uneven(seed))


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
    require_same(by_python(game)[1], compiled(game), "fits")
    wide: Any = rules_of("wide", AHEAD.format(step=9), tmp_path)()
    with pytest.raises(RulesError, match="a state lies outside limits"):
        explore_arrays(CompiledRules.of(wide), wide.position(), Budget())


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
    require_same(by_python(game)[1], compiled(game), given)


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
    require_same(by_python(game)[1], compiled(game), "listed")


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
        require_same(by_python(game)[1], compiled(game), name)
        return
    with pytest.raises(RulesError, match="by zero"):
        by_python(game)
    with pytest.raises(RulesError, match="zero"):
        explore_arrays(CompiledRules.of(game), game.position(), Budget())
