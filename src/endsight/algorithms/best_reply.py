"""Best replies to plans, in whole numbers: the proof that two plans give about the value of a game.

A plan is written in whole numbers: a mass for every sequence, which each information set splits among its moves. The
other player's gain against it at every sequence is a sum of payoffs; folded from the last information sets to the
first, with the best move at each, it gives the worth of a best reply. One best reply to each plan encloses the value of
the game, whatever the plans are, and proves it where the two ends meet.

Machine words serve where no sum can exceed them: every sum is at most the sum of all amounts times the total of the
plan. Beyond that the same steps run in Python's unbounded numbers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd
from typing import Any

import numpy as np

from endsight.algorithms.loops import loops_for, plain_loop
from endsight.algorithms.regret_kernels import reply
from endsight.algorithms.tree_arrays import tree_of, word_bits_left
from endsight.algorithms.treeplex import InformationSets, Treeplex
from endsight.game.numbers import reduced


@dataclass(frozen=True)
class SequencePlan:
    """A player's plan over sequences: `masses` / `total` is the chance that the player's own moves give each of them.

    Whole numbers, 0 or more; that of the empty sequence is `total`, and each information set splits the mass of the
    sequence before it.
    """

    masses: Sequence[int]
    total: int


def bounds(sets: InformationSets, first: SequencePlan, second: SequencePlan) -> tuple[Fraction, Fraction]:
    """Proven ends of the value to the first player: the least that `first`, and the most that `second`, lets happen.

    The value is that of `sets.payoffs`, so of the whole game from its start. Raises `ValueError` for what is no plan.
    """
    for side, plan in zip(sets.sides, (first, second), strict=True):
        if not is_plan(side, plan):
            raise ValueError("the masses are not a plan")
    return secured(sets, 0, first), secured(sets, 1, second)


def secured(sets: InformationSets, player: int, plan: SequencePlan) -> Fraction:
    """The first player's result, from the start of the whole game, where the other replies best to a plan."""
    worth = reply_values(sets, player, plan)[0]
    return reduced(worth if player else -worth, plan.total * sets.scale)


def is_plan(side: Treeplex, plan: SequencePlan) -> bool:
    """Whether whole numbers are a plan of that player."""
    masses = plan.masses
    if plan.total < 1 or len(masses) != side.sequences or masses[0] != plan.total or min(masses) < 0:
        return False
    splits = zip(side.parent, side.first, side.count, strict=True)
    return all(sum(masses[first : first + count]) == masses[parent] for parent, first, count in splits)


def reply_values(sets: InformationSets, player: int, plan: SequencePlan) -> list[int]:
    """The worth of every sequence of the other player, to that player, if they reply best to a plan from there on.

    In units of 1 / (plan.total x sets.scale), of the payoffs without their constant sum. Entry 0 is the worth of the
    whole reply; the best moves of an information set are those whose sequences are worth most.
    """
    is_short = plan.total.bit_length() <= word_bits_left(sets.payoffs)
    kind = np.int64 if is_short else object
    rows = [np.asarray(row, np.int64) for row in (sets.payoffs.first, sets.payoffs.second)]
    other = 1 - player
    values = np.zeros(sets.sides[other].sequences, kind)
    amounts = np.asarray(sets.payoffs.amounts, kind) * (1 if player else -1)
    np.add.at(values, rows[other], amounts * np.asarray(plan.masses, kind)[rows[player]])
    loop = loops_for(len(values), kernels=(reply,))["reply"] if is_short else plain_loop(reply)
    loop(tree_of(sets.sides[other]), values)
    integers: list[int] = values.tolist()
    return integers


def plan_certificates(sets: InformationSets, plans: tuple[SequencePlan, SequencePlan]) -> Mapping[str, Any]:
    """The total and the masses of both players' plans, by `first` and `second`, without a common factor.

    Masses are those of all moves of the information sets that the plan reaches and that have several moves, in the
    order in which the walk found the sets.
    """
    names = ("first", "second")
    return {name: _masses(side, plan) for name, side, plan in zip(names, sets.sides, plans, strict=True)}


def _masses(side: Treeplex, plan: SequencePlan) -> dict[str, Any]:
    masses = list(map(int, plan.masses))
    decisions = [number for number in range(len(side)) if side.count[number] > 1 and masses[side.parent[number]]]
    kept = [masses[sequence] for number in decisions for sequence in side.after(number)]
    common = gcd(plan.total, *kept)
    return {"total": plan.total // common, "masses": [mass // common for mass in kept]}


# Plans in whole numbers near masses that are no exact plan: floats, or numbers that do not quite add up.


# Floats are taken as whole numbers over two to this power.
_FLOAT_BITS = 60


def rounded_plan(side: Treeplex, weights: Sequence[float] | Sequence[int], bits: int = 50) -> SequencePlan:
    """A plan over 2^bits: every set splits the mass before it in proportion to its weights, negative ones taken as 0.

    The rest from rounding goes to the largest weight; sets without weights split evenly. So it is a plan exactly,
    whatever the weights are.
    """
    total = 1 << bits
    masses = [total] + [0] * (side.sequences - 1)
    for number, parent in enumerate(side.parent):
        if masses[parent]:
            own = side.after(number)
            masses[own.start : own.stop] = split(masses[parent], weights[own.start : own.stop])
    return SequencePlan(masses, total)


def split(mass: int, weights: Sequence[float] | Sequence[int]) -> list[int]:
    """The mass in whole parts in proportion to the weights."""
    whole = [_whole(weight) for weight in weights]
    total = sum(whole)
    whole, total = (whole, total) if total else ([1] * len(whole), len(whole))
    parts = [mass * weight // total for weight in whole]
    parts[whole.index(max(whole))] += mass - sum(parts)
    return parts


def _whole(weight: float) -> int:
    if weight <= 0:
        return 0
    return weight if isinstance(weight, int) else int(weight * (1 << _FLOAT_BITS))
