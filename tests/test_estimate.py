"""Estimates against games whose sizes are known."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

import endsight as es
import naive
import strategies
from endsight.cost_documents import estimate_document
from endsight.estimate import Estimate, estimate, fits
from endsight.explorer import explore
from endsight.game import Game
from endsight.limits import Limits
from endsight.objective import View
from endsight.question import Question
from endsight.sampling import count_nodes
from test_documents import validate

GB = 10**9
NEAR = 2.6
"""Factor within which the sizes of games with one ply for each state were found."""
ROUGH = 6.0
"""The same for games whose states come up at several plies."""


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


LARGE = [
    (es.games.ConnectFour(width=4, height=4), 161_029, NEAR),
    (es.games.ConnectFour(width=5, height=4), 3_945_711, NEAR),
    (es.games.ConnectFour(width=5, height=5), 69_763_700, NEAR),
    (es.games.TicTacToe(width=4, height=3, line=3), 111_973, NEAR),
    (es.games.TicTacToe(width=4, height=4, line=4), 9_722_011, NEAR),
    (es.games.Dominoes(n=5), 40_806, NEAR),
    (es.games.Dominoes(n=6), 2_040_607, NEAR),
    (es.games.Dominoes(n=7), 188_463_304, NEAR),
    (es.games.Nim(heaps=(20,) * 4), 21**4, ROUGH),
    (es.games.Nim(heaps=(3,) * 9), 4**9, ROUGH),
    (es.games.Chomp(width=10, height=10), 184_756, ROUGH),
    (es.games.Pig(target=100), 1_941_588, ROUGH),
    (es.games.Dodgem(size=4), 393_900, ROUGH),
    (es.games.Hexapawn(width=4, height=5), 118_133, ROUGH),
]


@pytest.mark.parametrize(("game", "states", "factor"), LARGE, ids=lambda value: str(value))
def test_large_games_lie_in_the_interval(game: Game, states: int, factor: float) -> None:
    view = View(game, Question(), symmetry=False)
    census = count_nodes(view, game.position())
    assert census.lower <= states <= census.upper
    assert states / factor <= census.nodes <= states * factor
    assert census.expanded < states
    assert not census.is_complete
    assert census.is_graded == (factor == NEAR)


def test_the_usual_board_of_connect_four() -> None:
    """4 531 985 219 092 positions, from 153 000 of them: the interval is wide and says so."""
    game = es.games.ConnectFour()
    census = count_nodes(View(game, Question(), symmetry=False), game.position(), sample=1_000)
    assert census.lower <= 4_531_985_219_092 <= census.upper
    assert census.nodes > 10**9


def test_the_same_seed_gives_the_same_number() -> None:
    game = es.games.ConnectFour(width=4, height=4)
    first, again, other = (
        count_nodes(View(game, Question()), game.position(), sample=500, counted=500, seed=seed) for seed in (1, 1, 2)
    )
    assert first == again
    assert first.nodes != other.nodes


def test_larger_samples_come_nearer() -> None:
    game = es.games.TicTacToe(width=4, height=3, line=3)
    view = View(game, Question(), symmetry=False)
    widths = []
    for sample in (200, 2_000, 20_000):
        census = count_nodes(view, game.position(), counted=1_000, sample=sample)
        assert census.lower <= 111_973 <= census.upper
        widths.append(census.upper / census.lower)
    assert widths == sorted(widths, reverse=True)


def test_symmetry_counts_canonical_states() -> None:
    assert estimate(es.games.TicTacToe()).states == 765
    game = es.games.ConnectFour(width=4, height=4)
    assert count_nodes(View(game, Question()), game.position()).lower <= 80_541


FAIR = settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))


@FAIR
@given(game=strategies.chance_acyclic(rewards=False))
def test_random_games_are_counted(game: Game) -> None:
    position = game.position()
    nodes = {state for state, _, _ in naive.Oracle(game).reachable(naive.Oracle(game).root(position))}
    census = count_nodes(View(game, Question()), position)
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


def test_measures_are_those_of_solving() -> None:
    """Memory against what solving takes at its peak; a wide margin, for it is measured on a part."""
    import tracemalloc

    game = es.games.ConnectFour(width=4, height=3)
    result = estimate(game, symmetry=False)
    es.solve(game, method="graph", symmetry=False)  # modules that are imported on the way do not count
    tracemalloc.start()
    try:
        es.solve(game, method="graph", symmetry=False)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert result.exact
    assert peak / 2.5 <= result.memory <= peak * 2.5
    assert result.seconds_per_state > 0


def test_large_games_are_measured_with_the_engine_that_solves_them() -> None:
    result = estimate(es.games.ConnectFour(width=5, height=4), counted=3_000)
    assert result.engine == "compiled"
    # A key of one word in a table that is at most three quarters full, and in the list of all states.
    assert 8 * (1 + 4 / 3) <= result.bytes_per_state <= 8 * (1 + 8 / 3 + 1)
    assert 0 < result.seconds_per_state < 1e-3
    assert estimate(es.games.TicTacToe()).engine == "plain"
    assert estimate(es.games.Pig(target=40), counted=3_000).engine == "plain"
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
    """Two heaps of 30 000: 9 * 10^8 states, each with tens of thousands of moves."""
    result = estimate(es.games.Nim(heaps=(30_000, 30_000)), symmetry=False)
    assert result.basis == "growth of layers"
    assert result.sampled < 100
    assert result.lower <= 30_001**2 <= result.upper
