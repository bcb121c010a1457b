"""Shortest paths: one player, no chance, and loops on which every move costs something or nothing.

E. W. Dijkstra, "A note on two problems in connexion with graphs", Numerische Mathematik 1 (1959): the node whose way
is the best of all open ones is settled. A way ends where play leaves a component, whose exits are settled before, or
on a loop that costs nothing, where play may stay. Edges e and nodes n of a component take e log n steps.
"""

from __future__ import annotations

from heapq import heapify, heappop, heappush
from itertools import accumulate

from endsight.game.limits import Budget
from endsight.game.numbers import Number, simplest
from endsight.graph.graph import Graph, strongly_connected
from endsight.graph.table import Table

__all__ = ["shortest_paths"]


def shortest_paths(graph: Graph, budget: Budget | None = None) -> Table:
    """Values and choices of every node of a graph of one player without chance.

    No loop may bring anything, and from every node there must be an end or a loop without costs (`judgement.judge`
    refuses other graphs). Raises `LimitReached`.
    """
    budget = budget or Budget()
    amounts: list[Number] = [0] * len(graph)
    choices = [-1] * len(graph)
    for part in graph.components:
        budget.glance(len(graph), "solving")
        payoff = graph.payoffs[part[0]]
        if payoff is not None:
            amounts[part[0]] = payoff[0]
            continue
        ways = _Ways(graph, part, amounts)
        for amount, edge, node in ways.settled(budget):
            amounts[node], choices[node] = amount, edge
    forced = {node: edge for node, edge in enumerate(choices) if edge >= 0}
    return Table([(amount,) for amount in amounts], None, choices, "shortest paths", forced)


class _Ways:
    """Ways out of one component: open ones as (less what they bring, edge, node), and who is led to from where."""

    def __init__(self, graph: Graph, part: list[int], amounts: list[Number]) -> None:
        self.graph = graph
        self.before: dict[int, list[tuple[int, int]]] = {node: [] for node in part}
        self.open: list[tuple[Number, int, int]] = []
        free: dict[int, list[int]] = {}
        for node in part:
            for edge in graph.edges(node):
                child = graph.successors[edge]
                if child not in self.before:
                    self.open.append((-self._through(edge, amounts[child]), edge, node))
                    continue
                self.before[child].append((node, edge))
                if not self._gain(edge):
                    free.setdefault(node, []).append(edge)
        self.open += ((-graph.endless[0], edge, node) for node, edge in _staying(graph, free))
        heapify(self.open)

    def settled(self, budget: Budget) -> list[tuple[Number, int, int]]:
        """The amount of every node and the edge to it, the best first."""
        found: dict[int, tuple[Number, int, int]] = {}
        while self.open:
            less, edge, node = heappop(self.open)
            if node in found:
                continue
            budget.glance(len(self.graph), "solving")
            found[node] = simplest(-less), edge, node
            for source, way in self.before[node]:
                if source not in found:
                    heappush(self.open, (-self._through(way, -less), way, source))
        return list(found.values())

    def _gain(self, edge: int) -> Number:
        gain = None if self.graph.rewards is None else self.graph.rewards[edge]
        return 0 if gain is None else gain[0]

    def _through(self, edge: int, amount: Number) -> Number:
        return self._gain(edge) + amount


def _staying(graph: Graph, free: dict[int, list[int]]) -> list[tuple[int, int]]:
    """Nodes on loops of free edges, each with such an edge that stays there."""
    nodes = {node: place for place, node in enumerate(free)}
    kept = [[edge for edge in edges if graph.successors[edge] in nodes] for edges in free.values()]
    offsets = [0, *accumulate(map(len, kept))]
    parts = strongly_connected(offsets, [nodes[graph.successors[edge]] for edges in kept for edge in edges])
    home = {node: number for number, part in enumerate(parts) for node in part}
    return [
        (node, edge)
        for (node, place), edges in zip(nodes.items(), kept, strict=True)
        for edge in edges
        if home[nodes[graph.successors[edge]]] == home[place]
    ]
