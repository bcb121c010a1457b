"""Games without chance by compiled loops against the same in Python: values, distances, and moves taken."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import strategies as st

import endsight as es
import strategies
from amounts import examples
from endsight import Game, Graph, Limits, Question, Table
from endsight.algorithms import kernel_arrays, retrograde_kernels
from endsight.algorithms.backward_induction import backward_induction
from endsight.algorithms.loops import compiled_loop
from endsight.algorithms.retrograde import retrograde
from endsight.compiler.exploring import compiled_order
from endsight.errors import LimitReached
from endsight.game.limits import Budget
from endsight.graph.explorer import explore
from endsight.graph.graph import strongly_connected

ANY = (-2, -1, 0, 1, 3)


Algorithm = Callable[[Graph, Budget | None], Table]


def by(way: str, graph: Graph, budget: Budget | None = None, algorithm: Algorithm = retrograde) -> Table:
    """The table by lists in Python, or by arrays in machine code."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kernel_arrays, "LARGE", 0 if way == "arrays" else 1 << 60)
        return algorithm(graph, budget)


def assert_same(graph: Graph, algorithm: Algorithm = retrograde) -> None:
    lists, arrays = by("lists", graph, None, algorithm), by("arrays", graph, None, algorithm)
    assert arrays.values == lists.values
    assert arrays.distances == lists.distances
    assert arrays.forced == lists.forced
    assert list(arrays.choices) == list(lists.choices)
    assert all(type(edge) is int for edge in arrays.choices)


def graph_of(game: Game, question: Question) -> Graph:
    return explore(game, game.position(), question, tracks_mover=True)[1]


@examples(
    150,
    40,
    st.one_of(strategies.alternating_loops(max_nodes=30), strategies.alternating_loops(max_nodes=30, payoffs=ANY)),
    st.sampled_from(["competitive", "cooperative"]),
    st.sampled_from(["payoff", "win", "lead"]),
)
def test_random_games_come_out_the_same(game: Game, objective: Any, utility: Any) -> None:
    assert_same(graph_of(game, Question(objective, utility)))


@examples(150, 40, strategies.alternating_acyclic(max_nodes=30, payoffs=ANY))
def test_games_without_loops_do_too(game: Game) -> None:
    assert_same(graph_of(game, Question()))


@pytest.mark.parametrize("game", [es.games.Dodgem(size=3), es.games.Hexapawn(width=3, height=4)])
def test_whole_games_come_out_the_same(game: Game) -> None:
    graph = graph_of(game, Question())
    assert len(graph) > 500
    assert_same(graph)


class Carousel(Game):
    """Three players share what they reach by turns; any of them may go on round."""

    size: int = 9

    def players(self) -> int:
        return 3

    class State(strategies.NamedTuple):
        at: int

    def start(self) -> State:
        return self.State(0)

    def moves(self, state: State) -> Any:
        if state.at < self.size:
            yield from (1, 2)

    def play(self, state: State, move: int) -> State:
        after = state.at + move
        return self.State(after if after < self.size else self.size + (after * 7 + move) % 5 if move == 1 else 0)

    def payoff(self, state: State) -> Any:
        return (state.at % 3, state.at % 4, -1)


def test_several_players_who_want_the_same() -> None:
    assert_same(graph_of(Carousel(), Question("cooperative")))


@pytest.mark.parametrize("name", retrograde_kernels.__all__)
def test_every_kernel_can_be_compiled(name: str) -> None:
    assert compiled_loop(getattr(retrograde_kernels, name))


@examples(
    150,
    40,
    strategies.alternating_acyclic(max_nodes=30, payoffs=ANY),
    st.sampled_from(["competitive", "cooperative"]),
    st.sampled_from(["payoff", "win", "lead"]),
    st.sampled_from([None, True]),
)
def test_backward_induction_comes_out_the_same(
    game: Game, objective: Any, utility: Any, tracks_mover: bool | None
) -> None:
    graph = explore(game, game.position(), Question(objective, utility), tracks_mover=tracks_mover)[1]
    assert_same(graph, backward_induction)
    if graph.is_win_loss and not graph.alternating and graph.has_one_amount:
        known = retrograde(graph)
        table = backward_induction(graph)
        assert list(table.values) == list(known.values)
        assert objective != "competitive" or utility != "payoff" or list(table.distances) == list(known.distances)


def test_time_is_kept_between_passes() -> None:
    graph = graph_of(es.games.Dodgem(size=3), Question())
    with pytest.raises(LimitReached):
        by("arrays", graph, Budget(Limits(seconds=0.000001)))


@examples(150, 40, st.one_of(strategies.alternating_acyclic(max_nodes=25), strategies.alternating_loops(max_nodes=25)))
def test_a_loop_is_met_where_there_is_one(game: Game) -> None:
    graph = graph_of(game, Question())
    parts = strongly_connected(graph.offsets, graph.successors)
    assert graph.is_cyclic == any(map(graph.is_loop, parts))
    assert graph.components == parts
    compiled = compiled_order(np.array(graph.offsets), np.array(graph.successors, np.int32))
    assert compiled == graph.order or list(compiled) == graph.order
