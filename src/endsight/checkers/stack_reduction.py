"""Checks `stack_reduction`: shrinks the line to a valley and takes that apart in falling order."""

from __future__ import annotations

from fractions import Fraction

from endsight.checkers import Asked, demand, worth
from endsight.game import Position


def settle(position: Position, asked: Asked) -> tuple[Fraction, ...]:
    """Value of the whole game per player, both after their own gold (or the lead, or the win)."""
    demand(asked.objective == "competitive" and not asked.fixed, "the stack reduction is about free rivals")
    pots = position.game.values()["pots"][position.state.left : position.state.right]
    line: list[int] = []
    for gold in pots:
        line.append(gold)
        while len(line) > 2 and line[-3] <= line[-2] >= line[-1]:
            line[-3:] = [line[-3] - line[-2] + line[-1]]
    valley = sorted(line, reverse=True)
    lead = sum(valley[::2]) - sum(valley[1::2])
    gold = [Fraction(sum(pots) - lead, 2)] * 2
    gold[position.mover] += lead
    return worth((position.so_far[0] + gold[0], position.so_far[1] + gold[1]), asked.utility)
