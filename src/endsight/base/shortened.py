"""Shortened texts."""

from __future__ import annotations


def shortened(text: str, length: int = 60) -> str:
    """The text, or its beginning if it is longer."""
    return text if len(text) <= length else text[: length - 1] + "…"
