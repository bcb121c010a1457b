"""Hex, as a user would write it: two players lay stones in turn, and each tries to join two sides of the board."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from endsight.game import Game


class Hex(Game):
    """The first player joins top and bottom, the second left and right; there are no draws."""

    size: int = 4

    class State(NamedTuple):
        """Stones of both players as bit sets of squares; bit = row * (size + 1) + column: one stays free."""

        first: int
        second: int

    def setup(self) -> None:
        self.wide = self.size + 1
        self.squares = self.wide * self.size
        self.top = (1 << self.size) - 1
        self.board = sum(self.top << row * self.wide for row in range(self.size))
        self.left = sum(1 << row * self.wide for row in range(self.size))
        self.bottom, self.right = self.top << (self.size - 1) * self.wide, self.left << self.size - 1

    def limits(self) -> State:
        return self.State(self.board, self.board)

    def start(self) -> State:
        return self.State(0, 0)

    def joins(self, stones: int, begin: int, end: int) -> bool:
        """Whether stones lead from one side to the other."""
        reached, before = stones & begin, 0
        while reached != before:
            before = reached
            beside = reached << 1 | reached >> 1 | reached << self.wide | reached >> self.wide
            beside |= reached << self.wide - 1 | reached >> self.wide - 1
            reached |= beside & stones
        return reached & end != 0

    def moves(self, state: State) -> Iterator[int]:
        is_won = self.joins(state.first, self.top, self.bottom) or self.joins(state.second, self.left, self.right)
        if not is_won:
            for square in range(self.squares):
                if (self.board & ~(state.first | state.second)) >> square & 1:
                    yield square

    def play(self, state: State, move: int) -> State:
        if state.first.bit_count() == state.second.bit_count():
            return self.State(state.first | 1 << move, state.second)
        return self.State(state.first, state.second | 1 << move)

    def payoff(self, state: State) -> int:
        return -1
