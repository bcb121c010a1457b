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
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from endsight.algorithms.arena import Arena, Structure
from endsight.algorithms.edge_arrays import Bytes, Halves, Words, largest
from endsight.algorithms.float_policy_iteration import FloatGame
from endsight.algorithms.interval_kernels import FINISHED, TOO_LARGE
from endsight.algorithms.loops import loops_for, stopping
from endsight.base.waiting import patiently
from endsight.compiler.kernels import Loop
from endsight.errors import LimitReached
from endsight.game.limits import Budget
from endsight.game.numbers import Amount, Interval, between

MOST_SWEPT, MOST_SWEEPS = 4_000, 200
"""Nodes of a part beyond which it is swept only on trial, and the most sweeps.

Where that is slow, the equations of the part are solved as a whole."""
_PARTS_AT_ONCE = 1 << 12


FEWEST_BITS = 16
"""Number of binary places below which an interval would say too little."""
_WORD = 61
BITS_AT_ONCE = 4
"""Number of binary places to give up where amounts turn out too large."""


def too_long() -> LimitReached:
    """The error where the numbers of a game do not fit."""
    return LimitReached(
        "stopped: the payoffs, rewards or weights of this game have too many digits for proven intervals",
        advice="--exact",
    )


@dataclass(frozen=True)
class Scale:
    """How amounts are written: in units of the arena's own, over 2^`bits`, none beyond `limit`.

    `limit` times the largest sum of weights is at most 2^61, so that sums over the
    outcomes of a chance node, and of amounts with gains, stay below 2^62.
    """

    bits: int
    limit: int

    def __post_init__(self) -> None:
        if self.bits < FEWEST_BITS:
            raise too_long()

    @staticmethod
    def widest(total: int, amount: int) -> Scale:
        """The scale with as many binary places as the largest sum of a node's weights and the largest amount allow."""
        limit = (1 << _WORD) // max(total, 1)
        return Scale((limit // max(amount, 1)).bit_length() - 2, limit)

    def coarser(self, bits: int = BITS_AT_ONCE) -> Scale:
        """The scale with that many fewer places, for larger amounts."""
        return Scale(self.bits - bits, self.limit)


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

    def amount(self, node: int) -> Amount:
        """A node's value, where its ends meet; else proven ends."""
        ends = self.interval(node)
        return between(ends.lower, ends.upper)

    @property
    def width(self) -> Fraction:
        """The widest interval of all."""
        return Fraction(int((self.bounds[:, 1] - self.bounds[:, 0]).max()), self.denominator)


def enclose_values(
    arena: Arena, structure: Structure | None = None, *, budget: Budget | None = None
) -> Enclosure | None:
    """Bounds of every value, with their certificate checked; None where play might never end.

    `structure` is that of the arena, where it is known already. Raises `LimitReached` where amounts are too far apart,
    or a limit is passed.
    """
    structure = structure or Structure.of(arena)
    if not structure.ends:
        return None
    return _OfPlayThatEnds(arena, structure, loops_for(len(arena.successors)), budget or Budget()).proven()


class Bounding(ABC):
    """One arena with its structure, while bounds are found.

    Bounds are found for nodes numbered by their places in the structure's order, and checked on
    the original arena, `given`: lower and upper bound of every node, side by side, in units of the `Scale` in use.
    `reason` is that of the kernel that ran last, and whether somebody asked it to stop.
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
    """Bounds that come closer around a guess, where play ends whatever the players do.

    `tables` are the arrays of `kernel_numbers.IterationArrays`; `turns` has room for those of the largest part.
    """

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


# Bounds of a part that mixes too slowly to be swept: a solution in floats, refined, with a margin that is checked.


_REFINEMENTS = 8


class SlowPart:
    """Some k consecutive nodes of an arena, with m edges, and bounds of all nodes: those the part leads to are known.

    Amounts are the first player's, in the units of a `Scale`; none may exceed its `limit`.

    beyond   m      node of the arena an edge leads to
    leaves   m      whether that node lies outside of the part
    inner    m      the same node by its number in the part; k for all outside
    offsets  k + 1  where a node's edges begin
    sources  m      the node an edge leaves, by its number in the part
    signs    k      1 where the first player decides, -1 for others, 0 for chance
    weights  m      of outcomes of chance; 1 for players' moves
    totals   k      the sum of those of a node of chance; 1 for others
    gains    m      the first player's gain on an edge
    """

    def __init__(self, arena: Arena, nodes: range, bounds: Words, limit: int, watch: Callable[[], None]) -> None:
        self.bounds = bounds
        self.limit = limit
        self.watch = watch
        begin, end, size = nodes.start, nodes.stop, len(nodes)
        self.nodes = np.arange(begin, end)
        edges = slice(int(arena.offsets[begin]), int(arena.offsets[end]))
        self.beyond = arena.successors[edges].astype(np.int64)
        self.leaves = (self.beyond < begin) | (self.beyond >= end)
        self.inner = np.where(self.leaves, size, self.beyond - begin)
        self.offsets = arena.offsets[begin : end + 1] - edges.start
        self.sources = np.repeat(np.arange(size), np.diff(self.offsets))
        self.signs = arena.signs[self.nodes]
        one = np.ones(len(self.beyond), np.int64)
        is_player = (self.signs != 0)[self.sources]
        self.weights = one if arena.weights is None else np.where(is_player, 1, arena.weights[edges])
        self.totals = np.where(self.signs != 0, 1, np.add.reduceat(self.weights, self.offsets[:-1]))
        self.gains = 0 * one if arena.gains is None else arena.gains[edges]

    def excess(self) -> int:
        """Set bounds of the part that hold; return by how many bits they are too large for the scale, 0 for none."""
        low = self._around(self.bounds[0::2])
        high = self._around(self.bounds[1::2])
        middle = low + (high - low) // 2
        half = (int((high - low)[self.leaves].max()) + 1) // 2
        game = self._game(middle, self.signs)
        choices = game.offsets[:-1].copy()
        values = game.solve(choices, precision=1e-9)
        if not np.isfinite(values).all():
            return BITS_AT_ONCE
        farthest = int(np.abs(values).max())
        if farthest > self.limit:
            return (farthest // self.limit).bit_length()
        solution = self._refined(game, choices, np.rint(values).astype(np.int64), middle)
        near = np.abs(self._lacking(solution, middle)) <= 1 + (int(np.abs(solution).max()) >> 36)
        upper = self._with_margin(solution + half, self._steps(choices, near, 1), high, 1)
        lower = self._with_margin(solution - half, self._steps(choices, near, -1), low, -1)
        if max(largest(upper), largest(lower)) > self.limit:
            return BITS_AT_ONCE
        self.bounds[2 * self.nodes] = lower
        self.bounds[2 * self.nodes + 1] = upper
        return 0

    def _around(self, bounds: Words) -> Words:
        """For every edge its gain, plus the bound of its target where that lies outside."""
        return np.where(self.leaves, self.gains + bounds[self.beyond], self.gains)

    def _game(self, amounts: npt.NDArray[Any], signs: Bytes) -> FloatGame:
        chances = self.weights / self.totals[self.sources]
        return FloatGame(self.offsets, self.inner, chances, amounts.astype(np.float64), signs, self.watch)

    def _lacking(self, values: Words, amounts: Words) -> Words:
        """For every edge, how much more it is worth than the node it leaves."""
        lacking: Words = amounts + np.append(values, 0)[self.inner] - values[self.sources]
        return lacking

    def _refined(self, game: FloatGame, choices: Words, values: Words, amounts: Words) -> Words:
        """Apply Newton's corrections with residuals in whole numbers."""
        players = np.flatnonzero(self.signs != 0)
        system = game.system(choices)
        for _ in range(_REFINEMENTS):
            lacking = self._lacking(values, amounts)
            rest = np.add.reduceat(self.weights * lacking, self.offsets[:-1]) / self.totals
            rest[players] = lacking[choices[players]]
            correction = system.solve(rest[self.sources], 1e-5)
            values = values + np.rint(correction).astype(np.int64)
            if np.abs(correction).max() < 1:
                break
        return values

    def _steps(self, choices: Words, near: npt.NDArray[np.bool_], side: int) -> npt.NDArray[np.float64]:
        """Moves still to play if the side whose bound is found prolongs play, and the other shortens it, at no cost."""
        allowed = near.copy()
        allowed[choices[self.signs != 0]] = True
        return self._game(np.ones(len(self.inner)), side * self.signs).solve(choices.copy(), allowed, 1e-5)

    def _with_margin(self, values: Words, steps: npt.NDArray[np.float64], amounts: Words, side: int) -> Words:
        """The bound values + side * margin * steps with the least margin (a power of 2) that holds."""
        longest = float(steps.max())
        margin = 1.0
        while margin * longest < self.limit:
            bound = values + side * np.ceil(margin * steps).astype(np.int64)
            if self._holds(bound, amounts, side):
                return bound
            margin *= 2.0
        raise LimitReached(
            "stopped: play stays on a loop for so long that no interval could be proven",
            states=len(self.bounds) // 2,
            advice="--exact",
        )

    def _holds(self, bound: Words, amounts: Words, side: int) -> bool:
        """Whether one move makes the upper bound (side 1) no larger, or the lower (side -1) no smaller."""
        lacking = side * self._lacking(bound, amounts)
        means = np.add.reduceat(self.weights * lacking, self.offsets[:-1])
        best = np.maximum.reduceat(lacking, self.offsets[:-1])
        least = np.minimum.reduceat(lacking, self.offsets[:-1])
        decided = np.where(self.signs == side, best, least)
        return bool((np.where(self.signs == 0, means, decided) <= 0).all())
