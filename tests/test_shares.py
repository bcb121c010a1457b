"""Layers with a value of every player: three players, unopposed payoffs, threads, limits, what is refused."""

from __future__ import annotations

from typing import Any

import pytest

import endsight as es
import naive
from amounts import times
from endsight import Limits, Position, Question
from endsight.compiler import layers
from endsight.compiler.engine import solve_compiled
from endsight.compiler.refusal import CannotCompile
from endsight.compiler.solved import KeyedTable, VectorTable
from endsight.errors import LimitReached
from endsight.game.limits import Budget
from endsight.graph.explorer import explore
from sharing import Paying, Taking, by_layers, check
from thresholds import compile_small_games, threads_from_the_first_states


def test_forms_and_orders_that_were_at_work() -> None:
    table = check(Paying(), Question()).table
    assert isinstance(table, VectorTable)
    assert table.values.format == "i"
    assert table.plies is None
    assert check(es.games.TicTacToe(width=3, height=2, line=2), Question("cooperative")).table.plies is not None


class Wide(Paying):
    """Amounts that do not fit into 32 bits."""

    def payoff(self, state: Any) -> Any:
        return (3 << 40, -(5 << 40), state.last << 50)


@pytest.mark.slow
def test_amounts_of_more_than_32_bits() -> None:
    assert check(Wide(), Question()).table.values.format == "q"


class TooWide(Taking):
    """Sums that do not fit into 64 bits."""

    def reward(self, state: Any, move: int) -> Any:
        return (1 << 61, 0, 0)


@pytest.mark.slow
def test_amounts_of_more_than_64_bits_are_left_to_the_plain_engine() -> None:
    with pytest.raises(CannotCompile, match="does not fit"):
        by_layers(TooWide(), Question())
    solution = es.solve(TooWide(), method="layers", engine="compiled")
    assert solution.values() == naive.Recursion(TooWide()).value()


def test_what_is_refused_by_name() -> None:
    game = es.games.TicTacToe()
    for question, reason in [
        (Question(fixed={0: "random"}), "follows a policy"),
        (Question(fixed={0: lambda game, state: next(game.moves(state))}), "follows a policy"),
    ]:
        with pytest.raises(CannotCompile, match=reason):
            by_layers(game, question)
    with pytest.raises(CannotCompile, match="gained so far"):
        by_layers(es.games.Pots(pots=(1, 2, 3)), Question(utility="win"))
    solution = es.solve(game, fixed={"first": "random"}, method="layers", engine="compiled")
    assert solution.plan is not None
    assert solution.plan.path == "compiled graph"


@pytest.mark.parametrize("threads", times(3, 2))
def test_threads_give_the_same(threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    game = es.games.TicTacToe(width=3, height=2, line=2)
    alone = by_layers(game, Question("cooperative"), threads=1)
    threads_from_the_first_states(monkeypatch)
    together = by_layers(game, Question("cooperative"), threads=threads)
    assert together.states == alone.states
    view, graph = explore(game, game.position(), Question("cooperative"))
    for key in graph.keys:
        state, mover, _ = view.split(key)
        position = Position(game, state, mover, (0, 0), ())
        assert together.value(position) == alone.value(position)
        assert together.distance(position) == alone.distance(position)


def test_auto_takes_them_for_large_games(monkeypatch: pytest.MonkeyPatch) -> None:
    compile_small_games(monkeypatch)
    game = Paying()
    solution = es.solve(game)
    assert isinstance(solution.source.table, KeyedTable)
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


def test_witness_tells_values_that_are_solved_already(monkeypatch: pytest.MonkeyPatch) -> None:
    game, told = Paying(), 0
    exact = es.solve(game, engine="plain")
    monkeypatch.setattr(layers, "_STRIDE", 10)
    budget = Budget(Limits(memory=1 << 40))

    def watch(doing: str, states: int) -> None:
        nonlocal told
        place = game.position()
        while budget.witness is not None and not place.is_over:
            place = place.play(next(place.moves()))
            proven = budget.witness(place)
            if proven is not None:
                assert [low for low, _ in proven] == list(exact.values(place))
                told += 1

    monkeypatch.setattr(Budget, "glance", lambda self, states, doing, part=None: watch(doing, states))
    solve_compiled(game, game.position(), Question(), "layers", symmetry=True, budget=budget)
    assert told
