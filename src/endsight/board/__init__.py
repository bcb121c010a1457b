"""Boards and pieces: how positions look on pages, in notebooks and in pictures.

Rules give `draw_board(state) -> Board`. A `Board` is data made of the pieces and grounds here: parts from the top to
the bottom, each a fixed `Scene` or a `Row` that wraps. The places on it carry the moves they stand for; values and
addresses are given as `Mark`s when the board is written, as HTML or as one SVG picture.

>>> from endsight.board import Board, Row, Slot, die
>>> board = Board("A throw", (Row((Slot(die(3)), Slot(die(5)))),))
>>> board.svg().startswith("<svg ")
True
"""

from __future__ import annotations

from endsight.board.drawn import board_at, board_of
from endsight.board.grounds import (
    CELL,
    Cells,
    as_piece,
    cell,
    grid,
    hexagons,
    rack,
    shelf,
    table,
    through,
    track,
    ur_board,
    ur_square,
)
from endsight.board.panel import Panel
from endsight.board.parts import Box, Mark, Marks, Piece, Place, Placed, Sign
from endsight.board.pieces import (
    SEATS,
    bag,
    beside,
    button,
    captioned,
    car,
    card,
    card_back,
    chip,
    chocolate,
    coin,
    dice,
    die,
    disc,
    domino,
    figure,
    hand,
    man,
    pawn,
    pips,
    pot,
    ship,
    spinner,
    stone,
    tetrahedron,
    tile,
    ur_piece,
    word,
)
from endsight.board.row import Row, Slot
from endsight.board.scene import Line, Scene
from endsight.board.shapes import Circle, Path, Rect, Shape, Text, Use
from endsight.board.whole import Board, Part, stylesheet, symbols

__all__ = [
    "CELL",
    "SEATS",
    "Board",
    "Box",
    "Cells",
    "Circle",
    "Line",
    "Mark",
    "Marks",
    "Panel",
    "Part",
    "Path",
    "Piece",
    "Place",
    "Placed",
    "Rect",
    "Row",
    "Scene",
    "Shape",
    "Sign",
    "Slot",
    "Text",
    "Use",
    "as_piece",
    "bag",
    "beside",
    "board_at",
    "board_of",
    "button",
    "captioned",
    "car",
    "card",
    "card_back",
    "cell",
    "chip",
    "chocolate",
    "coin",
    "dice",
    "die",
    "disc",
    "domino",
    "figure",
    "grid",
    "hand",
    "hexagons",
    "man",
    "pawn",
    "pips",
    "pot",
    "rack",
    "shelf",
    "ship",
    "spinner",
    "stone",
    "stylesheet",
    "symbols",
    "table",
    "tetrahedron",
    "through",
    "tile",
    "track",
    "ur_board",
    "ur_piece",
    "ur_square",
    "word",
]
