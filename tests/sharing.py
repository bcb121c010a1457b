"""Layers with a value of every player: games for the tests, and the comparison with the graph and the oracle."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from hypothesis import settings

import endsight as es
import naive
from both_engines import positions
from endsight import Game, Limits, Question

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


def solved(game: Game, question: Question, **how: Any) -> es.Solution:
    """The solution of a game under a question."""
    asked = {"objective": question.objective, "utility": question.utility, "fixed": dict(question.fixed)}
    return es.solve(game, **asked, limits=Limits(memory=1 << 40), **how)


def check(game: Game, question: Question) -> es.Solution:
    """Every value and distance, the tie rule and the number of states, as the graph has them."""
    layers = solved(game, question, method="layers", engine="compiled")
    graph = solved(game, question, method="graph", engine="plain")
    assert layers.plan is not None
    assert (layers.plan.path, layers.source.engine) == ("layers", "compiled")
    for position in positions(game, question):
        assert layers.source.value(position) == graph.source.value(position), (position, question)
        assert layers.source.distance(position) == graph.source.distance(position), (position, question)
    assert layers.states == graph.states
    assert layers.source.is_win_loss == graph.source.is_win_loss
    assert layers.source.notion == graph.source.notion
    return layers


def check_naive(game: Game, question: Question, solution: es.Solution) -> None:
    oracle = naive.Recursion(game, question.objective, question.utility, dict(question.fixed))
    assert solution.source.value(game.position()) == oracle.value()
