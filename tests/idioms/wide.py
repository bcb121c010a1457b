"""Tic-tac-toe on a board of 4x3 cells, three in a row, in the ways that a board of 3x3 is too small to tell apart."""

# People write it so.
# ruff: noqa: RUF005

from __future__ import annotations

from typing import NamedTuple

from endsight import Game

WIDTH, HEIGHT = 4, 3
CELLS = WIDTH * HEIGHT
LINES = tuple(
    tuple(row * WIDTH + column + step * by for step in range(3))
    for by, rows, columns in (
        (1, range(HEIGHT), range(WIDTH - 2)),
        (WIDTH, range(HEIGHT - 2), range(WIDTH)),
        (WIDTH + 1, range(HEIGHT - 2), range(WIDTH - 2)),
        (WIDTH - 1, range(HEIGHT - 2), range(2, WIDTH)),
    )
    for row in rows
    for column in columns
)
MASKS = tuple(sum(1 << cell for cell in line) for line in LINES)


class WideBits(Game):
    """Two bit boards, packed by hand."""

    class State(NamedTuple):
        own: int
        other: int

    def limits(self):
        return self.State((1 << CELLS) - 1, (1 << CELLS) - 1)

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


class WideTuple(Game):
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
        cells = [(0, 2, 1)[what] for what in state.cells]
        cells[move] = 2
        return self.State(tuple(cells))

    def payoff(self, state):
        return -1 if self.has_lost(state.cells) else 0


class WideSlices(WideTuple):
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


class WideText(WideTuple):
    """A text of letters."""

    class State(NamedTuple):
        cells: str

    def limits(self):
        return self.State(".XO")

    def start(self):
        return self.State("." * CELLS)

    def has_lost(self, cells):
        letter = "X" if cells.count("X") > cells.count("O") else "O"
        return any(cells[a] + cells[b] + cells[c] == letter * 3 for a, b, c in LINES)

    def moves(self, state):
        if not self.has_lost(state.cells):
            for cell in range(CELLS):
                if state.cells[cell] == ".":
                    yield cell

    def play(self, state, move):
        letter = "O" if state.cells.count("X") > state.cells.count("O") else "X"
        return self.State(state.cells[:move] + letter + state.cells[move + 1 :])


class WideDigits(WideTuple):
    """One whole number with a digit to base 3 for every cell."""

    class State(NamedTuple):
        cells: int

    def limits(self):
        return self.State(3**CELLS - 1)

    def start(self):
        return self.State(0)

    def at(self, cells, cell):
        return cells // 3**cell % 3

    def has_lost(self, cells):
        return any(self.at(cells, a) == self.at(cells, b) == self.at(cells, c) == 2 for a, b, c in LINES)

    def moves(self, state):
        if not self.has_lost(state.cells):
            yield from (cell for cell in range(CELLS) if self.at(state.cells, cell) == 0)

    def play(self, state, move):
        digits = [2 if cell == move else (0, 2, 1)[self.at(state.cells, cell)] for cell in range(CELLS)]
        return self.State(sum(digit * 3**cell for cell, digit in enumerate(digits)))


class WideRecursive(WideDigits):
    """A helper that calls itself."""

    def at(self, cells, cell):
        return cells % 3 if cell == 0 else self.at(cells // 3, cell - 1)


GAMES = [WideBits, WideTuple, WideSlices, WideText, WideDigits, WideRecursive]
"""All ways, the one made for speed by hand first."""
