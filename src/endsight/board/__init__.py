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


def __getattr__(name: str) -> Any:
    # Nothing is loaded before it is asked for (PEP 562): most questions about rules that name the kit draw nothing.
    return import_module("endsight.base.lazy").look_up(__name__, name)
