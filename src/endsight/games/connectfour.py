"""Connect Four on boards of any size."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import endsight.board as kit
from endsight.base.faults import PositionError
from endsight.game import Game
from endsight.games.board import board_text, check_side, check_squares, draw_rows, read_board, winning_lines
from endsight.games.squares import lines_through, two_sides


class ConnectFour(Game):
    """Two players drop stones into columns; the first to get `line` in a row wins.

    The first player has X, the second O. They alternate, each dropping one stone into a
    column that is not full; it falls to the lowest empty square. Who first has `line` or
    more own stones next to each other in a row, a column or a diagonal has won; a full
    board without such a line is a draw.

    A move is the number of a column, from 1 on the left.

    A position in one line is the rows from the top, parted by `/`, for a board of four
    columns and three rows `..../.o../xxo.`. The stones tell whose turn it is: the first
    player's when there are as many X as O.
    """

    width: int = 7
    height: int = 6
    line: int = 4

    class State(NamedTuple):
        """Bit sets; bit = column * (height + 1) + row, so that one bit above each column stays 0."""

        mine: int  # stones of the player to move
        full: int  # stones of both players

    def setup(self) -> None:
        for key, value in (("width", self.width), ("height", self.height), ("line", self.line)):
            check_side(self.name, key, value, most=62)
        self.tall = self.height + 1
        check_squares(self.name, self.tall * self.width, what=f"bits ({self.width} columns of {self.height} + 1)")
        self.column = (1 << self.height) - 1
        self.shifts = tuple(self._shifts(step) for step in (1, self.tall - 1, self.tall, self.tall + 1))

    def _shifts(self, step: int) -> tuple[int, ...]:
        """Shifts that leave a bit only at the lower end of `line` stones that lie `step` bits apart.

        Each step at most doubles the length of the runs found so far.
        """
        shifts = []
        length = 1
        while length < self.line:
            longer = min(length, self.line - length)
            shifts.append(longer * step)
            length += longer
        return tuple(shifts)

    def limits(self) -> State:
        most = sum(self.column << column * self.tall for column in range(self.width))
        return self.State(most, most)

    def start(self) -> State:
        return self.State(0, 0)

    def seat(self, state: State) -> int:
        return state.full.bit_count() % 2

    def moves(self, state: State) -> Iterator[int]:
        if not self.has_line(state.full ^ state.mine):
            for column in range(self.width):
                if state.full >> (column * self.tall + self.height - 1) & 1 == 0:
                    yield column

    def play(self, state: State, move: int) -> State:
        # Adding the lowest bit of a column carries to its lowest empty square.
        return self.State(state.full ^ state.mine, state.full | (state.full + (1 << move * self.tall)))

    def payoff(self, state: State) -> int:
        return -1 if self.has_line(state.full ^ state.mine) else 0

    def has_line(self, stones: int) -> bool:
        """Whether `stones` hold `line` in a row in any direction."""
        for shifts in self.shifts:
            runs = stones
            for shift in shifts:
                runs &= runs >> shift
            if runs != 0:
                return True
        return False

    def canonical(self, state: State) -> State:
        mine = self.mirrored(state.mine)
        full = self.mirrored(state.full)
        if full < state.full or (full == state.full and mine < state.mine):
            return self.State(mine, full)
        return state

    def mirrored(self, stones: int) -> int:
        """The same stones with left and right exchanged."""
        image = 0
        for column in range(self.width):
            image = image << self.tall | (stones >> column * self.tall & self.column)
        return image

    def show_move(self, state: State, move: int) -> str:
        return str(move + 1)

    def show(self, state: State) -> str:
        first, second = map(self.by_rows, self.by_seat(state))
        return board_text(first, second, self.width, self.height)

    def by_rows(self, stones: int) -> int:
        """The same stones as a bit set of squares row * width + column."""
        return sum(
            (stones >> (column * self.tall + row) & 1) << row * self.width + column
            for row in range(self.height)
            for column in range(self.width)
        )

    def by_columns(self, squares: int) -> int:
        """The inverse of `by_rows`."""
        return sum(
            (squares >> (row * self.width + column) & 1) << column * self.tall + row
            for row in range(self.height)
            for column in range(self.width)
        )

    def parse(self, text: str) -> State:
        first, second = map(self.by_columns, read_board(self.name, text, self.width, self.height))
        full = first | second
        mine = second if full.bit_count() % 2 else first
        problem = self._problem(first, second, mine)
        if problem:
            found, allowed = problem
            raise PositionError(f"{self.name}: no such position: {text}", found=found, allowed=allowed)
        return self.State(mine, full)

    def _problem(self, first: int, second: int, mine: int) -> tuple[str, str] | None:
        """What is wrong with a board, and what would be right."""
        full = first | second
        if first.bit_count() - second.bit_count() not in (0, 1):
            return f"{first.bit_count()} x and {second.bit_count()} o", "as many x as o, or one more"
        for column in range(self.width):
            if (stones := full >> column * self.tall & self.column) & (stones + 1):
                return f"an empty square under a stone in column {column + 1}", "stones that rest on others"
        if self.has_line(mine):
            return "a line, and then a stone of the other player", "a line only of the player who moved last"
        return None

    def draw(self, state: State) -> str:
        names = [str(column + 1) for column in range(self.width)]
        return draw_rows(self.show(state).upper().split("/"), names)

    def draw_board(self, state: State) -> kit.Board:
        """The rack; the lowest empty hole of a column is the move there."""
        first, second = map(self.by_rows, self.by_seat(state))
        lines = winning_lines(self.width, self.height, self.line)
        over = lines_through(
            lines, (first, second), lambda square: self.hole(square % self.width, square // self.width)
        )
        names = [str(column + 1) for column in range(self.width)]
        cells = two_sides(first, second, self.width, self.height, kit.disc)
        return kit.Board("Connect Four", (kit.rack("Rack", cells, self.places(state), names, over),))

    def places(self, state: State) -> list[kit.Place]:
        """The lowest empty hole of each column that takes a stone, and the highest stone of each column as made."""
        legal, places = set(self.moves(state)), []
        for column in range(self.width):
            stones = (state.full >> column * self.tall & self.column).bit_count()
            if column in legal:
                places.append(kit.Place(str(column + 1), self.hole(column, stones), 40))
            if stones:
                places.append(kit.Place(str(column + 1), self.hole(column, stones - 1), 44, made=True))
        return places

    def hole(self, column: int, row: int) -> kit.Box:
        """The box of a hole; rows count from the bottom."""
        return kit.cell(self.height - 1 - row, column).moved(0, 6).inside(10)

    def by_seat(self, state: State) -> tuple[int, int]:
        """The stones of the first and of the second player."""
        mine, theirs = state.mine, state.full ^ state.mine
        return (theirs, mine) if self.seat(state) else (mine, theirs)
