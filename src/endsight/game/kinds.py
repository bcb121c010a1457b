"""Classes of numbers that rules derive from `int` and `Fraction`."""

from __future__ import annotations

import operator
from fractions import Fraction
from functools import cache
from inspect import getattr_static
from typing import Any

_SHOWN = {"__abstractmethods__", "_abc_impl", "__doc__", "__format__", "__module__", "__new__", "__repr__"}
_SHOWN |= {"__slots__", "__str__"}
"""What such a class may have of its own."""
_IN_PLACE = {name for name in vars(operator) if name.startswith("__i")}


def counts(value: object) -> bool:
    """Whether a value, such as a member of an IntEnum, calculates and compares as an `int` or a `Fraction` does."""
    kind: Any = type(value)
    return _is_plain(kind)


@cache
def _is_plain(kind: Any) -> bool:
    base = Fraction if issubclass(kind, Fraction) else int
    names = (vars(base).keys() | _IN_PLACE) - _SHOWN
    is_derived = issubclass(kind, base) and kind is not bool
    return is_derived and all(getattr_static(kind, each, None) is getattr_static(base, each, None) for each in names)
