"""Values and what is proven about them, in one form: tests compare both in the same way."""

from __future__ import annotations

from fractions import Fraction

from endsight import Interval

__all__ = ["as_range"]


def as_range(value: int | Fraction | Interval) -> Interval:
    """The interval in which a value lies: of no width where the value is exact."""
    return value if isinstance(value, Interval) else Interval(Fraction(value), Fraction(value))
