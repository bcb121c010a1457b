"""Random games of chance with loops anywhere, from a seed: for tests that want thousands of them."""

from __future__ import annotations

import random
import sys
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pytest

from endsight import CHANCE, Game, Limits, Question
from endsight.algorithms.action_elimination import exact_at
from endsight.algorithms.arena import Arena, Structure
from endsight.algorithms.chain_elimination import exact_by_elimination
from endsight.algorithms.deflation_kernels import first_unsure
from endsight.algorithms.end_components import collapse
from endsight.algorithms.exact_policy_iteration import exact_values
from endsight.algorithms.interval_iteration import enclose_values
from endsight.algorithms.policy_iteration import policy_iteration
from endsight.base.machine import memory_in_use
from endsight.game.limits import Budget
from endsight.game.numbers import Number
from endsight.graph.explorer import explore
from endsight.graph.judgement import judge
from strategies import MoverGraph, MoverRewards

PAYOFFS = (-2, -1, -1, 0, 0, 1, 1, 2, Fraction(1, 2), Fraction(-2, 3))


def random_game(seed: int, *, stopping: bool = False) -> MoverGraph:
    """Up to four decisions of one or two players, up to three dice, one to three ends.

    Edges lead anywhere, so play may be able to go on for ever; with `stopping` every die
    may end the game, only dice lead back, and moves bring rewards half of the time.
    """
    draw = random.Random(seed)
    seats = draw.randint(1, 2)
    decisions, dice, ends = draw.randint(1, 4), draw.randint(1, 3), draw.randint(1, 3)
    first_end = decisions + dice
    nodes = first_end + ends
    successors: list[tuple[int, ...]] = []
    for node in range(decisions):
        lowest = node + 1 if stopping else 0
        successors.append(tuple(draw.randrange(lowest, nodes) for _ in range(draw.randint(1, 2))))
    for _ in range(dice):
        ways = [draw.randrange(nodes) for _ in range(draw.randint(1, 3))]
        successors.append(tuple([*ways, draw.randrange(first_end, nodes)] if stopping else ways))
    successors += [()] * ends
    movers = tuple([draw.randrange(seats) for _ in range(decisions)] + [CHANCE] * dice + [0] * ends)
    payoffs = tuple((amount, -amount)[:seats] for amount in draw.choices(PAYOFFS, k=nodes))
    weights = tuple(tuple(draw.randint(1, 4) for _ in ways) for ways in successors)
    if not (stopping and draw.random() < 0.5):
        return MoverGraph(tuple(successors), payoffs, seats, movers, weights)
    gains = tuple(tuple((g, -g)[:seats] for g in draw.choices(PAYOFFS, k=len(ways))) for ways in successors)
    return MoverRewards(tuple(successors), payoffs, seats, movers, weights, gains)


def decision_process(
    states: int, *, actions: int = 4, outcomes: int = 8, exit_share: float = 0.01, players: int = 1, seed: int = 0
) -> Arena:
    """Random decisions with random outcomes; every outcome may leave for one of three ends paying -1, 0, 1."""
    draw = random.Random(seed)
    dice = states * actions
    offsets, successors, weights = [0], [], []
    for state in range(states):
        successors += range(states + state * actions, states + (state + 1) * actions)
        weights += [1] * actions
        offsets.append(len(successors))
    for _ in range(dice):
        shares = [draw.randint(1, 100) for _ in range(outcomes)]
        successors += [draw.randrange(states) for _ in shares] + [states + dice + draw.randrange(3)]
        weights += [*shares, max(1, round(sum(shares) * exit_share * draw.uniform(1, 3)))]
        offsets.append(len(successors))
    offsets += [len(successors)] * 3
    signs = [draw.choice((1, -1)) if players == 2 else 1 for _ in range(states)]
    return Arena.of(offsets, successors, weights, signs + [0] * (dice + 3), None, [0] * (states + dice) + [-1, 0, 1])


def first_unsure_of_two_who_wait(kept: list[int], bounds: list[list[int]], times: list[list[int]]) -> int:
    """The first node whose bounds are not proven by moves kept and times to the way out; the number of nodes if none.

    0 (wants more) leaves for an end worth 1 or goes to 1; 1 (wants less) leaves for one worth 2 or goes back; endless
    play is worth 0. Bounds are in whole numbers; moves are kept by node and end, -1 for none.
    """
    arena, unit = Arena.of([0, 2, 4, 4, 4], [2, 1, 3, 0], None, [1, -1, 0, 0], None, [0, 0, 1, 2]), 1 << 20
    told = arena.payoffs * unit, np.array(bounds).reshape(-1) * unit, np.array(times).reshape(-1), np.array(kept)
    return int(first_unsure(arena.record, *told, len(arena), 0, 0))


def chain(length: int, exit_weight: int, stay_weight: int, gain: int = 0, end: int = 1) -> Arena:
    """A walk that leaves each of `length` states, one after the other, by chance; every step brings `gain`."""
    offsets, successors, weights = [0], [], []
    for state in range(length):
        successors += [state, state + 1] if stay_weight else [state + 1]
        weights += [stay_weight, exit_weight] if stay_weight else [exit_weight]
        offsets.append(len(successors))
    offsets.append(len(successors))
    gains = [gain] * len(successors) if gain else None
    return Arena.of(offsets, successors, weights, [0] * (length + 1), gains, [0] * length + [end])


def random_walk(size: int, up: int, down: int) -> Arena:
    """A gambler who wins or loses one at a time, with such weights, up to nothing or `size`, which pays 1."""
    offsets = [0, 0, *range(2, 2 * size - 1, 2), 2 * size - 2]
    successors = [child for state in range(1, size) for child in (state - 1, state + 1)]
    return Arena.of(offsets, successors, [down, up] * (size - 1), [0] * (size + 1), None, [0] * size + [1])


# ---------------------------------------------------------------------- what single algorithms find


def exact_amounts(arena: Arena) -> Sequence[Number]:
    """The values of all nodes, by policy iteration."""
    return exact_values(arena)[0]


def exact_along_play(arena: Arena, nodes: list[int], *, proven_moves: bool) -> dict[int, Number]:
    """The values of some nodes along moves that bounds leave open, or along any."""
    enclosure = enclose_values(arena)
    assert enclosure is not None
    verdicts = enclosure.verdicts if proven_moves else np.ones_like(enclosure.verdicts)
    return dict(exact_at(arena, verdicts, np.array(nodes), Budget()))


def exact_by_dropping_nodes(arena: Arena) -> dict[int, Number]:
    """The value of the first node, where chance alone decides, by dropping one node after the other."""
    return dict(exact_by_elimination(arena, [0]))


def ends_once_collapsed(game: Game) -> bool | None:
    """Whether play surely ends once loops without pay are left out; None where there is no value or such play pays."""
    view, graph = explore(game, game.position())
    if judge(graph, view) is not None or (collapsed := collapse(graph)).endless:
        return None
    arena = collapsed.arena
    return bool(Structure.of(arena).ends)


def solve_loops_within(game: Game, memory: int) -> None:
    """Solve the game with so much more memory than it takes to explore it."""
    _, graph = explore(game, game.position(), Question(), symmetry=True, budget=Budget())
    policy_iteration(graph, "auto", Budget(Limits(memory=memory_in_use() + memory)))


def looks_at_limits(patch: pytest.MonkeyPatch) -> tuple[list[tuple[str, int]], list[tuple[int, int]]]:
    """From where limits are looked at from now on, with how many states; and which parts of the work were done."""
    lines: list[tuple[str, int]] = []
    parts: list[tuple[int, int]] = []

    def note(_: Budget, states: int, doing: str, part: tuple[int, int] | None = None) -> None:
        frame = sys._getframe(1)
        frame = frame.f_back if frame.f_code.co_name == "watched" and frame.f_back else frame
        lines.append((frame.f_code.co_name, states))
        parts.extend([part] if part else [])

    patch.setattr(Budget, "glance", note)
    return lines, parts


# ---------------------------------------------------------------------- more games


def forward_game(seed: int, *, rewards: bool) -> Game:
    """Up to thirty nodes whose edges lead on, with weights and payoffs of any sign and size."""
    draw = random.Random(seed)
    nodes, seats = draw.randint(2, 30), draw.randint(1, 2)
    ways = tuple(
        tuple(draw.randrange(node + 1, nodes) for _ in range(draw.randint(1, 4))) if node < nodes - 1 else ()
        for node in range(nodes)
    )
    movers = (*(draw.choice((CHANCE, *range(seats))) for _ in range(nodes - 1)), 0)
    pays = tuple(tuple(draw.choice((*PAYOFFS, 10**12)) for _ in range(seats)) for _ in range(nodes))
    weights = tuple(tuple(draw.choice((1, 2, 7, 10**9)) for _ in row) for row in ways)
    if not rewards:
        return MoverGraph(ways, pays, seats, movers, weights)
    gains = tuple(tuple(tuple(draw.choice(PAYOFFS) for _ in range(seats)) for _ in row) for row in ways)
    return MoverRewards(ways, pays, seats, movers, weights, gains)
