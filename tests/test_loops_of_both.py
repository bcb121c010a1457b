"""Play with chance that both players together can keep going for ever: values, best moves, proofs."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

import endsight as es
import fuzz_judgement
from amounts import seed_rows
from endsight.algorithms.arena import Arena
from endsight.algorithms.endless_policies import can_stay, closed_classes, ways_out

RULES = Path(__file__).parents[1] / "benchmarks" / "rules"
VALUES = {5: Fraction(161, 271), 10: Fraction(4591, 10961)}
"""Of OpenSpiel's Pig, by target."""


@pytest.mark.parametrize("target", VALUES)
def test_pig_where_both_may_wait(target: int) -> None:
    game = es.load(f"{RULES / 'bankpig.py'}:BankPig:target={target}")
    solution = es.solve(game)
    assert solution.values() == (VALUES[target], -VALUES[target])
    certificate = es.prove(solution)
    assert certificate.claim.value == {"first": (VALUES[target],) * 2, "second": (-VALUES[target],) * 2}
    assert es.verify(certificate, type(game)).claim
    assert solution.distribution().mean() == VALUES[target]


def test_large_loops_of_both_are_enclosed_unless_exact_values_are_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("endsight.algorithms.policy_iteration.MOST_IN_COMPONENT", 10)
    game = es.load(f"{RULES / 'bankpig.py'}:BankPig:target=5")
    value = es.solve(game).values()[0]
    assert value.lower < VALUES[5] < value.upper
    assert es.solve(game, exact=True).values()[0] == VALUES[5]


@pytest.mark.parametrize("seeds", seed_rows(60, 10, 5001))
def test_random_games_against_all_pairs_of_policies(seeds: range) -> None:
    counts, wrong = fuzz_judgement.run(seeds, kind="shared")
    assert not wrong, "\n".join(wrong)
    assert counts["valued"] == counts["certified"] == len(seeds)


def two_who_wait() -> Arena:
    """0 (wants more) goes on to 1 or leaves; 1 (wants less) goes back or leaves: to ends 2 and 3."""
    return Arena.of([0, 2, 4, 4, 4], [1, 2, 0, 3], None, [1, -1, 0, 0], None, [0, 0, -1, 1]).lists()


def test_a_side_stays_where_nothing_leads_out_at_the_same_value() -> None:
    arena = two_who_wait()
    assert can_stay(arena, {0, 1}, {0: [0], 1: [2]}, 1) == (True, {0: 0})
    assert can_stay(arena, {0, 1}, {0: [0, 1], 1: [2]}, -1) == (False, {0: 1})
    assert can_stay(arena, {0, 1}, {0: [0], 1: [2, 3]}, -1) == (True, {1: 2})


def test_closed_classes_and_ways_out() -> None:
    arena = two_who_wait()
    assert sorted(closed_classes(arena, [0, 1], {0: 0, 1: 2})) == [0, 1]
    assert not list(closed_classes(arena, [0, 1], {0: 0, 1: 3}))
    assert ways_out(arena, [0, 1]) == {0: 1, 1: 3}
