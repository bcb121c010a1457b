"""Heights on which every move falls in the mean, for large parts of a game with chance.

They are guessed in floats and checked exactly. Every gain is increased by a little slack, and the most that is then
gained in the mean by moving about and stopping at will is found roughly (R. Howard, *Dynamic Programming and Markov
Processes*, 1960). Rounded to whole multiples of a
fraction of the slack, these heights fall with every move by more than it gains, unless the guess was bad: exact
arithmetic decides that, move by move. So whatever players do, each round of a loop costs something in the mean. Nodes
between which play can continue for nothing have one height, and moves between them stay level.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import accumulate
from math import isfinite
from typing import TYPE_CHECKING, NamedTuple

from endsight.base.deferred import deferred
from endsight.game.numbers import Number
from endsight.graph.graph import Graph
from endsight.graph.mean_heights import kept_among, ways_within, worth_of

if TYPE_CHECKING:
    from endsight.algorithms.float_policy_iteration import Floats, Indices

with deferred(__name__):
    from endsight.algorithms.float_policy_iteration import FloatGame


SLACKS = tuple(Fraction(1, 1 << places) for places in (4, 10, 18))
"""The slack added to every gain, as shares of the largest."""
_ROUNDS, _FINER, _PRECISION = 60, 16, 1e-12
"""Improvements of a policy, how much finer than the slack heights are rounded, and how precisely systems are solved."""


class _Way(NamedTuple):
    """A relevant choice at a node: its edges, all of them where chance decides."""

    node: int
    edges: Sequence[int]


def falling_heights(graph: Graph, part: Sequence[int], gains: Sequence[Number]) -> dict[int, Number] | None:
    """Heights of the nodes of an end component that fall by more than each way on gains; None where none were found.

    `gains` has the gain on every edge, as in `mean_heights`. None says nothing about the component: its loops may gain
    something in the mean, or nothing, or so little less than nothing that floats cannot tell.
    """
    home = _free_homes(graph, part, gains)
    ways = list(_ways(graph, part, gains, home))
    most = max(abs(Fraction(gains[edge])) for way in ways for edge in way.edges)
    for slack in (share * most for share in SLACKS):
        rough = _guessed(*_float_game(graph, ways, gains, home, float(slack)))
        if rough is None:
            continue
        unit = slack / _FINER
        heights: dict[int, Number] = {node: round(rough[home[node]] / float(unit)) * unit for node in part}
        if all(worth_of(graph, edges, heights, gains) < heights[node] for node, edges in ways):
            return heights
    return None


def _free_homes(graph: Graph, part: Sequence[int], gains: Sequence[Number]) -> dict[int, int]:
    """For every node a number that it shares with the nodes between which play can continue for nothing."""
    inside = set(part)
    free = {
        node: [edge for way in ways_within(graph, node, inside) if not any(gains[e] for e in way) for edge in way]
        for node in part
    }
    home = {node: number for number, node in enumerate(part)}
    for group in kept_among(graph, free):
        home |= dict.fromkeys(group, home[group[0]])
    numbers = {old: new for new, old in enumerate(dict.fromkeys(home.values()))}
    return {node: numbers[old] for node, old in home.items()}


def _ways(graph: Graph, part: Sequence[int], gains: Sequence[Number], home: dict[int, int]) -> Iterator[_Way]:
    """All ways on except those for nothing between nodes of one number."""
    inside = set(part)
    for node in part:
        for edges in ways_within(graph, node, inside):
            if any(gains[edge] or home[graph.successors[edge]] != home[node] for edge in edges):
                yield _Way(node, edges)


def _guessed(game: FloatGame, stops: Indices) -> Floats | None:
    """Roughly the most gained from every node by moving about and stopping; None where that seems to have no limit."""
    choices, values = stops.copy(), game.gains[stops] * 0
    for _ in range(_ROUNDS):
        if not _leads_out(game, choices):
            return None
        values = game.evaluate(choices, values, _PRECISION)
        if not all(map(isfinite, values.tolist())):
            return None
        if not game.improve(choices, values, 1):
            return values
    return None


def _leads_out(game: FloatGame, choices: Indices) -> bool:
    """Whether play stops with some chance, wherever it is."""
    chosen, is_chance = {*choices.tolist()}, (game.signs == 0).tolist()
    before: list[list[int]] = [[] for _ in range(game.size + 1)]
    for edge, (source, target) in enumerate(zip(game.sources.tolist(), game.successors.tolist(), strict=True)):
        if edge in chosen or is_chance[source]:
            before[target].append(source)
    stopping, waiting = {game.size}, [game.size]
    for node in waiting:  # the list grows
        more = {*before[node]} - stopping
        stopping |= more
        waiting += more
    return len(stopping) > game.size


def _float_game(
    graph: Graph, ways: Sequence[_Way], gains: Sequence[Number], home: dict[int, int], slack: float
) -> tuple[FloatGame, Indices]:
    """The numbers of `home` as decisions in floats, each with the edge by which it stops; then ways of chance."""
    import numpy as np

    decisions = max(home.values()) + 1
    edges: list[list[tuple[int, float, float]]] = [[] for _ in range(decisions)]
    for node, way in ways:
        weights = [1 if graph.weights is None or len(way) == 1 else graph.weights[edge] for edge in way]
        after = [
            (home[graph.successors[edge]], weight / sum(weights), float(gains[edge]) + slack)
            for edge, weight in zip(way, weights, strict=True)
        ]
        if len(way) > 1:
            edges[home[node]].append((len(edges), 1.0, 0.0))
            edges.append(after)
        else:
            edges[home[node]] += after
    for own in edges[:decisions]:
        own.append((len(edges), 1.0, 0.0))
    offsets = np.array([0, *accumulate(map(len, edges))])
    successors, chances, amounts = (np.array(column) for column in zip(*(e for own in edges for e in own), strict=True))
    signs = np.array([1] * decisions + [0] * (len(edges) - decisions), np.int8)
    return FloatGame(offsets, successors, chances, amounts, signs), offsets[1:] - 1
