"""Rough values of one arena under many policies of a player: floats that say which policy to try, never what it brings.

All policies share one order of the nodes: components of the whole arena, successors
first. Binding a player takes edges away, so every policy's components lie within those,
and one pass over them finds its values. Each pass begins from the values of the last one.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from endsight.algorithms.interval_iteration import Enclosure, Structure, arena_in_order, loops_for, rules_of
from endsight.limits import Budget

__all__ = ["Screening"]

Words = npt.NDArray[np.int64]

_SWEEPS = 200
_PARTS_AT_ONCE = 1 << 14


class Screening:
    """An enclosed arena in which the player of some nodes is bound, in floats, to one policy after another.

    nodes   the nodes of that player, each with an edge at least; everybody else, and the
            player elsewhere, does what is best
    """

    def __init__(self, enclosure: Enclosure, nodes: Words, budget: Budget) -> None:
        arena = self._arena = enclosure.arena
        structure = Structure.of(arena.offsets, arena.successors, arena.signs)
        self._loops = loops_for(len(arena.successors))
        self._budget = budget
        self._starts, self._parts = structure.starts, structure.parts
        self._place = np.empty(len(arena), np.int64)
        self._place[structure.order] = np.arange(len(arena))
        arranged = arena_in_order(arena, structure)
        places = self._place[nodes]
        kept = np.ones(len(arranged.successors), np.bool_)
        for turn in range(1, int(np.diff(arranged.offsets)[places].max())):
            has = np.diff(arranged.offsets)[places] > turn
            kept[arranged.offsets[places[has]] + turn] = False
        narrow = arranged.keeping(kept)
        self._bound = replace(narrow, successors=narrow.successors.copy())
        # The one edge that is left of every bound node: where it leads is rewritten for every policy.
        self._slots = narrow.offsets[places]
        scale = enclosure.denominator // arena.unit
        self._guess = (enclosure.bounds.sum(axis=1, dtype=np.float64) / (2.0 * scale))[structure.order]
        self._changes = np.zeros(int(np.diff(structure.starts).max()))

    def worth(self, edges: Words) -> float:
        """About the first node's value, in the arena's units, when each bound node takes the edge given for it."""
        arena, bound = self._arena, self._bound
        bound.successors[self._slots] = self._place[arena.successors[edges]]
        if arena.gains is not None and bound.gains is not None:
            bound.gains[self._slots] = arena.gains[edges]
        part = 0
        while part < self._parts:
            self._budget.look(len(arena), "comparing rules")
            until = min(self._parts, part + _PARTS_AT_ONCE)
            part = self._loops["guess_values"](
                *rules_of(bound, bound.gains), bound.payoffs, self._guess, self._changes, self._starts,
                part, until, _SWEEPS,
            )  # fmt: skip
        return float(self._guess[self._place[0]])
