"""Checks `cooperative_rounds`: backward induction over all stretches of the line, one length after the other."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

from endsight.checkers import Asked, demand, worth
from endsight.game import Position


def settle(position: Position, asked: Asked) -> tuple[Fraction, ...]:
    """Value of the whole game per player when both want the first player's gold."""
    demand(asked.objective == "cooperative" and not asked.fixed, "this is about players who cooperate freely")
    pots = position.game.values()["pots"][position.state.left : position.state.right]
    count = len(pots)
    # most[i] is the first player's most gold from the `length` pots from number i on.
    most = [0] * (count + 1)
    for length in range(1, count + 1):
        if (count - length) % 2 == position.mover:  # the first player is to move
            most = [
                max(left + after, right + before)
                for left, right, before, after in zip(pots, pots[length - 1 :], most, most[1:], strict=False)
            ]
        else:
            most = [max(before, after) for before, after in pairwise(most)]
    first = position.so_far[0] + most[0]
    return worth((first, sum(position.so_far) + sum(pots) - first), asked.utility)
