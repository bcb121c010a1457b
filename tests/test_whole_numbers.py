"""Games without loops in whole numbers: against fractions, node by node, and against the component solver."""

from __future__ import annotations

import random
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given

import endsight as es
from endsight import CHANCE, Game, Limits, Table
from endsight.algorithms import action_elimination, whole_numbers
from endsight.algorithms import backward_induction as induction
from endsight.algorithms.arena import all_amounts, arena_of
from endsight.algorithms.exact_policy_iteration import exact_values
from endsight.algorithms.interval_iteration import enclose_values
from endsight.algorithms.whole_numbers import whole_values
from endsight.errors import LimitReached
from endsight.game.limits import Budget
from endsight.game.numbers import is_exact
from endsight.graph.explorer import explore
from stochastic import forward_game
from strategies import MoverGraph, MoverRewards, chance_acyclic


def agrees_with_fractions(game: Game) -> None:
    _, graph = explore(game, game.position())
    table = induction.backward_induction(graph)
    for most_plain in (whole_numbers.MOST_PLAIN, 0):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(whole_numbers, "MOST_PLAIN", most_plain)
            agrees(whole_values(all_amounts(graph)), table)


def agrees(whole: whole_numbers.WholeValues | None, table: Table) -> None:
    assert whole is not None
    assert list(whole) == list(table.values)
    assert whole[:3] == list(table.values[:3])
    assert whole.choices.tolist() == list(table.choices)
    assert all(is_exact(number) for value in whole for number in value)


@given(chance_acyclic())
def test_values_and_first_best_moves_of_small_games(game: Game) -> None:
    agrees_with_fractions(game)


@pytest.mark.parametrize("rewards", [False, True])
@pytest.mark.parametrize("long_bits", [4_000, 0])
def test_weights_and_amounts_of_any_size(rewards: bool, long_bits: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(whole_numbers, "LONG_BITS", long_bits)
    for seed in range(40):
        agrees_with_fractions(forward_game(seed, rewards=rewards))


def test_three_players_each_after_the_own_amount() -> None:
    draw = random.Random(3)
    for _ in range(30):
        ways = tuple(
            tuple(draw.randrange(node + 1, 15) for _ in range(draw.randint(1, 4))) if node < 14 else ()
            for node in range(15)
        )
        movers = (*(draw.choice((CHANCE, 0, 1, 2)) for _ in range(14)), 0)
        pays = tuple(tuple(draw.choice((0, 0, 1, Fraction(1, 3))) for _ in range(3)) for _ in range(15))
        weights = tuple(tuple(draw.choice((1, 5, 2**70)) for _ in row) for row in ways)
        agrees_with_fractions(MoverGraph(ways, pays, 3, movers, weights))


def test_large_graphs_take_this_way(monkeypatch: pytest.MonkeyPatch) -> None:
    game = es.games.RepeatBust(sides=4, dice=2)
    for fixed in ({}, {"player": "myopic"}, {"player": "random"}):
        monkeypatch.setattr(induction, "LARGE", 10**9)
        before = es.solve(game, fixed=fixed, engine="plain", method="graph")
        monkeypatch.setattr(induction, "LARGE", 0)
        after = es.solve(game, fixed=fixed, engine="plain", method="graph")
        assert isinstance(after.source.table.rows.values, whole_numbers.WholeValues)  # type: ignore[attr-defined]
        assert list(after.source.table.rows.values) == list(before.source.table.rows.values)  # type: ignore[attr-defined]
        assert list(after.source.table.rows.choices) == list(before.source.table.rows.choices)  # type: ignore[attr-defined]


def test_some_values_alone_need_not_keep_the_others() -> None:
    for seed in range(40):
        _, graph = explore(game := forward_game(seed, rewards=True), game.position())
        everything = whole_values(all_amounts(graph))
        wanted = np.unique(np.array([0, len(graph) // 2]))
        some = whole_values(all_amounts(graph), wanted)
        assert everything is not None
        assert some is not None
        assert [some[node] for node in wanted] == [everything[node] for node in wanted]


def test_a_chain_of_dice_drops_what_nothing_needs() -> None:
    length = 300
    ways = (*((node + 1, length + 1) for node in range(length)), (), ())
    game = MoverGraph(
        ways, ((1,),) * (length + 1) + ((0,),), 1, (CHANCE,) * (length + 2), ((2, 1),) * length + ((), ())
    )
    _, graph = explore(game, game.position())
    found = whole_values(all_amounts(graph), np.zeros(1, np.int64))
    assert found is not None
    assert found[0] == (Fraction(2, 3) ** length,)
    assert sum(top is not None for top in found._tops[:, 0]) <= 3


def test_numbers_that_outgrow_machine_words_on_the_way(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(whole_numbers, "MOST_PLAIN", 0)
    for length in (30, 39, 40, 200):
        ways = (*((node + 1, length + 1) for node in range(length)), (), ())
        movers, weights = (CHANCE,) * length + (0, 0), ((2, 1),) * length + ((), ())
        _, graph = explore(
            game := MoverGraph(ways, ((1,),) * (length + 1) + ((-1,),), 1, movers, weights), game.position()
        )
        found = whole_values(all_amounts(graph))
        assert found is not None
        share = Fraction(2, 3) ** length
        assert found[0] == (2 * share - 1,)
        assert found._tops.dtype == (np.int64 if length < 40 else object)


def test_loops_are_left_to_others() -> None:
    game = MoverGraph(((1,), (0, 2), ()), ((0,), (0,), (1,)), 1, (0, CHANCE, 0), ((1,), (1, 1), ()))
    _, graph = explore(game, game.position())
    assert whole_values(all_amounts(graph)) is None


@pytest.mark.parametrize("are_known", [True, False])
def test_exact_values_of_enclosed_games(are_known: bool) -> None:
    """Along moves proven best, and where nothing is known of any move."""
    for seed in range(40):
        game = forward_game(seed, rewards=seed % 2 == 0)
        if not isinstance(game, MoverRewards) and game.seats == 2:
            game = MoverGraph(game.successors, tuple((p[0], -p[0]) for p in game.payoffs), 2, game.movers, game.weights)
        if game.seats == 2 and isinstance(game, MoverRewards):
            continue
        _, graph = explore(game, game.position())
        arena = arena_of(graph)
        try:
            enclosure = enclose_values(arena)
        except LimitReached:  # amounts of very different sizes
            continue
        assert enclosure is not None
        verdicts = enclosure.verdicts if are_known else np.ones_like(enclosure.verdicts)
        expected = exact_values(arena)[0]
        nodes = np.unique(np.array([0, len(graph) - 1]))
        found = action_elimination.exact_at(arena, verdicts, nodes, Budget())
        assert dict(found) == {node: expected[node] for node in nodes.tolist()}
        assert len(found) == len(nodes)
        assert -1 not in found


def test_time_runs_out_with_a_message() -> None:
    _, graph = explore(game := es.games.RepeatBust(sides=3, dice=2), game.position())
    with pytest.raises(LimitReached, match="finding exact values"):
        whole_values(all_amounts(graph), budget=Budget(Limits(seconds=0)))
