"""Play at information sets that an equilibrium never comes to."""

from __future__ import annotations

import copy
import pickle
from fractions import Fraction
from typing import Any

import pytest

import endsight as es
from amounts import seeds
from endsight import CHANCE, Game
from hidden_games import Hidden, Poker, reply_value, tabled


class Open(Hidden):
    """A random tree in which everybody sees everything, and the own number, so that plans are asked for."""

    def sees(self, s: Hidden.State, player: int) -> tuple[int, ...]:
        return (*s, player)


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
    solution = es.solve(game)
    assert (solution.method, solution.values()[0]) == ("sequence form", worth[game.start()])
    for player, mixture in enumerate(tabled(game)):
        for view, chances in mixture.items():
            state = game.State(*view[-1][1][:2])
            assert game.to_move(state) == player
            for move, chance in chances.items():
                if chance:
                    assert game.reward(state, move)[0] + worth[game.play(state, move)] == worth[state], (game, state)


@pytest.mark.parametrize("seed", seeds(530, 6))
def test_play_is_subgame_perfect_where_everything_is_seen(seed: int) -> None:
    check_subgame_perfect(seed)


@pytest.mark.parametrize("seed", range(9))
def test_play_off_the_path_gives_nothing_away_on_it(seed: int) -> None:
    game = Hidden(seed, depth=3 + seed % 3, wide=1 + seed % 2, together=seed % 3 == 0)
    first, second = tabled(game)
    value = es.solve(game).values()[0]
    assert reply_value(game, 1, first.__getitem__) == reply_value(game, 0, second.__getitem__) == value


def test_who_sees_a_mistake_in_kuhn_poker() -> None:
    """The second player meets some bets by mistake alone; the king calls them, and the jack folds."""
    solution = es.solve(Poker())
    for moves, move in (("1 3 2", "2"), ("3 1 2", "1")):
        seen = solution.seen_by("second", moves)
        assert {option.text: option.probability for option in seen.options}[move] == 1
        assert seen.told in ("plan", "off the path")


@pytest.mark.parametrize("how", [{}, {"method": "graph"}, {"method": "alphabeta"}, {"engine": "compiled"}], ids=str)
def test_solutions_stay_in_one_process_and_say_how_to_hand_them_on(how: dict[str, Any]) -> None:
    """Pickling failed in the words of whatever came first: a lambda, a lock, machine code."""
    solution = es.solve("nim:heaps=1-2", **how)
    for held in (solution, solution.policy):
        with pytest.raises(TypeError, match=r"es\.save\(solution, PATH\)"):
            pickle.dumps(held)
    assert copy.copy(solution) is copy.deepcopy(solution) is solution
