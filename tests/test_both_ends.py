"""Search from both ends: steps back that are proven for all states, wrong ones, and the search itself."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest

import endsight as es
from endsight import Game, Limits, load
from endsight.compiler.both_ends import BothEnds
from endsight.compiler.hint_proofs import HintProof, prove_before
from endsight.compiler.refusal import CannotCompile
from endsight.compiler.rules import CompiledRules
from endsight.errors import LimitReached
from endsight.game.limits import Budget
from fuzz_puzzles import BACK, TOP, Falling, Halving, Sorting, Turning, best_end, is_complete, puzzle, rows, value_of
from test_compiled_walk import write_share
from test_kernels import names_of

RULES = Path(__file__).parent.parent / "benchmarks/rules"
METHOD = "bidirectional search"
ALL = tuple(range(TOP + 1))


def test_what_is_proven_of_steps_back_holds_at_every_state_and_complete_ones_are_proven() -> None:
    random, counts = Random(4), [0, 0]
    for _ in range(120):
        game = puzzle(random)
        complete = is_complete(game)
        assert (prove_before(game).refusal is None) == complete, f"{type(game).__name__} {game.values()}"
        counts[complete] += 1
    assert min(counts) > 10


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
    game = load(f"{RULES}/retraced.py:Lights")
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


def test_the_kernel_runs_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(CompiledRules, "kernel", as_python)
    found = 0
    for seed in range(80):
        net, best = Net(seed), best_of(Net(seed))
        vars(net)["_before_proof"] = HintProof(None, -1)
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
    assert found > 40


@pytest.mark.parametrize("seed", [1, 2])
def test_a_net_is_proven_and_has_the_value_of_its_graph(seed: int) -> None:
    net = Net(seed)
    assert prove_before(net) == HintProof(None, 0)
    assert value_of(net, "search")[0] == value_of(net, "graph")[0]
