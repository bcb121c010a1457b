"""Exact values where chance meets loops: against enumeration of policies, closed forms and published values."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

import endsight as es
import naive
from amounts import seed_rows
from endsight import CHANCE, Game
from endsight.algorithms import exact_policy_iteration, policy_iteration
from endsight.algorithms.action_elimination import exact_at
from endsight.algorithms.arena import Arena
from endsight.algorithms.arena_structure import Structure
from endsight.algorithms.chain_elimination import exact_by_elimination
from endsight.algorithms.end_components import collapse
from endsight.algorithms.exact_policy_iteration import exact_values
from endsight.algorithms.interval_iteration import enclose_values
from endsight.base.machine import memory_in_use
from endsight.errors import LimitReached, RulesError
from endsight.game.limits import Budget
from endsight.graph.explorer import explore
from endsight.graph.judgement import judge
from places import reachable
from stochastic import chain, decision_process, random_game
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
@pytest.mark.parametrize("seeds", seed_rows(1_000, 75))
def test_games_with_loops_and_games_that_end_against_enumeration(stopping: bool, seeds: range) -> None:
    for seed in seeds:
        agrees(random_game(seed, stopping=stopping))


@pytest.mark.parametrize("players", [1, 2])
@pytest.mark.parametrize("seed", range(6))
def test_optimality_equations_hold_exactly(players: int, seed: int) -> None:
    arena = decision_process(25, players=players, seed=seed, exit_share=(0.3, 0.01)[seed % 2])
    values = exact_values(arena)[0]
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
    right = exact_values(arena)[0]

    monkeypatch.setattr(exact_policy_iteration._Component, "_guessed", last_edges)
    assert exact_values(arena)[0] == right


def last_edges(component: exact_policy_iteration._Component, _: object) -> dict[int, int]:
    """The last edge of every decision."""
    arena = component.arena
    return {node: arena.offsets[node + 1] - 1 for node in component.part if arena.signs[node]}


@pytest.mark.parametrize("is_bad", [False, True])
def test_costs_on_loops_are_exact_however_many_positions_there_are(
    monkeypatch: pytest.MonkeyPatch, is_bad: bool
) -> None:
    floor = es.load(f"{Path(__file__).parents[1]}/benchmarks/rules/slippery.py:width=4,height=3")
    right = es.solve(floor, exact=True).values()
    monkeypatch.setattr(policy_iteration, "MOST_IN_COMPONENT", 3)
    if is_bad:
        # The last direction is up: who always goes there never leaves the floor.
        monkeypatch.setattr(exact_policy_iteration._Component, "_guessed", last_edges)
    solution = es.solve(floor)
    assert solution.values() == right
    assert es.verify(es.prove(solution), type(floor)).claim
    with pytest.raises(LimitReached, match="too large for this question"):
        es.solve(floor, interval=True)


# ---------------------------------------------------------------- closed forms


@pytest.mark.parametrize("length", [1, 5, 40])
def test_one_percent_exit_chain(length: int) -> None:
    assert exact_values(chain(length, 1, 99, gain=3))[0][0] == 1 + 300 * length
    assert exact_values(chain(length, 1, 99, gain=-2))[0][0] == 1 - 200 * length


def test_gamblers_ruin() -> None:
    size, up, down = 30, 2, 3
    offsets = [0, 0, *range(2, 2 * size - 1, 2), 2 * size - 2]
    successors = [child for state in range(1, size) for child in (state - 1, state + 1)]
    payoffs = [0] * size + [1]
    arena = Arena.of(offsets, successors, [down, up] * (size - 1), [0] * (size + 1), None, payoffs)
    ratio = Fraction(down, up)
    for state, value in enumerate(exact_values(arena)[0]):
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
        view, graph = explore(game, game.position())
        if judge(graph, view) is not None:
            continue
        collapsed = collapse(graph)
        if collapsed.endless:
            continue
        arena = collapsed.arena
        assert Structure.of(arena.offsets, arena.successors, arena.signs).ends


# ---------------------------------------------------------------- along best play


@pytest.mark.parametrize("seed", range(5))
def test_exact_along_play_is_exact(seed: int) -> None:
    arena = decision_process(15, players=2, seed=seed, exit_share=0.1)
    values = exact_values(arena)[0]
    enclosure = enclose_values(arena)
    assert enclosure is not None
    for verdicts in (enclosure.verdicts, np.ones_like(enclosure.verdicts)):
        assert exact_at(arena, verdicts, np.array([0, 7]), Budget()) == {0: values[0], 7: values[7]}


@pytest.mark.parametrize("length", [3, 60])
def test_exact_along_play_with_gains(length: int) -> None:
    assert exact_by_elimination(chain(length, 1, 99, gain=3), [0]) == {0: 1 + 300 * length}


def test_exact_play_looks_at_its_limits_all_along(monkeypatch: pytest.MonkeyPatch) -> None:
    count = 9000
    arena = Arena.of([*range(count), count - 1], range(1, count), None, [0] * count, None, [0] * (count - 1) + [7])
    lines: list[tuple[str, int]] = []
    parts: list[tuple[int, int]] = []

    def note(_: Budget, states: int, doing: str, part: tuple[int, int] | None = None) -> None:
        frame = sys._getframe(1)
        frame = frame.f_back if frame.f_code.co_name == "watched" and frame.f_back else frame
        lines.append((frame.f_code.co_name, states))
        parts.extend([part] if part else [])

    monkeypatch.setattr(Budget, "glance", note)
    assert exact_by_elimination(arena, [0]) == {0: 7}
    stages = {name for name, _ in lines}
    assert stages >= {"_entries", "_set_levels", "_last_uses", "_solve_level"}
    assert len(lines) > 5 * count // 4096
    # One node after the other, and each takes a bit longer than the one before.
    assert parts == [(level * (level + 1) // 2, count * (count + 1) // 2) for level in range(count)]


def test_large_graphs_are_exact_along_best_play(monkeypatch: pytest.MonkeyPatch) -> None:
    game = es.games.Pig(12)
    throughout = es.solve(game)
    monkeypatch.setattr(policy_iteration, "MOST_THROUGHOUT", 10)
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
    monkeypatch.setattr(policy_iteration, "MOST_THROUGHOUT", 0)
    # From 1 two dice that are worth the same third; 0 is a die before it.
    successors = ((1, 4), (2, 3), (0, 4, 5), (0, 4, 5), (), ())
    game = one_player(successors, (CHANCE, 0, CHANCE, CHANCE, 0, 0), (0, 0, 0, 0, 1, 0))
    solution = es.solve(game)
    options = solution.options(game.position("0"))
    assert [option.best for option in options] == [True, True]
    assert [option.rank for option in options] == [1, 1]


def test_exact_is_refused_where_best_play_stays_on_too_long_a_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    from endsight.algorithms import chain_elimination

    monkeypatch.setattr(chain_elimination, "MOST_LEFT", 3)
    monkeypatch.setattr(policy_iteration, "MOST_IN_COMPONENT", 3)
    with pytest.raises(LimitReached, match="best play stays on a loop"):
        es.solve(es.games.Pig(8), exact=True)


def test_memory_for_arrays_and_kernels_is_asked_for_before_they_are_made() -> None:
    """Loading the kernels takes more than what is left here, which a look afterwards would find out too late."""
    game = es.games.Pig(target=30)
    _, graph = explore(game, game.position(), es.Question(), symmetry=True, budget=Budget())
    assert len(graph.successors) > policy_iteration.MANY_EDGES
    budget = Budget(es.Limits(memory=memory_in_use() + 20_000_000))
    with pytest.raises(LimitReached, match="memory while enclosing values"):
        policy_iteration.policy_iteration(graph, budget=budget)
