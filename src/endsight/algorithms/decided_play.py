"""What play brings once every decision is taken, on arrays: chances and mean counts, enclosed or exact.

Best play of a game whose bounds are proven is a Markov chain: at every decision the first
of the best moves is made. A chance or an expected number is the value of that chain with
other payoffs and gains, so it is enclosed as all values are (`interval_iteration`), or
found exactly (`exact_play`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from endsight.algorithms.exact_play import exact_along_play, pruned
from endsight.algorithms.interval_iteration import Bytes, Enclosure, FixedArena, Structure, Words, enclose_values
from endsight.algorithms.rough_policy import ranges
from endsight.limits import Budget
from endsight.numbers import Amount, Number, simplest

__all__ = ["DecidedPlay", "exact_nodes", "reached", "settled_verdicts"]

Flags = npt.NDArray[np.bool_]


def reached(arena: FixedArena, root: int, kept: Flags | None = None) -> Words:
    """Nodes that play from `root` can meet, breadth first, along the edges `kept` (default: all)."""
    seen = np.zeros(len(arena), np.bool_)
    seen[root] = True
    layer = np.array([root], np.int64)
    layers = [layer]
    while len(layer):
        edges = ranges(arena.offsets[layer], arena.offsets[layer + 1])
        if kept is not None:
            edges = edges[kept[edges]]
        after = arena.successors[edges]
        layer = np.unique(after[~seen[after]]).astype(np.int64)
        seen[layer] = True
        layers.append(layer)
    return np.concatenate(layers)


def exact_nodes(enclosure: Enclosure, nodes: Words, budget: Budget) -> dict[int, Number]:
    """Exact values of these nodes."""
    arena = enclosure.arena
    part = pruned(arena, enclosure.verdicts, nodes.tolist(), arena.unit)
    values = exact_along_play(part.arena, range(len(nodes)), budget)
    return {part.nodes[place]: value for place, value in values.items()}


def settled_verdicts(enclosure: Enclosure, root: int, budget: Budget) -> Bytes:
    """Verdicts without a doubt at every decision that best play from `root` may meet.

    Where bounds leave open which moves are best, exact values decide. Raises
    `LimitReached` where those are out of reach.
    """
    arena, verdicts = enclosure.arena, enclosure.verdicts
    sources = np.repeat(np.arange(len(arena)), np.diff(arena.offsets))
    is_choice = (arena.signs != 0)[sources]
    nodes = reached(arena, root, ~is_choice | (verdicts > 0))
    met = np.zeros(len(arena), np.bool_)
    met[nodes] = True
    doubtful = np.unique(sources[is_choice & (verdicts == 1) & met[sources]])
    if not len(doubtful):
        return verdicts
    edges = ranges(arena.offsets[doubtful], arena.offsets[doubtful + 1])
    exact = exact_nodes(enclosure, np.unique(arena.successors[edges]).astype(np.int64), budget)
    settled: Bytes = verdicts.copy()
    for node in doubtful.tolist():
        own = range(int(arena.offsets[node]), int(arena.offsets[node + 1]))
        gains = [0 if arena.gains is None else int(arena.gains[edge]) for edge in own]
        # Gains count 1 / unit, exact values count 1.
        worths = [arena.unit * exact[int(arena.successors[edge])] + gain for edge, gain in zip(own, gains, strict=True)]
        best = max(worths) if arena.signs[node] > 0 else min(worths)
        settled[own.start : own.stop] = [2 if worth == best else 0 for worth in worths]
    return settled


@dataclass(frozen=True)
class DecidedPlay:
    """Play from `root` on, the first of the best moves made at every decision.

    verdicts   of every edge, without a doubt where play goes: see `settled_verdicts`
    is_exact   whether means are exact numbers, or proven ends
    """

    arena: FixedArena
    verdicts: Bytes
    root: int
    is_exact: bool
    budget: Budget

    @cached_property
    def chosen(self) -> Flags:
        """Edges that are taken where there is a choice, and all outcomes of chance."""
        arena = self.arena
        size = len(arena.successors)
        numbers = np.arange(size)
        first_best = np.where(self.verdicts == 2, numbers, size)
        going = np.flatnonzero(np.diff(arena.offsets) > 0)
        first = np.minimum.reduceat(first_best, arena.offsets[going]) if size else first_best
        kept: Flags = (arena.signs == 0)[np.repeat(np.arange(len(arena)), np.diff(arena.offsets))]
        kept[first[(arena.signs[going] != 0) & (first < size)]] = True
        return kept

    @cached_property
    def nodes(self) -> Words:
        """What is met, the root first."""
        return reached(self.arena, self.root, self.chosen)

    @cached_property
    def edges(self) -> Words:
        """What is taken, node after node."""
        arena = self.arena
        all_of_them = ranges(arena.offsets[self.nodes], arena.offsets[self.nodes + 1])
        return all_of_them[self.chosen[all_of_them]]

    @cached_property
    def _chain(self) -> FixedArena:
        """The chain, its nodes numbered as in `nodes`, without payoffs and gains."""
        arena, nodes = self.arena, self.nodes
        place = np.zeros(len(arena), np.int32)
        place[nodes] = np.arange(len(nodes))
        kept = np.append(0, np.cumsum(self.chosen))
        counts = kept[arena.offsets[nodes + 1]] - kept[arena.offsets[nodes]]
        zeros = np.zeros(len(nodes), np.int64)
        return FixedArena(
            offsets=np.append(0, np.cumsum(counts)),
            successors=place[arena.successors[self.edges]],
            weights=None if arena.weights is None else arena.weights[self.edges],
            signs=zeros.astype(np.int8),
            gains=None,
            payoffs=zeros,
            unit=1,
        )

    @cached_property
    def _structure(self) -> Structure:
        chain = self._chain
        return Structure.of(chain.offsets, chain.successors, chain.signs)

    def chance(self, ends: Flags) -> Amount:
        """The chance that play ends at one of `ends` (a flag for every node of the arena)."""
        return self._mean(replace(self._chain, payoffs=ends[self.nodes].astype(np.int64)))

    def count(self, nodes: Flags) -> Amount:
        """How often, on average, play leaves one of `nodes`."""
        chain = self._chain
        gains = np.repeat(nodes[self.nodes], np.diff(chain.offsets)).astype(np.int64)
        return self._mean(replace(chain, gains=gains)) if gains.any() else 0

    def _mean(self, chain: FixedArena) -> Amount:
        if self.is_exact:
            part = pruned(chain, np.full(len(chain.successors), 2, np.int8), [0], 1)
            return simplest(exact_along_play(part.arena, [0], self.budget)[0])
        enclosure = enclose_values(chain, self._structure, budget=self.budget)
        assert enclosure is not None, "play ends, whatever the players do"
        ends = enclosure.interval(0)
        return simplest(ends.lower) if ends.lower == ends.upper else ends
