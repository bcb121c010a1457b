"""repeatbust between proven bounds, against exact numbers."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

import endsight as es
from command_line import ask
from endsight import Interval
from endsight.answers.explanation import table_rows
from endsight.errors import LimitReached
from endsight.games.repeatbust import RepeatBust
from endsight.theorems import repeat_bounds
from endsight.theorems.repeat_bounds import RepeatBounds
from ranges import as_range


@pytest.fixture
def always(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bounds also where exact numbers come at once."""
    monkeypatch.setattr(repeat_bounds, "EASY_DIGIT_OPERATIONS", 0)


def holds(found: Any, exact: Any, width: Fraction = Fraction(1, 10**6)) -> bool:
    return exact in as_range(found) and as_range(found).width < width


@pytest.mark.usefixtures("always")
@pytest.mark.parametrize("rule", [None, "myopic", "myopic-roll"])
@pytest.mark.parametrize("first", ["ignored", "scored"])
@pytest.mark.parametrize(("sides", "dice"), [(1, 1), (6, 1), (2, 2), (6, 2), (3, 3)])
def test_ends_hold_everywhere(sides: int, dice: int, first: str, rule: str | None) -> None:
    game = RepeatBust(sides, dice, first)
    fixed = {} if rule is None else {"player": rule}
    exact, ends = es.solve(game, fixed=fixed), es.solve(game, fixed=fixed, interval=True)
    assert isinstance(ends.source, RepeatBounds)
    assert table_rows(ends) == table_rows(exact)
    places = [game.position()]
    for reward in sorted({0, 1, game.bound // 3, max(0, game.bound - 1), max(0, game.bound)}):
        for last in sorted({game.low, (game.low + game.high) // 2, game.high}):
            decision = game.position_from(f"reward={reward} last={last}")
            places += [decision, *(decision.play(move) for move in decision.moves())]
    for place in places:
        assert all(map(holds, ends.values(place), exact.values(place)))
        found, facts = ends.facts(place), exact.facts(place)
        for name in ("bust_probability", "expected_rolls", *(["myopic_value"] if rule is None else [])):
            assert holds(found[name], facts[name]), (name, place)


@pytest.mark.usefixtures("always")
def test_moves_are_told_apart() -> None:
    game = RepeatBust(6, 2)
    ends, exact = es.solve(game, interval=True), es.solve(game)
    place = game.position_from("reward=35 last=7")
    assert ends.best_moves(place) == exact.best_moves(place)
    assert isinstance(ends.value()["player"], Interval)
    with pytest.raises(LimitReached, match="exact numbers only"):
        ends.distribution()


@pytest.mark.usefixtures("always")
def test_chunks_and_larger_amounts_join(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rewards swept in small pieces give the same numbers."""
    game = RepeatBust(4, 2)
    whole = RepeatBounds(game, es.Question()).value(game.position())
    monkeypatch.setattr(repeat_bounds, "_CHUNK", 7)
    assert RepeatBounds(game, es.Question()).value(game.position()) == whole


@pytest.mark.usefixtures("always")
def test_open_thresholds_are_not_told() -> None:
    game = RepeatBust(4, 2)
    proof = RepeatBounds(game, es.Question())
    best = proof._sweep("reward", None)
    assert best.stop_at == best.possible
    best.possible[2] += 1
    with pytest.raises(LimitReached, match="1 of 7 thresholds open"):
        proof.policy_rows(game.position())


def test_large_dice_between_ends() -> None:
    assert ask("value", "repeatbust:sides=6,dice=3", "--interval")["status"] == "exact"
    document = ask("value", "repeatbust:sides=24,dice=2", "--interval")
    assert document["status"] == "enclosed"
    exact = es.solve(RepeatBust(24, 2)).value()["player"]
    low, high = (Fraction(document[end]["player"]["exact"]) for end in ("lower", "upper"))
    assert low <= exact <= high  # type: ignore[operator]
