"""Backward induction on a graph without loops, in exact numbers.

Zermelo (1913) for two players; Kuhn, "Extensive games and the problem of
information" (1953), for any number of players and chance; Bellman (1957) for one.

With two players and a constant sum, or one player, the values are *the* values of
the game. With three or more players, or sums that depend on play, they are those of
the subgame-perfect equilibrium in which every player takes the first of their own
best moves in the rules' order: other ways to break ties can give other values.
"""

from __future__ import annotations

from endsight.base.collector import collector_paused
from endsight.game import CHANCE
from endsight.game.limits import Budget
from endsight.graph.graph import Graph
from endsight.graph.table import Table, Value, draw_level, first_best

__all__ = ["LARGE", "backward_induction"]

LARGE = 2_000
"""Nodes of a graph with chance from which whole numbers are worth the arrays."""


@collector_paused()
def backward_induction(graph: Graph, budget: Budget | None = None) -> Table:
    """Values, distances and choices of every node; the graph must have no loops.

    Raises `LimitReached` when the budget is spent.
    """
    size = len(graph)
    budget = budget or Budget()
    if graph.has_chance and size > LARGE:
        return _in_whole_numbers(graph, budget)
    values: list[Value] = [()] * size
    choices = [-1] * size
    distances: list[int | None] | None = [None] * size if graph.has_distances else None
    for node in graph.order or ():
        budget.glance(size, "solving")
        payoff = graph.payoffs[node]
        if payoff is not None:
            values[node] = payoff
            if distances is not None and payoff != graph.endless:
                distances[node] = 0
        elif graph.movers[node] == CHANCE:
            values[node] = chance_value(graph, node, values)
        else:
            choices[node], best, distance = first_best(graph, node, values, distances)
            values[node] = graph.through(choices[node], values[graph.successors[choices[node]]])
            if distances is not None and distance is not None and best != draw_level(graph, node):
                distances[node] = distance + 1
    return Table(values, distances, choices, "backward induction")


def _in_whole_numbers(graph: Graph, budget: Budget) -> Table:
    """The same with one denominator for many values; where chance decides, nothing depends on distances."""
    # The arrays take a while to load, and small games do without them.
    from endsight.algorithms.whole_numbers import loop_free, whole_values

    values = whole_values(loop_free(graph), budget=budget)
    assert values is not None, "there are no loops"
    return Table(values, None, values.choices.data, "backward induction")


def chance_value(graph: Graph, node: int, values: list[Value]) -> Value:
    """Average over the outcomes of a chance node, player by player."""
    arrivals = [graph.through(edge, values[graph.successors[edge]]) for edge in graph.edges(node)]
    return tuple(graph.mean(node, list(column)) for column in zip(*arrivals, strict=True))
