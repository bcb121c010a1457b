"""Short texts of messages."""

from __future__ import annotations


def shortened(text: str, length: int = 60) -> str:
    """The text, or its beginning if it is longer."""
    return text if len(text) <= length else text[: length - 1] + "…"


def ending(moves: str, length: int) -> str:
    """Moves joined by blanks, or the last of them if they are longer."""
    return moves if len(moves) <= length else "… " + moves[-length:].partition(" ")[2]


def did_you_mean(name: str | None) -> str:
    """The end of a message about an unknown name, where a similar one is known."""
    return f": did you mean {name!r}?" if name else ""
