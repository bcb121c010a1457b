"""Plies to the end found by searches, against those of the whole graph."""

from __future__ import annotations

import json
from typing import Any

import pytest

import endsight as es
from amounts import seed_rows
from endsight import Position
from endsight.compiler.distances import Distances
from endsight.compiler.searching import Searcher
from test_search_kernel import Decided, Plain, Tagged, random_game, searcher_of
from thresholds import share_searches_at_once, try_few_random_games


class Turns(Decided):
    """The rules say who moves: a player may move several times."""

    def to_move(self, state: Any) -> int:
        return self.movers[state.number]

    def payoff(self, state: Any) -> tuple[int, int]:
        pays = self.payoffs[state.number]
        return (1, -1) if pays > 0 else (-1, 1) if pays < 0 else (0, 0)


def distances_of(game: Any, buckets: int | None = None, **how: Any) -> Distances:
    """Distances by a search with so many buckets at the most."""
    distances = Distances(searcher_of(game, buckets, **how))
    values = distances.values
    distances.searcher = Searcher(values.rules, values.budget, buckets, counts_plies=True)
    return distances


def positions_of(game: Any) -> list[Position]:
    """Those after two moves at the most."""
    first = game.position()
    second = [first.play(move) for move in first.moves()]
    return [first, *second, *(each.play(move) for each in second for move in each.moves())]


@pytest.mark.parametrize("kind", [Decided, Turns, Tagged])
@pytest.mark.parametrize("buckets", [1, 4, None])
@pytest.mark.parametrize("seeds", seed_rows(40, 12))
def test_random_games(kind: type[Plain], buckets: int | None, seeds: range) -> None:
    lengths = set()
    for seed in seeds:
        game = random_game(kind, seed)
        graph, distances = es.solve(game, method="graph"), distances_of(game, buckets)
        assert distances.are_told
        for position in positions_of(game):
            found = distances.of(position)
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
        found = [(each.of(game.position()), each.states, each.searcher.table.words.tolist()) for each in runs]
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
        assert distances.of(position) == right.distance(position)
        for move in position.moves():
            then = position.play(move)
            assert distances.of(then) == right.distance(then)


def test_threads_tell_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    share_searches_at_once(monkeypatch)
    game = es.games.ConnectFour(width=4, height=4)
    right = es.solve(game, method="layers")
    for line in ("1 2 1 3", "2 2 2 1"):
        position = game.position(line)
        assert distances_of(game, 1 << 8, threads=2).of(position) == right.distance(position)


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    from endsight.faces.cli.group import endsight

    with pytest.raises(SystemExit) as ending:
        endsight.main(list(words))
    return int(ending.value.code or 0), capsys.readouterr().out


def test_the_command_tells_distances_where_they_are_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    asked = ("connectfour:width=5,height=4", "--at", "3 2 2 4", "--method", "search")
    right = es.solve(asked[0], asked[2])
    assert run(capsys, "value", *asked) == (0, "first wins\n")
    assert run(capsys, "value", *asked, "--distance") == (0, f"first wins in {right.distance()}\n")
    document = json.loads(run(capsys, "analyze", *asked, "--distance", "--json")[1])
    options = right.options()
    assert {row["move"]: row["distance"] for row in document["moves"]} == {one.text: one.distance for one in options}
    assert [row["rank"] for row in document["moves"]] == [one.rank for one in options]


def test_a_theorem_that_tells_the_winner_alone(capsys: pytest.CaptureFixture[str]) -> None:
    """The game is too large for its graph, so a search tells the distance."""
    right = es.solve("nim:heaps=2-3-4", method="graph").distance()
    assert run(capsys, "value", "nim:heaps=2-3-4") == (0, "first wins\n")
    assert run(capsys, "value", "nim:heaps=2-3-4", "--distance") == (0, f"first wins in {right}\n")


def test_a_search_for_distances_that_is_stopped_tells_the_value() -> None:
    solution = es.solve("connectfour:width=5,height=4", "3 2 2 4", method="search", distance=True)
    assert solution.value() == {"first": 1, "second": -1}
    solution.budget.limits = es.Limits(states=solution.states + 20)
    with pytest.raises(es.LimitReached) as caught:
        solution.distance()
    assert caught.value.is_settled
