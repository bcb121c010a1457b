"""The values that fields of states and views of players may hold."""

from __future__ import annotations

from enum import Enum
from typing import Any


def is_natural(value: Any) -> bool:
    """Whether fields of states and views of players may hold that value."""
    if isinstance(value, tuple | frozenset):
        return all(map(is_natural, value))
    return value is None or type(value) in (int, bool, str) or isinstance(value, Enum)
