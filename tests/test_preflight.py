"""Games that cannot fit are refused at once; games that can are not."""

from __future__ import annotations

import pytest

import endsight as es
from endsight.errors import LimitReached
from endsight.limits import Budget, Limits
from endsight.preflight import look_ahead, refuse_hopeless


def refuse(game: es.Game, limits: Limits | None = None) -> None:
    budget = Budget(limits)
    refuse_hopeless(game, look_ahead(game, game.position(), es.Question(), symmetry=True, budget=budget), budget)


def test_the_full_board_is_refused_with_what_to_do_instead() -> None:
    with pytest.raises(LimitReached) as caught:
        es.solve(es.games.ConnectFour(), limits=Limits(memory=2 * 10**9))
    assert "connectfour has about" in caught.value.message
    assert "GB, of which" in caught.value.message
    assert "--method search" in str(caught.value)
    assert caught.value.states < 50_000


def test_more_states_than_allowed_are_refused_before_they_are_met() -> None:
    with pytest.raises(LimitReached, match="more than 60,000"):
        refuse(es.games.ConnectFour(width=5, height=4), Limits(states=60_000))


@pytest.mark.parametrize(
    "game",
    [
        es.games.TicTacToe(),
        es.games.ConnectFour(width=4, height=4),
        es.games.ConnectFour(width=5, height=5),
        es.games.Pig(target=100),
        es.games.Dodgem(size=4),
        es.games.Dominoes(n=7),
    ],
    ids=repr,
)
def test_games_that_fit_are_not_refused(game: es.Game) -> None:
    refuse(game, Limits(memory=16 * 10**9))
