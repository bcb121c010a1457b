"""Nim. `nim_sum`: the exclusive or of the heaps, or how many are left once none has more than one object."""

from __future__ import annotations

from fractions import Fraction
from functools import reduce
from operator import xor

from endsight.game import Position
from endsight.verifier.checkers import demand_free_rivals, worth
from endsight.verifier.claims import Claim


def nim_sum(position: Position, claim: Claim) -> tuple[Fraction, ...]:
    """Who wins: the player to move where the sum is not 0; at the end of a game lost by the last object, by parity."""
    demand_free_rivals(claim)
    heaps = position.game.heaps_of(position.state)  # type: ignore[attr-defined]
    wins = reduce(xor, heaps, 0) != 0
    if position.game.values()["misere"] and max(heaps, default=0) < 2:
        wins = sum(heaps) % 2 == 0
    return worth((1, -1) if wins == (position.mover == 0) else (-1, 1), claim.utility)
