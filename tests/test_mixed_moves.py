"""Moves of several types in one game: compiled rules mean what Python means, or leave the game to Python."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

import endsight as es
import mixed_games
from amounts import each

METHODS = ("graph", "layers", "search")
RULES = [*mixed_games.GAMES]
WAYS = [(kind, method) for kind in RULES for method in METHODS]


# Each method meets moves of two or three kinds, and all kinds in slow tests: what moves mean is the same for all.
@pytest.mark.parametrize("way", each(WAYS, lambda way: RULES.index(way[0]) % 3 == METHODS.index(way[1])), ids=str)
def test_both_engines_tell_the_same(way: tuple[type[es.Game], Any]) -> None:
    kind, method = way
    game = kind(goal=3) if kind is mixed_games.Flips else kind()
    plain, compiled = (es.solve(game, engine=engine, method=method) for engine in ("plain", "compiled"))
    assert (plain.source.engine, compiled.source.engine) == ("plain", "compiled")
    place = game.position()
    for _ in range(5):
        assert compiled.values(place) == plain.values(place)
        moves = list(place.moves())
        place = place.play(moves[0]) if moves else game.position()


class Steps(es.Game):
    """Walk by whole numbers, or `rest` for twice as much; a text is added to a number beyond `safe`."""

    safe: int = 9

    class State(NamedTuple):
        at: int
        rested: bool

    def start(self):
        return self.State(0, False)

    def limits(self):
        return self.State(12, True)

    def moves(self, state):
        if state.at < 8:
            yield 1
            yield 2
            if not state.rested:
                yield "rest"

    def play(self, state, move):
        if state.at > self.safe:
            return self.State(state.at + move, False)
        if move == "rest":
            return self.State(state.at, True)
        return self.State(state.at + (2 * move if state.rested else move), False)

    def payoff(self, state):
        return -1


def test_what_one_type_of_move_cannot_do_matters_only_where_it_is_done() -> None:
    assert es.solve(Steps(), engine="compiled", method="graph").source.engine == "compiled"
    assert es.solve(Steps(), engine="plain").values() == es.solve(Steps(), engine="compiled", method="graph").values()
    with pytest.raises(es.RulesError, match="unsupported operand"):
        es.solve(Steps(safe=2), engine="compiled", method="graph")


class Talk(Steps):
    """Every move is written down by rules that no compiler takes."""

    def play(self, state, move):
        return super().play(state, int(str(move)) if isinstance(move, int) else move)


def test_the_reason_names_what_cannot_be_compiled() -> None:
    solution = es.solve(Talk(), engine="compiled", method="graph")
    assert (solution.source.engine, solution.values()) == ("plain", es.solve(Steps(), engine="plain").values())
    assert "a whole number is needed here, not a text or other object" in str(solution.budget.refused)


class Step(NamedTuple):
    """A move: how many, and from which heap."""

    count: int
    heap: int


class Heaps(es.Game):
    """Nim whose moves are NamedTuples; with `asks`, True takes one from the first heap that has some, False two."""

    asks: bool = False

    class State(NamedTuple):
        heaps: tuple[int, ...]

    def start(self):
        return self.State((2, 3))

    def limits(self):
        return self.State(3)

    def moves(self, state):
        for heap, size in enumerate(state.heaps):
            if self.asks and size:
                yield from (True, False)[: min(size, 2)]
                return
            yield from (Step(count, heap) for count in range(1, size + 1) if not self.asks)

    def play(self, state, move):
        first = next(heap for heap, size in enumerate(state.heaps) if size)
        count, place = (1 if move else 2, first) if self.asks else (move.count, move.heap)
        return self.State(tuple(size - count * (heap == place) for heap, size in enumerate(state.heaps)))

    def payoff(self, state):
        return -1


@pytest.mark.parametrize(("asks", "value", "first"), [(False, 1, "1-1"), (True, 1, "no")])
def test_truth_values_and_named_tuples_are_moves(asks: bool, value: int, first: str) -> None:
    game = Heaps(asks=asks)
    solution = es.solve(game)
    assert solution.values() == (value, -value)
    assert [option.text for option in solution.options() if option.best] == [first]
    assert es.verify(es.prove(solution), type(game)).checked
