"""Checks `nim_sum`: the exclusive or of the heaps, or how many are left once none has more than one object."""

from __future__ import annotations

from fractions import Fraction
from functools import reduce
from operator import xor

from endsight.checkers import Asked, demand, worth
from endsight.game import Position


def settle(position: Position, asked: Asked) -> tuple[Fraction, ...]:
    """Who wins: the player to move where the sum is not 0; at the end of a game lost by the last object, by parity."""
    demand(asked.objective == "competitive" and not asked.fixed, "the nim sum is about free rivals")
    heaps = position.game.heaps_of(position.state)  # type: ignore[attr-defined]
    wins = reduce(xor, heaps, 0) != 0
    if position.game.values()["misere"] and max(heaps, default=0) < 2:
        wins = sum(heaps) % 2 == 0
    values = (1, -1) if wins == (position.mover == 0) else (-1, 1)
    return worth(values, asked.utility) if asked.utility != "payoff" else (Fraction(values[0]), Fraction(values[1]))
