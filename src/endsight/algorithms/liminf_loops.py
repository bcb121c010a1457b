"""Loops on which the players' totals go up and down: how much of them one side can guarantee.

Endless play visits several totals again and again there. If the worst of them counts for one
side, the *keeper*, it is sure of a level if it can reach an exit of the loop that pays that
much, or can keep play from ever falling below. Levels are taken from the best down; one level is a
co-Büchi game, solved by attractors and largest sets that the keeper need not leave, in turns (Grädel,
Thomas and Wilke 2002, chapter 2; both sides have best moves that depend only on the position: Gimbert
and Zielonka 2004). Without chance. Linear in edges for each set.
"""

from __future__ import annotations

from collections.abc import Callable

from endsight.game.limits import Budget
from endsight.game.numbers import Number, simplest
from endsight.graph.graph import Graph


class LiminfLevels:
    """Amounts of all nodes of a component where the keeper's worst counts (`graph.swing`), and the edges to take.

    `signs` give each mover's interest for the amount, `through` the worth of an edge that leaves the component.

    ways    for every edge out of the component, its worth to the keeper
    into    for every node the edges in the component that lead to it, with the nodes that they leave
    open    for every node the number of its edges that are not known to hold the level
    """

    def __init__(
        self, graph: Graph, signs: list[int], part: list[int], through: Callable[[int], Number], budget: Budget
    ) -> None:
        self.graph, self.budget, self.part = graph, budget, part
        self.side = side = -graph.swing
        self.keeps = {node: signs[graph.movers[node]] == side for node in part}
        self.worth = {node: side * graph.endless_at(node)[0] for node in part}
        self.into: dict[int, list[tuple[int, int]]] = {node: [] for node in part}
        self.ways: dict[Number, list[tuple[int, int]]] = {}
        self.open = {node: len(graph.edges(node)) for node in part}
        for node in part:
            for edge in graph.edges(node):
                child = graph.successors[edge]
                if child in self.into:
                    self.into[child].append((node, edge))
                else:
                    self.ways.setdefault(side * through(edge), []).append((node, edge))
        self.levels: dict[int, Number] = {}
        self.chosen: dict[int, int] = {}

    def solve(self) -> tuple[dict[int, Number], dict[int, int]]:
        """The amounts, and the edges, which are the keeper's best; those of the other side are not."""
        for level in sorted({*self.worth.values(), *self.ways}, reverse=True):
            self._attract([*self.ways.get(level, [])], level)
            while kept := self._kept(level):
                for node in kept:
                    self.levels[node] = level
                    inside = self.graph.edges_into(kept, node)
                    self.chosen[node] = inside[0] if inside else self.graph.offsets[node]
                self._attract([step for node in kept for step in self.into[node]], level)
        return {node: simplest(self.side * level) for node, level in self.levels.items()}, self.chosen

    def _attract(self, steps: list[tuple[int, int]], level: Number) -> None:
        """Add the nodes from which the keeper forces one of these steps, which hold the level."""
        for node, edge in steps:
            self.open[node] -= 1
            if node not in self.levels and (self.keeps[node] or not self.open[node]):
                self.levels[node] = level
                self.chosen[node] = edge
                steps += self.into[node]

    def _kept(self, level: Number) -> set[int]:
        """The most nodes worth the level that the keeper need not leave, except where it is sure of the level."""
        self.budget.glance(len(self.part), "solving")
        kept = {node for node in self.part if node not in self.levels and self.worth[node] >= level}
        waiting = list(kept)
        for node in waiting:  # the list grows
            if node in kept and not self._stays(node, kept):
                kept.remove(node)
                waiting += [before for before, _ in self.into[node]]
        return kept

    def _stays(self, node: int, kept: set[int]) -> bool:
        inside = len(self.graph.edges_into(kept, node))
        return inside > 0 if self.keeps[node] else inside == self.open[node]
