"""QR codes of addresses, for telephones: as SVG on a page, and as text in a terminal."""

from __future__ import annotations

from io import StringIO

import segno

__all__ = ["qr_svg", "qr_text"]


def qr_svg(address: str) -> str:
    """The code as an SVG element, dark on light whatever the colours of the page are."""
    return segno.make(address, error="m").svg_inline(border=4, omitsize=True, dark="#000", light="#fff", svgclass="qr")


def qr_text(address: str) -> str:
    """The code as lines of half blocks for a terminal."""
    text = StringIO()
    segno.make(address, error="l").terminal(text, border=2, compact=True)
    return text.getvalue()
