"""The Showcase Showdown: three spin a wheel once or twice; the most wins, more than the whole wheel is nothing.

Source: P. Coe, W. Butterworth, "Optimal stopping in The Showcase Showdown", The American Statistician 49 (1995).
With the wheel of 20 the players win with chances 0.3082, 0.3296 and 0.3622.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from endsight.game import CHANCE, Game


class Showdown(Game):
    """Three players; those who tie share the win."""

    players = 3
    wheel: int = 20

    class State(NamedTuple):
        """What each has, whose turn it is (3: nobody's), and the phase: 0 first spin, 1 choice, 2 second spin."""

        first: int
        second: int
        third: int
        turn: int
        phase: int

    def limits(self) -> State:
        return self.State(self.wheel, self.wheel, self.wheel, 3, 2)

    def start(self) -> State:
        return self.State(0, 0, 0, 0, 0)

    def to_move(self, state: State) -> int:
        return state.turn if state.phase == 1 else CHANCE

    def moves(self, state: State) -> Iterator[int]:
        if state.turn < 3:
            yield from range(2) if state.phase == 1 else range(1, self.wheel + 1)

    def play(self, state: State, move: int) -> State:
        if state.phase == 1:
            if move:
                return state._replace(phase=2)
            return state._replace(turn=state.turn + 1, phase=0)
        turn = state.turn + 1 if state.phase == 2 else state.turn
        phase = 0 if state.phase == 2 else 1
        has = state.first if state.turn == 0 else state.second if state.turn == 1 else state.third
        total = has + move if has + move <= self.wheel else 0
        if state.turn == 0:
            return self.State(total, state.second, state.third, turn, phase)
        if state.turn == 1:
            return self.State(state.first, total, state.third, turn, phase)
        return self.State(state.first, state.second, total, turn, phase)

    def payoff(self, state: State) -> tuple[Fraction, ...]:
        shown = (state.first, state.second, state.third)
        best = max(shown)
        return tuple(Fraction(int(each == best), shown.count(best)) for each in shown)
