"""The tower of Hanoi.

Source: É. Lucas (as N. Claus), 1883. Every way to put discs on pegs can be reached: 3 ** discs positions.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from endsight.game import Game


class Hanoi(Game):
    """One player; the whole tower on the last peg is worth 1 and ends the game."""

    players = 1
    discs: int = 8

    class State(NamedTuple):
        """The peg of every disc, as the digits of a number with base 3, the smallest disc first."""

        pegs: int

    def setup(self) -> None:
        self.powers = tuple(3**disc for disc in range(self.discs + 1))

    def limits(self) -> State:
        return self.State(3**self.discs - 1)

    def start(self) -> State:
        return self.State(0)

    def smallest(self, state: State, peg: int) -> int:
        """The smallest disc on a peg; the number of discs where there is none."""
        disc = 0
        while disc < self.discs and (state.pegs // self.powers[disc]) % 3 != peg:
            disc += 1
        return disc

    def moves(self, state: State) -> Iterator[tuple[int, int]]:
        if state.pegs != self.powers[self.discs] - 1:
            for source in range(3):
                for target in range(3):
                    if self.smallest(state, source) < self.smallest(state, target):
                        yield source, target

    def play(self, state: State, move: tuple[int, int]) -> State:
        return self.State(state.pegs + (move[1] - move[0]) * self.powers[self.smallest(state, move[0])])

    def payoff(self, state: State) -> int:
        return 1
