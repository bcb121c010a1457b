"""Certified intervals for games of chance that players can continue for ever.

Both bounds start from the least and the most that can be paid, endless play included, and are backed up part by part,
the lower rounded down and the upper up. That alone never makes them wrong, as the values are a fixed point of the
same step. Where a part stops moving with bounds far apart, its upper bounds are lowered to the best way out
wherever the second player can stay with moves that are best by the lower bounds, or to the payoff of endless play; and
its lower bounds are raised likewise (Kelmendi, Krämer, Křetínský, Weininger, CAV 2018, for payoffs that are no worse
than endless play; docs/theory/endless-play.md for all others).

The time at which each bound moved last is a rank: a player who moves on to a better bound, or to one of the same size
that moved earlier, is sure of the bound. A last pass checks that at every node.
"""

from __future__ import annotations

from math import ceil, floor

import numpy as np

from endsight.algorithms.arena import Arena, Structure
from endsight.algorithms.certificate_kernels import judge_moves
from endsight.algorithms.deflation_kernels import WIDE, first_unsure, keep_oldest, squeeze
from endsight.algorithms.edge_arrays import Halves, Words
from endsight.algorithms.interval_iteration import Bounding, Enclosure, Scale
from endsight.algorithms.interval_kernels import FINISHED
from endsight.algorithms.loops import loops_for, stopping
from endsight.compiler.kernels import Loop
from endsight.game.limits import Budget
from endsight.game.numbers import Number
from endsight.graph.components import maximal_end_components
from endsight.graph.kernel_numbers import Moving

ROUNDS, LEAST_DEFLATIONS, MOST_DEFLATIONS = 300, 3, 100
"""Rounds over a part between two deflations, and how many deflations there are before bounds are left as they are."""
_STEPS = 1 << 32
"""Edges examined in one part after which no more than the least number of deflations is tried."""
_LITTLE, _WIDE = 44, 30
"""Binary places of a unit below which bounds hardly move, and within which they are close."""
_KERNELS = (squeeze, keep_oldest, first_unsure, judge_moves)


def enclose_endless(arena: Arena, endless: Number, structure: Structure, budget: Budget) -> Enclosure:
    """Bounds of every value, with their certificate checked, where endless play pays `endless` (in units of the arena).

    Nothing may be gained on the way. Raises `LimitReached` where amounts are too far apart, or a limit is passed.
    """
    assert arena.gains is None, "loops that pay have no value"
    loops = loops_for(len(arena.successors), kernels=_KERNELS)
    return _OfEndlessPlay(arena, endless, structure, loops, budget).proven()


class _OfEndlessPlay(Bounding):
    """Bounds that come closer, and the times at which they moved last."""

    def __init__(
        self, arena: Arena, endless: Number, structure: Structure, loops: dict[str, Loop], budget: Budget
    ) -> None:
        super().__init__(arena, structure, loops, budget)
        self.endless = endless
        self.moved = np.zeros(2 * len(arena), np.int64)

    # ---------------------------------------------------------------- bounds

    def sweep(self, scaled: Arena, scale: Scale, part: int, until: int) -> int:
        """By sweeps from what endless play and the ends pay."""
        if part == 0:
            self.moving = self._moving(scale)
        return self._squeeze(scaled, part, until, has_begun=False)

    def _moving(self, scale: Scale) -> Moving:
        unit = 1 << scale.bits
        little, wide = (max(1, unit >> places) for places in (_LITTLE, _WIDE))
        clock, endless = np.zeros(1, np.int64), self.endless * unit
        return Moving(self.bounds, self.moved, clock, floor(endless), ceil(endless), little, wide, scale.limit)  # type: ignore[arg-type]

    def _squeeze(self, scaled: Arena, part: int, until: int, *, has_begun: bool) -> int:
        return self.loops["squeeze"](
            scaled.record, scaled.payoffs, self.moving, self.structure.starts, part, until, int(has_begun),
            ROUNDS, self.reason, watch=self.watch,
        )  # fmt: skip

    def solve_slowly(self, scaled: Arena, scale: Scale, part: int) -> int:
        """Deflate the bounds of a part and sweep on, until they are close or stop moving."""
        nodes = self.nodes_of(part)
        edges = int(self.arena.offsets[nodes.stop] - self.arena.offsets[nodes.start])
        for _ in range(max(LEAST_DEFLATIONS, min(MOST_DEFLATIONS, _STEPS // (ROUNDS * edges)))):
            self.watch()
            if not self._deflate(nodes) and self.reason[0] == WIDE:
                break
            with stopping(self.reason):
                self._squeeze(scaled, part, part + 1, has_begun=True)
            if self.reason[0] == FINISHED:
                break
        return 0

    def _deflate(self, nodes: range) -> bool:
        """Move both current bounds of a part to the best ways out; return whether any moved."""
        rows = self.bounds.reshape(-1, 2)
        best = [self._best_exits(nodes, side) for side in (0, 1)]
        before = rows[nodes.start : nodes.stop].copy()
        for side, ends in enumerate(best):
            closer = np.minimum if side else np.maximum
            for stay, end in ends:
                rows[stay, side] = closer(rows[stay, side], end)
        return bool((rows[nodes.start : nodes.stop] != before).any())

    def _best_exits(self, nodes: range, side: int) -> list[tuple[list[int], int]]:
        """Where one player can stay with moves that look best, and the most that the other gets there.

        For upper bounds (`side` 1) the second player stays with moves that are best by lower bounds; for lower
        ones the first with those best by upper bounds.
        """
        arena, rows = self.arena, self.bounds.reshape(-1, 2)
        stays, better = (-1, max) if side else (1, min)
        after: dict[int, list[int]] = {}
        for node in nodes:
            children = [int(child) for child in arena.children(node)]
            if arena.signs[node] == stays:
                best = (min if side else max)(rows[child, 1 - side] for child in children)
                children = [child for child in children if rows[child, 1 - side] == best]
            after[node] = children
        endless = self.moving.most if side else self.moving.least
        found = []
        for stay in maximal_end_components(after, lambda node: bool(arena.signs[node] == 0)):
            exits = [int(rows[child, side]) for child in self._ways_out(stay, -stays)]
            found.append((stay, better([endless, *exits])))
        return found

    def _ways_out(self, stay: list[int], sign: int) -> list[int]:
        """The targets of one player's moves that leave a set of nodes."""
        arena, inside = self.arena, set(stay)
        return [
            int(child)
            for node in stay
            if arena.signs[node] == sign
            for child in arena.children(node)
            if int(child) not in inside
        ]

    # ---------------------------------------------------------------- what they prove

    def first_unproven(self, given: Arena, bounds: Words, scale: Scale) -> tuple[int, Halves]:
        """By the time at which each bound moved last."""
        count, record = len(given), given.record
        times = np.take(self.moved.reshape(-1, 2), self.structure.places, axis=0).reshape(-1)
        kept = np.full(2 * count, -1, np.int32)
        self.loops["keep_oldest"](record, bounds, times, count, kept)
        least, most = self.moving.least, self.moving.most
        faulty = self.loops["first_unsure"](record, given.payoffs, bounds, times, kept, count, least, most)
        return faulty, kept.reshape(-1, 2).max(axis=1)
