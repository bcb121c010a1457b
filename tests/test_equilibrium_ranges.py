"""The least and the largest chance of every move over all optimal plans."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from endsight.algorithms import equilibrium_ranges as ranges
from endsight.algorithms.best_reply import Plan, bounds
from endsight.algorithms.equilibrium import equilibrium
from endsight.algorithms.equilibrium_ranges import equilibrium_ranges
from endsight.algorithms.information_sets import InformationSets, information_sets
from endsight.errors import QuestionError
from endsight.game.limits import Budget
from hidden_games import Hidden, Poker


def at(sets: InformationSets, player: int, seen: Any) -> int:
    """The set whose newest thing seen is that."""
    side = sets.sides[player]
    return next(number for number in range(len(side)) if side.seen(side.view[number])[-1] == ("saw", seen))


def test_the_family_of_optimal_plans_of_kuhn_poker() -> None:
    """The first player bets the jack with a chance up to 1/3, the king with three times that, and never the queen."""
    sets = information_sets(Poker())
    third = Fraction(1, 3)

    def asked(player: int, *seen: int) -> list[tuple[Fraction, Fraction]] | None:
        return equilibrium_ranges(sets, player, at(sets, player, seen), Fraction(-1, 18), Budget())

    assert asked(0, 1, 0) == [(2 * third, 1), (0, third)]
    assert asked(0, 2, 0) == [(1, 1), (0, 0)]
    assert asked(0, 3, 0) == [(0, 1), (0, 1)]
    assert asked(0, 2, 5) == [(third, 2 * third), (third, 2 * third)]
    assert asked(0, 3, 5) == [(0, 0), (1, 1)]
    assert asked(1, 1, 1) == [(2 * third, 2 * third), (third, third)]
    assert asked(1, 2, 2) == [(2 * third, 2 * third), (third, third)]
    assert asked(1, 3, 1) == [(0, 0), (1, 1)]


@pytest.mark.parametrize("seed", range(12))
def test_ranges_hold_what_the_equilibrium_plays_and_are_reached(seed: int) -> None:
    sets = information_sets(Hidden(seed, depth=3 + seed % 3, small=1 + seed % 2, together=seed % 2 == 0))
    found = equilibrium(sets)
    for player, (side, plan) in enumerate(zip(sets.sides, found.plans, strict=True)):
        for number in range(0, len(side), 1 + len(side) // 3):
            told = equilibrium_ranges(sets, player, number, found.lower, Budget())
            before = plan.masses[side.parent[number]]
            if not before:
                continue
            assert told is not None
            for sequence, (least, most) in zip(side.after(number), told, strict=True):
                assert 0 <= least <= Fraction(plan.masses[sequence], before) <= most <= 1


@pytest.mark.parametrize("seed", range(6))
def test_pure_optimal_plans_lie_in_the_ranges(seed: int) -> None:
    """Every pure plan that is optimal, of all there are, is inside; and a move outside of its range never is."""
    sets = information_sets(Hidden(seed, depth=3, wide=1, small=1))
    found, side = equilibrium(sets), sets.sides[0]
    told = [equilibrium_ranges(sets, 0, number, found.lower, Budget()) for number in range(len(side))]
    for choice in range(2 ** len(side)):
        masses = [1] + [0] * (side.sequences - 1)
        for number in range(len(side)):
            masses[side.first[number] + (choice >> number & 1)] = masses[side.parent[number]]
        if bounds(sets, Plan(masses, 1), found.plans[1])[0] < found.lower:
            continue
        for number in range(len(side)):
            if masses[side.parent[number]]:
                asked = told[number]
                assert asked is not None
                assert all(low <= masses[s] <= high for s, (low, high) in zip(side.after(number), asked, strict=True))


def test_larger_games_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ranges, "MOST_SETS", 11)
    with pytest.raises(QuestionError, match=r"(?s)12 information sets.*up to 11"):
        equilibrium_ranges(information_sets(Poker()), 0, 0, Fraction(-1, 18), Budget())
