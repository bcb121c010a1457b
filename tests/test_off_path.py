"""Play at information sets that an equilibrium never comes to."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from amounts import seeds
from endsight import CHANCE, Game
from endsight.algorithms.best_reply import bounds
from endsight.algorithms.equilibrium import equilibrium
from endsight.algorithms.information_sets import information_sets
from endsight.algorithms.off_path import CompletePlan, off_path
from endsight.game.limits import Budget
from hidden_games import Hidden, Poker


class Open(Hidden):
    """A random tree in which everybody sees everything."""

    def sees(self, s: Hidden.State, player: int) -> tuple[int, ...]:
        return tuple(s)


def behaviours(game: Game) -> tuple[CompletePlan | None, CompletePlan | None]:
    sets = information_sets(game)
    return off_path(sets, information_sets(game, pays_one=True).payoffs, equilibrium(sets), Budget())


def values(game: Game, state: Any, found: dict[Any, Fraction]) -> Fraction:
    """The value of every state to the first player, by backward induction."""
    moves, mover = list(game.moves(state)), game.to_move(state)
    if not moves:
        found[state] = Fraction(game.payoff(state)[0])
        return found[state]
    gained = [game.reward(state, move)[0] + values(game, game.play(state, move), found) for move in moves]
    if mover == CHANCE:
        weights = [game.weight(state, move) for move in moves]
        found[state] = sum(map(Fraction.__mul__, gained, map(Fraction, weights)), Fraction(0)) / sum(weights)
    else:
        found[state] = max(gained) if mover == 0 else min(gained)
    return found[state]


def check_subgame_perfect(seed: int) -> None:
    """Every move that has a chance anywhere is worth what its node is worth."""
    game = Open(seed, depth=2 + seed % 6, wide=1 + seed % 2, small=1 + seed % 3, gains=seed % 4 == 0)
    worth: dict[Any, Fraction] = {}
    values(game, game.start(), worth)
    sets = information_sets(game)
    for player, (side, behaviour) in enumerate(zip(sets.sides, behaviours(game), strict=True)):
        assert behaviour is not None
        for number, weights in enumerate(behaviour.weights):
            state = game.State(*side.seen(side.view[number])[-1][1])
            assert weights is not None
            assert game.to_move(state) == player
            for move, weight in zip(side.moves[number], weights, strict=True):
                if weight:
                    assert game.reward(state, move)[0] + worth[game.play(state, move)] == worth[state], (game, state)


@pytest.mark.parametrize("seed", seeds(530, 12))
def test_play_is_subgame_perfect_where_everything_is_seen(seed: int) -> None:
    check_subgame_perfect(seed)


@pytest.mark.parametrize("seed", range(9))
def test_play_off_the_path_gives_nothing_away_on_it(seed: int) -> None:
    game = Hidden(seed, depth=3 + seed % 3, wide=1 + seed % 2, together=seed % 3 == 0)
    sets = information_sets(game)
    found = equilibrium(sets)
    for player, behaviour in enumerate(off_path(sets, information_sets(game, pays_one=True).payoffs, found, Budget())):
        assert behaviour is not None
        assert None not in behaviour.weights
        plans = [behaviour.plan if own == player else found.plans[own] for own in (0, 1)]
        assert bounds(sets, *plans) == (found.lower, found.upper)


def test_who_sees_a_mistake_in_kuhn_poker() -> None:
    """The second player meets some bets by mistake alone; the king calls them, and the jack folds."""
    sets = information_sets(Poker())
    first, second = behaviours(Poker())
    assert first is not None
    assert second is not None
    side = sets.sides[1]
    at = {side.seen(side.view[number])[-1][1]: number for number in range(len(side))}
    assert set(second.mistakes) <= {0, 1}
    assert second.weights[at[3, 2]] == [0, 1]
    assert second.weights[at[1, 2]] == [1, 0]
