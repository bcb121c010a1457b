"""Shares and amounts as a report writes them: short, and never more certain than they are."""

from __future__ import annotations

from fractions import Fraction

from endsight.game.numbers import Amount, as_interval, is_enclosed, short_text

EVEN = Fraction(1, 2)
"""The share of each of two players who win equally often; also what rounding adds."""
CLOSE = Fraction(1, 100)
"""Shares this near to one half are given with decimals."""


def percent(share: Amount) -> str:
    """A share as people say it: `54%`, `less than 1%`, near half `50.45%`; both ends of bounds if they differ."""
    bounds = as_interval(share)
    low, high = _percent(bounds.lower), _percent(bounds.upper)
    return f"{low}%" if low == high else f"{low} to {high}%"


def fine_percent(share: Fraction) -> str:
    """A share with two decimals: `62.31%`; a share that is not exactly half is never shown as `50%`."""
    text = amount(100 * share)
    if text == "50" and share != EVEN:
        text = "just under 50" if share < EVEN else "just over 50"
    return f"{text}%"


def points(share: Amount) -> str:
    """A difference of shares: `26 percentage points`."""
    text = percent(share).removesuffix("%")
    return f"{text} percentage {'point' if text in ('1', 'less than 1') else 'points'}"


def _percent(share: Fraction) -> str:
    if 0 < abs(share - EVEN) < CLOSE:
        return fine_percent(share).removesuffix("%")
    if 0 < share < CLOSE / 2:
        return "less than 1"
    return "more than 99" if 1 - CLOSE / 2 <= share < 1 else str(int(100 * share + EVEN))


def amount(number: Amount) -> str:
    """A number with up to two decimals."""
    if is_enclosed(number):
        bounds = as_interval(number)
        low, high = amount(bounds.lower), amount(bounds.upper)
        return low if low == high else f"{low} to {high}"
    if not number.denominator:
        return short_text(number)  # without limit
    rounded = int(abs(100 * Fraction(number)) + EVEN)
    if not rounded and number:
        return "less than 0.01" if number > 0 else "a little less than 0"
    text = f"{rounded // 100:,}.{rounded % 100:02}".rstrip("0").rstrip(".")
    return f"-{text}" if number < 0 and rounded else text
