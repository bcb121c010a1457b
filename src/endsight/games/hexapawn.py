"""Hexapawn on boards of any size."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import endsight.board as kit
from endsight.base.faults import PositionError
from endsight.game import Game
from endsight.games.board import (
    board_text,
    check_side,
    check_squares,
    draw_board_text,
    read_board,
    split_seat,
    square_name,
)
from endsight.games.pictures.moving import made_moves, moves_between
from endsight.games.squares import named_grid, square_box, two_sides


class Hexapawn(Game):
    """Pawns only: get one across, or leave the other player without a move.

    Martin Gardner's game (Scientific American, March 1962). The first player's pawns (X)
    fill the bottom row and move up, the second's (O) fill the top row and move down. The
    players alternate. A pawn goes one square straight ahead if that is empty, or takes an
    opposing pawn one square diagonally ahead. Who brings a pawn to the far row has won,
    and so has who leaves the other player no move: all of that player's pawns are
    blocked or taken. There are no draws.

    A move names the two squares, the column's letter and the row's number from the
    bottom: `a1-a2`, and `a1-b2` for taking. Moves are listed by the pawn's square (row by
    row from the bottom), then by where it goes, from left to right.

    A position in one line is the rows from the top, parted by `/`: `o.o/xo./.xx`, with
    `second: ` in front when it is the second player's turn.
    """

    width: int = 3
    height: int = 3

    class State(NamedTuple):
        """Bit sets of squares; square = row * width + column."""

        first: int
        second: int
        turn: int  # 0 or 1

    def setup(self) -> None:
        check_side(self.name, "width", self.width)
        check_side(self.name, "height", self.height, least=2, most=63)
        self.squares = self.width * self.height
        check_squares(self.name, self.squares)
        self.row = (1 << self.width) - 1
        self.top = self.row << self.squares - self.width

    def limits(self) -> State:
        return self.State((1 << self.squares) - 1, (1 << self.squares) - 1, 1)

    def start(self) -> State:
        return self.State(self.row, self.top, 0)

    def seat(self, state: State) -> int:
        return state.turn

    def moves(self, state: State) -> Iterator[int]:
        """Each as pawn's square * 3 + (0 to the left, 1 straight ahead, 2 to the right)."""
        own = state.second if state.turn else state.first
        if not self.is_across(state):
            for square in range(self.squares):
                if own >> square & 1:
                    for way in range(3):
                        if self.may_go(state, square, way):
                            yield square * 3 + way

    def is_across(self, state: State) -> bool:
        """Whether the player who moved last has a pawn on the far row."""
        return (state.first & self.top if state.turn else state.second & self.row) != 0

    def may_go(self, state: State, square: int, way: int) -> bool:
        """Whether the pawn on `square` can go that way."""
        target = self.target(state, square, way)
        if way == 1:
            return (state.first | state.second) >> target & 1 == 0
        column = square % self.width + way - 1
        other = state.first if state.turn else state.second
        return 0 <= column < self.width and other >> target & 1 == 1

    def target(self, state: State, square: int, way: int) -> int:
        """The square that lies that way."""
        ahead = -self.width if state.turn else self.width
        return square + ahead + way - 1

    def play(self, state: State, move: int) -> State:
        source = 1 << move // 3
        target = 1 << self.target(state, move // 3, move % 3)
        if state.turn:
            return self.State(state.first & ~target, state.second ^ source | target, 0)
        return self.State(state.first ^ source | target, state.second & ~target, 1)

    def payoff(self, state: State) -> int:
        return -1  # a pawn got across, or there is no move

    def canonical(self, state: State) -> State:
        first = state.first
        second = state.second
        if state.turn:  # upside down, the second player is the first
            first = self.flipped(state.second)
            second = self.flipped(state.first)
        other_first = self.mirrored(first)
        other_second = self.mirrored(second)
        if other_first < first or (other_first == first and other_second < second):
            return self.State(other_first, other_second, 0)
        return self.State(first, second, 0)

    def flipped(self, pawns: int) -> int:
        """The same pawns with top and bottom exchanged."""
        image = 0
        for row in range(self.height):
            image = image << self.width | (pawns >> row * self.width & self.row)
        return image

    def mirrored(self, pawns: int) -> int:
        """The same pawns with left and right exchanged."""
        image = 0
        for square in range(self.squares):
            if pawns >> square & 1:
                image |= 1 << square - square % self.width + self.width - 1 - square % self.width
        return image

    def show_move(self, state: State, move: int) -> str:
        target = self.target(state, move // 3, move % 3)
        return f"{square_name(move // 3, self.width)}-{square_name(target, self.width)}"

    def show(self, state: State) -> str:
        board = board_text(state.first, state.second, self.width, self.height)
        return f"second: {board}" if state.turn else board

    def parse(self, text: str) -> State:
        turn, board = split_seat(self.name, text)
        state = self.State(*read_board(self.name, board, self.width, self.height), turn)
        if self.is_across(state._replace(turn=1 - turn)):
            raise PositionError(
                f"{self.name}: no such position: {text}",
                found="a pawn of the player to move on the far row: the game was over before",
                allowed="a pawn on the far row only of the player who moved last",
            )
        return state

    def draw(self, state: State) -> str:
        return draw_board_text(board_text(state.first, state.second, self.width, self.height))

    def draw_board(self, state: State) -> kit.Board:
        """Pawns on squares; a move goes from square to square."""
        sides = self.width, self.height
        boxes = [square_box(square, *sides) for square in range(self.squares)]
        legal = [
            (self.show_move(state, move), boxes[move // 3], boxes[self.target(state, move // 3, move % 3)])
            for move in self.moves(state)
        ]
        free = [box for square, box in enumerate(boxes) if not (state.first | state.second) >> square & 1]
        places = [*moves_between(legal, free), *made_moves(self.arrivals(state, boxes))]
        cells = two_sides(state.first, state.second, *sides, kit.pawn)
        return kit.Board("Hexapawn", (named_grid("Board", cells, places, is_checked=True),))

    def arrivals(self, state: State, boxes: list[kit.Box]) -> Iterator[tuple[str, kit.Box]]:
        """The moves with which each pawn of the player who moved last may have come where it is."""
        own, behind = (state.first, -self.width) if state.turn else (state.second, self.width)
        for square in range(self.squares):
            for side in (-1, 0, 1):
                origin = square + behind + side
                if own >> square & 1 and 0 <= origin < self.squares and 0 <= square % self.width + side < self.width:
                    yield f"{square_name(origin, self.width)}-{square_name(square, self.width)}", boxes[square]
