"""Chomp: a bar of chocolate with one poisoned square."""

from __future__ import annotations

from collections.abc import Iterator
from string import ascii_lowercase
from typing import NamedTuple

import endsight.board as kit
from endsight.base.faults import ParameterError, PositionError
from endsight.game import Game
from endsight.games.board import WORD, check_side, draw_rows, square_name
from endsight.games.squares import named_grid, square_box


class Chomp(Game):
    """Two players bite into a bar of chocolate; who takes the poisoned square loses.

    The bar has `width` columns and `height` rows; the square in the bottom left corner,
    a1, is poisoned. The players alternate. A move takes one square that is left together
    with all squares that are not below it and not to its left: everything above and to
    the right. Whoever takes a1 loses.

    A move is the name of a square: the column's letter and the row's number from the
    bottom (`b2`). Moves are listed column by column from the left: a1, a2, ..., b1, ...

    A position in one line is how many squares each column still has, from the left,
    joined by `-`: `3-3-1-0`; none has more than the one before it.
    """

    width: int = 4
    height: int = 3

    class State(NamedTuple):
        """What is left of the bar: the columns' squares as digits, the left column the lowest."""

        bar: int

    def setup(self) -> None:
        check_side(self.name, "width", self.width)
        check_side(self.name, "height", self.height, most=WORD)
        self.bits = self.height.bit_length()
        self.digit = (1 << self.bits) - 1
        if self.bits * self.width > WORD:
            raise ParameterError(
                f"{self.name}: the bar is too large",
                found=f"{self.width} columns of {self.bits} bits",
                allowed=f"up to {WORD} bits",
                advice=f"width={WORD // self.bits} or less, or a smaller height",
            )

    def limits(self) -> State:
        return self.start()

    def start(self) -> State:
        return self.State(self.packed([self.height] * self.width))

    def packed(self, columns: list[int]) -> int:
        """The columns' squares, from the left, as one number."""
        return sum(left << self.bits * column for column, left in enumerate(columns))

    def columns(self, state: State) -> list[int]:
        """How many squares each column still has, from the left."""
        return [self.left_in(state.bar, column) for column in range(self.width)]

    def left_in(self, bar: int, column: int) -> int:
        """How many squares that column still has."""
        return bar >> self.bits * column & self.digit

    def moves(self, state: State) -> Iterator[int]:
        for column in range(self.width):
            for row in range(self.left_in(state.bar, column)):
                yield row * self.width + column

    def play(self, state: State, move: int) -> State:
        row = move // self.width
        first = move % self.width
        bar = state.bar & ((1 << self.bits * first) - 1)
        for column in range(first, self.width):
            bar |= min(self.left_in(state.bar, column), row) << self.bits * column
        return self.State(bar)

    def payoff(self, state: State) -> int:
        return 1  # the other player has just taken a1

    def layer(self, state: State) -> int:
        """How many squares are eaten, in quarters of a column."""
        eaten = self.width * self.height
        for column in range(self.width):
            eaten -= self.left_in(state.bar, column)
        return 4 * eaten // self.height

    def canonical(self, state: State) -> State:
        if self.width != self.height:
            return state
        # Row by row from the lowest: as many squares as columns reach that high. None is higher than the one before it.
        image = row = 0
        for column in range(self.width - 1, -1, -1):
            left = self.left_in(state.bar, column)
            while row < left:
                image |= (column + 1) << self.bits * row
                row += 1
        return self.State(min(image, state.bar))

    def show_move(self, state: State, move: int) -> str:
        return square_name(move, self.width)

    def show(self, state: State) -> str:
        return "-".join(map(str, self.columns(state)))

    def parse(self, text: str) -> State:
        form = f"{self.width} numbers joined by -, each from 0 to {self.height}, none more than the one before it"
        parts = [part.strip() for part in text.split("-")]
        if len(parts) != self.width or not all(part.isascii() and part.isdecimal() for part in parts):
            raise PositionError(f"{self.name}: cannot read the position {text!r}", found=repr(text), allowed=form)
        columns = [int(part) for part in parts]
        if columns[0] > self.height or columns != sorted(columns, reverse=True):
            raise PositionError(f"{self.name}: no such position: {text}", found=str(columns), allowed=form)
        return self.State(self.packed(columns))

    def draw(self, state: State) -> str:
        columns = self.columns(state)
        rows = ["".join("#" if left > row else "." for left in columns) for row in reversed(range(self.height))]
        if columns[0] > 0:
            rows[-1] = "P" + rows[-1][1:]
        return draw_rows(rows, ascii_lowercase[: self.width])

    def draw_board(self, state: State) -> kit.Board:
        """The bar; a square is the bite there."""
        left = self.columns(state)
        cells = [
            [
                kit.chocolate(is_poisoned=row == column == 0) if left[column] > row else None
                for column in range(self.width)
            ]
            for row in reversed(range(self.height))
        ]
        places = [
            kit.Place(square_name(move, self.width), square_box(move, self.width, self.height).inside(6), pill=True)
            for move in self.moves(state)
        ]
        return kit.Board("Chomp", (named_grid("Bar of chocolate", cells, places),))
