"""The shapes of pieces: plain data, written as SVG elements.

Colours are names of the palette (`palette.css`), drawings are those of `pieces.svg`, and texts are escaped, so nothing
foreign gets into a picture. Lengths are in the units of the surrounding element, x to the right and y down.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from html import escape
from importlib import resources
from math import isfinite
from typing import TYPE_CHECKING, Protocol

from endsight.base.faults import UsageError
from endsight.base.printable import printable
from endsight.base.shortened import shortened

if TYPE_CHECKING:
    from endsight.board.parts import Box


_OUTLINE = re.compile(r"[MmLlHhVvCcQqAaZz0-9 .,\-]{1,4000}")
_LONGEST = 200


class Shape(Protocol):
    """A shape with its own SVG element."""

    def svg(self) -> str:
        """The element as text."""


@cache
def file_text(name: str) -> str:
    """The text of a file of the kit."""
    return resources.files("endsight.board").joinpath(name).read_text(encoding="utf-8")


@cache
def palette() -> frozenset[str]:
    """Names of all colours."""
    return frozenset(re.findall(r"--([a-z0-9-]+):", file_text("palette.css")))


@cache
def drawings() -> dict[str, str]:
    """The `<symbol>` elements of `pieces.svg` by name, without the prefix `es-`."""
    found = re.finditer(r'<symbol id="es-([a-z0-9-]+)".*</symbol>', file_text("pieces.svg"))
    return {each[1]: each[0] for each in found}


def number(value: float) -> str:
    """A length, rounded to hundredths; `UsageError` if it is not a number."""
    if not isinstance(value, int | float) or not isfinite(value):
        raise UsageError("a length in a drawing must be a number", found=repr(value))
    return f"{round(value, 2):g}"


def safe(text: str) -> str:
    """A text escaped for elements and attributes, cut if it is long."""
    return escape(shortened(printable(text), _LONGEST))


def text_width(text: str, size: float) -> float:
    """The approximate width of a bold text: an estimate, as no font is available."""
    return size * sum(_widths(sign) for sign in text)


def _widths(sign: str) -> float:
    if sign in "ilj.,:;'|! ()[]":
        return 0.36
    return 0.92 if sign in "mwMW@%…" or ord(sign) > 0x2E00 else 0.72 if sign.isupper() else 0.64


def placed(box: Rect | Use | Box) -> str:
    """The attributes x, y, width and height."""
    sides = {"x": box.x, "y": box.y, "width": box.width, "height": box.height}
    return " ".join(f'{name}="{number(side)}"' for name, side in sides.items())


def _colour(name: str) -> str:
    if name not in palette():
        raise UsageError("no such colour in the palette", found=repr(name), allowed=", ".join(sorted(palette())))
    return f"var(--{name})"


def _painted(fill: str | None, line: str | None, thick: float) -> str:
    """Attributes for the inside and the outline."""
    painted = f' fill="{_colour(fill)}"' if fill else ' fill="none"'
    return painted + (f' stroke="{_colour(line)}" stroke-width="{number(thick)}"' if line else "")


@dataclass(frozen=True)
class Rect:
    """A rectangle with corners rounded by `round`."""

    x: float
    y: float
    width: float
    height: float
    fill: str | None = "board"
    round: float = 0
    line: str | None = None
    thick: float = 2.5

    def svg(self) -> str:
        """`<rect>`."""
        corner = f' rx="{number(self.round)}"' if self.round else ""
        return f"<rect {placed(self)}{corner}{_painted(self.fill, self.line, self.thick)}/>"


@dataclass(frozen=True)
class Circle:
    """A circle by its middle and radius."""

    x: float
    y: float
    radius: float
    fill: str | None = "pip"
    line: str | None = None
    thick: float = 2.5

    def svg(self) -> str:
        """`<circle>`."""
        x, y, radius = map(number, (self.x, self.y, self.radius))
        return f'<circle cx="{x}" cy="{y}" r="{radius}"{_painted(self.fill, self.line, self.thick)}/>'


@dataclass(frozen=True)
class Path:
    """An outline in the words of SVG's `d`."""

    outline: str
    fill: str | None = None
    line: str | None = "edge"
    thick: float = 2.5

    def svg(self) -> str:
        """`<path>`; `UsageError` for an invalid outline."""
        if not _OUTLINE.fullmatch(self.outline):
            raise UsageError(
                "no outline of a drawing", found=repr(self.outline[:60]), allowed="M, L, C, ... and numbers"
            )
        ends = ' stroke-linecap="round" stroke-linejoin="round"' if self.line else ""
        return f'<path d="{self.outline}"{_painted(self.fill, self.line, self.thick)}{ends}/>'


@dataclass(frozen=True)
class Text:
    """Words in one line around `x` (or from it, or up to it) with their baseline at `y`."""

    text: str
    x: float
    y: float
    size: float
    colour: str = "ink"
    weight: int = 700
    anchor: str = "middle"
    widest: float | None = None
    """Longer texts are squeezed into this width."""

    def svg(self) -> str:
        """`<text>`."""
        size = self.size if self.widest is None else min(self.size, self.widest / max(0.1, text_width(self.text, 1)))
        place = f'x="{number(self.x)}" y="{number(self.y)}" font-size="{number(size)}" font-weight="{int(self.weight)}"'
        anchor = f' class="es-{self.anchor}"' if self.anchor in ("start", "end") else ""
        return f'<text {place} fill="{_colour(self.colour)}"{anchor}>{safe(self.text)}</text>'


@dataclass(frozen=True)
class Use:
    """A drawing of `pieces.svg` by name, such as `disc-a` or `pot`; `turned` by 90 degrees to the right."""

    name: str
    x: float = 0
    y: float = 0
    width: float = 100
    height: float = 100
    turned: bool = False

    def svg(self) -> str:
        """`<use>`; `UsageError` for a drawing that is not in the kit."""
        if self.name not in drawings():
            raise UsageError("no such drawing in the kit", found=repr(self.name), allowed=", ".join(drawings()))
        if not self.turned:
            return f'<use href="#es-{self.name}" {placed(self)}/>'
        turn = f"translate({number(self.x + self.height)} {number(self.y)}) rotate(90)"
        size = f'width="{number(self.width)}" height="{number(self.height)}"'
        return f'<use href="#es-{self.name}" {size} transform="{turn}"/>'
