"""Kayles: bowl over one pin of a row, or two that stand side by side.

Source: H. E. Dudeney, "The Canterbury Puzzles" (1907). Pins fall one by one if players like, so that every set of them
can be left standing: 2 ** pins positions.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from endsight.game import Game


class Kayles(Game):
    """Two players; whoever bowls over the last pin wins."""

    pins: int = 28

    class State(NamedTuple):
        """The pins that stand, as a bit set."""

        standing: int

    def limits(self) -> State:
        return self.State(2**self.pins - 1)

    def start(self) -> State:
        return self.State(2**self.pins - 1)

    def moves(self, state: State) -> Iterator[int]:
        """What falls, as a bit set."""
        for pin in range(self.pins):
            if (state.standing >> pin) & 1:
                yield 1 << pin
                if (state.standing >> pin) & 2:
                    yield 3 << pin

    def play(self, state: State, move: int) -> State:
        return self.State(state.standing ^ move)

    def payoff(self, state: State) -> int:
        return -1
