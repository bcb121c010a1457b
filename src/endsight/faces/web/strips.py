"""Small drawings inside pages: who was winning move by move, and bars."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

from endsight.base.printable import printable

__all__ = ["bar", "strip"]

_STEP = 26
_HALF = 34
_MARGIN = 14


def bar(share: float, width: int = 160) -> Markup:
    """A bar for a share from 0 to 1; the number itself stands beside it."""
    length = max(1.0, min(1.0, share) * width) if share > 0 else 0.0
    return Markup(
        '<svg class="bar" width="{}" height="12" viewBox="0 0 {} 12" aria-hidden="true">'
        '<rect x="0" y="1" width="{:.1f}" height="10" rx="2"/></svg>'
    ).format(width, width, length)


def strip(points: Sequence[Mapping[str, Any]]) -> Markup:
    """Who was ahead before each move: above the line the first player, below it the others.

    A point is an upright triangle above, an inverted one below, and a square on the line,
    so the sign says it without the colour. Each has its number as a title.
    """
    top = max((abs(point["height"]) for point in points), default=0.0) or 1.0
    width = 2 * _MARGIN + _STEP * max(1, len(points) - 1)
    middle = _HALF + _MARGIN
    places = [(_MARGIN + _STEP * place, middle - _HALF * point["height"] / top) for place, point in enumerate(points)]
    goes_below = any(point["height"] < 0 for point in points)
    parts = [
        Markup('<line class="axis" x1="0" y1="{0}" x2="{1}" y2="{0}"/>').format(middle, width),
        Markup('<polyline class="course" points="{}"/>').format(" ".join(f"{x:.1f},{y:.1f}" for x, y in places)),
    ]
    parts += [_point(point, x, y) for point, (x, y) in zip(points, places, strict=True)]
    return Markup('<svg class="strip" role="img" width="{0}" height="{1}" viewBox="0 0 {0} {1}">{2}{3}</svg>').format(
        width,
        2 * middle if goes_below else middle + _MARGIN,
        Markup("<title>{}</title>").format(_words(points)),
        Markup("").join(parts),
    )


def _words(points: Sequence[Mapping[str, Any]]) -> str:
    if not points:
        return "no moves yet"
    return printable(f"before the first move: {points[0]['text']}; now: {points[-1]['text']}")


def _point(point: Mapping[str, Any], x: float, y: float) -> Markup:
    label = f"{'start' if point['move'] is None else 'after ' + point['move']}: {point['text']}"
    height = point["height"]
    kind = "ahead" if height > 0 else "behind" if height < 0 else "level"
    shapes = {
        "ahead": f"M{x:.1f} {y - 6:.1f}l6 10h-12z",
        "behind": f"M{x:.1f} {y + 6:.1f}l6 -10h-12z",
        "level": f"M{x - 5:.1f} {y - 5:.1f}h10v10h-10z",
    }
    return Markup('<path class="{}" d="{}"><title>{}</title></path>').format(kind, shapes[kind], printable(label))
