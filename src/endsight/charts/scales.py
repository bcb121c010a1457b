"""From exact numbers to coordinates in a picture, and round numbers for its axes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor

from endsight.game.numbers import Number, short_decimal


@dataclass(frozen=True)
class Scale:
    """Maps numbers from `low` to `high` to coordinates from `start` to `end`; exact until the very last step."""

    low: Fraction
    high: Fraction
    start: float
    end: float

    def __call__(self, value: Number) -> float:
        """The coordinate of the number."""
        share = float((value - self.low) / (self.high - self.low))
        return self.start + share * (self.end - self.start)

    def ticks(self, most: int = 6) -> list[Fraction]:
        """Round numbers between the ends: steps of 1, 2 or 5 times a power of ten."""
        step = _step(self.high - self.low, most)
        return [step * count for count in range(ceil(self.low / step), floor(self.high / step) + 1)]


def spread(values: Sequence[Number], *, from_zero: bool = False) -> tuple[Fraction, Fraction]:
    """Distinct ends of a scale that holds all the values, at round numbers."""
    low, high = Fraction(min(values)), Fraction(max(values))
    if from_zero:
        low, high = min(low, Fraction(0)), max(high, Fraction(0))
    if low == high:
        low, high = low - 1, high + 1
    step = _step(high - low, 6)
    return floor(low / step) * step, ceil(high / step) * step


def _step(width: Fraction, most: int) -> Fraction:
    """The smallest round step that divides `width` into at most `most` parts."""
    exponent = len(str(int(width))) - 1 if width >= 1 else -len(str(int(1 / width)))
    step: Fraction = Fraction(10 ** max(0, exponent), 100 * 10 ** max(0, -exponent))
    while True:
        for factor in (1, 2, 5):
            if width / (step * factor) <= most:
                return step * factor
        step *= 10


def tick_text(value: Number) -> str:
    """A number on an axis."""
    size = abs(Fraction(value))
    if size >= 10**9:
        digits = len(str(int(size))) - 1
        return f"{short_decimal(Fraction(value, 10**digits), digits=2).removeprefix('≈ ')}e{digits}"
    return short_decimal(value).removeprefix("≈ ").replace("-", "−")
