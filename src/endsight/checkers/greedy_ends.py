"""Checks `greedy_ends`: plays the one line that both players are bound to."""

from __future__ import annotations

from fractions import Fraction

from endsight.checkers import Asked, demand, worth
from endsight.game import Position


def settle(position: Position, asked: Asked) -> tuple[Fraction, ...]:
    """Value of the whole game per player; `bigger` takes the right end of equal ones, `smaller` the left."""
    rules = [asked.fixed.get(player) for player in (0, 1)]
    demand(set(rules) <= {"bigger", "smaller"}, "both players must be bound to the bigger or the smaller end")
    pots = position.game.values()["pots"]
    left, right = position.state
    gold, mover = list(position.so_far), position.mover
    while left < right:
        takes_right = (pots[right - 1] >= pots[left]) == (rules[mover] == "bigger")
        gold[mover] += pots[right - 1] if takes_right else pots[left]
        left, right = (left, right - 1) if takes_right else (left + 1, right)
        mover = 1 - mover
    return worth((gold[0], gold[1]), asked.utility)
