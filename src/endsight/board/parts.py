"""The parts of boards: boxes, pieces, places for moves, and marks on them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias, get_args

from endsight.base.faults import UsageError
from endsight.board.shapes import Shape, number, safe

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
