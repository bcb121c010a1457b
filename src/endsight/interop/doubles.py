"""Fractions that were written down as floats.

OpenSpiel tells payoffs and probabilities as doubles. Most of them stand for a fraction with a small denominator that
was rounded, perhaps several times: 0.16666666666666666 for 1/6. The fraction is taken to be the one with the smallest
denominator (up to a million) that lies within a few roundings of the double. What has no such fraction is refused, and
so are probabilities whose fractions do not add up to exactly 1.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

__all__ = ["fraction_of", "weights_of"]

LARGEST_DENOMINATOR = 1_000_000
ROUNDINGS = 4
"""Units in the last place, of 1 for smaller numbers, by which a double may differ from the fraction it stands for."""


def fraction_of(number: float) -> Fraction | None:
    """The fraction that a double stands for; None where no fraction with a small denominator is near."""
    if not math.isfinite(number):
        return None
    exact = Fraction(number)
    if exact.denominator == 1:
        return exact
    near = exact.limit_denominator(LARGEST_DENOMINATOR)
    return near if abs(near - exact) <= ROUNDINGS * Fraction(math.ulp(max(1.0, abs(number)))) else None


def weights_of(chances: Sequence[float]) -> list[int] | None:
    """Whole numbers in the proportions of probabilities, without a common divisor; None where that is not exact.

    Equal doubles that add up to 1 but for rounding are equal chances, however many they are.
    """
    if len(set(chances)) == 1 and _is_one(chances[0] * len(chances)):
        return [1] * len(chances)
    parts = [fraction_of(chance) for chance in chances]
    fractions = [part for part in parts if part is not None and part > 0]
    if len(fractions) < len(chances) or sum(fractions) != 1:
        return None
    scale = math.lcm(*(part.denominator for part in fractions))
    return [int(part * scale) for part in fractions]


def _is_one(total: float) -> bool:
    return abs(total - 1) <= ROUNDINGS * math.ulp(1.0)
