"""Chomp in space: eat a cube of a block, and all that are not before it in any direction.

Source: P. A. MacMahon, "Combinatory Analysis" (1916): what is left is a plane partition in a box, and of these there
are the product of (i + j + height - 1) / (i + j - 1) over all places: OEIS A008793, 267,227,532 for 5x5x5. One of
them is no position, as the poisoned cube, the first, is never eaten.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from endsight.game import Game


class SolidChomp(Game):
    """Two players; whoever has only the poisoned cube left loses."""

    rows: int = 5
    columns: int = 5
    height: int = 5

    class State(NamedTuple):
        """How many cubes stand in each place, row by row."""

        towers: tuple[int, ...]

    def limits(self) -> State:
        return self.State((self.height,) * (self.rows * self.columns))

    def start(self) -> State:
        return self.State((self.height,) * (self.rows * self.columns))

    def moves(self, state: State) -> Iterator[tuple[int, int]]:
        """A place, and how many cubes are left there."""
        for place in range(self.rows * self.columns):
            for left in range(1 if place == 0 else 0, state.towers[place]):
                yield place, left

    def play(self, state: State, move: tuple[int, int]) -> State:
        place, left = move
        towers = list(state.towers)
        for row in range(place // self.columns, self.rows):
            for column in range(place % self.columns, self.columns):
                towers[row * self.columns + column] = min(left, state.towers[row * self.columns + column])
        return self.State(tuple(towers))

    def payoff(self, state: State) -> int:
        return -1
