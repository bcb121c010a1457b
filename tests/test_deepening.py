"""Iterative deepening of puzzles, and bounds proven for all states: right ones, lying ones, unknown numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest

import endsight as es
from endsight import Limits, load
from endsight.compiler.hint_proofs import prove_bound
from endsight.compiler.interpreter import Faulty
from endsight.compiler.refusal import CannotCompile
from endsight.compiler.unknown import TOO_WIDE, Box, bounds_of, chosen, compared, determined, mapped, total
from endsight.errors import LimitReached
from fuzz_puzzles import CELLS, TOP, Halving, Sorting, Turning, is_consistent, puzzle, tried

FIFTEEN = f"{Path(__file__).parent.parent}/benchmarks/rules/fifteen.py:Fifteen"


def test_random_puzzles_have_the_value_of_the_oracle_whatever_their_hints_say() -> None:
    counts = Counter(fact for number in range(16) for fact in tried(f"7 {number}"))
    assert counts["bounds used"] >= 2
    assert counts["steps back used"] >= 2
    assert counts["bounds consistent"] <= 13


def test_what_is_proven_of_a_bound_holds_at_every_state_and_right_bounds_are_proven() -> None:
    random, counts = Random(3), [0, 0]
    for _ in range(150):
        game = puzzle(random)
        consistent = is_consistent(game)
        assert (prove_bound(game).refusal is None) <= consistent
        counts[consistent] += 1
        assert prove_bound(game).refusal is None or not consistent, f"{type(game).__name__} {game.values()}"
    assert min(counts) > 10


def test_a_bound_that_lies_behind_where_a_search_turns_back_is_not_used() -> None:
    """All moves that a search for the bound's own promise meets are consistent; those behind are not."""
    lying = Turning(left=((0, -1, -9, -1), (0, 0, 0, 0), (0, 0, 0, 0)))
    assert not is_consistent(lying)
    assert prove_bound(lying).refusal == "a move may yield more than it says"
    assert es.solve(lying, method="search").value() == es.solve(lying, method="graph").value()


@pytest.mark.parametrize("size", ["rows=2,columns=4", pytest.param("rows=3,columns=3", marks=pytest.mark.slow)])
def test_small_sliding_puzzles_have_the_value_of_their_graph(size: str) -> None:
    small = load(f"{FIFTEEN}:{size}")
    by_search, by_graph = es.solve(small, method="search"), es.solve(small, method="graph")
    assert by_search.value() == by_graph.value()
    assert len(by_search.line()) == -by_search.value()["player"]
    assert by_search.method == "iterative deepening"


def test_the_bound_of_the_fifteen_puzzle_is_proven_and_holds_where_it_is_stopped() -> None:
    game = load(FIFTEEN)
    assert prove_bound(game).is_costly
    place = game.position("").play(10).play(6)  # the hole moves on
    with pytest.raises(LimitReached) as stop:
        es.solve(game, place, limits=Limits(states=200_000))
    assert stop.value.upper is not None
    assert stop.value.upper["player"] <= game.bound(place.state) + place.so_far[0]


def test_the_order_of_moves_changes_nothing_but_the_work(tmp_path: Path) -> None:
    text = Path(FIFTEEN.rpartition(":")[0]).read_text(encoding="utf-8")
    found = []
    for number, says in enumerate(("", "move", "-move")):
        path = tmp_path / f"rules{number}.py"
        order = f"    def order(self, state: State, move: int) -> int:\n        return {says}\n\n" if says else ""
        path.write_text(text.replace("    def bound", f"{order}    def bound"), encoding="utf-8")
        found.append(es.solve(f"{path}:Fifteen:rows=3,columns=3", method="search"))
    assert {each.method for each in found} == {"iterative deepening"}
    assert len({each.value()["player"] for each in found}) == 1
    assert len({each.states for each in found}) > 1


def test_no_way_out_is_noticed_where_all_positions_are_met() -> None:
    game = load(f"{FIFTEEN}:rows=2,columns=3")
    exchanged = game.State((0, 2, 1, 3, 4, 5))
    for method in ("search", "graph"):
        with pytest.raises(es.errors.NoValue, match="minus infinity"):
            es.solve(game, game.position_from(game.show(exchanged)), method=method)


class Knowing(Turning):
    """A bound that hangs together with nothing that moves cost."""

    def bound(self, state: Any) -> int:
        return -1 if state.wheels[1] == 2 and state.wheels[0] != state.wheels[2] else 0


def test_why_a_bound_is_not_proven_is_told() -> None:
    report = es.check_rules(Knowing(goal=1))
    assert not report.faults
    assert any("not proven for all states" in each.message for each in report.warnings) != is_consistent(
        Knowing(goal=1)
    )
    lying = es.check_rules(Turning(left=((0, -9, -9, -9),) * CELLS))
    assert any(fault.rule == "bound" and "play from there brings" in fault.message for fault in lying.faults)
    right = es.check_rules(Turning(left=((0, -1, -1, -1), (0,) * (TOP + 1), (0,) * (TOP + 1))))
    assert [each.rule for each in (*right.faults, *right.warnings)] == []
    unproven = es.check_rules(Sorting(left=((0,) * (TOP + 1),) * CELLS, costs=((0,) * (TOP + 1),) * CELLS))
    assert [(each.rule, "not every move costs" in each.message) for each in unproven.warnings] == [("bound", True)]


class Fractional(Halving):
    """A bound that is no exact number."""

    def bound(self, state: Any) -> Any:
        return 0.5


def test_bounds_must_be_exact() -> None:
    assert [fault.rule for fault in es.check_rules(Fractional()).faults] == ["bound"]
    with pytest.raises(CannotCompile):
        raise CannotCompile(prove_bound(Fractional()).refusal or "")


def boxes(numbers: int, work: Any) -> Iterator[tuple[list[Any], Any]]:
    """The parts of all states that some work divides them into, each with what comes out."""
    waiting: list[tuple[int, ...]] = [()]
    while waiting:
        box = Box([range(4)] * numbers, waiting.pop(), waiting)
        result = work(*map(box.number, range(numbers)))
        yield list(box.allowed), result


def at(value: Any, numbers: tuple[int, ...]) -> Any:
    """What an unknown value is at one state."""
    if not hasattr(value, "parts"):
        return value
    return value.constant + sum(
        function[tuple(numbers[cell] for cell in cells)] for cells, function in value.parts.items()
    )


WORKS = [
    lambda a, b, c: total(total(a, b, 3), total(c, a, -1), -2),
    lambda a, b, c: mapped(lambda x, y: x * y - 1, a, total(b, c)),
    lambda a, b, c: chosen(compared("<", a, b), total(a, c), 7),
    lambda a, b, c: [5, 3, 2, 8][a] + int(determined(compared("==", a, c))),
    lambda a, b, c: total(1, c) if compared(">=", total(a, b), 4) else chosen(compared("!=", c, 0), c, a),
]
PLAIN = [
    lambda a, b, c: a + 3 * b - 2 * (c - a),
    lambda a, b, c: a * (b + c) - 1,
    lambda a, b, c: a + c if a < b else 7,
    lambda a, b, c: [5, 3, 2, 8][a] + (a == c),
    lambda a, b, c: 1 + c if a + b >= 4 else c if c != 0 else a,
]


@pytest.mark.parametrize("number", range(len(WORKS)))
def test_unknown_numbers_are_what_they_are_at_every_state(number: int) -> None:
    met = 0
    for allowed, value in boxes(3, WORKS[number]):
        low, high = bounds_of(value)
        for state in product(*allowed):
            expected = PLAIN[number](*state)
            assert at(value, state) == expected
            assert low <= expected <= high
            met += 1
    assert met == 64, "the parts are all states, and none twice"


def test_too_many_numbers_that_play_together_are_refused() -> None:
    box = Box([range(100)] * 5)
    with pytest.raises(Faulty, match=f"^{TOO_WIDE}$"):
        mapped(lambda *numbers: max(numbers), *map(box.number, range(5)))


class Ordered(es.games.ConnectFour):
    """The same game with a whim which columns to try first."""

    def order(self, state: Any, move: int) -> int:
        return 5 * move % 7 - 3


class Disorderly(Turning):
    """An order that is no whole number."""

    def order(self, state: Any, move: int) -> Any:
        return (move,)


def test_order_changes_how_much_is_searched_and_no_value() -> None:
    plain, ordered = (kind(width=4, height=4) for kind in (es.games.ConnectFour, Ordered))
    found = [es.solve(game, method="search") for game in (plain, ordered)]
    assert found[0].value() == found[1].value()
    assert [each.method for each in found] == ["search", "search"]
    assert found[0].states != found[1].states
    assert [fault.rule for fault in es.check_rules(Disorderly()).faults] == ["order"]


class Named(Turning):
    """A number that is called like a hint is none."""

    bound = 7  # type: ignore[assignment]
    order: int = 3


def test_numbers_that_are_called_like_hints_are_none() -> None:
    assert es.check_rules(Named()).is_sound
    assert es.solve(Named(), method="search").value() == es.solve(Named(), method="graph").value()
