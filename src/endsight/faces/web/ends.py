"""Proven ends as short texts that are true as well: never rounded inwards."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from math import ceil, floor
from typing import Any

from endsight.game.numbers import decimal_text

__all__ = ["high_end", "low_end"]

_LONGEST = 20
_DIGITS = 6


def low_end(end: Mapping[str, Any]) -> str:
    """A lower end from a JSON document: exact where that is short, else a decimal that is not above it."""
    return _text(end, floor)


def high_end(end: Mapping[str, Any]) -> str:
    """An upper end: exact where that is short, else a decimal that is not below it."""
    return _text(end, ceil)


def _text(end: Mapping[str, Any], rounded: Callable[[Fraction], int]) -> str:
    exact = end["exact"]
    if exact is not None and len(exact) <= _LONGEST:
        return str(exact)
    top, _, below = (exact or end["exact_hex"]).partition("/")
    base = 10 if exact is not None else 16
    value = Fraction(int(top, base), int(below or "1", base))
    return decimal_text(Fraction(rounded(value * 10**_DIGITS), 10**_DIGITS), _DIGITS)
