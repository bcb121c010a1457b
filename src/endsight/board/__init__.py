"""Boards and pieces: drawings of positions on pages, in notebooks and in pictures.

Rules give `draw_board(state) -> Board`. A `Board` is data built from the pieces and boards here: parts from top to
bottom, each a fixed `Scene` or a `Row` that wraps. Its places carry moves; values and addresses are given as `Mark`s
when the board is written, as HTML or as one SVG picture.

>>> from endsight.board import Board, Row, Slot, die
>>> board = Board("A throw", (Row((Slot(die(3)), Slot(die(5)))),))
>>> board.svg().startswith("<svg ")
True
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

# Imports are lazy (PEP 562): rules name the kit, and most questions about them draw nothing.
_PLACES = {
    "drawn": "board_at board_of board_seen draws_board",
    "boards": "CELL Cells as_piece cell grid hexagons rack shelf table through track ur_board ur_square",
    "panel": "Panel",
    "parts": "Box Mark Marks Piece Place Placed Sign",
    "pieces": (
        "SEATS bag beside button captioned car card card_back chip chocolate coin dice die disc "
        "domino figure hand man pawn pips pot ship spinner stone tetrahedron tile ur_piece word "
    ),
    "row": "Row Slot",
    "scene": "Line Scene",
    "shapes": "Circle Path Rect Shape Text Use",
    "whole": "Board Part script stylesheet symbols",
}
_MODULES = {name: module for module, names in _PLACES.items() for name in names.split()}
__all__ = list(_MODULES)


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = getattr(import_module(f"endsight.board.{_MODULES[name]}"), name)
    globals()[name] = found
    return found
