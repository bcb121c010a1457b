"""A fixed scene: one picture with pieces at their places, which shrinks with the page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

from endsight.board.marks import origin_svg, place_svg, ring_svg, wash_svg
from endsight.board.parts import Box, Marks, Place, Placed, Shape, number, safe

_MOST_WIDE, _MOST_HIGH = 690.0, 500.0


@dataclass(frozen=True)
class Line:
    """A stroke from the middle of one box to that of another, as through a winning line."""

    x: float
    y: float
    to_x: float
    to_y: float

    def svg(self) -> str:
        """`<path>`."""
        ends = [number(each) for each in (self.x, self.y, self.to_x, self.to_y)]
        return f'<path class="es-line" d="M{ends[0]} {ends[1]}L{ends[2]} {ends[3]}"/>'


@dataclass(frozen=True)
class Scene:
    """The ground, the pieces on it in order, the places, and the top layer.

    `width` and `height` are in units; a cell usually has 100. `scale` is the most pixels per unit.
    """

    title: str
    width: float
    height: float
    ground: tuple[Shape | Placed, ...]
    items: tuple[Shape | Placed, ...] = ()
    places: tuple[Place, ...] = ()
    over: tuple[Shape, ...] = ()
    scale: float = 0.9

    def size(self, widest: float = _MOST_WIDE, highest: float = _MOST_HIGH) -> tuple[float, float]:
        """Width and height in pixels."""
        scale = min(self.scale, widest / self.width, highest / self.height)
        return self.width * scale, self.height * scale

    def inside(self, marks: Marks, last: str | None) -> str:
        """Its whole content, with marks at the legal moves and a ring around the last one."""
        marked = [(place, marks[place.move]) for place in self._shared(marks)]
        drawn = [item.svg() for item in self.ground]
        drawn += [wash_svg(place, mark) for place, mark in marked]
        drawn += [item.svg() for item in self.items]
        drawn += [ring_svg(place) for place in self.places if place.made and place.move == last]
        origins = {place.origin: place for place, mark in marked if place.origin is not None and mark.href is not None}
        drawn += [origin_svg(place) for place in origins.values()]
        drawn += [place_svg(place, mark, self.width) for place, mark in marked]
        return "".join([*drawn, *(shape.svg() for shape in self.over)])

    def _shared(self, marks: Marks) -> Iterator[Place]:
        """The places of moves with a mark; places with the same box get a stripe of it each."""
        legal = [place for place in self.places if not place.made and place.move in marks]
        counts, used = Counter(place.box for place in legal), Counter[Box]()
        # The best move comes last, so that nothing covers its ring.
        for place in sorted(legal, key=lambda place: marks[place.move].sign == "best"):
            yield replace(place, box=place.box.stripe(used[place.box], counts[place.box]))
            used[place.box] += 1

    def svg_element(self, marks: Marks, last: str | None, where: str, size: tuple[float, float]) -> str:
        """`<svg>` of that size in pixels; `where` are more attributes."""
        view = f'viewBox="0 0 {number(self.width)} {number(self.height)}"'
        sides = f'width="{number(size[0])}" height="{number(size[1])}"'
        about = f'role="group" aria-label="{safe(self.title)}"'
        return f"<svg {where} {view} {sides} {about}>{self.inside(marks, last)}</svg>"

    def html(self, marks: Marks, last: str | None) -> str:
        """The scene for a page."""
        return self.svg_element(marks, last, 'class="es-scene" xmlns="http://www.w3.org/2000/svg"', self.size())

    def laid_out(self, marks: Marks, last: str | None, y: float, width: float) -> tuple[str, float]:
        """The scene centred in a picture of that width from `y` on, and its height."""
        size = self.size(width)
        where = f'x="{number((width - size[0]) / 2)}" y="{number(y)}"'
        return self.svg_element(marks, last, where, size), size[1]
