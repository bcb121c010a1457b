"""The expected totals of given policies: a Markov chain, component by component, in exact numbers.

Each strongly connected component is one linear system over its chance nodes, solved in
whole numbers and fractions by FLINT (Kemeny and Snell, *Finite Markov Chains*, 1960,
chapter 3: expected totals of an absorbing chain).
"""

from __future__ import annotations

from collections.abc import Sequence

from endsight.algorithms.backward_induction import chance_value
from endsight.algorithms.linear_systems import solution_of
from endsight.game import CHANCE
from endsight.game.numbers import Number, simplest
from endsight.graph.components import strongly_connected
from endsight.graph.graph import Graph
from endsight.graph.table import Value


def policy_evaluation(graph: Graph, choices: Sequence[int]) -> list[Value]:
    """Expected totals at every node when players follow `choices`.

    `choices` holds an edge for every decision node; `graph.offsets` does where each has only one. Where play goes round
    for ever with probability 1, it is worth `graph.endless_at`; nothing may be gained there.
    """
    values: list[Value] = [()] * len(graph)
    offsets, successors = _used(graph, choices)
    for part in strongly_connected(offsets, successors):
        inside = set(part)
        leads = [child for node in part for child in successors[offsets[node] : offsets[node + 1]]]
        (node, *others) = part
        if others or node in leads:
            if inside.issuperset(leads):
                for each in part:
                    values[each] = graph.endless_at(each)
            else:
                evaluate(graph, part, choices, values)
            continue
        payoff = graph.payoffs[node]
        if payoff is not None:
            values[node] = payoff
        elif graph.movers[node] == CHANCE:
            values[node] = chance_value(graph, node, values)
        else:
            edge = choices[node]
            values[node] = graph.through(edge, values[graph.successors[edge]])
    return values


def _used(graph: Graph, choices: Sequence[int]) -> tuple[list[int], list[int]]:
    """Offsets and successors of the edges that play may take."""
    offsets, successors = [0], []
    for node in range(len(graph)):
        edges = graph.edges(node) if graph.is_end(node) or graph.movers[node] == CHANCE else (choices[node],)
        successors += [graph.successors[edge] for edge in edges]
        offsets.append(len(successors))
    return offsets, successors


def evaluate(graph: Graph, part: list[int], choices: Sequence[int], values: list[Value]) -> None:
    """Set `values` of a component to the results of `choices` there; values outside must be known.

    One linear equation per chance node of the component; players' nodes are followed
    along their choices. Solved in whole numbers and fractions by FLINT.
    """
    inside = set(part)
    chance = [node for node in part if graph.movers[node] == CHANCE]
    row = {node: i for i, node in enumerate(chance)}
    width = graph.players
    matrix = [[0] * len(chance) for _ in chance]
    right: list[list[Number]] = [[0] * width for _ in chance]
    for node, i in row.items():
        for edge in graph.edges(node):
            weight = 1 if graph.weights is None else graph.weights[edge]
            gain, stop = _follow(graph, edge, choices, inside)
            matrix[i][i] += weight
            if stop in row:
                matrix[i][row[stop]] -= weight
                arrival: Value = gain
            else:
                arrival = tuple(a + b for a, b in zip(gain, values[stop], strict=True))
            for column in range(width):
                right[i][column] += weight * arrival[column]
    for node, solved in zip(chance, solution_of(matrix, right), strict=True):
        values[node] = tuple(solved)
    for node in part:
        if graph.movers[node] != CHANCE:
            gain, stop = _follow(graph, choices[node], choices, inside)
            values[node] = tuple(simplest(a + b) for a, b in zip(gain, values[stop], strict=True))


def _follow(graph: Graph, edge: int, choices: Sequence[int], inside: set[int]) -> tuple[Value, int]:
    """Gains along `edge` and the choices after it, and the chance or outside node where they stop."""
    gain: Value = (0,) * graph.players
    while True:
        gain = _sum(graph.gain(edge), gain)
        node = graph.successors[edge]
        if node not in inside or graph.movers[node] == CHANCE:
            return gain, node
        edge = choices[node]


def _sum(gain: Value | None, total: Value) -> Value:
    return total if gain is None else tuple(a + b for a, b in zip(gain, total, strict=True))
