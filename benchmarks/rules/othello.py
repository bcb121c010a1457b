"""Othello (Reversi) on a small square board.

Source: the rules of the World Othello Federation, on `size` x `size` squares; who cannot turn any stones over must
pass. J. Feinstein found by search in 1993 that the second player wins 6x6 by 20 to 16 (newsletter of the British
Othello Federation).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from endsight.game import Game

PASS = -1


class Othello(Game):
    """Two players; the payoff is the lead in stones of whoever would move, with `lead` 0 only its sign."""

    size: int = 6
    lead: int = 1

    class State(NamedTuple):
        """Stones of the player to move, and of the other one; bit = row * (size + 1) + column: one stays free."""

        mine: int
        theirs: int

    def setup(self) -> None:
        self.wide = self.size + 1
        self.squares = self.wide * self.size
        self.board = sum(((1 << self.size) - 1) << row * self.wide for row in range(self.size))
        self.steps = (1, self.wide - 1, self.wide, self.wide + 1, -1, 1 - self.wide, -self.wide, -self.wide - 1)

    def limits(self) -> State:
        return self.State(self.board, self.board)

    def start(self) -> State:
        low = self.size // 2 - 1
        corner = 1 << low * self.wide + low
        return self.State((corner << 1) | (corner << self.wide), corner | (corner << self.wide + 1))

    def shifted(self, stones: int, step: int) -> int:
        """The stones one square on in a direction; what leaves the board is gone."""
        return (stones << step if step > 0 else stones >> -step) & self.board

    def targets(self, mine: int, theirs: int) -> int:
        """The empty squares at which a stone turns others over."""
        found = 0
        for step in self.steps:
            line = self.shifted(mine, step) & theirs
            for _ in range(self.size - 3):
                line |= self.shifted(line, step) & theirs
            found |= self.shifted(line, step)
        return found & ~(mine | theirs)

    def turned(self, mine: int, theirs: int, stone: int) -> int:
        """The stones that a new stone turns over."""
        found = 0
        for step in self.steps:
            line = 0
            place = self.shifted(stone, step)
            while place & theirs:
                line |= place
                place = self.shifted(place, step)
            if place & mine:
                found |= line
        return found

    def moves(self, state: State) -> Iterator[int]:
        targets = self.targets(state.mine, state.theirs)
        for square in range(self.squares):
            if (targets >> square) & 1:
                yield square
        if targets == 0 and self.targets(state.theirs, state.mine) != 0:
            yield PASS

    def play(self, state: State, move: int) -> State:
        if move == PASS:
            return self.State(state.theirs, state.mine)
        stone = 1 << move
        turned = self.turned(state.mine, state.theirs, stone)
        return self.State(state.theirs ^ turned, state.mine | turned | stone)

    def payoff(self, state: State) -> int:
        lead = state.mine.bit_count() - state.theirs.bit_count()
        if self.lead:
            return lead
        return 1 if lead > 0 else -1 if lead < 0 else 0
