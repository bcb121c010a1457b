"""Numbers as text: exact where that is short enough, correctly rounded doubles, hexadecimal for the rest."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from endsight.game.numbers import LONGEST_EXACT, number_document, reduced


@given(st.fractions())
def test_short_numbers(value):
    document = number_document(value)
    assert Fraction(document["exact"]) == value
    assert document["approx"] == float(value)
    assert set(document) == {"exact", "approx"}


@pytest.mark.parametrize("digits", [3999, 4000, 4001, 4299, 4300, 4301, 4500, 4815, 4820, 20_000])
@pytest.mark.parametrize("sign", [1, -1])
def test_the_length_at_which_texts_become_hexadecimal(digits, sign):
    value = sign * 10 ** (digits - 1)
    document = number_document(value)
    length = digits + (sign < 0)
    assert (document["exact"] is not None) == (length <= LONGEST_EXACT)
    if document["exact"] is None:
        assert int(document["exact_hex"], 16) == value
    assert document["approx"] is None


@pytest.mark.parametrize("top", [1, 1000, 1999, 2000, 2500, 4200])
@pytest.mark.parametrize("bottom", [1998, 2000, 2001, 2400, 4300, 4600])
def test_long_fractions(top, bottom):
    value = Fraction(10 ** (top - 1) + 1, 3 * 10 ** (bottom - 1))
    document = number_document(value)
    digits = len(f"{value.numerator:x}") * 4 * 0.30103 + len(f"{value.denominator:x}") * 4 * 0.30103
    if document["exact"] is None:
        numerator, denominator = document["exact_hex"].split("/")
        assert Fraction(int(numerator, 16), int(denominator, 16)) == value
        assert digits > LONGEST_EXACT - 10
    else:
        assert Fraction(document["exact"]) == value
        assert len(document["exact"]) <= LONGEST_EXACT


def test_doubles_at_the_ends_of_their_range():
    assert number_document(10**308)["approx"] == 1e308
    assert number_document(2 * 10**308)["approx"] is None
    assert number_document(Fraction(1, 10**400))["approx"] is None
    assert number_document(2**53 + 1)["approx"] == float(2**53)
    assert number_document(0) == {"exact": "0", "approx": 0.0}


@given(st.integers(-(10**1500), 10**1500), st.integers(1, 10**1500))
def test_long_fractions_are_reduced_like_short_ones(numerator: int, denominator: int) -> None:
    for scale in (1, 6**2000, denominator**2):
        found = reduced(numerator * scale, denominator * scale)
        assert found == Fraction(numerator, denominator)
        assert (found.numerator, found.denominator) == Fraction(numerator, denominator).as_integer_ratio()
        assert type(found.numerator) is int
        assert found + 1 == Fraction(numerator + denominator, denominator)
