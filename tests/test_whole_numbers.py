"""Games without loops in whole numbers: against fractions, and against the oracle, position by position."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import pytest

import endsight as es
import naive
import thresholds
from amounts import examples
from endsight import CHANCE, Game, Limits
from endsight.errors import LimitReached
from ranges import as_range
from stochastic import forward_game
from strategies import MoverGraph, MoverRewards, chance_acyclic

SMALL: tuple[dict[str, int], ...] = ({}, {"MOST_PLAIN": 0})
"""In Python's whole numbers, and in words of the machine as far as they go."""


def told(game: Game, *, whole: bool, **sizes: int) -> Any:
    """The values of all nodes of the graph that can be reached, and the moves taken."""
    with pytest.MonkeyPatch.context() as patch:
        thresholds.solve_chance_in_whole_numbers(patch, 0 if whole else 10**9, **sizes)
        solution = es.solve(game, method="graph", engine="plain")
        found = []
        for node in naive.Recursion(game).reachable(naive.Recursion(game).root()):
            place = es.Position(game, node[0], node[1], node[2], ())
            found.append((solution.values(place), solution.chosen(place)))
        return found


def agrees_with_fractions(game: Game, **sizes: int) -> None:
    fractions = told(game, whole=False)
    assert fractions[0][0] == naive.Recursion(game).value()
    for small in SMALL:
        found = told(game, whole=True, **small, **sizes)
        assert found == fractions
        assert all(type(amount) in (int, Fraction) for values, _ in found for amount in values)


@examples(100, 8, chance_acyclic())
def test_values_and_first_best_moves_of_small_games(game: Game) -> None:
    agrees_with_fractions(game)


@pytest.mark.parametrize("rewards", [False, True])
@pytest.mark.parametrize("long_bits", [4_000, 0])
def test_weights_and_amounts_of_any_size(rewards: bool, long_bits: int) -> None:
    for seed in range(6):
        agrees_with_fractions(forward_game(seed, rewards=rewards), LONG_BITS=long_bits)


def test_three_players_each_after_the_own_amount() -> None:
    draw = random.Random(3)
    for _ in range(8):
        ways = tuple(
            tuple(draw.randrange(node + 1, 15) for _ in range(draw.randint(1, 4))) if node < 14 else ()
            for node in range(15)
        )
        movers = (*(draw.choice((CHANCE, 0, 1, 2)) for _ in range(14)), 0)
        pays = tuple(tuple(draw.choice((0, 0, 1, Fraction(1, 3))) for _ in range(3)) for _ in range(15))
        weights = tuple(tuple(draw.choice((1, 5, 2**70)) for _ in row) for row in ways)
        agrees_with_fractions(MoverGraph(ways, pays, 3, movers, weights))


def test_large_graphs_take_this_way(monkeypatch: pytest.MonkeyPatch) -> None:
    game = es.games.RepeatBust(sides=4, dice=1)
    for fixed in ({}, {"player": "myopic"}, {"player": "random"}):
        tables = []
        for least in (10**9, 0):
            thresholds.solve_chance_in_whole_numbers(monkeypatch, least)
            tables.append(es.table(game, fixed=fixed, engine="plain", method="graph").to_dicts())
        assert tables[0] == tables[1]


@pytest.mark.parametrize("length", [30, 39, 40, 200])
def test_numbers_that_outgrow_machine_words_on_the_way(length: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A chain of dice: a share of the last end that halves again and again."""
    thresholds.solve_chance_in_whole_numbers(monkeypatch, 0, MOST_PLAIN=0)
    ways = (*((node + 1, length + 1) for node in range(length)), (), ())
    movers, weights = (CHANCE,) * length + (0, 0), ((2, 1),) * length + ((), ())
    game = MoverGraph(ways, ((1,),) * (length + 1) + ((-1,),), 1, movers, weights)
    assert es.solve(game, method="graph", engine="plain").values() == (2 * Fraction(2, 3) ** length - 1,)


@pytest.mark.parametrize("seeds", [range(12)])
def test_exact_values_of_enclosed_games(seeds: range) -> None:
    """Along moves that bounds have proven best."""
    for seed in seeds:
        game = forward_game(seed, rewards=seed % 2 == 0)
        if game.seats == 2 and isinstance(game, MoverRewards):
            continue
        if game.seats == 2:
            game = MoverGraph(game.successors, tuple((p[0], -p[0]) for p in game.payoffs), 2, game.movers, game.weights)
        wanted = naive.Recursion(game).value()
        solution = es.solve(game, interval=True, engine="plain")
        assert all(value in as_range(found) for value, found in zip(wanted, solution.values(), strict=True))
        assert solution.exact_values() == wanted == es.solve(game, exact=True, engine="plain").values()


def test_exact_values_of_games_that_are_enclosed_on_arrays(monkeypatch: pytest.MonkeyPatch) -> None:
    """Along moves proven best, from the position asked about; and of all positions once many are asked about."""
    thresholds.compile_small_games(monkeypatch)
    for game in (es.games.PigTurn(sides=6), es.games.PigTurn(sides=4, bust=3)):
        solution, oracle = es.solve(game), naive.Recursion(game)
        assert solution.method == "backward induction between proven bounds"
        for node in oracle.reachable(oracle.root()):
            assert solution.values(es.Position(game, *node, ())) == oracle.value_of(node)


def test_time_runs_out_with_a_message(monkeypatch: pytest.MonkeyPatch) -> None:
    thresholds.solve_chance_in_whole_numbers(monkeypatch, 0)
    with pytest.raises(LimitReached):
        es.solve(es.games.RepeatBust(sides=3, dice=2), method="graph", engine="plain", limits=Limits(seconds=0))
