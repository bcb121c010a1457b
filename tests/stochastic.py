"""Random games of chance with loops anywhere, from a seed: for tests that want thousands of them."""

from __future__ import annotations

import random
from fractions import Fraction

import numpy as np

from endsight import CHANCE, Game
from endsight.algorithms.arena import Arena
from endsight.algorithms.deflation_kernels import first_unsure
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


def chain(length: int, exit_weight: int, stay_weight: int, gain: int = 0) -> Arena:
    """A walk that leaves each of `length` states, one after the other, by chance; every step brings `gain`."""
    offsets, successors, weights = [0], [], []
    for state in range(length):
        successors += [state, state + 1]
        weights += [stay_weight, exit_weight]
        offsets.append(len(successors))
    offsets.append(len(successors))
    return Arena.of(offsets, successors, weights, [0] * (length + 1), [gain] * len(successors), [0] * length + [1])


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
