"""Certificates of games in which players move at once and see all else: mixtures held against every reply."""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import endsight as es
from amounts import seeds
from at_once import AtOnceGraph, Naive, random_game
from command_line import run
from endsight import CHANCE, Certificate, Game
from endsight.errors import RulesError
from endsight.verifier.certificate import Bounds, Induction, Play
from endsight.verifier.words import SECURED
from ranges import as_range
from test_plan_certificates import TINY, certificate, refused

HALF = ((2, 1),)


@pytest.mark.parametrize("options", [{}, {"utility": "win"}, {"utility": "lead"}], ids=str)
@pytest.mark.parametrize("seed", seeds(25, 6))
def test_values_of_random_games_are_proven_exactly(seed: int, options: dict[str, Any]) -> None:
    game = random_game(random.Random(seed))
    made = es.prove(es.solve(game, **options))
    assert es.verify(made, AtOnceGraph)
    values = Naive(game, **options).value()
    assert made.claim.value == {name: (own, own) for name, own in zip(game.player_names, values, strict=True)}
    for shift in ((TINY, 1), (-1, -TINY)):
        ends = (values[0] + shift[0], values[0] + shift[1])
        lie = replace(made, claim=replace(made.claim, value={**made.claim.value, "first": ends}))
        assert "the value of first is not as claimed" in refused(lie, AtOnceGraph)


@pytest.mark.parametrize("seed", seeds(25, 6))
def test_games_with_loops_are_enclosed(seed: int) -> None:
    game = random_game(random.Random(seed), loops=True)
    solution = es.solve(game)
    made = es.prove(solution)
    assert es.verify(made, AtOnceGraph)
    bounds = ((each.lower, each.upper) for each in map(as_range, solution.values()))
    assert made.claim.value == dict(zip(game.player_names, bounds, strict=True))


@pytest.mark.parametrize("name", ["rps", "morra", "blotto", "goofspiel:cards=3"])
def test_built_in_games_are_proven(name: str, tmp_path: Path) -> None:
    file = str(tmp_path / "once.cert")
    assert run("prove", name, "-o", file).code == 0
    assert run("verify", file).code == 0
    assert " secures " in es.verify(Certificate.read(file)).claim


def test_outcomes_of_mixed_moves_have_no_certificate(tmp_path: Path) -> None:
    said = run("prove", "rps", "--dist", "first", "-o", str(tmp_path / "once.cert"))
    assert said.code == 2
    assert "the outcomes of mixed moves have no certificate" in said.err


@pytest.mark.parametrize("seed", range(10))
def test_two_who_want_the_same_choose_as_one(seed: int) -> None:
    game = random_game(random.Random(seed))
    made = es.prove(es.solve(game, objective="cooperative"))
    assert es.verify(made, AtOnceGraph)
    values = Naive(game, objective="cooperative").value()
    assert made.claim.value["first"] == (values[0], values[0])


@pytest.mark.parametrize("rule", ["random", "worst"])
@pytest.mark.parametrize("objective", ["cooperative", "competitive"])
def test_policies_of_players_who_move_at_once_are_refused(objective: str, rule: str) -> None:
    made = certificate(pennies(), EVEN, 0, 0, notion=SECURED, objective=objective, fixed={"second": rule})
    refused(made, AtOnceGraph)


# ---------------------------------------------------------------------- by hand


def pennies() -> AtOnceGraph:
    """Who finds what the other hides wins."""
    return at_once(((1, 2, 2, 1), (), ()), (2, 0, 0), (0, -1, 1))


def at_once(edges: tuple[tuple[int, ...], ...], columns: tuple[int, ...], ends: tuple[int, ...]) -> AtOnceGraph:
    """Nothing is gained on the way, and chance moves with equal weights where nobody moves at once."""
    nothing, even = (tuple((own,) * len(children) for children in edges) for own in (0, 1))
    return AtOnceGraph(edges, columns, (CHANCE,) * len(edges), even, nothing, ends)


EVEN = Bounds(Play((1, 1)), Play((1, 1)))


def test_matching_pennies() -> None:
    verdict = es.verify(certificate(pennies(), EVEN, 0, 0, notion=SECURED), AtOnceGraph)
    assert verdict.checked[1:] == (
        "at least: 3 states, 4 moves, 1 choices, an inequality each",
        "at most: 3 states, 4 moves, 1 choices, an inequality each",
    )
    assert verdict.claim.endswith("first secures 0, second secures 0")


LIES: dict[str, tuple[Bounds, Any, Any, str]] = {
    "a mixture that can be beaten": (Bounds(Play((2, 1)), Play((1, 1))), 0, 0, "the value of first is not as claimed"),
    "below 0": (Bounds(Play((2, -1)), Play((1, 1))), 0, 0, "weights that are not whole numbers from 0 up"),
    "all 0": (Bounds(Play((0, 0)), Play((1, 1))), 0, 0, "weights that are not whole numbers from 0 up"),
    "a weight missing": (Bounds(Play((1,)), Play((1, 1))), 0, 0, "weights that are not whole numbers from 0 up"),
    "a weight too many": (Bounds(Play((1, 1, 1)), Play((1, 1))), 0, 0, "more choices than decisions"),
    "more than the value": (EVEN, TINY, 1, "the value of first is not as claimed"),
    "less than the value": (EVEN, -1, -TINY, "the value of first is not as claimed"),
    "one sure move": (Bounds(Play((1, 0)), Play((1, 1))), 0, 0, "the value of first is not as claimed"),
    "rounded by a scale": (
        Bounds(Play((1, 2), HALF), Play((1, 1))), Fraction(-1, 3), 0, "the value of first is not as claimed",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", LIES)
def test_lies_about_matching_pennies_are_refused(name: str) -> None:
    evidence, low, high, reason = LIES[name]
    assert reason in refused(certificate(pennies(), evidence, low, high, notion=SECURED), AtOnceGraph)


def test_one_play_alone_is_a_bound_that_each_player_keeps() -> None:
    made = certificate(pennies(), Bounds(Play((1, 2)), Play((1, 0))), Fraction(-1, 3), 1, notion=SECURED)
    assert es.verify(made, AtOnceGraph)


def test_no_backward_induction_where_players_move_at_once() -> None:
    assert "only mixtures of two rivals" in refused(certificate(pennies(), Induction(), 0, 0, notion=None), AtOnceGraph)


def test_no_mixture_without_rivals() -> None:
    made = certificate(pennies(), EVEN, 0, 0, notion=SECURED, objective="cooperative")
    assert "more choices than decisions" in refused(made, AtOnceGraph)


def test_a_mixture_is_no_win() -> None:
    made = certificate(pennies(), EVEN, 0, 0, notion=SECURED, category="draw")
    assert "the category is 'value', not 'draw'" in refused(made, AtOnceGraph)


def test_a_loop_whose_value_is_no_fraction_is_enclosed() -> None:
    """[[2, v/2], [v/2, 1]], where a coin ends play or begins it again: v is 2 - 2 / sqrt(3)."""
    game = at_once(((1, 3, 3, 2), (), (), (0, 4), ()), (2, 0, 0, 0, 0), (0, 2, 1, 0, 0))
    scale, unit = ((10, 5),), 100_000

    def play(value: int) -> Play:
        """With it, both replies bring the same."""
        return Play((2 * unit - value, 4 * unit - value), scale, (0,), (value,))

    low, high = Fraction(84_525, unit), Fraction(84_535, unit)
    assert low < 2 - 2 / Fraction(3**0.5) < high
    made = certificate(game, Bounds(play(84_525), play(84_535)), low, high, notion=SECURED)
    assert es.verify(made, AtOnceGraph)
    for wrong in (play(84_540), Play((1, 1), scale, (0,), (84_525,))):
        made = certificate(game, Bounds(wrong, play(84_535)), low, high, notion=SECURED)
        assert "does not hold for the moves from there" in refused(made, AtOnceGraph)


def test_a_loop_that_one_player_can_keep_up_is_endless_play() -> None:
    """The second stays for ever by the first move, whatever the first mixes."""
    game = at_once(((0, 1, 0, 1), ()), (2, 0), (0, 1))
    stays = Play((0, 1), (), (0,), (1,))
    made = certificate(game, Bounds(stays, Play((1, 1), (), (0,), (1,))), 1, 1, notion=SECURED)
    assert "play may never end, and the bounds claim too much for that" in refused(made, AtOnceGraph)
    least, most = Play((1, 1), (), (0,), (0,)), Play((1, 0), (), (0,), (0,))
    assert es.verify(certificate(game, Bounds(least, most), 0, 0, notion=SECURED), AtOnceGraph)


class Three(Game):
    """Three players, or two of them, name 0 or 1 at once; the first is paid 1 more than is named, up to 3."""

    players = 3
    who: tuple[int, ...] = (0, 1, 2)

    class State(NamedTuple):
        place: int

    def limits(self) -> State:
        return self.State(4)

    def start(self) -> State:
        return self.State(0)

    def to_move(self, state: State) -> int | tuple[int, ...]:
        return 0 if state.place else self.who

    def moves(self, state: State) -> Iterable[tuple[int, ...]]:
        return () if state.place else product((0, 1), repeat=len(self.who))

    def play(self, state: State, move: tuple[int, ...]) -> State:
        return self.State(1 + sum(move) % 3)

    def payoff(self, state: State) -> tuple[int, ...]:
        return state.place, 1, 0


@pytest.mark.parametrize("who", [(0, 1, 2), (0, 2), (0, 1), (1, 2)])
def test_three_who_cooperate_and_move_at_once_are_proven(who: tuple[int, ...]) -> None:
    solution = es.solve(Three(who), objective="cooperative")
    assert solution.values() == (3, 1, 0)
    assert "first 3, second 1, third 0" in es.verify(es.prove(solution), Three).claim


@pytest.mark.parametrize("fixed", [{}, {"first": "worst"}, {"third": "worst"}])
def test_nothing_is_proven_of_three_who_move_at_once_and_want_something_else(fixed: dict[str, str]) -> None:
    made = es.prove(es.solve(Three(), objective="cooperative"))
    claim = replace(made.claim, objective="cooperative" if fixed else "competitive", fixed=fixed)
    assert "or about three or more rivals" in refused(replace(made, claim=claim), Three)


@pytest.mark.parametrize("who", [(0,), (1, 0), (0, 3), (0, 0), (-1, 0), ()])
def test_groups_that_are_none_are_faults_of_the_rules(who: tuple[int, ...]) -> None:
    made = es.prove(es.solve(Three(), objective="cooperative"))
    game = {**made.game, "parameters": {"who": who}}
    with pytest.raises(RulesError, match="to_move returns a player who does not exist"):
        es.verify(replace(made, game=game), Three)
