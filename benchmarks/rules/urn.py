"""An urn: balls are drawn until none is left; the last one of each colour pays the number of that colour.

Source: what is left is any number of balls of each colour, so (copies + 1) ** colours sets can be left.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from endsight.game import Game


class Urn(Game):
    """One player, who only watches."""

    players = 1
    colours: int = 9
    copies: int = 8

    class State(NamedTuple):
        """The balls of each colour that are left."""

        left: tuple[int, ...]

    def limits(self) -> State:
        return self.State((self.copies,) * self.colours)

    def start(self) -> State:
        return self.State((self.copies,) * self.colours)

    def to_move(self, state: State) -> int:
        return -1

    def moves(self, state: State) -> Iterator[int]:
        for colour in range(self.colours):
            if state.left[colour]:
                yield colour

    def weight(self, state: State, move: int) -> int:
        return state.left[move]

    def play(self, state: State, move: int) -> State:
        left = list(state.left)
        left[move] = state.left[move] - 1
        return self.State(tuple(left))

    def reward(self, state: State, move: int) -> int:
        return move if state.left[move] == 1 else 0

    def payoff(self, state: State) -> int:
        return 0
