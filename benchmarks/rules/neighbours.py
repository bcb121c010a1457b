"""Sorting by exchanges of neighbours.

Source: D. E. Knuth, "The Art of Computer Programming 3", 5.1.1: all count! orders can be reached, the farthest
by count * (count - 1) / 2 exchanges.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from endsight.game import Game


class Neighbours(Game):
    """One player; the numbers in order are worth 1 and end the game."""

    players = 1
    count: int = 12

    class State(NamedTuple):
        """The numbers from left to right."""

        row: tuple[int, ...]

    def setup(self) -> None:
        self.goal = tuple(range(self.count))

    def limits(self) -> State:
        return self.State((self.count - 1,) * self.count)

    def start(self) -> State:
        return self.State(tuple(reversed(range(self.count))))

    def moves(self, state: State) -> Iterator[int]:
        if state.row != self.goal:
            yield from range(self.count - 1)

    def play(self, state: State, move: int) -> State:
        row = list(state.row)
        row[move] = state.row[move + 1]
        row[move + 1] = state.row[move]
        return self.State(tuple(row))

    def payoff(self, state: State) -> int:
        return 1
