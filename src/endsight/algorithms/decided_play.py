"""The results of play once every decision is taken, on arrays: chances and mean counts, enclosed or exact.

Best play of a game whose bounds are proven is a Markov chain: every decision takes the first
of the best moves. A chance or an expected number is the value of that chain with
other payoffs and gains, so it is enclosed as all values are (`interval_iteration`), or
found exactly (`action_elimination`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from endsight.algorithms.action_elimination import Flags, exact_at, first_best, reached
from endsight.algorithms.arena import Arena, Structure
from endsight.algorithms.edge_arrays import Bytes, Words, edges_of
from endsight.algorithms.interval_iteration import Enclosure, enclose_values
from endsight.game.limits import Budget
from endsight.game.numbers import Amount, simplest


def certain_verdicts(enclosure: Enclosure, root: int, budget: Budget) -> Bytes:
    """Verdicts without a doubt at every decision that best play from `root` may reach.

    Where bounds leave open which moves are best, exact values decide. Raises
    `LimitReached` where those cannot be found.
    """
    arena, verdicts = enclosure.arena, enclosure.verdicts
    sources = np.repeat(np.arange(len(arena)), np.diff(arena.offsets))
    is_choice = (arena.signs != 0)[sources]
    nodes = reached(arena, np.array([root]), ~is_choice | (verdicts > 0))
    is_reached = np.zeros(len(arena), np.bool_)
    is_reached[nodes] = True
    doubtful = np.unique(sources[is_choice & (verdicts == 1) & is_reached[sources]])
    if not len(doubtful):
        return verdicts
    edges = edges_of(arena.offsets, doubtful)
    exact = exact_at(arena, verdicts, np.unique(arena.successors[edges]).astype(np.int64), budget)
    certain: Bytes = verdicts.copy()
    for node in doubtful.tolist():
        own = range(int(arena.offsets[node]), int(arena.offsets[node + 1]))
        gains = [0 if arena.gains is None else int(arena.gains[edge]) for edge in own]
        # Gains are in units of 1 / unit, exact values in units of 1.
        worths = [arena.unit * exact[int(arena.successors[edge])] + gain for edge, gain in zip(own, gains, strict=True)]
        best = max(worths) if arena.signs[node] > 0 else min(worths)
        certain[own.start : own.stop] = [2 if worth == best else 0 for worth in worths]
    return certain


@dataclass(frozen=True)
class DecidedPlay:
    """Play from `root` on, with the first of the best moves at every decision.

    verdicts   of every edge, without a doubt where play goes: see `certain_verdicts`
    is_exact   whether means are exact numbers, or proven bounds
    """

    arena: Arena
    verdicts: Bytes
    root: int
    is_exact: bool
    budget: Budget

    @cached_property
    def chosen(self) -> Flags:
        """Edges that play takes where there is a choice, and all outcomes of chance."""
        return first_best(self.arena, self.verdicts)

    @cached_property
    def nodes(self) -> Words:
        """The nodes that play reaches, the root first."""
        return reached(self.arena, np.array([self.root]), self.chosen)

    @cached_property
    def edges(self) -> Words:
        """The edges that play takes, node after node."""
        arena = self.arena
        all_of_them = edges_of(arena.offsets, self.nodes)
        return all_of_them[self.chosen[all_of_them]]

    @cached_property
    def _chain(self) -> Arena:
        """The chain, its nodes numbered as in `nodes`, without payoffs and gains."""
        zeros = np.zeros(len(self.nodes), np.int64)
        part = self.arena.among(self.nodes, self.chosen)
        return replace(part, signs=zeros.astype(np.int8), gains=None, payoffs=zeros, unit=1)

    @cached_property
    def _structure(self) -> Structure:
        return Structure.of(self._chain)

    def chance(self, ends: Flags) -> Amount:
        """The chance that play ends at one of `ends` (a flag for every node of the arena)."""
        return self._mean(replace(self._chain, payoffs=ends[self.nodes].astype(np.int64)))

    def count(self, nodes: Flags) -> Amount:
        """How often, on average, play leaves one of `nodes`."""
        chain = self._chain
        gains = np.repeat(nodes[self.nodes], np.diff(chain.offsets)).astype(np.int64)
        return self._mean(replace(chain, gains=gains)) if gains.any() else 0

    def _mean(self, chain: Arena) -> Amount:
        if self.is_exact:
            verdicts = np.full(len(chain.successors), 2, np.int8)
            return simplest(exact_at(chain, verdicts, np.zeros(1, np.int64), self.budget)[0])
        enclosure = enclose_values(chain, self._structure, budget=self.budget)
        assert enclosure is not None, "play ends, whatever the players do"
        return enclosure.amount(0)
