"""Retrograde analysis: games without chance in which play can come back to a position.

From the ends of the game backwards, best payoffs first: a node belongs to a payoff as
soon as its mover can force it. What nobody can force is endless play. Zermelo (1913);
von Neumann and Morgenstern (1944, section 15); as an algorithm Ströhlein (1970). The
passes from several payoff levels are attractors as in Gurvich, Karzanov and Khachiyan
(1988). Linear in edges for each level. Large graphs are settled on arrays, with the same
result (`retrograde_passes`).

Needs one wish per position and its opposite: one player, cooperation, or two players
whose payoffs have a constant sum; no rewards on the way.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from endsight.errors import RulesError
from endsight.graph import Graph
from endsight.limits import Budget
from endsight.numbers import Number
from endsight.table import Table, Value, first_best_edges

if TYPE_CHECKING:
    from endsight.algorithms.retrograde_passes import Passes

__all__ = ["LARGE", "retrograde", "signs"]

LARGE = 20_000
"""Edges of a graph from which arrays are worth the time that they take to load."""


def retrograde(graph: Graph, budget: Budget | None = None) -> Table:
    """Values, distances and choices; endless play pays `graph.endless` and has no distance.

    The graph must be without chance and not alternating. Raises `RulesError` where
    rewards lie on the way, or where players' wishes are not opposed, and `LimitReached`
    when the budget is spent.
    """
    if graph.rewards is not None:
        raise RulesError(
            "this game can go on for ever and pays on the way, so its value need not exist",
            advice="pay at the end of the game, or make play end (a turn counter in the state)",
        )
    sign = signs(graph)
    run = _begun(graph, sign, budget or Budget())
    ends = {payoff[0] for payoff in graph.payoffs if payoff is not None}
    draw = graph.endless[0]
    for level in sorted((end for end in ends if end > draw), reverse=True):
        run.attract(level, attacker=1)
    for level in sorted(end for end in ends if end < draw):
        run.attract(level, attacker=-1)
    values = _values(graph, [draw if level is None else level for level in run.levels])
    distances = run.distances
    choices = run.choices(values, by_distance=True)
    if not graph.has_one_amount:
        values = _follow(graph, choices)
    if graph.has_distances:
        return Table(values, distances, choices, "retrograde analysis")
    # Without distances only these choices tell moves that get there from moves that go round.
    shortsighted = run.choices(values, by_distance=False)
    forced = {node: edge for node, edge in enumerate(choices) if edge != shortsighted[node]}
    return Table(values, None, choices, "retrograde analysis", forced)


def signs(graph: Graph) -> list[int]:
    """+1 for every player after more of the first player's payoff, -1 for one after less of it.

    Raises `RulesError` where a player is after something else: several players, or two
    whose payoffs have no constant sum.
    """
    sign = []
    movers = set(graph.movers)
    for player, (target, direction) in enumerate(graph.wishes):
        if target == 0 or player not in movers:
            sign.append(direction)
        elif graph.players == 2 and graph.is_constant_sum:
            sign.append(-direction)
        else:
            raise RulesError(
                "play can go on for ever in this game, and its players' wishes are not opposed:"
                " such games have no value that all must agree on",
                found=f"{graph.players} players with sums that depend on play",
                advice="make the payoffs constant-sum, make play end, or ask --objective cooperative",
            )
    return sign


def _begun(graph: Graph, sign: list[int], budget: Budget) -> _Attractors | Passes:
    """The way that suits the size."""
    if len(graph.successors) < LARGE:
        return _Attractors(graph, sign, budget)
    from endsight.algorithms.retrograde_passes import Passes

    return Passes(graph, sign, budget)


class _Attractors:
    """Nodes that have been settled so far, with their level and how long the way is."""

    def __init__(self, graph: Graph, sign: list[int], budget: Budget) -> None:
        self.graph = graph
        self.budget = budget
        self.sign = sign
        self.levels: list[Number | None] = [None] * len(graph)
        self.distances: list[int | None] = [None] * len(graph)
        self.open_edges = [graph.offsets[node + 1] - graph.offsets[node] for node in range(len(graph))]
        self.predecessors: list[list[int]] = [[] for _ in range(len(graph))]
        for node in range(len(graph)):
            for edge in graph.edges(node):
                self.predecessors[graph.successors[edge]].append(node)

    def attract(self, level: Number, *, attacker: int) -> None:
        """Settle all nodes from which the side `attacker` forces the ends that pay `level`.

        Breadth first, so the attacker's first way in is the shortest and the defender's
        last way out the longest.
        """
        graph = self.graph
        queue = deque(n for n in range(len(graph)) if (p := graph.payoffs[n]) is not None and p[0] == level)
        for node in queue:
            self._settle(node, level, 0)
        while queue:
            node = queue.popleft()
            ply = self.distances[node]
            assert ply is not None
            for before in self.predecessors[node]:
                self.open_edges[before] -= 1
                if self.levels[before] is not None:
                    continue
                if self.sign[graph.movers[before]] == attacker or self.open_edges[before] == 0:
                    self._settle(before, level, ply + 1)
                    queue.append(before)

    def choices(self, values: list[Value], *, by_distance: bool) -> list[int]:
        """For every node the first of its best edges, by value and then, if wanted, by distance."""
        return first_best_edges(self.graph, values, self.distances if by_distance else None)

    def _settle(self, node: int, level: Number, distance: int) -> None:
        self.levels[node] = level
        self.distances[node] = distance


def _values(graph: Graph, first: list[Number]) -> list[Value]:
    """Values of all players from the first player's, where that tells them; else the first's alone, with zeros."""
    if graph.players == 2:
        total = sum(graph.endless)
        return [(value, total - value) for value in first]
    rest = (0,) * (graph.players - 1)
    return [(value, *rest) for value in first]


def _follow(graph: Graph, choices: list[int]) -> list[Value]:
    """Values of all players along the choices, where play may also go round for ever."""
    values: list[Value | None] = list(graph.payoffs)
    for start in range(len(graph)):
        path = []
        node = start
        while values[node] is None:
            # Until the path ends somewhere known, its nodes count as going round for ever.
            values[node] = graph.endless
            path.append(node)
            node = graph.successors[choices[node]]
        for passed in path:
            values[passed] = values[node]
    return [graph.endless if value is None else value for value in values]
