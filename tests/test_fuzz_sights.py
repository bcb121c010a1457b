"""Games whose players see parts of what was done, against an oracle over all pure strategies."""

from __future__ import annotations

import pytest

import endsight as es
import fuzz_sights
from amounts import seeds
from endsight import CHANCE


@pytest.mark.parametrize("seed", seeds(40, 10))
def test_random_games_agree_with_all_strategies(seed: int) -> None:
    assert fuzz_sights.check(seed)


def test_the_distribution_of_a_game_in_which_nobody_decides() -> None:
    seen = ((1, 1), (1, 0))
    game = fuzz_sights.Sights((CHANCE, CHANCE), (2, 2), seen, ((1, -1), (-2, 2), (0, 0)), ((0, 0),))
    solution = es.solve(game)
    outcomes = solution.distribution().outcomes
    assert sum(amount * chance for amount, chance in outcomes.items()) == solution.values()[0]


def test_replies_are_told_by_what_all_know_where_interests_are_not_opposed() -> None:
    seen = ((0, 1), (0, 1))
    game = fuzz_sights.Sights((CHANCE, 0), (2, 2), seen, ((1, 2), (-2, 0), (0, 3)), ((0, 0),))
    first, second = es.exploit(game, "random").players
    assert first.value > first.brings
    assert (first.reply[0].move, second.gives_away) == ("1", 0)
