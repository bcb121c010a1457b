"""Certified intervals for games of chance: a lower and an upper bound of every value, in whole numbers.

Both bounds are whole numbers over one denominator, the lower rounded down and
the upper up at every step. Part by part (strongly connected components, successors
first) they are swept towards each other (interval iteration: Haddad and Monmege 2018;
Baier, Klein, Leuschner, Parker and Wunderlich 2017), from bounds close around a guess in
floats: one sweep that worsens no bound anywhere proves them (optimistic value iteration:
Hartmanns and Kaminski 2020). Parts that mix too slowly for that are solved as a whole in
floats; whole numbers refine the solution, and a margin of (steps still to play) times a small
number is checked.

However the bounds were found, a last pass checks the certificate: at every node
L <= T(L) and U >= T(U), T being one move of the game, and a rank that proves that play
ends with probability 1 whatever the players do. Then the values are the only fixed point of T,
and they lie between L and U (Shapley 1953; Condon 1992).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from endsight.algorithms.arena import Arena
from endsight.algorithms.arena_structure import Structure
from endsight.algorithms.fixed_point import BITS_AT_ONCE, Bytes, Halves, Scale, Words, too_long
from endsight.algorithms.interval_kernels import FINISHED, TOO_LARGE
from endsight.algorithms.loops import loops_for, stopping
from endsight.algorithms.slow_part import SlowPart
from endsight.base.waiting import patiently
from endsight.compiler.kernels import Loop
from endsight.game.limits import Budget
from endsight.game.numbers import Interval

MOST_SWEPT, MOST_SWEEPS = 4_000, 200
"""Nodes of a part beyond which it is swept only on trial, and the most sweeps.

Where that is slow, the equations of the part are solved as a whole."""
_PARTS_AT_ONCE = 1 << 12


@dataclass(frozen=True)
class Enclosure:
    """Proven bounds of every node's value, and what they prove about every move.

    bounds       n x 2  lower and upper bound, in units of 1 / `denominator`
    ranks        n      the proof that play ends
    verdicts     m      of an edge: 0 proven worse than another, 1 neither, 2 proven best
    kept         n      where players can keep play going for ever, the edge that guarantees the bound of the player
                        who moves; -1 for none; None where play ends whatever they do
    """

    arena: Arena
    bounds: Words
    denominator: int
    ranks: Halves
    verdicts: Bytes
    kept: Halves | None = None

    def interval(self, node: int) -> Interval:
        """Proven ends of a node's value."""
        low, high = (Fraction(int(end), self.denominator) for end in self.bounds[node])
        return Interval(low, high)

    @property
    def width(self) -> Fraction:
        """The widest interval of all."""
        return Fraction(int((self.bounds[:, 1] - self.bounds[:, 0]).max()), self.denominator)


def enclose_values(
    arena: Arena, structure: Structure | None = None, *, compiled: bool | None = None, budget: Budget | None = None
) -> Enclosure | None:
    """Bounds of every value, with their certificate checked; None where play might never end.

    `structure` is that of the arena, where it is known already; `compiled` chooses machine
    code (default: for large arenas, where a compiler is available). Raises `LimitReached`
    where amounts are too far apart, or a limit is passed.
    """
    structure = structure or Structure.of(arena.offsets, arena.successors, arena.signs, compiled=compiled)
    if not structure.ends:
        return None
    return _OfPlayThatEnds(arena, structure, loops_for(len(arena.successors), compiled), budget or Budget()).proven()


class Bounding(ABC):
    """One arena with its structure, while bounds are found.

    Bounds are found for nodes numbered by their places in the structure's order, and checked on
    the original arena. `reason` is that of the kernel that ran last.
    """

    def __init__(self, arena: Arena, structure: Structure, loops: dict[str, Loop], budget: Budget) -> None:
        if arena.is_long:
            raise too_long()
        self.given, self.structure = arena, structure
        self.loops, self.budget = loops, budget
        self.arena = structure.arranged(arena)
        self.bounds = np.zeros(2 * len(arena), np.int64)
        self.reason = np.zeros(2, np.int64)

    def proven(self) -> Enclosure:
        """The bounds, with their certificate checked, and what they prove."""
        scale = Scale.widest(self.given.largest_total, self.given.largest_amount)
        while excess := self._excess(scale):
            scale = scale.coarser(excess)
        given, count, places = self.given.times(1 << scale.bits), len(self.given), self.structure.places
        bounds = patiently(lambda: np.take(self.bounds.reshape(-1, 2), places, axis=0))
        faulty, kept = self.first_unproven(given, bounds.reshape(-1), scale)
        if faulty < count:
            raise AssertionError(f"the bounds of node {faulty} do not hold")
        verdicts = np.zeros(len(given.successors), np.int8)
        self.loops["judge_moves"](given.record, bounds.reshape(-1), count, verdicts)
        return Enclosure(self.given, bounds, given.unit, self.structure.ranks, verdicts, kept)

    def _excess(self, scale: Scale) -> int:
        """Find the bounds; return by how many bits amounts were too large for the scale, 0 for none."""
        part, parts = 0, self.structure.parts
        scaled = self.arena.times(1 << scale.bits)
        while part < parts:
            self.budget.look(len(self.arena), "enclosing values")
            with stopping(self.reason):
                part = self.sweep(scaled, scale, part, min(parts, part + _PARTS_AT_ONCE))
            if self.reason[0] == TOO_LARGE:
                return BITS_AT_ONCE
            if self.reason[0] != FINISHED:
                if excess := self.solve_slowly(scaled, scale, part):
                    return excess
                part += 1
        return 0

    def watch(self) -> None:
        """Check the limits now and then."""
        self.budget.glance(len(self.arena), "enclosing values")

    def nodes_of(self, part: int) -> range:
        """The nodes of a part."""
        return range(*map(int, self.structure.starts[part : part + 2]))

    @abstractmethod
    def sweep(self, scaled: Arena, scale: Scale, part: int, until: int) -> int:
        """Find the bounds of these parts by a kernel, which sets `reason`; the part that it stopped before."""

    @abstractmethod
    def solve_slowly(self, scaled: Arena, scale: Scale, part: int) -> int:
        """Find the bounds of a part that the kernel gave up; the excess as of `_excess`."""

    @abstractmethod
    def first_unproven(self, given: Arena, bounds: Words, scale: Scale) -> tuple[int, Halves | None]:
        """The first node whose bounds are not proven, the number of nodes for none; and the edges of `kept`."""


class _OfPlayThatEnds(Bounding):
    """Bounds that come closer around a guess, where play ends whatever the players do."""

    def __init__(self, arena: Arena, structure: Structure, loops: dict[str, Loop], budget: Budget) -> None:
        super().__init__(arena, structure, loops, budget)
        self.guess = np.zeros(len(arena))
        most = int(np.diff(structure.starts).max(initial=1))
        self.tables = (self.bounds, np.zeros(2 * most, np.int64), self.guess, np.zeros(8 * most))
        self.turns = np.zeros(most, np.int32)

    def sweep(self, scaled: Arena, scale: Scale, part: int, until: int) -> int:
        """By sweeps from a guess on."""
        return self.loops["enclose"](
            scaled.record, scaled.payoffs, self.tables, self.turns, self.structure.starts, part, until, scale.limit,
            MOST_SWEPT, MOST_SWEEPS, self.reason, watch=self.watch,
        )  # fmt: skip

    def solve_slowly(self, scaled: Arena, scale: Scale, part: int) -> int:
        """By the equations of the whole part."""
        nodes = self.nodes_of(part)
        excess = SlowPart(scaled, nodes, self.bounds, scale.limit, self.watch).excess()
        if not excess:
            own = slice(nodes.start, nodes.stop)
            self.guess[own] = self.bounds.reshape(-1, 2)[own].sum(axis=1) * 0.5
        return excess

    def first_unproven(self, given: Arena, bounds: Words, scale: Scale) -> tuple[int, None]:
        """By the ranks of the structure."""
        check, ranks = self.loops["first_unproven"], self.structure.ranks
        return check(given.record, given.payoffs, bounds, ranks, len(given), scale.limit), None
