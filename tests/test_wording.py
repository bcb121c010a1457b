"""How numbers and lists read: exact where short, never a rounded number without its sign."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest

from command_line import run

WORTH = """
from fractions import Fraction
from typing import NamedTuple
from endsight import CHANCE, Game

WORTH, WEIGHTS = {worth}, {weights}

class Worth(Game):
    "Chance draws one of forty numbers."
    part: int = 0

    players = 1

    class State(NamedTuple):
        drawn: int

    def limits(self): return self.State(40)
    def start(self): return self.State(0)
    def to_move(self, state): return CHANCE
    def weight(self, state, move): return WEIGHTS[move - 1]
    def moves(self, state): return () if state.drawn else range(1, 1 + len(WORTH[40 * self.part:][:40]))
    def play(self, state, move): return self.State(move)
    def payoff(self, state): return WORTH[40 * self.part + state.drawn - 1]
"""
"""A page shows forty moves at most."""


def sample(count: int) -> list[Fraction]:
    """Whole numbers and fractions of all sizes, some of which end after a few places, and tiny ones."""
    draw = Random(8)
    numbers = [
        Fraction(0),
        Fraction(999_999, 10**11),
        Fraction(1, 10**400),
        Fraction(1, 10**6),
        Fraction(-1, 2 * 10**6),
    ]
    while len(numbers) < count:
        top, places = draw.randint(-(10 ** draw.randrange(1, 45)), 10 ** draw.randrange(1, 45)), draw.randrange(9)
        below = draw.choice([1, 10**places, draw.randint(1, 100), draw.randint(1, 10**30), 10**places * abs(top) + 1])
        numbers.append(Fraction(top, below))
    return numbers


NUMBERS = sample(200)


@pytest.fixture(autouse=True)
def wide(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every row stands in a line of its own."""
    monkeypatch.setenv("COLUMNS", "99999")


@pytest.fixture(scope="module")
def rules(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(tmp_path_factory.mktemp("rules"), repr(NUMBERS), [1] * 40)


def written(folder: Path, worth: str, weights: Sequence[int]) -> Path:
    file = folder / "worth.py"
    file.write_text(WORTH.format(worth=worth, weights=weights), encoding="utf-8")
    return file


def shown(rules: Path, *options: str, parts: int = 1) -> list[str]:
    """How the numbers read beside what chance draws."""
    answers = [run("analyze", f"{rules}:part={part}", *options).out for part in range(parts)]
    return [text for answer in answers for text in re.findall(r"^  \d+ .*%  (.*)$", answer, re.MULTILINE)]


def beside(rules: Path, *options: str) -> list[tuple[Fraction, str]]:
    """All numbers with how they read."""
    return list(zip(NUMBERS, shown(rules, *options, parts=5), strict=True))


def test_short_text_is_true(rules: Path) -> None:
    for value, text in beside(rules):
        exact, sign, decimal = text.rpartition("≈ " if "≈" in text else "= ")
        if exact:
            assert Fraction(exact) == value
        if sign == "≈ ":
            assert Fraction(decimal) != value or "e" in decimal
            assert abs(Fraction(decimal) - value) <= Fraction(1, 2 * 10**6)
        elif "…" not in decimal:
            assert Fraction(decimal) == value


def test_tiny_numbers_keep_three_digits(rules: Path) -> None:
    tiny = [
        (value, text) for value, text in beside(rules) if abs(value) < Fraction(1, 10_001) and 10**6 % value.denominator
    ]
    assert len(tiny) > 20
    for value, text in tiny:
        digits, _, exponent = text.rpartition("≈ ")[2].partition("e")
        assert len(digits.removeprefix("-")) == 4
        assert 1 <= abs(Fraction(digits)) < 10
        assert abs(Fraction(digits) * Fraction(10) ** int(exponent) - value) <= Fraction(10) ** int(exponent) / 200


@pytest.mark.parametrize("digits", [0, 3, 6, 40])
def test_numbers_have_so_many_places(rules: Path, digits: int) -> None:
    for value, text in beside(rules, "--digits", str(digits)):
        decimal = text.split(" ")[-1]
        assert abs(Fraction(decimal) - value) <= Fraction(1, 2 * 10**digits)
        assert len(decimal.partition(".")[2]) == digits
        assert ("≈" in text) == (Fraction(decimal) != value)


@pytest.mark.parametrize("digits", [0, 3, 6, 40])
def test_interval_ends_enclose_as_tightly_as_the_places_allow(rules: Path, digits: int) -> None:
    for value, text in beside(rules, "--interval", "--digits", str(digits)):
        low, high = map(Fraction, text.strip("[]").split(", "))
        assert low <= value <= high
        assert high - low == (0 if low == value else Fraction(1, 10**digits))
    assert [text for _, text in beside(rules, "--interval")] == [f"[{value}, {value}]" for value in NUMBERS]


def test_numbers_of_any_length(tmp_path: Path) -> None:
    worth = "(Fraction(-(10**9000) - 7, 3**9000), 10**5000, -(10**50), Fraction(1, 3**9000))"
    long = written(tmp_path, worth, [1] * 4)
    whole = [run("value", str(long), "--at", at, "--interval").out.strip("[]").split(", ")[0] for at in "12"]
    assert whole[0].startswith("-1" + "0" * 100)
    assert len(whole[0]) == 1 + 9001 + 1 + 4295
    assert whole[1] == "1" + "0" * 5000
    short = shown(long)
    assert short[1:3] == ["10000000000000000000… (5,001 digits)", "-10000000000000000000… (51 digits)"]
    assert all(short[place].startswith("≈ ") for place in (0, 3))


def test_percents_are_rounded_with_their_sign(tmp_path: Path) -> None:
    game = written(tmp_path, "(1, 2, 3, 4, 5)", [2_500_000, 22_500_000, 11_250_000, 3, 53_749_997])
    rows = [re.split("  +", line.strip()) for line in run("analyze", str(game)).out.splitlines() if "%  " in line]
    assert [row[-2] for row in rows][:4] == ["≈ 2.78%", "25%", "12.5%", "≈ 3.33e-6%"]
    assert "100%" in run("dist", "nim:heaps=1").out


@pytest.mark.parametrize("words", [("value", "pots:4-9-2-7"), ("line", "hexapawn"), ("games", "nim"), ("fair", "nim")])
def test_text_that_is_ascii_already_stays(words: tuple[str, ...]) -> None:
    usual, plain = ([*run(*words, *more).out.splitlines()] for more in ((), ("--ascii",)))
    assert "".join(plain).isascii()
    assert {line for line in usual if line.isascii() and not line.endswith(" s")} <= {*plain}
