"""A small SVG writer: shapes and text with attributes only, so that every page's policy allows them.

Pictures have a role, a title and a description, but no script, style element or external address. The same drawing
gives the same bytes.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256
from html import escape

from endsight.base.printable import printable_lines

# Nearly everybody can distinguish blue and orange; both have a contrast of 3 : 1 and more
# on white and on black.
BLUE = "#2f7fd1"
ORANGE = "#d0690a"
GREY = "#808080"
FAINT = 0.35
"""Opacity of guide lines."""
FONT = "system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif"
INK = "#1a1a1a"
PAPER = "#ffffff"

_NARROW = set("iljtfrI.,:;'|!()[]/ -")
_WIDE = set("mwMW@%≈▲▼●")


def text_width(text: str, size: float) -> float:
    """The approximate width of the text, in the widest of the usual fonts."""
    ems = sum(0.4 if sign in _NARROW else 0.95 if sign in _WIDE or ord(sign) > 0x2E80 else 0.64 for sign in text)
    return ems * size


def cut(text: str, width: float, size: float) -> str:
    """The text cut at the end to fit the width."""
    if text_width(text, size) <= width:
        return text
    kept = text
    while kept and text_width(kept + "…", size) > width:
        kept = kept[:-1]
    return kept.rstrip() + "…"


class Canvas:
    """A drawing of `width` x `height` units. With `paper` it has its own white background; else its ink is the colour
    of the surrounding text, for light or dark pages.
    """

    def __init__(self, width: float, height: float, title: str, description: str, *, paper: bool = True) -> None:
        self.width = width
        self.height = height
        self.title = printable_lines(title)
        self.description = printable_lines(description)
        self.paper = paper
        self.ink = INK if paper else "currentColor"
        self.items: list[str] = []

    # ---------------------------------------------------------------- shapes

    def rect(self, x: float, y: float, width: float, height: float, **look: object) -> None:
        """A rectangle; `look` holds attributes (`fill`, `stroke`, `opacity`, ...), those that are None for nothing."""
        self._add("rect", None, x=x, y=y, width=width, height=height, **look)

    def line(self, x1: float, y1: float, x2: float, y2: float, **look: object) -> None:
        """A straight line."""
        self._add("line", None, x1=x1, y1=y1, x2=x2, y2=y2, **{"stroke": self.ink, **look})

    def polyline(self, points: Iterable[tuple[float, float]], **look: object) -> None:
        """Straight lines from point to point."""
        path = " ".join(f"{_number(x)},{_number(y)}" for x, y in points)
        self._add("polyline", None, points=path, **{"fill": "none", "stroke": self.ink, **look})

    def polygon(self, points: Iterable[tuple[float, float]], **look: object) -> None:
        """A closed shape."""
        self._add("polygon", None, points=" ".join(f"{_number(x)},{_number(y)}" for x, y in points), **look)

    def circle(self, x: float, y: float, radius: float, **look: object) -> None:
        """A circle."""
        self._add("circle", None, cx=x, cy=y, r=radius, **look)

    def path(self, steps: str, **look: object) -> None:
        """A path in SVG's own notation."""
        self._add("path", None, d=steps, **{"fill": "none", "stroke": self.ink, **look})

    def mark(self, kind: str, x: float, y: float, color: str, size: float = 4.5) -> None:
        """A point as a shape: `circle`, `square`, `diamond`, `up`, `down`; `none` draws nothing."""
        if kind == "none":
            return
        if kind == "circle":
            self.circle(x, y, size * 0.9, fill=color)
        elif kind == "square":
            self.rect(x - size * 0.8, y - size * 0.8, size * 1.6, size * 1.6, fill=color)
        else:
            self.polygon(((x + dx * size, y + dy * size) for dx, dy in _OUTLINES[kind]), fill=color)

    # ---------------------------------------------------------------- text

    def text(self, x: float, y: float, text: str, size: float = 12, anchor: str = "start", **look: object) -> None:
        """Text whose baseline begins (or has its middle or end) at the point."""
        if not text:
            return
        look = {"fill": self.ink, "font_size": size, **look, "text_anchor": None if anchor == "start" else anchor}
        self._add("text", escape(printable_lines(text), quote=False), x=x, y=y, **look)

    def tipped(self, x: float, y: float, text: str, size: float = 12) -> None:
        """Rising text that ends at the point."""
        self.text(x, y, text, size, "end", transform=f"rotate(-45 {_number(x)} {_number(y)})")

    # ---------------------------------------------------------------- writing

    def svg(self) -> str:
        """The whole picture as text."""
        body = "\n".join(self.items)
        name = sha256(f"{self.title}\n{self.description}\n{body}".encode()).hexdigest()[:10]
        size = f'viewBox="0 0 {_number(self.width)} {_number(self.height)}" width="{_number(self.width)}"'
        ground = f'<rect width="100%" height="100%" fill="{PAPER}"/>\n' if self.paper else ""
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-labelledby="t{name} d{name}" {size}'
            f' height="{_number(self.height)}" font-family={_quoted(FONT)}>\n'
            f'<title id="t{name}">{escape(self.title, quote=False)}</title>\n'
            f'<desc id="d{name}">{escape(self.description, quote=False)}</desc>\n{ground}{body}\n</svg>\n'
        )

    def _add(self, tag: str, content: str | None, /, **attributes: object) -> None:
        given = ((key.replace("_", "-"), value) for key, value in attributes.items() if value is not None)
        written = "".join(f" {key}={_quoted(_text(value))}" for key, value in given)
        self.items.append(f"<{tag}{written}/>" if content is None else f"<{tag}{written}>{content}</{tag}>")


_OUTLINES = {
    "diamond": ((0, -1.2), (1.2, 0), (0, 1.2), (-1.2, 0)),
    "up": ((0, -1.15), (1.15, 0.9), (-1.15, 0.9)),
    "down": ((0, 1.15), (1.15, -0.9), (-1.15, -0.9)),
}


def _quoted(text: str) -> str:
    """The value of an attribute. Python's module for this would load all that is there for addresses and mail."""
    return '"' + escape(text, quote=False).replace('"', "&quot;") + '"'


def _text(value: object) -> str:
    return _number(value) if isinstance(value, int | float) else str(value)


def _number(value: float) -> str:
    """Up to two decimals, as a hundredth of a unit is invisible."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text
