"""What fields of states may hold, and what players may see."""

from __future__ import annotations

from enum import Enum
from typing import Any


def is_natural(value: Any) -> bool:
    """Whether fields of states may hold that, and whether players may see it."""
    if isinstance(value, tuple | frozenset):
        return all(map(is_natural, value))
    return value is None or type(value) in (int, bool, str) or isinstance(value, Enum)
