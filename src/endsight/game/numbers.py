"""Exact numbers and their texts.

Inside the package a number is an `int` or a `Fraction`, never a float. This
module turns them into text for people and for JSON.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from endsight.game.exact import Number as Number
from endsight.game.exact import is_exact as is_exact
from endsight.game.infinite import Infinite as Infinite

if TYPE_CHECKING:
    from typing_extensions import TypeIs

# Longer `p/q` texts are written in hexadecimal: CPython refuses to turn whole
# numbers of more than 4 300 decimal digits into text (and back) by default.
LONGEST_EXACT = 4000
# 10 bits make more than 3 digits, so p and q with more bits than this are certainly too long together; with fewer, each
# of them is short enough for CPython.
_SAFE_BITS = LONGEST_EXACT * 10 // 3
_TINY = Fraction(1, 10_000)
_LONG_BITS = 4_000

_WITHOUT_LIMIT = {str(amount): amount for amount in (Infinite(1), Infinite(-1))}

T = TypeVar("T")


def simplest(value: T) -> T | int:
    """The same number, as `int` where it is whole."""
    return value.numerator if isinstance(value, Fraction) and value.denominator == 1 else value


@dataclass(frozen=True)
class Interval:
    """Proven ends of a number that is not known exactly."""

    lower: Fraction
    upper: Fraction

    @staticmethod
    def without_limit(sign: int) -> Interval:
        """The interval above all numbers, or with -1 below them."""
        return Interval(Infinite(sign), Infinite(sign))

    def __post_init__(self) -> None:
        if self.lower > self.upper:
            raise ValueError(f"the lower end {self.lower} lies above the upper {self.upper}")

    def __contains__(self, value: Number) -> bool:
        return self.lower <= value <= self.upper

    def __add__(self, other: Amount) -> Interval:
        low, high = (other.lower, other.upper) if isinstance(other, Interval) else (other, other)
        return Interval(self.lower + low, self.upper + high)

    __radd__ = __add__

    def __sub__(self, other: Amount) -> Interval:
        return self + -other

    def __rmul__(self, other: Number) -> Interval:
        return Interval(*sorted((self.lower * other, self.upper * other)))

    def __neg__(self) -> Interval:
        return Interval(-self.upper, -self.lower)

    def __rsub__(self, other: Number) -> Interval:
        return -self + other

    @property
    def width(self) -> Fraction:
        """The distance between the ends."""
        return self.upper - self.lower

    @property
    def is_without_limit(self) -> bool:
        """Whether it lies above all numbers, or below them."""
        return not self.lower.denominator

    @property
    def middle(self) -> Fraction:
        """The midpoint, to order undecided values."""
        return (self.lower + self.upper) / 2


Amount: TypeAlias = Number | Interval
"""An exact number, or proven bounds of one."""


def is_enclosed(value: object) -> TypeIs[Interval]:
    """Whether a number is known only as an interval."""
    return isinstance(value, Interval)


def as_interval(value: Amount) -> Interval:
    """The value as an interval; its ends are equal for an exact number."""
    return value if is_enclosed(value) else Interval(Fraction(value), Fraction(value))


def between(low: Number, high: Number) -> Amount:
    """The amount between two proven bounds: a number where they are equal."""
    return simplest(low) if low == high else Interval(Fraction(low), Fraction(high))


def added(one: tuple[Number, ...], other: tuple[Number, ...]) -> tuple[Number, ...]:
    """Two rows of an amount per player, added player by player."""
    return tuple(a + b for a, b in zip(one, other, strict=True))


def with_rest(first: Amount, total: Number | None) -> tuple[Amount, ...]:
    """The first player's amount and the second's rest of `total`; alone where `total` is None."""
    return (first,) if total is None else (first, simplest(total - first))


def ends_of(values: Iterable[Amount]) -> tuple[tuple[Number, Number], ...]:
    """Lower and upper end of each, the number twice where it is exact."""
    return tuple((simplest(ends.lower), simplest(ends.upper)) for ends in map(as_interval, values))


def are_exact(values: Iterable[Amount]) -> bool:
    """Whether all of them are exact."""
    return not any(is_enclosed(value) for value in values)


def sum_of(amounts: Iterable[Amount]) -> Amount:
    """The sum, an interval where any part is one."""
    total: Amount = 0
    for amount in amounts:
        total = total + amount
    return total


def not_below_0(value: Amount) -> Amount:
    """The same, where an interval is known not to extend below 0."""
    if not is_enclosed(value):
        return value
    return Interval(max(value.lower, Fraction(0)), max(value.upper, Fraction(0)))


def rest_of(chances: Iterable[Amount]) -> Amount:
    """1 minus the sum of chances; its ends are chances, too."""
    rest = 1 - sum_of(chances)
    return Interval(max(rest.lower, Fraction(0)), min(rest.upper, Fraction(1))) if is_enclosed(rest) else rest


def times(factor: Number, amount: Amount) -> Amount:
    """The product."""
    return simplest(factor * amount)


def share_of(part: Amount, whole: Amount) -> Amount:
    """`part` / `whole` for a part of a positive whole: from 0 to 1."""
    if not is_enclosed(part) and not is_enclosed(whole):
        return simplest(Fraction(part) / whole)
    low, high = as_interval(part), as_interval(whole)
    return Interval(max(Fraction(0), low.lower / high.upper), min(Fraction(1), low.upper / high.lower))


def is_settled(value: Amount, digits: int) -> bool:
    """Whether the decimal to `digits` places is proven."""
    if not is_enclosed(value):
        return True
    return decimal_text(value.lower, digits) == decimal_text(value.upper, digits)


def reduced(numerator: int, denominator: int) -> Fraction:
    """The fraction in lowest terms, fast even where both have thousands of digits.

    CPython divides such numbers in quadratic time, several times slower than FLINT.
    """
    if denominator.bit_length() < _LONG_BITS:
        return Fraction(numerator, denominator)
    import flint

    quotient = flint.fmpq(numerator, denominator)
    return _in_lowest_terms(int(quotient.p), int(quotient.q))


def _in_lowest_terms(numerator: int, denominator: int) -> Fraction:
    """The fraction of two coprime numbers, without a search for a common divisor."""
    make: Callable[[int, int], Fraction] | None = getattr(Fraction, "_from_coprime_ints", None)
    if make is not None:  # Python 3.12 and later
        return make(numerator, denominator)
    return Fraction(numerator, denominator, _normalize=False)  # type: ignore[call-overload,no-any-return]


def chances_of(weights: Collection[int]) -> list[Fraction]:
    """The share of each weight in their sum."""
    total = sum(weights)
    return [Fraction(weight, total) for weight in weights]


def average(weights: Collection[int], values: Iterable[Number], total: int | None = None) -> Number:
    """Sum of weight * value over `total` (by default the sum of the weights), with a single reduction at the end.

    Values that share a denominator (the usual case: all from the same layer)
    are added as whole numbers, without greatest common divisors on the way.
    """
    numerators: dict[int, int] = {}
    for weight, value in zip(weights, values, strict=True):
        denominator = value.denominator
        numerators[denominator] = numerators.get(denominator, 0) + weight * value.numerator
    total = sum(weights) if total is None else total
    if len(numerators) == 1:
        ((denominator, numerator),) = numerators.items()
        return simplest(Fraction(numerator, denominator * total))
    result = sum((Fraction(n, d) for d, n in numerators.items()), Fraction(0))
    return simplest(result / total)


def exact_text(value: Number, longest: int = LONGEST_EXACT) -> str | None:
    """`p/q` in lowest terms (`p` where whole), or None for more than `longest` characters (at most `LONGEST_EXACT`)."""
    # Tables hold hundreds of thousands of numbers, so nothing is computed twice here.
    numerator, denominator = value.numerator, value.denominator
    if not denominator:
        return str(value)
    if numerator.bit_length() + denominator.bit_length() > _SAFE_BITS:
        return None
    text = str(numerator) if denominator == 1 else f"{numerator}/{denominator}"
    return text if len(text) <= longest else None


def amount_text(value: Amount) -> str:
    """`p/q`, or `[p/q, p/q]` for proven bounds, in decimal digits of any length."""
    if is_enclosed(value) and value.is_without_limit:
        return str(value.lower)
    if is_enclosed(value):
        return f"[{full_text(value.lower)}, {full_text(value.upper)}]"
    return full_text(value)


def brief_amount(value: Amount) -> str:
    """An exact number for people (see `short_text`), or proven bounds."""
    return amount_text(value) if is_enclosed(value) else short_text(value)


def number_from(text: str) -> Number:
    """The number of an exact text in decimal digits; also of an infinite amount."""
    return _WITHOUT_LIMIT[text] if text in _WITHOUT_LIMIT else Fraction(text)


def hex_text(value: Number) -> str:
    """`p/q` (or `p`) in hexadecimal, for numbers of any length."""
    value = simplest(value)
    if isinstance(value, int):
        return hex(value)
    return f"{hex(value.numerator)}/{hex(value.denominator)}"


def nearest_float(value: Number) -> float | None:
    """The correctly rounded double, or None where the number is outside the range of doubles."""
    if not value.denominator:
        return None
    try:
        # int / int is correctly rounded in CPython, which float(Fraction) relies on as well.
        result = value.numerator / value.denominator
    except OverflowError:
        return None
    return None if result == 0.0 and value != 0 else result


def number_document(value: Number) -> dict[str, Any]:
    """A number as JSON: `exact` (text), `approx` (double), and `exact_hex` for very long ones."""
    exact = exact_text(value)
    document: dict[str, Any] = {"exact": exact, "approx": nearest_float(value)}
    if exact is None:
        document["exact_hex"] = hex_text(value)
    return document


def amounts_document(amounts: Mapping[str, Amount]) -> dict[str, Any]:
    """Numbers by name as `value`; if any is only enclosed, null with `lower` and `upper` instead."""
    exact = {name: number_document(amount) for name, amount in amounts.items() if not is_enclosed(amount)}
    if len(exact) == len(amounts):
        return {"value": exact}
    ends = {name: as_interval(amount) for name, amount in amounts.items()}
    return {
        "value": None,
        "lower": {name: number_document(end.lower) for name, end in ends.items()},
        "upper": {name: number_document(end.upper) for name, end in ends.items()},
    }


def number_in(document: Mapping[str, Any]) -> Number:
    """The exact number of such a document, from decimal or hexadecimal text."""
    if document["exact"] is not None:
        return number_from(document["exact"])
    numerator, _, denominator = document["exact_hex"].partition("/")
    return Fraction(int(numerator, 16), int(denominator or "1", 16))


def decimal_text(value: Number, digits: int) -> str:
    """`value` to `digits` places after the point, correctly rounded (half to even); `∞` or `-∞` without limit.

    >>> decimal_text(Fraction(2, 3), 4)
    '0.6667'
    """
    if not value.denominator:
        return short_text(value)
    scaled = round(Fraction(value) * 10**digits)
    sign = "-" if scaled < 0 else ""
    text = _digits(abs(scaled)).rjust(digits + 1, "0")
    if digits == 0:
        return sign + text
    return f"{sign}{text[:-digits]}.{text[-digits:]}"


def _digits(number: int) -> str:
    """Decimal digits of a whole number of any length, within CPython's limit per conversion."""
    if number.bit_length() < 12_000:
        return str(number)
    half = int(number.bit_length() * 0.30103) // 2
    high, low = divmod(number, 10**half)
    return _digits(high) + _digits(low).rjust(half, "0")


def full_text(value: Number) -> str:
    """`p/q` (or `p`) in decimal digits of any length."""
    value = simplest(value)
    if not value.denominator:
        return str(value)
    sign = "-" if value < 0 else ""
    whole = sign + _digits(abs(value.numerator))
    return whole if isinstance(value, int) else f"{whole}/{_digits(value.denominator)}"


def count_text(count: int, noun: str) -> str:
    """`1 ply`, `7 plies`, `5,478 states`."""
    is_like_ply = noun.endswith("y") and noun[-2] not in "aeou"
    plural = f"{noun[:-1]}ies" if is_like_ply else f"{noun}es" if noun.endswith("s") else f"{noun}s"
    return f"{count:,} {noun if count == 1 else plural}"


def short_text(value: Number) -> str:
    """For people: the exact number where short, and a decimal, with ≈ where rounded.

    >>> short_text(Fraction(115, 108))
    '115/108 ≈ 1.064815'
    >>> short_text(Fraction(1, 2))
    '1/2 = 0.5'
    """
    value = simplest(value)
    if not value.denominator:
        return f"{value}".replace("infinity", "∞")
    exact = exact_text(value, 40)
    if isinstance(value, int):
        return exact or _long_integer(value)
    decimal = short_decimal(value)
    if exact is None:
        return decimal
    return f"{exact} {decimal}" if decimal.startswith("≈") else f"{exact} = {decimal}"


def short_decimal(value: Number, *, digits: int = 6) -> str:
    """The decimal where it ends within `digits` places; else `≈` and the rounded one.

    Numbers below 1/10 000, and those that would round to 0, are written like `≈ 1.23e-9`.

    >>> short_decimal(Fraction(3, 8)), short_decimal(Fraction(2, 3))
    ('0.375', '≈ 0.666667')
    """
    if not value.denominator:
        return short_text(value)
    # A decimal that ends within that many places has a denominator that divides this.
    if 10**digits % value.denominator == 0:
        text = decimal_text(value, digits)
        return text.rstrip("0").rstrip(".") if "." in text else text
    least = max(_TINY, Fraction(1, 2 * 10**digits))
    if -least < value < least:
        return f"≈ {_scientific(Fraction(value))}"
    return f"≈ {decimal_text(value, digits)}"


def _scientific(value: Fraction) -> str:
    """Three digits and a power of ten, for a number other than 0."""
    size = abs(value)
    # Off by at most one: 30103/100000 is just above the decimal logarithm of 2.
    exponent = (size.numerator.bit_length() - size.denominator.bit_length()) * 30103 // 100000 - 1
    while Fraction(size, Fraction(10) ** exponent) >= 10:
        exponent += 1
    digits = decimal_text(size / Fraction(10) ** exponent, 2)
    if digits == "10.00":
        digits, exponent = "1.00", exponent + 1
    return f"{'-' if value < 0 else ''}{digits}e{exponent}"


def _long_integer(value: int) -> str:
    digits = _digits(abs(value))
    return f"{'-' if value < 0 else ''}{digits[:20]}… ({count_text(len(digits), 'digit')})"
