"""Discounted games as games that may stop: the discount after a move becomes the chance that play continues.

After every edge that discounts, chance stops play with the rest of the discount, and a stop pays nothing (Shapley,
"Stochastic games", 1953: the two have the same values). So nothing else need handle discounts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import chain, count, pairwise
from typing import Any

from endsight.game import CHANCE
from endsight.game.derived import discount_of
from endsight.game.numbers import Number
from endsight.graph.graph import Graph
from endsight.graph.objective import View


def discounts_of(view: View, keys: Sequence[Any], offsets: Sequence[int]) -> list[Number]:
    """The factor on everything after each edge, for nodes with these keys; after chance it is 1.

    Raises `RulesError` where the rules' `discount` is invalid.
    """
    discount = discount_of(view.game)
    counted = (1 if view.split(key)[1] == CHANCE else discount for key in keys[: len(offsets) - 1])
    widths = (last - first for first, last in pairwise(offsets))
    return [each for each, width in zip(counted, widths, strict=True) for _ in range(width)]


def without_discount(graph: Graph) -> Graph:
    """The same game with chances to stop in place of `graph.discounts`, where it has any.

    Nodes and edges of `graph` keep their numbers and their gains; nodes where chance may stop play come after them,
    and the stop is the last. The graph must keep players apart by number.
    """
    if graph.discounts is None:
        return graph
    assert not graph.alternating, "players are kept apart by number"
    size, edges = len(graph), len(graph.successors)
    ways = list(zip(graph.successors, graph.discounts, strict=True))
    after = dict(zip(dict.fromkeys(way for way in ways if way[1] != 1), count(size)))
    stop = size + len(after)
    going_on = [after.get(way, way[0]) for way in ways]
    weights = [1] * edges if graph.weights is None else list(graph.weights)
    weights += chain.from_iterable(_chances(discount) for _, discount in after)
    rewards = None if graph.rewards is None else [*graph.rewards, *[None] * (2 * len(after))]
    names = [*(("goes on", child) for child, _ in after), ("stops",)]
    return replace(
        graph,
        keys=[*graph.keys, *names],
        offsets=[*graph.offsets, *(edges + 2 * number for number in range(1, len(after) + 1)), edges + 2 * len(after)],
        successors=[*going_on, *chain.from_iterable((child, stop) for child, _ in after)],
        moves=[*graph.moves, *["goes on", "stops"] * len(after)],
        movers=[*graph.movers, *[CHANCE] * len(after), 0],
        weights=weights,
        rewards=rewards,
        payoffs=[*graph.payoffs, *[None] * len(after), (0,) * graph.players],
        is_win_loss=False,
        discounts=None,
    )


def _chances(discount: Number) -> tuple[int, int]:
    """Whole weights for continuing and for stopping."""
    exact = Fraction(discount)
    return exact.numerator, exact.denominator - exact.numerator
