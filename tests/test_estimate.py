"""Estimates against games whose sizes are known."""

from __future__ import annotations

import subprocess
import sys
import tracemalloc
from typing import Any

import pytest

import endsight as es
import naive
import strategies
from amounts import examples
from endsight import Game, Limits, Question
from endsight.cost.census import take_census
from endsight.cost.estimate import Estimate, estimate, fits
from endsight.faces.cost_documents import estimate_document
from endsight.graph.explorer import explore
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
    _, graph = explore(game, game.position(), symmetry=False)
    assert result.edges == len(graph.successors)
    assert depth is None or result.depth == depth


@examples(60, 20, game=strategies.chance_acyclic(rewards=False))
def test_random_games_are_counted(game: Game) -> None:
    position = game.position()
    nodes = {state for state, _, _ in naive.Oracle(game).reachable(naive.Oracle(game).root(position))}
    census = take_census(position)
    assert census.is_complete
    assert census.nodes == len(nodes)


def test_a_position_in_the_middle() -> None:
    game = es.games.TicTacToe()
    place = game.position("a1 b2 a3")
    _, graph = explore(game, place, symmetry=False)
    assert estimate(game, place, symmetry=False).states == len(graph)


def test_totals_are_counted_where_the_question_remembers_them() -> None:
    game = es.games.Pots((4, 9, 2, 7, 1, 3))
    question = Question(utility="win")
    _, graph = explore(game, game.position(), question)
    assert estimate(game, question=question).states == len(graph)
    assert len(graph) > estimate(game).states


def sized(**changes: Any) -> Estimate:
    game = es.games.Nim()
    values: dict[str, Any] = {
        "states": 1_000_000, "lower": 100_000, "upper": 10_000_000, "edges": 1, "depth": 1, "exact": False,
        "basis": "sampled layers", "sampled": 1, "engine": "plain",
        "bytes_per_state": 100.0, "seconds_per_state": 0.001, "theorem": None, "elapsed": 0.1,
    }  # fmt: skip
    return Estimate(game, game.position(), Question(), **(values | changes))


def test_only_what_cannot_fit_is_refused() -> None:
    assert fits(sized(), Limits(memory=10_000_000, states=100_000, seconds=100.0))
    assert not fits(sized(), Limits(memory=9_999_999))
    assert not fits(sized(), Limits(states=99_999))
    assert not fits(sized(), Limits(seconds=99.9))
    assert not fits(sized(lower=10**15), Limits())
    assert sized().memory == 100_000_000
    assert sized().seconds == pytest.approx(1_000)


PEAK = """
import tracemalloc
import endsight as es
from endsight.cost.estimate import estimate

game = es.games.ConnectFour(width=4, height=3)
result = estimate(game, symmetry=False)
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
    result = estimate(es.games.ConnectFour(width=5, height=4))
    assert result.engine == "compiled"
    # A key of one word in a table that is at most three quarters full, and in the list of all states.
    assert 8 * (1 + 4 / 3) <= result.bytes_per_state <= 8 * (1 + 8 / 3 + 1)
    assert 0 < result.seconds_per_state < 1e-3
    assert estimate(es.games.TicTacToe()).engine == "plain"
    assert estimate(es.games.Pig(target=40)).engine == "plain"
    validate(estimate_document(result))


def test_documents_fit_their_schema() -> None:
    for game in (es.games.Nim(), es.games.Pig(target=30), es.games.Dominoes(n=3), es.games.Pots(())):
        result = estimate(game)
        validate(estimate_document(result, fits(result, Limits())))
    place = es.games.Nim().position_from("heaps=1-2-3")
    document = estimate_document(estimate(place.game, place))
    validate(document)
    assert document["set_up"] == "heaps=1-2-3"


def test_limits_stop_the_estimate_itself() -> None:
    with pytest.raises(es.LimitReached):
        estimate(es.games.ConnectFour(), limits=Limits(seconds=0.0))


def test_games_with_very_many_moves_are_answered_at_once() -> None:
    """Two heaps of 2 000: 4 million states, each with thousands of moves."""
    result = estimate(es.games.Nim(heaps=(2_000, 2_000)), symmetry=False)
    assert result.basis == "sampled positions"
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
