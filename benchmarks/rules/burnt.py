"""Burnt pancakes: turn over the upper part of a stack, each pancake with it, until all are in order, burnt side down.

Source: D. S. Cohen, M. Blum, "On the problem of sorting burnt pancakes", Discrete Applied Mathematics 61 (1995). All
2 ** count * count! stacks can be reached: 185,794,560 for 9.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from endsight.game import Game


class Burnt(Game):
    """One player; the ordered stack is worth 1 and ends the game."""

    players = 1
    count: int = 9

    class State(NamedTuple):
        """From the top down: twice the size, and 1 more where the burnt side is up."""

        stack: tuple[int, ...]

    def setup(self) -> None:
        self.goal = tuple(2 * size for size in range(self.count))

    def limits(self) -> State:
        return self.State((2 * self.count - 1,) * self.count)

    def start(self) -> State:
        return self.State(tuple(2 * size + 1 for size in range(self.count)))

    def moves(self, state: State) -> Iterator[int]:
        if state.stack != self.goal:
            yield from range(1, self.count + 1)

    def play(self, state: State, move: int) -> State:
        stack = list(state.stack)
        for place in range(move):
            stack[place] = state.stack[move - 1 - place] ^ 1
        return self.State(tuple(stack))

    def payoff(self, state: State) -> int:
        return 1
