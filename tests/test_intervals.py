"""Proven intervals: they hold the exact values, their certificate is checked, and answers say what is proven."""

from __future__ import annotations

import itertools
import json
import threading
from dataclasses import replace
from fractions import Fraction
from importlib import resources
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pytest

import endsight as es
from endsight import Interval
from endsight.algorithms import (
    certificate_kernels,
    guess_kernels,
    interval_iteration,
    interval_kernels,
    loops,
    policy_iteration,
)
from endsight.algorithms.arena import Arena, Structure, arena_of
from endsight.algorithms.edge_arrays import edges_of, first_largest
from endsight.algorithms.end_components import collapse
from endsight.algorithms.exact_policy_iteration import exact_values
from endsight.algorithms.float_policy_iteration import bicgstab
from endsight.algorithms.interval_iteration import Enclosure, Scale, enclose_values
from endsight.algorithms.interval_kernels import FINISHED, SLOW
from endsight.answers.enclosed import NodeBounds, solve_enclosed
from endsight.answers.explanation import fairness, sweep
from endsight.base import waiting
from endsight.compiler.refusal import CannotCompile
from endsight.errors import LimitReached, QuestionError
from endsight.faces import documents
from endsight.game.limits import Budget
from endsight.game.numbers import is_settled
from endsight.graph.components import strongly_connected
from endsight.graph.explorer import explore
from endsight.graph.kernel_numbers import Edges, IterationArrays
from endsight.graph.objective import View
from places import reachable
from ranges import as_range
from stochastic import chain, decision_process, random_game
from strategies import MoverGraph
from test_documents import no_bare_float
from test_exact_loops import SoloPig
from thresholds import run_loops_in_machine_code


def enclosed(arena: Arena) -> Enclosure:
    enclosure = enclose_values(arena)
    assert enclosure is not None
    return enclosure


def holds(arena: Arena, enclosure: Enclosure) -> None:
    """All values lie inside, and nothing is called best or worse that is not."""
    values = exact_values(arena)[0]
    for node, value in enumerate(values):
        assert value in enclosure.interval(node)
        if arena.signs[node]:
            for edge in arena.edges(node):
                is_best = int(arena.gain(edge)) == arena.unit * (value - values[arena.successors[edge]])
                assert enclosure.verdicts[edge] != (0 if is_best else 2)


# ---------------------------------------------------------------- limits in the middle of a part


@pytest.mark.parametrize("compiled", [False, True])
def test_a_kernel_that_nobody_waits_for_ends_with_its_sweep(monkeypatch: pytest.MonkeyPatch, compiled: bool) -> None:
    kernels = loops.loops_for(0, most_plain=-1 if compiled else 0)
    endings = []

    def left_alone(*arguments: Any, **_: Any) -> int:
        for stop in (0, 1):
            arguments[-1][1] = stop
            part = kernels["enclose"](*arguments)
            endings.append((part, int(arguments[-1][0])))
        raise LimitReached("stopped")

    monkeypatch.setattr(interval_iteration, "loops_for", lambda *_: {**kernels, "enclose": left_alone})
    arena = decision_process(200, exit_share=0.1, seed=1)
    structure = Structure.of(arena)
    with pytest.raises(LimitReached):
        enclose_values(arena, structure)
    loop = int(np.argmax(np.diff(structure.starts)))
    assert endings == [(structure.parts, FINISHED), (loop, SLOW)]


def test_limits_are_heard_in_the_middle_of_a_part_in_any_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    run_loops_in_machine_code(monkeypatch)
    monkeypatch.setattr(loops, "LONG_SWEPT", 0)
    monkeypatch.setattr(waiting, "_BETWEEN_LOOKS", 1e-4)

    class Looks(Budget):
        def look(self, states: int, doing: str, part: tuple[int, int] | None = None) -> None:
            if doing == "enclosing values" and self.waited:
                raise LimitReached("stopped: time is up")

        def glance(self, states: int, doing: str, part: tuple[int, int] | None = None) -> None:
            self.waited = True
            self.look(states, doing)

        waited = False

    arena = decision_process(4_000, exit_share=0.001, seed=1)
    found: list[str] = []

    def ask() -> None:
        with pytest.raises(LimitReached, match="time is up") as stop:
            enclose_values(arena, budget=Looks())
        found.append(str(stop.value))

    thread = threading.Thread(target=ask)
    thread.start()
    thread.join()
    assert len(found) == 1


def test_long_guesses_are_watched_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(interval_iteration, "MOST_SWEPT", 0)
    monkeypatch.setattr(interval_iteration, "MOST_SWEEPS", 0)
    looks = []
    monkeypatch.setattr(Budget, "glance", lambda self, states, doing: looks.append(doing))
    enclose_values(decision_process(80, exit_share=0.02, seed=1))
    assert len(looks) > 10
    assert set(looks) == {"enclosing values"}


# ---------------------------------------------------------------- against exact values


@pytest.mark.parametrize("seed", range(12))
def test_random_games_that_end(seed: int) -> None:
    for more in range(20):
        game = random_game(100 * seed + more, stopping=True)
        _, graph = explore(game, game.position())
        arena = arena_of(graph)
        holds(arena, enclosed(arena))


@pytest.mark.parametrize("exit_share", [0.3, 0.05, 0.01, 0.001])
@pytest.mark.parametrize("players", [1, 2])
def test_decision_processes(exit_share: float, players: int) -> None:
    arena = decision_process(20, players=players, exit_share=exit_share, seed=3)
    enclosure = enclosed(arena)
    holds(arena, enclosure)
    assert enclosure.width < 1e-9
    signs = enclosure.arena.signs[np.repeat(np.arange(len(enclosure.arena)), enclosure.arena.counts)]
    assert (enclosure.verdicts[signs != 0] == 2).sum() == 20


@pytest.mark.parametrize("gain", [0, 3, -2])
def test_one_percent_exit_chain(gain: int) -> None:
    arena = chain(30, 1, 99, gain=gain)
    enclosure = enclosed(arena)
    assert 1 + 3000 * gain in enclosure.interval(0)
    assert enclosure.width < 1e-7


def test_very_slow_loops_are_guessed_and_checked() -> None:
    arena = chain(3, 1, 10**6, gain=1)
    enclosure = enclosed(arena)
    assert 1 + 3 * (10**6 + 1) in enclosure.interval(0)


@pytest.mark.parametrize("players", [1, 2])
def test_guesses_hold_as_well_as_sweeps(monkeypatch: pytest.MonkeyPatch, players: int) -> None:
    monkeypatch.setattr(interval_iteration, "MOST_SWEPT", 0)
    monkeypatch.setattr(interval_iteration, "MOST_SWEEPS", 0)
    for seed in range(10):
        arena = decision_process(15, players=players, exit_share=0.02, seed=seed)
        enclosure = enclosed(arena)
        holds(arena, enclosure)
        assert enclosure.width < 1e-10


def test_guesses_where_moves_tie_and_take_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(interval_iteration, "MOST_SWEPT", 0)
    monkeypatch.setattr(interval_iteration, "MOST_SWEEPS", 0)
    for seed in range(150):
        game = random_game(seed, stopping=True)
        _, graph = explore(game, game.position())
        arena = arena_of(graph)
        holds(arena, enclosed(arena))


@pytest.mark.parametrize("players", [1, 2])
def test_bounds_around_any_guess_hold_or_are_refused(players: int) -> None:
    """However wrong the guess: what is called proven encloses the values."""
    draw = np.random.default_rng(players)
    outcomes = set()
    for seed in range(30):
        arena = decision_process(6, players=players, exit_share=0.2, seed=seed)
        exact = enclose_values(arena)
        structure = Structure.of(arena)
        assert exact is not None
        assert arena.weights is not None
        begin, end = map(int, structure.starts[-2:])
        places, scale = structure.order, Scale.widest(arena.largest_total, arena.largest_amount)
        bounds = exact.bounds[places].reshape(-1).tolist()
        guess = exact.bounds[places].mean(axis=1) + draw.normal(size=len(arena)) * 2.0 ** draw.integers(4, 40)
        edges = edges_of(arena.offsets, places)
        rules = Edges(
            structure.offsets.tolist(), structure.successors.tolist(), arena.weights[edges].tolist(), 1,
            arena.signs[places].tolist(), [0], 0,
        )  # fmt: skip
        turns = [0] * len(arena)
        count = guess_kernels.find_turns(rules, turns, begin, end)
        tries = [guess[node] for node in turns[:count]]
        work = [*tries, *tries, *[0.0] * count, *tries, *[0.0] * 4 * count]
        kept = [0] * 2 * count
        is_proven = interval_kernels.bounds_from_guess(
            rules, IterationArrays(bounds, kept, guess.tolist(), work), (turns, count, begin, end), scale.limit
        )
        outcomes.add(is_proven)
        for node in range(begin, end) if is_proven else ():
            value = exact.bounds[places[node]]
            assert bounds[2 * node] <= value[1]
            assert bounds[2 * node + 1] >= value[0]
    assert outcomes == {0, 1}


def reached_from(node: int, offsets: list[int], successors: list[int]) -> set[int]:
    found, waiting = {node}, [node]
    while waiting:
        here = waiting.pop()
        new = set(successors[offsets[here] : offsets[here + 1]]) - found
        found |= new
        waiting += new
    return found


@pytest.mark.parametrize("seed", range(20))
def test_components_come_after_all_they_lead_to_and_ranks_prove_the_end(seed: int) -> None:
    game = random_game(seed, stopping=seed % 2 == 0)
    _, graph = explore(game, game.position())
    arena = arena_of(graph)
    structure = Structure.of(arena)
    offsets, successors = arena.offsets.tolist(), arena.successors.tolist()
    parts = [structure.order[a:b].tolist() for a, b in itertools.pairwise(structure.starts.tolist())]
    reached = [reached_from(node, offsets, successors) for node in range(len(arena))]
    wanted = {frozenset(other for other in found if node in reached[other]) for node, found in enumerate(reached)}
    assert sorted(map(sorted, parts)) == sorted(map(sorted, wanted))
    assert strongly_connected(offsets, successors) == parts
    part_of = {node: number for number, part in enumerate(parts) for node in part}
    assert structure.order[structure.places].tolist() == list(range(len(arena)))
    for node in range(len(arena)):
        after = successors[offsets[node] : offsets[node + 1]]
        assert all(part_of[child] <= part_of[node] for child in after)
        ranks, rank = structure.ranks[after].tolist(), structure.ranks[node]
        if structure.ends and after:
            assert any(0 <= each < rank for each in ranks)
            assert arena.signs[node] == 0 or max(ranks) < rank


@pytest.mark.parametrize("players", [1, 2])
def test_large_parts_are_swept_on_trial(monkeypatch: pytest.MonkeyPatch, players: int) -> None:
    """Where that is quick they are not guessed as a whole, and bounds are as good."""
    monkeypatch.setattr(interval_iteration, "MOST_SWEPT", 0)
    arenas = [decision_process(15, players=players, exit_share=share, seed=1) for share in (0.3, 0.02)]
    for arena in [*arenas, chain(12, 1, 9)]:
        with monkeypatch.context() as patch:
            patch.setattr(interval_iteration, "SlowPart", None)
            enclosure = enclosed(arena)
        holds(arena, enclosure)
        assert enclosure.width < 1e-10
    slow = chain(3, 1, 10**6, gain=1)
    assert 1 + 3 * (10**6 + 1) in enclosed(slow).interval(0)


@pytest.mark.parametrize("seed", range(30))
def test_edges_of_nodes_and_the_first_best_of_them(seed: int) -> None:
    """As one would say it in Python, also for nodes without edges and for no nodes at all."""
    draw = np.random.default_rng(seed)
    counts = draw.integers(0, 4, size=seed % 7)
    offsets = np.append(0, np.cumsum(counts)).astype(np.int64)
    worth = draw.integers(-2, 3, size=int(offsets[-1])).astype(np.int8)
    rows = [range(offsets[node], offsets[node + 1]) for node in range(len(counts))]
    best = [max(row, key=worth.__getitem__) if row else -1 for row in rows]
    assert first_largest(offsets, worth).tolist() == best
    nodes = draw.permutation(len(counts))[: seed % 5].astype(np.int64)
    assert edges_of(offsets, nodes).tolist() == [edge for node in nodes for edge in rows[node]]


def test_large_systems_are_solved_by_iteration() -> None:
    size = 400
    draw = np.random.default_rng(0)
    matrix = np.eye(size) - 0.9 * draw.dirichlet(np.ones(size), size)
    right = draw.normal(size=size)
    assert np.allclose(matrix @ bicgstab(lambda vector: matrix @ vector, right), right)


# ---------------------------------------------------------------- one arithmetic, plain and compiled


@pytest.mark.parametrize("players", [1, 2])
def test_compiled_loops_find_the_same_numbers(monkeypatch: pytest.MonkeyPatch, players: int) -> None:
    arena = decision_process(60, players=players, exit_share=0.05, seed=8)
    edges = np.arange(len(arena.successors))
    with_gains = replace(arena, gains=(-1) ** edges * (edges % 3))
    found = [enclosed(each) for each in (arena, with_gains)]
    run_loops_in_machine_code(monkeypatch)
    monkeypatch.delattr(loops, "plain_loop")
    for each, plain in zip((arena, with_gains), found, strict=True):
        compiled = enclosed(each)
        assert (plain.bounds == compiled.bounds).all()
        assert (plain.ranks == compiled.ranks).all()
        assert (plain.verdicts == compiled.verdicts).all()


def test_no_sum_can_pass_the_word() -> None:
    for weight, payoff in ((1, 1), (10**6, 10**3), (10**12, 1)):
        arena = Arena.of([0, 3, 3, 3], [0, 1, 2], [weight] * 3, [0, 0, 0], None, [0, payoff, -payoff])
        scale = Scale.widest(arena.largest_total, arena.largest_amount)
        assert scale.limit * arena.largest_total <= 2**61
        assert payoff << scale.bits <= scale.limit
        assert 0 in enclosed(arena).interval(0)


def test_numbers_that_do_not_fit_are_refused() -> None:
    for weight, other, payoff in ((1, 1, 10**30), (10**30, 1, 1), (1 << 61, 1 << 61, 1), (10**10, 1, 10**9)):
        arena = Arena.of([0, 3, 3, 3], [0, 1, 2], [weight, other, other], [0, 0, 0], None, [0, payoff, -payoff])
        with pytest.raises(LimitReached, match="too many digits"):
            enclose_values(arena)
        assert exact_values(arena)[0][0] == 0


def test_where_play_might_never_end_there_are_no_bounds() -> None:
    game = MoverGraph(((0, 1), ()), ((0,), (1,)), 1, (0, 0), ((1, 1), ()))
    _, graph = explore(game, game.position())
    assert enclose_values(arena_of(graph)) is None
    assert enclose_values(collapse(graph).arena) is not None


# ---------------------------------------------------------------- the certificate


def first_unproven(arena: Arena, enclosure: Enclosure, bounds: Any, ranks: Any) -> int:
    scale = Scale.widest(arena.largest_total, arena.largest_amount)
    shift = (enclosure.denominator // arena.unit).bit_length() - 1
    weights = [0] if arena.weights is None else arena.weights.tolist()
    edges = Edges(
        arena.offsets.tolist(), arena.successors.tolist(), weights, int(arena.weights is not None),
        arena.signs.tolist(), [0], 0,
    )  # fmt: skip
    return certificate_kernels.first_unproven(
        edges, (arena.payoffs << shift).tolist(), bounds.reshape(-1).tolist(), ranks.tolist(), len(arena), scale.limit
    )


def test_the_certificate_holds_and_every_damage_is_found() -> None:
    arena = decision_process(8, players=2, exit_share=0.1, seed=1)
    count = len(arena)
    enclosure = enclosed(arena)
    assert first_unproven(arena, enclosure, enclosure.bounds, enclosure.ranks) == count
    for node in range(count):
        low, high = enclosure.bounds[node]
        for damaged in ((low + (high - low) + 1, high + 1), (low - 1, low - 1), (high, low)):
            if damaged[0] == damaged[1] == low or (low == high and damaged == (high, low)):
                continue
            bounds = enclosure.bounds.copy()
            bounds[node] = damaged
            assert first_unproven(arena, enclosure, bounds, enclosure.ranks) < count
        if not arena.is_end(node):
            ranks = enclosure.ranks.copy()
            ranks[node] = 0
            assert first_unproven(arena, enclosure, enclosure.bounds, ranks) < count


def test_a_false_fixed_point_is_no_proof() -> None:
    """Where play can stay for ever, anything from the way out up satisfies the equations; the ranks tell."""
    arena = Arena.of([0, 2, 2], [0, 1], None, [1, 0], None, [0, 1])
    unit = 1 << 20
    enclosure = Enclosure(arena, np.array([[5 * unit, 5 * unit], [unit, unit]]), unit, np.array([1, 0]), [])
    assert first_unproven(arena, enclosure, enclosure.bounds, enclosure.ranks) == 0


# ---------------------------------------------------------------- answers


def validated(document: dict[str, Any]) -> dict[str, Any]:
    name = document["schema"].removeprefix("endsight.").partition("/")[0]
    schema = json.loads(resources.files("endsight").joinpath("schemas", f"{name}.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator(schema).validate(json.loads(json.dumps(document, allow_nan=False)))
    return document


def test_pig_enclosed() -> None:
    game = es.games.Pig(10)
    exact, ends = es.solve(game), es.solve(game, interval=True)
    value = ends.value()["first"]
    assert isinstance(value, Interval)
    assert value.width < Fraction(1, 10**15)
    assert Fraction(4591, 10961) in value
    for moves in ("", "roll 4", "roll 6 roll 3", "roll 6 hold roll 2"):
        position = game.position(moves)
        assert exact.value(position)["first"] in ends.value(position)["first"]  # type: ignore[operator]
        assert ends.best_moves(position) == exact.best_moves(position)
        for option in ends.options(position):
            assert option.regret == (0 if option.best else None)
    assert ends.line() == exact.line()
    assert ends.distribution().outcomes == exact.distribution().outcomes


def test_documents_of_enclosed_values() -> None:
    solution = es.solve(es.games.Pig(8), interval=True)
    position = solution.game.position("roll 4")
    document = validated(documents.position_document(solution, position))
    no_bare_float(document)
    assert (document["status"], document["value"]) == ("enclosed", None)
    low, high = (Fraction(document[end]["first"]["exact"]) for end in ("lower", "upper"))
    assert low < es.solve(es.games.Pig(8)).value(position)["first"] < high
    second = [Fraction(document[end]["second"]["exact"]) for end in ("lower", "upper")]
    assert second == [-high, -low]
    for move in document["moves"]:
        assert move["value"] is None
        assert Fraction(move["lower"]["first"]["exact"]) <= Fraction(move["upper"]["first"]["exact"])
    assert [move["best"] for move in document["moves"]].count(True) == 1
    assert document["moves"][0]["regret"] == {"exact": "0", "approx": 0.0}
    line = validated(documents.line_document(solution))
    assert line["value"] is None
    rows = sweep(es.games.Pig(), "target", [3, 4], lambda game: es.solve(game, interval=True))
    swept = validated(documents.sweep_document(es.games.Pig(), es.Question(), "target", rows))
    assert {row["status"] for row in swept["rows"]} == {"enclosed"}


def test_moves_that_ends_cannot_tell_apart_are_not_called_best() -> None:
    # Two dice worth the same third, on a loop through the root.
    game = random_game(0)
    successors = ((1, 2), (0, 3, 4), (0, 3, 4), (), ())
    game = type(game)(
        successors, ((0,),) * 3 + ((1,), (0,)), 1, (0, -1, -1, 0, 0), ((1, 1), (1,) * 3, (1,) * 3, (), ())
    )
    options = es.solve(game, interval=True).options()
    assert [(option.best, option.rank, option.regret) for option in options] == [(None, None, None)] * 2
    assert [option.best for option in es.solve(game).options()] == [True, True]
    validated(documents.position_document(es.solve(game, interval=True)))


def test_the_default_goes_by_the_size_of_components(monkeypatch: pytest.MonkeyPatch) -> None:
    game = es.games.Pig(6)
    assert es.solve(game).method == "policy iteration"
    monkeypatch.setattr(policy_iteration, "MOST_IN_COMPONENT", 3)
    assert isinstance(es.solve(game).value()["first"], Interval)
    assert es.solve(game, exact=True).value() == {"first": Fraction(17, 31), "second": Fraction(-17, 31)}
    ends = es.solve(game, digits=12).value()["first"]
    assert is_settled(ends, 12)
    assert not isinstance(es.solve(game, digits=60).value()["first"], Interval)


def test_exact_and_interval_cannot_both_be_asked_for() -> None:
    with pytest.raises(QuestionError):
        es.solve(es.games.Pig(3), exact=True, interval=True)


def test_fairness_between_ends() -> None:
    """Play is certain, so shares and lengths are exact numbers; values are as they were asked for."""
    for game in (es.games.Pig(4), es.games.PigTurn(), es.games.Piglet(5)):
        exact, found = fairness(es.solve(game)), fairness(es.solve(game, interval=True))
        for name in ("win", "draw", "lose", "length", "forced", "costless"):
            assert getattr(found, name) == getattr(exact, name)
        for name, value in exact.values.items():
            assert value in as_range(found.values[name])


def _crossroads() -> es.Game:
    """Two ways to a third of 1 for the first player, by dice that are thrown again and again."""
    ways = ((1, 2), (0, 3, 4), (0, 4, 3), (), ())
    weights = ((1, 1), (3, 1, 2), (5, 4, 2), (), ())
    return MoverGraph(ways, ((0,), (0,), (0,), (1,), (0,)), 1, (0, -1, -1, 0, 0), weights)


def test_undecided_ties_are_not_played_by_guess() -> None:
    game = _crossroads()
    exact = es.solve(game)
    assert exact.values() == (Fraction(1, 3),)
    assert fairness(exact).costless == 1
    found = es.solve(game, interval=True)
    assert isinstance(found.values()[0], Interval)
    for question in (
        fairness,
        lambda solution: solution.distribution(),
        lambda solution: solution.length_distribution(),
    ):
        with pytest.raises(LimitReached, match="which moves are best"):
            question(found)


def _shared_die() -> es.Game:
    """The first player throws a die until it shows the end that pays (2, 5), and may go for (2, 0) instead."""
    shares = ((0, 0), (0, 0), (2, 5), (2, 0))
    return MoverGraph(((1, 3), (0, 2), (), ()), shares, 2, (0, -1, 0, 0), ((1, 1), (1, 1), (), ()))


def test_players_without_constant_sum_are_not_enclosed(monkeypatch: pytest.MonkeyPatch) -> None:
    assert es.solve(_shared_die(), objective="cooperative", interval=True).values() == (2, 5)
    monkeypatch.setattr(policy_iteration, "MOST_IN_COMPONENT", 1)
    with pytest.raises(LimitReached, match="no constant sum"):
        es.solve(_shared_die(), objective="cooperative", interval=True)


def test_values_of_both_players_follow_the_choices() -> None:
    solution = es.solve(_shared_die(), objective="cooperative")
    assert solution.values() == (2, 5)
    assert solution.distribution("second").mean() == 5


# ---------------------------------------------------------------- large games, on arrays


@pytest.mark.parametrize(
    ("game", "utility"), [(es.games.Pig(9), "payoff"), (es.games.Pig(9), "win"), (SoloPig(9), "payoff")]
)
@pytest.mark.parametrize("kind", ["auto", "interval"])
def test_answers_from_arrays(game: es.Game, utility: Any, kind: Any) -> None:
    pytest.importorskip("llvmlite")
    question = es.Question(utility=utility)
    source = solve_enclosed(View(game, question), game.position(), kind, Budget())
    exact = es.solve(game, utility=utility, engine="plain")
    assert source.states == exact.states
    for position in reachable(game.position()):
        assert source.covers(position)
        for value, ends in zip(exact.values(position), source.value(position), strict=True):
            assert value in ends if isinstance(ends, Interval) else value == ends  # type: ignore[operator]
    assert any(isinstance(value, Interval) for value in source.value(game.position())) == (kind == "interval")
    assert not source.covers(replace(game.position(), state=game.limits()))


def test_large_games_take_that_way(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("llvmlite")
    from endsight.engine import choice

    monkeypatch.setattr(choice, "PLAIN_EDGES", 50)
    monkeypatch.setattr(choice, "_FIRST_NODES", 10)
    game, small = es.games.Pig(9), es.solve(es.games.Pig(9), engine="plain")
    for options in ({}, {"exact": True}, {"interval": True}, {"digits": 12}):
        solution = es.solve(game, **options)
        assert isinstance(solution.source.table, NodeBounds)
        later = game.position("roll 4 roll 3")
        assert solution.best_moves(later) == small.best_moves(later)
        assert [step.move for step in solution.steps()] == small.line()
    assert es.solve(game).values() == small.values()
    assert es.solve(game).options() == small.options()
    # No loops: exact everywhere.
    assert es.solve(es.games.PigTurn()).values() == es.solve(es.games.PigTurn(), engine="plain").values()


class SamePay(es.games.PigTurn):
    """Whatever the die shows, the game brings as much."""

    def payoff(self, state: Any) -> int:
        return 7


def test_one_player_whose_payoffs_are_all_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("llvmlite")
    from endsight.engine import choice

    monkeypatch.setattr(choice, "PLAIN_EDGES", 50)
    monkeypatch.setattr(choice, "_FIRST_NODES", 10)
    game = SamePay()
    solution = es.solve(game, interval=True)
    assert isinstance(solution.source.table, NodeBounds)
    # One amount, not the player's own and what is left for nobody.
    assert [len(solution.values(position)) for position in reachable(game.position())][:3] == [1, 1, 1]
    with es.open_tablebase(es.save(solution, tmp_path / "same"), game) as table:
        assert table.value() == solution.value()


def test_arrays_refuse_what_the_graph_must_answer() -> None:
    pytest.importorskip("llvmlite")
    for game, question in ((es.games.TicTacToe(), es.Question()), (es.games.Pig(5), es.Question(fixed={0: "hold20"}))):
        with pytest.raises(CannotCompile):
            solve_enclosed(View(game, question), game.position(), "auto", Budget())


# ---------------------------------------------------------------- intervals as numbers


def test_interval_arithmetic() -> None:
    ends = Interval(Fraction(1, 3), Fraction(1, 2))
    assert Fraction(2, 5) in ends
    assert 1 not in ends
    assert ends + 1 == Interval(Fraction(4, 3), Fraction(3, 2)) == 1 + ends
    assert 1 - ends == Interval(Fraction(1, 2), Fraction(2, 3))
    assert -ends == Interval(Fraction(-1, 2), Fraction(-1, 3))
    assert ends.width == Fraction(1, 6)
    with pytest.raises(ValueError, match="above"):
        Interval(Fraction(1), Fraction(0))
    assert is_settled(Interval(Fraction(1, 3), Fraction(1, 3) + Fraction(1, 10**9)), 6)
    assert not is_settled(ends, 1)
