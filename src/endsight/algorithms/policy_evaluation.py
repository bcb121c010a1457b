"""The expected totals of given policies: a Markov chain, component by component, in exact numbers.

Each strongly connected component is one linear system over its chance nodes, solved in
whole numbers and fractions by FLINT (Kemeny and Snell, *Finite Markov Chains*, 1960,
chapter 3: expected totals of an absorbing chain).
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import add

from endsight.algorithms.backward_induction import chance_value
from endsight.algorithms.linear_systems import solution_of
from endsight.game.numbers import Number, simplest
from endsight.graph.graph import Graph
from endsight.graph.table import Value


def policy_evaluation(graph: Graph, choices: Sequence[int]) -> list[Value]:
    """Expected totals at every node when players follow `choices`.

    `choices` holds an edge for every decision node; `graph.offsets` does where each has only one. Where play goes round
    for ever with probability 1, it is worth `graph.endless_at`; nothing may be gained there.
    """
    is_open = (graph.is_end(node) or graph.is_chance(node) for node in range(len(graph)))
    play = graph.along([-1 if keeps else edge for keeps, edge in zip(is_open, choices, strict=False)])
    values: list[Value] = [()] * len(graph)
    for part in play.components:
        payoff = play.payoffs[part[0]]
        if payoff is not None:
            values[part[0]] = payoff
        elif not play.is_loop(part):
            values[part[0]] = chance_value(play, part[0], values)
        elif play.leaves(part):
            _evaluate(play, part, values)
        else:
            for node in part:
                values[node] = play.endless_at(node)
    return values


def _evaluate(play: Graph, part: list[int], values: list[Value]) -> None:
    """Set `values` of a component of play in which nobody has a choice; values outside must be known.

    One linear equation per chance node of the component; players' nodes are followed to where they lead. Solved in
    whole numbers and fractions by FLINT.
    """
    inside = set(part)
    chance = [node for node in part if play.is_chance(node)]
    row = {node: i for i, node in enumerate(chance)}
    matrix = [[0] * len(chance) for _ in chance]
    right: list[list[Number]] = [[0] * play.players for _ in chance]
    for node, i in row.items():
        for edge, weight in zip(play.edges(node), play.weights_of(play.edges(node)), strict=True):
            gain, stop = _follow(play, edge, inside)
            matrix[i][i] += weight
            arrival = gain
            if stop in row:
                matrix[i][row[stop]] -= weight
            else:
                arrival = _sum(gain, values[stop])
            right[i] = [amount + weight * more for amount, more in zip(right[i], arrival, strict=True)]
    for node, solved in zip(chance, solution_of(matrix, right), strict=True):
        values[node] = tuple(solved)
    for node in part:
        if node not in row:
            gain, stop = _follow(play, play.offsets[node], inside)
            values[node] = tuple(map(simplest, _sum(gain, values[stop])))


def _follow(play: Graph, edge: int, inside: set[int]) -> tuple[Value, int]:
    """Gains along `edge` and the moves after it, and the chance or outside node where they stop."""
    gain: Value = (0,) * play.players
    while True:
        gain = _sum(gain, play.gain(edge) or (0,) * play.players)
        node = play.successors[edge]
        if node not in inside or play.is_chance(node):
            return gain, node
        edge = play.offsets[node]


def _sum(one: Value, other: Value) -> Value:
    return tuple(map(add, one, other))
