"""Phantom tic-tac-toe: the other player's stones are not seen."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import endsight.board as kit
from endsight.games.board import board_text, draw_board_text, square_name
from endsight.games.squares import lines_through, named_grid, square_box
from endsight.games.stones import Stones


class PhantomTicTacToe(Stones):
    """Tic-tac-toe in which nobody sees the other's stones, until bumping into them.

    The players alternate, first X, then O. A move names a square. If it is empty, the
    player's stone is put there, and the turn is over; if the other has a stone there, the
    player is told so, knows it from then on, and tries again. The other player notices
    nothing of all that. Who first has `line` or more own stones next to each other in a
    row, a column or a diagonal has won; a full board without such a line is a draw.

    A move is the column's letter and the row's number, row 1 at the bottom (`a1`).

    A position in one line has bit sets of squares, a1 the lowest bit, then b1: both
    players' stones, and those that each has bumped into: `first=17 second=2
    first_knows=2 second_knows=0`.
    """

    class State(NamedTuple):
        """Bit sets of squares; square = row * width + column."""

        first: int
        second: int
        first_knows: int  # stones of the second player that the first has bumped into
        second_knows: int

    def setup(self) -> None:
        super().setup()
        self.full = (1 << self.squares) - 1

    def limits(self) -> State:
        return self.State(self.full, self.full, self.full, self.full)

    def start(self) -> State:
        return self.State(0, 0, 0, 0)

    def to_move(self, state: State) -> int:
        return (state.first | state.second).bit_count() % 2

    def moves(self, state: State) -> Iterator[int]:
        if state.first | state.second != self.full and not self.has_line(state.first) | self.has_line(state.second):
            known = state.second | state.second_knows if self.to_move(state) else state.first | state.first_knows
            for square in range(self.squares):
                if known >> square & 1 == 0:
                    yield square

    def play(self, state: State, move: int) -> State:
        stone = 1 << move
        if self.to_move(state) == 0:
            if state.second & stone:
                return state._replace(first_knows=state.first_knows | stone)
            return state._replace(first=state.first | stone)
        if state.first & stone:
            return state._replace(second_knows=state.second_knows | stone)
        return state._replace(second=state.second | stone)

    def payoff(self, state: State) -> tuple[int, int]:
        if self.has_line(state.first):
            return (1, -1)
        return (-1, 1) if self.has_line(state.second) else (0, 0)

    def sees(self, state: State, player: int) -> tuple[int, int]:
        """The own stones, and those of the other player that are known."""
        return (state.second, state.second_knows) if player else (state.first, state.first_knows)

    def show_seen(self, seen: tuple[int, int], player: int) -> str:
        """The board as the player knows it, in one line, the top row first."""
        own, known = seen
        return board_text(known, own, *self.sides) if player else board_text(own, known, *self.sides)

    def draw(self, state: State) -> str:
        """The board; beside it what each player knows of it."""
        boards = (
            board_text(state.first, state.second, *self.sides),
            board_text(state.first, state.first_knows, *self.sides),
            board_text(state.second_knows, state.second, *self.sides),
        )
        blocks = [draw_board_text(board).splitlines() for board in boards]
        heads = ("the board", "first knows", "second knows")
        wide = max(len(heads[0]), len(heads[1]), len(blocks[0][0])) + 4
        rows = zip(*([head, *block] for head, block in zip(heads, blocks, strict=True)), strict=True)
        return "\n".join("".join(f"{each:<{wide}}" for each in row).rstrip() for row in rows)

    def draw_board(self, state: State) -> kit.Board:
        """The board, and below it what each player knows of it."""
        first, second = state.first, state.second
        boxes = [square_box(square, *self.sides).inside(3) for square in range(self.squares)]
        legal = [kit.Place(self.show_move(state, move), boxes[move], pill=True) for move in self.moves(state)]
        taken = [square for square in range(self.squares) if (first | second) >> square & 1]
        made = [kit.Place(square_name(square, self.width), boxes[square], made=True) for square in taken]
        lines = lines_through(self.lines, (first, second), lambda square: square_box(square, *self.sides))
        board = named_grid("Board", self.cells(first, second), [*legal, *made], lines)
        known = [
            ("what first knows", self.cells(first, state.first_knows)),
            ("what second knows", self.cells(state.second_knows, second)),
        ]
        slots = [kit.Slot(kit.captioned(kit.as_piece(kit.grid(label, own)), label, 13), 160) for label, own in known]
        return kit.Board("Phantom tic-tac-toe", (board, kit.Row(tuple(slots), middle=True)))

    def draw_seen(self, seen: tuple[int, int], player: int) -> kit.Board:
        """The own stones, and those of the other player that are known."""
        first, second = seen[::-1] if player else seen
        boxes = [square_box(square, *self.sides).inside(3) for square in range(self.squares)]
        places = [kit.Place(square_name(square, self.width), box, pill=True) for square, box in enumerate(boxes)]
        free = [place for square, place in enumerate(places) if not (first | second) >> square & 1]
        known = named_grid("What you know", self.cells(first, second), free)
        return kit.Board("Phantom tic-tac-toe", (known,))
