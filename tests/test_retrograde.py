"""Games without chance by compiled loops against the same in Python: values, distances, and moves taken."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest
from hypothesis import strategies as st

import endsight as es
import naive
import strategies
import thresholds
from amounts import examples
from endsight import Game, Limits, Position
from endsight.errors import LimitReached

ANY = (-2, -1, 0, 1, 3)


def told(way: str, game: Game, **asked: Any) -> Any:
    """All that is told of each position, by lists in Python, or by arrays in machine code."""
    with pytest.MonkeyPatch.context() as patch:
        thresholds.solve_on_arrays_from(patch, 0 if way == "arrays" else 1 << 60)
        solution = es.solve(game, method="graph", engine="plain", **asked)
        rows = [(place.text, solution.ends(place), solution.distance(place)) for place in islice(places(game), 400)]
        return solution.method, rows, solution.line()


def places(game: Game) -> Iterator[Position]:
    """Positions that can be reached, each state and mover once."""
    todo = [game.position()]
    met = {(todo[0].state, todo[0].mover)}
    for place in todo:
        yield place
        for then in map(place.play, place.moves()):
            if (then.state, then.mover) not in met:
                met.add((then.state, then.mover))
                todo.append(then)


def assert_same(game: Game, **asked: Any) -> None:
    assert told("arrays", game, **asked) == told("lists", game, **asked)


@examples(
    150,
    13,
    st.one_of(strategies.alternating_loops(max_nodes=30), strategies.alternating_loops(max_nodes=30, payoffs=ANY)),
    st.sampled_from(["competitive", "cooperative"]),
    st.sampled_from(["payoff", "win", "lead"]),
)
def test_random_games_come_out_the_same(game: Game, objective: Any, utility: Any) -> None:
    assert_same(game, objective=objective, utility=utility)


@pytest.mark.parametrize("game", [es.games.Dodgem(size=3), es.games.Hexapawn(width=3, height=4)])
def test_whole_games_come_out_the_same(game: Game) -> None:
    assert es.solve(game).states > 350
    assert_same(game)


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
    assert_same(Carousel(), objective="cooperative")


@examples(
    150,
    13,
    strategies.alternating_acyclic(max_nodes=30, payoffs=ANY),
    st.sampled_from(["competitive", "cooperative"]),
    st.sampled_from(["payoff", "win", "lead"]),
)
def test_backward_induction_comes_out_the_same(game: Game, objective: Any, utility: Any) -> None:
    assert_same(game, objective=objective, utility=utility)
    if objective == "competitive":
        assert es.solve(game, utility=utility).values() == naive.Recursion(game, utility=utility).value()


def test_time_is_kept_between_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    thresholds.solve_on_arrays_from(monkeypatch, 0)
    with pytest.raises(LimitReached):
        es.solve(es.games.Dodgem(size=3), method="graph", engine="plain", limits=Limits(seconds=0.000001))


@examples(150, 13, st.one_of(strategies.alternating_acyclic(max_nodes=25), strategies.alternating_loops(max_nodes=25)))
def test_a_loop_is_met_where_there_is_one(game: Game) -> None:
    """By what the solver says that it did, and the oracle looks whether a place leads back."""
    nodes = naive.Recursion(game).reachable(naive.Recursion(game).root())
    oracle = naive.Recursion(game)
    after = {node: [oracle.after(node, move) for move in oracle.legal(node)] for node in nodes}
    loops = any(node in naive.met(node, lambda n: {*after[n]}) for node in nodes)
    solution = es.solve(game, method="graph", engine="plain")
    assert solution.method == ("retrograde analysis" if loops else "backward induction")
