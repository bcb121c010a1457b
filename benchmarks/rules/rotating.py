"""The rotating puzzle: turn four tiles in a square by a quarter until all are in order.

Source: C. Yang, "Sliding puzzles and rotating puzzles on graphs", Discrete Mathematics 311 (2011): on a grid of squares
every order can be reached, since a quarter turn of four tiles is odd, (rows * columns)! of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from endsight.game import Game


class Rotating(Game):
    """One player; the tiles in order are worth 1 and end the game."""

    players = 1
    rows: int = 3
    columns: int = 4

    class State(NamedTuple):
        """The tiles, row by row."""

        tiles: tuple[int, ...]

    def setup(self) -> None:
        self.cells = self.rows * self.columns
        self.goal = tuple(range(self.cells))
        self.corners = tuple(
            row * self.columns + column for row in range(self.rows - 1) for column in range(self.columns - 1)
        )

    def limits(self) -> State:
        return self.State((self.cells - 1,) * self.cells)

    def start(self) -> State:
        return self.State((1, 0, *range(2, self.cells)))

    def moves(self, state: State) -> Iterator[int]:
        """The square of a move, by its upper left corner, and twice as many numbers: clockwise, or back."""
        if state.tiles != self.goal:
            yield from range(2 * len(self.corners))

    def play(self, state: State, move: int) -> State:
        first = self.corners[move // 2]
        ring = (first, first + 1, first + self.columns + 1, first + self.columns)
        tiles = list(state.tiles)
        for place in range(4):
            tiles[ring[place]] = state.tiles[ring[(place + (1 if move % 2 else 3)) % 4]]
        return self.State(tuple(tiles))

    def payoff(self, state: State) -> int:
        return 1
