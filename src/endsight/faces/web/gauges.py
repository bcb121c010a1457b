"""The places in the drawing of the values along a game; `gauges.html` draws it, and the bars of pages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from endsight.base.shortened import shortened

_HEIGHT, _EDGE = 132, 16
_NARROW_SCREEN, _WIDE_SCREEN = 302, 720
_LABELS = 104
"""Room at the left for the names of both sides, on wide screens."""
_NAMED = 15
"""The number of characters that fit there."""
_LEAST_STEP, _LEAST_OF_MANY, _MANY = 44, 26, 30


def graph(view: Mapping[str, Any], is_wide: bool) -> dict[str, Any]:
    """Return the sizes, the axis, the line and the points of the drawing, for a wide or a narrow screen."""
    points: Sequence[Mapping[str, Any]] = view["points"]
    start, room = (_LABELS, _WIDE_SCREEN) if is_wide else (8, _NARROW_SCREEN)
    gaps, least = len(points) - 1, _LEAST_STEP if len(points) < _MANY else _LEAST_OF_MANY
    step = max(least, (room - start - 44) / max(1, gaps))
    base = _HEIGHT - 32 if view["one_sided"] else _HEIGHT / 2 - 8
    half = base - _EDGE
    places = [(start + 22 + step * number, base - half * point["height"]) for number, point in enumerate(points)]
    line = "M" + " L".join(f"{x:.1f} {y:.1f}" for x, y in places)
    top, bottom = (shortened(view[end], _NAMED) if is_wide else "" for end in ("top", "bottom"))
    names = [_name(point, step, len(points)) for point in points]
    # A long last name would pass the edge.
    past = [0.0] * gaps + [max(0.0, len(names[-1]) * 4.3 - 20)]
    return {
        "width": max(room, round(start + 44 + step * gaps)),
        "height": _HEIGHT,
        "start": start,
        "base": base,
        "high": base - half + 5,
        "low": (base if view["one_sided"] else base + half) + 5,
        "top": top,
        "bottom": bottom,
        "line": line,
        "area": f"{line} L{places[-1][0]:.1f} {base:.1f} L{places[0][0]:.1f} {base:.1f}z",
        "hit": max(24.0, min(44.0, step)),
        "points": [
            {**point, "x": x, "y": y, "name": name, "past": beyond}
            for point, (x, y), name, beyond in zip(points, places, names, past, strict=True)
        ],
    }


def _name(point: Mapping[str, Any], step: float, count: int) -> str:
    """Return the label below a point: the move where it fits, else its number at some points."""
    if not point["number"]:
        return "start"
    if len(point["move"]) * 8.5 <= step + 4:
        return str(point["move"])
    return str(point["number"]) if count < _MANY or point["number"] % 5 == 0 else ""
