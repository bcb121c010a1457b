"""Compiled answers are looked at by the rules in Python: a wrong one is found, thrown away and told."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

import endsight as es
from amounts import each, seed_rows
from command_line import run
from endsight import CHANCE
from thresholds import audits_take_their_time
from wrong_answers import (
    MOST,
    Audit,
    audit,
    audit_finds,
    audit_with_another_row,
    compiled_as,
    drawn,
    row_of,
    seeded,
    unaudited,
    watch,
)


@pytest.fixture(scope="module", autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ENDSIGHT_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))
        yield


class Unpaid(es.Game):
    """About 50,000 positions, of which one in 100 is `odd`."""

    plies: int = 130

    class State(NamedTuple):
        ply: int
        side: int

    def limits(self) -> Any:
        return self.State(self.plies, 400)

    def start(self) -> Any:
        return self.State(0, 0)

    def odd(self, state: Any) -> bool:
        return (7 * state.side + 3 * state.ply) % 100 == 41

    def to_move(self, state: Any) -> int:
        return (state.ply + state.side) % 2

    def moves(self, state: Any) -> Any:
        if state.ply < self.plies:
            yield from range(3)

    def play(self, state: Any, move: int) -> Any:
        return self.State(state.ply + 1, (3 * state.side + 5 * move + 1) % 401)

    def payoff(self, state: Any) -> Any:
        return (state.side % 7, -(state.side % 7))


class Long(Unpaid):
    """The same, which might pay on the way."""

    def reward(self, state: Any, move: int) -> Any:
        return (0, 0)


class OddMoves(Long):
    def moves(self, state: Any) -> Any:
        if state.ply < self.plies:
            yield from range(2 if self.odd(state) else 3)


class OddPlay(Long):
    def play(self, state: Any, move: int) -> Any:
        return self.State(state.ply + 1, (3 * state.side + 5 * move + (2 if self.odd(state) else 1)) % 401)


class OddReward(Long):
    def reward(self, state: Any, move: int) -> Any:
        gain = 1 if move == 1 and self.odd(state) else 0
        return (gain, -gain)


class OddMover(Long):
    def to_move(self, state: Any) -> int:
        return (state.ply + state.side + (1 if self.odd(state) else 0)) % 2


class Chancy(Long):
    """The same, with outcomes of chance."""

    def to_move(self, state: Any) -> int:
        return CHANCE if state.ply % 2 == 1 else state.side % 2

    def weight(self, state: Any, move: int) -> int:
        return 1 + move


class OddWeight(Chancy):
    def odd(self, state: Any) -> bool:
        return (7 * state.side + 3 * state.ply) % 50 == 41  # every second position is one of chance

    def weight(self, state: Any, move: int) -> int:
        return 2 + move if self.odd(state) and move == 0 else 1 + move


class Short(es.Game):
    """Almost all positions are ends; at one in 100 the payoff is odd."""

    class State(NamedTuple):
        ply: int
        side: int

    def limits(self) -> Any:
        return self.State(2, 60_000)

    def start(self) -> Any:
        return self.State(0, 0)

    def odd(self, state: Any) -> bool:
        return state.side % 100 == 41

    def moves(self, state: Any) -> Any:
        if state.ply < 2:
            yield from range(230)

    def play(self, state: Any, move: int) -> Any:
        return self.State(state.ply + 1, state.side * 230 + move)

    def payoff(self, state: Any) -> Any:
        return state.side % 3 - 1


class OddPayoff(Short):
    def payoff(self, state: Any) -> Any:
        return 1 - state.side % 3 + (1 if state.side % 3 == 1 else 0) if self.odd(state) else state.side % 3 - 1


WRONG: dict[str, tuple[es.Game, es.Game]] = {
    "moves": (Long(), OddMoves()),
    "play": (Long(), OddPlay()),
    "reward": (Long(), OddReward()),
    "to_move": (Long(), OddMover()),
    "weight": (Chancy(), OddWeight()),
    "payoff": (Short(), OddPayoff()),
}
"""The rules, and what they are wrongly compiled as."""


@pytest.mark.parametrize("rule", each(WRONG, lambda rule: rule == "play"))
@pytest.mark.parametrize("seeds", seed_rows(100, 20))
def test_a_rule_that_is_wrong_at_one_position_in_100_is_found(
    rule: str, seeds: range, monkeypatch: pytest.MonkeyPatch
) -> None:
    right, wrong = WRONG[rule]
    compiled_as(monkeypatch, wrong)
    solution = unaudited(right, "auto" if rule == "weight" else "layers")
    assert solution.states > 45_000
    odd = [right.odd(state) for state in drawn(solution, 5_000, 1)]  # type: ignore[attr-defined]
    assert 0.005 < sum(odd) / len(odd) < 0.015
    found = []
    for seed in seeds:
        seeded(monkeypatch, seed)
        looked, what, _ = audit(solution) or Audit(0)
        assert 0 < looked <= MOST
        found += [what] if what else []
    assert len(found) >= 0.99 * len(seeds)
    assert {*found} == {rule}, found


def test_a_wrong_answer_is_thrown_away_and_told(monkeypatch: pytest.MonkeyPatch) -> None:
    right = Long(plies=40)
    compiled_as(monkeypatch, OddPlay(plies=40))
    audits_take_their_time(monkeypatch)
    with pytest.warns(
        UserWarning, match="thrown away, and .* place: compiled, the rule 'play' says something else at State"
    ):
        solution = es.solve(right, engine="compiled", method="layers")
    assert solution.value() == es.solve(right, engine="plain").value()
    assert "the compiled answer was wrong" in str(solution.source.refusal)
    assert solution.source.audited == 0


@pytest.mark.filterwarnings("always")
def test_a_command_says_so_in_one_message(monkeypatch: pytest.MonkeyPatch) -> None:
    audit_finds(monkeypatch, "play", "State(first=1, second=0)", "3 in place of 4")
    done = run("value", "tictactoe", "--engine", "compiled", "--method", "layers", "--json")
    assert done.code == 0
    assert done.err.strip() == (
        "warning: a compiled answer is thrown away, and Python answers in its place: compiled, the rule 'play' says "
        "something else at State(first=1, second=0): 3 in place of 4"
    )
    method = json.loads(done.out)["method"]
    assert (method["engine"], method["audited"]) == ("plain", 0)
    assert method["refused"].startswith("the compiled answer was wrong: ")


def test_a_wrong_value_or_distance_is_found() -> None:
    game = es.games.Nim(heaps=(3, 4, 5))
    solution = unaudited(game, "layers")
    state = game.canonical(game.position("2:4").state)
    assert audit(solution) == (solution.states, None, "")
    values, distance = row_of(solution, state)
    assert distance is not None
    # Of the position itself, or of one from which a move leads there.
    for row, what in (((values[::-1], distance), {"value", "distance"}), ((values, distance + 2), {"distance"})):
        found = audit_with_another_row(solution, state, row)
        assert found is not None
        assert found.wrong in what


def test_wrong_bounds_are_found() -> None:
    game = es.games.TwoDicePig(target=20)
    solution = unaudited(game, "auto")
    look = audit(solution)
    assert look is not None
    assert (look.wrong, look.looked > 0.9 * MOST) == (None, True)
    low, high = row_of(solution, game.start())
    for bounds in ((low + 1000, high + 1000), (low - 1000, high - 1000)):
        found = audit_with_another_row(solution, game.start(), bounds)
        assert found is not None
        assert found.wrong == "bounds"


@pytest.mark.parametrize(
    ("game", "method", "question"),
    [
        (es.games.TicTacToe(), "layers", {}),
        (es.games.TicTacToe(), "graph", {"utility": "win"}),
        (es.games.TicTacToe(), "layers", {"fixed": {1: "random"}}),
        (es.games.TicTacToe(), "layers", {"objective": "cooperative"}),
        (es.games.Dodgem(size=3), "graph", {}),
        (es.games.Ur(pieces=1), "graph", {}),
        (es.games.Pots(pots=(4, 9, 2, 7)), "layers", {"fixed": {0: "worst"}}),
        # Other searches are looked at below.
        pytest.param(es.games.ConnectFour(width=4, height=3), "search", {}, marks=pytest.mark.slow),
    ],
)
def test_right_answers_of_all_kinds_pass(game: es.Game, method: str, question: dict[str, Any]) -> None:
    solution = es.solve(game, method=method, engine="compiled", **question)  # type: ignore[arg-type]
    assert solution.source.refusal is None
    found = audit(solution)
    if found is not None:
        assert found.wrong is None
        assert found.looked >= min(solution.states, 900) or method == "search"


@pytest.mark.parametrize(
    ("game", "moves"),
    [(es.games.ConnectFour(width=4, height=4), ""), (es.games.TicTacToe(), ""), (es.games.Nim(heaps=(5, 6, 7)), "")],
)
def test_walks_through_a_right_proof_end_as_promised(game: es.Game, moves: str) -> None:
    solution = es.solve(game, game.position(moves), engine="compiled", method="search")
    look = audit(solution, most=200)
    assert look is not None
    assert (look.wrong, look.looked > 20) == (None, True)
    assert 0 < solution.source.audited <= 1_000


class WonOrLost(Unpaid):
    def payoff(self, state: Any) -> Any:
        return (-1, 1) if state.side % 4 == 3 else (1, -1)


class WronglyWon(WonOrLost):
    def payoff(self, state: Any) -> Any:
        return (1, -1) if state.side % 2 else (-1, 1)


def searched_wrongly(monkeypatch: pytest.MonkeyPatch) -> es.Solution:
    """A wrong search that nobody looked at."""
    compiled_as(monkeypatch, WronglyWon(plies=60))
    return unaudited(WonOrLost(plies=60), "search")


def test_a_wrong_search_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    solution = searched_wrongly(monkeypatch)
    for seed in range(20):
        seeded(monkeypatch, seed)
        found = audit(solution)
        assert found is not None
        assert found.wrong is not None


def test_later_answers_of_a_search_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    solution = searched_wrongly(monkeypatch)
    watch(solution)
    later = solution.position.after("0").after("1")
    with pytest.warns(UserWarning, match="a compiled answer is thrown away"):
        value = solution.value(later)
    assert value == es.solve(later.game, later, engine="plain").value()
    # From then on the rules are not compiled any more, in whatever process.
    assert solution.source.engine == "plain"
    again = es.solve(later.game, engine="compiled", method="search").source
    assert again.engine == "plain"
    assert "an answer of these rules, compiled, was wrong: " in str(again.refusal)


def test_later_answers_share_the_time_of_the_first() -> None:
    solution = es.solve(es.games.ConnectFour(width=4, height=4), engine="compiled", method="search")
    first = solution.source.audited
    assert first
    solution.options()
    watch = solution.source.watch  # type: ignore[attr-defined]
    assert solution.source.audited > first
    assert len(watch.seen) == 5
    looked = solution.source.audited
    solution.options()
    assert solution.source.audited == looked


def test_a_stop_tells_what_ran_the_rules() -> None:
    game, limits = es.games.ConnectFour(width=5, height=4), es.Limits(states=2_000)
    for runs in ("compiled", "plain"):
        with pytest.raises(es.LimitReached) as stop:
            es.solve(game, engine=runs, method="layers", limits=limits)  # type: ignore[arg-type]
        assert stop.value.engine == runs


def test_positions_are_drawn_evenly_and_the_same_ones_again() -> None:
    game = es.games.ConnectFour(width=5, height=3)
    layers, graph = unaudited(game, "layers"), unaudited(game, "graph")
    assert drawn(layers, 400, 7) == drawn(layers, 400, 7) != drawn(layers, 400, 8)
    all_of_them = drawn(graph, 10**6, 1)
    assert len(all_of_them) == len(set(all_of_them)) == layers.states
    mean = sum(map(sum, all_of_them)) / len(all_of_them)
    some = drawn(layers, 4_000, 3)
    spread = (sum((sum(state) - mean) ** 2 for state in all_of_them) / len(all_of_them)) ** 0.5
    assert abs(sum(map(sum, some)) / len(some) - mean) < 4 * spread / len(some) ** 0.5
