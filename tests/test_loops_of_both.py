"""Play with chance that both players together can keep going for ever: values, best moves, proofs."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

import endsight as es
import fuzz_judgement
import thresholds
from amounts import seed_rows

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
    thresholds.only_small_loops_are_exact(monkeypatch, 10)
    game = es.load(f"{RULES / 'bankpig.py'}:BankPig:target=5")
    value = es.solve(game).values()[0]
    assert value.lower < VALUES[5] < value.upper
    assert es.solve(game, exact=True).values()[0] == VALUES[5]


@pytest.mark.parametrize("seeds", seed_rows(60, 5, 5001))
def test_random_games_against_all_pairs_of_policies(seeds: range) -> None:
    counts, wrong = fuzz_judgement.run(seeds, kind="shared")
    assert not wrong, "\n".join(wrong)
    assert counts["valued"] == counts["certified"] == len(seeds)
