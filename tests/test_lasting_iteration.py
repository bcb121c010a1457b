"""Bounds where players can keep play with chance going for ever: they hold, come close, and are proven."""

from __future__ import annotations

import random
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import endsight as es
import fuzz_judgement
import thresholds
from endsight import CHANCE
from endsight.errors import LimitReached
from ranges import as_range
from stochastic import first_unsure_of_two_who_wait
from strategies import MoverGraph

RULES = Path(__file__).parents[1] / "benchmarks" / "rules"


def pig(target: int) -> Any:
    """OpenSpiel's Pig, where both may wait."""
    return es.load(f"{RULES / 'bankpig.py'}:BankPig:target={target}")


def waiting_game(number: int) -> Any:
    """A random game with loops of both players, and pay for endless play."""
    draw = random.Random(number)
    game = fuzz_judgement.shared_game(draw)
    paid = Fraction(draw.choice(fuzz_judgement.ENDLESS))
    return fuzz_judgement.WAITING[type(game)](**game.values(), waiting=(paid, -paid))


def test_bounds_hold_on_random_games_and_are_close_on_most() -> None:
    wide = met = 0
    for number in range(1, 81):
        game = waiting_game(number)
        solution = es.solve(game, interval=True, engine="plain")
        if solution.method == "interval iteration":
            found, exact = as_range(solution.values()[0]), es.solve(game, exact=True, engine="plain").values()[0]
            met += 1
            assert exact in found
            wide += found.width > Fraction(1, 10**9)
    assert (met > 15, wide <= met // 10) == (True, True)


def test_both_engines_find_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("llvmlite")
    games = [waiting_game(number) for number in range(1, 31)]
    plain = [es.solve(game, interval=True, engine="plain").values() for game in games]
    thresholds.run_loops_in_machine_code(monkeypatch)
    assert plain == [es.solve(game, interval=True, engine="plain").values() for game in games]


@pytest.mark.parametrize(("endless", "value"), [(0, 1), (Fraction(3, 2), Fraction(3, 2)), (5, 2), (1, 1), (2, 2)])
def test_bounds_that_stand_still_are_pulled_to_the_ways_out_and_to_endless_play(endless: Any, value: Any) -> None:
    """0 (wants more) leaves by a die for 1 or goes to 1; 1 (wants less) leaves for 2 or goes back."""
    game = fuzz_judgement.WAITING[MoverGraph](
        ((4, 1), (3, 0), (), (), (2, 2)),
        ((0, 0), (0, 0), (1, -1), (2, -2), (0, 0)),
        2,
        (0, 1, 0, 0, CHANCE),
        ((1, 1), (1, 1), (), (), (1, 1)),
        waiting=(endless, -endless),
    )
    found = as_range(es.solve(game, interval=True, engine="plain").values()[0])
    assert value in found
    assert found.width < Fraction(1, 10**12)


def test_a_loop_that_holds_itself_up_is_no_proof() -> None:
    """Anything from the way out up satisfies the equations of two who wait; the times tell."""
    times = [[1, 2], [2, 1], [0, 0], [0, 0]]
    kept, staying = [0, -1, -1, 3, -1, -1, -1, -1], [1, -1, -1, 3, -1, -1, -1, -1]
    assert first_unsure_of_two_who_wait(kept, [[1, 1], [1, 1], [1, 1], [2, 2]], times) == 4
    assert first_unsure_of_two_who_wait(staying, [[1, 1], [1, 1], [1, 1], [2, 2]], times) == 0
    assert first_unsure_of_two_who_wait(staying, [[2, 2], [2, 2], [1, 1], [2, 2]], times) < 4
    assert first_unsure_of_two_who_wait(kept, [[0, 0], [0, 0], [1, 1], [2, 2]], times) < 4


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
    with pytest.raises(LimitReached):
        es.solve(pig(24), engine="plain", limits=es.Limits(seconds=0.2))
