"""Rules of a user's own, solved as plain scores: pots of gold, both after the lead."""

from __future__ import annotations

from typing import NamedTuple

from endsight import Game


class Lead(Game):
    """Take a pot from either end; what it holds is yours, and the other one's loss."""

    pots: tuple[int, ...] = (3, 9, 1, 4, 7, 7, 2, 8, 1, 5)

    class State(NamedTuple):
        """The pots left."""

        left: int
        right: int

    def limits(self) -> State:
        """Both ends."""
        return self.State(len(self.pots), len(self.pots))

    def start(self) -> State:
        """All pots."""
        return self.State(0, len(self.pots))

    def moves(self, state: State) -> range:
        """0 the left, 1 the right."""
        return range(min(2, state.right - state.left))

    def play(self, state: State, move: int) -> State:
        """Take it away."""
        return self.State(state.left + 1 - move, state.right - move)

    def reward(self, state: State, move: int) -> int:
        """What it holds."""
        return self.pots[state.right - 1] if move else self.pots[state.left]

    def payoff(self, state: State) -> int:
        """Nothing more."""
        return 0
