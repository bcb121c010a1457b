"""Clobber, as a user would write it: move a stone onto a neighbouring stone of the other player."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from endsight.game import Game


class Clobber(Game):
    """Whoever cannot move loses; the board begins full, the colours alternating."""

    rows: int = 3
    columns: int = 4

    class State(NamedTuple):
        """Stones of the player to move, and of the other one, as bit sets of squares."""

        mine: int
        theirs: int

    def setup(self) -> None:
        self.squares = self.rows * self.columns
        numbers = [row * self.columns + column for row in range(self.rows) for column in range(self.columns)]
        self.light = sum(1 << square for square in numbers if sum(divmod(square, self.columns)) % 2 == 0)
        self.neighbours = tuple(
            tuple(
                other
                for other in numbers
                if abs(other // self.columns - square // self.columns)
                + abs(other % self.columns - square % self.columns)
                == 1
            )
            for square in numbers
        )

    def limits(self) -> State:
        return self.State(2**self.squares - 1, 2**self.squares - 1)

    def start(self) -> State:
        return self.State(self.light, (2**self.squares - 1) ^ self.light)

    def moves(self, state: State) -> Iterator[tuple[int, int]]:
        for square in range(self.squares):
            if (state.mine >> square) & 1:
                for other in self.neighbours[square]:
                    if (state.theirs >> other) & 1:
                        yield square, other

    def play(self, state: State, move: tuple[int, int]) -> State:
        return self.State(state.theirs ^ (1 << move[1]), state.mine ^ (1 << move[0]) ^ (1 << move[1]))

    def payoff(self, state: State) -> int:
        return -1
