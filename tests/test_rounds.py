"""Games of chance solved layer by layer: beside the whole graph, exact values, and a walk through all positions."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any, ClassVar, NamedTuple

import numpy as np
import pytest

import endsight as es
from both_engines import Refused, by_python, in_rounds
from endsight import Limits
from endsight.algorithms.round_kernels import unproven_round
from endsight.errors import LimitReached, RulesError
from kernel_runs import loops


def asked(
    game: es.Game, position: es.Position | None = None, *, symmetry: bool = True, limits: Limits | None = None
) -> es.Solution:
    how: Any = {"method": "layers", "engine": "compiled", "interval": True}
    return es.solve(game, position, symmetry=symmetry, limits=limits, **how)


@cache
def by_layers(game: es.Game, position: es.Position | None = None, symmetry: bool = True) -> es.Solution:
    solution = asked(game, position, symmetry=symmetry)
    assert solution.method == "interval iteration by layers", solution.source.refusal
    return solution


def ends(amount: object) -> tuple[Fraction, Fraction]:
    return (amount.lower, amount.upper) if isinstance(amount, es.Interval) else (Fraction(amount), Fraction(amount))


UR = es.games.Ur(pieces=2)


class Ladder(es.Game):
    """Climb `rungs` rungs, by chance once the foothold is good; who gets up last wins."""

    name: ClassVar[str] = "ladder"
    players = 2
    rungs: int = 3

    class State(NamedTuple):
        rung: int
        foot: int
        turn: int
        tossed: int

    def limits(self) -> State:
        return self.State(self.rungs, 3, 1, 1)

    def start(self) -> State:
        return self.State(0, 0, 0, 0)

    def layer(self, state: State) -> int:
        return state.rung

    def to_move(self, state: State) -> int:
        return es.CHANCE if state.tossed and state.rung < self.rungs else state.turn

    def moves(self, state: State):
        if state.rung < self.rungs:
            yield 0
            yield 1

    def weight(self, state: State, move: int) -> int:
        return 2 + move

    def play(self, state: State, move: int) -> State:
        return self.climb(state, move)

    def climb(self, state: State, move: int) -> State:
        if not state.tossed:
            return self.State(state.rung, min(3, state.foot + 1 + move), state.turn, 1)
        if move and state.foot:
            return self.State(state.rung + 1, 0, 1 - state.turn, 0)
        return self.State(state.rung, max(0, state.foot - 1), 1 - state.turn, 0)

    def payoff(self, state: State) -> tuple[int, int]:
        return (1, -1) if state.turn else (-1, 1)


class Even(Ladder):
    """The same, where the players can be exchanged, and share one point instead of fighting for it."""

    def exchanged(self, state: Ladder.State) -> Ladder.State:
        return self.State(state.rung, state.foot, 1 - state.turn, state.tossed)

    def payoff(self, state: Ladder.State) -> tuple[int, int]:
        return (1, 0) if state.turn else (0, 1)


class Stay(Ladder):
    """The same, where nobody has to climb."""

    def play(self, state: Ladder.State, move: int) -> Ladder.State:
        if not state.tossed and not move:
            return self.State(state.rung, 0, 1 - state.turn, 0)
        return self.climb(state, move)


class Down(Ladder):
    """The same, where a layer can fall."""

    def layer(self, state: Ladder.State) -> int:
        return self.rungs - state.rung


def reached(game: es.Game, games: int = 40, plies: int = 60) -> list[es.Position]:
    """Positions met in games at random."""
    random = Random(4)
    found = []
    for _ in range(games):
        place = game.position()
        while len(place.history) < plies and (moves := list(islice(place.moves(), 100))):
            found.append(place)
            place = place.play(random.choice(moves))
        found.append(place)
    return found


@pytest.mark.parametrize("game", [es.games.Ur(pieces=1), Ladder(), Ladder(rungs=1)])
def test_exact_values_lie_between_the_ends(game: es.Game) -> None:
    source, exact = by_layers(game), es.solve(game, exact=True)
    for place in reached(game):
        low, high = ends(source.values(place)[0])
        assert low <= exact.values(place)[0] <= high
        assert high - low < Fraction(1, 10**12)
        assert sum(map(sum, map(ends, source.values(place)))) == 0


def test_two_pieces_are_what_the_whole_graph_says() -> None:
    game = UR
    source = by_layers(game)
    whole = es.solve(game, method="graph", interval=True)
    for place in reached(game):
        (low, high), (least, most) = ends(source.values(place)[0]), ends(whole.values(place)[0])
        assert high - low < Fraction(1, 10**12)
        assert max(low, least) <= min(high, most)


def test_exchanged_players_share_a_row() -> None:
    game = UR
    source, apart = by_layers(game), by_layers(game, symmetry=False)
    assert 2 * source.states == apart.states == 25_980
    for place in reached(game, 20):
        other = game.position_from(game.show(game.exchanged(place.state)))
        (low, high), (least, most) = ends(source.values(place)[0]), ends(apart.values(place)[0])
        assert max(low, least) <= min(high, most)
        assert source.values(other) == source.values(place)[::-1]


def test_exchanged_players_of_a_game_that_is_not_zero_sum() -> None:
    source, exact = by_layers(Even()), es.solve(Even(), exact=True)
    assert source.states < by_layers(Even(), symmetry=False).states
    for place in reached(Even()):
        (low, high), (least, most) = map(ends, source.values(place))
        assert low <= exact.values(place)[0] <= high
        assert least <= exact.values(place)[1] <= most
        assert low + most == 1


class KeepsTurn(Even):
    def exchanged(self, state: Ladder.State) -> Ladder.State:
        return state


class OneWay(Even):
    def exchanged(self, state: Ladder.State) -> Ladder.State:
        return self.State(state.rung, state.foot, 1, state.tossed)


class Uneven(Even):
    def payoff(self, state: Ladder.State) -> tuple[int, int]:
        return (2, -1) if state.turn else (0, 1)


class WrongAtLast(Even):
    """Right but on the last rung, far from the start."""

    def exchanged(self, state: Ladder.State) -> Ladder.State:
        is_last = state.rung == self.rungs - 1 and state.foot == 3
        return self.State(state.rung, state.foot - is_last, 1 - state.turn, state.tossed)


class Sideways(Even):
    """The layer tells whose turn it is."""

    def layer(self, state: Ladder.State) -> int:
        return 1 + state.turn if state.rung == self.rungs else 0


@pytest.mark.parametrize("rules", [KeepsTurn, OneWay, Uneven, WrongAtLast, Sideways])
def test_a_wrong_exchange_is_found_before_players_are_merged(rules: type[Ladder]) -> None:
    """Their rows were shared all the same, and values were wrong without a word."""
    with pytest.raises(RulesError, match="exchanged takes states for the same"):
        by_layers(rules())
    assert by_layers(rules(), symmetry=False).values()


def test_rows_are_the_positions_before_a_throw() -> None:
    game = es.games.Ur(pieces=1)
    source = by_layers(game, symmetry=False)
    solution = es.solve(game)
    throws = [state for state in by_python(game).keys if not state.throw]
    assert source.states == len(throws) < solution.states


def test_a_stored_solution_answers_alike(tmp_path: Path) -> None:
    game = es.games.Ur(pieces=1)
    solution = es.solve(game, method="layers", engine="compiled", interval=True)
    assert solution.source.method == "interval iteration by layers"
    es.save(solution, tmp_path / "ur")
    with es.open_tablebase(tmp_path / "ur") as stored:
        for place in reached(game, games=10):
            assert stored.value(place) == solution.value(place)


def test_from_the_middle_of_a_game() -> None:
    game = UR
    place = game.position_from("first=13 second=5-14 home=1-0 turn=second throw=1")
    (low, high), (least, most) = (ends(source.values(place)[0]) for source in (by_layers(game, place), by_layers(game)))
    assert max(low, least) <= min(high, most)
    # A position that is not there is answered for itself.
    middle, start = by_layers(game, place), game.position()
    assert middle.states < by_layers(game).states
    (low, high), (least, most) = (ends(each.values(start)[0]) for each in (middle, by_layers(game)))
    assert max(low, least) <= min(high, most)


@pytest.mark.parametrize(
    ("rules", "said"), [(Stay, "play might never leave a layer"), (Down, "a move lowers the layer of a state")]
)
def test_what_is_left_to_the_graph(rules: type[Ladder], said: str) -> None:
    """Why is told where a limit stops the graph."""
    assert asked(rules()).method == "interval iteration"
    with pytest.raises(LimitReached) as stop:
        asked(rules(rungs=5), limits=Limits(states=50))
    assert stop.value.refused == said


def test_limits_are_kept() -> None:
    game = UR
    with pytest.raises(LimitReached):
        asked(game, limits=Limits(states=1000))


def test_wrong_bounds_do_not_pass() -> None:
    """One node, a throw of two outcomes: back to the node, or an end worth 8; the value is 8.

    Then the same where the throw leads back with the players exchanged, three times as often: 2.
    """
    for back, often, good in ((0, 1, 8), (1, 3, 2)):
        arrays = [np.array([0, 2, 2], np.int64), np.array([0, 1, 2], np.int32), np.array([often, 5 - often], np.int32)]
        arrays += [np.array([1, 1], np.int8), np.array([back, 2], np.int32)]
        cases = (([0, 0], 1, 1), ([-1, 1], 1, 1), ([1, 1], 1, 0), ([-1, -1], 1, 0), ([-1, 1], 0, 0))
        for bounds, rank, faulty in cases:
            ranks = np.array([rank, 0], np.int32)
            known = np.array([good + bounds[0], good + bounds[1], 8, 8], np.int64)
            for loop in loops(unproven_round):
                assert loop((1, *arrays), known, ranks, 100) == faulty


class Late(es.Game):
    """One state, where the game is over and pays more than kernels hold."""

    class State(NamedTuple):
        """How much it pays."""

        n: int

    players = 1

    def limits(self) -> State:
        return self.State(3)

    def start(self) -> State:
        return self.State(1)

    def to_move(self, s: State) -> int:
        return -1 if s.n < 2 else 0

    def moves(self, s: State) -> Iterator[int]:
        if s.n > 2:
            yield 1

    def play(self, s: State, m: int) -> State:
        return self.State(s.n - m)

    def payoff(self, s: State) -> int:
        return s.n << 41

    def layer(self, s: State) -> int:
        return 0


def test_a_fault_at_the_last_state_of_a_layer_is_noticed() -> None:
    with pytest.raises(Refused, match="larger than"):
        in_rounds(Late(), -1)
    assert asked(Late()).values() == (1 << 41,)
