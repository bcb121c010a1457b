"""Short texts of messages."""

from __future__ import annotations


def shortened(text: str, length: int = 60) -> str:
    """The text, or its beginning if it is longer."""
    return text if len(text) <= length else text[: length - 1] + "…"


def did_you_mean(name: str | None) -> str:
    """The end of a message about an unknown name, where a similar one is known."""
    return f": did you mean {name!r}?" if name else ""
