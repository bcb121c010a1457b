"""Retrograde analysis on arrays, a pass a ply: what large graphs are settled by; see `retrograde`.

A pass looks at all moves that lead into the nodes settled a ply later, so its work is
that of the plain algorithm, without Python in between. Amounts are ranks: 0 for endless
play, from 1 up what the first player likes better, from -1 down what is worse.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from endsight.algorithms.edge_arrays import edges_of, first_largest
from endsight.graph import Graph
from endsight.limits import Budget
from endsight.numbers import Number

__all__ = ["Passes"]

Array: TypeAlias = npt.NDArray[Any]
_NONE = np.int32(-1)


class Passes:
    """Nodes that have been settled so far, with their level and how long the way is."""

    def __init__(self, graph: Graph, sign: list[int], budget: Budget) -> None:
        self.graph = graph
        self.budget = budget
        size = len(graph)
        self.offsets = np.array(graph.offsets, dtype=np.int64)
        self.successors = np.array(graph.successors, dtype=np.int32)
        self._look("sorting moves by where they lead")
        self.counts = np.diff(self.offsets)
        self.sign = np.array(sign, dtype=np.int64)[np.array(graph.movers, dtype=np.int32)]
        into = np.argsort(self.successors, kind="stable")
        self._look("sorting moves by where they lead")
        self.predecessors = np.repeat(np.arange(size, dtype=np.int32), self.counts)[into]
        self.into = np.zeros(size + 1, dtype=np.int64)
        np.cumsum(np.bincount(self.successors, minlength=size), out=self.into[1:])
        self.open_edges = self.counts.copy()
        self.ranks = np.zeros(size, dtype=np.int64)
        self.plies = np.full(size, _NONE)
        self._rank_amounts()

    def _look(self, doing: str = "solving") -> None:
        self.budget.glance(len(self.graph), doing)

    def _rank_amounts(self) -> None:
        """Which ends pay which amount."""
        graph = self.graph
        ends = [node for node, payoff in enumerate(graph.payoffs) if payoff is not None]
        amounts: list[Number] = [payoff[0] for payoff in graph.payoffs if payoff is not None]
        draw = graph.endless[0]
        different = set(amounts)
        better = sorted(amount for amount in different if amount > draw)
        worse = sorted((amount for amount in different if amount < draw), reverse=True)
        self.amounts = [draw, *better, *reversed(worse)]
        rank = {amount: number for number, amount in enumerate(better, start=1)}
        rank |= {amount: -number for number, amount in enumerate(worse, start=1)}
        self.ends = np.array(ends, dtype=np.int32)
        self.end_ranks = np.array([rank.get(amount, 0) for amount in amounts], dtype=np.int64)
        self.rank = rank

    # ---------------------------------------------------------------- settling

    def attract(self, level: Number, *, attacker: int) -> None:
        """Settle all nodes from which the side `attacker` forces the ends that pay `level`."""
        rank = self.rank[level]
        front = self.ends[self.end_ranks == rank]
        ply = 0
        while len(front):
            self.ranks[front] = rank
            self.plies[front] = ply
            front = self._before(front, attacker)
            ply += 1
            self._look()

    def _before(self, front: Array, attacker: int) -> Array:
        """Nodes to be settled next: where the attacker moves into the front, or nothing but settled nodes is left."""
        before, moves = np.unique(self.predecessors[edges_of(self.into, front)], return_counts=True)
        self.open_edges[before] -= moves
        before = before[self.plies[before] == _NONE]
        found: Array = before[(self.sign[before] == attacker) | (self.open_edges[before] == 0)]
        return found

    # ---------------------------------------------------------------- what was found

    @property
    def levels(self) -> list[Number | None]:
        """The amount that each node was settled with, that of endless play where it was not."""
        # Negative ranks count from the end of the list.
        amounts = self.amounts
        return [amounts[rank] for rank in self.ranks.tolist()]

    @property
    def distances(self) -> list[int | None]:
        """Plies to the end; None for endless play."""
        return [None if ply < 0 else ply for ply in self.plies.tolist()]

    def choices(self, _values: object, *, by_distance: bool) -> list[int]:
        """For every node the first of its best edges, by value and then, if wanted, by distance."""
        worth = np.repeat(self.sign, self.counts) * self.ranks[self.successors]
        if by_distance:
            # The winner hastens, the loser delays.
            longest = int(self.plies.max()) + 2
            worth = worth * longest - np.sign(worth) * self.plies[self.successors]
        self._look()
        chosen: list[int] = first_largest(self.offsets, worth).tolist()
        self._look()
        return chosen
