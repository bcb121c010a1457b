"""How numbers and lists read: exact where short, never a rounded number without its sign."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from endsight.faces.cli.streams import ascii_text
from endsight.faces.wording import interval_text, listed, number_text, percent
from endsight.game.numbers import count_text, decimal_text, full_text, short_decimal, short_text

NUMBERS = st.one_of(
    st.integers(), st.fractions(), st.fractions(max_denominator=100), st.decimals(-9, 9, places=4).map(Fraction)
)


@given(NUMBERS)
def test_short_text_is_true(value):
    exact, sign, decimal = short_text(value).rpartition("≈ " if "≈" in short_text(value) else "= ")
    if exact:
        assert Fraction(exact) == value
    if sign == "≈ ":
        assert Fraction(decimal) != value or "e" in decimal
        assert abs(Fraction(decimal) - value) <= Fraction(1, 2 * 10**6)
    elif "…" not in decimal:
        assert Fraction(decimal) == value


@given(st.fractions(min_value=0, max_value=Fraction(1, 10_001)), st.booleans())
@example(Fraction(999_999, 10**11), True)
@example(Fraction(1, 10**400), False)
def test_tiny_numbers_keep_three_digits(value, negative):
    if 10**6 % value.denominator == 0:
        return
    text = short_decimal(-value if negative else value)
    assert text.startswith("≈ -" if negative else "≈ ")
    digits, _, exponent = text.removeprefix("≈ ").removeprefix("-").partition("e")
    assert len(digits) == 4
    assert 1 <= Fraction(digits) < 10
    assert abs(Fraction(digits) * Fraction(10) ** int(exponent) - value) <= Fraction(10) ** int(exponent) / 200


@given(NUMBERS, st.integers(0, 40))
def test_number_text_has_so_many_places(value, digits):
    text = number_text(value, digits)
    decimal = text.split(" ")[-1]
    assert decimal == decimal_text(value, digits)
    assert len(decimal.partition(".")[2]) == digits
    assert ("≈" in text) == (Fraction(decimal) != value)


@given(NUMBERS, st.integers(0, 40))
def test_interval_ends_enclose_as_tightly_as_the_places_allow(value, digits):
    low, high = map(Fraction, interval_text(value, digits).strip("[]").split(", "))
    assert low <= value <= high
    assert high - low == (0 if low == value else Fraction(1, 10**digits))
    assert interval_text(value) == f"[{Fraction(value)}, {Fraction(value)}]"


def test_numbers_of_any_length():
    value = Fraction(-(10**9000) - 7, 3**9000)
    assert full_text(value).startswith("-1" + "0" * 100)
    assert len(full_text(value)) == 1 + 9001 + 1 + 4295
    assert full_text(10**5000) == "1" + "0" * 5000
    assert short_text(10**5000) == "10000000000000000000… (5,001 digits)"
    assert short_text(-(10**50)) == "-10000000000000000000… (51 digits)"
    assert short_text(Fraction(1, 3**9000)).startswith("≈ ")


@pytest.mark.parametrize(
    ("chance", "text"),
    [
        (Fraction(1, 36), "≈ 2.78%"),
        (Fraction(1, 4), "25%"),
        (Fraction(1, 8), "12.5%"),
        (1, "100%"),
        (0, "0%"),
        (Fraction(1, 3 * 10**7), "≈ 3.33e-6%"),
    ],
)
def test_percent(chance, text):
    assert percent(chance) == text


def test_lists_and_counts():
    assert listed([]) == ""
    assert listed(["a"]) == "a"
    assert listed("ab") == "a and b"
    assert listed("abcdef") == "a, b, c, d, e and f"
    assert listed("abcdefgh") == "a, b, c, d, e and 3 more"
    assert [count_text(count, "ply") for count in (1, 2)] == ["1 ply", "2 plies"]
    assert count_text(5478, "state") == "5,478 states"


@given(st.text())
def test_ascii_text_is_ascii(text):
    assert ascii_text(text).isascii()
    assert text.isascii() <= (ascii_text(text) == text)
