"""Searches of puzzles, and hints proven for all states: right ones, lying ones, unknown numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import psutil
import pytest

import endsight as es
from amounts import each, seed_rows, seeds, times
from both_engines import Hint, Refused, proven_hint, read_for_all_states
from endsight import Game, Limits, load
from endsight.errors import LimitReached
from fuzz_puzzles import (
    BACK,
    CELLS,
    TOP,
    Falling,
    Halving,
    Sorting,
    Turning,
    best_end,
    is_complete,
    is_consistent,
    puzzle,
    rows,
    tried,
    value_of,
)  # fmt: skip
from kernel_runs import steps_back_by_python, steps_back_that_change
from program_lists import Writer

FIFTEEN = f"{Path(__file__).parent.parent}/benchmarks/rules/fifteen.py:Fifteen"


@pytest.mark.parametrize("seeds", seed_rows(16, 6))
def test_random_puzzles_have_the_value_of_the_oracle_whatever_their_hints_say(seeds: range) -> None:
    counts = Counter(fact for seed in seeds for fact in tried(f"7 {seed}"))
    assert counts["bounds used"] >= 2
    assert counts["steps back used"] >= 2
    assert counts["bounds consistent"] < 0.85 * len(seeds)


@pytest.mark.parametrize("count", times(150, 25))
def test_what_is_proven_of_a_bound_holds_at_every_state_and_right_bounds_are_proven(count: int) -> None:
    random, counts = Random(3), [0, 0]
    for _ in range(count):
        game = puzzle(random)
        consistent = is_consistent(game)
        assert (proven_hint(game, "bound").refusal is None) <= consistent
        counts[consistent] += 1
        assert proven_hint(game, "bound").refusal is None or not consistent, f"{type(game).__name__} {game.values()}"
    assert min(counts) > count / 15


def test_a_bound_that_lies_behind_where_a_search_turns_back_is_not_used() -> None:
    """All moves that a search for the bound's own promise meets are consistent; those behind are not."""
    lying = Turning(left=((0, -1, -9, -1), (0, 0, 0, 0), (0, 0, 0, 0)))
    assert not is_consistent(lying)
    assert proven_hint(lying, "bound").refusal == "a move may yield more than it says"
    assert es.solve(lying, method="search").value() == es.solve(lying, method="graph").value()


@pytest.mark.parametrize(
    "size", each(["rows=2,columns=3", "rows=2,columns=4", "rows=3,columns=3"], lambda size: size == "rows=2,columns=3")
)
def test_small_sliding_puzzles_have_the_value_of_their_graph(size: str) -> None:
    small = load(f"{FIFTEEN}:{size}")
    by_search, by_graph = es.solve(small, method="search"), es.solve(small, method="graph")
    assert by_search.value() == by_graph.value()
    assert len(by_search.line()) == -by_search.value()["player"]
    assert by_search.method == "iterative deepening"


def test_the_bound_of_the_fifteen_puzzle_is_proven_and_holds_where_it_is_stopped() -> None:
    game = load(FIFTEEN)
    assert proven_hint(game, "bound").is_costly
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
        found.append(es.solve(f"{path}:Fifteen:rows=2,columns=4", method="search"))
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


class Pins(Game):
    """Pins are lowered by one or not at all, by a helper that changes the list it is handed; those left cost much."""

    players = 1

    class State(NamedTuple):
        pins: tuple[int, ...]
        is_over: int

    def limits(self) -> State:
        return self.State((TOP,) * CELLS, 1)

    def start(self) -> State:
        return self.State((TOP,) * CELLS, 0)

    def moves(self, state: State) -> Iterator[int]:
        if state.is_over == 0:
            yield from range(CELLS + 1)

    def lower(self, pins: list[int], at: int) -> None:
        if pins[at] > 0:
            pins[at] = pins[at] - 1

    def play(self, state: State, move: int) -> State:
        if move == CELLS:
            return self.State(state.pins, 1)
        pins = list(state.pins)
        self.lower(pins, move)
        return self.State(tuple(pins), 0)

    def reward(self, state: State, move: int) -> int:
        return -1

    def payoff(self, state: State) -> int:
        return -10 * sum(state.pins)

    def bound(self, state: State) -> int:
        return -10 * sum(state.pins) - (1 - state.is_over)


def test_a_helper_changes_the_list_that_it_is_handed() -> None:
    """The bound promises what play without that helper brings."""
    assert proven_hint(Pins(), "bound").refusal == "a move may yield more than it says"
    assert es.solve(Pins(), method="search").value() == {"player": -1 - TOP * CELLS}


class Numbered(Pins):
    """Pins that are left cost their numbers."""

    def payoff(self, state: Any) -> int:
        return -sum({at + 1 for at in range(CELLS) if state.pins[at] > 0})

    def bound(self, state: Any) -> int:
        return 0


def test_a_bound_is_proven_of_rules_that_go_through_a_set() -> None:
    assert proven_hint(Numbered(), "bound") == Hint(None, -1, is_costly=True, never_gains=True)


class Fractional(Halving):
    """A bound that is no exact number."""

    def bound(self, state: Any) -> Any:
        return 0.5


def test_bounds_must_be_exact() -> None:
    assert [fault.rule for fault in es.check_rules(Fractional()).faults] == ["bound"]
    assert proven_hint(Fractional(), "bound").refusal


class Cells(Game):
    """Three numbers; what they are worth is up to the test."""

    players = 1

    class State(NamedTuple):
        a: int
        b: int
        c: int

    def limits(self) -> Any:
        return self.State(3, 3, 3)

    def start(self) -> Any:
        return self.State(0, 0, 0)

    def moves(self, state: Any) -> Any:
        yield from ()

    def play(self, state: Any, move: int) -> Any:
        return state


class Sums(Cells):
    def payoff(self, state: Any) -> int:
        return state.a + 3 * state.b - 2 * (state.c - state.a)


class Products(Cells):
    def payoff(self, state: Any) -> int:
        return state.a * (state.b + state.c) - 1


class Choices(Cells):
    def payoff(self, state: Any) -> int:
        return state.a + state.c if state.a < state.b else 7


class Lists(Cells):
    def payoff(self, state: Any) -> int:
        return (5, 3, 2, 8)[state.a] + int(state.a == state.c)


class Branches(Cells):
    def payoff(self, state: Any) -> int:
        if state.a + state.b >= 4:
            return 1 + state.c
        return state.c if state.c != 0 else state.a


@pytest.mark.parametrize("kind", [Sums, Products, Choices, Lists, Branches])
def test_unknown_numbers_are_what_they_are_at_every_state(kind: type[Game]) -> None:
    game = kind()
    read = {numbers: payoff for numbers, payoff, _ in read_for_all_states(game)}
    assert read == {state: game.payoff(game.State(*state)) for state in product(range(4), repeat=3)}


@pytest.mark.parametrize("seed", seeds(30, 8))
def test_what_a_proof_reads_of_lists_is_what_python_does(seed: int, tmp_path: Path) -> None:
    """The states after all moves of random rules whose helpers change lists."""
    file = tmp_path / "rules.py"
    file.write_text(Writer(seed).rules(), encoding="utf-8")
    game = load(f"{file}:Rules")
    met = set()
    for state, _, after in read_for_all_states(game, CELLS):
        assert state not in met
        met.add(state)
        for move, cells in enumerate(after or ()):
            assert game.play(game.State(state), move).cells == cells
    assert len(met) == 64


class Wide(Cells):
    """The product of three numbers of which each may be any of ten thousand."""

    def limits(self) -> Any:
        return self.State(9_999, 9_999, 9_999)

    def payoff(self, state: Any) -> int:
        return 0

    def bound(self, state: Any) -> int:
        return state.a * state.b * state.c


def test_too_many_numbers_that_play_together_are_refused() -> None:
    assert proven_hint(Wide(), "bound").refusal == "too many numbers of a state play together in it"


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


# Searches from both ends.

RULES = Path(__file__).parent.parent / "benchmarks/rules"
METHOD = "bidirectional search"
ALL = tuple(range(TOP + 1))


@pytest.mark.parametrize("puzzles", times(120, 25))
def test_what_is_proven_of_steps_back_holds_at_every_state_and_complete_ones_are_proven(puzzles: int) -> None:
    random, counts = Random(4), [0, 0]
    for _ in range(puzzles):
        game = puzzle(random)
        complete = is_complete(game)
        assert (proven_hint(game, "before").refusal is None) == complete, f"{type(game).__name__} {game.values()}"
        counts[complete] += 1
    assert min(counts) > puzzles / 12


SMALL = (
    "fifteen.py:Retraced:rows=2,columns=3", "fifteen.py:Retraced:rows=2,columns=4", "retraced.py:Pancakes:count=6",
    "retraced.py:Lights:size=3",
)  # fmt: skip


@pytest.mark.parametrize("rules", each(SMALL, lambda rules: "columns=4" not in rules))
def test_small_puzzles_have_the_value_of_their_graph(rules: str) -> None:
    small = load(f"{RULES}/{rules}")
    assert proven_hint(small, "before").is_costly
    by_search, by_graph = (es.solve(small, method=method) for method in ("search", "graph"))
    assert by_search.method == METHOD
    assert by_search.value() == by_graph.value()
    assert by_search.states < by_graph.states
    line = by_search.line()
    assert len(line) == -by_search.value()["player"]
    after = small.position(line[0])
    assert es.solve(small, after, method="search").value() == by_search.value()


def test_the_fifteen_puzzle_and_the_cube_are_proven_and_a_bound_goes_first() -> None:
    assert proven_hint(load(f"{RULES}/fifteen.py:Retraced"), "before") == Hint(
        None, -1, is_costly=True, never_gains=True
    )
    assert proven_hint(load(f"{RULES}/retraced.py:PocketCube"), "before") == Hint(
        None, -1, is_costly=True, never_gains=True
    )
    both = Turning(left=((0, -3, -2, -1), (0, -3, -2, -1), (0,) * 4))
    assert proven_hint(both, "before").is_costly
    assert es.solve(both, method="search").method == "iterative deepening"


WRONG: dict[str, dict[str, Any]] = {
    "a step back is missing": {"back": ((1,), (), (1,))},
    "a step back is another one": {"back": ((1,), (2,), (1,))},
    "an end is missing": {"last": (0, 1, 3)},
    "a move brings something": {"costs": ((1,) * 4, (1, 1, -1, 1), (1,) * 4)},
}


@pytest.mark.parametrize("mistake", WRONG)
def test_wrong_hints_are_not_used_and_check_says_so(mistake: str) -> None:
    game = Turning(is_bounded=False, paid=(0, -5, 0, 0), **WRONG[mistake])
    assert not proven_hint(game, "before").never_gains
    assert value_of(game, "search")[0] == value_of(game, "graph")[0]
    assert value_of(game, "search")[1] != METHOD
    report = es.check_rules(game)
    assert [each.rule for each in (*report.faults, *report.warnings)][:1] == ["ends" if "end" in mistake else "before"]


class Alone(Turning):
    def before(self, state: Any) -> Any:
        return state


def test_steps_back_that_are_given_and_not_yielded_are_not_used() -> None:
    assert "before does not yield its states one by one" in str(proven_hint(Alone(is_bounded=False), "before"))


def test_steps_back_that_change_after_a_solve_are_proven_again(monkeypatch: pytest.MonkeyPatch) -> None:
    game = Turning(is_bounded=False)
    assert proven_hint(game, "before").never_gains
    monkeypatch.setattr(Turning, "before", lambda self, state: iter(()))
    assert not proven_hint(game, "before").never_gains


def test_states_beyond_those_before_do_no_harm() -> None:
    game = Turning(is_bounded=False, back=((1, 2, 3, 0), (1, 1), (3, 1)), last=(*ALL, 0))
    found = es.solve(game, method="search")
    assert found.method == METHOD
    assert found.value() == es.solve(game, method="graph").value() == {"player": best_end(game)}
    assert es.check_rules(game).is_sound


class Careless(Falling):
    """Steps back that lead beyond the limits: the compiled rules then are left."""

    def before(self, state: Any) -> Iterator[Any]:
        for wheel in range(3):
            yield self.State(tuple(each + (1 if wheel == at else 0) for at, each in enumerate(state.wheels)))


def test_states_beyond_the_limits_leave_the_work_to_others() -> None:
    game = Careless(is_bounded=False)
    assert proven_hint(game, "before").refusal is None
    found = es.solve(game, method="search")
    assert found.method != METHOD
    assert found.value() == es.solve(game, method="graph").value()
    faults = es.check_rules(game).faults
    assert [(fault.rule, "above its limit" in fault.message) for fault in faults][:1] == [("before", True)]


@pytest.mark.parametrize(
    ("endless", "paid", "method"),
    [(0, (0,) * 4, METHOD), (-4, (-3,) * 4, METHOD), (0, (-1,) * 4, None), (2, (0,) * 4, None)],
)
def test_moves_may_cost_nothing_where_no_play_without_end_is_worth_more(
    endless: int, paid: tuple[int, ...], method: str | None
) -> None:
    free = ((0,) * 4,) * 3
    game = Turning(is_bounded=False, costs=free, endless=endless, paid=paid)
    assert proven_hint(game, "before") == Hint(None, 0, is_costly=False, never_gains=True)
    found = es.solve(game, method="search")
    assert found.value() == es.solve(game, method="graph").value() == {"player": max(endless, paid[0])}
    assert (found.method == METHOD) == (method == METHOD)


def test_fractions_and_payoffs_of_ends_count() -> None:
    random = Random(8)
    for kind in (Halving, Sorting, Turning):
        for _ in range(4):
            costs, paid = rows(random, 0, 3), tuple(random.randint(-4, 4) for _ in ALL)
            game = kind(is_bounded=False, costs=costs, paid=paid, back=(BACK[kind],) * 3, endless=-99)
            found = es.solve(game, method="search")
            assert (found.value(), found.method) == ({"player": best_end(game)}, METHOD)
    assert isinstance(es.solve(Halving(is_bounded=False), method="search").value()["player"], int | Fraction)


def test_a_stop_tells_what_is_known() -> None:
    game = load(f"{RULES}/retraced.py:Pancakes:count=9")
    exact = es.solve(game, method="search").value()["player"]
    for states in (300, 1_000, 3_000):
        with pytest.raises(LimitReached) as stop:
            es.solve(game, method="search", limits=Limits(states=states))
        assert stop.value.upper is not None
        assert exact <= stop.value.upper["player"] < 0
        assert stop.value.lower is None or stop.value.lower["player"] in (None, *range(-20, int(exact) + 1))


def test_memory_is_counted() -> None:
    game = load(f"{RULES}/retraced.py:Pancakes:count=11")
    with pytest.raises(LimitReached, match="memory"):
        es.solve(game, method="search", limits=Limits(memory=psutil.Process().memory_info().rss + (1 << 22)))


def test_no_way_out_is_left_to_others() -> None:
    game = load(f"{RULES}/fifteen.py:Retraced:rows=2,columns=3")
    exchanged = game.position_from(game.show(game.State((0, 2, 1, 3, 4, 5))))
    with pytest.raises(es.errors.NoValue, match="minus infinity"):
        es.solve(game, exchanged, method="search")


def test_a_compiled_rule_that_leaves_out_what_python_yields_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    said, blamed = steps_back_that_change(monkeypatch, Turning(is_bounded=False), lambda state: [])
    assert "differ" in said
    assert "before" in blamed


class Net(Game):
    """A random net of roads, each with its cost; `before` also yields what no road comes from."""

    players = 1
    seed: int = 0

    class State(NamedTuple):
        at: int

    def setup(self) -> None:
        random = Random(self.seed)
        self.roads = tuple(
            tuple((random.randrange(40), random.choice((0, 1, 1, 2, 7))) for _ in range(random.choice((0, 1, 2, 3))))
            for _ in range(40)
        )
        self.paid = tuple(random.randint(-3, 3) for _ in range(40))

    def limits(self) -> State:
        return self.State(39)

    def start(self) -> State:
        return self.State(0)

    def moves(self, state: State) -> Iterator[int]:
        yield from range(len(self.roads[state.at]))

    def play(self, state: State, move: int) -> State:
        return self.State(self.roads[state.at][move][0])

    def reward(self, state: State, move: int) -> int:
        return -self.roads[state.at][move][1]

    def payoff(self, state: State) -> int:
        return self.paid[state.at]

    def before(self, state: State) -> Iterator[State]:
        for at in range(40):
            if at % 3 == 0 or any(to == state.at for to, _ in self.roads[at]):
                yield self.State(at)

    def ends(self) -> Iterator[State]:
        for at in range(40):
            yield self.State(at)


def best_of(net: Net) -> int | None:
    """The most that roads to an end bring from the start, by sweeps."""
    best = {at: net.paid[at] for at in range(40) if not net.roads[at]}
    for _ in range(40):
        for at in range(40):
            found = [best[to] - cost for to, cost in net.roads[at] if to in best]
            best |= {at: max(found)} if found else {}
    return best.get(0)


@pytest.mark.parametrize("seeds", seed_rows(80, 13))
def test_the_kernel_runs_as_it_is(seeds: range) -> None:
    found = 0
    for seed in seeds:
        net, best = Net(seed), best_of(Net(seed))
        if best is None:
            with pytest.raises(Refused, match="no way"):
                steps_back_by_python(net)
            continue
        found += 1
        value, place = steps_back_by_python(net)
        assert (value, place.so_far[0] + net.payoff(place.state)) == (best, best)
    assert found > len(seeds) / 2


@pytest.mark.parametrize("seed", [1, 2])
def test_a_net_is_proven_and_has_the_value_of_its_graph(seed: int) -> None:
    net = Net(seed)
    assert proven_hint(net, "before") == Hint(None, 0, is_costly=False, never_gains=True)
    assert value_of(net, "search")[0] == value_of(net, "graph")[0]
