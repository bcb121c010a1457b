"""Layers with a value of every player: games for the tests, and the comparison with the graph and the oracle."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from hypothesis import settings

import naive
from endsight import Game, Limits, Position, Question
from endsight.algorithms.backward_induction import backward_induction
from endsight.answers.source import Solved
from endsight.engine.entry import solve_compiled
from endsight.game.limits import Budget
from endsight.graph.explorer import explore
from endsight.graph.graph_table import GraphTable

FAIR = settings(max_examples=30)
NODES = 12


class Taking(Game):
    """In turn, everybody takes one to three of `stones`; what a move brings whom depends on how many are left."""

    stones: int = 30
    seats: int = 3
    pays: bool = True

    class State(NamedTuple):
        left: int
        last: int

    def players(self) -> int:
        return self.seats

    def limits(self) -> Any:
        return self.State(self.stones, 3)

    def start(self) -> Any:
        return self.State(self.stones, 0)

    def moves(self, state: Any) -> Iterator[int]:
        for move in range(1, 4):
            if move <= state.left and move != state.last:
                yield move

    def play(self, state: Any, move: int) -> Any:
        return self.State(state.left - move, move)

    def payoff(self, state: Any) -> Any:
        return (state.last * 2 % 3 + state.left, state.last % 3, state.last * 4 % 3)


class Paying(Taking):
    """The same, and moves bring something."""

    def reward(self, state: Any, move: int) -> Any:
        return ((state.left * 7) % 5 - 2, (state.left + move) % 4, (state.left * move) % 3 - 1)


def by_layers(game: Game, question: Question, **limits: Any) -> Solved:
    budget = Budget(Limits(memory=1 << 40, **limits))
    source = solve_compiled(game, game.position(), question, "layers", symmetry=True, budget=budget)
    assert isinstance(source, Solved)
    return source


def known(game: Game, question: Question) -> tuple[Any, Any, Solved]:
    view, graph = explore(game, game.position(), question)
    return view, graph, Solved(GraphTable(view, graph, backward_induction(graph)))


def check(game: Game, question: Question) -> Solved:
    """Every value and distance, the tie rule and the number of states, as the graph has them."""
    source = by_layers(game, question)
    view, graph, other = known(game, question)
    for node, key in enumerate(graph.keys):
        state, mover, _ = view.split(key)
        for seat in (0, 1) if view.relative else (mover if view.tracks else graph.movers[node],):
            position = Position(game, state, seat, (0,) * game.player_count, ())
            assert source.value(position) == other.value(position), (key, question)
            assert source.distance(position) == other.distance(position), (key, question)
    assert source.states == other.states
    assert source.is_win_loss == other.is_win_loss
    assert source.notion == other.notion
    return source


def check_naive(game: Game, question: Question, source: Solved) -> None:
    oracle = naive.Recursion(game, question.objective, question.utility, dict(question.fixed))
    assert source.value(game.position()) == oracle.value()
