"""How few moves lead one player to an end that is worth the value."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import endsight as es
import thresholds
from command_line import ask, run
from endsight import Game, load
from strategies import MoverGraph, MoverRewards

SLIDING = Path(__file__).parents[1] / "benchmarks" / "rules" / "sliding.py"
JUGS = Path(__file__).parents[1] / "docs" / "how-to" / "fewest-moves.md"


def alone(successors: tuple, payoffs: tuple, rewards: tuple | None = None) -> Game:
    """A game of one player without chance."""
    ends, movers = tuple((payoff,) for payoff in payoffs), (0,) * len(payoffs)
    weights = tuple((1,) * len(ways) for ways in successors)
    if rewards is None:
        return MoverGraph(successors, ends, 1, movers, weights)
    gains = tuple(tuple((gain,) for gain in row) for row in rewards)
    return MoverRewards(successors, ends, 1, movers, weights, gains)


def test_the_shortest_way_is_taken_where_all_are_worth_the_same() -> None:
    solution = es.solve(alone(((0, 1, 2), (0, 2), (3, 0), ()), (0, 0, 0, 5)))
    assert solution.values() == (5,)
    assert solution.distance() == 2
    assert solution.line() == ["2", "0"]
    assert [(option.text, option.rank, option.distance) for option in solution.options()] == [
        ("2", 1, 2),
        ("0", 2, 3),
        ("1", 2, 3),
    ]
    assert all(option.best for option in solution.options())


def test_the_value_comes_before_the_number_of_moves() -> None:
    solution = es.solve(alone(((1, 3), (2, 0), (4,), (), ()), (0, 0, 0, 1, 2)))
    assert (solution.values(), solution.distance()) == ((2,), 3)
    assert solution.line() == ["0", "0", "0"]


def test_an_end_that_is_worth_as_much_as_going_round_is_reached() -> None:
    solution = es.solve(alone(((0, 1), (0, 2), ()), (0, 0, 0)))
    assert (solution.values(), solution.distance()) == ((0,), 2)
    assert solution.line() == ["1", "1"]


def test_there_is_no_distance_where_going_round_is_better() -> None:
    solution = es.solve(alone(((0, 1), ()), (0, -1)))
    assert (solution.values(), solution.distance()) == ((0,), None)
    assert solution.options()[1].distance == 1


def test_play_that_leaves_a_loop_for_a_gain_and_never_ends_keeps_its_way() -> None:
    # 0 and 1 are a free loop; from 1 a move brings 3 to a loop without end.
    solution = es.solve(alone(((1,), (0, 2), (2,)), (0, 0, 0), ((0,), (0, 3), (0,))))
    assert (solution.values(), solution.distance()) == ((3,), None)
    assert solution.line()[:2] == ["0", "1"]


def test_costs_and_moves_differ() -> None:
    # One move that costs 5, or three that cost 1 each, or four with free ones among them.
    solution = es.solve(
        alone(((4, 1, 2), (3,), (3, 0), (4,), ()), (0,) * 5, ((-5, -1, 0), (-1,), (-1, -1), (-1,), ())),
    )
    assert (solution.values(), solution.distance()) == ((-2,), 3)
    assert solution.line() == ["2", "0", "0"]
    assert solution.method == "shortest paths"


def test_chance_and_opponents_have_no_fewest_moves() -> None:
    for policy in ("random", "worst"):
        assert es.solve(alone(((0, 1, 2), (), ()), (0, 1, 2)), fixed={"player": policy}).distance() is None


class Costly(type(load(str(SLIDING)))):  # type: ignore[misc]
    """The sliding puzzle where every move costs 1."""

    def reward(self, state: object, move: object) -> int:
        return -1

    def payoff(self, state: object) -> int:
        return 0


SLOW = pytest.mark.slow
ORDERS = [(3, 360, 21), pytest.param(4, 20_160, 36, marks=SLOW)]


@pytest.mark.parametrize("costs", [False, True])
@pytest.mark.parametrize(("columns", "orders", "farthest"), ORDERS)
def test_the_farthest_orders_of_two_rows(columns: int, orders: int, farthest: int, costs: bool) -> None:
    solution = es.solve((Costly if costs else Costly.__base__)(2, columns))
    rows = es.table(solution.game, rows=orders).to_dicts()
    assert len(rows) == orders
    distances = [row["distance"] or 0 for row in rows]
    assert max(distances) == farthest
    if costs:
        assert [-row["value player"] for row in rows] == distances
    assert len(solution.line()) == solution.distance()


@pytest.mark.slow
def test_the_farthest_orders_of_nine_cells_are_31_moves_away_and_proven_so() -> None:
    game = Costly(3, 3)
    solution = es.solve(game)
    listed = es.table(game, rows=181_440).to_dicts()
    assert len(listed) == 181_440
    farthest = [row["position"] for row in listed if row["distance"] == 31]
    assert len(farthest) == 2
    for text in farthest:
        position = game.position_from(text)
        assert solution.values(position) == (-31,)
        assert len(solution.line(position)) == solution.distance(position) == 31
        for option in solution.options(position):
            after = solution.distance(position.play(option.move))
            assert option.best == (after == 30)
        assert es.verify(es.prove(es.solve(game, position)), Costly).claim.endswith("player -31")


def test_compiled_kernels_find_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    found = []
    for least in (1, 10**9):
        thresholds.solve_on_arrays_from(monkeypatch, least)
        game = f"{SLIDING}:rows=2,columns=3"
        solution, table = (ask(game, engine="plain", method="graph") for ask in (es.solve, es.table))
        found.append((table.to_dicts(), solution.line()))
    assert found[0] == found[1]
    assert max(row["distance"] or 0 for row in found[0][0]) == 21


class Steps(Game):
    """Take one or two of some steps; no loops."""

    players = 1
    steps: int = 7

    class State(NamedTuple):
        left: int

    def limits(self) -> State:
        return self.State(self.steps)

    def start(self) -> State:
        return self.State(self.steps)

    def moves(self, state: State) -> Iterator[int]:
        yield from range(1, min(2, state.left) + 1)

    def play(self, state: State, move: int) -> State:
        return self.State(state.left - move)

    def payoff(self, state: State) -> int:
        return 1


@pytest.mark.parametrize("method", ["graph", "layers"])
def test_games_without_loops_tell_no_distance_by_any_method(method: Any) -> None:
    solution = es.solve(Steps(), method=method, engine="plain" if method == "graph" else "compiled")
    assert (solution.values(), solution.distance()) == ((1,), None)
    assert len(solution.line()) == 7, "the first of equal moves is taken"


def test_faces_tell_how_many_moves(tmp_path: Path) -> None:
    game = f"{SLIDING}:rows=2,columns=3"
    document = ask("analyze", game)
    distance = document["distance"]
    assert [move["distance"] for move in document["moves"] if move["rank"] == 1] == [distance]
    said = run("analyze", game).out
    assert f"with best play in {distance} moves: 1" in said
    assert len(ask("line", game)["moves"]) == distance
    assert run("solve", game, "-o", str(tmp_path / "stored")).code == 0
    assert ask("value", game, "--from", str(tmp_path / "stored"))["distance"] == distance
    assert len(ask("line", game, "--from", str(tmp_path / "stored"))["moves"]) == distance
    assert run("prove", game, "-o", str(tmp_path / "file")).code == 0
    assert run("verify", str(tmp_path / "file"), f"{SLIDING}:Sliding").code == 0
