"""The least and the largest chance of every move over all optimal plans."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import pytest

import endsight as es
import thresholds
from endsight.errors import QuestionError
from hidden_games import Hidden, Poker, reply_value, walk


def test_the_family_of_optimal_plans_of_kuhn_poker() -> None:
    """The first player bets the jack with a chance up to 1/3, the king with three times that, and never the queen."""
    solution, third = es.solve(Poker()), Fraction(1, 3)

    def asked(player: str, moves: str) -> list[tuple[Fraction, Fraction]]:
        return list((solution.seen_by(player, moves, ranges=True).ranges or {}).values())

    assert asked("first", "1 ?") == [(2 * third, 1), (0, third)]
    assert asked("first", "2 ?") == [(1, 1), (0, 0)]
    assert asked("first", "3 ?") == [(0, 1), (0, 1)]
    assert asked("first", "2 ? 1 2") == [(third, 2 * third), (third, 2 * third)]
    assert asked("first", "3 ? 1 2") == [(0, 0), (1, 1)]
    assert asked("second", "? 1 1") == [(2 * third, 2 * third), (third, third)]
    assert asked("second", "? 2 2") == [(2 * third, 2 * third), (third, third)]
    assert asked("second", "? 3 1") == [(0, 0), (1, 1)]


@pytest.mark.parametrize("seed", range(12))
def test_ranges_hold_what_the_equilibrium_plays_and_are_reached(seed: int) -> None:
    game, met = Hidden(seed, depth=3 + seed % 3, small=1 + seed % 2, together=seed % 2 == 0), 0
    solution, rows = es.solve(game), es.table(game).to_dicts()
    for row in rows[:: 1 + len(rows) // 6]:
        seen = solution.seen_by(row["player"], row.get("example", ""), ranges=True)
        assert seen.ranges is not None
        if seen.told == "plan":
            met += 1
            for option in seen.options:
                least, most = seen.ranges[option.text]
                assert 0 <= least <= (option.probability or 0) <= most <= 1
    assert met


@pytest.mark.parametrize("seed", range(6))
def test_pure_optimal_plans_lie_in_the_ranges(seed: int) -> None:
    """Every pure plan that is optimal, of all there are, is inside; and a move outside of its range never is."""
    game = Hidden(seed, depth=3, wide=1, small=1)
    solution, sets = es.solve(game), dict[Any, tuple]()
    walk(game, lambda player, view, moves: moves if player else sets.setdefault(view, moves) and moves)
    rows = [row for row in es.table(game).to_dicts() if row["player"] == "first"]
    told = [solution.seen_by("first", row.get("example", ""), ranges=True).ranges for row in rows]
    assert len(told) == len(sets) > 0
    for moves in product(*sets.values()):
        plan = {
            view: {own: Fraction(own == move) for own in sets[view]} for view, move in zip(sets, moves, strict=True)
        }
        if reply_value(game, 1, plan.__getitem__) < solution.values()[0]:
            continue
        for move, ranges in zip(moves, told, strict=True):
            assert ranges is not None
            assert ranges[str(move)][1] == 1
            assert all(least == 0 for text, (least, _) in ranges.items() if text != str(move))


def test_larger_games_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    thresholds.list_ranges_of_few_sets(monkeypatch, 11)
    with pytest.raises(QuestionError, match=r"(?s)12 information sets.*up to 11"):
        es.solve(Poker()).seen_by("first", "1 ?", ranges=True)
