"""Node Kayles on a board: put a stone on a square that has no stone beside it.

Source: T. J. Schaefer, "On the complexity of some two-person perfect-information games", Journal of Computer and
System Sciences 16 (1978), for the rules. Positions are the sets of squares no two of which are side by side: OEIS
A006506 has 1,280,128,950 for 7x7 and 660,647,962,955 for 8x8.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from endsight.game import Game


class NodeKayles(Game):
    """Two players; whoever cannot put a stone loses."""

    size: int = 7

    class State(NamedTuple):
        """The stones, as a bit set of squares."""

        stones: int

    def setup(self) -> None:
        cells = [(row, column) for row in range(self.size) for column in range(self.size)]
        self.near = tuple(
            sum(1 << number for number, (row, column) in enumerate(cells) if abs(row - y) + abs(column - x) <= 1)
            for y, x in cells
        )

    def limits(self) -> State:
        return self.State(2 ** (self.size * self.size) - 1)

    def start(self) -> State:
        return self.State(0)

    def moves(self, state: State) -> Iterator[int]:
        for square in range(self.size * self.size):
            if not state.stones & self.near[square]:
                yield square

    def play(self, state: State, move: int) -> State:
        return self.State(state.stones | (1 << move))

    def payoff(self, state: State) -> int:
        return -1
