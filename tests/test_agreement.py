"""Every solver against the oracle of `naive.py`: values, best moves, distances, distributions."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

import naive
import strategies
from amounts import examples
from endsight import CHANCE, Game, Position, Solution, solve
from places import reachable

OBJECTIVES = st.sampled_from(["competitive", "cooperative"])
UTILITIES = st.sampled_from(["payoff", "win", "lead"])


def assert_agrees(solution: Solution, oracle: naive.Oracle, position: Position) -> None:
    """Value, every move's value and the set of best moves."""
    assert solution.values(position) == oracle.value(position)
    options = {option.move: option for option in solution.options(position)}
    expected = dict(oracle.move_values(position))
    assert {move: option.value for move, option in options.items()} == expected
    if position.mover == CHANCE or not expected:
        return
    is_shared = oracle.objective == "cooperative" and oracle.fixed.get(position.mover) != "best"
    interest = 0 if is_shared else position.mover
    top = max(value[interest] for value in expected.values())
    assert {move for move, option in options.items() if option.best} == {
        move for move, value in expected.items() if value[interest] == top
    }
    assert all(option.regret == top - option.value[interest] for option in options.values())


def question(draw: Any, game: Game) -> dict[str, Any]:
    """A random objective, utility and set of fixed players that make sense for the game."""
    utility = draw(UTILITIES) if game.player_count > 1 else "payoff"
    fixed: dict[int, Any] = {}
    for player in range(game.player_count):
        rule = draw(st.sampled_from([None, None, "random", "greedy", "lookahead", "best", "worst", "last"]))
        if rule == "last":
            fixed[player] = lambda game, state: list(game.moves(state))[-1]
        elif rule is not None:
            fixed[player] = rule
    return {"objective": draw(OBJECTIVES), "utility": utility, "fixed": fixed}


def oracle_fixed(game: Game, fixed: dict[int, Any]) -> dict[int, Any]:
    return {p: (lambda state, rule=rule: rule(game, state)) if callable(rule) else rule for p, rule in fixed.items()}


ACYCLIC = st.one_of(
    strategies.alternating_acyclic(),
    strategies.alternating_acyclic(seats=1),
    strategies.alternating_rewards(),
    strategies.alternating_rewards(seats=3),
    strategies.chance_acyclic(),
)


@examples(120, 15, ACYCLIC, st.data())
def test_backward_induction_under_every_question(game: Game, data: Any) -> None:
    asked = question(data.draw, game)
    solution = solve(game, **asked)
    oracle = naive.Recursion(game, asked["objective"], asked["utility"], oracle_fixed(game, asked["fixed"]))
    for position in reachable(game.position(), totals=True):
        assert_agrees(solution, oracle, position)


@examples(120, 15, ACYCLIC, UTILITIES)
def test_distribution_follows_the_first_best_moves(game: Game, utility: str) -> None:
    utility = utility if game.player_count > 1 else "payoff"
    solution = solve(game, utility=utility)
    for player, name in enumerate(game.player_names):
        distribution = solution.distribution(name)
        assert sum(distribution.outcomes.values()) == 1
        assert distribution.mean() == solution.values()[player]
        assert list(distribution) == sorted(distribution)


@examples(120, 15, strategies.chance_acyclic())
def test_distribution_and_plies_of_payoff_games(game: Game) -> None:
    solution = solve(game)
    oracle = naive.Recursion(game)
    if solution.source.is_win_loss:
        return  # the shortest win is chosen there, the oracle takes the first
    for player, name in enumerate(game.player_names):
        distribution = solution.distribution(name)
        assert dict(distribution) == oracle.distribution(player)
        assert distribution.expected_plies == oracle.plies()


@examples(120, 15, ACYCLIC, st.data())
def test_play_follows_the_question(game: Game, data: Any) -> None:
    """Players who are fixed, `worst` too, and objectives: what play brings is what the value says."""
    asked = question(data.draw, game)
    solution = solve(game, **asked)
    oracle = naive.Recursion(game, asked["objective"], asked["utility"], oracle_fixed(game, asked["fixed"]))
    for player, name in enumerate(game.player_names):
        distribution = solution.distribution(name)
        assert distribution.mean() == solution.values()[player] == oracle.value()[player]
        if not solution.source.is_win_loss:
            assert distribution.expected_plies == oracle.plies()


@examples(
    120,
    15,
    strategies.alternating_loops(),
    OBJECTIVES,
    st.sampled_from([{0: "worst"}, {1: "worst"}, {0: "worst", 1: "worst"}]),
)
def test_lines_of_who_plays_badly_on_purpose(game: Game, objective: str, fixed: dict[int, Any]) -> None:
    solution = solve(game, objective=objective, fixed=fixed)
    if solution.distance() is None:
        return
    steps = list(solution.steps())
    end = game.position()
    for step in steps:
        end = end.after(step.move)
    assert end.is_over
    assert len(steps) == solution.distance()
    assert solve(game, end).values() == solution.values()


@examples(120, 15, st.one_of(strategies.alternating_acyclic(), strategies.alternating_loops()))
def test_distances_of_games_won_drawn_or_lost(game: Game) -> None:
    solution = solve(game)
    oracle = naive.Sweeps(game)
    for position in reachable(game.position()):
        assert solution.values(position) == oracle.value(position)
        assert solution.distance(position) == oracle.distance(position)
        assert_agrees(solution, oracle, position)


@examples(120, 15, strategies.alternating_loops(payoffs=(-2, -1, 0, 1, 3)), OBJECTIVES)
def test_retrograde_analysis_with_any_payoffs(game: Game, objective: str) -> None:
    solution = solve(game, objective=objective)
    oracle = naive.Sweeps(game, objective)
    for position in reachable(game.position()):
        assert solution.values(position) == oracle.value(position)


@examples(120, 15, strategies.alternating_loops(), UTILITIES)
def test_loops_under_every_utility(game: Game, utility: str) -> None:
    solution = solve(game, utility=utility)
    oracle = naive.Sweeps(game, utility=utility)
    for position in reachable(game.position()):
        assert solution.values(position) == oracle.value(position)


@examples(120, 15, st.one_of(strategies.stopping_loops(), strategies.stopping_loops(rewards=True)))
def test_policy_iteration_against_enumeration_of_policies(game: Game) -> None:
    solution = solve(game)
    oracle = naive.Enumeration(game)
    for position in reachable(game.position()):
        assert solution.values(position) == oracle.value(position)
        assert {option.move: option.value for option in solution.options(position)} == dict(
            oracle.move_values(position)
        )


@examples(120, 15, strategies.stopping_loops())
def test_distribution_on_loops_has_the_value_as_its_mean(game: Game) -> None:
    solution = solve(game)
    distribution = solution.distribution()
    assert distribution.mean() == solution.values()[0]
    assert distribution.expected_plies is not None


@examples(120, 15, ACYCLIC)
def test_line_is_legal_and_reaches_the_value_without_chance(game: Game) -> None:
    solution = solve(game)
    position = game.position()
    for step in solution.steps():
        assert step.player == position.to_move
        position = position.after(step.move)
    assert position.is_over
    if not solution.source.is_win_loss and all(step.player != "chance" for step in solution.steps()):
        paid = solve(game, position).values()
        assert paid == solution.values()
