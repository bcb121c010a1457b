"""What is proven when an answer is stopped: always true, never less than before, and the same by every way out."""

from __future__ import annotations

import json
import time
from fractions import Fraction
from functools import partial
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import endsight as es
import naive
import strategies
from amounts import every, examples
from at_once import stop_or_go_on
from command_line import run
from endsight import Game
from endsight.answers.unfinished import BoundsProgress
from endsight.base.alarm import alarm_clock, time_given
from endsight.engine.entry import solve_compiled
from endsight.engine.searching import CompiledSearcher
from endsight.game.limits import Budget, Clock
from endsight.graph.objective import View
from ranges import as_range
from thresholds import alarms_ring_on


class Countdown(Budget):
    """Stops after so many looks, wherever that is, with a limit or with Ctrl-C."""

    def __init__(self, looks: int, error: BaseException) -> None:
        super().__init__()
        self.left = looks
        self.error = error

    def look(self, states: int, doing: str, part: tuple[int, int] | None = None) -> None:
        """Count down."""
        self.spend(states, doing)

    def spend(self, states: int, doing: str = "exploring") -> None:
        """Count down."""
        self.states = states
        self.left -= 1
        if self.left < 0:
            raise self.error


def solve_until(patch: pytest.MonkeyPatch, looks: int, error: BaseException, game: Game, **how: Any) -> es.Solution:
    patch.setattr("endsight.answers.solver.Budget", lambda *_, **__: Countdown(looks, error))
    return es.solve(game, **how)


def stop_after(looks: int, game: Game, **how: Any) -> es.LimitReached | es.Solution:
    """The stop after so many looks, or the solution where that is found before."""
    with pytest.MonkeyPatch.context() as patch:
        try:
            return solve_until(patch, looks, es.LimitReached("stopped"), game, **how)
        except es.LimitReached as stop:
            return stop


def holds(lower: dict[str, Fraction | None], upper: dict[str, Fraction | None], value: dict[str, Fraction]) -> bool:
    low_holds = all(end is None or end <= value[name] for name, end in lower.items())
    return low_holds and all(end is None or value[name] <= end for name, end in upper.items())


@examples(
    60,
    20,
    game=st.one_of(strategies.alternating_acyclic(), strategies.alternating_acyclic(payoffs=(-3, -1, 0, 2, 5))),
    method=st.sampled_from(["minimax", "alphabeta", "graph"]),
    looks=st.integers(0, 40),
)
def test_bounds_hold_wherever_the_work_is_stopped(game: Game, method: Any, looks: int) -> None:
    exact = es.solve(game, method="graph")
    values = dict(zip(game.player_names, map(Fraction, naive.Recursion(game).value()), strict=True))
    end = stop_after(looks, game, method=method)
    if isinstance(end, es.Solution):
        assert end.value() == values
        return
    assert end.lower is None or end.upper is None or holds(end.lower, end.upper, values)
    after = {option.text: dict(zip(values, option.value, strict=True)) for option in exact.options()}
    assert all(holds(lower, upper, after[move]) for move, (lower, upper) in end.moves.items())


def test_more_looks_prove_more() -> None:
    """A search of a whole game, stopped ever later: ends only move together, and more moves are known."""
    game = es.games.TicTacToe()
    stops = []
    for looks in range(0, 800, 10):
        stop = stop_after(looks, game, position=game.position("a1 b2"), method="alphabeta")
        if isinstance(stop, es.LimitReached):
            stops.append(stop)
    widths = [(stop.upper or {})["first"] - (stop.lower or {})["first"] for stop in stops]  # type: ignore[operator]
    moves = [len(stop.moves) for stop in stops]
    assert widths == sorted(widths, reverse=True)
    assert moves == sorted(moves)
    assert (widths[0], len(set(moves)) > 2) == (2, True)


def test_ctrl_c_tells_the_same_and_is_still_a_keyboard_interrupt(monkeypatch: pytest.MonkeyPatch) -> None:
    game = es.games.TicTacToe()
    with pytest.raises(KeyboardInterrupt) as caught:
        solve_until(monkeypatch, 100, KeyboardInterrupt(), game, method="alphabeta")
    stop = caught.value
    assert isinstance(stop, es.Interrupted)
    assert (stop.lower, stop.upper) == ({"first": -1, "second": -1}, {"first": 1, "second": 1})
    assert stop.states > 0
    assert game.position(" ".join(stop.line)).text == " ".join(stop.line), "a line that can be played"
    assert len(stop.line) > 3


def test_a_stopped_search_by_compiled_rules_keeps_what_it_has_proven() -> None:
    game = es.games.ConnectFour(width=4, height=4)
    budget = Budget()
    source = solve_compiled(View(game, es.Question()), game.position(), "search", budget)
    exact = es.solve(game, method="graph")
    seen = 0
    for most in range(200, 8_000, 200):
        searcher = CompiledSearcher(source.compiled, Budget(es.Limits(states=most)))
        try:
            value = searcher.search(game.position())
        except es.LimitReached:
            for first in game.position().moves():
                for second in game.position().play(first).moves():
                    later = game.position().play(first).play(second)
                    found = searcher.proven(later)
                    seen += found is not None and as_range(found[0]) != es.Interval(Fraction(-1), Fraction(1))
                    assert found is None or exact.values(later)[0] in as_range(found[0])
        else:
            assert value == exact.values()[0]
            break
    assert seen > 0


def searched_until(states: int, game: Game) -> es.LimitReached | es.Solution:
    """The stop after so many positions, or the solution where that is found before."""
    try:
        return es.solve(game, method="search", engine="compiled", limits=es.Limits(states=states, threads=1))
    except es.LimitReached as stop:
        return stop


@pytest.mark.parametrize("step", every(4_500, 1_500))
def test_a_long_search_proves_more_and_more(step: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who cannot lose is told long before the value, and so are moves that were looked at one by one."""
    monkeypatch.setattr("endsight.engine.searching._ALONE", 0)
    monkeypatch.setattr("endsight.engine.searching._STRIDE", 8)
    monkeypatch.setattr("endsight.engine.searching._SCOUTED", 4)
    game = es.games.ConnectFour(width=5, height=4)
    right, draw = es.solve(game, method="layers"), {"first": 0, "second": 0}
    ends = [searched_until(states, game) for states in range(500, 30_000, step)]
    stops = [end for end in ends if isinstance(end, es.LimitReached)]
    assert all(end.value() == draw for end in ends if isinstance(end, es.Solution))
    for stop in stops:
        assert game.position(" ".join(stop.line)).text == " ".join(stop.line), "a line that can be played"
        assert all(holds(*bounds, right.value(game.position(move))) for move, bounds in stop.moves.items())
    assert (stops[0].lower, stops[0].upper) == ({"first": -1, "second": -1}, {"first": 1, "second": 1})
    assert stops[0].line[0] in {"2", "3", "4"}, "the middle, as games at random say"
    told = [
        stop for stop in stops if (stop.lower, stop.upper) == ({"first": 0, "second": -1}, {"first": 1, "second": 0})
    ]
    assert 4 * len(told) > len(stops)
    assert max(len(stop.moves) for stop in told) > 1


def test_moves_that_were_not_reached_any_more(monkeypatch: pytest.MonkeyPatch) -> None:
    """A position may be settled and its moves not: the value is told, and what is known of the moves."""
    game = es.games.TicTacToe()
    solution = es.solve(game, method="alphabeta")
    solution.budget.left = 300  # type: ignore[attr-defined]
    monkeypatch.setattr(Budget, "spend", Countdown.spend)
    monkeypatch.setattr(Budget, "error", es.LimitReached("stopped"), raising=False)
    with pytest.raises(es.LimitReached) as caught:
        solution.options()
    assert caught.value.is_settled
    assert caught.value.lower == {"first": 0, "second": 0}


# -------------------------------------------------------------------- while the work goes on


@pytest.fixture
def eager(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bounds are told at every look, and there is a look at every state."""
    for name in ("_FIRST_LOOK", "_BETWEEN_LOOKS", "_WORK_PER_LOOK"):
        monkeypatch.setattr(f"endsight.answers.unfinished.{name}", 0)
    monkeypatch.setattr("endsight.game.limits._BETWEEN_LOOKS", 1)
    monkeypatch.setattr("endsight.game.limits._SECONDS_BETWEEN_GLANCES", 0)


@settings(max_examples=30)
@given(game=strategies.alternating_acyclic(payoffs=(-3, -1, 0, 2, 5)), method=st.sampled_from(["alphabeta", "graph"]))
@pytest.mark.usefixtures("eager")
def test_bounds_told_while_the_work_goes_on_hold(game: Game, method: Any) -> None:
    values = dict(zip(game.player_names, map(Fraction, naive.Recursion(game).value()), strict=True))
    told: list[es.Underway] = []
    es.solve(game, method=method, bounds=told.append)
    assert all(holds(each.lower, each.upper, values) for each in told if each.lower and each.upper)


@pytest.mark.usefixtures("eager")
def test_bounds_told_later_prove_more_and_the_last_is_the_value() -> None:
    game = es.games.TicTacToe()
    position = game.position("a1 b2")
    told: list[es.Underway] = []
    solution = es.solve(game, position, method="alphabeta", bounds=told.append)
    solution.options()
    widths = [(each.upper or {})["first"] - (each.lower or {})["first"] for each in told]  # type: ignore[operator]
    assert widths == sorted(widths, reverse=True)
    assert (widths[0], widths[-1]) == (2, 0)
    assert told[-1].lower == solution.value()
    assert told[-1].is_settled


def test_looking_takes_no_more_than_its_share(monkeypatch: pytest.MonkeyPatch) -> None:
    """By a clock that only the looks move: after one of d seconds, none for 50 d."""
    now, told = [0.0], []
    monkeypatch.setattr("endsight.answers.unfinished.CLOCK.now", lambda: now[0])
    budget = Budget()
    heard: list[str] = []
    budget.progress = lambda doing, states: heard.append(doing)

    def tell(found: es.Underway) -> None:
        told.append(now[0])
        now[0] += 0.1

    game = es.games.TicTacToe()
    bounds_progress = BoundsProgress(game.position(), es.Question(), budget, tell)
    for _ in range(200):
        now[0] += 0.1
        bounds_progress("solving", 7)
    assert len(heard) == 200
    assert told == pytest.approx([0.0, 0.4, 5.6, 10.8, 15.9], abs=0.25)


def test_standing_still_takes_no_time() -> None:
    clock = Clock()
    with clock.standing_still():
        time.sleep(0.05)
    before = clock.now()
    assert time.monotonic() - before >= 0.05
    time.sleep(0.01)
    assert clock.now() - before >= 0.01


def test_looks_come_closer_as_a_limit_of_states_does() -> None:
    budget = Budget(es.Limits(states=1_000_000))
    strides = []
    for budget.states in (0, 500_000, 990_000, 999_999):
        strides.append(budget.stride(1 << 19))
    assert strides == [15_625, 7_812, 256, 256]
    assert Budget(es.Limits(states=1)).stride(1 << 19) == 1
    assert Budget().stride(1 << 19) == 1 << 19


@pytest.mark.parametrize("limit", ["seconds", "memory", "states"])
def test_an_attempt_fails_by_what_was_lent_and_by_nothing_else(limit: str) -> None:
    least: dict[str, Any] = {limit: 0}

    def busy(budget: Budget) -> str:
        budget.spend(2_000)
        return "done"

    whole = Budget(es.Limits(seconds=1e6, states=1_000_000))
    assert whole.attempt(partial(busy, whole)) == "done"
    short = whole.within(**least)
    assert short.attempt(partial(busy, short)) is None
    own = Budget(es.Limits(**least)).within(edges=1)
    with pytest.raises(es.LimitReached) as stopped:
        own.attempt(partial(busy, own))
    assert stopped.value.limit == limit
    assert own.attempt(partial(own.spend_edges, 2, 1)) is None


def test_an_alarm_that_comes_out_as_another_exception_is_heard() -> None:
    def lost() -> None:
        try:
            time.sleep(30)
        except BaseException:
            raise TypeError("expected a message argument") from None

    with pytest.raises(es.LimitReached, match=r"more than 0.1 s"), alarm_clock(0.1):
        lost()
    with pytest.raises(TypeError), alarm_clock(60):
        raise TypeError


def test_an_alarm_that_rings_again_on_the_way_out_is_a_stop_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """It came out as `TimeUp`, and so as "stopped by Ctrl-C", where Python took long to clear up what was stopped."""
    alarms_ring_on(monkeypatch)

    def go_on() -> None:
        while True:
            pass

    for _ in range(300):
        with pytest.raises(es.LimitReached), alarm_clock(0):
            go_on()


def test_time_goes_on_after_a_limit_of_states() -> None:
    """What is proven by then is told in half a second; what comes after it has the time that was left."""
    with alarm_clock(600):
        with pytest.raises(es.LimitReached, match="more than 50 states"):
            es.solve("tictactoe", method="graph", symmetry=False, limits=es.Limits(states=50))
        assert (time_given() or 0) > 300


# -------------------------------------------------------------------- the command line


def test_json_of_a_stopped_analysis() -> None:
    said = run("analyze", "tictactoe:width=4,height=3,line=3", "--method", "alphabeta", "--states", "900", "--json")
    document = json.loads(said.out)
    assert said.code == 5
    assert document["status"] == "enclosed"
    assert len(document["unproven_line"]) > 3
    assert document["method"]["states"] == 901


@pytest.mark.parametrize(
    ("game", "question", "at"),
    [(stop_or_go_on(), {"utility": "lead"}, ""), (stop_or_go_on(), {}, ""), (es.games.Kuhn(), {}, "1 2")],
)
def test_bounds_take_no_step_back_where_nobody_chooses_among_what_follows(
    game: Game, question: dict[str, Any], at: str
) -> None:
    solution = es.solve(game, **question)
    position = solution.asked(at)
    solution.options(position)  # what follows is known from here on
    with pytest.raises(es.LimitReached) as stopped, solution.telling(position):
        raise es.LimitReached("stopped")
    told, values = stopped.value, {name: as_range(value) for name, value in solution.value(position).items()}
    assert told.moves
    if told.lower is not None and told.upper is not None:
        assert all(low is None or low <= values[name].upper for name, low in told.lower.items())
        assert all(high is None or high >= values[name].lower for name, high in told.upper.items())


def test_a_stop_tells_of_the_position_asked_about_wherever_the_work_has_come_to(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    solution = es.solve(es.games.PigTurn())

    def stopping(*_: Any) -> None:
        raise es.LimitReached("stopped")

    monkeypatch.setattr("endsight.answers.solution.compared", stopping)
    monkeypatch.setattr("endsight.answers.solution.payoffs", lambda solution, *_: solution.options("roll 5"))
    for at in ("", "roll 3"):
        with pytest.raises(es.LimitReached) as stopped:
            solution.distribution(position=at)
        assert stopped.value.lower == stopped.value.upper == solution.value(at)
