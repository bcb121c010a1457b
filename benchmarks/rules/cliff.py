"""Walking along a cliff: every step costs 1, the cliff 100.

Source: R. Sutton, A. Barto, "Reinforcement Learning", example 6.6, on OpenSpiel's board of 8x4, where a fall ends
the walk. From corner to corner around the cliff costs 9 on 8x4, and 13 on the book's 12x4.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from endsight.game import Game


class Cliff(Game):
    """One player, from the lower left corner to the lower right one; width * height positions."""

    players = 1
    width: int = 8
    height: int = 4

    class State(NamedTuple):
        """Column and row, the lower left corner 0 and 0."""

        column: int
        row: int

    def limits(self) -> State:
        return self.State(self.width - 1, self.height - 1)

    def start(self) -> State:
        return self.State(0, 0)

    def moves(self, state: State) -> Iterator[int]:
        if state.row or not state.column:
            yield from range(4)

    def play(self, state: State, move: int) -> State:
        if move == 0:
            return self.State(min(state.column + 1, self.width - 1), state.row)
        if move == 1:
            return self.State(state.column, min(state.row + 1, self.height - 1))
        if move == 2:
            return self.State(max(state.column - 1, 0), state.row)
        return self.State(state.column, max(state.row - 1, 0))

    def reward(self, state: State, move: int) -> int:
        then = self.play(state, move)
        return -100 if then.row == 0 and 0 < then.column < self.width - 1 else -1

    def payoff(self, state: State) -> int:
        return 0
