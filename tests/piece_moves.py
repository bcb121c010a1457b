"""Pieces on the boards of pages, moved as a person moves them."""

from __future__ import annotations

from typing import Any


def move_piece(page: Any, piece: Any, target: Any, way: str) -> None:
    """Bring a piece to a target by `two clicks`, or by a drag of the mouse."""
    if way == "two clicks":
        piece.click()
        assert page.locator(".es-target").count() == 1
        target.click()
        return
    for place, act in ((piece, page.mouse.down), (target, page.mouse.up)):
        box = place.bounding_box()
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, steps=4)
        act()
