"""A forest to wait for or to cut, with a discount of 9/10 a year: the example `forest` of pymdptoolbox.

Source: I. Chadès and others, MDPtoolbox (2014), `example.forest` with 3 ages, rewards 4 and 2, and 1 chance of 10 of
a fire. Waiting is best at every age: 6561/250, 7371/250 and 8371/250.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from endsight.game import CHANCE, Game


class Forest(Game):
    """Every year the forest is cut, or grows a year older unless it burns down; old wood brings more."""

    players = 1
    age: int = 0
    discount = Fraction(9, 10)

    class State(NamedTuple):
        """How old the forest is, and whether fire is about to be drawn."""

        age: int
        waits: bool

    def limits(self) -> State:
        return self.State(2, True)

    def start(self) -> State:
        return self.State(self.age, False)

    def to_move(self, state: State) -> int:
        return CHANCE if state.waits else 0

    def moves(self, state: State) -> Iterator[str]:
        if state.waits:
            yield from ("burns", "grows")
        else:
            yield from ("wait", "cut")

    def weight(self, state: State, move: str) -> int:
        return 1 if move == "burns" else 9

    def play(self, state: State, move: str) -> State:
        if move == "wait":
            return self.State(state.age, True)
        return self.State(min(2, state.age + 1) if move == "grows" else 0, False)

    def reward(self, state: State, move: str) -> int:
        if move == "wait":
            return 4 if state.age == 2 else 0
        return state.age if move == "cut" else 0

    def payoff(self, state: State) -> int:
        return 0
