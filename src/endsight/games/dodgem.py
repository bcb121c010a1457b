"""Dodgem: get your cars off the board before the other player does."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import endsight.board as kit
from endsight.base.faults import PositionError
from endsight.game import Game
from endsight.games.board import board_text, check_side, draw_board_text, read_board, split_seat, square_name
from endsight.games.pictures.moving import made_moves, moves_between
from endsight.games.squares import columns, rows, two_sides


class Dodgem(Game):
    """Two players drive their cars across the same board, one to the right, one upwards.

    Colin Vout's game (Berlekamp, Conway and Guy, *Winning Ways*, chapter 22). The board
    is a square of `size` x `size`, empty in the bottom left corner. The first player's
    `size` - 1 cars (X) stand on the rest of the left column and drive to the right; the
    second's (O) stand on the rest of the bottom row and drive up. The players alternate.
    A move takes one car one square ahead or to either side, never back, onto an empty
    square; nothing is taken. From the last square ahead, and only there, a car may drive
    ahead off the board, for good.

    Who first has no car left on the board has won. Blocking is not allowed to pay: who
    leaves the other player cars but no move has lost. Play that goes on for ever is a draw.

    A move names the two squares, the column's letter and the row's number from the
    bottom: `a2-b2`; `c2-off` drives off. Moves are listed by the car's square (row by row
    from the bottom): ahead, then to the lower or left side, then to the upper or right.

    A position in one line is the rows from the top, parted by `/`: `x../x../.oo`, with
    `second: ` in front when it is the second player's turn.
    """

    size: int = 3

    class State(NamedTuple):
        """Bit sets of squares; square = row * size + column."""

        first: int
        second: int
        turn: int  # 0 or 1

    def setup(self) -> None:
        check_side(self.name, "size", self.size, least=2, most=7)
        self.squares = self.size * self.size

    def limits(self) -> State:
        return self.State((1 << self.squares) - 1, (1 << self.squares) - 1, 1)

    def start(self) -> State:
        bottom = (1 << self.size) - 2
        return self.State(self.reflected(bottom), bottom, 0)

    def seat(self, state: State) -> int:
        return state.turn

    def moves(self, state: State) -> Iterator[int]:
        """Each as car's square * 3 + (0 ahead, 1 to the lower or left side, 2 to the other)."""
        own = state.second if state.turn else state.first
        other = state.first if state.turn else state.second
        if other != 0:
            for square in range(self.squares):
                if own >> square & 1:
                    for way in range(3):
                        target = self.target(square, way, state.turn)
                        if target == self.squares or (target >= 0 and (own | other) >> target & 1 == 0):
                            yield square * 3 + way

    def target(self, square: int, way: int, turn: int) -> int:
        """The square that lies that way; `squares` for off the board, -1 for none."""
        ahead = square // self.size if turn else square % self.size
        side = square % self.size if turn else square // self.size
        last = self.size - 1
        if way == 0:
            if ahead == last:
                return self.squares
            return square + (self.size if turn else 1)
        if way == 1:
            return -1 if side == 0 else square - (1 if turn else self.size)
        return -1 if side == last else square + (1 if turn else self.size)

    def play(self, state: State, move: int) -> State:
        target = self.target(move // 3, move % 3, state.turn)
        # Bit `squares` is off the board and falls away.
        change = (1 << move // 3 | 1 << target) & ((1 << self.squares) - 1)
        if state.turn:
            return self.State(state.first, state.second ^ change, 0)
        return self.State(state.first ^ change, state.second, 1)

    def payoff(self, state: State) -> int:
        """Without a move: lost if the other player's cars are all off, else blocked, which wins."""
        other = state.first if state.turn else state.second
        return -1 if other == 0 else 1

    def layer(self, state: State) -> int:
        """Cars that are off the board, for good."""
        return 2 * (self.size - 1) - state.first.bit_count() - state.second.bit_count()

    def canonical(self, state: State) -> State:
        """Reflected in the rising diagonal, the second player is the first."""
        if state.turn:
            return self.State(self.reflected(state.second), self.reflected(state.first), 0)
        return state

    def reflected(self, cars: int) -> int:
        """The same cars with rows and columns exchanged."""
        image = 0
        for square in range(self.squares):
            if cars >> square & 1:
                image |= 1 << square % self.size * self.size + square // self.size
        return image

    def show_move(self, state: State, move: int) -> str:
        target = self.target(move // 3, move % 3, state.turn)
        where = "off" if target == self.squares else square_name(target, self.size)
        return f"{square_name(move // 3, self.size)}-{where}"

    def show(self, state: State) -> str:
        board = board_text(state.first, state.second, self.size, self.size)
        return f"second: {board}" if state.turn else board

    def parse(self, text: str) -> State:
        turn, board = split_seat(self.name, text)
        first, second = read_board(self.name, board, self.size, self.size)
        cars = (first.bit_count(), second.bit_count())
        if max(cars) >= self.size or max(cars) == 0:
            raise PositionError(
                f"{self.name}: no such position: {text}",
                found=f"{cars[0]} x and {cars[1]} o",
                allowed=f"up to {self.size - 1} of each, and not both without cars",
            )
        return self.State(first, second, turn)

    def draw(self, state: State) -> str:
        return draw_board_text(board_text(state.first, state.second, self.size, self.size))

    def draw_board(self, state: State) -> kit.Board:
        """Cars on squares; a move goes from square to square, or off the board."""
        size = self.size
        legal = [
            (self.show_move(state, move), self.box(move // 3), self.box_towards(move, state.turn))
            for move in self.moves(state)
        ]
        free = [self.box(square) for square in range(self.squares)]  # cars never go where another one is
        places = [*moves_between(legal, free), *made_moves(self.arrivals(state))]
        inside = two_sides(state.first, state.second, size, size, kit.car)
        lane: list[kit.Piece | None] = [None] * size
        cells = [[*row, None] for row in (lane, *inside)]
        beyond = {(0, column) for column in range(size + 1)} | {(row, size) for row in range(size + 1)}
        names = columns(size), ["", *rows(size)]
        lanes = [*(kit.cell(row + 1, size) for row in range(size)), *(kit.cell(0, column) for column in range(size))]
        off = [kit.Text("off", box.middle[0], box.middle[1] + 9, 26, "soft", 500) for box in lanes]
        board = kit.grid("Board", cells, places, across=names[0], down=names[1], missing=beyond, marked=off)
        return kit.Board("Dodgem", (board,))

    def box(self, square: int) -> kit.Box:
        """The box of a square; above the board and on its right is a lane that leads off."""
        return kit.cell(self.size - square // self.size, square % self.size)

    def box_towards(self, move: int, turn: int) -> kit.Box:
        """The box where a move leads."""
        target, here = self.target(move // 3, move % 3, turn), self.box(move // 3)
        if target < self.squares:
            return self.box(target)
        return here.moved(0, -kit.CELL) if turn else here.moved(kit.CELL, 0)

    def arrivals(self, state: State) -> Iterator[tuple[str, kit.Box]]:
        """The moves with which each car of the player who moved last may have come where it is."""
        turn, own = 1 - state.turn, state.first if state.turn else state.second
        for origin in range(self.squares):
            for way in range(3):
                target = self.target(origin, way, turn)
                if 0 <= target < self.squares and own >> target & 1:
                    yield f"{square_name(origin, self.size)}-{square_name(target, self.size)}", self.box(target)
