"""The Reve's puzzle: the tower of Hanoi on four pegs.

Source: H. E. Dudeney, "The Canterbury Puzzles" (1907). Every way to put discs on pegs can be reached: 4 ** discs.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from endsight.game import Game


class Reve(Game):
    """One player; the whole tower on the last peg is worth 1 and ends the game."""

    players = 1
    discs: int = 13

    class State(NamedTuple):
        """The peg of every disc, two bits each, the smallest disc first."""

        pegs: int

    def setup(self) -> None:
        self.goal = 4**self.discs - 1

    def limits(self) -> State:
        return self.State(self.goal)

    def start(self) -> State:
        return self.State(0)

    def smallest(self, state: State, peg: int) -> int:
        """The smallest disc on a peg; the number of discs where there is none."""
        disc = 0
        while disc < self.discs and (state.pegs >> 2 * disc) & 3 != peg:
            disc += 1
        return disc

    def moves(self, state: State) -> Iterator[tuple[int, int]]:
        if state.pegs != self.goal:
            for source in range(4):
                for target in range(4):
                    if self.smallest(state, source) < self.smallest(state, target):
                        yield source, target

    def play(self, state: State, move: tuple[int, int]) -> State:
        source, target = move
        return self.State(state.pegs ^ ((source ^ target) << 2 * self.smallest(state, source)))

    def payoff(self, state: State) -> int:
        return 1
