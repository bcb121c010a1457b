"""Exact policy iteration: games with chance in which play can come back to a position.

Component by component, successors first. Inside a component one player's policies are
improved as in Howard (1960); two opposed players as in Hoffman and Karp, "On
nonterminating stochastic games" (1966): the second answers the first's policy best,
then the first improves. Every policy is evaluated by one exact linear solve, so a
strict improvement is strict and the iteration ends.

Both need that play inside the component ends with probability 1 whatever the players
do (a *stopping* component), which is checked; the values are then the only solution of
the optimality equations (Shapley 1953; Condon 1992).
"""

from __future__ import annotations

from collections.abc import Iterable

from endsight.algorithms.backward_induction import chance_value
from endsight.algorithms.policy_evaluation import evaluate
from endsight.algorithms.retrograde import signs
from endsight.errors import LimitReached, RulesError
from endsight.game import CHANCE
from endsight.graph import Graph
from endsight.numbers import Number, nearest_float
from endsight.table import Table, Value, first_best_edges

__all__ = ["policy_iteration"]

# The exact values of a chain of components grow in length with every one of them; beyond
# this many nodes on loops they take minutes and more.
MOST_LOOPING_NODES = 30_000
_SWEEPS = 200


def policy_iteration(graph: Graph) -> Table:
    """Values and choices of every node of a graph with chance and loops.

    Raises `RulesError` where play could go on for ever or the players' wishes are not
    opposed, `LimitReached` where exact values are out of reach.
    """
    sign = signs(graph)
    looping = [part for part in graph.components if graph.is_loop(part)]
    size = sum(map(len, looping))
    if size > MOST_LOOPING_NODES:
        raise LimitReached(
            f"stopped: {size:,} positions lie on loops with chance, and exact values are found"
            f" for up to {MOST_LOOPING_NODES:,}",
            states=len(graph),
            advice="a smaller game, or a later position",
        )
    values: list[Value] = [()] * len(graph)
    run = _Run(graph, sign, values)
    for part in graph.components:
        if graph.is_loop(part):
            run.solve(part)
        else:
            run.back_up(part[0])
    choices = first_best_edges(graph, values, None)
    return Table(values, None, choices, "policy iteration")


class _Run:
    """Values known so far, and the solving of one component with all it leads to known."""

    def __init__(self, graph: Graph, sign: list[int], values: list[Value]) -> None:
        self.graph = graph
        self.sign = sign
        self.values = values
        self.choices = [-1] * len(graph)

    def back_up(self, node: int) -> None:
        """The value of a node that is on no loop."""
        graph = self.graph
        payoff = graph.payoffs[node]
        if payoff is not None:
            self.values[node] = payoff
        elif graph.movers[node] == CHANCE:
            self.values[node] = chance_value(graph, node, self.values)
        else:
            best = self._best_edge(node)
            self.values[node] = graph.through(best, self.values[graph.successors[best]])

    def solve(self, part: list[int]) -> None:
        """The values of one component."""
        self._require_stopping(part)
        self._guess(part)
        deciding = [node for node in part if self.graph.movers[node] != CHANCE]
        ours = [node for node in deciding if self.sign[self.graph.movers[node]] > 0]
        theirs = [node for node in deciding if self.sign[self.graph.movers[node]] < 0]
        while True:
            evaluate(self.graph, part, self.choices, self.values)
            if self._improve(theirs):
                continue
            if not self._improve(ours):
                return

    def _require_stopping(self, part: list[int]) -> None:
        """Raise `RulesError` where the players together could stay in the component for ever."""
        graph = self.graph
        inside = set(part)
        while inside:
            leaving = {node for node in inside if not self._can_stay(node, inside)}
            if not leaving:
                raise RulesError(
                    "play with chance can go on for ever here: some way to play never reaches an end",
                    found=f"for example from {graph.keys[min(inside)]!r}",
                    advice="make every way to play end with probability 1 (a turn counter in the state)",
                )
            inside -= leaving

    def _can_stay(self, node: int, inside: set[int]) -> bool:
        kept = (self.graph.successors[edge] in inside for edge in self.graph.edges(node))
        return all(kept) if self.graph.movers[node] == CHANCE else any(kept)

    def _guess(self, part: list[int]) -> None:
        """First choices from value iteration in floats; they only save exact rounds."""
        graph = self.graph
        inside = set(part)
        rough = dict.fromkeys(part, 0.0)
        outside = {
            child: nearest_float(self.values[child][0]) or 0.0
            for node in part
            for edge in graph.edges(node)
            if (child := graph.successors[edge]) not in inside
        }
        rough_edges = {node: [(edge, *self._rough_edge(edge)) for edge in graph.edges(node)] for node in part}
        for _ in range(_SWEEPS):
            change = 0.0
            for node in part:
                arrivals = [
                    (edge, weight, gain + (rough[child] if child in inside else outside[child]))
                    for edge, weight, gain, child in rough_edges[node]
                ]
                value = self._rough_value(node, arrivals)
                change = max(change, abs(value - rough[node]))
                rough[node] = value
            if change < 1e-12:
                break

    def _rough_edge(self, edge: int) -> tuple[float, float, int]:
        graph = self.graph
        gain = None if graph.rewards is None else graph.rewards[edge]
        weight = 1 if graph.weights is None else graph.weights[edge]
        return float(weight), 0.0 if gain is None else nearest_float(gain[0]) or 0.0, graph.successors[edge]

    def _rough_value(self, node: int, arrivals: list[tuple[int, float, float]]) -> float:
        mover = self.graph.movers[node]
        if mover == CHANCE:
            total = sum(weight for _, weight, _ in arrivals)
            return sum(weight * value for _, weight, value in arrivals) / total
        sign = self.sign[mover]
        edge, _, value = max(arrivals, key=lambda arrival: sign * arrival[2])
        self.choices[node] = edge
        return value

    def _improve(self, nodes: Iterable[int]) -> bool:
        """Switch every node to a strictly better edge where there is one."""
        changed = False
        for node in nodes:
            best = self._best_edge(node)
            if self._worth(node, best) > self._worth(node, self.choices[node]):
                self.choices[node] = best
                changed = True
        return changed

    def _best_edge(self, node: int) -> int:
        return max(self.graph.edges(node), key=lambda edge: self._worth(node, edge))

    def _worth(self, node: int, edge: int) -> Number:
        value = self.graph.through(edge, self.values[self.graph.successors[edge]])[0]
        return value if self.sign[self.graph.movers[node]] > 0 else -value
