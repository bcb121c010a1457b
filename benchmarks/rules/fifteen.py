"""The 15-puzzle: slide tiles into the hole until they stand in order, the hole first, in the fewest moves.

Source: R. E. Korf, "Depth-first iterative-deepening: an optimal admissible tree search", Artificial Intelligence 27
(1985), for the goal, for the bound, and for the hundred orders that are tried most often; the start is his first.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from endsight.game import Game

FIRST = (14, 13, 15, 7, 11, 12, 9, 5, 6, 0, 2, 1, 4, 8, 10, 3)


class Fifteen(Game):
    """One player: a tile beside the hole slides into it, which costs 1, until all tiles stand in order."""

    players = 1
    rows: int = 4
    columns: int = 4

    class State(NamedTuple):
        """The tile in each cell, row by row; 0 is the hole."""

        tiles: tuple[int, ...]

    def setup(self) -> None:
        cells = range(self.rows * self.columns)
        self.goal = tuple(cells)
        places = [divmod(cell, self.columns) for cell in cells]
        self.away = tuple(tuple(abs(y - to_y) + abs(x - to_x) for to_y, to_x in places) for y, x in places)
        self.beside = tuple(tuple(cell for cell in cells if self.away[hole][cell] == 1) for hole in cells)

    def limits(self) -> State:
        return self.State(len(self.goal) - 1)

    def start(self) -> State:
        """Korf's first order; on other boards the order in which the first three tiles go round."""
        return self.State(
            FIRST
            if self.goal == tuple(range(16)) and self.rows == 4
            else (*self.goal[:1], *self.goal[2:4], 1, *self.goal[4:])
        )

    def moves(self, state: State) -> Iterator[int]:
        """The cells whose tile may slide."""
        if state.tiles != self.goal:
            yield from self.beside[state.tiles.index(0)]

    def play(self, state: State, move: int) -> State:
        tiles = list(state.tiles)
        tiles[tiles.index(0)], tiles[move] = tiles[move], 0
        return self.State(tuple(tiles))

    def reward(self, state: State, move: int) -> int:
        return -1

    def payoff(self, state: State) -> int:
        return 0

    def bound(self, state: State) -> int:
        """No tile comes home in fewer moves than there are rows and columns in between (Manhattan distance)."""
        return -sum(self.away[cell][tile] for cell, tile in enumerate(state.tiles) if tile)


class Retraced(Fifteen):
    """The same without the bound: it is searched from both ends."""

    bound = None  # type: ignore[assignment]

    def before(self, state: Fifteen.State) -> Iterator[Fifteen.State]:
        """The hole, or each of them where there are several, goes back to a cell beside it."""
        for hole, tile in enumerate(state.tiles):
            if tile == 0:
                for cell in self.beside[hole]:
                    tiles = list(state.tiles)
                    tiles[hole], tiles[cell] = tiles[cell], 0
                    yield self.State(tuple(tiles))

    def ends(self) -> Iterator[Fifteen.State]:
        yield self.State(self.goal)
