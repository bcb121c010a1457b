"""Domineering, as a user would write it: one player lays dominoes upright, the other one flat."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from endsight.game import Game


class Domineering(Game):
    """Whoever cannot move loses; with `cram` both players lay dominoes as they like."""

    rows: int = 5
    columns: int = 5
    cram: int = 0

    class State(NamedTuple):
        """Covered squares, bit = row * (columns + 1) + column: one stays free; 1 where a domino comes upright now."""

        covered: int
        is_upright: int

    def setup(self) -> None:
        self.wide = self.columns + 1
        self.squares = self.wide * self.rows
        self.board = sum(((1 << self.columns) - 1) << row * self.wide for row in range(self.rows))

    def limits(self) -> State:
        return self.State(self.board, 1)

    def start(self) -> State:
        return self.State(0, 1)

    def moves(self, state: State) -> Iterator[int]:
        free = self.board & ~state.covered
        for step in (1, self.wide):
            if self.cram or (step == 1) != (state.is_upright == 1):
                pairs = free & free >> step
                for square in range(self.squares):
                    if pairs >> square & 1:
                        yield 1 << square | 1 << square + step

    def play(self, state: State, move: int) -> State:
        return self.State(state.covered | move, state.is_upright if self.cram else 1 - state.is_upright)

    def payoff(self, state: State) -> int:
        return -1
