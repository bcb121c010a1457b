"""Estimates against games whose sizes are known."""

from __future__ import annotations

import subprocess
import sys
import tracemalloc
from functools import partial
from typing import Any

import pytest

import endsight as es
import naive
import strategies
from amounts import examples
from censuses import counted, would_fit
from command_line import ask, run
from endsight import Game, Limits, estimate
from places import reachable
from test_documents import validate


@pytest.mark.parametrize(
    ("game", "states", "depth"),
    [
        (es.games.TicTacToe(), 5_478, 9),
        (es.games.Nim(heaps=(3, 4, 5)), 120, 3),  # every heap may be taken at once: nothing new later
        (es.games.Dodgem(), 1_963, None),
        (es.games.Dominoes(n=4), 1_493, 9),  # a line through four values leaves one tile out
        (es.games.Pots((4, 9, 2, 7)), 14, 4),  # ten lines with pots, and four places to run out at
        (es.games.PigTurn(), 72, None),
    ],
)
def test_small_games_are_counted(game: Game, states: int, depth: int | None) -> None:
    result = estimate(game, symmetry=False)
    assert (result.states, result.lower, result.upper) == (states, states, states)
    assert result.exact
    assert result.basis == "counted"
    states = {place.state for place in reachable(game.position())}
    assert result.edges == sum(len(list(game.moves(state))) for state in states)
    assert depth is None or result.depth == depth


@examples(60, 10, game=strategies.chance_acyclic(rewards=False))
def test_random_games_are_counted(game: Game) -> None:
    position = game.position()
    nodes = {state for state, _, _ in naive.Oracle(game).reachable(naive.Oracle(game).root(position))}
    census = counted(position)
    assert (census.basis, census.positions) == ("counted", len(nodes))


def test_a_position_in_the_middle() -> None:
    game = es.games.TicTacToe()
    place = game.position("a1 b2 a3")
    assert estimate(game, place, symmetry=False).states == len(list(reachable(place)))


def test_totals_are_counted_where_the_question_remembers_them() -> None:
    game = es.games.Pots((4, 9, 2, 7, 1, 3))
    # The second player's gold is what the first one has not taken.
    ahead = {(place.state, place.so_far[0] - place.so_far[1]) for place in reachable(game.position(), totals=True)}
    assert estimate(game, utility="win").states == len(ahead)
    assert len(ahead) > estimate(game).states


def test_only_what_cannot_fit_is_refused() -> None:
    """By the lower end: 100 000 states of 100 bytes and a millisecond each."""
    fits = partial(would_fit, bytes_per_state=100.0, seconds_per_state=0.001)
    assert fits(Limits(memory=10_000_000, states=100_000, seconds=100.0))
    assert not fits(Limits(memory=9_999_999))
    assert not fits(Limits(states=99_999))
    assert not fits(Limits(seconds=99.9))
    assert not fits(Limits(), lower=10**15)


def test_memory_and_time_are_those_of_all_states() -> None:
    told = estimate(es.games.Nim())
    assert told.memory == round(told.states * told.bytes_per_state)
    assert told.seconds == told.states * told.seconds_per_state


PEAK = """
import tracemalloc
import endsight as es

game = es.games.ConnectFour(width=4, height=3)
result = es.estimate(game, symmetry=False)
es.solve(game, method="graph", symmetry=False)  # modules that are imported on the way do not count
tracemalloc.start()
es.solve(game, method="graph", symmetry=False)
assert result.exact and result.seconds_per_state > 0
print(result.memory, tracemalloc.get_traced_memory()[1])
"""


def test_measures_are_those_of_solving() -> None:
    """Memory against what solving takes at its peak; a wide margin, for it is measured on a part.

    A process of its own: threads that other tests leave behind would count as the game's.
    """
    output = subprocess.run([sys.executable, "-c", PEAK], check=True, capture_output=True, text=True).stdout
    memory, peak = map(int, output.split())
    assert peak / 2.5 <= memory <= peak * 2.5


def test_large_games_are_measured_with_the_engine_that_solves_them() -> None:
    document = ask("estimate", "connectfour:width=5,height=4")
    validate(document)
    assert document["engine"] == "compiled"
    # A key of one word in a table that is at most three quarters full, and in the list of all states.
    assert 8 * (1 + 4 / 3) <= document["bytes_per_state"] <= 8 * (1 + 8 / 3 + 1)
    assert 0 < document["seconds_per_state"] < 1e-3
    assert estimate(es.games.TicTacToe()).engine == "plain"
    assert estimate(es.games.Pig(target=40)).engine == "plain"


def test_documents_fit_their_schema() -> None:
    for name in ("nim", "pig:target=30", "dominoes:n=3", "pots:"):
        validate(ask("estimate", name))
    document = ask("estimate", "nim", "--position", "heaps=1-2-3")
    validate(document)
    assert document["set_up"] == "heaps=1-2-3"


def test_limits_stop_the_estimate_itself() -> None:
    with pytest.raises(es.LimitReached):
        estimate(es.games.ConnectFour(), limits=Limits(seconds=0.0))


def test_games_with_very_many_moves_are_answered_at_once() -> None:
    """Two heaps of 2 000: 4 million states, each with thousands of moves."""
    result = estimate(es.games.Nim(heaps=(2_000, 2_000)), symmetry=False)
    assert result.basis in ("growth of layers", "sampled positions")  # of a slow machine
    assert result.lower <= 2_001**2 <= result.upper


def test_few_moves_are_made_while_allocations_are_traced() -> None:
    """Tracing makes every allocation slow, so that measuring memory took longer than all the rest."""
    made = {False: 0, True: 0}

    class Counted(es.games.Nim):
        def play(self, state: Any, move: Any) -> Any:
            made[tracemalloc.is_tracing()] += 1
            return super().play(state, move)

    found = estimate(Counted(heaps=(150, 150)))
    assert found.bytes_per_state is not None
    assert 0 < made[True] < 30_000
    assert made[False] > 100_000


@pytest.mark.parametrize("asked", [("--method", "graph"), ("--engine", "plain"), ("--engine", "compiled")])
def test_an_estimate_is_of_what_auto_would_choose(asked: tuple[str, str]) -> None:
    """Other methods and engines were left out, so that two files of layers stood for a graph of ten times the size."""
    refused = run("estimate", "nim", *asked)
    assert (refused.code, refused.out) == (2, "")
    assert "estimate takes no --method and no --engine" in refused.err
