"""The size of games solved in rounds: counted, sampled beside known sizes, and refusals before the work begins."""

from __future__ import annotations

import re
from pathlib import Path

import endsight as es
from censuses import size_in_rounds, solved_rounds
from command_line import ask, run

SEVEN = 137_892_016
"""Positions before a throw of the whole game up to exchanging the players, found by solving it."""


def test_small_games_are_counted() -> None:
    game = es.games.Ur(pieces=2)
    layers, counted = solved_rounds(game), size_in_rounds(game)
    assert counted.exact
    assert (counted.states, counted.lower, counted.upper) == (sum(layers),) * 3 == (12_990,) * 3
    assert (counted.memory, max(layers)) == (240 * 9_696 + 24 * 12_990, 9_696)
    assert size_in_rounds(game, symmetry=False).states == 25_980


def test_large_games_are_sampled() -> None:
    found = size_in_rounds(es.games.Ur(), counted=2_000, sampled=40_000)
    assert not found.exact
    assert found.lower <= SEVEN <= found.upper
    assert found.upper < 3 * found.lower
    assert found.bytes_per_state < 24 + 240 / 3
    apart = size_in_rounds(es.games.Ur(), symmetry=False, counted=2_000, sampled=40_000)
    assert abs(apart.states - 2 * found.states) <= 1


def test_where_a_sample_tells_nothing_nothing_is_said() -> None:
    game = es.games.Ur(pieces=2)
    assert size_in_rounds(game, counted=2_000, sampled=100).engine == "plain"


def test_estimates_speak_of_positions_before_a_throw() -> None:
    found = ask("estimate", "ur:pieces=3", "--memory", "5GB")
    names = ("states", "engine", "basis", "exact", "fits")
    assert tuple(found[name] for name in names) == (263_712, "compiled", "counted", True, True)
    assert 24 * found["states"] < found["memory"] < 250 * found["states"]


def test_what_cannot_fit_begins_and_says_how_far_it_came(tmp_path: Path) -> None:
    limited = ("--memory", "400MB")
    for command in (("value", "ur", "--interval"), ("solve", "ur", "-o", str(tmp_path / "ur"), "--mode", "memory")):
        stopped = run(*command, *limited)
        assert stopped.code == 5
        assert "stopped: more than 400 MB" in stopped.err
        assert re.search(r"\d states? met\b", stopped.err)
