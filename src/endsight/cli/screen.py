"""Drawing for people: paragraphs, blocks and tables that fit the terminal, styled by rich."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from textwrap import wrap
from typing import Any, Literal

from rich.cells import cell_len, set_cell_size
from rich.console import Console
from rich.text import Text

from endsight.cli.streams import ascii_text

__all__ = ["BEST", "DIM", "STRONG", "WORSE", "Column", "Screen"]

# Blue and orange are told apart by nearly everybody, and can be read on black and on white.
BEST = "bold color(32)"
WORSE = "color(166)"
STRONG = "bold"
DIM = "dim"

NARROW = 60
"""Terminals of fewer columns get short forms."""
_TALLEST_BLOCK = 60
_GAP = 2
_SMALLEST = 6
"""No column is made narrower than this to let the others fit."""
_WIDEST_TEXT = 100
"""Flowing text in longer lines is hard to read."""

Fit = Literal["cut", "wrap"]


@dataclass(frozen=True)
class Column:
    """A column of a table. Where room is short, `cut` ones lose their ends, `wrap` ones get lines."""

    title: str = ""
    align: Literal["left", "right"] = "left"
    fit: Fit | None = None


class _Console(Console):
    """Leaves a reader that has gone away to the command."""

    def on_broken_pipe(self) -> None:
        """Not silence and exit code 1, as rich would have it."""
        raise BrokenPipeError


class Screen:
    """The standard output, as wide as the terminal (80 where there is none, or as `COLUMNS` says)."""

    def __init__(self, *, color: str, is_ascii: bool) -> None:
        self.is_ascii = is_ascii
        self.console = _Console(
            file=sys.stdout,
            highlight=False,
            emoji=False,
            markup=False,
            width=None if sys.stdout.isatty() or "COLUMNS" in os.environ else 80,
            **_color_options(color),
        )
        self.width = self.console.width

    @property
    def is_narrow(self) -> bool:
        """Whether to use short forms."""
        return self.width < NARROW

    def clean(self, text: str) -> str:
        """The text in signs that the stream can carry."""
        return ascii_text(text) if self.is_ascii else text

    # ---------------------------------------------------------------- text

    def line(self, text: str = "", style: str = "", indent: int = 0) -> None:
        """A paragraph, wrapped at blanks."""
        for row in self._wrapped(self.clean(text), min(self.width, _WIDEST_TEXT) - indent):
            self._print(Text(" " * indent + row, style))

    def title(self, head: str, rest: str) -> None:
        """A paragraph that begins with a name."""
        name, rest = self.clean(head), self.clean(rest)
        rows = self._wrapped(name + rest, self.width)
        if len(rows[0]) < len(name):
            self.line(head, STRONG)
            self.line(rest.strip(" |·"), DIM)
            return
        self._print(Text.assemble((rows[0][: len(name)], STRONG), (rows[0][len(name) :], DIM)))
        for row in rows[1:]:
            self._print(Text(row, DIM))

    def paragraph(self, text: str) -> None:
        """A paragraph of a docstring: flowing text is wrapped anew; indented lines and lists keep their form."""
        lines = text.splitlines()
        if any(line.startswith((" ", "- ", "* ", "|", "=")) for line in lines):
            self.block(text, indent=0)
        else:
            self.line(" ".join(lines))

    def block(self, text: str, indent: int = 2) -> None:
        """Lines that keep their form; what does not fit is cut. A single line is wrapped."""
        lines = self.clean(text).splitlines()
        if len(lines) == 1:
            self.line(lines[0].strip(), indent=indent)
            return
        for line in lines[:_TALLEST_BLOCK]:
            self._print(Text(" " * indent + self.cut(line.rstrip(), self.width - indent)))
        if len(lines) > _TALLEST_BLOCK:
            self.line(f"  … {len(lines) - _TALLEST_BLOCK:,} more lines", DIM)

    def cut(self, text: str, width: int) -> str:
        """The text in so many columns of the terminal."""
        if cell_len(text) <= width:
            return text
        end = self.clean("…")
        return set_cell_size(text, max(0, width - len(end))).rstrip() + end

    def _wrapped(self, text: str, width: int) -> list[str]:
        return wrap(text, max(width, 10), break_on_hyphens=False) or [""]

    def _print(self, text: Text) -> None:
        self.console.print(text, soft_wrap=True)

    # ---------------------------------------------------------------- tables

    def table(
        self, columns: Sequence[Column], rows: Iterable[Sequence[str]], styles: Sequence[str] = (), indent: int = 2
    ) -> None:
        """A table without rules; columns that are empty throughout are left out."""
        cells = [[self.clean(cell) for cell in row] for row in rows]
        kept = [number for number, _ in enumerate(columns) if any(row[number] for row in cells)]
        columns = [columns[number] for number in kept]
        cells = [[row[number] for number in kept] for row in cells]
        widths = self._widths(columns, cells, indent)
        if any(column.title for column in columns):
            self._row(columns, [self.clean(column.title) for column in columns], widths, DIM, indent)
        for row, style in zip_longest(cells, styles[: len(cells)], fillvalue=""):
            self._row(columns, row, widths, str(style), indent)

    def _row(
        self, columns: Sequence[Column], row: Sequence[str], widths: Sequence[int], style: str, indent: int
    ) -> None:
        """One row, on as many lines as its wrapped cells need."""
        parts = [
            self._wrapped(cell, width) if column.fit == "wrap" else [self.cut(cell, width)]
            for column, cell, width in zip(columns, row, widths, strict=True)
        ]
        for pieces in zip_longest(*parts, fillvalue=""):
            line = (" " * _GAP).join(map(_placed, pieces, widths, columns)).rstrip()
            self._print(Text(" " * indent + line, style))

    def _widths(self, columns: Sequence[Column], cells: Sequence[Sequence[str]], indent: int) -> list[int]:
        """Natural widths; where they are too much, flexible columns give first, then the widest."""
        widths = [
            max([cell_len(self.clean(column.title)), *(cell_len(row[i]) for row in cells)])
            for i, column in enumerate(columns)
        ]
        lacking = sum(widths) + _GAP * (len(widths) - 1) + indent - self.width
        order = sorted(range(len(columns)), key=lambda i: (columns[i].fit is None, -widths[i]))
        for i in order:
            given = max(0, min(lacking, widths[i] - _SMALLEST))
            widths[i] -= given
            lacking -= given
        return widths


def _placed(text: str, width: int, column: Column) -> str:
    blanks = " " * max(0, width - cell_len(text))
    return blanks + text if column.align == "right" else text + blanks


def _color_options(color: str) -> dict[str, Any]:
    if color == "never" or (color == "auto" and os.environ.get("NO_COLOR")):
        return {"color_system": None}
    if color == "always":
        return {"force_terminal": True, "no_color": False, "color_system": "256"}
    return {"color_system": "auto"}
