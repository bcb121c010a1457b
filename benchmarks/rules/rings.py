"""The Chinese rings: the first ring goes on and off as it likes, another only behind the first one that is on.

Source: L. Gros, "Théorie du baguenodier" (1872): the 2 ** rings positions form one line, which the Gray code numbers.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from endsight.game import Game


class Rings(Game):
    """One player; all rings off are worth 1 and end the game."""

    players = 1
    rings: int = 28

    class State(NamedTuple):
        """The rings that are on, as a bit set."""

        on: int

    def limits(self) -> State:
        return self.State(2**self.rings - 1)

    def start(self) -> State:
        """The last ring alone is on: the far end of the line."""
        return self.State(1 << (self.rings - 1))

    def moves(self, state: State) -> Iterator[int]:
        if state.on:
            yield 0
            place = 0
            while not (state.on >> place) & 1:
                place += 1
            if place + 1 < self.rings:
                yield place + 1

    def play(self, state: State, move: int) -> State:
        return self.State(state.on ^ (1 << move))

    def payoff(self, state: State) -> int:
        return 1
