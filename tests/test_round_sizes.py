"""The size of games solved in rounds: counted, sampled beside known sizes, and refusals before the work begins."""

from __future__ import annotations

from pathlib import Path

import pytest

import endsight as es
from command_line import ask, run
from endsight.errors import LimitReached
from endsight.estimate import estimate
from endsight.limits import Budget, Limits
from endsight.question import Question
from endsight.round_sizes import RoundSize, refuse_rounds, round_size
from endsight.rounds import find_rounds

SEVEN = 137_892_016
"""Positions before a throw of the whole game up to exchanging the players, found by solving it."""


def size(game: es.Game, symmetry: bool = True, **how: int) -> RoundSize:
    found = round_size(game, game.position(), Question(), symmetry=symmetry, budget=Budget(), **how)
    assert found is not None
    return found


def test_small_games_are_counted() -> None:
    game = es.games.Ur(pieces=2)
    run = find_rounds(game, game.position(), Question(), symmetry=True, budget=Budget())
    layers = [found.nodes for found in map(run.shelf.found, run.layers) if found is not None]
    counted = size(game)
    assert counted.exact
    assert (counted.states, counted.largest) == (sum(layers), max(layers)) == (12_990, 9_696)
    assert size(game, symmetry=False).states == 25_980


def test_large_games_are_sampled() -> None:
    found = size(es.games.Ur(), counted=2_000, sampled=40_000)
    assert not found.exact
    assert found.lower <= SEVEN <= found.upper
    assert found.upper < 3 * found.lower
    assert found.largest < found.states / 3
    apart = size(es.games.Ur(), symmetry=False, counted=2_000, sampled=40_000)
    assert abs(apart.states - 2 * found.states) <= 1


def test_where_a_sample_tells_nothing_all_is_counted_after_all() -> None:
    found = size(es.games.Ur(pieces=2), counted=2_000, sampled=100)
    assert found.exact
    assert found.states == 12_990


def test_estimates_speak_of_positions_before_a_throw() -> None:
    game = es.games.Ur(pieces=3)
    found = estimate(game)
    assert (found.states, found.engine, found.basis, found.exact) == (263_712, "compiled", "counted", True)
    assert 24 * found.states < found.memory < 250 * found.states


def test_what_cannot_fit_is_refused_before_it_begins() -> None:
    seven = RoundSize(SEVEN, SEVEN, SEVEN, True, 29_598_456, SEVEN, 1e-5)
    refuse_rounds(es.games.Ur(), seven, keeps=True, budget=Budget(Limits(memory=20 << 30)))
    refuse_rounds(es.games.Ur(), seven, keeps=False, budget=Budget(Limits(memory=8 << 30)))
    with pytest.raises(LimitReached, match="--mode disk") as stop:
        refuse_rounds(es.games.Ur(), seven, keeps=True, budget=Budget(Limits(memory=4 << 30)))
    assert "10.4 GB" in stop.value.message
    with pytest.raises(LimitReached, match="more memory"):
        refuse_rounds(es.games.Ur(), seven, keeps=False, budget=Budget(Limits(memory=4 << 30)))
    with pytest.raises(LimitReached, match="more than 1,000,000"):
        refuse_rounds(es.games.Ur(), seven, keeps=False, budget=Budget(Limits(states=1_000_000)))


def test_the_commands(tmp_path: Path) -> None:
    refused = run("value", "ur", "--interval", "--memory", "5GB")
    assert refused.code == 5
    assert "positions to tell apart" in refused.err
    refused = run("solve", "ur", "-o", str(tmp_path / "ur"), "--mode", "memory", "--memory", "5GB")
    assert refused.code == 5
    assert ask("estimate", "ur:pieces=3", "--memory", "5GB")["fits"]
