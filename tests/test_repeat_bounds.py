"""repeatbust between proven bounds, against exact numbers."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

import endsight as es
import thresholds
from command_line import ask
from endsight import Interval
from endsight.errors import LimitReached
from endsight.games.repeatbust import RepeatBust
from ranges import as_range


@pytest.fixture
def always(monkeypatch: pytest.MonkeyPatch) -> None:
    thresholds.no_exact_numbers_are_easy(monkeypatch)


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
    assert (ends.method, exact.method) == ("backward induction between proven bounds", "backward induction")
    assert es.table(game, fixed=fixed, interval=True).to_dicts() == es.table(game, fixed=fixed).to_dicts()
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
    whole = es.solve(game, interval=True).values()
    thresholds.sweep_few_rewards_at_once(monkeypatch, 7)
    assert es.solve(game, interval=True).values() == whole


@pytest.mark.usefixtures("always")
def test_open_thresholds_are_not_told(monkeypatch: pytest.MonkeyPatch) -> None:
    thresholds.bounds_leave_a_threshold_open(monkeypatch)
    with pytest.raises(LimitReached, match="1 of 7 thresholds open"):
        es.table(RepeatBust(4, 2), interval=True)


def test_large_dice_between_ends() -> None:
    assert ask("value", "repeatbust:sides=6,dice=3", "--interval")["status"] == "exact"
    document = ask("value", "repeatbust:sides=24,dice=2", "--interval")
    assert document["status"] == "enclosed"
    exact = es.solve(RepeatBust(24, 2)).value()["player"]
    low, high = (Fraction(document[end]["player"]["exact"]) for end in ("lower", "upper"))
    assert low <= exact <= high  # type: ignore[operator]
