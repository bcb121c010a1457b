"""Numbers as text: exact where that is short enough, correctly rounded doubles, hexadecimal for the rest."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import endsight as es
from command_line import ask
from strategies import MoverGraph

LONGEST = 4000
"""Characters of the longest text that a number has in documents."""
RULES = """
from fractions import Fraction
from typing import NamedTuple
from endsight import Game

PAYS = {pays}

class Paying(Game):
    "Every move ends the game and pays another number."
    players = 1
    class State(NamedTuple):
        at: int
    def limits(self): return self.State(len(PAYS))
    def start(self): return self.State(len(PAYS))
    def moves(self, state): return range(len(PAYS)) if state.at == len(PAYS) else ()
    def play(self, state, move): return self.State(move)
    def payoff(self, state): return PAYS[state.at]
"""


@pytest.fixture(scope="module")
def documents(tmp_path_factory: pytest.TempPathFactory) -> dict[Fraction, dict[str, Any]]:
    """How documents show all the numbers that are asked about below, as values of one game."""
    pays = [number for numbers in (SHORT, LONG, FRACTIONS, ENDS) for number in numbers]
    texts = (f"Fraction({number.numerator:#x}, {number.denominator:#x})" for number in pays)
    file = tmp_path_factory.mktemp("rules") / "paying.py"
    file.write_text(RULES.format(pays=f"[{', '.join(texts)}]"))
    moves = ask("analyze", str(file))["moves"]
    return {pays[int(move["move"])]: move["value"]["player"] for move in moves}


DRAW = random.Random(1)
SHORT = [Fraction(DRAW.randint(-99, 99), DRAW.randint(1, 99)) for _ in range(50)]
SHORT += [Fraction(DRAW.getrandbits(bits) - 2 ** (bits - 1), 1 + DRAW.getrandbits(bits)) for bits in range(8, 200, 4)]
LONG = {
    Fraction(sign * 10 ** (digits - 1)): digits + (sign < 0)
    for digits in (3999, 4000, 4001, 4299, 4300, 4301, 4500, 4815, 4820, 20_000)
    for sign in (1, -1)
}
"""With the length of the text."""
FRACTIONS = [
    Fraction(10 ** (top - 1) + 1, 3 * 10 ** (bottom - 1))
    for top in (1, 1000, 1999, 2000, 2500, 4200)
    for bottom in (1998, 2000, 2001, 2400, 4300, 4600)
]
ENDS = {
    Fraction(10**308): 1e308,
    Fraction(2 * 10**308): None,
    Fraction(1, 10**400): None,
    Fraction(2**53 + 1): float(2**53),
    Fraction(0): 0.0,
}
"""With the nearest double, where there is one."""


def test_short_numbers(documents: Any) -> None:
    for value in SHORT:
        assert documents[value] == {"exact": str(value), "approx": float(value)}


def test_the_length_at_which_texts_become_hexadecimal(documents: Any) -> None:
    for value, length in LONG.items():
        document = documents[value]
        assert (document["exact"] is not None) == (length <= LONGEST)
        if document["exact"] is None:
            assert int(document["exact_hex"], 16) == value
        assert document["approx"] is None


def test_long_fractions(documents: Any) -> None:
    for value in FRACTIONS:
        document = documents[value]
        if document["exact"] is None:
            numerator, denominator = (int(part, 16) for part in document["exact_hex"].split("/"))
            assert (numerator, denominator) == value.as_integer_ratio()
            assert 0.30103 * (numerator.bit_length() + denominator.bit_length()) > LONGEST - 10
        else:
            assert document["exact"] == str(value)
            assert len(document["exact"]) <= LONGEST


def test_doubles_at_the_ends_of_their_range(documents: Any) -> None:
    assert [documents[value]["approx"] for value in ENDS] == [*ENDS.values()]
    assert documents[0] == {"exact": "0", "approx": 0.0}


def lottery(weights: list[int]) -> MoverGraph:
    """Chance decides what is paid: 0, 1, 2 and so on, with these weights."""
    ends = len(weights)
    pays = ((0,), *((number,) for number in range(ends)))
    ways = (tuple(range(1, ends + 1)), *((),) * ends)
    return MoverGraph(ways, pays, 1, (es.CHANCE, *(0,) * ends), (tuple(weights), *((),) * ends))


WEIGHTS = st.integers(1, 9) | st.integers(10**1300, 10**1500)


@settings(max_examples=30)
@given(st.lists(WEIGHTS, min_size=2, max_size=4), st.integers(1, 6).map(lambda number: number**600))
def test_long_chances_are_reduced_like_short_ones(weights: list[int], common: int) -> None:
    weights += [common * weights[0]]
    found = es.solve(lottery(weights)).distribution()
    assert [*found.values()] == [Fraction(weight, sum(weights)) for weight in weights]
    for number, chance in found.at_most().items():
        expected = Fraction(sum(weights[: number + 1]), sum(weights))
        assert chance == expected
        assert chance.as_integer_ratio() == expected.as_integer_ratio()
        assert {type(chance.numerator), type(chance.denominator)} == {int}
        assert chance + 1 == expected + 1
