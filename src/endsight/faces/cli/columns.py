"""Columns and styles of what is drawn for people."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

# Blue and orange are told apart by nearly everybody, and can be read on black and on white.
BEST = "bold color(32)"
WORSE = "color(166)"
STRONG = "bold"
DIM = "dim"

Fit = Literal["cut", "wrap"]


@dataclass(frozen=True)
class Column:
    """A column of a table. Where room is short, `cut` ones lose their ends, `wrap` ones get lines.

    Where every row becomes a block of lines, what `continues` stands on the line of the cell before. A column
    is `least` columns of the terminal wide where there is room, and shown then even if its cells are empty.
    """

    title: str = ""
    align: Literal["left", "right"] = "left"
    fit: Fit | None = None
    continues: bool = False
    least: int = 0
