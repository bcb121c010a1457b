"""Boards that hold pieces: grids, hexagons, racks, shelves, tracks, and the board of Ur."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from math import sqrt
from typing import TypeAlias

from endsight.board.parts import Box, Circle, Path, Piece, Place, Placed, Rect, Shape, Text, Use
from endsight.board.scene import Line, Scene

CELL = 100.0
_MARGIN = 44.0
"""Space for the names of rows and columns."""

Cells: TypeAlias = "Sequence[Sequence[Piece | None]]"
"""Rows from the top, each from the left; None is an empty cell."""


def cell(row: int, column: int) -> Box:
    """The box of a cell of a grid or rack; rows count from the top, from 0."""
    return Box(_MARGIN + CELL * column, CELL * row + 2, CELL, CELL)


def grid(
    title: str,
    cells: Cells,
    places: Sequence[Place] = (),
    *,
    across: Sequence[str] = (),
    down: Sequence[str] = (),
    over: Sequence[Shape] = (),
    is_checked: bool = False,
    has_cells: bool = True,
    missing: Collection[tuple[int, int]] = (),
    marked: Sequence[Shape] = (),
) -> Scene:
    """A grid of square cells with names of columns below and of rows on the left.

    `is_checked` darkens every other cell; `has_cells` draws the cells themselves, except the `missing` ones (row,
    column); `marked` is drawn on the ground.
    """
    width, height = max(map(len, cells), default=1), max(1, len(cells))
    boxes = [(row, column, piece) for row, line in enumerate(cells) for column, piece in enumerate(line)]
    ground: list[Shape | Placed] = [
        Rect(*cell(row, column).inside(3), "board-2" if is_checked and (row + column) % 2 else "board", 10)
        for row, column, _ in boxes
        if has_cells and (row, column) not in missing
    ]
    items = [Placed(piece, cell(row, column).inside(8)) for row, column, piece in boxes if piece is not None]
    ground += [*_names(across, down, height), *marked]
    low = _MARGIN if any(across) else 4
    right = 4 if any(down) else _MARGIN  # centred if there is nothing on the left
    size = _MARGIN + CELL * width + right, CELL * height + low
    scale = 1.2 if width <= 3 else 1.05 if width == 4 else 0.9
    return Scene(title, *size, tuple(ground), tuple(items), tuple(places), tuple(over), scale)


def _names(across: Sequence[str], down: Sequence[str], height: int) -> list[Shape | Placed]:
    """Names of columns and rows, large enough to be legible on a small board."""
    size = 26 if max(len(across), len(down)) <= 8 else 32
    named: list[Shape | Placed] = [
        Text(name, _MARGIN + CELL * (column + 0.5), CELL * height + 34, size, "soft", 500, widest=90)
        for column, name in enumerate(across)
    ]
    named += [
        Text(name, _MARGIN / 2, CELL * (row + 0.5) + 11, size, "soft", 500, widest=40) for row, name in enumerate(down)
    ]
    return named


def rack(title: str, cells: Cells, places: Sequence[Place], across: Sequence[str], over: Sequence[Shape] = ()) -> Scene:
    """An upright rack with round holes, as for Connect Four."""
    width, height = len(cells[0]), len(cells)
    ground: list[Shape | Placed] = [
        Rect(_MARGIN - 8, 2, CELL * width + 16, CELL * height + 12, "rack", 26, "rack-2", 4)
    ]
    items: list[Placed] = []
    for row, line in enumerate(cells):
        for column, piece in enumerate(line):
            box = cell(row, column).moved(0, 6)
            ground.append(Circle(*box.middle, 40, "hole"))
            items += [Placed(piece, box.inside(6))] if piece is not None else []
    ground += [
        Text(name, _MARGIN + CELL * (column + 0.5), CELL * height + 50, 28, "soft", 500, widest=80)
        for column, name in enumerate(across)
    ]
    size = 2 * _MARGIN + CELL * width, CELL * height + 60
    return Scene(title, *size, tuple(ground), tuple(items), tuple(places), tuple(over))


def through(first: Box, last: Box) -> Line:
    """The stroke from the middle of one box through to another."""
    return Line(*first.middle, *last.middle)


def hexagons(title: str, cells: Cells, places: Callable[[Box, int, int], Place | None]) -> Scene:
    """Hexagonal cells, every row half a cell to the right of the one above.

    `places(box, row, column)` returns the place on a cell, or None.
    """
    wide, high = CELL, CELL * 2 / sqrt(3)
    ground: list[Shape] = []
    items: list[Placed] = []
    made: list[Place] = []
    for row, line in enumerate(cells):
        for column, piece in enumerate(line):
            x, y = 4 + wide * (column + row / 2), 4 + high * 0.75 * row
            corners = [(0.5, 0), (1, 0.25), (1, 0.75), (0.5, 1), (0, 0.75), (0, 0.25)]
            points = " ".join(f"{x + 3 + a * (wide - 6):.1f} {y + 3 + b * (high - 6):.1f}" for a, b in corners)
            ground.append(Path(f"M{points}Z", "board", "board-2", 3))
            box = Box(x + 15, y + high / 2 - 35, 70, 70)
            if piece is not None:
                items.append(Placed(piece, box))
            made += [place for place in [places(box, row, column)] if place is not None]
    width = wide * (max(map(len, cells), default=1) + (len(cells) - 1) / 2) + 8
    height = high * (0.75 * (len(cells) - 1) + 1) + 8
    return Scene(title, width, height, tuple(ground), tuple(items), tuple(made), scale=0.8)


def shelf(title: str, pieces: Sequence[Piece], places: Sequence[Place], height: float = 215) -> Scene:
    """Pieces in a row on a plank, with space above and below them; piece `k` is in the box (100 k, 45)."""
    width = CELL * max(1, len(pieces)) + 8
    items: list[Shape | Placed] = [Rect(2, 133, width - 4, 16, "wood", 4), Rect(2, 143, width - 4, 7, "wood-2", 3)]
    items += [Placed(piece, Box(4 + CELL * number + 8, 54, 84, 84)) for number, piece in enumerate(pieces)]
    return Scene(title, width, height, (), tuple(items), tuple(places), scale=1.25)


def track(title: str, most: int, scores: Sequence[tuple[Piece, float, float]], length: float = 660) -> Scene:
    """A line from 0 to `most` for each player: a piece at the score, and the unbanked points hatched beyond it.

    `scores` has the piece, the score, and the unbanked points of every player.
    """
    items: list[Shape | Placed] = []
    step = next((step for step in (1, 2, 5, 10, 20, 25, 50, 100, 200, 500) if most / step <= 5), max(1, most // 5))
    left, right = 24.0, length - 24
    per = (right - left) / max(1, most)
    for number, (piece, score, more) in enumerate(scores):
        y, end = 24.0 + 50 * number, left + min(score, most) * per
        seat = "b" if number == 1 else "a"
        items.append(Rect(left, y - 9, right - left, 18, "sunk", 9, "edge", 1.5))
        if more > 0:
            items.append(Rect(left, y - 9, min(score + more, most) * per, 18, f"{seat}-lite", 9))
        items.append(Rect(left, y - 9, max(18, end - left), 18, seat, 9))
        items.append(Placed(piece, Box(end - 18, y - 18, 36, 36)))
    low = 24.0 + 50 * (len(scores) - 1) + 20
    for value in range(0, most + 1, step):
        x = left + value * per
        items.append(Path(f"M{x:.1f} {low:.1f}v6", None, "edge", 2))
        items.append(Text(str(value), x, low + 28, 22, "soft", 500))
    return Scene(title, length, low + 36, tuple(items), scale=1)


def table(title: str, down: Sequence[Piece], across: Sequence[Piece], places: Callable[[int, int], str]) -> Scene:
    """A table of joint choices: a piece for every row and column, and the move `places(row, column)` on each cell.

    The corner shows whose choices are where: the first player's down, the second's across.
    """
    cells: list[list[Piece | None]] = [[None, *across], *([piece, *[None] * len(across)] for piece in down)]
    heads = {(0, column) for column in range(len(across) + 1)} | {(row, 0) for row in range(len(down) + 1)}
    made = [
        Place(places(row, column), cell(row + 1, column + 1).inside(3))
        for row in range(len(down))
        for column in range(len(across))
    ]
    seats = Use("disc-a", _MARGIN + 30, 58, 36, 36), Use("disc-b", _MARGIN + 60, 32, 36, 36)
    return grid(title, cells, made, missing=heads, marked=seats)


def as_piece(scene: Scene) -> Piece:
    """A scene as a piece, such as a small board beside others."""
    return Piece(scene.title, (*scene.ground, *scene.items, *scene.over), scene.width, scene.height)


# ---------------------------------------------------------------------- the Royal Game of Ur

_UR_ROSETTES = ((0, 0), (0, 6), (1, 3), (2, 0), (2, 6))


def ur_square(row: int, column: int) -> Box:
    """The box of a square of the board of Ur, three rows of eight without (0, 4), (0, 5), (2, 4) and (2, 5)."""
    return Box(10 + CELL * column, 10 + CELL * row, CELL, CELL)


def ur_board(title: str, pieces: Sequence[tuple[int, int, Piece]], places: Sequence[Place]) -> Scene:
    """The board of the Royal Game of Ur with its rosettes, and pieces as (row, column, piece)."""
    rim = "M4 4h412v100h188v-100h212v312h-212v-100h-188v100H4z"
    ground: list[Shape] = [Path(rim, "wood", "wood-2", 5)]
    for row in range(3):
        for column in range(8):
            if row == 1 or column not in (4, 5):
                name = "ur-rosette" if (row, column) in _UR_ROSETTES else "ur-square"
                ground.append(Use(name, *ur_square(row, column).inside(2)))
    items = tuple(Placed(piece, ur_square(row, column).inside(8)) for row, column, piece in pieces)
    return Scene(title, 820, 320, tuple(ground), items, tuple(places), scale=0.84)
