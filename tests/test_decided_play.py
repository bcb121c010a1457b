"""What best play brings, found on arrays: against walking through the rules with fractions."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any, NamedTuple

import pytest

import endsight as es
from endsight import CHANCE, Interval
from endsight.answers.enclosed import BoundsTable
from endsight.answers.explanation import fairness, table_rows
from endsight.compiler import choice
from endsight.errors import LimitReached, QuestionError
from endsight.faces import documents
from endsight.game.numbers import Amount, rest_of, share_of, sum_of, times
from places import reachable
from test_documents import no_bare_float
from test_exact_loops import SoloPig
from test_schemas import validate

pytest.importorskip("llvmlite")


class Squabble(es.Game):
    """Two players push a stone along a line by one or two steps, or by one at the risk of a draw."""

    half: int = 4

    class State(NamedTuple):
        place: int
        turn: int
        way: int

    def limits(self) -> State:
        return self.State(2 * self.half, 2, 3)

    def start(self) -> State:
        return self.State(self.half, 0, 0)

    def to_move(self, state: State) -> int:
        return CHANCE if state.way else state.turn % 2

    def moves(self, state: State) -> Iterator[int]:
        if state.way:
            yield from range(3)
        elif 0 < state.place < 2 * self.half:
            yield from (1, 2, 3)

    def play(self, state: State, move: int) -> State:
        if not state.way:
            return self.State(state.place, state.turn, move)
        if state.way == 3 and move == 2:
            return self.State(2 * self.half, 2, 0)
        step = 0 if move == 0 else (1 if state.way == 3 else state.way) * (1 if move == 1 else -1)
        place = state.place + (step if state.turn == 0 else -step)
        return self.State(max(0, min(2 * self.half, place)), 1 - state.turn, 0)

    def weight(self, state: State, move: int) -> int:
        return (1, 3, 2)[move]

    def payoff(self, state: State) -> tuple[int, int]:
        if state.turn == 2:
            return (0, 0)
        return (1, -1) if state.place else (-1, 1)


GAMES = [es.games.Pig(9), Squabble()]


@pytest.fixture(autouse=True)
def large_already(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything counts as large."""
    monkeypatch.setattr(choice, "PLAIN_EDGES", 50)
    monkeypatch.setattr(choice, "_FIRST_NODES", 10)


def fits(found: Amount | None, exact: Any) -> bool:
    if isinstance(found, Interval):
        return exact in found and found.width < Fraction(1, 10**12)
    return found == exact


@pytest.mark.parametrize("game", GAMES, ids=str)
@pytest.mark.parametrize("options", [{}, {"exact": True}, {"interval": True}], ids=str)
def test_chances_lengths_and_fairness(game: es.Game, options: dict[str, bool]) -> None:
    plain, found = es.solve(game, engine="plain"), es.solve(game, **options)
    assert isinstance(found.source.table, BoundsTable)
    for position in [game.position(), next(iter(game.position().play(move) for move in game.position().moves()))]:
        for player in game.player_names:
            expected, distribution = plain.distribution(player, position), found.distribution(player, position)
            assert list(distribution) == list(expected)
            assert all(fits(distribution[payoff], expected[payoff]) for payoff in expected)
            assert fits(distribution.expected_plies, expected.expected_plies)
            assert fits(distribution.mean(), expected.mean())
            for running, other in (
                (distribution.at_least(), expected.at_least()),
                (distribution.at_most(), expected.at_most()),
            ):
                assert all(fits(running[payoff], other[payoff]) for payoff in other)
            assert distribution.is_exact == ("exact" in options)
        here, there = fairness(plain, position), fairness(found, position)
        for name in ("seat_advantage", "win", "draw", "lose", "length", "forced", "costless"):
            assert fits(getattr(there, name), getattr(here, name)), name
        assert all(fits(there.values[name], value) for name, value in here.values.items())
        for document in (
            documents.fair_document(found, there, position),
            documents.distribution_document(found, found.distribution(None, position), position, at_least=True),
        ):
            validate(document)
            no_bare_float(document)


def test_thresholds_from_columns() -> None:
    game = es.games.Pig(9)
    plain, found = es.solve(game, engine="plain"), es.solve(game)
    assert isinstance(found.source.table, BoundsTable)
    for moves in ("", "roll 3 hold", "roll 2 roll 2 hold roll 5"):
        position = game.position(moves)
        assert table_rows(found, position) == table_rows(plain, position)
    assert "known" not in vars(found.source.table), "thresholds need no exact values"


def test_only_what_bounds_leave_open_is_asked_exactly() -> None:
    """Both ways round are worth the same third: which is first, and that both are best, only exact values tell."""

    class Twins(es.Game):
        class State(NamedTuple):
            at: int
            left: int

        def limits(self) -> Any:
            return self.State(4, 40)

        def start(self) -> Any:
            return self.State(0, 40)

        def to_move(self, state: Any) -> int:
            return CHANCE if state.at in (1, 2) else 0

        def moves(self, state: Any) -> Iterator[int]:
            if state.at == 0:
                yield from (1, 2)
            elif state.at < 3:
                yield from range(3)

        def play(self, state: Any, move: int) -> Any:
            if state.at == 0:
                return self.State(move, state.left)
            if move == 0:
                return self.State(0, max(0, state.left - 1))
            return self.State(2 + move, 0)

        def payoff(self, state: Any) -> int:
            return 1 if state.at == 3 else 0

    game = Twins()
    found, plain = es.solve(game, interval=True), es.solve(game, engine="plain")
    assert isinstance(found.source.table, BoundsTable)
    assert fits(fairness(found).costless, fairness(plain).costless)
    assert fits(fairness(found).costless, 1)
    assert fits(found.distribution()[1], Fraction(1, 2))


def test_payoffs_on_loops_are_walked_to() -> None:
    solution = es.solve(SoloPig(9))
    assert isinstance(solution.source.table, BoundsTable)
    found = solution.distribution()
    assert 0 < found.rest <= Fraction(1, 1000)
    assert found.mean() == solution.values()[0]
    assert fits(fairness(solution).length, fairness(es.solve(SoloPig(9), engine="plain")).length)


def test_undecided_thresholds_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    solution = es.solve(es.games.Pig(9), interval=True)
    assert isinstance(solution.source.table, BoundsTable)
    verdicts = solution.source.table.enclosure.verdicts
    verdicts[verdicts == 2] = 1
    with pytest.raises(LimitReached, match="which moves are best"):
        table_rows(solution)


def test_sums_and_shares_of_amounts() -> None:
    third, ends = Fraction(1, 3), Interval(Fraction(1, 4), Fraction(1, 2))
    assert sum_of((third, 1)) == Fraction(4, 3)
    assert sum_of((third, ends, ends)) == Interval(Fraction(5, 6), Fraction(4, 3))
    assert rest_of((ends, ends)) == Interval(Fraction(0), Fraction(1, 2))
    assert rest_of((third,)) == Fraction(2, 3)
    assert times(-2, ends) == Interval(Fraction(-1), Fraction(-1, 2))
    assert times(3, third) == 1
    assert share_of(third, 1) == third
    assert share_of(ends, Interval(Fraction(1, 3), Fraction(1))) == Interval(Fraction(1, 4), Fraction(1))


class OwnBust(es.games.RepeatBust):
    """The rules of repeatbust without its theorem."""

    sides: int = 4
    dice: int = 2


@pytest.mark.parametrize("game", [OwnBust(), es.games.PigTurn()], ids=str)
def test_games_without_loops_are_exact_everywhere(game: es.Game) -> None:
    plain, found, ends = es.solve(game, engine="plain"), es.solve(game), es.solve(game, interval=True)
    assert isinstance(found.source.table, BoundsTable)
    assert found.values() == plain.values()
    for place in list(reachable(game.position()))[::7]:
        assert found.values(place) == plain.values(place)
        assert found.best_moves(place) == plain.best_moves(place)
        assert found.chosen(place) == plain.chosen(place)
        assert all(fits(end, value) for end, value in zip(ends.values(place), plain.values(place), strict=True))
    assert dict(found.distribution()) == dict(plain.distribution())
    assert found.distribution().expected_plies == plain.distribution().expected_plies
    assert fairness(found) == fairness(plain)
    assert table_rows(found) == table_rows(plain)


def test_large_tables_are_refused_before_anything_is_valued(monkeypatch: pytest.MonkeyPatch) -> None:
    solution = es.solve(OwnBust())
    monkeypatch.setattr(BoundsTable, "row", lambda *_: pytest.fail("a position was valued"))
    with pytest.raises(QuestionError, match="more than 50 positions can be reached"):
        table_rows(solution, most=50)
