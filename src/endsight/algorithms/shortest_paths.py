"""Shortest paths: one player, no chance, and loops on which every move costs something or nothing.

E. W. Dijkstra, "A note on two problems in connexion with graphs", Numerische Mathematik 1 (1959): the open node with
the best way is settled next. A way ends where play leaves a component, whose exits are settled before, or
on a loop that costs nothing, where play may stay. Edges e and nodes n of a component take e log n steps. Where some
moves pay, amounts are compared less the heights of nodes (`graph.heights`), so that no move seems to pay.
"""

from __future__ import annotations

from collections.abc import Mapping
from heapq import heappop, heappush

from endsight.game.limits import Budget
from endsight.game.numbers import Number, simplest
from endsight.graph.components import components_of
from endsight.graph.graph import Graph
from endsight.graph.heights import heights_of
from endsight.graph.table import Table


def shortest_paths(graph: Graph, budget: Budget) -> Table:
    """Values and choices of every node of a graph of one player without chance.

    No loop may gain anything in all, and from every node there must be an end or a loop without costs
    (`judgement.judge` refuses other graphs). Raises `LimitReached`.
    """
    amounts: list[Number] = [0] * len(graph)
    choices = [-1] * len(graph)
    for part in graph.components:
        budget.glance(len(graph), "solving")
        payoff = graph.payoffs[part[0]]
        if payoff is not None:
            amounts[part[0]] = payoff[0]
            continue
        for amount, edge, node in _WaysOut(graph, part, amounts, _heights(graph, part)).settled(budget):
            amounts[node], choices[node] = amount, edge
    forced = {node: edge for node, edge in enumerate(choices) if edge >= 0}
    return Table([(amount,) for amount in amounts], None, choices, "shortest paths", forced)


class _WaysOut:
    """Ways out of one component: open ones as (height less their gain, edge, node), and who leads where."""

    def __init__(self, graph: Graph, part: list[int], amounts: list[Number], heights: Mapping[int, Number]) -> None:
        self.graph, self.heights = graph, heights
        self.before: dict[int, list[tuple[int, int]]] = {node: [] for node in part}
        self.open: list[tuple[Number, int, int]] = []
        free: dict[int, list[int]] = {}
        for node in part:
            for edge in graph.edges(node):
                child = graph.successors[edge]
                if child not in self.before:
                    self._offer(graph.gain_of(edge) + amounts[child], edge, node)
                    continue
                self.before[child].append((node, edge))
                if not graph.gain_of(edge):
                    free.setdefault(node, []).append(edge)
        for node, edge in _staying(graph, free):
            self._offer(graph.endless[0], edge, node)

    def settled(self, budget: Budget) -> list[tuple[Number, int, int]]:
        """The amount of every node and the edge to it, the best first."""
        shortest: dict[int, tuple[Number, int, int]] = {}
        while self.open:
            less, edge, node = heappop(self.open)
            if node in shortest:
                continue
            budget.glance(len(self.graph), "solving")
            amount = simplest(self.heights.get(node, 0) - less)
            shortest[node] = amount, edge, node
            for source, way in self.before[node]:
                if source not in shortest:
                    self._offer(self.graph.gain_of(way) + amount, way, source)
        return list(shortest.values())

    def _offer(self, amount: Number, edge: int, node: int) -> None:
        heappush(self.open, (self.heights.get(node, 0) - amount, edge, node))


def _heights(graph: Graph, part: list[int]) -> Mapping[int, Number]:
    """Heights of the nodes of a component where some of its moves pay; none where all cost something, or nothing."""
    if all(gain[0] <= 0 for _, _, gain in graph.gains_in(part)):
        return {}
    heights = heights_of(graph, part)
    assert heights is not None, "loops that bring something are refused before"
    return heights


def _staying(graph: Graph, free: dict[int, list[int]]) -> list[tuple[int, int]]:
    """Nodes on loops of free edges, each with such an edge that stays there."""
    parts = components_of({node: [graph.successors[edge] for edge in edges] for node, edges in free.items()})
    home = {node: number for number, part in enumerate(parts) for node in part}
    ways = ((node, edge) for node, edges in free.items() for edge in edges)
    return [(node, edge) for node, edge in ways if home.get(graph.successors[edge]) == home[node]]
