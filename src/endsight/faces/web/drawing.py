"""The SVG that rules draw, rebuilt from elements and attributes that are known to be harmless.

Rules may give `svg(state)`: one `<svg>` element as text. Elements and attributes that
are not listed here are dropped with everything inside them; so are scripts, styles,
links and anything that would load a resource. An element (usually a `<g>`) with
`data-move="a1"` becomes a link for that move where it is legal.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from xml.etree import ElementTree

from endsight.base.printable import printable, printable_lines
from endsight.errors import RulesError
from endsight.game.numbers import count_text

MOST_SIGNS = 200_000
"""Longer drawings are refused."""

_NAMESPACE = "http://www.w3.org/2000/svg"
_ELEMENTS = frozenset("svg g path rect circle ellipse line polyline polygon text tspan title desc".split())  # noqa: SIM905
_PLACES = "x y x1 y1 x2 y2 dx dy cx cy r rx ry width height viewBox points d transform opacity"
_LINES = "stroke stroke-width stroke-dasharray stroke-linecap stroke-linejoin stroke-opacity"
_FILLS = "fill fill-opacity fill-rule font-size font-weight text-anchor dominant-baseline class"
_ATTRIBUTES = frozenset(f"{_PLACES} {_LINES} {_FILLS}".split())
_HARMLESS = re.compile(r"[\w\s.,#%()+\-:]*", re.ASCII)
_COLOURS = re.compile(r"#[0-9a-fA-F]{3,8}|[a-zA-Z]{1,24}")
_CLASSES = re.compile(r"(?:(?:first|second|third|field|edge|label|mark|best|hint|chance)\s*)*")


def rebuilt(text: str, links: Mapping[str, tuple[str, str]] | None = None) -> str:
    """Return the drawing with only shapes, texts, and links for moves.

    `links` gives the address and the label of each legal move, by its text.
    Raises `RulesError` where `text` is not one SVG element, or is too long.
    """
    if not isinstance(text, str) or len(text) > MOST_SIGNS:
        raise RulesError("svg gave no drawing", found=_found(text), allowed=f"text of up to {MOST_SIGNS:,} signs")
    if "<!" in text or "<?" in text:
        raise RulesError("svg gave more than a drawing", found="<! or <?", allowed="one <svg> element")
    try:
        root = ElementTree.fromstring(text)
    except (ElementTree.ParseError, ValueError) as error:  # ValueError: a lone surrogate
        raise RulesError("svg gave no readable drawing", found=str(error), allowed="one <svg> element") from error
    if _name(root) != "svg":
        raise RulesError("svg gave no drawing", found=f"<{_name(root)}>", allowed="one <svg> element")
    made = _copy(root, links or {})
    assert made is not None
    made.set("xmlns", _NAMESPACE)
    made.set("role", "group")
    return ElementTree.tostring(made, encoding="unicode")


def _found(text: object) -> str:
    return count_text(len(text), "sign") if isinstance(text, str) else f"a {type(text).__name__}"


def _name(element: ElementTree.Element) -> str:
    return str(element.tag).removeprefix(f"{{{_NAMESPACE}}}")


def _copy(element: ElementTree.Element, links: Mapping[str, tuple[str, str]]) -> ElementTree.Element | None:
    name = _name(element)
    if name not in _ELEMENTS:
        return None
    made = ElementTree.Element(name, {key: text for key, text in element.items() if _is_harmless(key, text)})
    made.text, made.tail = (printable_lines(part) if part else part for part in (element.text, element.tail))
    move = links.get(element.get("data-move", ""))
    inside = {} if move else links
    for child in element:
        copy = _copy(child, inside)
        if copy is not None:
            made.append(copy)
    return made if move is None or name == "svg" else _linked(made, *move)


def _linked(element: ElementTree.Element, address: str, label: str) -> ElementTree.Element:
    """Put the element inside a link whose label says where it leads."""
    link = ElementTree.Element("a", {"href": address, "class": "move", "aria-label": printable(label), "data-swap": ""})
    link.tail, element.tail = element.tail, None
    link.append(element)
    return link


def _is_harmless(key: str, text: str) -> bool:
    if key not in _ATTRIBUTES or not _HARMLESS.fullmatch(text):
        return False
    if key in ("fill", "stroke"):
        return _COLOURS.fullmatch(text) is not None
    return key != "class" or _CLASSES.fullmatch(text) is not None
