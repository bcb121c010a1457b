"""Searches of puzzles, and hints proven for all states: right ones, lying ones, unknown numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from fractions import Fraction
from itertools import product
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest

import endsight as es
from amounts import each, seed_rows, times
from endsight import Game, Limits, load
from endsight.compiler.both_ends import BothEnds
from endsight.compiler.hint_proofs import AllStates, HintProof, prove_before, prove_bound
from endsight.compiler.interpreter import Faulty
from endsight.compiler.refusal import CannotCompile
from endsight.compiler.rules import CompiledRules
from endsight.compiler.translator import translated
from endsight.compiler.unknown import TOO_WIDE, Box, bounds_of, chosen, compared, determined, mapped, total
from endsight.errors import LimitReached
from endsight.game.limits import Budget
from endsight.identity import key_of
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
from program_lists import Writer
from test_compiled_walk import write_share
from test_kernels import names_of

FIFTEEN = f"{Path(__file__).parent.parent}/benchmarks/rules/fifteen.py:Fifteen"


@pytest.mark.parametrize("seeds", seed_rows(16, 6))
def test_random_puzzles_have_the_value_of_the_oracle_whatever_their_hints_say(seeds: range) -> None:
    counts = Counter(fact for seed in seeds for fact in tried(f"7 {seed}"))
    assert counts["bounds used"] >= 2
    assert counts["steps back used"] >= 2
    assert counts["bounds consistent"] < 0.85 * len(seeds)


@pytest.mark.parametrize("count", times(150, 40))
def test_what_is_proven_of_a_bound_holds_at_every_state_and_right_bounds_are_proven(count: int) -> None:
    random, counts = Random(3), [0, 0]
    for _ in range(count):
        game = puzzle(random)
        consistent = is_consistent(game)
        assert (prove_bound(game).refusal is None) <= consistent
        counts[consistent] += 1
        assert prove_bound(game).refusal is None or not consistent, f"{type(game).__name__} {game.values()}"
    assert min(counts) > count / 15


def test_a_bound_that_lies_behind_where_a_search_turns_back_is_not_used() -> None:
    """All moves that a search for the bound's own promise meets are consistent; those behind are not."""
    lying = Turning(left=((0, -1, -9, -1), (0, 0, 0, 0), (0, 0, 0, 0)))
    assert not is_consistent(lying)
    assert prove_bound(lying).refusal == "a move may yield more than it says"
    assert es.solve(lying, method="search").value() == es.solve(lying, method="graph").value()


@pytest.mark.parametrize(
    "size", each(["rows=2,columns=4", "rows=3,columns=3"], lambda size: size == "rows=2,columns=4")
)
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
    assert prove_bound(Pins()).refusal == "a move may yield more than it says"
    assert es.solve(Pins(), method="search").value() == {"player": -1 - TOP * CELLS}


class Numbered(Pins):
    """Pins that are left cost their numbers."""

    def payoff(self, state: Any) -> int:
        return -sum({at + 1 for at in range(CELLS) if state.pins[at] > 0})

    def bound(self, state: Any) -> int:
        return 0


def test_a_bound_is_proven_of_rules_that_go_through_a_set() -> None:
    assert prove_bound(Numbered()) == HintProof(None, -1)


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


@pytest.mark.parametrize("seed", range(30))
def test_what_a_proof_reads_of_lists_is_what_python_does(seed: int, tmp_path: Path) -> None:
    """The states after all moves of random rules whose helpers change lists."""
    file = tmp_path / "rules.py"
    file.write_text(Writer(seed).rules(), encoding="utf-8")
    game = load(f"{file}:Rules")
    reader, met = AllStates(translated(game, ("moves", "play", "payoff"))), 0

    def after(*cells: Any) -> Any:
        with suppress(Faulty):
            state = reader.call("rule_state", *cells)
            return [reader.call("rule_numbers", reader.call("rule_play", state, move)) for move in range(CELLS)]

    for allowed, nexts in boxes(CELLS, after):
        for state in product(*allowed):
            met += 1
            for move, cells in enumerate(nexts or ()):
                assert game.play(game.State(state), move).cells == tuple(at(each, state) for each in cells)
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


# Searches from both ends.

RULES = Path(__file__).parent.parent / "benchmarks/rules"
METHOD = "bidirectional search"
ALL = tuple(range(TOP + 1))


@pytest.mark.parametrize("puzzles", times(120, 50))
def test_what_is_proven_of_steps_back_holds_at_every_state_and_complete_ones_are_proven(puzzles: int) -> None:
    random, counts = Random(4), [0, 0]
    for _ in range(puzzles):
        game = puzzle(random)
        complete = is_complete(game)
        assert (prove_before(game).refusal is None) == complete, f"{type(game).__name__} {game.values()}"
        counts[complete] += 1
    assert min(counts) > puzzles / 12


SMALL = (
    "fifteen.py:Retraced:rows=2,columns=3", "fifteen.py:Retraced:rows=2,columns=4", "retraced.py:Pancakes:count=6",
    "retraced.py:Lights:size=3",
)  # fmt: skip


@pytest.mark.parametrize("rules", SMALL)
def test_small_puzzles_have_the_value_of_their_graph(rules: str) -> None:
    small = load(f"{RULES}/{rules}")
    assert prove_before(small).is_costly
    by_search, by_graph = (es.solve(small, method=method) for method in ("search", "graph"))
    assert by_search.method == METHOD
    assert by_search.value() == by_graph.value()
    assert by_search.states < by_graph.states
    line = by_search.line()
    assert len(line) == -by_search.value()["player"]
    after = small.position(line[0])
    assert es.solve(small, after, method="search").value() == by_search.value()


def test_the_fifteen_puzzle_and_the_cube_are_proven_and_a_bound_goes_first() -> None:
    assert prove_before(load(f"{RULES}/fifteen.py:Retraced")) == HintProof(None, -1)
    assert prove_before(load(f"{RULES}/retraced.py:PocketCube")) == HintProof(None, -1)
    both = Turning(left=((0, -3, -2, -1), (0, -3, -2, -1), (0,) * 4))
    assert prove_before(both).is_costly
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
    assert not prove_before(game).never_gains
    assert value_of(game, "search")[0] == value_of(game, "graph")[0]
    assert value_of(game, "search")[1] != METHOD
    report = es.check_rules(game)
    assert [each.rule for each in (*report.faults, *report.warnings)][:1] == ["ends" if "end" in mistake else "before"]


class Alone(Turning):
    def before(self, state: Any) -> Any:
        return state


def test_steps_back_that_are_given_and_not_yielded_are_not_used() -> None:
    assert "before does not yield its states one by one" in str(prove_before(Alone(is_bounded=False)))


def test_steps_back_that_change_after_a_solve_are_proven_again(monkeypatch: pytest.MonkeyPatch) -> None:
    game = Turning(is_bounded=False)
    assert prove_before(game).never_gains
    monkeypatch.setattr(Turning, "before", lambda self, state: iter(()))
    assert not prove_before(game).never_gains


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
    assert prove_before(game).refusal is None
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
    assert prove_before(game) == HintProof(None, 0)
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
        es.solve(game, method="search", limits=Limits(memory=es.game.limits.memory_in_use() + (1 << 22)))


def test_no_way_out_is_left_to_others() -> None:
    game = load(f"{RULES}/fifteen.py:Retraced:rows=2,columns=3")
    exchanged = game.position_from(game.show(game.State((0, 2, 1, 3, 4, 5))))
    rules = CompiledRules.of(game, symmetry=False, hints=("before",))
    with pytest.raises(CannotCompile, match="no way"):
        BothEnds(rules, Budget()).search(exchanged)
    with pytest.raises(es.errors.NoValue, match="minus infinity"):
        es.solve(game, exchanged, method="search")


def test_a_compiled_rule_that_leaves_out_what_python_yields_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    game = Turning(is_bounded=False)
    rules = CompiledRules.of(game, symmetry=False, hints=("before",))
    blamed: list[str] = []
    monkeypatch.setattr("endsight.compiler.both_ends.distrust", lambda _, why: blamed.append(why))
    searcher = BothEnds(rules, Budget())
    monkeypatch.setattr(game, "before", lambda state: [])
    with pytest.raises(CannotCompile, match="differ"):
        searcher.search(game.position())
    assert "before" in blamed[0]


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


def as_python(rules: CompiledRules, loop: Any, **constants: int) -> Any:
    """The kernel as Python runs it."""
    program, game = rules.program(loop, **constants), rules.game
    asked = {f"rule_{rule}": getattr(game, rule) for rule in ("moves", "play", "payoff", "reward", "before")}
    text = "\n\n".join([program.glue, program.constants, program.kernel])
    return names_of(text, State=game.State, es_write_share=write_share, **asked)[loop.__name__]


@pytest.mark.parametrize("seeds", seed_rows(80, 25))
def test_the_kernel_runs_as_it_is(seeds: range, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(CompiledRules, "kernel", as_python)
    found = 0
    for seed in seeds:
        net, best = Net(seed), best_of(Net(seed))
        vars(net)["_before_proof"] = key_of(net).text, HintProof(None, -1)
        searcher = BothEnds(CompiledRules.of(net, symmetry=False, hints=("before",)), Budget())
        if best is None:
            with pytest.raises(CannotCompile, match="no way"):
                searcher.search(net.position())
            continue
        found += 1
        assert searcher.search(net.position()) == best
        place = net.position()
        while (move := searcher.chosen(place)) is not None:
            assert searcher.proven(place.play(move)) is not None
            place = place.play(move)
        assert place.so_far[0] + net.payoff(place.state) == best
    assert found > len(seeds) / 2


@pytest.mark.parametrize("seed", [1, 2])
def test_a_net_is_proven_and_has_the_value_of_its_graph(seed: int) -> None:
    net = Net(seed)
    assert prove_before(net) == HintProof(None, 0)
    assert value_of(net, "search")[0] == value_of(net, "graph")[0]
