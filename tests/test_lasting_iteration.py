"""Bounds where players can keep play with chance going for ever: they hold, come close, and are proven."""

from __future__ import annotations

import random
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import endsight as es
import fuzz_judgement
from endsight.algorithms import deflation_kernels
from endsight.algorithms.arena import Arena, arena_of
from endsight.algorithms.deflation import enclose_endless
from endsight.algorithms.end_components import collapse
from endsight.algorithms.exact_policy_iteration import exact_values
from endsight.algorithms.interval_iteration import Enclosure
from endsight.errors import LimitReached
from endsight.game.limits import Budget
from endsight.graph.explorer import explore

RULES = Path(__file__).parents[1] / "benchmarks" / "rules"


def pig(target: int) -> Any:
    """OpenSpiel's Pig, where both may wait."""
    return es.load(f"{RULES / 'bankpig.py'}:BankPig:target={target}")


def waiting_graph(number: int) -> tuple[Any, Fraction]:
    """A random graph with loops of both players, and what endless play pays there."""
    draw = random.Random(number)
    game = fuzz_judgement.shared_game(draw)
    paid = Fraction(draw.choice(fuzz_judgement.ENDLESS))
    waits = fuzz_judgement.WAITING[type(game)](**game.values(), waiting=(paid, -paid))
    _, graph = explore(waits, waits.position(), tracks_mover=True)
    return graph, paid


def exact(graph: Any) -> list[Any]:
    collapsed = collapse(graph)
    values, _ = exact_values(collapsed.arena, collapsed.endless)
    return [values[place] for place in collapsed.place]


def test_bounds_hold_on_random_games_and_are_close_on_most() -> None:
    wide = met = 0
    for number in range(1, 151):
        graph, paid = waiting_graph(number)
        if not (graph.is_cyclic and graph.has_chance):
            continue
        arena = arena_of(graph)
        found = enclose_endless(arena, paid * arena.unit)
        met += 1
        assert all(value in found.interval(node) for node, value in enumerate(exact(graph)))
        wide += found.width > Fraction(1, 10**9)
    assert (met > 75, wide <= met // 20) == (True, True)


def test_both_engines_find_the_same() -> None:
    pytest.importorskip("llvmlite")
    for number in (2, 3, 5, 92):
        graph, paid = waiting_graph(number)
        arena = arena_of(graph)
        plain, compiled = (enclose_endless(arena, paid * arena.unit, compiled=engine) for engine in (False, True))
        assert (plain.bounds == compiled.bounds).all()
        assert plain.kept is not None
        assert compiled.kept is not None
        assert (plain.kept == compiled.kept).all()


def waiting_pair() -> Arena:
    """0 (wants more) leaves for 1 or goes to 1; 1 (wants less) leaves for 2 or goes back."""
    return Arena.of([0, 2, 4, 4, 4], [2, 1, 3, 0], None, [1, -1, 0, 0], None, [0, 0, 1, 2])


@pytest.mark.parametrize(("endless", "value"), [(0, 1), (Fraction(3, 2), Fraction(3, 2)), (5, 2), (1, 1), (2, 2)])
def test_bounds_that_stand_still_are_pulled_to_the_ways_out_and_to_endless_play(endless: Any, value: Any) -> None:
    found = enclose_endless(waiting_pair(), endless)
    assert found.interval(0).lower <= value <= found.interval(0).upper
    assert found.width < Fraction(1, 10**12)


def unsure(arena: Arena, found: Enclosure, kept: Any, bounds: Any, times: Any, endless: int) -> int:
    least = endless * found.denominator
    payoffs = arena.payoffs * found.denominator
    parts = (payoffs, bounds.reshape(-1), times.reshape(-1), kept)
    return deflation_kernels.first_unsure(arena.record, *parts, len(arena), least, least)


def test_a_loop_that_holds_itself_up_is_no_proof() -> None:
    """Anything from the way out up satisfies the equations of two who wait; the times tell."""
    arena, unit = waiting_pair(), 1 << 20
    found = Enclosure(arena, np.zeros((4, 2), np.int64), unit, np.zeros(4, np.int32), np.zeros(4, np.int8))
    right = np.array([[1, 1], [1, 1], [1, 1], [2, 2]]) * unit
    kept, times = np.array([0, -1, -1, 3, -1, -1, -1, -1]), np.array([[1, 2], [2, 1], [0, 0], [0, 0]])
    assert unsure(arena, found, kept, right, times, 0) == 4
    staying = np.array([1, -1, -1, 3, -1, -1, -1, -1])
    assert unsure(arena, found, staying, right, np.array([[1, 2], [2, 1], [0, 0], [0, 0]]), 0) == 0
    false = np.array([[2, 2], [2, 2], [1, 1], [2, 2]]) * unit
    assert unsure(arena, found, staying, false, times, 0) < 4
    lower = np.array([[0, 0], [0, 0], [1, 1], [2, 2]]) * unit
    assert unsure(arena, found, kept, lower, times, 0) < 4


@pytest.mark.parametrize("target", [5, 10])
def test_pig_by_interval_with_a_certificate(target: int) -> None:
    game = pig(target)
    right = {5: Fraction(161, 271), 10: Fraction(4591, 10961)}[target]
    solution = es.solve(game, interval=True)
    value = solution.values()[0]
    assert value.lower < right < value.upper
    assert value.upper - value.lower < Fraction(1, 10**9)
    certificate = es.prove(solution)
    low, high = certificate.claim.value["first"]
    assert low <= right <= high
    assert es.verify(certificate, type(game)).claim


def test_large_games_are_enclosed_by_both_engines_and_stored(tmp_path: Path) -> None:
    pytest.importorskip("llvmlite")
    game = pig(24)
    told = {engine: es.solve(game, engine=engine) for engine in ("plain", "compiled")}
    for solution in told.values():
        assert solution.method == "interval iteration"
        assert Fraction(1, 10) < solution.values()[0].lower < solution.values()[0].upper < Fraction(1, 4)
    one, other = (solution.values()[0] for solution in told.values())
    assert max(one.lower, other.lower) <= min(one.upper, other.upper)
    es.save(told["compiled"], tmp_path / "kept")
    again = es.open_tablebase(tmp_path / "kept", game)
    assert again.value()["first"].lower == other.lower
    assert told["compiled"].chosen(game.position()) == told["plain"].chosen(game.position()) == 0
    assert told["compiled"].distribution().outcomes.keys() == {-1, 1}


def test_limits_are_heard() -> None:
    game = pig(24)
    _, graph = explore(game, game.position(), tracks_mover=True)
    with pytest.raises(LimitReached):
        enclose_endless(arena_of(graph), 0, budget=Budget(es.Limits(seconds=0)))
