"""Frozen Lake 4x4 on slippery ice, without a limit of time.

Source: the map "4x4" of Gymnasium's FrozenLake. A step goes as wanted or to either side of that, each with chance 1/3.
The best chance to arrive is 14/17. 60 positions: 5 squares that end the walk, and 11 others, each with no wish yet
and with one of four.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from endsight.game import CHANCE, Game

MAP = "SFFFFHFHFFFHHFFG"


class Frozen(Game):
    """One player; to arrive is worth 1, a hole 0."""

    players = 1

    class State(NamedTuple):
        """The square, row by row, and what is wanted: 0 not said yet, 1 left, 2 down, 3 right, 4 up."""

        square: int
        wish: int

    def setup(self) -> None:
        self.walkable = sum(1 << square for square, sign in enumerate(MAP) if sign in "SF")

    def limits(self) -> State:
        return self.State(15, 4)

    def start(self) -> State:
        return self.State(0, 0)

    def to_move(self, state: State) -> int:
        return CHANCE if state.wish else 0

    def moves(self, state: State) -> Iterator[int]:
        if state.wish:
            yield from range(3)
        elif (self.walkable >> state.square) & 1:
            yield from range(1, 5)

    def play(self, state: State, move: int) -> State:
        if state.wish == 0:
            return self.State(state.square, move)
        way = (state.wish + move + 2) % 4
        row, column = state.square // 4, state.square % 4
        if way == 0:
            column = max(column - 1, 0)
        elif way == 1:
            row = min(row + 1, 3)
        elif way == 2:
            column = min(column + 1, 3)
        else:
            row = max(row - 1, 0)
        return self.State(4 * row + column, 0)

    def payoff(self, state: State) -> int:
        return 1 if state.square == 15 else 0
