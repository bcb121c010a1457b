"""Samples: the interval keeps its promise, games follow the rules, and seeds mean the same everywhere."""

from __future__ import annotations

import os
import subprocess
import sys
from fractions import Fraction
from functools import cache
from math import comb
from typing import Any

import pytest
from hypothesis import strategies as st

import endsight as es
from amounts import each, examples
from command_line import ask, exact, run
from strategies import GraphGame, chance_acyclic
from test_schemas import validate
from thresholds import samples_give_up, samples_remember_nothing


def tail(count: int, least: int, chance: Fraction) -> Fraction:
    """The chance of `least` or more heads in `count` throws."""
    return sum((comb(count, k) * chance**k * (1 - chance) ** (count - k) for k in range(least, count + 1)), Fraction(0))


@cache
def confidence_interval(mean: Fraction, count: int, confidence: Fraction) -> es.Interval:
    """What so many games with that mean, of amounts from 0 to 1, say about the expectation."""
    game = GraphGame(((1,), ()), ((0,), (mean,)), 1)
    found = es.simulate(game, fixed={0: "random"}, games=count, confidence=confidence, between=(0, 1))
    assert found.mean == mean
    assert found.interval is not None
    return found.interval


@pytest.mark.parametrize("confidence", [Fraction(1, 2), Fraction(95, 100), Fraction(999, 1000)])
@pytest.mark.parametrize("count", [1, 7, 30])
def test_ends_are_refuted_by_exact_binomial_tails(count: int, confidence: Fraction) -> None:
    risk = (1 - confidence) / 2
    for heads in range(count + 1):
        ends = confidence_interval(Fraction(heads, count), count, confidence)
        assert Fraction(heads, count) in ends
        if heads:
            assert tail(count, heads, ends.lower) <= risk
        if heads < count:
            assert 1 - tail(count, heads + 1, ends.upper) <= risk
        mirrored = confidence_interval(1 - Fraction(heads, count), count, confidence)
        assert (mirrored.lower, mirrored.upper) == (1 - ends.upper, 1 - ends.lower)


@pytest.mark.parametrize("chance", [Fraction(k, 23) for k in range(1, 23, 3)])
def test_the_interval_holds_the_chance_as_often_as_promised(chance: Fraction) -> None:
    count, confidence = 25, Fraction(9, 10)
    covered = sum(
        comb(count, heads) * chance**heads * (1 - chance) ** (count - heads)
        for heads in range(count + 1)
        if chance in confidence_interval(Fraction(heads, count), count, confidence)
    )
    assert covered >= confidence


@examples(40, 5, st.integers(0, 100), st.integers(0, 9))
def test_more_games_and_less_confidence_mean_narrower_ends(heads: int, more: int) -> None:
    mean = Fraction(heads, 100)
    wide = confidence_interval(mean, 100, Fraction(99, 100))
    for ends in (
        confidence_interval(mean, 100 * (more + 2), Fraction(99, 100)),
        confidence_interval(mean, 100, Fraction(9, 10)),
    ):
        assert wide.lower <= ends.lower <= mean <= ends.upper <= wide.upper


SAMPLED = [
    (es.games.PigTurn(), {"player": "random"}, {}),
    (es.games.RepeatBust(sides=4), {"player": "myopic"}, {}),
    (es.games.RepeatBust(sides=4), {}, {}),
    (es.games.RepeatBust(3, 1), {"player": "myopic-roll"}, {}),
    (es.games.Pots((4, 9, 2, 7)), {"first": "random", "second": "worst"}, {}),
    (es.games.Pots((4, 9, 2, 7)), {"first": "random", "second": "bigger"}, {"utility": "win"}),
    (es.games.HiddenPots(count=4, max=3), {"second": "random"}, {"utility": "lead"}),
    (es.games.Pig(target=8), {"second": "random"}, {}),
    (es.games.TicTacToe(), {"first": "random", "second": "random"}, {}),
    (es.games.RpsBag(((1, 2, 0), (1, 1, 1))), {}, {}),
]


def test_play_past_the_end_of_the_rules_is_not_sampled() -> None:
    """`never` gets nothing in the end, but the rules file lets nobody roll for ever."""
    with pytest.raises(es.errors.QuestionError, match="past the end that the rules file sets"):
        es.simulate(es.games.RepeatBust(3, 1), fixed={"player": "never"}, games=3000)


@pytest.mark.parametrize(("game", "fixed", "options"), SAMPLED, ids=lambda item: str(item)[:40])
def test_samples_lie_where_the_exact_answer_says(game: Any, fixed: dict[str, str], options: dict[str, str]) -> None:
    found = es.simulate(game, fixed=fixed, games=1500, confidence=Fraction(99_999, 100_000), **options)
    solution = es.solve(game, fixed=fixed, **options)
    assert found.value == solution.values()[0]
    assert found.value in found.interval
    law = solution.distribution()
    assert set(found.counts) <= set(law)
    assert all(law[amount] in ends for amount, ends in found.chances.items())
    assert sum(found.counts.values()) == 1500
    assert found.mean == sum(amount * count for amount, count in found.counts.items()) / Fraction(1500)
    assert abs(found.mean_plies - law.expected_plies) < Fraction(1, 2)


@examples(60, 8, chance_acyclic(), st.integers(0, 3))
def test_random_games_bring_only_what_they_can(game: Any, seed: int) -> None:
    found = es.simulate(game, fixed={0: "random"}, games=20, seed=seed)
    law = es.solve(game, fixed={0: "random"}).distribution()
    assert set(found.counts) <= set(law)
    if found.between is not None:
        assert all(found.between[0] <= amount <= found.between[1] for amount in law)


SCRIPT = """
import endsight as es
found = es.simulate(es.games.Pig(), fixed={0: "hold20", 1: "random"}, games=40, seed=3, utility="win")
print(dict(found.counts), found.mean_plies, found.interval.lower, found.interval.upper)
"""
GOLDEN = "{0: 2, 1: 38} 376/5 400920363/500000000 498415667/500000000\n"


@pytest.mark.parametrize("hashes", each(["0", "1", "random"], lambda hashes: hashes == "1"))
def test_a_seed_means_the_same_games_everywhere(hashes: str, capsys: pytest.CaptureFixture[str]) -> None:
    exec(SCRIPT, {})
    assert capsys.readouterr().out == GOLDEN
    environment = {**os.environ, "PYTHONHASHSEED": hashes}
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=True, env=environment)
    assert done.stdout == GOLDEN


def test_games_too_large_to_solve_are_sampled() -> None:
    game = es.games.ConnectFour()
    everybody = {"first": "random", "second": "random"}
    found = es.simulate(game, fixed=everybody, games=30)
    assert found.value is None
    assert found.interval is None
    assert found.states == 0
    bounded = es.simulate(game, fixed=everybody, games=30, between=(-1, 1))
    assert bounded.counts == found.counts
    assert bounded.mean in bounded.interval
    assert es.simulate(game, fixed=everybody, games=30, seed=1).counts != found.counts or found.mean_plies


def test_documents_and_what_people_see() -> None:
    command = ["simulate", "pots:4-9-2-7", "--fix", "first=random", "--games", "200", "--seed", "5"]
    document = ask(*command)
    assert validate(document) == "simulation"
    assert exact(document["mean"]) == Fraction(
        sum(int(row["payoff"]) * row["count"] for row in document["outcomes"]), 200
    )
    assert exact(document["value"]) == es.solve(es.games.Pots((4, 9, 2, 7)), fixed={0: "random"}).values()[0]
    assert document == ask(*command) | {"method": document["method"]}
    shown = run(*command).out
    assert "95% sure: [" in shown
    assert "200 games · seed 5" in shown
    plain = run(*command, "--plain").out.splitlines()
    assert plain[0].split("\t")[:4] == ["player", "games", "seed", "mean"]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--games", "0"], "a sample needs at least one game"),
        (["--seed", "-1"], "the seed must be a whole number"),
        (["--confidence", "1.5"], "does not lie between 0 and 1"),
        (["--confidence", "5/4"], "the confidence must lie between 0 and 1"),
        (["--between", "one..two"], "is not a range"),
        (["--between", "5..6", "--games", "20"], "the bounds 5 and 6 do not hold"),
        (["--player", "third"], "no player 'third'"),
        (["--fix", "first=clever"], "no policy called 'clever'"),
    ],
)
def test_what_cannot_be_asked(options: list[str], words: str) -> None:
    ending = run("simulate", "pots:4-9-2-7", *options)
    assert ending.code == 2, ending
    assert words in ending.err
    assert not ending.out


def test_play_that_does_not_end_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    samples_give_up(monkeypatch, moves=50)
    ending = run("simulate", "pig", "--fix", "first=random", "--fix", "second=random", "--games", "3")
    assert ending.code == 5
    assert "a game was still going on after 50 moves" in ending.err


def test_hidden_games_are_solved_within_the_limits_that_were_given(monkeypatch: pytest.MonkeyPatch) -> None:
    """Samples of liar's dice ended at 20,000 states, and a larger limit changed nothing."""
    samples_give_up(monkeypatch, states=10)
    fixed = {"first": "random", "second": "random"}
    assert es.simulate("kuhn", fixed=fixed, games=20).value == Fraction(1, 8)
    with pytest.raises(es.LimitReached, match="more than 10 states"):
        es.simulate("kuhn", fixed=fixed, games=20, limits=es.Limits(states=10))
    assert es.simulate("tictactoe", fixed=fixed, games=20).value is None


def test_choices_are_the_same_with_and_without_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    game = es.games.PigTurn()
    remembered = es.simulate(game, games=200, seed=5)
    samples_remember_nothing(monkeypatch)
    assert es.simulate(game, games=200, seed=5).counts == remembered.counts
