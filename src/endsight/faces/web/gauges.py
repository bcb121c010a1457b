"""Drawings inside pages, made with attributes alone: bars, the evaluation bar, and the values along a game."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from markupsafe import Markup

from endsight.base.printable import printable
from endsight.base.shortened import shortened

_LONG, _WIDE = 1000, 100
"""Units along and across an evaluation bar; it is stretched to fit its place."""
_HIGH, _EDGE = 132, 16
_NARROW_SCREEN, _WIDE_SCREEN = 302, 720
_LABELS = 104
"""Room at the left for the names of both sides."""
_NAMED = 15
"""The number of characters that fit there."""
_LEAST_STEP = 44


def bar(share: float, width: int = 160) -> Markup:
    """Draw a bar for a share from 0 to 1; the number itself appears beside it."""
    length = max(1.0, min(1.0, share) * width) if share > 0 else 0.0
    return Markup(
        '<svg class="bar" width="{}" height="12" viewBox="0 0 {} 12" aria-hidden="true">'
        '<rect x="0" y="1" width="{:.1f}" height="10" rx="2"/></svg>'
    ).format(width, width, length)


def split(share: float) -> Markup:
    """Draw a small bar shared by two players."""
    at = max(0.0, min(1.0, share)) * 100
    return Markup(
        '<svg class="split" width="100" height="14" viewBox="0 0 100 14" preserveAspectRatio="none" aria-hidden="true">'
        '<rect class="fill-b" width="100" height="14"/><rect class="fill-a" width="{0:.1f}" height="14"/>'
        '<rect class="fill-card" x="{1:.1f}" width="2" height="14"/></svg>'
    ).format(at, at - 1)


def balance(view: Mapping[str, Any], one: bool) -> Markup:
    """Draw the evaluation bar, vertical and horizontal; a style sheet shows one. With `one` player it has a scale."""
    return Markup('<div class="eval" role="img" aria-label="{0}" title="{0}">{1}{2}{3}</div>').format(
        printable(view["label"]), _bar(view, one, upright=True), _bar(view, one, upright=False), _texts(view)
    )


def _texts(view: Mapping[str, Any]) -> Markup:
    return Markup('<span class="hi">{}</span><span class="lo">{}</span>').format(view["second"], view["first"])


def _bar(view: Mapping[str, Any], one: bool, *, upright: bool) -> Markup:
    low, high = (round(view[end] * _LONG) for end in ("low", "high"))
    back, fill = ("fill-sunk", "fill-good") if one else ("fill-b", "fill-a")
    parts = [_piece(back, 0, _LONG, upright), _piece(fill, 0, low, upright)]
    if high > low:
        parts.append(_piece("fill-open", low, high, upright))
    parts.append(_piece("fill-card", high - 4, high + 4, upright))
    if not one:
        parts.append(_piece("middle", _LONG // 2 - 2, _LONG // 2 + 2, upright))
    elif view["tick"] is not None:
        tick = round(view["tick"] * _LONG)
        parts.append(_piece("tick", tick - 3, tick + 3, upright))
    width, height = (_WIDE, _LONG) if upright else (_LONG, _WIDE)
    return Markup('<svg class="{}" viewBox="0 0 {} {}" preserveAspectRatio="none" aria-hidden="true">{}</svg>').format(
        "up" if upright else "across", width, height, Markup("").join(parts)
    )


def _piece(look: str, start: int, end: int, upright: bool) -> Markup:
    """Draw a stretch of the bar; vertical bars begin at the bottom."""
    start, end = max(0, start), min(_LONG, end)
    x, y, width, height = (0, _LONG - end, _WIDE, end - start) if upright else (start, 0, end - start, _WIDE)
    return Markup('<rect class="{}" x="{}" y="{}" width="{}" height="{}"/>').format(look, x, y, width, height)


# ---------------------------------------------------------------------- along a game


def course(view: Mapping[str, Any], here: int, address: Callable[[int], str]) -> Markup:
    """Draw the values along a game, for wide and narrow screens; each point links to `address` of its move number."""
    return Markup("{}{}").format(
        _graph(view, here, address, _WIDE_SCREEN, "wide"), _graph(view, here, address, _NARROW_SCREEN, "narrow")
    )


def _graph(view: Mapping[str, Any], here: int, address: Callable[[int], str], room: int, name: str) -> Markup:
    points: Sequence[Mapping[str, Any]] = view["points"]
    start = _LABELS if room == _WIDE_SCREEN else 8
    step = max(_LEAST_STEP if len(points) < 30 else 26, (room - start - 44) / max(1, len(points) - 1))
    width = max(room, round(start + 44 + step * (len(points) - 1)))
    base = _HIGH - 32 if view["one_sided"] else _HIGH / 2 - 8
    half = base - _EDGE
    places = [(start + 22 + step * place, base - half * point["height"]) for place, point in enumerate(points)]
    parts = [_areas(places, base, name), _axis(view, base, half, width, start)]
    parts += [_point(point, *place, step, here, address, points) for point, place in zip(points, places, strict=True)]
    return Markup(
        '<div class="scroll es-{0}" tabindex="0" role="group" aria-label="{1}"><svg width="{2}" height="{3}"'
        ' viewBox="0 0 {2} {3}">{4}</svg></div>'
    ).format(name, printable(view["title"]), width, _HIGH, Markup("").join(parts))


def _areas(places: Sequence[tuple[float, float]], base: float, name: str) -> Markup:
    """Fill the area between the line and the level, in the colour of the player who is ahead."""
    line = " L".join(f"{x:.1f} {y:.1f}" for x, y in places)
    around = f"M{line} L{places[-1][0]:.1f} {base:.1f} L{places[0][0]:.1f} {base:.1f}z"
    return Markup(
        '<defs><clipPath id="above-{0}"><rect width="99999" height="{1:.1f}"/></clipPath>'
        '<clipPath id="below-{0}"><rect y="{1:.1f}" width="99999" height="999"/></clipPath></defs>'
        '<path class="area-a" d="{2}" clip-path="url(#above-{0})"/>'
        '<path class="area-b" d="{2}" clip-path="url(#below-{0})"/>'
        '<path class="course" d="M{3}"/>'
    ).format(name, base, around, line)


def _axis(view: Mapping[str, Any], base: float, half: float, width: int, start: int) -> Markup:
    top, bottom = ("", "") if start != _LABELS else (view["top"], view["bottom"])
    low = base if view["one_sided"] else base + half
    return Markup(
        '<path class="axis" d="M{0} {1:.1f}H{2}"/><g class="gl"><text x="2" y="{3:.1f}">{4}</text>'
        '<text x="2" y="{5:.1f}">{6}</text></g>'
    ).format(start, base, width, base - half + 5, shortened(top, _NAMED), low + 5, shortened(bottom, _NAMED))


def _point(
    point: Mapping[str, Any],
    x: float,
    y: float,
    step: float,
    here: int,
    address: Callable[[int], str],
    points: Sequence[Mapping[str, Any]],
) -> Markup:
    number, is_here = point["number"], point["number"] == here
    label = f"{'start' if not number else 'after ' + point['move']}: {point['text']}"
    label += " (a mistake)" if point["is_mistake"] else ""
    looks = "mistake" if point["is_mistake"] else "point"
    ring = Markup('<circle class="here" cx="{:.1f}" cy="{:.1f}" r="10"/>').format(x, y) if is_here else ""
    sign = (
        Markup('<text class="gq" x="{:.1f}" y="{:.1f}">?</text>').format(x, y - 12 if y > 30 else y + 25)
        if point["is_mistake"]
        else ""
    )
    wide = max(24.0, min(44.0, step))
    name = _name(point, step, len(points))
    # A long last name would pass the edge.
    past = max(0.0, len(name) * 4.3 - 20) if point is points[-1] else 0.0
    return Markup(
        '<a href="{}" data-swap aria-label="{}"{}><title>{}</title>'
        '<rect class="hit" x="{:.1f}" y="0" width="{:.1f}" height="{}"/>'
        '{}<circle class="{}" cx="{:.1f}" cy="{:.1f}" r="5.5"/>{}<text class="gx{}" x="{:.1f}" y="{}">{}</text></a>'
    ).format(
        address(number),
        printable(label),
        Markup(' aria-current="true"') if is_here else "",
        printable(label),
        x - wide / 2,
        wide,
        _HIGH,
        ring,
        looks,
        x,
        y,
        sign,
        " now" if is_here else "",
        x - past,
        _HIGH - 4,
        printable(name),
    )


def _name(point: Mapping[str, Any], step: float, count: int) -> str:
    """Return the label below a point: the move where it fits, else its number at some points."""
    if not point["number"]:
        return "start"
    if len(point["move"]) * 8.5 <= step + 4:
        return str(point["move"])
    return str(point["number"]) if count < 30 or point["number"] % 5 == 0 else ""
