"""One arena under many policies of a player: rough values that say what to try, and proven ends of the root's value.

All policies share one order of the nodes: components of the whole arena, successors
first. Binding a player takes edges away, so every policy's components lie within those,
one pass over them finds its values, and what proves that play ends holds for all of
them. Each pass begins from the values of the last one.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from endsight.algorithms.far_kernels import FINISHED
from endsight.algorithms.interval_iteration import (
    MOST_SWEEPS,
    MOST_SWEPT,
    Enclosure,
    FixedArena,
    Room,
    Structure,
    arena_in_order,
    enclose_values,
    loops_for,
    rules_of,
    stopping,
)
from endsight.limits import Budget
from endsight.numbers import Interval

__all__ = ["Screening"]

Words = npt.NDArray[np.int64]

_PARTS_AT_ONCE = 1 << 14
_WORD = 61


class Screening:
    """An enclosed arena in which the player of some nodes is bound to one policy after another.

    nodes   the nodes of that player, each with an edge at least; everybody else, and the
            player elsewhere, does what is best
    """

    def __init__(self, enclosure: Enclosure, nodes: Words, budget: Budget) -> None:
        arena = self._arena = enclosure.arena
        structure = Structure.of(arena.offsets, arena.successors, arena.signs)
        self._loops = loops_for(len(arena.successors))
        self._budget = budget
        self._starts, self._parts = structure.starts, structure.parts
        self._place = structure.places
        self._root = int(self._place[0])
        arranged = arena_in_order(arena, structure)
        places = self._place[nodes]
        # All edges of a bound node are rewritten for every policy; several may lead to the same node.
        self._slots, self._counts = arranged.offsets[places], np.diff(arranged.offsets)[places]
        gains = None if arranged.gains is None else arranged.gains.copy()
        self._bound = replace(arranged, successors=arranged.successors.copy(), gains=gains)
        self._children = self._place[arena.successors]
        self._denominator = enclosure.denominator
        self._scale = enclosure.denominator // arena.unit
        self._payoffs = arranged.payoffs * self._scale
        self._ranks = structure.ranks[structure.order]
        self._guess = (enclosure.bounds.sum(axis=1, dtype=np.float64) / 2.0)[structure.order]
        self._room = Room.of(int(np.diff(structure.starts).max()))
        self._bounds = np.zeros(2 * len(arena), np.int64)
        self._steps = np.zeros(1 if gains is None else len(arena), np.int64)

    def worth(self, edges: Words, others: Words | None = None) -> float:
        """About the first node's value, in the arena's units, when each bound node takes the edge given for it.

        With `others`, each may choose between two.
        """
        bound, gains = self._with(edges, others)
        room, part = self._room, 0
        reason = np.zeros(2, np.int64)
        while part < self._parts:
            with stopping(reason):
                part = self._loops["guess_values"](
                    *rules_of(bound, gains), self._payoffs, self._guess, room.work, room.turns, self._starts,
                    part, self._until(part), MOST_SWEEPS, reason, watch=self._watch,
                )  # fmt: skip
        return float(self._guess[self._root]) / self._scale

    def ends(self, edges: Words, others: Words | None = None) -> Interval:
        """Proven ends of the first node's value, their certificate checked; best after `worth` of the same."""
        bound, gains = self._with(edges, others)
        rules = rules_of(bound, gains)
        limit = (1 << _WORD) // max(bound.largest_total, 1)
        reason = np.zeros(2, np.int64)
        room, part = self._room, 0
        while part < self._parts:
            with stopping(reason):
                part = self._loops["enclose"](
                    *rules, self._payoffs, self._bounds, room.kept, self._steps, self._guess, room.work, room.turns,
                    self._starts, part, self._until(part), limit, MOST_SWEPT, MOST_SWEEPS, 0, 1, reason,
                    watch=self._watch,
                )  # fmt: skip
            if reason[0] != FINISHED:
                return self._from_afar(bound)
        count = len(bound)
        faulty = self._loops["first_unproven"](*rules, self._payoffs, self._bounds, self._ranks, count, limit, 0)
        if faulty < count:
            raise AssertionError(f"the bounds of node {faulty} do not hold")
        low, high = (Fraction(int(self._bounds[2 * self._root + side]), self._denominator) for side in (0, 1))
        return Interval(low, high)

    def _from_afar(self, bound: FixedArena) -> Interval:
        enclosure = enclose_values(bound, budget=self._budget)
        assert enclosure is not None, "with fewer moves play still ends"
        return enclosure.interval(self._root)

    def _with(self, edges: Words, others: Words | None) -> tuple[FixedArena, Words | None]:
        """The arena under a policy, and its gains in the units of bounds."""
        arena, bound = self._arena, self._bound
        for turn in range(int(self._counts.max(initial=0))):
            taken = edges if turn == 0 or others is None else others
            slots = self._slots + np.minimum(turn, self._counts - 1)
            bound.successors[slots] = self._children[taken]
            if arena.gains is not None and bound.gains is not None:
                bound.gains[slots] = arena.gains[taken]
        return bound, None if bound.gains is None else bound.gains * self._scale

    def _watch(self) -> None:
        self._budget.glance(len(self._arena), "comparing rules")

    def _until(self, part: int) -> int:
        self._budget.look(len(self._arena), "comparing rules")
        return min(self._parts, part + _PARTS_AT_ONCE)
