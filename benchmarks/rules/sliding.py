"""The sliding puzzle: move tiles into the hole until they stand in order.

Source: W. E. Story, "Notes on the 15 puzzle", American Journal of Mathematics 2 (1879): half of all orders can be
reached, so there are (rows * columns)! / 2 positions: 181,440 on 3x3, of which the farthest is 31 moves away.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from endsight.game import Game


class Sliding(Game):
    """One player; in order, with the hole last, is worth 1 and ends the game."""

    players = 1
    rows: int = 3
    columns: int = 3

    class State(NamedTuple):
        """The tiles row by row, four bits each, the hole left out; and the cell of the hole."""

        tiles: int
        hole: int

    def setup(self) -> None:
        self.cells = self.rows * self.columns
        self.goal = sum(tile << 4 * (tile - 1) for tile in range(1, self.cells))

    def limits(self) -> State:
        return self.State((1 << 4 * (self.cells - 1)) - 1, self.cells - 1)

    def start(self) -> State:
        """The hole comes first, the tiles after it in order; two are exchanged where that could not be put right."""
        is_even = (self.columns - 1) * (self.rows - 1) % 2 == 0
        return self.State(self.goal if is_even else self.goal ^ 0x33, 0)

    def moves(self, state: State) -> Iterator[int]:
        if state.tiles != self.goal or state.hole != self.cells - 1:
            if state.hole >= self.columns:
                yield state.hole - self.columns
            if state.hole % self.columns:
                yield state.hole - 1
            if state.hole % self.columns < self.columns - 1:
                yield state.hole + 1
            if state.hole + self.columns < self.cells:
                yield state.hole + self.columns

    def play(self, state: State, move: int) -> State:
        """The tile of that cell goes into the hole, past the tiles between the two."""
        source = move if move < state.hole else move - 1
        target = state.hole - 1 if move < state.hole else state.hole
        first, last = min(source, target), max(source, target)
        part = (state.tiles >> 4 * first) & ((1 << 4 * (last - first + 1)) - 1)
        width = 4 * (last - first)
        turned = (
            part >> 4 | (part & 15) << width if source < target else (part << 4 | part >> width) & ((16 << width) - 1)
        )
        return self.State(state.tiles ^ (part ^ turned) << 4 * first, move)

    def payoff(self, state: State) -> int:
        return 1
