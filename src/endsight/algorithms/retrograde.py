"""Retrograde analysis: games without chance in which play can come back to a position.

From the ends of the game backwards, best payoffs first: a node belongs to a payoff as
soon as its mover can force it. What nobody can force is endless play. Zermelo (1913);
von Neumann and Morgenstern (1944, section 15); as an algorithm Ströhlein (1970). The
passes from several payoff levels are attractors as in Gurvich, Karzanov and Khachiyan
(1988). Linear in edges for each level. Large graphs are settled on arrays, with the same
result (`retrograde_passes`).

Needs one wish per position and its opposite: one player, cooperation, or two players
whose payoffs have a constant sum; loops must not pay, and on each of them endless play
must be worth the same everywhere (see `endsight.judgement`). Where rewards lie beside the
loops, or where loops differ in what endless play is worth, the graph is solved component
by component, with the ways out of each as its ends.
"""

from __future__ import annotations

from collections import deque
from dataclasses import replace
from typing import TYPE_CHECKING

from endsight.graph import Graph
from endsight.judgement import opposed_signs
from endsight.limits import Budget
from endsight.numbers import Number, simplest
from endsight.table import Table, Value, first_best_edges

if TYPE_CHECKING:
    from endsight.algorithms.retrograde_passes import Passes

__all__ = ["LARGE", "retrograde"]

_METHOD = "retrograde analysis"
LARGE = 20_000
"""Edges of a graph from which arrays are worth the time that they take to load."""


def retrograde(graph: Graph, budget: Budget | None = None) -> Table:
    """Values, distances and choices; endless play pays `graph.endless_at` and has no distance.

    The graph must be without chance, not alternating, and have values (`judgement.judge`).
    Raises `LimitReached` when the budget is spent.
    """
    budget = budget or Budget()
    sign = opposed_signs(graph)
    assert sign is not None, "graphs without a value are refused before"
    if graph.rewards is None and graph.unending is None:
        return _in_one(graph, sign, budget)
    return _by_component(graph, sign, budget)


def _in_one(graph: Graph, sign: list[int], budget: Budget) -> Table:
    """One run over the whole graph, level by level."""
    run = _attracted(graph, sign, budget)
    draw = graph.endless[0]
    values = _values(graph, [draw if level is None else level for level in run.levels])
    distances = run.distances
    choices = run.choices(values, by_distance=True)
    if not graph.has_one_amount:
        values = _follow(graph, choices)
    if graph.has_distances:
        return Table(values, distances, choices, _METHOD)
    # Without distances only these choices tell moves that get there from moves that go round.
    shortsighted = run.choices(values, by_distance=False)
    forced = {node: edge for node, edge in enumerate(choices) if edge != shortsighted[node]}
    return Table(values, None, choices, _METHOD, forced)


def _attracted(graph: Graph, sign: list[int], budget: Budget) -> _Attractors | Passes:
    """Every node settled with the payoff that play brings there, where it is not that of endless play."""
    run = _begun(graph, sign, budget)
    ends = {payoff[0] for payoff in graph.payoffs if payoff is not None}
    draw = graph.endless[0]
    for level in sorted((end for end in ends if end > draw), reverse=True):
        run.attract(level, attacker=1)
    for level in sorted(end for end in ends if end < draw):
        run.attract(level, attacker=-1)
    return run


def _by_component(graph: Graph, sign: list[int], budget: Budget) -> Table:
    """Strongly connected components, each after all those it leads to."""
    amounts: list[Number] = [0] * len(graph)
    choices = [-1] * len(graph)
    for part in graph.components:
        budget.glance(len(graph), "solving")
        payoff = graph.payoffs[part[0]]
        if payoff is not None:
            amounts[part[0]] = payoff[0]
        elif graph.is_loop(part):
            _solve_loop(graph, sign, part, amounts, choices, budget)
        else:
            node = part[0]
            wish = sign[graph.movers[node]]
            choices[node] = max(graph.edges(node), key=lambda edge: wish * _through(graph, edge, amounts))
            amounts[node] = _through(graph, choices[node], amounts)
    values = _values(graph, amounts) if graph.has_one_amount else _follow(graph, choices)
    shortsighted = first_best_edges(graph, values, None)
    forced = {node: edge for node, edge in enumerate(choices) if edge != shortsighted[node]}
    return Table(values, None, choices, _METHOD, forced)


def _through(graph: Graph, edge: int, amounts: list[Number]) -> Number:
    """What the first player gets through `edge`."""
    gain = None if graph.rewards is None else graph.rewards[edge]
    after = amounts[graph.successors[edge]]
    return after if gain is None else simplest(gain[0] + after)


def _solve_loop(
    graph: Graph, sign: list[int], part: list[int], amounts: list[Number], choices: list[int], budget: Budget
) -> None:
    """Amounts and choices of one component; every edge that leaves it becomes an end that pays what follows."""
    place = {node: number for number, node in enumerate(part)}
    offsets, successors = [0], []
    payoffs: list[tuple[Number, ...] | None] = [None] * len(part)
    for node in part:
        for edge in graph.edges(node):
            child = place.get(graph.successors[edge])
            successors.append(len(payoffs) if child is None else child)
            if child is None:
                payoffs.append((_through(graph, edge, amounts),))
        offsets.append(len(successors))
    exits = len(payoffs) - len(part)
    inner = replace(
        graph,
        keys=list(range(len(payoffs))),
        index={},
        offsets=offsets + offsets[-1:] * exits,
        successors=successors,
        moves=[],
        movers=[graph.movers[node] for node in part] + [0] * exits,
        rewards=None,
        payoffs=payoffs,
        wishes=tuple((0, wish) for wish in sign),
        endless=graph.endless_at(part[0])[:1],
        unending=None,
        players=1,
        is_win_loss=False,
    )
    table = _in_one(inner, sign, budget)
    for number, node in enumerate(part):
        amounts[node] = table.values[number][0]  # type: ignore[assignment]
        choices[node] = graph.offsets[node] + table.choices[number] - offsets[number]


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
        total = graph.total
        return [(value, simplest(total - value)) for value in first]
    rest = (0,) * (graph.players - 1)
    return [(value, *rest) for value in first]


def _follow(graph: Graph, choices: list[int]) -> list[Value]:
    """Values of all players along the choices, where play may also go round for ever."""
    values: list[Value | None] = list(graph.payoffs)
    for start in range(len(graph)):
        path: dict[int, None] = {}
        node = start
        while values[node] is None and node not in path:
            path[node] = None
            node = graph.successors[choices[node]]
        if values[node] is None:
            values[node] = graph.endless_at(node)
        for passed in reversed(path):
            after = values[graph.successors[choices[passed]]]
            if values[passed] is None and after is not None:
                values[passed] = graph.through(choices[passed], after)
    return [graph.endless if value is None else value for value in values]
