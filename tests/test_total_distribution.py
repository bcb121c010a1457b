"""What a player gets where play comes back to loops that pay: infinitely many totals, listed until little is left."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest

import endsight as es
import thresholds
from command_line import run
from endsight import CHANCE, Interval
from endsight.charts.values_and_chances import distribution as chart
from ranges import as_range
from strategies import MoverRewards

HALF = Fraction(1, 2)
SLIPPERY = f"{Path(__file__).parents[1] / 'benchmarks' / 'rules' / 'slippery.py'}:Slippery:width=4,height=4"


def tries(seats: int = 1, end: tuple[int, ...] = (0,)) -> MoverRewards:
    """A try costs 2 and works 3 times in 4; `end` is paid then."""
    cost, nothing = (-2, 2)[:seats], (0,) * seats
    ways, weights = ((1,), (2, 0), ()), ((1,), (3, 1), ())
    return MoverRewards(
        ways, (nothing, nothing, end), seats, (0, CHANCE, 0), weights, ((cost,), (nothing, nothing), ())
    )


def test_chances_are_enclosed_and_what_is_left_is_told() -> None:
    found = es.solve(tries()).distribution()
    assert list(found) == [-10, -8, -6, -4, -2]
    assert found.rest == Fraction(1, 4) ** 5 == found.facts["rest"]
    assert found.mean() == Fraction(-8, 3)
    assert found.expected_plies == Fraction(4, 3)
    assert not found.is_exact
    for times, payoff in enumerate([-2, -4, -6, -8, -10]):
        right = Fraction(3, 4) * Fraction(1, 4) ** times
        assert found[payoff] == Interval(right, right + found.rest)
        assert 1 - Fraction(1, 4) ** (times + 1) in as_range(found.at_least()[payoff])
        assert Fraction(1, 4) ** times in as_range(found.at_most()[payoff])
        assert as_range(found.at_least()[payoff]).width == found.rest
    assert sum(as_range(chance).lower for chance in found.outcomes.values()) + found.rest == 1


def test_both_players_totals() -> None:
    solution = es.solve(tries(2, (5, -5)))
    found = solution.distribution("second")
    assert (found.mean(), list(found)) == (Fraction(-7, 3), [-3, -1, 1, 3, 5])


def test_what_was_gained_before_counts() -> None:
    game = tries()
    found = es.solve(game, game.position("0 1")).distribution()
    assert max(found) == -4


def test_play_may_also_stay_for_ever_where_nothing_is_gained() -> None:
    """Chance ends play, leads to a place where play stays for ever, or goes on for a toll."""
    ways = ((1, 2, 0), (), (2,))
    game = MoverRewards(
        ways, ((0,), (HALF,), (0,)), 1, (CHANCE, 0, 0), ((1, 1, 2), (), (1,)), (((0,), (0,), (-1,)), (), ((0,),))
    )
    found = es.solve(game).distribution()
    assert max(found) == HALF
    assert found[HALF] == Interval(Fraction(1, 4), Fraction(1, 4) + found.rest)
    assert found[0] == Interval(Fraction(1, 4), Fraction(1, 4) + found.rest)
    assert found.rest == Fraction(1, 1024)


def test_much_work_leaves_more(monkeypatch: pytest.MonkeyPatch) -> None:
    thresholds.list_few_totals(monkeypatch, 3)
    found = es.solve(tries()).distribution()
    assert found.rest == Fraction(1, 4)
    assert list(found) == [-2]


def test_faces_tell_it() -> None:
    document = json.loads(run("dist", SLIPPERY, "--at-least", "--json").out)
    assert 0 < document["rest"]["approx"] <= 0.001
    assert {"lower", "upper"} == set(document["outcomes"][0]["at_least"])
    told = run("dist", SLIPPERY, "--facts")
    assert (told.code, "rest" in told.out) == (0, True)
    assert chart(es.solve(tries()), None).mean == Fraction(-8, 3)
