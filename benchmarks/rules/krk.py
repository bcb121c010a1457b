"""Chess: king and rook against king.

Source: the laws of chess without castling and without rules about repeated moves. 402,676 positions can be reached
from the start here, in which White wins in 31 plies; T. Ströhlein (1970) found that 16 moves are always enough.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from endsight.game import Game


class Krk(Game):
    """White wins by mate; stalemate and the loss of the rook are draws."""

    players = 2
    size: int = 8

    class State(NamedTuple):
        """Squares of the white king, the rook (`size * size` once it is lost) and the black king, and who moves."""

        king: int
        rook: int
        rival: int
        turn: int

    def setup(self) -> None:
        size = self.size
        self.lost = size * size
        squares = [(square // size, square % size) for square in range(self.lost)]
        self.steps = tuple(
            tuple(other for other, (y, x) in enumerate(squares) if max(abs(y - row), abs(x - column)) == 1)
            for row, column in squares
        )
        self.rays = tuple(
            tuple(
                tuple((row + dy * step) * size + column + dx * step for step in range(1, size))[
                    : (size - 1 - row if dy > 0 else row if dy < 0 else size - 1 - column if dx > 0 else column)
                ]
                for dy, dx in ((0, 1), (1, 0), (0, -1), (-1, 0))
            )
            for row, column in squares
        )

    def limits(self) -> State:
        return self.State(self.lost - 1, self.lost, self.lost - 1, 1)

    def start(self) -> State:
        """White in the corner, the black king in the open."""
        return self.State(0, self.size + 1, 3 * self.size + 3, 0)

    def to_move(self, state: State) -> int:
        return state.turn

    def is_near(self, one: int, other: int) -> bool:
        """Whether two squares touch or are the same."""
        size = self.size
        return abs(one // size - other // size) <= 1 and abs(one % size - other % size) <= 1

    def is_attacked(self, state: State, square: int) -> bool:
        """Whether White attacks a square, the black king taken off the board."""
        if self.is_near(square, state.king):
            return True
        if state.rook == self.lost:
            return False
        for ray in self.rays[state.rook]:
            for target in ray:
                if target == square:
                    return True
                if target == state.king:
                    break
        return False

    def moves(self, state: State) -> Iterator[int]:
        if state.rook == self.lost:
            return
        if state.turn:
            for target in self.steps[state.rival]:
                if target == state.rook:
                    if not self.is_near(target, state.king):
                        yield target
                elif not self.is_attacked(state, target):
                    yield target
            return
        for target in self.steps[state.king]:
            if target != state.rook and not self.is_near(target, state.rival):
                yield target
        for ray in self.rays[state.rook]:
            for target in ray:
                if target == state.king or target == state.rival:
                    break
                yield self.lost + target

    def play(self, state: State, move: int) -> State:
        if state.turn:
            return self.State(state.king, self.lost if move == state.rook else state.rook, move, 0)
        if move >= self.lost:
            return self.State(state.king, move - self.lost, state.rival, 1)
        return self.State(move, state.rook, state.rival, 1)

    def payoff(self, state: State) -> tuple[int, int]:
        is_mate = state.turn == 1 and state.rook != self.lost and self.is_attacked(state, state.rival)
        return (1, -1) if is_mate else (0, 0)
