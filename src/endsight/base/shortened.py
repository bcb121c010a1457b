"""Texts that are shown in short."""

from __future__ import annotations


def shortened(text: str, length: int = 60) -> str:
    """The text, or its beginning where it is longer."""
    return text if len(text) <= length else text[: length - 1] + "…"
