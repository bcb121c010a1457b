"""What the edges of an arena show without any amounts: components, and whether play ends."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from endsight.algorithms.arena import Arena
from endsight.algorithms.edge_arrays import edges_of
from endsight.algorithms.fixed_point import Bytes, Halves, Words
from endsight.algorithms.loops import loops_for
from endsight.compiler.kernels import Loop
from endsight.graph.kernel_numbers import SearchRoom


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
    def of(offsets: Words, successors: Halves, signs: Bytes, *, compiled: bool | None = None) -> Structure:
        """Ranks and components, in time linear in the edges."""
        count, edges = len(signs), len(successors)
        loops = loops_for(edges, compiled)
        links = (count, offsets, successors)
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
