"""A slippery floor: reach the far corner in as few steps as possible; a step may slide aside.

Source: the floor of D. Bertsekas and J. Tsitsiklis, "An analysis of stochastic shortest path problems" (1991), in form:
every policy that gets there has a finite expected cost. There are width * height cells, and for all but the last of
them four slides: width * height * 5 - 4 positions.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from endsight.game import CHANCE, Game

STEPS = ((1, 0), (0, 1), (-1, 0), (0, -1))


class Slippery(Game):
    """One player, from one corner to the other; each step costs 1, and 3 more on every seventh cell."""

    players = 1
    width: int = 10
    height: int = 10

    class State(NamedTuple):
        """Column and row; 1 to 4 for the direction of a step under way."""

        column: int
        row: int
        going: int

    def limits(self) -> State:
        return self.State(self.width - 1, self.height - 1, 4)

    def start(self) -> State:
        return self.State(0, 0, 0)

    def to_move(self, state: State) -> int:
        return CHANCE if state.going else 0

    def moves(self, state: State) -> Iterator[int]:
        if state.going:
            yield from range(3)
        elif state.column < self.width - 1 or state.row < self.height - 1:
            yield from range(4)

    def weight(self, state: State, move: int) -> int:
        """Straight on 6 times of 10, else to either side."""
        return 6 if move == 0 else 2

    def play(self, state: State, move: int) -> State:
        if not state.going:
            return self.State(state.column, state.row, move + 1)
        turned = (state.going - 1 + (0, 1, 3)[move]) % 4
        column = min(self.width - 1, max(0, state.column + STEPS[turned][0]))
        row = min(self.height - 1, max(0, state.row + STEPS[turned][1]))
        return self.State(column, row, 0)

    def reward(self, state: State, move: int) -> int:
        if state.going:
            return 0
        return -4 if (3 * state.column + 5 * state.row) % 7 == 3 else -1

    def payoff(self, state: State) -> int:
        return 0
