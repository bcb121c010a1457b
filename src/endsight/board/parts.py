"""The parts of boards: the shapes of pieces, boxes, pieces, places for moves, and marks on them.

Shapes are plain data, written as SVG elements. Colours are names of the palette (`palette.css`), drawings are those of
`pieces.svg`, and texts are escaped, so nothing foreign gets into a picture. Lengths are in the units of the surrounding
element, x to the right and y down.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from html import escape
from importlib import resources
from math import isfinite
from typing import Literal, NamedTuple, Protocol, TypeAlias, get_args

from endsight.base.faults import UsageError
from endsight.base.printable import printable
from endsight.base.shortened import shortened

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


Sign: TypeAlias = Literal["best", "good", "even", "bad", "open", "plain"]
"""The quality of a move: the best, as good or winning, drawn, worse, not proven; `plain` means none of these."""


class Box(NamedTuple):
    """A rectangle: its upper left corner, width and height."""

    x: float
    y: float
    width: float
    height: float

    @property
    def middle(self) -> tuple[float, float]:
        """The centre."""
        return self.x + self.width / 2, self.y + self.height / 2

    def moved(self, right: float, down: float) -> Box:
        """The same box elsewhere."""
        return Box(self.x + right, self.y + down, self.width, self.height)

    def stripe(self, number: int, count: int) -> Box:
        """One of `count` vertical stripes of equal width, from 0."""
        return Box(self.x + self.width * number / count, self.y, self.width / count, self.height)

    def inside(self, margin: float) -> Box:
        """The box that is smaller by a margin on every side."""
        return Box(self.x + margin, self.y + margin, self.width - 2 * margin, self.height - 2 * margin)


@dataclass(frozen=True)
class Piece:
    """A piece with a title for people who cannot see it, in its own box from (0, 0)."""

    title: str
    shapes: tuple[Shape, ...]
    width: float = 100
    height: float = 100

    def svg(self) -> str:
        """Its title and its shapes."""
        return f"<title>{safe(self.title)}</title>" + "".join(shape.svg() for shape in self.shapes)


@dataclass(frozen=True)
class Placed:
    """A piece on a scene, as large as fits into a box; `faded` if it is out of play."""

    piece: Piece
    box: Box
    faded: bool = False

    def svg(self) -> str:
        """The piece as a group."""
        x, y, width, height = self.box
        scale = min(width / self.piece.width, height / self.piece.height)
        left, top = x + (width - scale * self.piece.width) / 2, y + (height - scale * self.piece.height) / 2
        move = f"translate({number(left)} {number(top)}) scale({scale:.4g})"
        faded = ' class="es-faded"' if self.faded else ""
        return f'<g role="img" transform="{move}"{faded}>{self.piece.svg()}</g>'


@dataclass(frozen=True)
class Place:
    """A place on a scene for a possible move, or for one already made (`made`).

    `move` is its text. `origin` is the box of the piece that moves, for moves from one place to another. A mark is
    written into `label` (the box itself where that is None), or into a pill at an edge of the box, so that the content
    stays visible.
    """

    move: str
    box: Box
    round: float = 10
    origin: Box | None = None
    label: Box | None = None
    pill: bool = False
    made: bool = False


@dataclass(frozen=True)
class Mark:
    """The information about a move on the board.

    `href` is the target of a click (None: none), `label` its text for people who cannot see it, `sign` the quality of
    the move for its player, `words` up to two short lines, such as `("win", "in 17")` or `("61 %",)`.
    """

    href: str | None = None
    label: str = ""
    sign: Sign = "plain"
    words: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.sign not in get_args(Sign):
            raise UsageError("no such sign of a mark", found=repr(self.sign), allowed=", ".join(get_args(Sign)))


Marks: TypeAlias = Mapping[str, Mark]
"""Marks by the text of the move."""
