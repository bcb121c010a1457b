"""Small rules of a user's own, for the tests of layers on the disk."""

from __future__ import annotations

from typing import NamedTuple

from endsight import CHANCE, Game


class Climb(Game):
    """Coins decide how much each of many steps brings: the sums pass what one step needs by far."""

    steps: int = 40

    class State(NamedTuple):
        """Steps made, and whether the coin is in the air."""

        step: int
        tossed: int

    players = 1

    def limits(self) -> State:
        """All steps."""
        return self.State(self.steps, 1)

    def start(self) -> State:
        """At the foot."""
        return self.State(0, 0)

    def to_move(self, state: State) -> int:
        """The coin, once it is tossed."""
        return CHANCE if state.tossed else 0

    def moves(self, state: State) -> range:
        """Toss, or see it fall."""
        return range(0 if state.step == self.steps else 3 if state.tossed else 1)

    def play(self, state: State, move: int) -> State:
        """One step up when it has fallen."""
        return self.State(state.step + state.tossed, 1 - state.tossed)

    def reward(self, state: State, move: int) -> int:
        """Much, or more."""
        return state.tossed * (1000 + 7 * move)

    def payoff(self, state: State) -> int:
        """Nothing more."""
        return 0


class Loaded(Game):
    """Players take turns to add 1 or 2; at the end a die that few rules would expect decides."""

    last: int = 6
    dice: int = 1

    class State(NamedTuple):
        """What has been added up, and the face of the die."""

        total: int
        face: int

    def limits(self) -> State:
        """Up to one beyond the last."""
        return self.State(self.last + 1, 4)

    def start(self) -> State:
        """Nothing yet."""
        return self.State(0, 0)

    def to_move(self, state: State) -> int:
        """By turns, and the die at the end."""
        return CHANCE if state.total >= self.last else state.total % 2

    def moves(self, state: State) -> range:
        """What is added, or the face."""
        if state.total < self.last:
            return range(1, 3)
        return range(1, 4) if self.dice and not state.face else range(0)

    def play(self, state: State, move: int) -> State:
        """Add it."""
        if state.total < self.last:
            return self.State(state.total + move, 0)
        return self.State(state.total, move)

    def payoff(self, state: State) -> tuple[int, int]:
        """The face, for whoever is not level with it."""
        won = state.face + state.total % 2
        return (won, -won)


class Weighted(Loaded):
    """The same with a loaded die, of which the rules speak even where there is none."""

    def weight(self, state: Loaded.State, move: int) -> int:
        """Higher faces more often."""
        return move
