"""Pancakes: turn over the upper part of a stack until the sizes are in order.

Source: J. E. Goodman (as H. Dweighter), problem E2569, American Mathematical Monthly 82 (1975). All count!
stacks can be reached: 3,628,800 for 10.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from endsight.game import Game


class Pancakes(Game):
    """One player; the ordered stack is worth 1 and ends the game. At most 15 pancakes."""

    players = 1
    count: int = 10

    class State(NamedTuple):
        """Sizes from the top down, four bits each."""

        stack: int

    def setup(self) -> None:
        self.goal = sum(place << 4 * place for place in range(self.count))

    def limits(self) -> State:
        return self.State((1 << 4 * self.count) - 1)

    def start(self) -> State:
        """Even sizes first, then odd ones."""
        sizes = [*range(0, self.count, 2), *range(1, self.count, 2)]
        return self.State(sum(size << 4 * place for place, size in enumerate(sizes)))

    def moves(self, state: State) -> Iterator[int]:
        if state.stack != self.goal:
            yield from range(2, self.count + 1)

    def play(self, state: State, move: int) -> State:
        turned = (state.stack >> 4 * move) << 4 * move
        for place in range(move):
            turned |= ((state.stack >> 4 * place) & 15) << 4 * (move - 1 - place)
        return self.State(turned)

    def payoff(self, state: State) -> int:
        return 1
