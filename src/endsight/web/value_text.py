"""Parameter values as the text that `key=value` in a game's name has."""

from __future__ import annotations

from typing import Any

__all__ = ["value_text"]


def value_text(value: Any) -> str:
    """`yes`, `x` for unknown, `3-4-5`, `1-2-3/4-5-6`; anything else as it is printed."""
    if isinstance(value, tuple):
        return ("/" if value and isinstance(value[0], tuple) else "-").join(map(value_text, value))
    if value is None or isinstance(value, bool):
        return {None: "x", True: "yes", False: "no"}[value]
    return str(value)
