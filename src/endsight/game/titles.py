"""Parameters of games in titles and documents: as text, or as count and SHA-256 where they are long."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from endsight.game.field_texts import value_text
from endsight.game.numbers import count_text, number_document

if TYPE_CHECKING:
    from endsight.game import Game

LONGEST_LIST = 1000
"""Documents hold the count and the SHA-256 of longer lists."""
LONGEST_TEXT = 40
"""Titles hold the count and the SHA-256 of longer values, so that two games never read the same."""


def digest(value: Sequence[Any]) -> dict[str, Any]:
    """`count` of a list, and the `sha256` of its JSON text without blanks."""
    return {"count": len(value), "sha256": _hash(value)}


def _hash(value: Any) -> str:
    from hashlib import sha256  # loads OpenSSL, for long parameters alone

    return sha256(json.dumps(value, separators=(",", ":"), default=number_document).encode()).hexdigest()


def shown_value(value: Any) -> str:
    """The same where it is short, else `(1,200 items, SHA-256 83dbc9f7...)`, with all digits of the hash.

    `value` may also be what a document has in place of a long list.
    """
    if isinstance(value, Mapping) and "sha256" in value:
        return f"({count_text(value['count'], 'item')}, SHA-256 {value['sha256']})"
    text = str(value["exact"]) if isinstance(value, Mapping) and "exact" in value else value_text(value)
    if len(text) <= LONGEST_TEXT:
        return text
    count = count_text(len(value), "item") if isinstance(value, tuple | list) else count_text(len(text), "character")
    return f"({count}, SHA-256 {_hash(value)})"


def shown_parameters(game: Game) -> list[str]:
    """`key=value` for each parameter that is not the default; a list that comes first stands without its key."""
    values, kind = game.values(), type(game)
    first = next(iter(values), None)
    return [
        shown_value(value) if key == first and isinstance(value, tuple) else f"{key}={shown_value(value)}"
        for key, value in values.items()
        if not hasattr(kind, key) or getattr(kind, key) != value
    ]
