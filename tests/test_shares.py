"""Layers with a value of every player: three players, unopposed payoffs, threads, limits, what is refused."""

from __future__ import annotations

from typing import Any

import pytest

import endsight as es
import naive
from amounts import times
from both_engines import positions, proven_on_the_way
from endsight import Limits, Question
from endsight.errors import LimitReached
from sharing import Paying, Taking, check
from thresholds import compile_small_games, threads_from_the_first_states


@pytest.mark.parametrize(
    ("game", "question"),
    [(Paying(), Question()), (es.games.TicTacToe(width=3, height=2, line=2), Question("cooperative"))],
)
def test_every_value_is_that_of_the_graph(game: es.Game, question: Question) -> None:
    check(game, question)


class Wide(Paying):
    """Amounts that do not fit into 32 bits."""

    def payoff(self, state: Any) -> Any:
        return (3 << 40, -(5 << 40), state.last << 50)


@pytest.mark.slow
def test_amounts_of_more_than_32_bits() -> None:
    check(Wide(), Question())


class TooWide(Taking):
    """Sums that do not fit into 64 bits."""

    def reward(self, state: Any, move: int) -> Any:
        return (1 << 61, 0, 0)


@pytest.mark.slow
def test_amounts_of_more_than_64_bits_are_left_to_the_plain_engine() -> None:
    solution = es.solve(TooWide(), method="layers", engine="compiled")
    assert "does not fit" in str(solution.source.refusal)
    assert solution.values() == naive.Recursion(TooWide()).value()


def test_policies_and_totals_are_left_to_the_graph() -> None:
    game, pots = es.games.TicTacToe(), es.games.Pots(pots=(1, 2, 3))
    solution = es.solve(game, fixed={"first": "random"}, method="layers", engine="compiled")
    assert solution.plan is not None
    assert (solution.plan.path, solution.source.engine) == ("compiled graph", "compiled")
    assert es.solve(game, fixed={0: first}, method="layers", engine="compiled").method == "backward induction"
    solution = es.solve(pots, utility="win", method="layers", engine="compiled")
    assert (solution.method, solution.values()) == ("backward induction", es.solve(pots, utility="win").values())


def first(game: es.Game, state: Any) -> Any:
    """The first move."""
    return next(game.moves(state))


@pytest.mark.parametrize("threads", times(3, 2))
def test_threads_give_the_same(threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    def solved(threads: int) -> es.Solution:
        limits = Limits(memory=1 << 40, threads=threads)
        return es.solve(game, objective="cooperative", method="layers", engine="compiled", limits=limits)

    game = es.games.TicTacToe(width=3, height=2, line=2)
    alone = solved(1)
    threads_from_the_first_states(monkeypatch)
    together = solved(threads)
    assert (together.method, together.states) == ("layers", alone.states)
    for position in positions(game, Question("cooperative")):
        assert together.values(position) == alone.values(position)
        assert together.distance(position) == alone.distance(position)


def test_auto_takes_them_for_large_games(monkeypatch: pytest.MonkeyPatch) -> None:
    compile_small_games(monkeypatch)
    game = Paying()
    solution = es.solve(game)
    assert (solution.method, solution.source.engine) == ("layers", "compiled")
    graph = es.solve(game, method="graph", engine="plain")
    assert solution.values() == graph.values()
    assert solution.notion == graph.notion
    assert solution.line() == graph.line()
    assert [option.text for option in solution.options()] == [option.text for option in graph.options()]


def test_limits_tell_what_is_proven() -> None:
    game = es.games.TicTacToe(width=3, height=2, line=2)
    with pytest.raises(LimitReached) as caught:
        es.solve(game, objective="cooperative", method="layers", engine="compiled", limits=Limits(states=20))
    assert caught.value.lower is not None


def test_values_that_are_solved_already_are_told_on_the_way(monkeypatch: pytest.MonkeyPatch) -> None:
    threads_from_the_first_states(monkeypatch)
    exact, told = es.solve(Paying(), engine="plain"), proven_on_the_way(Paying())
    assert told
    for place, bounds in told:
        assert [low for low, _ in bounds] == list(exact.values(place))
