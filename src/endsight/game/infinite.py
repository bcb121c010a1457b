"""Infinite amounts, which occur only as ends of intervals."""

from __future__ import annotations

from fractions import Fraction
from typing import Any


class Infinite(Fraction):
    """Plus infinity (`sign` 1) or minus infinity (-1): used only for both ends of an unlimited amount.

    It has the homogeneous coordinates 1/0 or -1/0. Sums with numbers, and products with numbers above 0, leave it
    unchanged; two of the same sign count as equal, so that their difference is 0.
    """

    sign: int

    def __new__(cls, sign: int) -> Infinite:
        """Above all numbers for 1, below them for -1."""
        made = super().__new__(cls, sign)
        made.sign = sign
        return made

    @property
    def numerator(self) -> int:
        """1 or -1."""
        return self.sign

    @property
    def denominator(self) -> int:
        """0, which no number has."""
        return 0

    def __repr__(self) -> str:
        return f"Infinite({self.sign})"

    def __str__(self) -> str:
        return "infinity" if self.sign > 0 else "-infinity"

    def __bool__(self) -> bool:
        return True

    def __neg__(self) -> Infinite:
        return Infinite(-self.sign)

    def __add__(self, other: Any) -> Any:
        return self

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        return Fraction(0) if other == self else self

    def __rsub__(self, other: Any) -> Any:
        return -self

    def __mul__(self, other: Any) -> Any:
        assert other, "no amount without limit is multiplied by 0"
        return self if other > 0 else -self

    __rmul__ = __truediv__ = __mul__

    def __eq__(self, other: object) -> bool:
        return type(other) is Infinite and other.sign == self.sign

    __hash__ = Fraction.__hash__

    def __lt__(self, other: Any) -> bool:
        return self.sign < 0 and other != self

    def __gt__(self, other: Any) -> bool:
        return self.sign > 0 and other != self

    def __le__(self, other: Any) -> bool:
        return not self > other

    def __ge__(self, other: Any) -> bool:
        return not self < other
