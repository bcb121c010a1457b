"""What best play brings, found on arrays: against walking through the rules with fractions."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any, NamedTuple

import pytest

import endsight as es
from command_line import ask
from endsight import CHANCE, Interval
from endsight.errors import LimitReached, QuestionError
from places import reachable
from test_documents import no_bare_float
from test_exact_loops import SoloPig
from test_schemas import validate
from thresholds import compile_small_games, no_move_is_proven_best

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


GAMES = {"pig:target=9": es.games.Pig(9), f"{__file__}:Squabble": Squabble()}


@pytest.fixture(autouse=True)
def large_already(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything counts as large."""
    compile_small_games(monkeypatch)


def fits(found: Any, exact: Any) -> bool:
    if isinstance(found, Interval):
        return exact in found and found.width < Fraction(1, 10**12)
    return bool(found == exact)


def enclosed(game: es.Game, **options: Any) -> es.Solution:
    """The game solved on arrays, by bounds."""
    solution = es.solve(game, **options)
    assert solution.plan is not None
    assert solution.plan.path.startswith("bounds")
    return solution


@pytest.mark.parametrize("game", GAMES.values(), ids=str)
@pytest.mark.parametrize("options", [{}, {"exact": True}, {"interval": True}], ids=str)
def test_chances_lengths_and_fairness(game: es.Game, options: dict[str, bool]) -> None:
    plain, found = es.solve(game, engine="plain"), enclosed(game, **options)
    start = game.position()
    for position in [start, start.play(next(iter(start.moves())))]:
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
        here, there = es.fair(game, position, engine="plain"), es.fair(game, position, **options)
        for name in ("seat_advantage", "win", "draw", "lose", "length", "forced", "costless"):
            assert fits(getattr(there, name), getattr(here, name)), name
        assert all(fits(there.values[name], value) for name, value in here.values.items())


@pytest.mark.parametrize("spec", GAMES)
@pytest.mark.parametrize("command", [["fair"], ["dist", "--at-least"]], ids=str)
def test_documents_have_no_bare_doubles(command: list[str], spec: str) -> None:
    document = ask(command[0], spec, *command[1:], "--interval")
    validate(document)
    no_bare_float(document)


@pytest.mark.parametrize("moves", ["", "roll 3 hold", "roll 2 roll 2 hold roll 5"])
def test_thresholds_from_columns(moves: str) -> None:
    found, plain = (es.table("pig:target=9", moves, **options).to_dicts() for options in ({}, {"engine": "plain"}))
    assert found == plain


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
    assert fits(es.fair(game, interval=True).costless, 1)
    assert es.fair(game, engine="plain").costless == 1
    assert fits(enclosed(game, interval=True).distribution()[1], Fraction(1, 2))


def test_payoffs_on_loops_are_walked_to() -> None:
    solution = enclosed(SoloPig(9))
    found = solution.distribution()
    assert 0 < found.rest <= Fraction(1, 1000)
    assert found.mean() == solution.values()[0]
    assert fits(es.fair(SoloPig(9)).length, es.fair(SoloPig(9), engine="plain").length)


def test_undecided_thresholds_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    no_move_is_proven_best(monkeypatch)
    with pytest.raises(LimitReached, match="which moves are best"):
        es.table(es.games.Pig(9), interval=True)


class OwnBust(es.games.RepeatBust):
    """The rules of repeatbust without its theorem."""

    sides: int = 3
    dice: int = 2


@pytest.mark.parametrize("game", [OwnBust(), es.games.PigTurn()], ids=str)
def test_games_without_loops_are_exact_everywhere(game: es.Game) -> None:
    plain, found, ends = es.solve(game, engine="plain"), enclosed(game), enclosed(game, interval=True)
    assert found.values() == plain.values()
    for place in list(reachable(game.position()))[::7]:
        assert found.values(place) == plain.values(place)
        assert found.best_moves(place) == plain.best_moves(place)
        assert found.chosen(place) == plain.chosen(place)
        assert all(fits(end, value) for end, value in zip(ends.values(place), plain.values(place), strict=True))
    assert dict(found.distribution()) == dict(plain.distribution())
    assert found.distribution().expected_plies == plain.distribution().expected_plies
    assert es.fair(game) == es.fair(game, engine="plain")
    assert es.table(game).to_dicts() == es.table(game, engine="plain").to_dicts()


def test_large_tables_are_refused() -> None:
    with pytest.raises(QuestionError, match="more than 50 positions can be reached"):
        es.table(OwnBust(), rows=50)
