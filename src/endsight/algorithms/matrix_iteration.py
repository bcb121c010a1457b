"""Proven bounds where two opposed players move at once and play can come back to a position.

Values of such games need not be fractions, so they are enclosed (Shapley, "Stochastic games", 1953: the values are the
fixed point of T, one move of the game, a matrix game at every node). Part by part, successors first, a lower bound
rises and an upper bound falls by T, in whole numbers over one power of two, the lower rounded down and the upper up.
Both begin at bounds that a proof that play ends gives: from every node play leaves its part within so many moves in the
mean, whatever the players do. Then T has one fixed point in between (Haddad and Monmege, "Interval iteration algorithm
for MDPs and IMDPs", 2018, for one player).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import ceil, floor

from endsight.algorithms.backward_induction import value_of_node
from endsight.algorithms.policy_iteration import policy_iteration
from endsight.errors import LimitReached
from endsight.game import CHANCE
from endsight.game.limits import Budget
from endsight.game.numbers import Number, as_interval, between, simplest
from endsight.graph.graph import Graph
from endsight.graph.table import Table, Value

__all__ = ["matrix_iteration"]

SCALE = 1 << 60
"""Bounds are whole numbers over that one."""
MOST_ROUNDS = 10_000
"""Rounds after which a part keeps the bounds that it has: they hold, however far they are apart."""
NEED_NOT_BE_FRACTIONS = (
    "players move at once here and play can come back to a position: values need not be fractions, so bounds are proven"
)
_METHOD = "interval iteration"


def matrix_iteration(graph: Graph, budget: Budget) -> Table:
    """Bounds of every node's values; exact ones for nodes that no loop comes after.

    Play must end whatever the players do. Raises `LimitReached` when the budget is spent.
    """
    bounds = _Bounds(graph, budget)
    for part in graph.components:
        if graph.is_loop(part):
            bounds.enclose(part)
        else:
            bounds.settle(part[0])
    rows = zip(bounds.lower, bounds.upper, strict=True)
    values = [tuple(between(*sorted(ends)) for ends in zip(low, high, strict=True)) for low, high in rows]
    enclosed = _Rows([row[0] for row in bounds.lower], [row[0] for row in bounds.upper])
    is_exact = bounds.lower == bounds.upper
    return Table(values, None, bounds.choices, _METHOD, enclosed=None if is_exact else enclosed)


@dataclass
class _Rows:
    """The bounds of the first player's values, in whole numbers over `scale`."""

    lower: Sequence[Number]
    upper: Sequence[Number]
    scale: int = SCALE
    known: Mapping[int, Number] = field(default_factory=dict)

    def bounds(self, node: int) -> tuple[int, int]:
        """The bounds of a node, rounded outwards."""
        return floor(self.lower[node] * self.scale), ceil(self.upper[node] * self.scale)

    def exact(self, nodes: Sequence[int], budget: Budget) -> Mapping[int, Number]:
        """The exact values of nodes whose bounds meet; `LimitReached` for others."""
        if any(self.lower[node] != self.upper[node] for node in nodes):
            raise LimitReached(NEED_NOT_BE_FRACTIONS, states=len(self.lower), advice="the bounds, without --exact")
        return {node: self.lower[node] for node in nodes}


class _Bounds:
    """Bounds of every node's values, as rows with an entry for each player, while they grow."""

    def __init__(self, graph: Graph, budget: Budget) -> None:
        self.graph, self.budget = graph, budget
        self.lower: list[Value] = [()] * len(graph)
        self.upper: list[Value] = [()] * len(graph)
        self.choices = [-1] * len(graph)

    def settle(self, node: int) -> None:
        """Find the bounds of a node that play does not come back to, rounded only where they are apart."""
        self.budget.glance(len(self.graph), "enclosing values")
        low, choice = value_of_node(self.graph, node, self.lower)
        high, _ = value_of_node(self.graph, node, self.upper)
        if low == high:
            self.lower[node] = self.upper[node] = low
            self.choices[node] = choice
        else:
            self.lower[node], self.upper[node] = _rounded(low, floor), _rounded(high, ceil)

    def enclose(self, part: Sequence[int]) -> None:
        """Find the bounds of the nodes of a loop."""
        self._begin(part)
        for _ in range(MOST_ROUNDS):
            self.budget.glance(len(self.graph), "enclosing values")
            if sum(map(self._improved, part)) == 0:
                return

    def _begin(self, part: Sequence[int]) -> None:
        """Bounds by the most that is paid on the way out of a part, and after it."""
        graph, inside = self.graph, set(part)
        edges = [edge for node in part for edge in graph.edges(node)]
        after = [graph.successors[edge] for edge in edges if graph.successors[edge] not in inside]
        gains = [0, *(gain[0] for edge in edges if graph.rewards is not None and (gain := graph.rewards[edge]))]
        least, most = min(self.lower[node][0] for node in after), max(self.upper[node][0] for node in after)
        total = sum(self.lower[after[0]])
        for node, moves in zip(part, _moves_inside(graph, part, self.budget), strict=True):
            low, high = least + min(gains) * moves, most + max(gains) * moves
            self.lower[node], self.upper[node] = (
                _rounded((low, total - low), floor),
                _rounded((high, total - high), ceil),
            )

    def _improved(self, node: int) -> bool:
        """Make one move of the game for both bounds of a node; whether one of them has changed."""
        low = _rounded(value_of_node(self.graph, node, self.lower)[0], floor)
        high = _rounded(value_of_node(self.graph, node, self.upper)[0], ceil)
        rises, falls = low[0] > self.lower[node][0], high[0] < self.upper[node][0]
        self.lower[node] = low if rises else self.lower[node]
        self.upper[node] = high if falls else self.upper[node]
        return rises or falls


def _rounded(row: Value, whole: Callable[[Number], int]) -> Value:
    """A row of two whose first entry is rounded to a multiple of 1 / `SCALE`, with the same sum."""
    first = simplest(Fraction(whole(row[0] * SCALE), SCALE))
    return first, simplest(sum(row) - first)


def _moves_inside(graph: Graph, part: Sequence[int], budget: Budget) -> list[Number]:
    """How many moves play makes at most in the mean, from each node of a part, until it has left the part.

    One player alone who wants to stay decides for all: a problem with exact values, as play cannot stay for ever.
    """
    place = {node: number for number, node in enumerate(part)}
    edges = [edge for node in part for edge in graph.edges(node)]
    offsets = [0]
    for node in part:
        offsets.append(offsets[-1] + len(graph.edges(node)))
    outside = len(part)
    alone = replace(
        graph,
        keys=[*part, "outside"],
        offsets=[*offsets, offsets[-1]],
        successors=[place.get(graph.successors[edge], outside) for edge in edges],
        moves=edges,
        movers=[*(CHANCE if graph.movers[node] == CHANCE else 0 for node in part), 0],
        weights=None if graph.weights is None else [graph.weights[edge] for edge in edges],
        rewards=[(1,)] * len(edges),
        payoffs=[*[None] * len(part), (0,)],
        wishes=((0, 1),),
        players=1,
        endless=(0,),
    )
    return [as_interval(row[0]).upper for row in policy_iteration(alone, "exact", budget).values[:outside]]
