"""Lights Out: a press changes a lamp and its neighbours; all lamps start lit.

Source: M. Anderson, T. Feil, "Turning lights out with linear algebra", Mathematics Magazine 71 (1998): 2 ** (size *
size - d) positions, where d presses do nothing: d is 4 on 4x4, 2 on 5x5, 0 on 3x3 and 6x6.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from endsight.game import Game


class Lights(Game):
    """One player; all lamps out is worth 1 and ends the game."""

    players = 1
    size: int = 3

    class State(NamedTuple):
        """The lamps that are lit, as a bit set of cells, row by row."""

        lit: int

    def setup(self) -> None:
        cells = [(row, column) for row in range(self.size) for column in range(self.size)]
        self.presses = tuple(
            sum(1 << number for number, (row, column) in enumerate(cells) if abs(row - y) + abs(column - x) <= 1)
            for y, x in cells
        )

    def limits(self) -> State:
        return self.State((1 << self.size * self.size) - 1)

    def start(self) -> State:
        return self.State((1 << self.size * self.size) - 1)

    def moves(self, state: State) -> Iterator[int]:
        if state.lit:
            yield from range(self.size * self.size)

    def play(self, state: State, move: int) -> State:
        return self.State(state.lit ^ self.presses[move])

    def payoff(self, state: State) -> int:
        return 1
