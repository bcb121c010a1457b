"""Pots in a line: `stack_reduction`, `cooperative_rounds` and `greedy_ends`."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

from endsight.game import Position
from endsight.verifier.checkers import demand, demand_free_rivals, worth
from endsight.verifier.claims import Claim


def stack_reduction(position: Position, claim: Claim) -> tuple[Fraction, ...]:
    """Shrinks the line to a valley and takes that apart in falling order: both after their own gold."""
    demand_free_rivals(claim)
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
    return worth((position.so_far[0] + gold[0], position.so_far[1] + gold[1]), claim.utility)


def cooperative_rounds(position: Position, claim: Claim) -> tuple[Fraction, ...]:
    """Backward induction over all stretches of the line, one length after the other: both want the first's gold."""
    demand(claim.objective == "cooperative" and not claim.fixed, "this is about players who cooperate freely")
    pots = position.game.values()["pots"][position.state.left : position.state.right]
    count = len(pots)
    # most[i] is the first player's most gold from the `length` pots from number i on.
    most = [0] * (count + 1)
    for length in range(1, count + 1):
        if (count - length) % 2 == position.mover:  # the first player is to move
            ends = zip(pots, pots[length - 1 :], pairwise(most), strict=False)
            most = [max(left + after, right + before) for left, right, (before, after) in ends]
        else:
            most = [max(pair) for pair in pairwise(most)]
    first = position.so_far[0] + most[0]
    return worth((first, sum(position.so_far) + sum(pots) - first), claim.utility)


def greedy_ends(position: Position, claim: Claim) -> tuple[Fraction, ...]:
    """Plays the one line that both are bound to; `bigger` takes the right end of equal ones, `smaller` the left."""
    rules = [claim.fixed.get(name) for name in position.game.player_names]
    demand(all(rule in ("bigger", "smaller") for rule in rules), "both must be bound to the bigger or the smaller end")
    pots = position.game.values()["pots"]
    left, right = position.state
    gold, mover = list(position.so_far), position.mover
    while left < right:
        takes_right = (pots[right - 1] >= pots[left]) == (rules[mover] == "bigger")
        gold[mover] += pots[right - 1] if takes_right else pots[left]
        left, right = (left, right - 1) if takes_right else (left + 1, right)
        mover = 1 - mover
    return worth((gold[0], gold[1]), claim.utility)
