"""Answers as HTML for notebooks: escaped text in tables, no script, no style, never too long."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice

from endsight.base.printable import printable_lines
from endsight.base.shortened import shortened
from endsight.game.numbers import Number, short_text

MOST_ROWS = 50
MOST_BYTES = 200_000
_MOST_COLUMNS = 20
_LONGEST_CELL = 200
_TALLEST = 60


def safe(text: object, longest: int = _LONGEST_CELL) -> str:
    """The text escaped, its end cut where it is long."""
    from html import escape

    shown = printable_lines(str(text)[: longest + 1])
    return escape(shortened(shown, longest))


def paragraph(text: object, *, strong: bool = False) -> str:
    """A paragraph."""
    inside = safe(text, 2_000)
    return f"<p><strong>{inside}</strong></p>" if strong else f"<p>{inside}</p>"


def drawing(text: str) -> str:
    """Lines that keep their layout."""
    lines = text.splitlines()
    shown = [*lines[:_TALLEST], "…"] if len(lines) > _TALLEST else lines
    return "<pre>" + "\n".join(safe(line) for line in shown) + "</pre>"


def picture(svg: str, alt: str) -> str:
    """An SVG picture of the package, isolated from the page around it, with an equivalent text."""
    from base64 import b64encode

    return f'<img src="data:image/svg+xml;base64,{b64encode(svg.encode()).decode()}" alt="{safe(alt, 2_000)}">'


def html_table(caption: str, columns: Sequence[str], rows: Iterable[Sequence[object]], total: int | None = None) -> str:
    """A table of the first 50 rows; `total` is the number of all rows."""
    shown = list(islice(rows, MOST_ROWS))
    head = "".join(f'<th scope="col">{safe(name)}</th>' for name in columns[:_MOST_COLUMNS])
    lines = ["<tr>" + "".join(f"<td>{safe(cell)}</td>" for cell in row[:_MOST_COLUMNS]) + "</tr>" for row in shown]
    while sum(map(len, lines)) * 4 > MOST_BYTES // 2:
        lines.pop()
    more = (total or len(shown)) - len(lines)
    note = f"<p>… and {more:,} more</p>" if more else ""
    caption = f"<caption>{safe(caption)}</caption>" if caption else ""
    return f"<table>{caption}<thead><tr>{head}</tr></thead><tbody>{''.join(lines)}</tbody></table>{note}"


def joined(*parts: str) -> str:
    """Parts of one answer, one below the other."""
    return "<div>" + "".join(part for part in parts if part) + "</div>"


def markdown_table(columns: Sequence[str], rows: Iterable[Sequence[object]], total: int | None = None) -> str:
    """The same as Markdown."""
    shown = list(islice(rows, MOST_ROWS))
    lines = [_markdown_row(columns), _markdown_row(["---"] * len(columns[:_MOST_COLUMNS])), *map(_markdown_row, shown)]
    more = (total or len(shown)) - len(shown)
    return "\n".join(lines) + (f"\n\n… and {more:,} more" if more else "")


def _markdown_row(cells: Sequence[object]) -> str:
    texts = (re.sub(r"([\\|`*_\[\]])", r"\\\1", safe(cell).replace("\n", " ")) for cell in cells[:_MOST_COLUMNS])
    return "| " + " | ".join(texts) + " |"


def game_html(title: str, text: str, values: Mapping[str, object]) -> str:
    """A game: its title, the first line of its description, and its parameters."""
    table = html_table("", ("parameter", "value"), values.items()) if values else ""
    return joined(paragraph(title, strong=True), paragraph(text.strip().partition("\n")[0]), table)


def position_html(title: str, to_move: str | None, moves: str, drawn: str, gained: Mapping[str, Number]) -> str:
    """A position: who is to move, the moves so far, the board (an element), and the gains."""
    mover = "the game is over" if to_move is None else f"{to_move} to move"
    shares = ", ".join(f"{name} {short_text(share)}" for name, share in gained.items())
    return joined(
        paragraph(f"{title}: {mover}", strong=True),
        paragraph(f"after {moves}") if moves else "",
        drawn,
        paragraph(f"so far: {shares}") if shares else "",
    )
