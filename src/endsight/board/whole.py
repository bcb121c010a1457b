"""A whole board: scenes, rows and panels of text below each other, for a page or a picture."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TypeAlias

from endsight.base.printable import printable_lines
from endsight.board.parts import Mark, Marks, drawings, file_text, number, safe
from endsight.board.row import Row
from endsight.board.scene import Scene

_MOST_LINES = 60
_LINE, _SIGN, _SIZE = 21.0, 9.1, 15


@dataclass(frozen=True)
class Panel:
    """A text of several lines."""

    text: str

    @property
    def lines(self) -> list[str]:
        """The lines, escaped; only the first sixty."""
        lines = printable_lines(self.text).splitlines() or [""]
        shown = [*lines[: _MOST_LINES - 1], "…"] if len(lines) > _MOST_LINES else lines
        return [safe(line) for line in shown]

    def html(self, marks: Marks, last: str | None) -> str:
        """The panel for a page."""
        inside = "\n".join(self.lines)
        return f'<pre class="es-panel" tabindex="0" role="group" aria-label="Board as text">{inside}</pre>'

    def laid_out(self, marks: Marks, last: str | None, y: float, width: float) -> tuple[str, float]:
        """The panel in a picture of that width from `y` on, and its height; wide texts shrink."""
        lines = self.lines
        scale = min(1.0, (width - 32) / (_SIGN * max(1, *map(len, lines))))
        high = 24 + _LINE * scale * len(lines)
        well = f'<rect class="es-well" x="0" y="{number(y)}" width="{number(width)}" height="{number(high)}" rx="12"/>'
        texts = "".join(
            f'<text class="es-start es-mono" x="16" y="{number(y + 10 + _LINE * scale * (place + 0.8))}" '
            f'font-size="{number(_SIZE * scale)}" fill="var(--ink)" xml:space="preserve">{line}</text>'
            for place, line in enumerate(lines)
        )
        return well + texts, high


# ---------------------------------------------------------------------- panels of text


Part: TypeAlias = "Scene | Row | Panel"

_GAP = 14.0
_NONE: Mapping[str, Mark] = MappingProxyType({})


@dataclass(frozen=True)
class Board:
    """A drawn position: parts from top to bottom, and a common title.

    It knows places and their moves, but no values and no addresses: those are given as marks.
    """

    title: str
    parts: tuple[Part, ...]

    def html(self, marks: Mapping[str, Mark] = _NONE, last: str | None = None) -> str:
        """The board for a page, with marks by the text of the move, and a ring around the last move.

        The page must have `stylesheet()` and, once, `symbols()`.
        """
        inside = "".join(part.html(marks, last) for part in self.parts)
        return f'<div class="es-board" role="group" aria-label="{safe(self.title)}">{inside}</div>'

    def svg(self, marks: Mapping[str, Mark] = _NONE, last: str | None = None, width: float = 720) -> str:
        """The same as one self-contained picture of that width in pixels; light or dark as the reader's page."""
        parts, y = [], 4.0
        for part in self.parts:
            text, height = part.laid_out(marks, last, y, width - 8)
            parts.append(text)
            y += height + _GAP
        high, inside = max(8.0, y - _GAP + 4), f'<g transform="translate(4 0)">{"".join(parts)}</g>'
        about = f'class="es-board" role="img" aria-label="{safe(self.title)}"'
        size = f'viewBox="0 0 {number(width)} {number(high)}" width="{number(width)}" height="{number(high)}"'
        used = "".join(drawings()[name] for name in _used(inside))
        opened = f'<svg xmlns="http://www.w3.org/2000/svg" {about} {size}><title>{safe(self.title)}</title>'
        ground = f'<rect width="{number(width)}" height="{number(high)}" rx="10" fill="var(--card)"/>'
        drawn = f"<defs>{used}</defs>{ground}{inside}</svg>"
        return f"{opened}<style>{style_for(drawn)}</style>{drawn}"

    def _repr_svg_(self) -> str:
        return self.svg()


def stylesheet() -> str:
    """The style sheet for a page with boards: palette, pieces, and rows."""
    return "".join(map(file_text, ("palette.css", "pieces.css", "page.css")))


def script() -> str:
    """The script for choosing or dragging pieces; pages call its `makePiecesMovable` after drawing a board."""
    return file_text("moving.js")


def symbols(page: str | None = None) -> str:
    """The drawings that `Board.html` refers to, as an invisible element; a page has it once.

    With the text of a `page`, only those that it uses.
    """
    inside = "".join(drawings()[name] for name in (drawings() if page is None else _used(page)))
    return f'<svg class="es-symbols" xmlns="http://www.w3.org/2000/svg" aria-hidden="true">{inside}</svg>'


def _used(text: str) -> list[str]:
    """The names of the drawings that a text refers to."""
    return sorted(set(re.findall(r'href="#es-([a-z0-9-]+)"', text)) & set(drawings()))


_RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
_VARIABLE = re.compile(r"--([a-z0-9-]+):[^;}]*;?")
_ROOT = ".es-board"


def style_for(drawn: str) -> str:
    """The style rules for the classes of a drawing, and the colours that they and it name, within `.es-board`."""
    classes = {_ROOT[1:], *" ".join(re.findall(r'class="([^"]*)"', drawn)).split()}
    rules = "".join(rule[0] for rule in _RULE.finditer(file_text("pieces.css")) if _is_met(rule[1], classes))
    colours = set(re.findall(r"var\(--([a-z0-9-]+)\)", drawn + rules))

    def kept(found: re.Match[str]) -> str:
        return found[0] if found[1] in colours else ""

    palette = _VARIABLE.sub(kept, file_text("palette.css")).replace(":root", _ROOT)
    return (palette + rules).replace("\n", "")


def _is_met(selectors: str, classes: set[str]) -> bool:
    """Whether one of the selectors of a rule can match."""
    return any(set(re.findall(r"\.(es-[a-z-]+)", selector)) <= classes for selector in selectors.split(","))
