"""Marks on places: links with a sign, up to two short lines, and arrows for moves between places."""

from __future__ import annotations

from math import hypot

from endsight.board.parts import Box, Mark, Place, number, placed, safe, text_width

_SIGNS = {"best": "sign-best", "good": "sign-good", "even": "sign-even", "bad": "sign-bad", "open": "sign-open"}
_WIDE, _MIDDLING, _NARROW = 4.6, 10, 15
"""Most places across for two lines on a narrow screen; for one line there; for lines on a wide one. Beyond: signs."""


def begun(move: str, mark: Mark, kind: str = "", start: str = "") -> str:
    """The start tag around a place: a link if the mark has an address; `start` names where a move begins."""
    about = f'class="es-place move es-{mark.sign}{kind}" data-move="{safe(move)}"{start}'
    about += f' aria-label="{safe(mark.label or move)}"'
    return f'<a {about} href="{safe(mark.href)}" data-swap="">' if mark.href is not None else f'<g {about} role="img">'


def ended(mark: Mark) -> str:
    """The end tag of the same element."""
    return "</a>" if mark.href is not None else "</g>"


def wash_svg(place: Place, mark: Mark) -> str:
    """The background of a place, in the colour of its sign; pieces are drawn over it."""
    if mark.sign == "plain":
        return ""
    kind = "es-wash es-over" if place.pill else "es-wash"
    return f'<g class="es-{mark.sign}"><rect class="{kind}" {placed(place.box)} rx="{number(place.round)}"/></g>'


def place_svg(place: Place, mark: Mark, wide: float) -> str:
    """A place on a scene of `wide` units with its mark."""
    spot = f'<rect class="es-spot" {placed(place.box)} rx="{number(place.round)}"/>'
    words = _pill(place, mark, wide) if place.pill else _stack(place.label or place.box, mark, wide)
    dot = _dot(place.box) if place.origin is not None and mark.sign == "plain" and mark.href is not None else ""
    return begun(place.move, mark, start=_start(place.origin)) + spot + arrow(place, mark) + words + dot + ended(mark)


def origin_svg(place: Place) -> str:
    """The source of a move: a script lets people choose it first, and then the target."""
    assert place.origin is not None
    box, name = place.origin.inside(3), safe(place.move.rpartition("-")[0] or place.move)
    about = f'{_start(place.origin)} aria-label="{name}: choose it, then where it goes"'
    return f'<rect class="es-origin"{about} {placed(box)} rx="10"/>'


def _start(origin: Box | None) -> str:
    return "" if origin is None else f' data-from="{number(origin.x)} {number(origin.y)}"'


def ring_svg(place: Place) -> str:
    """A ring around the piece moved last."""
    return f'<rect class="es-last" {placed(place.box.inside(2))} rx="{number(place.round)}"/>'


def sign_svg(mark: Mark, x: float, y: float, size: float) -> str:
    """The sign of a mark around a point; nothing for a plain one."""
    name = _SIGNS.get(mark.sign)
    where = placed(Box(x - size / 2, y - size / 2, size, size))
    return f'<use href="#es-{name}" {where}/>' if name else ""


def arrow(place: Place, mark: Mark) -> str:
    """An arrow head between the moving piece and its target."""
    if place.origin is None or mark.sign == "plain":
        return ""
    (x, y), (to_x, to_y) = place.origin.middle, place.box.middle
    length = hypot(to_x - x, to_y - y) or 1
    across, down = (to_x - x) / length, (to_y - y) / length
    size = min(place.box.width, place.box.height) * (0.2 if mark.sign == "best" else 0.15)
    tip = min(place.origin.width, place.origin.height) / 2 + size * 0.9
    at_x, at_y = x + across * tip, y + down * tip
    foot_x, foot_y = at_x - across * size * 1.5, at_y - down * size * 1.5
    points = (
        (at_x, at_y),
        (foot_x - down * size, foot_y + across * size),
        (foot_x + down * size, foot_y - across * size),
    )
    return f'<polygon class="es-arrow" points="{" ".join(f"{number(a)},{number(b)}" for a, b in points)}"/>'


def _dot(box: Box) -> str:
    x, y = box.middle
    return f'<circle class="es-dot" cx="{number(x)}" cy="{number(y)}" r="{number(min(box.width, box.height) * 0.12)}"/>'


def _stack(box: Box, mark: Mark, wide: float) -> str:
    """The sign above the words, in the middle of a box; less of it if many places share the width."""
    (x, y), unit, across = box.middle, min(box.width, box.height) / 100, wide / box.width
    words = mark.words[:2] if across <= _NARROW else ()
    if not words:
        return sign_svg(mark, x, y, 46 * unit)
    heights = {1: (-17, 22), 2: (-27, 8)}[len(words)]
    if mark.sign == "plain":
        heights = {1: (0, 8), 2: (0, -2)}[len(words)]
    lines = _line(words[0], x, y + heights[1] * unit, _fitting(words[0], 25 * unit, box.width * 0.94), 700)
    if len(words) == 2:
        second = _line(words[1], x, y + 31 * unit, _fitting(words[1], 19 * unit, box.width * 0.94), 500)
        lines += second if across <= _WIDE else f'<g class="es-wide">{second}</g>'
    full = sign_svg(mark, x, y + heights[0] * unit, 26 * unit) + lines
    if mark.sign == "plain" and len(words) == 2 and across > _WIDE:
        alone = _line(words[0], x, y + 13 * unit, _fitting(words[0], 38 * unit, box.width * 0.8), 700)
        return f'<g class="es-wide">{full}</g><g class="es-narrow">{alone}</g>'
    if across <= _MIDDLING:
        return full
    return f'<g class="es-wide">{full}</g><g class="es-narrow">{sign_svg(mark, x, y, 46 * unit)}</g>'


def _pill(place: Place, mark: Mark, wide: float) -> str:
    """A pill with sign and word across the edge of a box that no arrow enters; on a narrow screen only the sign."""
    box = place.box
    unit = min(box.width, box.height) / 100
    is_above = place.origin is not None and place.origin.y > box.y
    x, y = box.x + box.width / 2, box.y + (6 * unit if is_above else box.height - 6 * unit)
    if mark.sign == "plain" and not mark.words:
        return ""
    if not mark.words or wide / box.width > _NARROW:
        return sign_svg(mark, x, y, 34 * unit)
    word, size = mark.words[0], 22 * unit
    sign = 0 if mark.sign == "plain" else 26 * unit
    long = text_width(word, size) + sign + 14 * unit
    pill = (
        f'<rect class="es-pill" {placed(Box(x - long / 2, y - 16 * unit, long, 32 * unit))} rx="{number(16 * unit)}"/>'
    )
    left = x - long / 2 + 5 * unit
    text = _line(word, left + sign + (long - sign - 10 * unit) / 2, y + 8 * unit, size, 700)
    full = pill + sign_svg(mark, left + sign / 2, y, sign) + text
    return f'<g class="es-wide">{full}</g><g class="es-narrow">{sign_svg(mark, x, y, 38 * unit)}</g>'


def _fitting(text: str, size: float, widest: float) -> float:
    return min(size, widest / max(0.1, text_width(text, 1)))


def _line(text: str, x: float, y: float, size: float, weight: int) -> str:
    about = f'x="{number(x)}" y="{number(y)}" font-size="{number(size)}" font-weight="{weight}"'
    return f'<text class="es-told" {about}>{safe(text)}</text>'
