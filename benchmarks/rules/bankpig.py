"""Pig as OpenSpiel has it: a player may hold at any time, also with nothing to bank.

Source: OpenSpiel's `pig`. With target 5 the first player's value is 161/271, with 10 4591/10961.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from endsight.game import CHANCE, Game


class BankPig(Game):
    """Two players race to `target`; a 1 loses the turn and what was not banked."""

    target: int = 5

    class State(NamedTuple):
        """What each has banked, who plays, what the turn has brought, and whether the die is being cast."""

        first: int
        second: int
        turn: int
        gathered: int
        casting: int

    def limits(self) -> State:
        return self.State(self.target, self.target, 1, self.target, 1)

    def start(self) -> State:
        return self.State(0, 0, 0, 0, 0)

    def to_move(self, state: State) -> int:
        return CHANCE if state.casting else state.turn

    def moves(self, state: State) -> Iterator[int]:
        if state.first < self.target and state.second < self.target:
            yield from range(1, 7) if state.casting else range(2)

    def play(self, state: State, move: int) -> State:
        if state.casting and move == 1:
            return self.State(state.first, state.second, 1 - state.turn, 0, 0)
        if state.casting:
            banked = state.second if state.turn else state.first
            return state._replace(gathered=min(state.gathered + move, self.target - banked), casting=0)
        if move == 0:
            return state._replace(casting=1)
        if state.turn:
            return self.State(state.first, state.second + state.gathered, 0, 0, 0)
        return self.State(state.first + state.gathered, state.second, 1, 0, 0)

    def payoff(self, state: State) -> tuple[int, int]:
        return (1, -1) if state.first >= self.target else (-1, 1)
