"""Output for people: paragraphs, blocks and tables that fit the terminal, styled by rich, which takes long to load."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Any

from rich.cells import cell_len, set_cell_size
from rich.console import Console
from rich.text import Text

from endsight.base.printable import printable, printable_lines
from endsight.base.standard_streams import stdout
from endsight.faces.cli.columns import DIM, STRONG, Column
from endsight.faces.cli.streams import answering, ascii_text, terminal_width
from endsight.game.numbers import count_text

NARROW = 60
"""Terminals with fewer columns get short forms."""
_HEIGHT = 25
_TALLEST_BLOCK = 60
_GAP = 2
_INDENT = 2
"""Blanks before every row of a table."""
_SMALLEST = 6
"""No column shrinks below this width to make room for others."""
_WIDEST_TEXT = 100
"""Flowing text in longer lines is hard to read."""


class _Console(Console):
    """A console that leaves broken pipes to the command."""

    def on_broken_pipe(self) -> None:
        """Raise the error again, where rich would exit silently with code 1."""
        raise BrokenPipeError


class Screen:
    """The standard output, as wide as the terminal (80 columns without one, or as `COLUMNS` says)."""

    def __init__(self, *, color: str, is_ascii: bool) -> None:
        self.is_ascii = is_ascii
        self.console = _Console(
            file=stdout(),
            highlight=False,
            emoji=False,
            markup=False,
            width=terminal_width(stdout()),
            height=_HEIGHT,  # with both known, rich asks neither the terminal nor COLUMNS
            **_color_options(color),
        )
        self.width = self.console.width

    @property
    def is_narrow(self) -> bool:
        """Whether to use short forms."""
        return self.width < NARROW

    def clean(self, text: str) -> str:
        """Return the text on one line, with only printable characters that the stream can carry."""
        return self._carried(printable(text))

    def _carried(self, text: str) -> str:
        return ascii_text(text) if self.is_ascii else text

    @contextmanager
    def all_or_nothing(self) -> Iterator[None]:
        """Print what the block prints when it ends, and nothing if it raises: half an answer would pass for one."""
        with self.console.capture() as printed:
            yield
        with answering():
            self.console.file.write(printed.get())
            self.console.file.flush()

    # ---------------------------------------------------------------- text

    def line(self, text: str = "", style: str = "", indent: int = 0, hanging: int = 0) -> None:
        """Print a paragraph, wrapped at blanks; rows after the first are indented by `hanging` more blanks."""
        for row in self._wrapped(self.clean(text), min(self.width, _WIDEST_TEXT) - indent, hanging):
            self._print(Text(" " * indent + row, style))

    def apart(self, text: str, style: str = "") -> None:
        """Print a paragraph after a blank line."""
        self.line()
        self.line(text, style)

    def title(self, head: str, rest: str) -> None:
        """Print a paragraph that begins with a name."""
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
        """Print a paragraph of a docstring: rewrap running text; keep the form of indented lines and lists."""
        lines = text.splitlines()
        if any(line.startswith((" ", "- ", "* ", "|", "=")) for line in lines):
            self.block(text, indent=0)
        else:
            self.line(" ".join(lines))

    def block(self, text: str, indent: int = 2) -> None:
        """Print lines in their form, cutting those that do not fit. A single line is wrapped."""
        lines = self._carried(printable_lines(text)).rstrip("\n").split("\n")
        if len(lines) == 1:
            self.line(lines[0].strip(), indent=indent)
            return
        for line in lines[:_TALLEST_BLOCK]:
            self._print(Text(" " * indent + self.cut(line.rstrip(), self.width - indent)))
        if len(lines) > _TALLEST_BLOCK:
            self.line(f"  … {count_text(len(lines) - _TALLEST_BLOCK, 'more line')}", DIM)

    def cut(self, text: str, width: int) -> str:
        """Cut the text to a number of terminal columns."""
        if cell_len(text) <= width:
            return text
        end = self.clean("…")
        return set_cell_size(text, max(0, width - len(end))).rstrip() + end

    def _wrapped(self, text: str, width: int, hanging: int = 0) -> list[str]:
        return wrapped(text, max(width, hanging + _WIDEST_SIGN), hanging)

    def _print(self, text: Text) -> None:
        with answering():
            self.console.print(text, soft_wrap=True)

    # ---------------------------------------------------------------- tables

    def table(self, columns: Sequence[Column], rows: Iterable[Sequence[str]], styles: Sequence[str] = ()) -> None:
        """Print a table without rules; leave out columns that are entirely empty.

        Where the terminal is too narrow for it, every row becomes a block of lines.
        """
        self._show(self._layout(columns, rows), styles)

    def pairs(self, rows: Iterable[Sequence[str]], styles: Sequence[str] = ()) -> None:
        """Print a table of names and texts without titles."""
        self.table([Column(), Column(fit="wrap")], rows, styles)

    def _show(self, layout: _Layout, styles: Sequence[str], *, has_titles: bool = True) -> None:
        if layout.lacking > 0:
            self._blocks(layout, styles)
            return
        if has_titles:
            self._titles(layout)
        for row, style in zip_longest(layout.cells, styles[: len(layout.cells)], fillvalue=""):
            self._row(layout, row, str(style))

    def next_row(self, columns: Sequence[Column], row: Sequence[str], *, is_first: bool) -> None:
        """Print one row of a table whose later rows are not known yet."""
        layout = self._layout(columns, [row])
        if layout.lacking > 0 and not is_first:
            self.line()
        self._show(layout, (), has_titles=is_first)

    def fits(self, columns: Sequence[Column], rows: Iterable[Sequence[str]]) -> bool:
        """Return whether `table` can show these rows with every cell in full."""
        return self._layout(columns, rows).is_whole

    def _layout(self, columns: Sequence[Column], rows: Iterable[Sequence[str]]) -> _Layout:
        """Lay out natural widths; if too wide, first titles take several lines, then flexible columns shrink."""
        cells = [[self.clean(cell) for cell in row] for row in rows]
        kept = [number for number, column in enumerate(columns) if column.least or any(row[number] for row in cells)]
        columns = [replace(columns[number], title=self.clean(columns[number].title)) for number in kept]
        cells = [[row[number] for number in kept] for row in cells]
        contents = [max((cell_len(row[i]) for row in cells), default=0) for i, _ in enumerate(columns)]
        room = self.width - _INDENT - _GAP * (len(columns) - 1)
        widths = [
            max(cell_len(each.title), content, each.least) for each, content in zip(columns, contents, strict=True)
        ]
        if sum(widths) > room:
            words = [max(map(cell_len, column.title.split()), default=0) for column in columns]
            widths = list(map(max, words, contents))
        lacking = sum(widths) - room
        is_whole = lacking <= 0
        flexible = [i for i, column in enumerate(columns) if column.fit is not None]
        for i in sorted(flexible, key=lambda i: -widths[i]):
            given = max(0, min(lacking, widths[i] - _SMALLEST))
            widths[i] -= given
            lacking -= given
        return _Layout(columns, cells, widths, lacking, is_whole)

    def _titles(self, layout: _Layout) -> None:
        """Print the titles; those of several words take several lines in narrow columns."""
        titles = [
            self._wrapped(column.title, width) for column, width in zip(layout.columns, layout.widths, strict=True)
        ]
        height = max(map(len, titles), default=0)
        for row in zip(*([""] * (height - len(rows)) + rows for rows in titles), strict=True):
            if any(row):
                self._row(layout, row, DIM)

    def _row(self, layout: _Layout, row: Sequence[str], style: str) -> None:
        """Print one row, on as many lines as its wrapped cells need."""
        parts = [
            self._wrapped(cell, width) if column.fit == "wrap" else [self.cut(cell, width)]
            for column, cell, width in zip(layout.columns, row, layout.widths, strict=True)
        ]
        for pieces in zip_longest(*parts, fillvalue=""):
            line = (" " * _GAP).join(map(_placed, pieces, layout.widths, layout.columns)).rstrip()
            self._print(Text(" " * _INDENT + line, style))

    def _blocks(self, layout: _Layout, styles: Sequence[str]) -> None:
        """Print rows one below the other, each cell on its own line after its title."""
        for number, row in enumerate(layout.cells):
            if number:
                self.line()
            named: list[tuple[str, str]] = []
            for column, cell in zip(layout.columns, row, strict=True):
                # A sign before the row shares a line with the next cell.
                is_after_sign = len(named) == 1 and not named[0][0] and not named[0][1][:1].isalnum()
                if cell and named and (column.continues or is_after_sign):
                    named[-1] = (named[-1][0] or (column.title if is_after_sign else ""), f"{named[-1][1]} {cell}")
                elif cell:
                    named.append((column.title, cell))
            style = styles[number] if number < len(styles) else ""
            self.pairs(named, [style] * len(named))


@dataclass(frozen=True)
class _Layout:
    """A table's columns and cells with their widths; `lacking` is the width still missing."""

    columns: Sequence[Column]
    cells: Sequence[Sequence[str]]
    widths: Sequence[int]
    lacking: int
    is_whole: bool


def wrapped(text: str, width: int, hanging: int = 0) -> list[str]:
    """Split the text into rows of `width` columns at blanks; rows after the first begin with `hanging` blanks.

    A number before a colon stays with what follows it, as in `11: 2`. A word longer than a row is broken at its end.
    """
    indent = " " * hanging
    rows, row = [], ""
    for blanks, word in _WORD.findall(text):
        taken = cell_len(row) + len(blanks)
        if taken + cell_len(word) > width and cell_len(word) <= width - hanging and taken:
            rows += [row] if row else []
            row = indent + word if rows else word
            continue
        row += blanks
        while word and cell_len(word) > width - taken:
            piece = _piece(word, width - taken)
            rows.append(row + piece)
            row, taken, word = indent, hanging, word[len(piece) :]
        row += word
    return [each.rstrip() for each in (*rows, row)]


_WORD = re.compile(r"( *)((?:[0-9]+: )?[^ ]+)")
_WIDEST_SIGN = 2


def _piece(word: str, width: int) -> str:
    """Return the longest start of a word that fits into that many columns."""
    room = width
    for number, sign in enumerate(word):
        room -= cell_len(sign)
        if room < 0:
            return word[:number]
    return word


def _placed(text: str, width: int, column: Column) -> str:
    blanks = " " * max(0, width - cell_len(text))
    return blanks + text if column.align == "right" else text + blanks


def _color_options(color: str) -> dict[str, Any]:
    if color == "never" or (color == "auto" and os.environ.get("NO_COLOR")):
        return {"color_system": None}
    if color == "always":
        return {"force_terminal": True, "no_color": False, "color_system": "256"}
    return {"color_system": "auto"}
