"""Plies to the end found by searches, against those of the whole graph."""

from __future__ import annotations

from typing import Any

import pytest

import endsight as es
from amounts import seed_rows
from command_line import ask, run
from endsight import Position
from kernel_runs import Search
from test_search_kernel import Decided, Plain, Tagged, random_game
from thresholds import share_searches_at_once, try_few_random_games


class Turns(Decided):
    """The rules say who moves: a player may move several times."""

    def to_move(self, state: Any) -> int:
        return self.movers[state.number]

    def payoff(self, state: Any) -> tuple[int, int]:
        pays = self.payoffs[state.number]
        return (1, -1) if pays > 0 else (-1, 1) if pays < 0 else (0, 0)


def distances_of(game: Any, buckets: int | None = None, **how: Any) -> Search:
    """Distances by a search with so many buckets at the most."""
    return Search(game, buckets, plies=True, **how)


def positions_of(game: Any) -> list[Position]:
    """Those after two moves at the most."""
    first = game.position()
    second = [first.play(move) for move in first.moves()]
    return [first, *second, *(each.play(move) for each in second for move in each.moves())]


@pytest.mark.parametrize("kind", [Decided, Turns, Tagged])
@pytest.mark.parametrize("buckets", [1, 4, None])
@pytest.mark.parametrize("seeds", seed_rows(40, 6))
def test_random_games(kind: type[Plain], buckets: int | None, seeds: range) -> None:
    lengths = set()
    for seed in seeds:
        game = random_game(kind, seed)
        graph, distances = es.solve(game, method="graph"), distances_of(game, buckets)
        for position in positions_of(game):
            found = distances.distance(position)
            assert found == graph.distance(position), (seed, position)
            lengths.add(found)
    assert {None, 0, 1, 2, 3, 4, 5} <= lengths


@pytest.mark.parametrize("kind", [Decided, Turns, Tagged])
def test_kernels_as_python_runs_them(kind: type[Plain], monkeypatch: pytest.MonkeyPatch) -> None:
    try_few_random_games(monkeypatch, 40)
    told = set()
    for seed in range(4):
        game = random_game(kind, seed)
        runs = [distances_of(game, 2, is_plain=is_plain) for is_plain in (False, True)]
        found = [(each.distance(game.position()), each.left) for each in runs]
        assert found[0] == found[1]
        told.add(found[0][0])
    assert told - {None}


@pytest.mark.parametrize(
    ("game", "lines"),
    [
        (es.games.ConnectFour(width=4, height=4), ("1 2 1 3", "1 1 2 4 2")),
        pytest.param(es.games.ConnectFour(width=5, height=4), ("3 2 2 4", "3 4 5 4"), marks=pytest.mark.slow),
        (es.games.TicTacToe(), ("a1 b1", "b2 a2", "a1 a2 b1")),
        (es.games.Nim(heaps=(2, 3, 4)), ("1:1",)),
    ],
)
def test_known_games(game: Any, lines: tuple[str, ...]) -> None:
    right, distances = es.solve(game, method="layers"), distances_of(game)
    for line in lines:
        position = game.position(line)
        assert distances.distance(position) == right.distance(position)
        for move in position.moves():
            then = position.play(move)
            assert distances.distance(then) == right.distance(then)


def test_threads_tell_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    share_searches_at_once(monkeypatch)
    game = es.games.ConnectFour(width=4, height=4)
    right = es.solve(game, method="layers")
    for line, plies in (("1 2 1 3", None), ("1 2 2", 13), ("2 1 3", 13)):
        position = game.position(line)
        found = distances_of(game, 1 << 8, threads=2).distance(position)
        assert found == right.distance(position) == plies


def test_the_command_tells_distances_where_they_are_asked_for() -> None:
    asked = ("connectfour:width=5,height=4", "--at", "3 2 2 4", "--method", "search")
    right = es.solve(asked[0], asked[2])
    assert run("value", *asked).out == "first wins\n"
    assert run("value", *asked, "--distance").out == f"first wins in {right.distance()}\n"
    document = ask("analyze", *asked, "--distance")
    options = right.options()
    assert {row["move"]: row["distance"] for row in document["moves"]} == {one.text: one.distance for one in options}
    assert [row["rank"] for row in document["moves"]] == [one.rank for one in options]


def test_a_theorem_that_tells_the_winner_alone() -> None:
    """The game is too large for its graph, so a search tells the distance."""
    right = es.solve("nim:heaps=2-3-4", method="graph").distance()
    assert run("value", "nim:heaps=2-3-4").out == "first wins\n"
    assert run("value", "nim:heaps=2-3-4", "--distance").out == f"first wins in {right}\n"


def test_a_search_for_distances_that_is_stopped_tells_the_value() -> None:
    solution = es.solve("connectfour:width=5,height=4", "3 2 2 4", method="search", distance=True)
    assert solution.value() == {"first": 1, "second": -1}
    solution.budget.limits = es.Limits(states=solution.states + 20)
    with pytest.raises(es.LimitReached) as caught:
        solution.distance()
    assert caught.value.is_settled
