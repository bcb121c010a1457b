"""Loops that pay: can the side that loses there keep play from going round for ever?

A player who is paid on a loop gains without end if play never leaves it. So the other side, the *payer*, must make sure
that play pays only finitely often, with probability 1 whatever the rest do: a stochastic co-Büchi game. It is solved by
a greatest set of nodes on which the payer can stay, and a least set within it that grows by attractors and by traps in
which nothing is paid (Chatterjee, Jurdziński and Henzinger, "Simple stochastic parity games", 2003: moves that
depend on the position alone are enough). Linear in edges for each attractor. Where the payer cannot, the total has no
limit, and likewise at any node from which play gets there with some chance, whatever the payer does.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Sequence
from dataclasses import dataclass, replace
from heapq import heapify, heappop, heappush

from endsight.game.numbers import Number
from endsight.graph.ways import Ways


@dataclass(frozen=True)
class Payer:
    """The side that is to keep play from paying for ever.

    ways   where the edges of nodes lead
    signs  who decides at a node (0: chance)
    loss   what an edge costs this side, 0 where nothing is paid
    sign   the sign of this side
    """

    ways: Ways
    signs: Callable[[int], int]
    loss: Callable[[int], Number]
    sign: int

    def lost_nodes(self, parts: Iterable[Sequence[int]], paying: set[int]) -> set[int]:
        """All nodes from which this side cannot keep play from paying for ever.

        `parts` are all strongly connected components, each after those it leads to, and `paying` has the first node of
        those whose loops this side pays on.
        """
        lost, free = set[int](), replace(self, loss=lambda _: 0)
        for part in parts:
            if part[0] in paying:
                lost |= self.stop_paying(part, lost)[1]
            elif any(child in lost for node in part for child in self.ways.children(node)):
                lost |= free.stop_paying(part, lost)[1]
        return lost

    def stop_paying(self, part: Sequence[int], beyond: Container[int] = ()) -> tuple[dict[int, int], set[int]]:
        """Edges by which this side keeps play in a component from paying for ever, and the nodes where it cannot.

        Of several ways out the cheapest is taken. Play that leaves the component has stopped, except at the nodes
        `beyond`, where all is lost.
        """
        alive = set(part)
        lost = {child for node in part for child in self.ways.children(node) if child in beyond}
        while True:
            moves = _Stopping(self, alive, lost).moves()
            if len(moves) == len(alive):
                return {node: edge for node, edge in moves.items() if self.signs(node) == self.sign}, lost
            lost |= alive - moves.keys()
            alive = set(moves)


class _Stopping:
    """Nodes among `alive` from which the payer stops play with some probability, as long as play stays among them.

    before   for every node the edges that lead to it from nodes that are alive
    open     for every other node the number of its edges that must still be found to stop play
    found    for every node that stops, an edge; any edge where the payer has no choice
    """

    def __init__(self, payer: Payer, alive: set[int], lost: set[int]) -> None:
        self.alive, self.payer, self.ways = alive, payer.sign, payer.ways
        self.signs, self.loss = payer.signs, payer.loss
        self.before: dict[int, list[tuple[int, int]]] = {node: [] for node in alive}
        self.open: dict[int, int] = {}
        self.found: dict[int, int] = {}
        self.queue: list[tuple[Number, int, int]] = []
        for node in alive:
            edges = self.ways.edges(node)
            sign = self.signs(node)
            self.open[node] = len(edges) if sign == -self.payer else 1
            if sign != self.payer and any(self.ways.successors[edge] in lost for edge in edges):
                self.open[node] = -1  # it leads away from here, so the payer must avoid it
                continue
            for edge in edges:
                child = self.ways.successors[edge]
                if child in alive:
                    self.before[child].append((node, edge))
                elif child not in lost:
                    self.queue.append((self.loss(edge), node, edge))

    def moves(self) -> dict[int, int]:
        """An edge for every node from which the payer stops play."""
        heapify(self.queue)
        while True:
            self._attract()
            trapped = self._trapped()
            if not trapped:
                return self.found
            for node, edge in trapped.items():
                self._settle(node, edge, 0)

    def _attract(self) -> None:
        while self.queue:
            cost, node, edge = heappop(self.queue)
            if node in self.found or self.open[node] < 0:
                continue
            self.open[node] -= 1
            if self.open[node] == 0:
                self._settle(node, edge, cost)

    def _settle(self, node: int, edge: int, cost: Number) -> None:
        self.found[node] = edge
        for source, way in self.before[node]:
            if source not in self.found:
                heappush(self.queue, (cost + self.loss(way), source, way))

    def _trapped(self) -> dict[int, int]:
        """Nodes on which the payer can keep play going for ever without paying, or leave for nodes where it stops."""
        kept = {node for node in self.alive if node not in self.found and self.open[node] >= 0}
        waiting, edges = list(kept), dict[int, int]()
        for node in waiting:  # the list grows
            if node in kept:
                edge = self._stays(node, kept)
                if edge is None:
                    kept.remove(node)
                    waiting += [source for source, _ in self.before[node]]
                else:
                    edges[node] = edge
        return {node: edges[node] for node in kept}

    def _stays(self, node: int, kept: set[int]) -> int | None:
        """An edge by which play stays in the trap, None where it may not."""
        edges = self.ways.edges(node)
        free = [edge for edge in self.ways.edges_into(kept, node) if not self.loss(edge)]
        if self.signs(node) == self.payer:
            return free[0] if free else None
        stopped = [
            e for e in edges if self.ways.successors[e] not in self.alive or self.ways.successors[e] in self.found
        ]
        return edges[0] if len({*free, *stopped}) == len(edges) else None
