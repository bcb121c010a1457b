"""One arena under many policies of a player: rough values of the root, which suggest what to try.

All policies share one order of the nodes: components of the whole arena, successors
first. Binding a player removes edges, so every policy's components lie within those,
and one pass over them finds its values. Each pass starts from the values of the last one.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from endsight.algorithms.arena import Arena, Structure
from endsight.algorithms.edge_arrays import Words
from endsight.algorithms.interval_iteration import MOST_SWEEPS, Enclosure
from endsight.algorithms.loops import loops_for, stopping
from endsight.game.limits import Budget

_PARTS_AT_ONCE = 1 << 14


class Screening:
    """An enclosed arena in which the player of some nodes is bound to one policy after another.

    nodes   the nodes of that player, each with at least one edge; everybody else, and the
            player elsewhere, plays best
    """

    def __init__(self, enclosure: Enclosure, nodes: Words, budget: Budget) -> None:
        arena = self._arena = enclosure.arena
        structure = Structure.of(arena)
        self._loops = loops_for(len(arena.successors))
        self._budget = budget
        self._starts, self._parts = structure.starts, structure.parts
        self._place = structure.places
        self._root = int(self._place[0])
        arranged = structure.arranged(arena)
        places = self._place[nodes]
        # All edges of a bound node are rewritten for every policy; several may lead to the same node.
        self._slots, self._counts = arranged.offsets[places], np.diff(arranged.offsets)[places]
        gains = None if arranged.gains is None else arranged.gains.copy()
        self._bound = replace(arranged, successors=arranged.successors.copy(), gains=gains)
        self._children = self._place[arena.successors]
        self._scale = enclosure.denominator // arena.unit
        self._payoffs = arranged.payoffs * self._scale
        self._guess = (enclosure.bounds.sum(axis=1, dtype=np.float64) / 2.0)[structure.order]
        most = int(np.diff(structure.starts).max())
        self._work, self._turns = np.zeros(8 * most), np.zeros(most, np.int32)

    def worth(self, edges: Words) -> float:
        """About the first node's value, in the arena's units, when each bound node takes the edge given for it."""
        bound = self._with(edges)
        part = 0
        reason = np.zeros(2, np.int64)
        while part < self._parts:
            self._budget.look(len(self._arena), "comparing rules")
            until = min(self._parts, part + _PARTS_AT_ONCE)
            with stopping(reason):
                part = self._loops["guess_values"](
                    bound.record, self._payoffs, self._guess, self._work, self._turns, self._starts,
                    part, until, MOST_SWEEPS, reason, watch=self._watch,
                )  # fmt: skip
        return float(self._guess[self._root]) / self._scale

    def _with(self, edges: Words) -> Arena:
        """The arena under a policy, with gains in the units of bounds."""
        arena, bound = self._arena, self._bound
        for turn in range(int(self._counts.max(initial=0))):
            slots = self._slots + np.minimum(turn, self._counts - 1)
            bound.successors[slots] = self._children[edges]
            if arena.gains is not None and bound.gains is not None:
                bound.gains[slots] = arena.gains[edges]
        return replace(bound, gains=None if bound.gains is None else bound.gains * self._scale)

    def _watch(self) -> None:
        self._budget.glance(len(self._arena), "comparing rules")
