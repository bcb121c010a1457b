"""How far the mean of a sample can be from what it estimates: proven bounds, no normal approximation.

W. Hoeffding, "Probability inequalities for sums of bounded random variables", Journal of
the American Statistical Association 58 (1963), theorem 1: for n independent numbers
between 0 and 1 with expectation q, the chance that their mean is m or more (m > q) is at
most exp(-n d), where d = m ln(m/q) + (1-m) ln((1-m)/(1-q)) is the Kullback-Leibler
distance. All q for which that bound exceeds half of the risk make the interval.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import Context, Decimal
from fractions import Fraction

from endsight.game.numbers import Interval

__all__ = ["confidence_interval"]

# Logarithms of `decimal` are correctly rounded on every machine; floats' are not.
_EXACTLY = Context(prec=50)
_MARGIN = Decimal("1e-12")
_GRID = 10**9


def confidence_interval(mean: Fraction, count: int, confidence: Fraction) -> Interval:
    """Ends between which the expectation lies with at least that confidence.

    `mean` is that of `count` independent numbers between 0 and 1. The ends are multiples
    of 1e-9, rounded outwards; the same on every machine.
    """
    allowed = _EXACTLY.add(_EXACTLY.ln(_decimal(2 / (1 - confidence))), _MARGIN)

    def is_refuted(place: int) -> bool:
        return _EXACTLY.multiply(_distance(mean, Fraction(place, _GRID)), Decimal(count)) > allowed

    lower = _last(0, mean * _GRID // 1, is_refuted) if mean > 0 else 0
    upper = -_last(-_GRID, -mean * _GRID // 1, lambda place: is_refuted(-place)) if mean < 1 else _GRID
    return Interval(Fraction(lower, _GRID), Fraction(upper, _GRID))


def _last(low: int, high: int, holds: Callable[[int], bool]) -> int:
    """The largest number from `low` on for which what holds at `low` still holds."""
    while low + 1 < high:
        middle = (low + high) // 2
        low, high = (middle, high) if holds(middle) else (low, middle)
    return low


def _distance(mean: Fraction, expectation: Fraction) -> Decimal:
    """Kullback-Leibler distance of two chances."""
    total = Decimal(0)
    for own, other in ((mean, expectation), (1 - mean, 1 - expectation)):
        if own and not other:
            return Decimal("Infinity")
        if own:
            total = _EXACTLY.add(total, _EXACTLY.multiply(_decimal(own), _EXACTLY.ln(_decimal(own / other))))
    return total


def _decimal(value: Fraction) -> Decimal:
    return _EXACTLY.divide(Decimal(value.numerator), Decimal(value.denominator))
