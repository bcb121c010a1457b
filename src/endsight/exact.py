"""What counts as a number here: an `int` or a `Fraction`, never a float or a bool."""

from __future__ import annotations

from fractions import Fraction
from typing import TypeAlias, TypeGuard, TypeVar

__all__ = ["Number", "is_exact", "simplest"]

Number: TypeAlias = int | Fraction
T = TypeVar("T")


def is_exact(value: object) -> TypeGuard[Number]:
    """Whether `value` is a number this package calculates with (no bool, no float)."""
    return isinstance(value, int | Fraction) and not isinstance(value, bool)


def simplest(value: T) -> T | int:
    """The same number, as `int` where it is whole."""
    return value.numerator if isinstance(value, Fraction) and value.denominator == 1 else value
