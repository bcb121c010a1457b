"""The exact numbers of the package: an `int` or a `Fraction`, never a float or a bool."""

from __future__ import annotations

from fractions import Fraction
from typing import TypeAlias, TypeGuard

Number: TypeAlias = int | Fraction


def is_exact(value: object) -> TypeGuard[Number]:
    """Whether `value` is a number this package calculates with (no bool, no float)."""
    return isinstance(value, int | Fraction) and not isinstance(value, bool)
