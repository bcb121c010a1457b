"""Best replies to plans, in whole numbers: the proof that two plans give about the value of a game.

A plan is written in whole numbers: a mass for every sequence, which each information set splits among its moves. The
other player's gain against it at every sequence is a sum of payoffs; folded from the last information sets to the
first, with the best move at each, it gives the worth of a best reply. One best reply to each plan encloses the value of
the game, whatever the plans are, and proves it where the two ends meet.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from endsight.algorithms.treeplex import InformationSets, Treeplex
from endsight.game.numbers import reduced


@dataclass(frozen=True)
class Plan:
    """A player's plan over sequences: `masses` / `total` is the chance that the player's own moves give each of them.

    Whole numbers, 0 or more; that of the empty sequence is `total`, and each information set splits the mass of the
    sequence before it.
    """

    masses: Sequence[int]
    total: int


def bounds(sets: InformationSets, first: Plan, second: Plan) -> tuple[Fraction, Fraction]:
    """Proven ends of the value to the first player: the least that `first`, and the most that `second`, lets happen.

    The value is that of `sets.payoffs`, so of the whole game from its start. Raises `ValueError` for what is no plan.
    """
    for side, plan in zip(sets.sides, (first, second), strict=True):
        if not is_plan(side, plan):
            raise ValueError("the masses are not a plan")
    return secured(sets, 0, first), secured(sets, 1, second)


def secured(sets: InformationSets, player: int, plan: Plan) -> Fraction:
    """The first player's result, from the start of the whole game, where the other replies best to a plan."""
    best = min if player == 0 else max
    paid = reply_values(sets.sides[1 - player], paid_by(sets, player, plan), best)[0]
    return reduced(paid, plan.total * sets.scale)


def is_plan(side: Treeplex, plan: Plan) -> bool:
    """Whether whole numbers are a plan of that player."""
    masses = plan.masses
    if plan.total < 1 or len(masses) != side.sequences or masses[0] != plan.total or min(masses) < 0:
        return False
    splits = zip(side.parent, side.first, side.count, strict=True)
    return all(sum(masses[first : first + count]) == masses[parent] for parent, first, count in splits)


def paid_by(sets: InformationSets, player: int, plan: Plan) -> list[int]:
    """For every sequence of the other player, the first player's payoff from ends there against the plan of `player`.

    In units of 1 / (plan.total x sets.scale), without sets that come later.
    """
    masses, paid = plan.masses, [0] * sets.sides[1 - player].sequences
    if player == 0:
        for mine, yours, amount in sets.payoffs:
            if masses[mine]:
                paid[yours] += amount * masses[mine]
    else:
        for mine, yours, amount in sets.payoffs:
            if masses[yours]:
                paid[mine] += amount * masses[yours]
    return paid


def reply_values(side: Treeplex, paid: Sequence[int], best: Callable[[Sequence[int]], int]) -> list[int]:
    """The worth of every sequence to the first player if the side's owner replies best from there on.

    `paid` is the result of `paid_by` for the other's plan, in units that stay the same. `best` is `max` for the first
    player and `min` for the second. Entry 0 is the worth of the whole reply; the best moves of an information set are
    those whose sequences are worth the `best` of them.
    """
    values = list(paid)
    for number in range(len(side) - 1, -1, -1):
        first = side.first[number]
        values[side.parent[number]] += best(values[first : first + side.count[number]])
    return values
