"""The most that one player gains in the mean by moving about in a part of a game with chance, and stopping at will.

A problem of optimal stopping, solved by improving policies (R. Howard, *Dynamic Programming and Markov Processes*,
1960). At first the player stops everywhere. No improvement makes any node worse, so no node has to stop again. Moves by
which play never stops are taken only if they gain something in the mean again and again: then there is no limit.
Otherwise the improvements end, as no policy repeats. Each solves one system of linear equations.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from endsight.algorithms.linear_systems import solution_of, staying
from endsight.game import CHANCE
from endsight.game.numbers import Number, average
from endsight.graph.components import maximal_end_components
from endsight.graph.graph import Graph


def mean_heights(graph: Graph, part: Sequence[int], gains: Sequence[Number]) -> dict[int, Number] | None:
    """The most that can be gained from every node of a part in the mean; None where there is no limit.

    Play can be kept in the part for ever (an end component); `gains` has the gain on every edge.
    """
    inside = {*part}
    ways = {node: ways_within(graph, node, inside) for node in part}
    going: dict[int, Sequence[int]] = {}
    heights: dict[int, Number] = dict.fromkeys(part, 0)
    while True:
        better = {}
        for node in part:
            best = max(ways[node], key=lambda way: worth_of(graph, way, heights, gains))
            if worth_of(graph, best, heights, gains) > heights[node]:
                better[node] = best
        going |= better
        if not better:
            return heights
        if not _stops(graph, going):
            return None
        heights |= _evaluated(graph, going, gains)


def ways_within(graph: Graph, node: int, inside: set[int]) -> list[Sequence[int]]:
    """The choices at a node: all edges together where chance decides, else any one that stays inside."""
    edges = graph.edges(node)
    return [edges] if graph.movers[node] == CHANCE else [(e,) for e in edges if graph.successors[e] in inside]


def kept_among(graph: Graph, ways: Mapping[int, Sequence[int]]) -> list[list[int]]:
    """Sets of nodes in which play can continue for ever, and move about freely, along these edges of theirs."""
    after = {node: [graph.successors[edge] for edge in edges] for node, edges in ways.items()}
    return maximal_end_components(after, graph.is_chance)


def worth_of(graph: Graph, way: Sequence[int], heights: Mapping[int, Number], gains: Sequence[Number]) -> Number:
    """The mean gain on a way, with the height after it."""
    worths = (gains[edge] + heights[graph.successors[edge]] for edge in way)
    return average(graph.weights_of(way), worths)


def _stops(graph: Graph, going: dict[int, Sequence[int]]) -> bool:
    """Whether play stops with some chance, wherever it is."""
    rest = set(going)
    while leaving := {node for node in rest if not rest.issuperset(graph.successors[e] for e in going[node])}:
        rest -= leaving
    return not rest


def _evaluated(graph: Graph, going: dict[int, Sequence[int]], gains: Sequence[Number]) -> dict[int, Number]:
    """The mean gain of play from the nodes where it continues."""
    ways = {
        node: graph.chances(node) if graph.movers[node] == CHANCE else [(edges[0], Fraction(1))]
        for node, edges in going.items()
    }
    rows = {node: [(graph.successors[edge], chance) for edge, chance in way] for node, way in ways.items()}
    right: list[list[Number]] = [[sum(chance * gains[edge] for edge, chance in way)] for way in ways.values()]
    return {node: row[0] for node, row in zip(going, solution_of(staying(rows), right), strict=True)}
