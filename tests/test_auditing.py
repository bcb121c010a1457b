"""Compiled answers are looked at by the rules in Python: a wrong one is found, thrown away and told."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any, NamedTuple

import pytest

import endsight as es
from amounts import each, seed_rows
from command_line import run
from endsight import CHANCE
from endsight.answers import auditing
from endsight.answers.source import StateTable
from endsight.compiler import engine
from endsight.compiler.rules import CompiledRules


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


def compiled_wrongly(patch: pytest.MonkeyPatch, wrong: es.Game) -> None:
    """From now on rules are compiled as those of another game, and are not compared."""
    honest = CompiledRules.of

    def of(game: es.Game, **options: Any) -> CompiledRules:
        return replace(honest(wrong, **options), game=game)

    patch.setattr(CompiledRules, "of", staticmethod(of))
    patch.setattr(engine, "is_trusted", lambda _: True)


def solved(game: es.Game, method: str) -> StateTable[Any]:
    """The table of a compiled answer that nobody looked at."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(auditing, "audited", lambda *_: None)
        source = es.solve(game, engine="compiled", method=method).source
    assert source.table is not None
    return source.table


@pytest.mark.parametrize("rule", each(WRONG, lambda rule: rule == "play"))
@pytest.mark.parametrize("seeds", seed_rows(100, 40))
def test_a_rule_that_is_wrong_at_one_position_in_100_is_found(
    rule: str, seeds: range, monkeypatch: pytest.MonkeyPatch
) -> None:
    right, wrong = WRONG[rule]
    compiled_wrongly(monkeypatch, wrong)
    table = solved(right, "auto" if rule == "weight" else "layers")
    assert table.states > 45_000
    odd = [right.odd(table.view.split(node)[0]) for node in table.drawn(Random(1), 5_000)]  # type: ignore[attr-defined]
    assert 0.005 < sum(odd) / len(odd) < 0.015
    found = 0
    for seed in seeds:
        monkeypatch.setattr(auditing, "_seed", lambda *_, seed=seed: b"%d" % seed)
        audit = auditing.audit(table, right.position(), 60.0)
        assert audit.looked <= auditing.MOST
        found += audit.difference is not None
    assert found >= 0.99 * len(seeds)
    assert audit.difference is not None
    assert audit.difference.rule == rule


def test_a_wrong_answer_is_thrown_away_and_told(monkeypatch: pytest.MonkeyPatch) -> None:
    right = Long(plies=40)
    compiled_wrongly(monkeypatch, OddPlay(plies=40))
    monkeypatch.setattr(auditing, "LEAST_SECONDS", 60.0)
    with pytest.warns(
        auditing.WrongAnswer, match="thrown away, and .* place: compiled, the rule 'play' says something else at State"
    ):
        solution = es.solve(right, engine="compiled", method="layers")
    assert solution.value() == es.solve(right, engine="plain").value()
    assert "the compiled answer was wrong" in str(solution.source.refusal)
    assert solution.source.audited == 0


@pytest.mark.filterwarnings("always")
def test_a_command_says_so_in_one_message(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = auditing.Difference("play", "State(first=1, second=0)", "3 in place of 4")
    monkeypatch.setattr(auditing, "audit", lambda *_: auditing.Audit(7, wrong))
    monkeypatch.setattr(auditing, "distrust", lambda *_: None)
    done = run("value", "tictactoe", "--engine", "compiled", "--method", "layers", "--json")
    assert done.code == 0
    assert done.err.strip() == (
        "warning: a compiled answer is thrown away, and Python answers in its place: compiled, the rule 'play' says "
        "something else at State(first=1, second=0): 3 in place of 4"
    )
    method = json.loads(done.out)["method"]
    assert (method["engine"], method["audited"]) == ("plain", 0)
    assert method["refused"].startswith("the compiled answer was wrong: ")


class Values(StateTable[Any]):
    """A table that says something else than the one it is made of, at one position."""

    def __init__(self, table: StateTable[Any], at: Any, row: Any) -> None:
        self.view = table.view
        self.table, self.at, self.changed = table, at, row
        self.rules, self.states, self.by_mover = table.rules, table.states, table.by_mover
        self.is_win_loss, self.has_chance = table.is_win_loss, table.has_chance
        self.is_enclosed, self.scale = table.is_enclosed, table.scale  # type: ignore[misc]

    def drawn(self, random: Random, count: int) -> list[Any]:
        return [self.at, *self.table.drawn(random, count - 1)]

    def node(self, position: Any) -> Any:
        return position.state, self.table.node(position)

    def row(self, node: Any) -> Any:
        return self.changed if node[0] == self.at else self.table.row(node[1])

    def bounds(self, node: Any) -> Any:
        return self.changed if node[0] == self.at else self.table.bounds(node[1])


def test_a_wrong_value_or_distance_is_found() -> None:
    game = es.games.Nim(heaps=(3, 4, 5))
    table = solved(game, "layers")
    state = game.canonical(game.position("2:4").state)
    assert auditing.audit(table, game.position(), 60.0) == auditing.Audit(table.states)
    values, distance = table.row(table.place(state))
    assert distance is not None
    # Of the position itself, or of one from which a move leads there.
    for row, what in (((values[::-1], distance), {"value", "distance"}), ((values, distance + 2), {"distance"})):
        found = auditing.audit(Values(table, state, row), game.position(), 60.0).difference
        assert found is not None
        assert found.rule in what


def test_wrong_bounds_are_found() -> None:
    game = es.games.TwoDicePig(target=20)
    table = solved(game, "auto")
    assert table.is_enclosed
    look = auditing.audit(table, game.position(), 60.0)
    assert look.difference is None
    assert look.looked > 0.9 * auditing.MOST
    start = game.start()
    low, high = table.bounds(table.place(start))
    for bounds in ((low + 1000, high + 1000), (low - 1000, high - 1000)):
        found = auditing.audit(Values(table, start, bounds), game.position(), 60.0).difference
        assert found is not None
        assert found.rule == "bounds"


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
        (es.games.ConnectFour(width=4, height=3), "search", {}),
    ],
)
def test_right_answers_of_all_kinds_pass(game: es.Game, method: str, question: dict[str, Any]) -> None:
    solution = es.solve(game, method=method, engine="compiled", **question)  # type: ignore[arg-type]
    assert solution.source.refusal is None
    table = solution.source.table
    if table is not None and table.rules is not None:
        found = auditing.audit(table, game.position(), 60.0)
        assert found.difference is None
        assert found.looked >= min(table.states, 900)


@pytest.mark.parametrize(
    ("game", "moves"),
    [(es.games.ConnectFour(width=4, height=4), ""), (es.games.TicTacToe(), ""), (es.games.Nim(heaps=(5, 6, 7)), "")],
)
def test_walks_through_a_right_proof_end_as_promised(game: es.Game, moves: str) -> None:
    source = es.solve(game, game.position(moves), engine="compiled", method="search").source
    assert source.table is None
    look = auditing.walk(source, game.position(moves), 60.0, most=200)
    assert look.difference is None
    assert look.looked > 20
    assert 0 < source.audited <= 1_000


class WonOrLost(Unpaid):
    def payoff(self, state: Any) -> Any:
        return (-1, 1) if state.side % 4 == 3 else (1, -1)


class WronglyWon(WonOrLost):
    def payoff(self, state: Any) -> Any:
        return (1, -1) if state.side % 2 else (-1, 1)


def searched_wrongly(monkeypatch: pytest.MonkeyPatch) -> es.Solution:
    """A wrong search that nobody looked at."""
    compiled_wrongly(monkeypatch, WronglyWon(plies=60))
    monkeypatch.setattr("endsight.compiler.payoffs.constant_sum", lambda game, question: 0)
    with monkeypatch.context() as patch:
        patch.setattr(auditing, "audited", lambda *_: None)
        return es.solve(WonOrLost(plies=60), engine="compiled", method="search")


def test_a_wrong_search_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    solution = searched_wrongly(monkeypatch)
    found = 0
    for seed in range(20):
        monkeypatch.setattr(auditing, "_seed", lambda *_, seed=seed: b"%d" % seed)
        found += auditing.walk(solution.source, solution.position, 60.0).difference is not None
    assert found == 20


def test_later_answers_of_a_search_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    solution = searched_wrongly(monkeypatch)
    solution.source.watch = auditing.Watched(60.0)  # type: ignore[attr-defined]
    later = solution.position.after("0").after("1")
    with pytest.warns(auditing.WrongAnswer, match="a compiled answer is thrown away"):
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
    table = solved(game, "layers")
    assert [*table.drawn(Random(7), 400)] == [*table.drawn(Random(7), 400)] != [*table.drawn(Random(8), 400)]
    all_of_them = [*solved(game, "graph").drawn(Random(1), 10**6)]
    assert len(all_of_them) == len(set(all_of_them)) == table.states
    mean = sum(map(sum, all_of_them)) / len(all_of_them)
    drawn = [*table.drawn(Random(3), 4_000)]
    spread = (sum((sum(state) - mean) ** 2 for state in all_of_them) / len(all_of_them)) ** 0.5
    assert abs(sum(map(sum, drawn)) / len(drawn) - mean) < 4 * spread / len(drawn) ** 0.5
