"""Equilibria of two opposed players who see different things, and the exact arithmetic below them."""

from __future__ import annotations

import random
import sys
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import fuzz_hidden
from amounts import seeds
from endsight import Limits, solve
from endsight.algorithms import regret_kernels
from endsight.algorithms.basic_solution import basic_solution
from endsight.algorithms.best_reply import SequencePlan, bounds, is_plan, rounded_plan
from endsight.algorithms.criss_cross import criss_cross
from endsight.algorithms.equilibrium import equilibrium, near_plan
from endsight.algorithms.exact_basis import ExactBasis
from endsight.algorithms.information_sets import information_sets
from endsight.algorithms.integer_matrix import IntegerMatrix
from endsight.algorithms.loops import loops_for
from endsight.algorithms.refined_basis import refined_basis
from endsight.algorithms.regret_matching import RegretMatching
from endsight.algorithms.sequence_form import sequence_form
from endsight.algorithms.simplex import optimum
from endsight.algorithms.treeplex import InformationSets
from endsight.algorithms.walked_sets import walked_sets
from endsight.errors import LimitReached, UsageError
from endsight.game.limits import Budget
from endsight.games import LiarsDice
from hidden_games import Hidden, Poker, pure_value


@pytest.mark.parametrize(("cards", "value"), [(3, Fraction(-1, 18)), (4, Fraction(-1, 24))])
def test_kuhn_poker(cards: int, value: Fraction) -> None:
    sets = information_sets(Poker(cards=cards))
    found = equilibrium(sets)
    assert (found.lower, found.upper, found.reason) == (value, value, None)
    assert bounds(sets, *found.plans) == (value, value)


# Game 143 needs more digits of its duals than machine words have room for.
@pytest.mark.parametrize("seed", [*seeds(17, 6, 7), 143])
def test_random_games_are_worth_what_the_oracle_says(seed: int) -> None:
    fuzz_hidden.check(seed)


@pytest.mark.parametrize("seed", seeds(8, 4))
def test_all_pairs_of_pure_strategies_give_the_same_value(seed: int) -> None:
    game = Hidden(seed, depth=3 + seed % 2, wide=2, small=5, together=seed % 2 == 0, gains=seed % 3 == 0)
    found = equilibrium(information_sets(game))
    assert found.lower == found.upper == pure_value(game)


def test_a_game_without_decisions_and_one_without_payoffs() -> None:
    assert equilibrium(information_sets(Hidden(1, depth=1, small=50))).is_exact
    nothing = equilibrium(information_sets(Hidden(1, depth=4, small=0)))
    assert (nothing.lower, nothing.upper) == (0, 0)


NEAR_TIE = Hidden(8, depth=7, wide=1, small=1, tiny=10**9)
"""Its basis in floats is not optimal."""


def test_a_near_tie_is_refined() -> None:
    sets = information_sets(NEAR_TIE)
    program = sequence_form(sets)
    best = optimum(program, Budget())
    assert best is not None
    first = basic_solution(program, best.basis, Budget())
    assert first is not None
    assert not all(map(is_plan, sets.sides, first.plans)) or bounds(sets, *first.plans)[0] < equilibrium(sets).lower
    basis = refined_basis(first, Budget())
    assert basis is not None
    found = equilibrium(sets)
    assert found.method == "sequence form, refined"
    assert found.is_exact


@pytest.mark.parametrize("seed", [None, 1, 3])
def test_exact_pivots_lead_from_any_basis_to_the_optimum(seed: int | None) -> None:
    sets = information_sets(Poker() if seed is None else Hidden(seed, depth=4, together=True))
    program = sequence_form(sets)
    start = basic_solution(program, program.unit_basis(), Budget())
    assert start is not None
    found = criss_cross(start, Budget(), 1_000)
    assert found is not None
    assert bounds(sets, *found.plans) == (equilibrium(sets).lower,) * 2
    assert criss_cross(start, Budget(), 2) is None


def test_exact_pivots_repair_a_near_tie(monkeypatch: pytest.MonkeyPatch) -> None:
    exact = equilibrium(information_sets(NEAR_TIE)).lower
    monkeypatch.setattr("endsight.algorithms.equilibrium._REFINEMENTS", 0)
    found = equilibrium(information_sets(NEAR_TIE))
    assert (found.lower, found.upper) == (exact, exact)
    assert found.method == "sequence form, exact pivots"


def test_what_pivots_do_not_repair_is_enclosed(monkeypatch: pytest.MonkeyPatch) -> None:
    exact = equilibrium(information_sets(NEAR_TIE)).lower
    monkeypatch.setattr("endsight.algorithms.equilibrium._REFINEMENTS", 0)
    monkeypatch.setattr("endsight.algorithms.equilibrium._PIVOTED_ROWS", 0)
    found = equilibrium(information_sets(NEAR_TIE))
    assert found.lower < found.upper
    assert found.lower <= exact <= found.upper
    assert found.upper - found.lower < Fraction(1, 10**8)
    assert found.reason == "exact pivots came to no end within their budget"


def test_limits_stop_the_linear_program() -> None:
    sets = information_sets(Hidden(2, depth=8, wide=2))
    with pytest.raises(LimitReached, match="memory while solving the linear program"):
        optimum(sequence_form(sets), Budget(Limits(memory=1)))
    with pytest.raises(LimitReached, match="solving the linear program"):
        equilibrium(sets, Budget(Limits(seconds=0)))


def test_the_extra_is_asked_for_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "highspy", None)
    with pytest.raises(UsageError, match=r"(?s)highspy, which is not installed.*pip install 'endsight\[hidden\]'"):
        equilibrium(information_sets(Poker()))


def test_games_without_room_for_their_program_are_enclosed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("endsight.algorithms.equilibrium.MOST_PAIRS", 0)
    monkeypatch.setattr("endsight.algorithms.equilibrium._MOST_TURNS", 2_000)
    for seed in (1, 2, 4):
        game = Hidden(seed, depth=4, wide=2, small=5, together=True)
        found = equilibrium(information_sets(game))
        assert found.method == "regret matching"
        assert found.lower <= pure_value(game) <= found.upper
        assert found.upper - found.lower < Fraction(1, 10**4)
        assert found.is_exact or found.reason == "the game is too large for its linear program"


@pytest.mark.parametrize("turns", [8, 512])
@pytest.mark.parametrize("seed", range(6))
def test_restricted_games_end_at_the_value_of_the_whole_game(
    seed: int, turns: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    sets = information_sets(Hidden(seed, depth=6, wide=2, small=5, together=seed % 2 == 0))
    exact = equilibrium(sets)
    monkeypatch.setattr("endsight.algorithms.equilibrium.FEW_PAIRS", 0)
    monkeypatch.setattr("endsight.algorithms.equilibrium._FIRST_TURNS", turns)
    told: list[tuple[Fraction, Fraction]] = []
    found = equilibrium(sets, tell=lambda lower, upper: told.append((lower, upper)))
    assert found.lower == found.upper == exact.lower
    assert bounds(sets, *found.plans) == (exact.lower, exact.lower)
    assert told
    assert all(lower <= exact.lower <= upper for lower, upper in told)


def test_most_of_a_large_game_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    sets = walked_sets(LiarsDice(sides=5)).sets
    sizes = []
    program = sequence_form

    def counted(restricted: InformationSets) -> Any:
        sizes.append(len(restricted.payoffs))
        return program(restricted)

    monkeypatch.setattr("endsight.algorithms.equilibrium.sequence_form", counted)
    monkeypatch.setattr("endsight.algorithms.equilibrium.FEW_PAIRS", 0)
    found = equilibrium(sets)
    assert (found.method, found.lower, found.upper) == ("restricted games", Fraction(1, 125), Fraction(1, 125))
    assert 10 * max(sizes) < len(sets.payoffs)


def naive_reply(sets: InformationSets, player: int, plan: SequencePlan) -> Fraction:
    """The result of a best reply to a plan, set by set from the last to the first, as the definition has it."""
    side, best = sets.sides[1 - player], (max if player else min)
    values = [0] * side.sequences
    for *pair, amount in sets.payoffs:
        values[pair[1 - player]] += amount * plan.masses[pair[player]]
    for number in reversed(range(len(side))):
        values[side.parent[number]] += best(values[sequence] for sequence in side.after(number))
    return Fraction(values[0], plan.total * sets.scale)


@pytest.mark.parametrize("larger", [1, 10**12, 10**30, 10**400])
@pytest.mark.parametrize("seed", range(3))
def test_best_replies_are_right_for_amounts_of_any_length(seed: int, larger: int, monkeypatch: Any) -> None:
    small = information_sets(Hidden(seed, depth=6, wide=2, small=9))
    amounts = [larger * amount for amount in small.payoffs.amounts]
    sets = replace(small, payoffs=replace(small.payoffs, amounts=amounts))
    r = random.Random(larger)
    plans = [near_plan(sets, player, np.array([r.random() for _ in range(sets.sides[player].sequences)]))
             for player in (0, 1)]  # fmt: skip
    expected = tuple(naive_reply(sets, player, plan) for player, plan in enumerate(plans))
    assert bounds(sets, *plans) == expected
    monkeypatch.setitem(loops_for.__kwdefaults__, "most_plain", -1)
    assert bounds(sets, *plans) == expected


def test_regret_matching_is_the_same_plain_and_compiled() -> None:
    matching = {}
    for compiled in (True, False):
        each = matching[compiled] = RegretMatching(information_sets(Hidden(4, depth=6, wide=2, small=5)), Budget())
        each.loops = loops_for(
            1, most_plain=0 if compiled else 1, kernels=[getattr(regret_kernels, name) for name in each.loops]
        )
        assert list(each.looks(40, lambda: "")) == [32, 40]
    for player in (0, 1):
        for one, other in zip(matching[True].players[player], matching[False].players[player], strict=True):
            assert np.array_equal(one, other)


def test_what_regret_matching_has_proven_is_told_when_it_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("endsight.algorithms.equilibrium.FEW_PAIRS", 0)
    monkeypatch.setattr("endsight.algorithms.equilibrium._FIRST_TURNS", 1 << 40)
    monkeypatch.setattr("endsight.algorithms.equilibrium._SHARE", 0)
    with pytest.raises(LimitReached, match=r"matching regrets, turn [0-9,]+, the ends .* apart") as stop:
        solve(Poker(), limits=Limits(seconds=0.5))
    lower, upper = stop.value.lower, stop.value.upper
    assert -1 < lower["first"] <= Fraction(-1, 18) <= upper["first"] < 1
    assert lower["second"] == -upper["first"]
    with pytest.raises(LimitReached, match="memory while making room to match regrets"):
        equilibrium(information_sets(Poker()), Budget(Limits(memory=1)))


def test_the_solver_prints_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    equilibrium(information_sets(Poker()))
    assert capfd.readouterr() == ("", "")


# ---------------------------------------------------------------- whole numbers


def sparse(rows: list[list[int]]) -> IntegerMatrix:
    table = np.array(rows, dtype=object)
    places = np.nonzero(table)
    entries = table[places]
    fits = all(abs(entry) < 2**62 for entry in entries)
    return IntegerMatrix.of(*places, entries.astype(np.int64) if fits else entries, table.shape)


@pytest.mark.parametrize("largest", [1, 9, 10**6, 10**15, 10**30, 10**200, 10**400])
@pytest.mark.parametrize("transposed", [False, True])
def test_systems_are_solved_exactly(largest: int, transposed: bool) -> None:
    r = random.Random(largest)
    for size in (1, 2, 5, 12):
        rows = [
            [r.randint(-largest, largest) * (r.random() < 0.6) + (i == j) for j in range(size)] for i in range(size)
        ]
        right = [r.randint(-9, 9) for _ in range(size)]
        found = ExactBasis(sparse(rows)).solution(right, transposed=transposed)
        if found is None:
            assert np.linalg.matrix_rank(np.array(rows, dtype=float)) < size
            continue
        numerators, denominator = found
        assert denominator > 0
        used = zip(*rows, strict=True) if transposed else rows
        assert [sum(map(int.__mul__, row, numerators)) for row in used] == [each * denominator for each in right]


def test_singular_and_nearly_singular_systems() -> None:
    assert ExactBasis(sparse([[1, 2], [2, 4]])).solution([1, 0]) is None
    big = 10**18
    numerators, denominator = ExactBasis(sparse([[big, big + 1], [big - 1, big]])).solution([1, 0]) or ([], 1)
    assert [Fraction(each, denominator) for each in numerators] == [big, 1 - big]


def test_rounded_plans_are_plans() -> None:
    sets = information_sets(Hidden(5, depth=7, wide=2))
    r = random.Random(1)
    for side in sets.sides:
        for weights in ([r.random() - 0.3 for _ in range(side.sequences)], [0] * side.sequences, [10**50, -1] * 500):
            assert is_plan(side, rounded_plan(side, weights[: side.sequences], bits=20))
    halves = rounded_plan(sets.sides[0], [1] * sets.sides[0].sequences, bits=1)
    assert halves == SequencePlan(halves.masses, 2)
