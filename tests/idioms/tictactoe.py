"""Tic-tac-toe as people write it: one game, many ways to say the board, the moves, a move and who has won.

Every class is the same game: 5,478 positions, a draw. `Bits` is the one written for speed by hand.
"""

# People write it so.
# ruff: noqa: B905, RUF005, SIM110, UP028

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, IntEnum
from typing import Literal, NamedTuple

from endsight import Game

SIZE = 3
CELLS = SIZE * SIZE
LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
MASKS = tuple(sum(1 << cell for cell in line) for line in LINES)
LINE_SET = frozenset(LINES)
LINES_OF = {cell: [line for line in LINES if cell in line] for cell in range(CELLS)}


class Bits(Game):
    """Two bit boards, packed by hand."""

    class State(NamedTuple):
        own: int
        other: int

    def limits(self):
        return self.State(511, 511)

    def start(self):
        return self.State(0, 0)

    def moves(self, state):
        for mask in MASKS:
            if state.other & mask == mask:
                return
        taken = state.own | state.other
        for cell in range(CELLS):
            if not taken >> cell & 1:
                yield cell

    def play(self, state, move):
        return self.State(state.other, state.own | 1 << move)

    def payoff(self, state):
        for mask in MASKS:
            if state.other & mask == mask:
                return -1
        return 0


# ---------------------------------------------------------------------- a tuple of cells


class Tuple(Game):
    """A tuple of cells: 0 empty, 1 the player to move, 2 the other."""

    class State(NamedTuple):
        cells: tuple[int, ...]

    def limits(self):
        return self.State(2)

    def start(self):
        return self.State((0,) * CELLS)

    def has_lost(self, cells):
        return any(cells[a] == cells[b] == cells[c] == 2 for a, b, c in LINES)

    def moves(self, state):
        if not self.has_lost(state.cells):
            for cell in range(CELLS):
                if state.cells[cell] == 0:
                    yield cell

    def play(self, state, move):
        cells = list(state.cells)
        cells[move] = 1
        return self.State(tuple(3 - each if each else 0 for each in cells))

    def payoff(self, state):
        return -1 if self.has_lost(state.cells) else 0


class Slices(Tuple):
    """A cell is put by slices."""

    def play(self, state, move):
        board = state.cells[:move] + (1,) + state.cells[move + 1 :]
        return self.State(tuple((0, 2, 1)[each] for each in board))


class SlicesOfLocals(Tuple):
    """Slices of a local name, joined in two steps."""

    def play(self, state, move):
        board = state.cells
        head, tail = board[:move], board[move + 1 :]
        board = head + (1,)
        board += tail
        swapped = []
        for cell in board:
            swapped.append(0 if cell == 0 else 3 - cell)
        return self.State(tuple(swapped))


class Enumerated(Tuple):
    """Moves and the new board by enumerate."""

    def moves(self, state):
        if self.has_lost(state.cells):
            return
        for cell, what in enumerate(state.cells):
            if not what:
                yield cell

    def play(self, state, move):
        return self.State(tuple((3 - what) % 3 if at != move else 2 for at, what in enumerate(state.cells)))


class ReturnedList(Tuple):
    """Moves as a list that is returned."""

    def moves(self, state):
        if self.has_lost(state.cells):
            return []
        return [cell for cell in range(CELLS) if state.cells[cell] == 0]


class AppendedList(Tuple):
    """Moves appended to a list."""

    def moves(self, state):
        found = []
        if not self.has_lost(state.cells):
            for cell in range(len(state.cells)):
                if state.cells[cell] == 0:
                    found.append(cell)
        return found


class GeneratorMoves(Tuple):
    """Moves as a generator expression."""

    def moves(self, state):
        over = self.has_lost(state.cells)
        return (cell for cell in range(CELLS) if not over and state.cells[cell] == 0)


class ConditionalMoves(Tuple):
    """Moves by a conditional expression, of another kind on each way."""

    def moves(self, state):
        return () if self.has_lost(state.cells) else (cell for cell in range(CELLS) if state.cells[cell] == 0)


class YieldFrom(Tuple):
    """Moves handed on from a helper."""

    def empty(self, cells):
        for cell, what in enumerate(cells):
            if what == 0:
                yield cell

    def moves(self, state):
        if not self.has_lost(state.cells):
            yield from self.empty(state.cells)


class ListFromHelper(Tuple):
    """A helper that returns a list."""

    def empty(self, cells):
        return [cell for cell in range(CELLS) if cells[cell] == 0]

    def moves(self, state):
        if not self.has_lost(state.cells):
            for cell in self.empty(state.cells):
                yield cell


class Lambda(Tuple):
    """A lambda, called where it is made."""

    def has_lost(self, cells):
        mine = lambda cell: cells[cell] == 2  # noqa: E731
        return any(mine(a) and mine(b) and mine(c) for a, b, c in LINES)


class Nested(Tuple):
    """A function inside a method."""

    def has_lost(self, cells):
        def full(line):
            for cell in line:
                if cells[cell] != 2:
                    return False
            return True

        return any(full(line) for line in LINES)


class Module(Tuple):
    """A function of the module."""

    def has_lost(self, cells):
        return three_in_a_row(cells, 2)


def three_in_a_row(cells, who):
    for line in LINES:
        if all(cells[cell] == who for cell in line):
            return True
    return False


class Static(Tuple):
    """A static method."""

    @staticmethod
    def full(cells, line):
        return cells[line[0]] == 2 and cells[line[1]] == 2 and cells[line[2]] == 2

    def has_lost(self, cells):
        return any(self.full(cells, line) for line in LINES)


class Classy(Tuple):
    """A class method and a class constant."""

    WHO = 2

    @classmethod
    def owns(cls, cells, cell):
        return cells[cell] == cls.WHO

    def has_lost(self, cells):
        return any(self.owns(cells, a) and self.owns(cells, b) and self.owns(cells, c) for a, b, c in LINES)


class SetUp(Tuple):
    """Lines made in setup."""

    def setup(self):
        rows = [[row * SIZE + column for column in range(SIZE)] for row in range(SIZE)]
        columns = [list(column) for column in zip(*rows, strict=True)]
        diagonals = [[at * (SIZE + 1) for at in range(SIZE)], [(at + 1) * (SIZE - 1) for at in range(SIZE)]]
        self.lines = [*rows, *columns, *diagonals]

    def has_lost(self, cells):
        return any(all(cells[cell] == 2 for cell in line) for line in self.lines)


class Cached(Tuple):
    """A function with functools.cache."""

    def has_lost(self, cells):
        return cached_rows(cells)


@functools.cache
def cached_rows(cells):
    return any(all(cells[cell] == 2 for cell in line) for line in LINES)


class Walrus(Tuple):
    """An assignment inside an expression."""

    def has_lost(self, cells):
        return any((who := cells[a]) == 2 and who == cells[b] == cells[c] for a, b, c in LINES)


class Counting(Tuple):
    """Sums and counts."""

    def has_lost(self, cells):
        return max(sum(1 for cell in line if cells[cell] == 2) for line in LINES) == SIZE


class CountOf(Tuple):
    """`count` of a tuple, `in`, `not in`."""

    def has_lost(self, cells):
        return any((cells[a], cells[b], cells[c]).count(2) == 3 for a, b, c in LINES)

    def moves(self, state):
        if 0 in state.cells and not self.has_lost(state.cells):
            yield from (cell for cell in range(CELLS) if state.cells[cell] not in (1, 2))


class Rows(Tuple):
    """Rows and columns by slices with steps."""

    def has_lost(self, cells):
        for at in range(SIZE):
            if cells[at * SIZE : at * SIZE + SIZE] == (2, 2, 2) or cells[at::SIZE] == (2, 2, 2):
                return True
        return cells[::4] == (2, 2, 2) or cells[2:7:2] == (2, 2, 2)


class Sorted(Tuple):
    """Moves sorted by a key; the order of moves is the same."""

    def moves(self, state):
        if not self.has_lost(state.cells):
            yield from sorted((cell for cell in range(CELLS) if state.cells[cell] == 0), key=lambda cell: cell)


class Reversed(Tuple):
    """Two times reversed."""

    def moves(self, state):
        if self.has_lost(state.cells):
            return
        backwards = [cell for cell in reversed(range(CELLS)) if state.cells[cell] == 0]
        yield from reversed(backwards)


class Zipped(Tuple):
    """The new board by zip."""

    def play(self, state, move):
        return self.State(tuple(2 if at == move else (0, 2, 1)[what] for at, what in zip(range(CELLS), state.cells)))


class WhileLoop(Tuple):
    """Loops with while, break and continue."""

    def has_lost(self, cells):
        at = 0
        while at < len(LINES):
            line = LINES[at]
            at += 1
            if cells[line[0]] != 2:
                continue
            if cells[line[1]] == cells[line[2]] == 2:
                break
        else:
            return False
        return True


class Match(Tuple):
    """A match statement."""

    def play(self, state, move):
        board = []
        for at, what in enumerate(state.cells):
            match what:
                case 0:
                    board.append(2 if at == move else 0)
                case 1:
                    board.append(2)
                case _:
                    board.append(1)
        return self.State(tuple(board))


class SuperPlay(Tuple):
    """`super()` in a method."""

    def play(self, state, move):
        after = super().play(state, move)
        return after._replace(cells=after.cells)


class TableOfLines(Tuple):
    """A dict of lists as a constant table."""

    def has_lost(self, cells):
        for cell in (0, 4, 8):
            for line in LINES_OF[cell]:
                if cells[line[0]] == cells[line[1]] == cells[line[2]] == 2:
                    return True
        return False


class SetOfLines(Tuple):
    """A frozenset of tuples as a constant."""

    def has_lost(self, cells):
        return any(all(cells[cell] == 2 for cell in line) for line in LINE_SET)


class LocalSet(Tuple):
    """A small set made on the way."""

    def has_lost(self, cells):
        owned = {cell for cell in range(CELLS) if cells[cell] == 2}
        return any(a in owned and b in owned and c in owned for a, b, c in LINES)


class Product(Tuple):
    """Rows and columns by itertools.product."""

    def moves(self, state):
        if not self.has_lost(state.cells):
            for row, column in itertools.product(range(SIZE), repeat=2):
                if state.cells[row * SIZE + column] == 0:
                    yield row * SIZE + column


class PairMoves(Tuple):
    """Moves as pairs."""

    def moves(self, state):
        if not self.has_lost(state.cells):
            for row in range(SIZE):
                for column in range(SIZE):
                    if state.cells[row * SIZE + column] == 0:
                        yield row, column

    def play(self, state, move):
        row, column = move
        return super().play(state, row * SIZE + column)


class Conditional(Tuple):
    """Chained comparisons and conditional expressions."""

    def payoff(self, state):
        for a, b, c in LINES:
            if 0 < state.cells[a] == state.cells[b] == state.cells[c]:
                return 1 if state.cells[a] == 1 else -1
        return 0


class StarredLines(Tuple):
    """Starred names and unpacking."""

    def has_lost(self, cells):
        for first, *rest in LINES:
            if cells[first] == 2 and all(cells[cell] == 2 for cell in rest):
                return True
        return False


# ---------------------------------------------------------------------- other boards


class WithTurn(Game):
    """Marks 1 and 2 stay what they are; a field says whose turn it is."""

    class State(NamedTuple):
        board: tuple[int, int, int, int, int, int, int, int, int]
        turn: int

    def limits(self):
        return self.State((2,) * 9, 1)

    def start(self):
        return self.State((0,) * 9, 0)

    def to_move(self, state):
        return state.turn

    def winner(self, board):
        for a, b, c in LINES:
            if board[a] and board[a] == board[b] and board[b] == board[c]:
                return board[a]
        return 0

    def moves(self, state):
        if self.winner(state.board):
            return
        yield from (cell for cell, mark in enumerate(state.board) if mark == 0)

    def play(self, state, move):
        board = list(state.board)
        board[move] = state.turn + 1
        return self.State(tuple(board), 1 - state.turn)

    def payoff(self, state):
        return (0, 1, -1)[self.winner(state.board)], (0, -1, 1)[self.winner(state.board)]


class BoolTurn(WithTurn):
    """A bool for the turn."""

    class State(NamedTuple):
        board: tuple[int, ...]
        second: bool

    def limits(self):
        return self.State(2, True)

    def start(self):
        return self.State((0,) * 9, False)

    def to_move(self, state):
        return 1 if state.second else 0

    def play(self, state, move):
        mark = 2 if state.second else 1
        return self.State(state.board[:move] + (mark,) + state.board[move + 1 :], not state.second)


class Grid(Game):
    """Rows of rows."""

    class State(NamedTuple):
        rows: tuple[tuple[int, ...], ...]

    def limits(self):
        return self.State(2)

    def start(self):
        return self.State(((0, 0, 0),) * 3)

    def has_lost(self, rows):
        columns = tuple(zip(*rows))
        diagonals = (tuple(rows[at][at] for at in range(3)), tuple(rows[at][2 - at] for at in range(3)))
        return (2, 2, 2) in rows + columns + diagonals

    def moves(self, state):
        if self.has_lost(state.rows):
            return
        for row in range(3):
            for column in range(3):
                if not state.rows[row][column]:
                    yield row, column

    def play(self, state, move):
        grid = [list(row) for row in state.rows]
        grid[move[0]][move[1]] = 1
        return self.State(tuple(tuple((0, 2, 1)[each] for each in row) for row in grid))

    def payoff(self, state):
        return -1 if self.has_lost(state.rows) else 0


class Text(Game):
    """A text of nine letters."""

    class State(NamedTuple):
        board: str

    def limits(self):
        return self.State(".XO")

    def start(self):
        return self.State("." * 9)

    def has_lost(self, board):
        letter = "X" if board.count("X") > board.count("O") else "O"
        return any(board[a] + board[b] + board[c] == letter * 3 for a, b, c in LINES)

    def moves(self, state):
        if not self.has_lost(state.board):
            for cell in range(9):
                if state.board[cell] == ".":
                    yield cell

    def play(self, state, move):
        letter = "O" if state.board.count("X") > state.board.count("O") else "X"
        return self.State(state.board[:move] + letter + state.board[move + 1 :])

    def payoff(self, state):
        return -1 if self.has_lost(state.board) else 0


class JoinedText(Text):
    """A text made by join."""

    def play(self, state, move):
        letter = "X" if state.board.count(".") % 2 else "O"
        letters = list(state.board)
        letters[move] = letter
        return self.State("".join(letters))


class Letters(Game):
    """A tuple of single letters."""

    class State(NamedTuple):
        cells: tuple[Literal[" ", "x", "o"], ...]

    def limits(self):
        return self.State(" xo")

    def start(self):
        return self.State((" ",) * 9)

    def last(self, cells):
        return "o" if cells.count("x") == cells.count("o") else "x"

    def has_lost(self, cells):
        who = self.last(cells)
        return any(all(cells[cell] == who for cell in line) for line in LINES)

    def moves(self, state):
        if not self.has_lost(state.cells):
            yield from (cell for cell, letter in enumerate(state.cells) if letter == " ")

    def play(self, state, move):
        mark = "o" if self.last(state.cells) == "x" else "x"
        return self.State(tuple(mark if cell == move else letter for cell, letter in enumerate(state.cells)))

    def payoff(self, state):
        return -1 if self.has_lost(state.cells) else 0


class Mark(Enum):
    EMPTY = "."
    CROSS = "X"
    NOUGHT = "O"

    @property
    def other(self) -> Mark:
        return Mark.NOUGHT if self is Mark.CROSS else Mark.CROSS


class Enums(Game):
    """A tuple of members of an Enum, and one whose turn it is."""

    class State(NamedTuple):
        board: tuple[Mark, ...]
        turn: Mark

    def limits(self):
        return self.State(Mark.NOUGHT, Mark.NOUGHT)

    def start(self):
        return self.State((Mark.EMPTY,) * 9, Mark.CROSS)

    def has_lost(self, state):
        before = state.turn.other
        return any(all(state.board[cell] is before for cell in line) for line in LINES)

    def moves(self, state):
        if not self.has_lost(state):
            for cell, mark in enumerate(state.board):
                if mark is Mark.EMPTY:
                    yield cell

    def play(self, state, move):
        board = list(state.board)
        board[move] = state.turn
        return self.State(tuple(board), state.turn.other)

    def payoff(self, state):
        return -1 if self.has_lost(state) else 0


class Cell(IntEnum):
    EMPTY = 0
    MINE = 1
    YOURS = 2


SWAPPED = {Cell.EMPTY: Cell.EMPTY, Cell.MINE: Cell.YOURS, Cell.YOURS: Cell.MINE}


class IntEnums(Game):
    """A tuple of members of an IntEnum, and a dict of them as a table."""

    class State(NamedTuple):
        cells: tuple[Cell, ...]

    def limits(self):
        return self.State(Cell.YOURS)

    def start(self):
        return self.State((Cell.EMPTY,) * 9)

    def has_lost(self, cells):
        return any(cells[a] == cells[b] == cells[c] == Cell.YOURS for a, b, c in LINES)

    def moves(self, state):
        if not self.has_lost(state.cells):
            yield from (cell for cell in range(9) if state.cells[cell] == Cell.EMPTY)

    def play(self, state, move):
        return self.State(tuple(Cell.YOURS if at == move else SWAPPED[what] for at, what in enumerate(state.cells)))

    def payoff(self, state):
        return -1 if self.has_lost(state.cells) else 0


class Sets(Game):
    """A frozenset of cells for each player."""

    class State(NamedTuple):
        own: frozenset[int]
        other: frozenset[int]

    def limits(self):
        return self.State(8, 8)

    def start(self):
        return self.State(frozenset(), frozenset())

    def has_lost(self, state):
        return any(state.other.issuperset(line) for line in LINES)

    def moves(self, state):
        if not self.has_lost(state):
            yield from sorted(set(range(9)) - state.own - state.other)

    def play(self, state, move):
        return self.State(state.other, state.own | {move})

    def payoff(self, state):
        return -1 if self.has_lost(state) else 0


class Side(NamedTuple):
    cells: tuple[bool, bool, bool, bool, bool, bool, bool, bool, bool]


class Sides(Game):
    """A NamedTuple of bools for each player inside the state."""

    class State(NamedTuple):
        own: Side
        other: Side

    def limits(self):
        return self.State(Side((True,) * 9), Side((True,) * 9))

    def start(self):
        return self.State(Side((False,) * 9), Side((False,) * 9))

    def has_lost(self, side):
        return any(all(side.cells[cell] for cell in line) for line in LINES)

    def moves(self, state):
        if not self.has_lost(state.other):
            for cell, (own, other) in enumerate(zip(state.own.cells, state.other.cells)):
                if not own and not other:
                    yield cell

    def play(self, state, move):
        cells = state.own.cells
        return self.State(state.other, Side(cells[:move] + (True,) + cells[move + 1 :]))

    def payoff(self, state):
        return -1 if self.has_lost(state.other) else 0


class Fields(Game):
    """Nine fields of whole numbers, and `_replace`."""

    class State(NamedTuple):
        a: int
        b: int
        c: int
        d: int
        e: int
        f: int
        g: int
        h: int
        i: int

    def limits(self):
        return self.State(*[2] * 9)

    def start(self):
        return self.State(*[0] * 9)

    def has_lost(self, state):
        return any(state[a] == state[b] == state[c] == 2 for a, b, c in LINES)

    def moves(self, state):
        if not self.has_lost(state):
            yield from (cell for cell in range(9) if state[cell] == 0)

    def play(self, state, move):
        return self.State(*(2 if cell == move else (0, 2, 1)[what] for cell, what in enumerate(state)))

    def payoff(self, state):
        return -1 if self.has_lost(state) else 0


class Ternary(Game):
    """One whole number with a digit to base 3 for every cell."""

    class State(NamedTuple):
        board: int

    def limits(self):
        return self.State(3**9 - 1)

    def start(self):
        return self.State(0)

    def at(self, board, cell):
        return board // 3**cell % 3

    def has_lost(self, board):
        return any(self.at(board, a) == self.at(board, b) == self.at(board, c) == 2 for a, b, c in LINES)

    def moves(self, state):
        if not self.has_lost(state.board):
            yield from (cell for cell in range(9) if self.at(state.board, cell) == 0)

    def play(self, state, move):
        digits = [2 if cell == move else (0, 2, 1)[self.at(state.board, cell)] for cell in range(9)]
        return self.State(sum(digit * 3**cell for cell, digit in enumerate(digits)))

    def payoff(self, state):
        return -1 if self.has_lost(state.board) else 0


class Recursive(Ternary):
    """A helper that calls itself."""

    def at(self, board, cell):
        return board % 3 if cell == 0 else self.at(board // 3, cell - 1)


@dataclass(frozen=True)
class Setting:
    width: int
    lines: tuple[tuple[int, ...], ...]


SETTING = Setting(3, LINES)


class DataclassConstant(Tuple):
    """A dataclass as a constant."""

    def has_lost(self, cells):
        return any(all(cells[cell] == 2 for cell in line) for line in SETTING.lines)

    def moves(self, state):
        if not self.has_lost(state.cells):
            yield from (cell for cell in range(SETTING.width**2) if state.cells[cell] == 0)


class Annotated(Game):
    """Annotations everywhere, and a property."""

    class State(NamedTuple):
        cells: tuple[int, ...]
        count: int

    @property
    def cells(self) -> int:
        return 9

    def limits(self) -> State:
        return self.State(2, 9)

    def start(self) -> State:
        return self.State((0,) * self.cells, 0)

    def has_lost(self, state: State) -> bool:
        last: int = 2 - state.count % 2
        found: bool = False
        for a, b, c in LINES:
            found |= state.cells[a] == last and state.cells[b] == last and state.cells[c] == last
        return found

    def moves(self, state: State) -> Iterator[int]:
        if state.count < 9 and not self.has_lost(state):
            for cell in range(self.cells):
                if not state.cells[cell]:
                    yield cell

    def play(self, state: State, move: int) -> State:
        cells: list[int] = [*state.cells]
        cells[move] = 1 + state.count % 2
        return self.State(tuple(cells), state.count + 1)

    def payoff(self, state: State) -> int:
        return -1 if self.has_lost(state) else 0


class NamedMoves(Tuple):
    """Moves are texts, as on a chess board."""

    NAMES = tuple(column + row for row in "123" for column in "abc")

    def moves(self, state):
        if not self.has_lost(state.cells):
            for name, what in zip(self.NAMES, state.cells):
                if what == 0:
                    yield name

    def play(self, state, move):
        return super().play(state, self.NAMES.index(move))


GAMES = [
    each for each in list(globals().values()) if isinstance(each, type) and issubclass(each, Game) and each is not Game
]
"""All ways, `Bits` first."""
