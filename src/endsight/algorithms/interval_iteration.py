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

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from endsight.algorithms.arena import Arena
from endsight.algorithms.arena_arrays import BITS_AT_ONCE, Bytes, Halves, Scale, Words, too_long
from endsight.algorithms.arena_structure import Structure
from endsight.algorithms.guessed_part import GuessedPart
from endsight.algorithms.interval_kernels import FINISHED, TOO_LARGE
from endsight.algorithms.loops import loops_for, stopping
from endsight.base.waiting import patiently
from endsight.compiler.kernels import Loop
from endsight.game.limits import Budget
from endsight.game.numbers import Interval
from endsight.graph.kernel_numbers import Edges

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
    decisions, settled, single: players' nodes; those with a move proven best; those where
    it is proven better than all others
    kept         n      where players can keep play going for ever, the edge that guarantees the bound of the player
                        who moves; -1 for none; None where play ends whatever they do
    """

    arena: Arena
    bounds: Words
    denominator: int
    ranks: Halves
    verdicts: Bytes
    decisions: int
    settled: int
    single: int
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
    if arena.is_long:
        raise too_long()
    run = _OfPlayThatEnds(arena, structure, loops_for(len(arena.successors), compiled), budget or Budget())
    scale = Scale.widest(arena)
    while excess := run.enclose(scale):
        scale = scale.coarser(arena, excess)
    return run.enclosure(scale)


class Bounding:
    """One arena with its structure, while bounds are found.

    Bounds are found for nodes numbered by their places in the structure's order, and checked on
    the original arena.
    """

    def __init__(self, arena: Arena, structure: Structure, loops: dict[str, Loop], budget: Budget) -> None:
        self.given = arena
        self.structure = structure
        self.loops = loops
        self.budget = budget
        self.arena = structure.arranged(arena)

    def watch(self) -> None:
        """Check the limits now and then."""
        self.budget.glance(len(self.arena), "enclosing values")

    def told(self, bounds: Words, edges: Edges, scale: Scale, faulty: int, kept: Halves | None = None) -> Enclosure:
        """The enclosure that checked bounds prove; `faulty` is the first node at which they do not hold."""
        arena, count = self.given, len(self.given)
        if faulty < count:
            raise AssertionError(f"the bounds of node {faulty} do not hold")
        verdicts, counts = np.zeros(len(arena.successors), np.int8), np.zeros(3, np.int64)
        self.loops["judge_moves"](edges, bounds.reshape(-1), count, verdicts, counts)
        decisions, settled, single = map(int, counts)
        ranks = self.structure.ranks
        return Enclosure(arena, bounds, scale.denominator, ranks, verdicts, decisions, settled, single, kept)


class _OfPlayThatEnds(Bounding):
    """Bounds that come closer around a guess, where play ends whatever the players do."""

    def __init__(self, arena: Arena, structure: Structure, loops: dict[str, Loop], budget: Budget) -> None:
        super().__init__(arena, structure, loops, budget)
        self.bounds = np.zeros(2 * len(arena), np.int64)
        self.guess = np.zeros(len(arena))
        most = int(np.diff(structure.starts).max(initial=1))
        self.tables = (self.bounds, np.zeros(2 * most, np.int64), self.guess, np.zeros(8 * most))
        self.turns = np.zeros(most, np.int32)

    # ---------------------------------------------------------------- bounds

    def enclose(self, scale: Scale) -> int:
        """Fill in the bounds; return by how many bits amounts were too large for the scale, 0 for none."""
        arena, starts, parts = self.arena, self.structure.starts, self.structure.parts
        payoffs = arena.payoffs << scale.bits
        gains = None if arena.gains is None else arena.gains << scale.bits
        part = 0
        reason = np.zeros(2, np.int64)
        while part < parts:
            self.budget.look(len(arena), "enclosing values")
            until = min(parts, part + _PARTS_AT_ONCE)
            with stopping(reason):
                part = self.loops["enclose"](
                    arena.record(gains), payoffs, self.tables, self.turns, starts, part, until, scale.limit,
                    MOST_SWEPT, MOST_SWEEPS, reason, watch=self.watch,
                )  # fmt: skip
            if reason[0] == TOO_LARGE:
                return BITS_AT_ONCE
            if reason[0] != FINISHED:
                begin, end = map(int, starts[part : part + 2])
                excess = GuessedPart(arena, gains, begin, end, self.bounds, scale.limit, self.watch).excess()
                if excess:
                    return excess
                self.guess[begin:end] = self.bounds.reshape(-1, 2)[begin:end].sum(axis=1) * 0.5
                part += 1
        return 0

    def enclosure(self, scale: Scale) -> Enclosure:
        """The bounds with their certificate checked, and what they prove."""
        arena, ranks = self.given, self.structure.ranks
        rows = self.bounds.reshape(-1, 2)
        bounds = patiently(lambda: np.take(rows, self.structure.places, axis=0))
        gains = None if arena.gains is None else arena.gains << scale.bits
        edges = arena.record(gains)
        payoffs = arena.payoffs << scale.bits
        faulty = self.loops["first_unproven"](edges, payoffs, bounds.reshape(-1), ranks, len(arena), scale.limit)
        return self.told(bounds, edges, scale, faulty)
