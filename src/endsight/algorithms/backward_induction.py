"""Backward induction on a graph without loops, in exact numbers.

Zermelo (1913) for two players; Kuhn, "Extensive games and the problem of
information" (1953), for any number of players and chance; Bellman (1957) for one. Where two opposed players
move at once, the value is that of a matrix game (von Neumann 1928).

With two players and a constant sum, or one player, the values are *the* values of
the game. With three or more players, or sums that depend on play, they are those of
the subgame-perfect equilibrium in which every player takes the first of their own
best moves in the rules' order: other ways to break ties can give other values.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from endsight.algorithms.kernel_arrays import kernels_for, shown
from endsight.base.collector import collector_paused
from endsight.base.deferred import deferred
from endsight.game import CHANCE, TOGETHER
from endsight.game.limits import Budget
from endsight.game.numbers import Number
from endsight.graph.graph import Graph, Picked
from endsight.graph.kernel_numbers import Choices, Links, PayoffRows
from endsight.graph.table import Table, Value, first_best

with deferred(__name__):
    from endsight.algorithms.arena import all_amounts
    from endsight.algorithms.matrix_game import matrix_game
    from endsight.algorithms.whole_numbers import whole_values

LARGE = 2_000
"""Nodes of a graph with chance from which whole numbers pay for the arrays."""
_METHOD = "backward induction"
_AT_ONCE = 1 << 16


@collector_paused()
def backward_induction(graph: Graph, budget: Budget | None = None) -> Table:
    """Values, distances and choices of every node of a graph without loops; raises `LimitReached`."""
    if graph.rewards is None and not graph.has_chance and not graph.moves_at_once:
        return _by_rows(graph, budget or Budget())
    is_large = graph.has_chance and len(graph) > LARGE and not graph.moves_at_once
    way = _in_whole_numbers if is_large else _by_fractions
    return way(graph, budget or Budget())


def _by_rows(graph: Graph, budget: Budget) -> Table:
    """The same where all payments are made at the end: a node gets the number of the payoffs that play ends with."""
    size, paid = len(graph), [row or graph.endless for row in graph.ends.rows]
    half = len(paid) if graph.alternating else 0
    paid += [row[::-1] for row in paid[:half]]
    seen = [(row + half) % len(paid) for row in range(len(paid))]
    draw = Fraction(graph.total, 2)  # in games that are only won, drawn or lost; elsewhere it does not matter
    worths = [worth for interest in graph.interests for worth in _worths(paid, *interest, draw)]
    first = [0 if graph.has_distances and row[0] != draw else -1 for row in paid]
    kernels, room = kernels_for(len(graph.successors))
    links = Links(size, room("p", graph.offsets), room("h", graph.successors))
    rows = PayoffRows(len(paid), room("h", graph.ends.numbers), room("h", worths), room("h", seen), room("h", first))
    choices = Choices(room("h", size), room("h", size), room("p", size))
    order, movers = room("h", graph.order or ()), room("b", graph.movers)
    for begin in range(0, size, _AT_ONCE):
        budget.glance(size, "solving")
        kernels["choose_in_order"](links, movers, rows, choices, order, begin, min(size, begin + _AT_ONCE))
    plies = shown(choices.h_plies)
    distances = Picked([*range(max(plies) + 1), None], plies) if graph.has_distances else None
    return Table(Picked(paid, shown(choices.h_rows)), distances, shown(choices.p_chosen), _METHOD)


def _worths(paid: Sequence[Value], player: int, sign: int, draw: Number) -> list[int]:
    """Ranks of payoffs for a mover who wants more (or less) for that player, in whole numbers: 0 for a draw."""
    amounts = {sign * draw, *(sign * row[player] for row in paid)}
    places = {amount: place for place, amount in enumerate(sorted(amounts))}
    return [places[sign * row[player]] - places[sign * draw] for row in paid]


def _by_fractions(graph: Graph, budget: Budget) -> Table:
    """The same node by node, whatever decides there and whatever is paid on the way."""
    values: list[Value] = [()] * len(graph)
    choices = [-1] * len(graph)
    for done, node in enumerate(graph.order or ()):
        budget.glance(len(graph), "solving", (done, len(graph)))
        values[node], choices[node] = value_of_node(graph, node, values)
    return Table(values, None, choices, _METHOD)


def value_of_node(graph: Graph, node: int, values: list[Value]) -> tuple[Value, int]:
    """The value of a node from the values of its successors, and the edge that best play takes; -1 for no choice."""
    payoff = graph.payoffs[node]
    if payoff is not None:
        return payoff, -1
    if graph.movers[node] == CHANCE:
        return chance_value(graph, node, values), -1
    if graph.movers[node] == TOGETHER:
        return _value_at_once(graph, node, values), -1
    choice = first_best(graph, node, values)
    return graph.through(choice, values[graph.successors[choice]]), choice


def _in_whole_numbers(graph: Graph, budget: Budget) -> Table:
    """The same with one denominator for many values; where chance decides, nothing depends on distances."""
    values = whole_values(all_amounts(graph), budget)
    assert values is not None, "there are no loops"
    return Table(values, None, values.choices.data, _METHOD)


def chance_value(graph: Graph, node: int, values: list[Value]) -> Value:
    """Average over the outcomes of a chance node, player by player."""
    arrivals = [graph.through(edge, values[graph.successors[edge]]) for edge in graph.edges(node)]
    return tuple(graph.mean(node, column) for column in zip(*arrivals, strict=True))


def _value_at_once(graph: Graph, node: int, values: list[Value]) -> Value:
    """The value of a node at which two opposed players move at once: that of a matrix game."""
    arrivals = [[graph.through(edge, values[graph.successors[edge]]) for edge in row] for row in graph.matrix(node)]
    value = matrix_game([[first for first, _ in row] for row in arrivals]).value
    return value, sum(arrivals[0][0]) - value
