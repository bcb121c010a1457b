"""Three players on loops: everybody's own value, against all joint policies one by one."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any, NamedTuple

import pytest

import endsight as es
import naive
from endsight import CHANCE
from endsight.errors import LimitReached
from places import reachable
from thresholds import every_game_is_large, only_small_loops_are_exact


class Ring(es.Game):
    """A stone is passed one or two seats on; then a die ends the game, or leaves the stone, or moves it on."""

    prize: int = 1

    class State(NamedTuple):
        holder: int
        phase: int  # 0 to pass, 1 a die is thrown, 2 over

    def players(self) -> int:
        return 3

    def limits(self) -> State:
        return self.State(2, 2)

    def start(self) -> State:
        return self.State(0, 0)

    def to_move(self, state: State) -> int:
        return CHANCE if state.phase == 1 else state.holder

    def moves(self, state: State) -> Iterator[int]:
        if state.phase < 2:
            yield from range(3 if state.phase else 2)

    def play(self, state: State, move: int) -> State:
        if state.phase == 0:
            return self.State((state.holder + 1 + move) % 3, 1)
        return self.State((state.holder + (move == 2)) % 3, 0 if move else 2)

    def weight(self, state: State, move: int) -> int:
        return (1, 2, 3)[move]

    def payoff(self, state: State) -> tuple[int, ...]:
        return tuple(3 * self.prize - 1 if state.holder == seat else -1 for seat in range(3))


class Table(Ring):
    """The same without the die: the holder may stop, and the one before wins."""

    def to_move(self, state: Ring.State) -> int:
        return state.holder

    def moves(self, state: Ring.State) -> Iterator[int]:
        if state.phase == 0:
            yield from range(3)

    def play(self, state: Ring.State, move: int) -> Ring.State:
        if move == 2:
            return self.State((state.holder + 2) % 3, 2)
        return self.State((state.holder + 1 + move) % 3, 0)


def under_all_policies(game: Ring, free: tuple[int, ...]) -> list[tuple[Fraction, ...]]:
    """Values of the start for every way in which the `free` players pass, while the others toss a coin."""
    found = []
    for ways in product((0, 1), repeat=len(free)):
        passes = dict(zip(free, ways, strict=True))
        places: dict[Any, list[tuple[Fraction, Any, int]]] = {}
        for holder in range(3):
            options = [passes[holder]] if holder in passes else [0, 1]
            here, dice = Ring.State(holder, 0), Ring.State(holder, 1)
            places[here] = [(Fraction(1, len(options)), game.play(here, move), 0) for move in options]
            places[dice] = [(Fraction(game.weight(dice, move), 6), game.play(dice, move), 0) for move in range(3)]
        ends = [Ring.State(holder, 2) for holder in range(3)]
        values = [
            naive.solve(places, {end: Fraction(game.payoff(end)[seat]) for end in ends})[game.start()]
            for seat in range(3)
        ]
        found.append(tuple(values))
    return found


@pytest.mark.parametrize("options", [{}, {"interval": True}, {"exact": True}, {"method": "graph"}], ids=str)
@pytest.mark.parametrize("free", [(0, 1, 2), (0,), ()], ids=str)
@pytest.mark.parametrize("prize", [1, 2])
def test_everybody_gets_the_own_value(prize: int, free: tuple[int, ...], options: dict[str, Any]) -> None:
    game = Ring(prize)
    goal = "cooperative" if len(free) > 1 else "competitive"
    fixed = {seat: "random" for seat in range(3) if seat not in free}
    solution = es.solve(game, objective=goal, fixed=fixed, **options)
    every = under_all_policies(game, free)
    assert solution.values() in [values for values in every if values[0] == max(every)[0]]
    assert all(
        solution.distribution(name).mean() == solution.values()[seat] for seat, name in enumerate(game.player_names)
    )


def test_large_games_are_not_enclosed_for_three(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("llvmlite")
    exact = es.solve(Ring(), fixed={1: "random", 2: "random"}).values()
    every_game_is_large(monkeypatch)
    for options in ({}, {"engine": "compiled"}, {"engine": "compiled", "interval": True}):
        solution = es.solve(Ring(), fixed={1: "random", 2: "random"}, **options)
        assert solution.plan is not None
        assert not solution.plan.path.startswith("bounds")
        assert solution.values() == exact
    only_small_loops_are_exact(monkeypatch, 1)
    with pytest.raises(LimitReached, match="there are 3 players"):
        es.solve(Ring(), objective="cooperative", interval=True)


@pytest.mark.parametrize("prize", [1, 2])
def test_without_dice(prize: int) -> None:
    game = Table(prize)
    solution = es.solve(game, objective="cooperative")
    for position in reachable(game.position()):
        last = position
        for _ in range(10):
            last = last if last.is_over else last.play(solution.chosen(last))
        assert last.is_over
        assert solution.values(position) == game.payoff(last.state)
    # One who wins from every seat is there: the first can always be helped.
    assert solution.values()[0] == 3 * prize - 1
