"""Columns of tables in a terminal, and the styles of their text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

# Nearly everybody can distinguish blue from orange, and both are readable on black and on white.
BEST = "bold color(32)"
WORSE = "color(166)"
STRONG = "bold"
DIM = "dim"

Fit = Literal["cut", "wrap"]


@dataclass(frozen=True)
class Column:
    """A column of a table. Where space is short, `cut` columns lose their ends and `wrap` columns get several lines.

    Where every row becomes a block of lines, a column that `continues` shares the line of the cell before it. A column
    is `least` terminal columns wide where there is room, and is then shown even if its cells are empty.
    """

    title: str = ""
    align: Literal["left", "right"] = "left"
    fit: Fit | None = None
    continues: bool = False
    least: int = 0
