"""All values that backward induction may find, depending on how ties are broken."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import prod
from operator import add

from endsight.game.numbers import average
from endsight.verifier.walk import Walk

_MOST = 200
"""Distinct values of one state, and combinations of what follows chance, that are listed at most."""


def tie_outcomes(walk: Walk) -> list[tuple[Fraction, ...]] | None:
    """Whole-game values of all players for each way ties may be broken (or more); None where these are too many.

    `walk` holds all states of a game without loops.
    """
    order, view = walk.order(), walk.view
    assert order is not None, "only games without loops have values by backward induction"
    found: dict[int, set[tuple[Fraction, ...]]] = {}
    for node in reversed(order):
        edges = walk.edges[node]
        nothing = (0,) * view.players
        ahead = [{tuple(map(add, values, gain or nothing)) for values in found[child]} for child, gain in edges]
        if not edges:
            found[node] = {tuple(map(Fraction, walk.amounts[node]))}
        elif weights := walk.dice.get(node):
            if prod(map(len, ahead)) > _MOST:
                return None
            found[node] = {_mean(weights, combined) for combined in product(*ahead)}
        else:
            target, sign = view.interests[walk.nodes[node][1]]
            # A move may be taken unless another move is certainly better.
            least = max(min(sign * values[target] for values in every) for every in ahead)
            found[node] = {values for every in ahead for values in every if sign * values[target] >= least}
        if len(found[node]) > _MOST:
            return None
    return [tuple(Fraction(a + b) for a, b in zip(values, view.carried(), strict=True)) for values in found[0]]


def _mean(weights: list[int], combined: tuple[tuple[Fraction, ...], ...]) -> tuple[Fraction, ...]:
    return tuple(Fraction(average(weights, column)) for column in zip(*combined, strict=True))
