"""Exact and certified values of games with chance, beside QuantEcon and Storm in the same run.

    pip install quantecon stormpy        # optional: what is not there is left out
    python benchmarks/exactness.py       # --quick for the small cases only

The decision processes have so many states, 4 actions, 8 successors and exactly 1% chance
to leave at every step, to an end that pays 0 or 1. With a chance to leave that is the
same everywhere they are discounted problems (factor 0.99), so that QuantEcon can solve
them; to Storm they are the largest chance to reach the ends that pay 1. Times are seconds of
this process (CPU) for solving, without building the model. Every answer of the others is
held against our proven interval of every state; what lies outside is counted.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

import endsight as es
from endsight.algorithms.arena import Arena
from endsight.algorithms.exact_policy_iteration import exact_values
from endsight.algorithms.interval_iteration import Enclosure, enclose_values
from endsight.answers.enclosed import solve_enclosed
from endsight.answers.source import Source
from endsight.game.limits import Budget
from endsight.game.numbers import Interval
from endsight.game.question import Question

ACTIONS, OUTCOMES, INNER, LEAVING = 4, 8, 990, 10


def timed(work: Callable[[], Any]) -> tuple[Any, float]:
    started = time.process_time()
    result = work()
    return result, time.process_time() - started


def row(*cells: object) -> None:
    print("| " + " | ".join(map(str, cells)) + " |", flush=True)


# ---------------------------------------------------------------- random decision processes


class Process:
    """A random decision process in the form of each of the three tools."""

    def __init__(self, states: int, seed: int = 1) -> None:
        draw = np.random.default_rng(seed)
        self.states, self.dice = states, states * ACTIONS
        cuts = np.sort(draw.integers(1, INNER - OUTCOMES + 1, (self.dice, OUTCOMES - 1)), axis=1)
        edges = np.column_stack([np.zeros(self.dice, int), cuts, np.full(self.dice, INNER - OUTCOMES)])
        self.weights = np.diff(edges, axis=1) + 1
        self.children = draw.integers(0, states, (self.dice, OUTCOMES))
        self.wins = draw.integers(0, 2, self.dice)

    def arena(self) -> Arena:
        states, dice = self.states, self.dice
        rolled = np.column_stack([self.children, states + dice + self.wins])
        shares = np.column_stack([self.weights, np.full(dice, LEAVING)])
        offsets = np.concatenate([np.arange(states) * ACTIONS, dice + np.arange(dice + 1) * (OUTCOMES + 1)])
        count = states + dice + 2
        signs, payoffs = np.zeros(count, np.int8), np.zeros(count, np.int64)
        signs[:states], payoffs[-1] = 1, 1
        return Arena(
            offsets=np.append(offsets, [offsets[-1]] * 2),
            successors=np.concatenate([states + np.arange(dice), rolled.ravel()]).astype(np.int32),
            weights=np.concatenate([np.ones(dice, np.int64), shares.ravel()]),
            signs=signs,
            gains=None,
            payoffs=payoffs,
        )

    def quantecon(self) -> Any:
        from quantecon.markov import DiscreteDP
        from scipy.sparse import csr_matrix

        dice = self.dice
        places = np.repeat(np.arange(dice), OUTCOMES)
        chances = csr_matrix((self.weights.ravel() / INNER, (places, self.children.ravel())), (dice, self.states))
        rewards = self.wins * (LEAVING / (INNER + LEAVING))
        states = np.repeat(np.arange(self.states), ACTIONS)
        return DiscreteDP(rewards, chances, INNER / (INNER + LEAVING), states, np.tile(np.arange(ACTIONS), self.states))

    def storm(self, *, exact: bool) -> Any:
        import stormpy

        kind = stormpy.Rational if exact else float
        total = kind(INNER + LEAVING)
        builder = stormpy.datastructures.SparseMatrixBuilder[kind](
            has_custom_row_grouping=True, row_groups=self.states + 2
        )
        for die in range(self.dice):
            if die % ACTIONS == 0:
                builder.new_row_group(die)
            shares: dict[int, int] = {self.states + int(self.wins[die]): LEAVING}
            for child, weight in zip(self.children[die].tolist(), self.weights[die].tolist(), strict=True):
                shares[child] = shares.get(child, 0) + weight
            for child, weight in sorted(shares.items()):
                builder.add_next_value(die, child, kind(weight) / total)
        for place in range(2):
            builder.new_row_group(self.dice + place)
            builder.add_next_value(self.dice + place, self.states + place, kind(1))
        labels = stormpy.models.StateLabeling(self.states + 2)
        for name, state in (("init", 0), ("win", self.states + 1)):
            labels.add_label(name)
            labels.add_label_to_state(name, state)
        parts = stormpy.models.SparseModelComponents[kind](builder.build(), labels)
        return stormpy.models.SparseMdp[kind](parts)


def outside(enclosure: Enclosure, values: np.ndarray) -> tuple[int, float]:
    """How many of the others' values lie outside the proven interval of their state, and by how much at most."""
    count = len(values)
    low, high = (enclosure.bounds[:count, side] / enclosure.denominator for side in (0, 1))
    # A double next to the bound is allowed to be on its other side.
    beyond = np.maximum(low - values, values - high) - 4e-16
    return int((beyond > 0).sum()), float(max(0.0, beyond.max()))


def storm_answer(model: Any, method: str) -> Any:
    import stormpy

    ways = {"default": "default", "sound": "sound", "optimistic": "sound", "exact": "exact"}
    make = getattr(stormpy.environments, ways[method])
    environment = make(model) if method == "default" else make()
    solver = environment.solver().min_max()
    if method != "exact":
        solver.precision = stormpy.Rational("1/1000000000")
    if method == "optimistic":
        solver.method = stormpy.environments.MinMaxMethod.OPTIMISTIC_VALUE_ITERATION
    formula = stormpy.parse_properties('Pmax=? [F "win"]')[0]
    return stormpy.model_checking(model, formula, environment=environment)


def processes(sizes: list[int], exact_sizes: list[int]) -> None:
    print("\n## Decision processes: 4 actions, 8 successors, 1% chance to leave\n")
    row("states", "tool", "CPU s", "ratio", "answers", "outside our intervals (by at most)")
    row(*["---"] * 6)
    for size in sizes:
        process = Process(size)
        arena = process.arena()
        enclose_values(arena)  # compiles, where it is not in the cache yet
        enclosure, ours = timed(lambda: enclose_values(arena))  # noqa: B023
        assert enclosure is not None
        proven = f"proven to {float(enclosure.width):.1e}, {enclosure.decided:,} best moves proven"
        row(f"{size:,}", "endsight intervals", f"{ours:.2f}", "1", proven, "")
        if size in exact_sizes:
            values, seconds = timed(lambda: exact_values(arena))  # noqa: B023
            bad = sum(value not in enclosure.interval(node) for node, value in enumerate(values))
            bits = Fraction(values[0]).denominator.bit_length()
            row(f"{size:,}", "endsight exact", f"{seconds:.2f}", f"{seconds / ours:.1f}", f"exact, {bits} bits", bad)
        _beside_quantecon(process, enclosure, ours)
        _beside_storm(process, enclosure, ours, has_exact=size in exact_sizes and size <= 200)


def _beside_quantecon(process: Process, enclosure: Enclosure, ours: float) -> None:
    try:
        problem = process.quantecon()
    except ImportError:
        return
    methods = ["modified_policy_iteration"] + (["policy_iteration"] if process.states <= 1_000 else [])
    for method in methods:
        problem.solve(method=method, epsilon=1e-3)
        result, seconds = timed(lambda: problem.solve(method=method, epsilon=1e-9))  # noqa: B023
        count, most = outside(enclosure, np.asarray(result.v))
        answer = "1e-9 asked for" if method.startswith("mod") else "floats"
        name = f"QuantEcon {method.replace('_', ' ')}"
        row(f"{process.states:,}", name, f"{seconds:.2f}", f"{seconds / ours:.1f}", answer, f"{count:,} ({most:.0e})")


def _beside_storm(process: Process, enclosure: Enclosure, ours: float, *, has_exact: bool) -> None:
    try:
        import stormpy  # noqa: F401
    except ImportError:
        return
    model = process.storm(exact=False)
    states = range(process.states)
    for method in ("default", "sound", "optimistic"):
        result, seconds = timed(lambda: storm_answer(model, method))  # noqa: B023
        values = np.array([result.get_value(state) for state in states])
        count, most = outside(enclosure, values)
        beyond = f"{count:,} ({most:.0e})"
        row(
            f"{process.states:,}",
            f"Storm {method}",
            f"{seconds:.2f}",
            f"{seconds / ours:.1f}",
            "1e-9 asked for",
            beyond,
        )
    if has_exact:
        model = process.storm(exact=True)
        result, seconds = timed(lambda: storm_answer(model, "exact"))
        bad = sum(Fraction(str(result.get_value(state))) not in enclosure.interval(state) for state in states)
        row(f"{process.states:,}", "Storm exact", f"{seconds:.2f}", f"{seconds / ours:.1f}", "exact", bad)


# ---------------------------------------------------------------- pig


def pig(targets: list[int], exact_target: int | None) -> None:
    print("\n## Pig: two players, one die, loops through every turn\n")
    row("target", "what", "CPU s", "answer")
    row(*["---"] * 4)
    for target in targets:
        game = es.games.Pig(target)
        budget = Budget()
        question = Question()
        solve_enclosed(game, game.position(), question, "interval", symmetry=True, budget=budget)
        source, seconds = timed(
            lambda: solve_enclosed(game, game.position(), question, "interval", symmetry=True, budget=budget)  # noqa: B023
        )
        _, alone = timed(lambda: enclose_values(source.table.enclosure.arena))  # noqa: B023
        row(
            target, "intervals of all positions", f"{seconds:.2f}, {alone:.2f} of it without exploring", _proven(source)
        )
    if exact_target is not None:
        game = es.games.Pig(exact_target)
        # Exact values are found when they are asked for, so that belongs to the time.
        value, seconds = timed(
            lambda: solve_enclosed(game, game.position(), Question(), "exact", symmetry=True, budget=Budget()).value(
                game.position()
            )[0]
        )
        assert isinstance(value, Fraction)
        chance = (value + 1) / 2
        answer = f"chance to win {float(chance):.15f}, denominator of {chance.denominator.bit_length():,} bits"
        row(exact_target, "exact fraction at the start", f"{seconds:.1f}", answer)
    for target in (5, 10, 20):
        solution, seconds = timed(lambda: es.solve(es.games.Pig(target), engine="plain"))  # noqa: B023
        row(target, "exact values of all positions", f"{seconds:.2f}", solution.value()["first"])


def _proven(source: Source) -> str:
    enclosure = source.table.enclosure
    first = source.value(source.table.arrays.rules.game.position())[0]
    assert isinstance(first, Interval)
    low, high = float((first.lower + 1) / 2), float((first.upper + 1) / 2)
    return (
        f"chance to win [{low:.16f}, {high:.16f}], widest interval {float(enclosure.width) / 2:.1e},"
        f" {enclosure.single:,} of {enclosure.decisions:,} decisions proven"
    )


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--quick", action="store_true", help="only the small cases")
    options.add_argument("--only", choices=["processes", "pig"])
    asked = options.parse_args()
    quick = asked.quick
    print(f"Python {sys.version.split()[0]}, endsight {es.__version__}")
    if asked.only != "pig":
        processes([200, 1_000] if quick else [200, 1_000, 10_000, 100_000], [200] if quick else [200, 1_000])
    if asked.only != "processes":
        pig([20] if quick else [20, 100], None if quick else 100)


if __name__ == "__main__":
    main()
