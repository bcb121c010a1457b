"""Exact values of a game without loops, in whole numbers: no fraction is made before somebody asks.

Say that a node lies on level k if the longest way from it to an end passes k throws of
dice. All values of a level are whole numbers over one denominator: that of the level
below, times the least common multiple of the weights thrown on it (so a power of the
weight of one throw, where all throws are alike), less what it has in common with all of
them. Sums and comparisons then take no greatest common divisor of two long numbers, and
ties are ties.

Levels are worked through upwards, all throws of one together, as arrays of Python's
unbounded numbers (of FLINT's where they grow long).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import gcd, lcm
from typing import Any, overload

import numpy as np
import numpy.typing as npt

from endsight.algorithms.edge_arrays import edges_of, first_largest
from endsight.game import CHANCE
from endsight.graph import Graph
from endsight.limits import Budget
from endsight.numbers import reduced, simplest
from endsight.table import Value

__all__ = ["LoopFree", "WholeValues", "loop_free", "whole_values"]

Indices = npt.NDArray[np.int64]
Numbers = npt.NDArray[Any]
"""Whole numbers: machine words, or objects of Python or FLINT."""

LONG_BITS = 4_000
"""Length of the denominators from which FLINT multiplies faster than Python."""
_AT_ONCE = 256


@dataclass(frozen=True)
class LoopFree:
    """A game as arrays; amounts are whole multiples of 1 / `unit`, p of them for every node and edge.

    offsets     n+1 edges of node i are offsets[i] .. offsets[i+1]-1; none at the end of the game
    successors  m   node an edge leads to
    weights     m   whole weights of chance outcomes; None where all are 1
    targets     n   which amount the mover is after; -1 at chance and at ends
    directions  n   +1 where the mover wants more of it, -1 where less
    gains       m x p  what an edge adds; None for nothing anywhere
    payoffs     n x p  the amounts at the end; 0 elsewhere
    """

    offsets: Indices
    successors: Indices
    weights: Numbers | None
    targets: Indices
    directions: Indices
    gains: Numbers | None
    payoffs: Numbers
    unit: int

    def __len__(self) -> int:
        return len(self.targets)

    @cached_property
    def counts(self) -> Indices:
        """How many edges leave each node."""
        return np.diff(self.offsets)

    @cached_property
    def is_dice(self) -> npt.NDArray[np.bool_]:
        """Where chance decides between several outcomes."""
        decides: npt.NDArray[np.bool_] = (self.targets < 0) & (self.counts > 1)
        return decides

    def edges(self, nodes: Indices) -> Indices:
        """All edges of these nodes, node by node."""
        return edges_of(self.offsets, nodes)


def loop_free(graph: Graph) -> LoopFree:
    """The arrays of a graph that keeps players apart by number."""
    offsets = np.array(graph.offsets, np.int64)
    wishes = [(-1, 0) if mover == CHANCE else graph.wishes[mover] for mover in graph.movers]
    payoffs, gains, unit = _amounts(graph)
    return LoopFree(
        offsets=offsets,
        successors=np.array(graph.successors, np.int64),
        weights=None if graph.weights is None else _numbers(graph.weights),
        targets=np.where(offsets[1:] == offsets[:-1], -1, [target for target, _ in wishes]),
        directions=np.array([direction for _, direction in wishes]),
        gains=gains,
        payoffs=payoffs,
        unit=unit,
    )


def _amounts(graph: Graph) -> tuple[Numbers, Numbers | None, int]:
    """Payoffs and gains, and the unit that they are multiples of."""
    nothing = (0,) * graph.players
    payoffs = [payoff or nothing for payoff in graph.payoffs]
    gains = [gain or nothing for gain in graph.rewards or ()]
    unit = lcm(*{amount.denominator for row in (*payoffs, *gains) for amount in row})
    pays, gained = ([[int(amount * unit) for amount in row] for row in rows] for rows in (payoffs, gains))
    return np.array(pays, object), np.array(gained, object) if any(map(any, gained)) else None, unit


def _numbers(numbers: list[int]) -> Numbers:
    """Machine words where sums of them fit."""
    return np.array(numbers, np.int64 if sum(numbers) < 1 << 62 else object)


class WholeValues(Sequence[Value]):
    """Values of all nodes, made into fractions one by one when they are asked for.

    choices  n  the first of the best edges at every decision, -1 elsewhere
    """

    def __init__(self, tops: Numbers, levels: Indices, bottoms: list[Any], choices: Indices) -> None:
        self.choices = choices
        self._tops = tops
        self._levels = levels
        self._bottoms = list(map(int, bottoms))

    def __len__(self) -> int:
        return len(self._tops)

    @overload
    def __getitem__(self, node: int) -> Value: ...
    @overload
    def __getitem__(self, node: slice) -> list[Value]: ...
    def __getitem__(self, node: int | slice) -> Value | list[Value]:
        if isinstance(node, slice):
            return [self[each] for each in range(*node.indices(len(self)))]
        bottom = self._bottoms[self._levels[node]]
        return tuple(simplest(reduced(int(top), bottom)) for top in self._tops[node])


def whole_values(game: LoopFree, wanted: Indices | None = None, budget: Budget | None = None) -> WholeValues | None:
    """Values of all nodes, or of those `wanted` alone; None where play can come back to a node.

    Players take the first of their own best edges. Raises `LimitReached` when the budget
    is spent.
    """
    order = _Order(game)
    return _Solving(game, order, wanted, budget or Budget()).values() if order.is_complete else None


class _Order:
    """Levels of all nodes, and among those that throw no dice on the same level, who comes after whom."""

    def __init__(self, game: LoopFree) -> None:
        self.levels = np.zeros(len(game), np.int64)
        self.heights = np.zeros(len(game), np.int64)
        sources = np.repeat(np.arange(len(game)), game.counts)
        before = sources[np.argsort(game.successors, kind="stable")]
        after = np.append(0, np.cumsum(np.bincount(game.successors, minlength=len(game))))
        waiting = game.counts.copy()
        front = np.flatnonzero(waiting == 0)
        placed = 0
        while len(front):
            placed += len(front)
            # Level by level from the ends up: a node follows the last of its successors.
            parents, times = np.unique(before[edges_of(after, front)], return_counts=True)
            waiting[parents] -= times
            front = parents[waiting[parents] == 0]
            if len(front):
                self._place(game, front)
        self.is_complete = placed == len(game)

    def _place(self, game: LoopFree, nodes: Indices) -> None:
        children = game.successors[game.edges(nodes)]
        counts = game.counts[nodes]
        starts = _begins(counts)
        level = np.maximum.reduceat(self.levels[children], starts)
        beside = self.levels[children] == np.repeat(level, counts)
        height = np.maximum.reduceat(np.where(beside, self.heights[children], 0), starts) + 1
        self.levels[nodes] = level + game.is_dice[nodes]
        self.heights[nodes] = np.where(game.is_dice[nodes], 0, height)

    def groups(self) -> Iterator[tuple[int, Indices]]:
        """Nodes in the order in which they can be valued, those of one level and height together."""
        order = np.lexsort((self.heights, self.levels))
        keys = np.stack((self.levels[order], self.heights[order]))
        cuts = np.flatnonzero((np.diff(keys) != 0).any(axis=0)) + 1
        for nodes in np.split(order, cuts):
            if len(nodes):
                yield int(self.levels[nodes[0]]), nodes


class _Solving:
    """Numerators while they are found; `bottoms[k]` is the denominator of level k."""

    def __init__(self, game: LoopFree, order: _Order, wanted: Indices | None, budget: Budget) -> None:
        self.game, self.order, self.budget = game, order, budget
        self.levels = order.levels
        self.choices = np.full(len(game), -1, np.int64)
        self.bottoms: list[Any] = [self._number(game.unit)]
        self.tops: Numbers = np.zeros(game.payoffs.shape, object)
        ends = game.counts == 0
        self.tops[ends] = game.payoffs[ends].astype(object) * self._number(1)
        self.leaving = None if wanted is None else self._last_uses(wanted)

    @cached_property
    def totals(self) -> Numbers:
        """Sum of the weights of every node's edges, 1 where no dice are thrown."""
        totals: Numbers = np.ones(len(self.game), object if self._are_long else np.int64)
        dice = np.flatnonzero(self.game.is_dice)
        if len(dice):
            totals[dice] = self._sums(self._weights(self.game.edges(dice)), dice)
        return totals

    @cached_property
    def factors(self) -> list[int]:
        """For every level the least common multiple of the weights thrown on it."""
        factors = [1] * (int(self.levels.max(initial=0)) + 1)
        dice = np.flatnonzero(self.game.is_dice)
        for level, total in set(zip(self.levels[dice].tolist(), self.totals[dice].tolist(), strict=True)):
            factors[level] = lcm(factors[level], total)
        return factors

    @property
    def _are_long(self) -> bool:
        return self.game.weights is not None and self.game.weights.dtype == object

    @cached_property
    def _number(self) -> Any:
        """Python's whole numbers, or FLINT's."""
        if sum(factor.bit_length() for factor in self.factors) < LONG_BITS:
            return int
        from flint import fmpz

        return fmpz

    def _last_uses(self, wanted: Indices) -> list[Indices]:
        """For every level the nodes that nothing above it needs any more."""
        game = self.game
        last = self.levels.copy()
        np.maximum.at(last, game.successors, np.repeat(self.levels, game.counts))
        last[wanted] = len(self.factors)
        order = np.argsort(last, kind="stable")
        return np.split(order, np.searchsorted(last[order], np.arange(1, len(self.factors) + 1)))

    def values(self) -> WholeValues:
        """Level after level."""
        done = 0
        for level, nodes in self.order.groups():
            self.budget.glance(len(self.game), "finding exact values")
            if level > done and self.leaving is not None:
                self.tops[self.leaving[done]] = None
            done = level
            if self.game.is_dice[nodes[0]]:
                self._throw(level, nodes)
            elif self.game.counts[nodes[0]]:
                self._decide(level, nodes)
        return WholeValues(self.tops, self.levels, self.bottoms, self.choices)

    # ---------------------------------------------------------------- one group

    def _throw(self, level: int, nodes: Indices) -> None:
        """The means of a level's dice; its denominator becomes known."""
        factor = self.factors[level]
        edges = self.game.edges(nodes)
        shares = self._weights(edges).astype(object) * np.repeat(
            factor // self.totals[nodes].astype(object), self.game.counts[nodes]
        )
        tops = self._sums(self._arrivals(edges, level - 1) * shares[:, None], nodes)
        common = _common(tops.reshape(-1), factor)
        self.tops[nodes] = tops if common == 1 else tops // common
        self.bottoms.append(self.bottoms[-1] * (factor // common))

    def _decide(self, level: int, nodes: Indices) -> None:
        """The first of the best moves, or the only way on."""
        game = self.game
        edges = game.edges(nodes)
        tops = self._arrivals(edges, level)
        counts, targets = game.counts[nodes], game.targets[nodes]
        choosing = np.repeat(targets, counts)
        worths = tops[np.arange(len(edges)), choosing] * np.repeat(game.directions[nodes], counts).astype(object)
        chosen = first_largest(np.append(0, np.cumsum(counts)), worths)
        self.tops[nodes] = tops[chosen]
        self.choices[nodes] = np.where(targets < 0, -1, edges[chosen])

    def _arrivals(self, edges: Indices, level: int) -> Numbers:
        """What follows these edges, gains included, over the denominator of `level`."""
        game = self.game
        children = game.successors[edges]
        tops = self.tops[children]
        below = self.levels[children]
        for lower in np.unique(below[below < level]).tolist():
            tops[below == lower] *= self.bottoms[level] // self.bottoms[lower]
        if game.gains is not None:
            tops = tops + game.gains[edges].astype(object) * (self.bottoms[level] // self.bottoms[0])
        return tops

    def _weights(self, edges: Indices) -> Numbers:
        weights = self.game.weights
        return np.ones(len(edges), np.int64) if weights is None else weights[edges]

    def _sums(self, amounts: Numbers, nodes: Indices) -> Numbers:
        """Sums over the edges of each node."""
        sums: Numbers = np.add.reduceat(amounts, _begins(self.game.counts[nodes]), axis=0)
        return sums


def _common(numbers: Numbers, factor: int) -> int:
    """The greatest common divisor of a short number with many long ones."""
    common = factor
    for start in range(0, len(numbers), _AT_ONCE):
        if common == 1:
            break
        common = gcd(common, *(int(number % common) for number in numbers[start : start + _AT_ONCE]))
    return common


def _begins(counts: Indices) -> Indices:
    """Where each of several rows of these lengths begins, one after another."""
    begins: Indices = np.cumsum(counts) - counts
    return begins
