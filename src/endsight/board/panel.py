"""Monospaced text in a panel: the drawing of a position about which nothing else is known."""

from __future__ import annotations

from dataclasses import dataclass

from endsight.base.printable import printable_lines
from endsight.board.parts import Marks
from endsight.board.shapes import number, safe

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
