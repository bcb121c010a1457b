"""A game of chance as arrays, with one or several amounts at stake: the form that its algorithms share.

With one amount, one side wants more of it, the other less, and dice decide elsewhere. In the
literature a *turn-based stochastic game* (Condon 1992), or with one side alone a
*Markov decision process* (Puterman 1994). What its edges show without amounts is its structure: components, and
whether play ends.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import lcm
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from endsight.algorithms.edge_arrays import Bytes, Halves, Words, edges_of, largest
from endsight.algorithms.loops import loops_for
from endsight.compiler.kernels import Loop
from endsight.game import CHANCE
from endsight.game.numbers import Number
from endsight.graph.graph import Graph, Interest, Picked
from endsight.graph.judgement import opposed_signs
from endsight.graph.kernel_numbers import Edges, Links, SearchRoom
from endsight.graph.ways import Ways

Numbers: TypeAlias = Any
"""Whole numbers: an array of machine words, or of Python's where they are long; or a list."""
MOST_IN_WORDS = (1 << 62) - 1
_GUESSED_BITS = 16
"""Bits of long numbers that guesses keep."""
_NOTHING = np.zeros(1, np.int64)


@dataclass(frozen=True)
class Arena(Ways):
    """Nodes 0..n-1 and edges 0..m-1, grouped by the node they leave; amounts are whole multiples of 1 / `unit`.

    offsets     n+1 edges of node i are offsets[i] .. offsets[i+1]-1; none at the end
    successors  m   node an edge leads to
    weights     m   whole weights of chance outcomes; None where all are 1
    signs       n   +1 where the mover wants more, -1 where less, 0 at chance and at ends
    gains       m   what an edge adds to the amount; None for nothing anywhere
    payoffs     n   the amount at the end; 0 elsewhere
    targets     n   which amount the mover cares about, where there are p of them: then gains are m x p,
                    and payoffs n x p; None where there is one
    """

    offsets: Numbers
    successors: Numbers
    weights: Numbers | None
    signs: Numbers
    gains: Numbers | None
    payoffs: Numbers
    unit: int = 1
    targets: Numbers | None = None

    @staticmethod
    def of(
        offsets: Numbers,
        successors: Numbers,
        weights: Numbers | None,
        signs: Numbers,
        gains: Numbers | None,
        payoffs: Numbers,
        unit: int = 1,
    ) -> Arena:
        """The arena with these numbers as arrays."""
        starts = np.asarray(offsets, np.int64)
        return Arena(
            starts,
            np.asarray(successors, np.int32),
            _weights(weights, starts),
            np.asarray(signs, np.int8),
            None if gains is None else words(gains),
            words(payoffs),
            unit,
        )

    def __len__(self) -> int:
        return len(self.signs)

    def lists(self) -> Arena:
        """The same arena as lists of Python's numbers, for loops in Python."""
        return Arena(
            self.offsets.tolist(),
            self.successors.tolist(),
            None if self.weights is None else self.weights.tolist(),
            self.signs.tolist(),
            None if self.gains is None else self.gains.tolist(),
            self.payoffs.tolist(),
            self.unit,
        )

    def among(self, nodes: Words, kept: npt.NDArray[np.bool_]) -> Arena:
        """The marked edges of these nodes, which lead to no others; nodes are numbered by their places among these."""
        place = np.zeros(len(self), np.int32)
        place[nodes] = np.arange(len(nodes))
        edges = edges_of(self.offsets, nodes)
        edges = edges[kept[edges]]
        before = np.append(0, np.cumsum(kept))
        counts = before[self.offsets[nodes + 1]] - before[self.offsets[nodes]]
        return replace(
            self,
            offsets=np.append(0, np.cumsum(counts)),
            successors=place[self.successors[edges]],
            weights=None if self.weights is None else self.weights[edges],
            signs=self.signs[nodes],
            gains=None if self.gains is None else self.gains[edges],
            payoffs=self.payoffs[nodes],
        )

    # ------------------------------------------------------------------ node by node, of lists

    def gain(self, edge: int) -> int:
        """The gain on that edge."""
        gain: int = 0 if self.gains is None else self.gains[edge]
        return gain

    def weight(self, edge: int) -> int:
        """Weight of that edge as an outcome of chance."""
        weight: int = 1 if self.weights is None else self.weights[edge]
        return weight

    # ------------------------------------------------------------------ all at once, of arrays

    @cached_property
    def counts(self) -> Words:
        """Number of edges that leave each node."""
        counts: Words = np.diff(self.offsets)
        return counts

    @cached_property
    def is_dice(self) -> npt.NDArray[np.bool_]:
        """Which nodes are chance nodes with several outcomes."""
        decides: npt.NDArray[np.bool_] = (self.signs == 0) & (self.counts > 1)
        return decides

    @property
    def is_long(self) -> bool:
        """Whether some numbers do not fit into machine words."""
        return any(numbers is not None and numbers.dtype == object for numbers in (*self._amounts, self.weights))

    @property
    def largest_amount(self) -> int:
        """The size of the largest payoff or gain."""
        return max(largest(amounts) for amounts in self._amounts if amounts is not None)

    @property
    def _amounts(self) -> tuple[Numbers, Numbers | None]:
        return self.payoffs, self.gains

    @cached_property
    def largest_total(self) -> int:
        """The largest sum of the weights of a node's edges."""
        if not len(self.successors):
            return 1
        if self.weights is None:
            return int(self.counts.max())
        return int(np.add.reduceat(self.weights, self.offsets[:-1][self.counts > 0]).max())

    def for_guesses(self) -> Arena:
        """A similar game with numbers short enough to be bounded, for guesses that are proven afterwards.

        Amounts keep their first 16 bits, and the outcomes of each node the first 16 bits of their chances, but none
        becomes impossible. A game with short numbers stays as it is.
        """
        if self.largest_total.bit_length() + self.largest_amount.bit_length() <= 2 * _GUESSED_BITS:
            return self
        shift = max(self.largest_amount.bit_length() - _GUESSED_BITS, 0)
        weights = None
        if self.weights is not None:
            totals = np.add.reduceat(self.weights.astype(object), self.offsets[:-1][self.counts > 0])
            shifts = np.array([max(int(total).bit_length() - _GUESSED_BITS, 0) for total in totals], object)
            weights = words(np.maximum(self.weights >> np.repeat(shifts, self.counts[self.counts > 0]), 1))
        gains = None if self.gains is None else words(self.gains >> shift)
        return replace(self, weights=weights, gains=gains, payoffs=words(self.payoffs >> shift), unit=1)

    @cached_property
    def links(self) -> Links:
        """The edges, for kernels."""
        return Links(len(self), self.offsets, self.successors)

    @property
    def record(self) -> Edges:
        """The first argument of the kernels of interval iteration."""
        weights = _NOTHING if self.weights is None else self.weights
        gains = _NOTHING if self.gains is None else self.gains
        is_weighted, has_gains = self.weights is not None, self.gains is not None
        row: tuple[Any, ...] = (self.offsets, self.successors, weights, is_weighted, self.signs, gains, has_gains)
        return Edges(*row)

    def times(self, factor: int) -> Arena:
        """The same arena with all amounts in units that are smaller by that factor."""
        gains = None if self.gains is None else self.gains * factor
        return replace(self, gains=gains, payoffs=self.payoffs * factor, unit=self.unit * factor)


def arena_of(graph: Graph) -> Arena:
    """The first player's amount in a graph that keeps players apart by number; their interests must be opposed."""
    signs = opposed_signs(graph)
    assert signs is not None, "graphs without a value are refused before"
    return first_amount(graph, signs)


def first_amount(graph: Graph, signs: Sequence[int]) -> Arena:
    """The first player's amount; player k wants more of it where `signs[k]` is 1, and less where it is -1."""
    return replace(_arena(graph, [(0, sign) for sign in signs], 1), targets=None)


def all_amounts(graph: Graph) -> Arena:
    """The amounts of all players of a graph that keeps them apart by number."""
    return _arena(graph, graph.interests, graph.players)


def _arena(graph: Graph, interests: Sequence[Interest], players: int) -> Arena:
    """The amounts of the first players, with every mover's interest as in `interests`."""
    offsets, movers = np.asarray(graph.offsets, np.int64), np.asarray(graph.movers, np.int8)
    # The last row is that of chance.
    assert CHANCE == -1
    targets, signs = np.array([*interests, (0, 0)], np.int8).T
    paid = [row[:players] for row in (*graph.paid, *graph.gained)]
    unit = lcm(*(amount.denominator for row in paid for amount in row))
    is_gaining = any(any(row[:players]) for row in graph.gained)
    return Arena(
        offsets=offsets,
        successors=np.asarray(graph.successors, np.int32),
        weights=_weights(graph.weights, offsets),
        signs=np.where(offsets[1:] == offsets[:-1], np.int8(0), signs[movers]),
        gains=_multiples(graph.gains, players, unit) if is_gaining else None,
        payoffs=_multiples(graph.ends, players, unit),
        unit=unit,
        targets=targets[movers],
    )


def _multiples(amounts: Picked[tuple[Number, ...] | None], players: int, unit: int) -> Numbers:
    """The first players' amounts as multiples of 1 / `unit`, in one column each; zeros for None."""
    rows = [[int(amount * unit) for amount in row[:players]] if row else [0] * players for row in amounts.rows]
    table = words([amount for row in rows for amount in row])
    columns = table if players == 1 else table.reshape(-1, players)
    return columns.take(np.asarray(amounts.numbers), axis=0)


def _weights(weights: Sequence[int] | None, offsets: Words) -> Numbers | None:
    """Weights, in machine words where these hold the sum at every node; None where all are 1."""
    return None if weights is None else words(weights, int(np.diff(offsets).max(initial=1)))


def words(numbers: Numbers, together: int = 1) -> Numbers:
    """An array of machine words where sums of that many numbers are sure to fit, else of Python's numbers."""
    array = np.asarray(numbers, None if isinstance(numbers, memoryview) else object)
    return array.astype(np.int64 if largest(array) * together <= MOST_IN_WORDS else object, copy=False)


@dataclass(frozen=True)
class Structure:
    """What the edges of an arena show without any amounts.

    ranks   n  proof that play ends: see `structure_kernels.find_ranks`; -1 where it may not
    order   n  nodes by strongly connected component, each after all those it leads to
    places  n  where in `order` every node stands
    starts     where every component begins in `order`, and the end of the last
    loops      sizes of the components in which play can come back to a node
    offsets, successors: the edges when nodes are called by their places in `order`
    """

    ranks: Halves
    order: Halves
    places: Halves
    starts: Halves
    loops: Words
    offsets: Words
    successors: Halves

    @staticmethod
    def of(arena: Arena) -> Structure:
        """Ranks and components, in time linear in the edges."""
        links, signs, count, edges = arena.links, arena.signs, len(arena), len(arena.successors)
        loops = loops_for(edges)
        order, starts = components(links, loops)
        places = np.empty(count, np.int32)
        near, arranged = np.empty(count + 1, np.int64), np.empty(max(1, edges), np.int32)
        unranked = loops["arrange"](links, signs, order, places, near, arranged)
        ranks = places if unranked == 0 else _ranks(near, arranged, signs[order], loops)[places]
        sizes = np.diff(starts).astype(np.int64)
        is_loop = sizes > 1
        is_loop[_returning(near, arranged[:edges], starts[:-1])] = True
        return Structure(ranks, order, places, starts, sizes[is_loop], near, arranged[:edges])

    @property
    def ends(self) -> bool:
        """Whether play ends with probability 1 whatever the players do."""
        return not len(self.ranks) or int(self.ranks.min()) >= 0

    @property
    def parts(self) -> int:
        """Number of components."""
        return len(self.starts) - 1

    def arranged(self, arena: Arena) -> Arena:
        """The arena with this structure, with nodes numbered by their places in `order`."""
        order, weights, gains = self.order, arena.weights, arena.gains
        if weights is not None or gains is not None:
            edges = edges_of(arena.offsets, order)
            weights = None if weights is None else weights[edges]
            gains = None if gains is None else gains[edges]
        amounts = {"gains": gains, "payoffs": arena.payoffs[order]}
        signs = arena.signs[order]
        return replace(arena, offsets=self.offsets, successors=self.successors, weights=weights, signs=signs, **amounts)


def components(links: Any, loops: dict[str, Loop], watch: Callable[[], None] | None = None) -> tuple[Halves, Halves]:
    """Nodes by strongly connected component, each after all those it leads to; where each begins, and the last ends."""
    count = links[0]
    order, starts = np.empty(count, np.int32), np.empty(count + 1, np.int32)
    found, (path, entered, stack) = np.zeros(count, np.int32), np.empty((3, count), np.int32)
    room = SearchRoom(*[found, path, entered, np.empty(count, np.int64), stack])
    parts = loops["find_components"](links, order, starts, room, watch=watch)
    return order, starts[: parts + 1]


def _ranks(offsets: Words, successors: Halves, signs: Bytes, loops: dict[str, Loop]) -> Halves:
    """Ranks as `structure_kernels.find_ranks` defines them."""
    count = len(signs)
    into, before, ranks = (
        np.zeros(count + 1, np.int64),
        np.empty(len(successors), np.int32),
        np.full(count, -1, np.int32),
    )
    waiting, stack = np.empty((2, count), np.int32)
    loops["find_ranks"]((count, offsets, successors), signs, (into, before, waiting), ranks, stack)
    return ranks


def _returning(offsets: Words, successors: Halves, firsts: Halves) -> Words:
    """Numbers of the components whose first node leads to itself."""
    edges = edges_of(offsets, firsts)
    sources = np.repeat(np.arange(len(firsts)), offsets[firsts + 1] - offsets[firsts])
    returning: Words = sources[successors[edges] == firsts[sources]]
    return returning
