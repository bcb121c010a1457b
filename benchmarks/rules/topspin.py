"""TopSpin: turn the ring of numbered pieces by one, or reverse the four in the turnstile.

Source: T. Chen, S. S. Skiena, "Sorting with fixed-length reversals", Discrete Applied Mathematics 71 (1996): with an
even number of pieces every order can be reached, count! of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from endsight.game import Game


class TopSpin(Game):
    """One player; the order 1, 2, 3, ... is worth 1 and ends the game."""

    players = 1
    count: int = 12

    class State(NamedTuple):
        """The pieces, those in the turnstile first."""

        ring: tuple[int, ...]

    def setup(self) -> None:
        self.goal = tuple(range(self.count))

    def limits(self) -> State:
        return self.State((self.count - 1,) * self.count)

    def start(self) -> State:
        return self.State((1, 0, *range(2, self.count)))

    def moves(self, state: State) -> Iterator[int]:
        if state.ring != self.goal:
            yield from range(3)

    def play(self, state: State, move: int) -> State:
        """0 reverses, 1 and 2 turn the ring to either side."""
        ring = list(state.ring)
        for place in range(self.count):
            if move == 0:
                ring[place] = state.ring[3 - place if place < 4 else place]
            elif move == 1:
                ring[place] = state.ring[(place + 1) % self.count]
            else:
                ring[place] = state.ring[(place + self.count - 1) % self.count]
        return self.State(tuple(ring))

    def payoff(self, state: State) -> int:
        return 1
