"""Tic-tac-toe and its larger relatives (m,n,k games)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import NamedTuple

import endsight.board as kit
from endsight.base.faults import PositionError
from endsight.games.board import board_text, draw_board_text, read_board
from endsight.games.squares import lines_through, named_grid, placed_once, square_box
from endsight.games.stones import Stones


class TicTacToe(Stones):
    """Two players put stones on a board; the first to get `line` in a row wins.

    The first player has X, the second O. They alternate, each putting one stone on an
    empty square. Who first has `line` or more own stones next to each other in a row,
    a column or a diagonal has won; a full board without such a line is a draw. On a
    board too small for any line every game is a draw.

    A move is the name of a square: the column's letter and the row's number, row 1 at
    the bottom (`a1`). Moves are listed row by row from the bottom: a1, b1, c1, a2, ...

    A position in one line is the rows from the top, parted by `/`: `x.o/.x./...`.
    The stones tell whose turn it is: the first player's when there are as many X as O.
    """

    class State(NamedTuple):
        """Bit sets of squares; square = row * width + column."""

        mine: int  # stones of the player to move
        theirs: int  # stones of the player who moved last

    def setup(self) -> None:
        super().setup()
        self.symmetries = self._all_symmetries()

    def _all_symmetries(self) -> tuple[tuple[int, ...], ...]:
        """For each reflection and rotation of the board, where every square goes, as one bit."""
        rows = [[1 << row * self.width + column for column in range(self.width)] for row in range(self.height)]
        boards = [rows, rows[::-1]]
        boards += [[row[::-1] for row in board] for board in boards]
        boards += [list(map(list, zip(*board, strict=True))) for board in boards if self.width == self.height]
        return tuple(tuple(chain.from_iterable(board)) for board in boards[1:])  # without the identity

    def limits(self) -> State:
        return self.State((1 << self.squares) - 1, (1 << self.squares) - 1)

    def start(self) -> State:
        return self.State(0, 0)

    def seat(self, state: State) -> int:
        return (state.mine | state.theirs).bit_count() % 2

    def moves(self, state: State) -> Iterator[int]:
        if not self.has_line(state.theirs):
            for square in range(self.squares):
                if (state.mine | state.theirs) >> square & 1 == 0:
                    yield square

    def play(self, state: State, move: int) -> State:
        return self.State(state.theirs, state.mine | 1 << move)

    def payoff(self, state: State) -> int:
        return -1 if self.has_line(state.theirs) else 0

    def canonical(self, state: State) -> State:
        mine = state.mine
        theirs = state.theirs
        for image in self.symmetries:
            other_mine = 0
            other_theirs = 0
            for square in range(self.squares):
                if state.mine >> square & 1:
                    other_mine |= image[square]
                elif state.theirs >> square & 1:
                    other_theirs |= image[square]
            if other_mine < mine or (other_mine == mine and other_theirs < theirs):
                mine = other_mine
                theirs = other_theirs
        return self.State(mine, theirs)

    def show(self, state: State) -> str:
        return board_text(*self.by_seat(state), *self.sides)

    def parse(self, text: str) -> State:
        first, second = read_board(self.name, text, self.width, self.height)
        surplus = first.bit_count() - second.bit_count()
        if surplus not in (0, 1):
            raise PositionError(
                f"{self.name}: no such position: {text}",
                found=f"{first.bit_count()} x and {second.bit_count()} o",
                allowed="as many x as o, or one more",
            )
        state = self.State(second, first) if surplus else self.State(first, second)
        if self.has_line(state.mine):
            raise PositionError(
                f"{self.name}: no such position: {text}",
                found=f"a line of {'o' if surplus else 'x'}, and then another stone",
                allowed="a line only of the player who moved last",
            )
        return state

    def draw(self, state: State) -> str:
        return draw_board_text(self.show(state))

    def draw_board(self, state: State) -> kit.Board:
        """X and O on squares; an empty square is the move there."""
        first, second = self.by_seat(state)
        places = placed_once(first | second, self.moves(state), *self.sides)
        lines = lines_through(self.lines, (first, second), lambda square: square_box(square, *self.sides))
        return kit.Board("Tic-tac-toe", (named_grid("Board", self.cells(first, second), places, lines),))

    def by_seat(self, state: State) -> tuple[int, int]:
        """The stones of the first and of the second player."""
        return (state.theirs, state.mine) if self.seat(state) else (state.mine, state.theirs)
