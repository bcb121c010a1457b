"""Exact values where chance meets loops: against enumeration of policies, closed forms and published values."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

import pytest

import endsight as es
import naive
import thresholds
from amounts import seed_rows
from endsight import CHANCE, Game
from endsight.errors import LimitReached, RulesError
from places import reachable
from stochastic import (
    chain,
    decision_process,
    ends_once_collapsed,
    exact_along_play,
    exact_amounts,
    exact_by_dropping_nodes,
    looks_at_limits,
    random_game,
    random_walk,
    solve_loops_within,
)
from strategies import MoverGraph, MoverRewards

# ---------------------------------------------------------------- against enumeration


def agrees(game: Game) -> None:
    """Values, moves and best moves of all positions are those of the oracle."""
    solution = es.solve(game)
    oracle = naive.Enumeration(game)
    for position in reachable(game.position()):
        assert solution.values(position) == oracle.value(position)
        options = solution.options(position)
        assert {option.move: option.value for option in options} == dict(oracle.move_values(position))
        if position.mover != CHANCE and options:
            assert {option.move for option in options if option.best} == set(oracle.best_moves(position))
    follows_its_own_choices(game, solution)


def follows_its_own_choices(game: Game, solution: es.Solution) -> None:
    """Play as chosen brings the value, also where other best moves lead round for ever."""
    if solution.source.table.graph.rewards is None:  # type: ignore[attr-defined]
        assert solution.distribution().mean() == solution.values()[0]


@pytest.mark.parametrize("stopping", [False, True])
@pytest.mark.parametrize("seeds", seed_rows(1_000, 38))
def test_games_with_loops_and_games_that_end_against_enumeration(stopping: bool, seeds: range) -> None:
    for seed in seeds:
        agrees(random_game(seed, stopping=stopping))


@pytest.mark.parametrize("players", [1, 2])
@pytest.mark.parametrize("seed", range(6))
def test_optimality_equations_hold_exactly(players: int, seed: int) -> None:
    arena = decision_process(25, players=players, seed=seed, exit_share=(0.3, 0.01)[seed % 2])
    values = exact_amounts(arena)
    for node in range(len(arena)):
        if arena.is_end(node):
            assert values[node] == arena.payoffs[node]
            continue
        after = [values[arena.successors[edge]] for edge in arena.edges(node)]
        if arena.signs[node]:
            assert values[node] == (max(after) if arena.signs[node] > 0 else min(after))
        else:
            weights = [arena.weight(edge) for edge in arena.edges(node)]
            assert values[node] * sum(weights) == sum(w * v for w, v in zip(weights, after, strict=True))


def test_a_bad_first_guess_only_costs_time(monkeypatch: pytest.MonkeyPatch) -> None:
    arena = decision_process(12, players=2, seed=5, exit_share=0.05)
    right = exact_amounts(arena)

    thresholds.last_moves_are_guessed_best(monkeypatch)
    assert exact_amounts(arena) == right


@pytest.mark.parametrize("is_bad", [False, True])
def test_costs_on_loops_are_exact_however_many_positions_there_are(
    monkeypatch: pytest.MonkeyPatch, is_bad: bool
) -> None:
    floor = es.load(f"{Path(__file__).parents[1]}/benchmarks/rules/slippery.py:width=4,height=3")
    right = es.solve(floor, exact=True).values()
    thresholds.only_small_loops_are_exact(monkeypatch, 3)
    if is_bad:
        # The last direction is up: who always goes there never leaves the floor.
        thresholds.last_moves_are_guessed_best(monkeypatch)
    solution = es.solve(floor)
    assert solution.values() == right
    assert es.verify(es.prove(solution), type(floor)).claim
    with pytest.raises(LimitReached, match="too large for this question"):
        es.solve(floor, interval=True)


# ---------------------------------------------------------------- closed forms


@pytest.mark.parametrize("length", [1, 5, 40])
def test_one_percent_exit_chain(length: int) -> None:
    assert exact_amounts(chain(length, 1, 99, gain=3))[0] == 1 + 300 * length
    assert exact_amounts(chain(length, 1, 99, gain=-2))[0] == 1 - 200 * length


def test_gamblers_ruin() -> None:
    size, up, down = 30, 2, 3
    ratio = Fraction(down, up)
    for state, value in enumerate(exact_amounts(random_walk(size, up, down))):
        assert value == (1 - ratio**state) / (1 - ratio**size)


class SoloPig(Game):
    """Pig alone: reach `target` in as few turns as possible."""

    target: int = 10

    class State(NamedTuple):
        score: int
        pot: int
        rolling: int

    def limits(self) -> State:
        return self.State(self.target, self.target, 1)

    def start(self) -> State:
        return self.State(0, 0, 0)

    def to_move(self, state: State) -> int:
        return CHANCE if state.rolling else 0

    def moves(self, state: State) -> Iterator[int]:
        if state.rolling:
            yield from range(1, 7)
        elif state.score < self.target:
            if state.score + state.pot < self.target:
                yield 0
            if state.pot > 0:
                yield 1

    def reward(self, state: State, move: int) -> int:
        """Every turn that begins costs one."""
        return -1 if not state.rolling and move == 0 and state.pot == 0 else 0

    def play(self, state: State, move: int) -> State:
        if state.rolling:
            pot = 0 if move == 1 else min(state.pot + move, self.target - state.score)
            return self.State(state.score, pot, 0)
        if move == 0:
            return self.State(state.score, state.pot, 1)
        return self.State(state.score + state.pot, 0, 0)

    def payoff(self, state: State) -> int:
        return 0


@pytest.mark.parametrize(("target", "turns"), [(10, "7776/4591"), (20, "15116544/5675645")])
def test_published_least_turns_of_solo_pig(target: int, turns: str) -> None:
    assert es.solve(SoloPig(target)).values() == (-Fraction(turns),)


@pytest.mark.parametrize(("target", "value"), [(5, "161/271"), (10, "4591/10961"), (20, "5675645/24557443")])
def test_published_values_of_pig(target: int, value: str) -> None:
    assert es.solve(es.games.Pig(target)).values() == (Fraction(value), -Fraction(value))


# ---------------------------------------------------------------- endless play


def one_player(successors: tuple, movers: tuple, payoffs: tuple, **more: tuple) -> MoverGraph:
    weights = tuple(tuple(1 for _ in ways) for ways in successors)
    shares = tuple((payoff,) for payoff in payoffs)
    if "rewards" in more:
        gains = tuple(tuple((g,) for g in row) for row in more["rewards"])
        return MoverRewards(successors, shares, 1, movers, weights, gains)
    return MoverGraph(successors, shares, 1, movers, weights)


def test_an_absorbing_loop_is_left_where_that_pays_and_kept_where_it_does_not() -> None:
    # 0 is a die to 1, 1 a player who may go back or out.
    for payoff, value in ((3, 3), (-3, 0), (0, 0)):
        solution = es.solve(one_player(((1,), (0, 2), ()), (CHANCE, 0, 0), (0, 0, payoff)))
        assert solution.values() == (value,)
        # "0" leads back and is as good as leaving later; play that is chosen must still get out.
        assert solution.distribution().mean() == value
        assert len(solution.line()) <= 3


def test_several_end_components_one_after_the_other() -> None:
    # Dice 1 and 3 lead back to their players 0 and 2; from 0 on to 2, from 2 out to 5 (pays 1) or 4 (a die, 5 or 6).
    game = one_player(
        ((1, 2), (0,), (3, 4, 6), (2,), (5, 6), (), ()), (0, CHANCE, 0, CHANCE, CHANCE, 0, 0), (0, 0, 0, 0, 0, 4, -1)
    )
    assert es.solve(game).values() == (Fraction(3, 2),)
    assert es.solve(game).distribution().mean() == Fraction(3, 2)


def test_a_closed_loop_of_chance_alone_pays_what_endless_play_pays() -> None:
    game = one_player(((1, 2), (0,), ()), (CHANCE, CHANCE, 0), (0, 0, 5))
    assert es.solve(game).values() == (5,)
    closed = one_player(((1, 3), (2,), (1,), ()), (0, CHANCE, CHANCE, 0), (0, 0, 0, -2))
    assert es.solve(closed).values() == (0,)


def test_rewards_on_endless_play_are_refused_by_name() -> None:
    game = one_player(((1,), (0, 2), ()), (CHANCE, 0, 0), (0, 0, 1), rewards=((1,), (0, 0), ()))
    with pytest.raises(RulesError, match="go on for ever here and pays on the way"):
        es.solve(game)


def test_collapsing_leaves_nothing_endless() -> None:
    for seed in range(200):
        game = random_game(seed)
        assert ends_once_collapsed(game) is not False


# ---------------------------------------------------------------- along best play


@pytest.mark.parametrize("seed", range(5))
def test_exact_along_play_is_exact(seed: int) -> None:
    arena = decision_process(15, players=2, seed=seed, exit_share=0.1)
    values = exact_amounts(arena)
    for proven_moves in (True, False):
        assert exact_along_play(arena, [0, 7], proven_moves=proven_moves) == {0: values[0], 7: values[7]}


@pytest.mark.parametrize("length", [3, 60])
def test_exact_along_play_with_gains(length: int) -> None:
    assert exact_by_dropping_nodes(chain(length, 1, 99, gain=3)) == {0: 1 + 300 * length}


def test_exact_play_looks_at_its_limits_all_along(monkeypatch: pytest.MonkeyPatch) -> None:
    count = 9000
    lines, parts = looks_at_limits(monkeypatch)
    assert exact_by_dropping_nodes(chain(count - 1, 1, 0, end=7)) == {0: 7}
    assert len({name for name, _ in lines}) >= 4
    assert len(lines) > 5 * count // 4096
    # One node after the other, and each takes a bit longer than the one before.
    assert parts == [(level * (level + 1) // 2, count * (count + 1) // 2) for level in range(count)]


def test_large_graphs_are_exact_along_best_play(monkeypatch: pytest.MonkeyPatch) -> None:
    game = es.games.Pig(12)
    throughout = es.solve(game)
    thresholds.exact_along_best_play_alone(monkeypatch, 10)
    along = es.solve(game)
    assert along.method == "interval iteration, exact along best play"
    assert along.value() == throughout.value()
    assert along.options() == throughout.options()
    assert along.line() == throughout.line()
    later = game.position("roll 4 roll 3")
    assert along.best_moves(later) == throughout.best_moves(later)
    assert es.solve(game, later).options() == throughout.options(later)
    solo = SoloPig(10)
    assert es.solve(solo).values() == (-Fraction(7776, 4591),)


def test_ties_that_ends_leave_open_are_decided_exactly(monkeypatch: pytest.MonkeyPatch) -> None:
    thresholds.exact_along_best_play_alone(monkeypatch, 0)
    # From 1 two dice that are worth the same third; 0 is a die before it.
    successors = ((1, 4), (2, 3), (0, 4, 5), (0, 4, 5), (), ())
    game = one_player(successors, (CHANCE, 0, CHANCE, CHANCE, 0, 0), (0, 0, 0, 0, 1, 0))
    solution = es.solve(game)
    options = solution.options(game.position("0"))
    assert [option.best for option in options] == [True, True]
    assert [option.rank for option in options] == [1, 1]


def test_exact_is_refused_where_best_play_stays_on_too_long_a_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    thresholds.best_play_leaves_short_loops(monkeypatch, 3)
    thresholds.only_small_loops_are_exact(monkeypatch, 3)
    with pytest.raises(LimitReached, match="best play stays on a loop"):
        es.solve(es.games.Pig(8), exact=True)


def test_memory_for_arrays_and_kernels_is_asked_for_before_they_are_made() -> None:
    """Loading the kernels takes more than what is left here, which a look afterwards would find out too late."""
    with pytest.raises(LimitReached, match="memory while enclosing values"):
        solve_loops_within(es.games.Pig(target=30), 20_000_000)
