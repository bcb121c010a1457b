"""Boards of squares as pictures: pieces from bit sets, names of rows and columns, lines that win.

Bit `row * width + column` is the square in that row from the bottom and that column from the left, both from 0, as in
`endsight.games.board`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from string import ascii_lowercase

import endsight.board as kit
from endsight.games.board import square_name


def square_box(square: int, width: int, height: int) -> kit.Box:
    """The box of a square on a grid."""
    return kit.cell(height - 1 - square // width, square % width)


def two_sides(
    first: int, second: int, width: int, height: int, piece: Callable[[int], kit.Piece]
) -> list[list[kit.Piece | None]]:
    """Rows from the top, with `piece(0)` and `piece(1)` on the squares of the two bit sets."""

    def on(square: int) -> kit.Piece | None:
        return piece(0) if first >> square & 1 else piece(1) if second >> square & 1 else None

    return [[on(row * width + column) for column in range(width)] for row in reversed(range(height))]


def columns(width: int) -> str:
    """Names of columns, from the left."""
    return ascii_lowercase[:width]


def rows(height: int) -> list[str]:
    """Names of rows, from the top."""
    return [str(row) for row in range(height, 0, -1)]


def named_grid(
    title: str,
    cells: kit.Cells,
    places: Sequence[kit.Place],
    over: Sequence[kit.Line] = (),
    *,
    is_checked: bool = False,
) -> kit.Scene:
    """A grid with the names of its columns and rows."""
    names = columns(len(cells[0])), rows(len(cells))
    return kit.grid(title, cells, places, across=names[0], down=names[1], over=over, is_checked=is_checked)


def placed_once(taken: int, free: Iterable[int], width: int, height: int) -> list[kit.Place]:
    """Squares on which pieces are put and stay: `free` to be chosen, and those of the bit set `taken` as made."""
    made = [square for square in range(width * height) if taken >> square & 1]
    return [
        kit.Place(square_name(square, width), square_box(square, width, height).inside(3), made=is_made)
        for is_made, squares in ((False, free), (True, made))
        for square in squares
    ]


def lines_through(lines: Sequence[int], stones: Iterable[int], box: Callable[[int], kit.Box]) -> list[kit.Line]:
    """A stroke through each of the lines (bit sets) that one of the bit sets `stones` holds."""
    held = [line for line in lines for own in stones if own & line == line]
    return [kit.through(box((line & -line).bit_length() - 1), box(line.bit_length() - 1)) for line in held]
