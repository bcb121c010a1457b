"""Whether equal states are identical: everything known about a state is looked up by comparison."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any

_SAFE = ("builtins", "enum", "fractions", "endsight")
"""Modules or packages whose classes compare everything that a value holds."""


def own_equality(value: Any) -> type | None:
    """The class of a state, or of a value inside it, that defines its own equality; None for none."""
    if _compares_apart(value.__class__):
        return type(value)
    if not holds_others(value.__class__):
        return None
    inside = value if isinstance(value, tuple | frozenset) else [getattr(value, each.name) for each in fields(value)]
    kinds = set(map(type, inside))
    if any(map(holds_others, kinds)):
        return next(filter(None, map(own_equality, inside)), None)
    return next(filter(_compares_apart, kinds), None)


@cache
def holds_others(kind: type) -> bool:
    """Whether values of a class hold values."""
    return issubclass(kind, tuple | frozenset) or is_dataclass(kind)


@cache
def _compares_apart(kind: type) -> bool:
    """Whether two values of a class may be equal that do not hold the same."""
    home = next(base for base in kind.__mro__ if "__eq__" in vars(base))
    if is_dataclass(home):
        return not all(each.compare for each in fields(home))
    return home.__module__.partition(".")[0] not in _SAFE
