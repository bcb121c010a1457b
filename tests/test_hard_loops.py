"""Loops on which solvers are known to answer wrongly: each is right here, exact and enclosed, or refused by name."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

import pytest

import endsight as es
from endsight import CHANCE, Game
from endsight.errors import RulesError
from strategies import MoverGraph, MoverRewards


class SlowExit(Game):
    """Leave each of `length` rooms with one chance in `odds`; every throw brings `gain`."""

    players = 1
    length: int = 3
    odds: int = 100
    gain: int = 1

    class State(NamedTuple):
        room: int

    def limits(self) -> State:
        return self.State(self.length)

    def start(self) -> State:
        return self.State(0)

    def to_move(self, state: State) -> int:
        return CHANCE if state.room < self.length else 0

    def moves(self, state: State) -> Iterator[int]:
        if state.room < self.length:
            yield 0
            yield 1

    def weight(self, state: State, move: int) -> int:
        return 1 if move == 1 else self.odds - 1

    def reward(self, state: State, move: int) -> int:
        return self.gain

    def play(self, state: State, move: int) -> State:
        return self.State(state.room + move)

    def payoff(self, state: State) -> int:
        return 0


class NoWay(SlowExit):
    """The same with an outcome that never comes."""

    def weight(self, state: SlowExit.State, move: int) -> int:
        return move


@pytest.mark.parametrize("gain", [1, -1, 7])
@pytest.mark.parametrize("engine", ["plain", "compiled"])
def test_expected_rewards_with_one_percent_exit_lie_within_the_bounds(gain: int, engine: str) -> None:
    game = SlowExit(gain=gain)
    truth = Fraction(gain * 300)
    assert es.solve(game, engine=engine, exact=True).values() == (truth,)
    found = es.solve(game, engine=engine, interval=True).values()[0]
    lower, upper = (found.lower, found.upper) if isinstance(found, es.Interval) else (found, found)
    assert lower <= truth <= upper
    assert upper - lower < Fraction(1, 10**6)


def test_an_iteration_that_stops_at_a_small_change_is_outside_the_proven_bounds() -> None:
    """With one exit in 10 000 the change of a step says nothing about the distance to the value."""
    odds, small = 10_000, 1e-3
    value, change = 0.0, 1.0
    while change > small:
        after = 1 + value * (1 - 1 / odds)
        value, change = after, after - value
    found = es.solve(SlowExit(length=1, odds=odds), interval=True).values()[0]
    lower, upper = (found.lower, found.upper) if isinstance(found, es.Interval) else (found, found)
    assert lower <= odds <= upper
    assert Fraction(value) < lower - 1


@pytest.mark.parametrize("engine", ["plain", "compiled", "auto"])
def test_outcomes_of_weight_zero_are_refused_by_name(engine: str) -> None:
    with pytest.raises(RulesError, match=r"weight must be a whole number, 1 or more") as caught:
        es.solve(NoWay(), engine=engine)
    assert "0 for 0 in room=0" in str(caught.value)


def test_the_check_of_rules_names_weight_zero() -> None:
    assert "weight" in {fault.rule for fault in es.check_rules(NoWay()).faults}


# ---------------------------------------------------------------- play that need not end


def graph(successors: tuple, movers: tuple, payoffs: tuple, players: int = 1) -> MoverGraph:
    """A game on a graph, zero-sum for two, all outcomes of chance equally likely."""
    shares = tuple((payoff, -payoff)[:players] for payoff in payoffs)
    return MoverGraph(successors, shares, players, movers, tuple(tuple(1 for _ in ways) for ways in successors))


@pytest.mark.parametrize("interval", [False, True])
@pytest.mark.parametrize(("payoff", "value"), [(3, 3), (-3, 0), (0, 0)])
def test_loops_without_reward_hold_nothing_up(payoff: int, value: int, interval: bool) -> None:
    """Staying for ever is worth 0; bounds that never meet there are the known mistake of plain iteration."""
    game = graph(((1,), (0, 2), ()), (CHANCE, 0, 0), (0, 0, payoff))
    assert contains(es.solve(game, interval=interval).values()[0], Fraction(value))


@pytest.mark.parametrize("interval", [False, True])
def test_loops_of_several_players_one_after_the_other(interval: bool) -> None:
    """The first player may stay on 0-1 or go to 2-3, where the second may stay or let a die pay 4 or -1."""
    game = graph(
        ((1, 2), (0,), (3, 4), (2,), (5, 6), (), ()), (0, CHANCE, 1, CHANCE, CHANCE, 0, 0), (0, 0, 0, 0, 0, 4, -1), 2
    )
    assert contains(es.solve(game, interval=interval).values()[0], Fraction(0))
    generous = graph(
        ((1, 2), (0,), (3, 4), (2,), (5, 6), (), ()), (0, CHANCE, 1, CHANCE, CHANCE, 0, 0), (0, 0, 0, 0, 0, 1, -4), 2
    )
    # The second player gains by leaving, so the first does not go there.
    assert contains(es.solve(generous, interval=interval).values()[0], Fraction(0))
    place = generous.position("1")
    assert contains(es.solve(generous, place, interval=interval).values()[0], Fraction(-3, 2))


def contains(found: es.Number | es.Interval, truth: Fraction) -> bool:
    """Whether an answer is the true value, or encloses it within a millionth."""
    if isinstance(found, es.Interval):
        return found.lower <= truth <= found.upper and found.upper - found.lower < Fraction(1, 10**6)
    return found == truth


@pytest.mark.parametrize("interval", [False, True])
def test_loops_that_both_players_keep_going_have_a_value(interval: bool) -> None:
    """Who leaves first gives the other what it wants: both stay. With the prizes exchanged the first leaves at once."""
    wary = graph(((1, 3), (2,), (0, 4), (), ()), (0, CHANCE, 1, 0, 0), (0, 0, 0, -1, 1), 2)
    assert es.solve(wary, interval=interval).values() == (0, 0)
    eager = graph(((1, 3), (2,), (0, 4), (), ()), (0, CHANCE, 1, 0, 0), (0, 0, 0, 1, -1), 2)
    assert es.solve(eager, interval=interval).values() == (1, -1)
    assert es.solve(eager, eager.position("0"), interval=interval).values() == (-1, 1)


@pytest.mark.parametrize("interval", [False, True])
def test_loops_that_bring_more_and_more_are_refused_by_name_and_those_that_cost_are_left(interval: bool) -> None:
    def going(gain: int) -> MoverRewards:
        gains = (((gain,),), ((0,), (0,)), ())
        return MoverRewards(((1,), (0, 2), ()), ((0,), (0,), (1,)), 1, (CHANCE, 0, 0), ((1,), (1, 1), ()), gains)

    with pytest.raises(RulesError, match="go on for ever here and pays on the way: player's total is infinite"):
        es.solve(going(1), interval=interval)
    assert es.solve(going(-1), interval=interval).values() == (0,)


def test_rewards_of_both_signs_that_cancel_on_a_loop_are_refused_by_name() -> None:
    """+1 and -1 in turn have no limit of their sums, though a whole round brings 0."""
    gains = (((1,),), ((-1,), (0,)), ())
    game = MoverRewards(((1,), (0, 2), ()), ((0,), (0,), (1,)), 1, (CHANCE, 0, 0), ((1,), (1, 1), ()), gains)
    with pytest.raises(RulesError, match="go on for ever here and pays on the way"):
        es.solve(game)


@pytest.mark.parametrize("interval", [False, True])
def test_rewards_of_both_signs_where_play_ends(interval: bool) -> None:
    """A throw costs 1 and wins 5 with one chance in four: go at once for nothing, or throw until they come."""
    gains = (((-1,), (0,)), ((0,), (5,)), ())
    game = MoverRewards(((1, 2), (0, 2), ()), ((0,), (0,), (0,)), 1, (0, CHANCE, 0), ((1, 1), (3, 1), ()), gains)
    # Throwing until 5 comes costs 4 on average.
    assert contains(es.solve(game, interval=interval).values()[0], Fraction(1))
