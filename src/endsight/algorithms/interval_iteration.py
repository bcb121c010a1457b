"""Certified intervals for games of chance: a lower and an upper bound of every value, in whole numbers.

Both bounds are kept as whole numbers over one denominator, the lower rounded down and
the upper up at every step. Part by part (strongly connected components, successors
first) they are swept towards each other (interval iteration: Haddad and Monmege 2018;
Baier, Klein, Leuschner, Parker and Wunderlich 2017), from bounds close around a guess in
floats: one sweep that worsens no bound anywhere proves them (optimistic value iteration:
Hartmanns and Kaminski 2020). Where no such bounds are found they start from afar. Large parts,
and those that mix too slowly for that, are guessed as a whole; whole numbers refine the
solution, and a margin of (steps still to play) times a small number is checked.

However the bounds were found, a last pass checks the certificate: at every node
L <= T(L) and U >= T(U), T being one move of the game, and a rank that proves that play
ends with probability 1 whatever the players do. Then T has one fixed point, the values,
and they lie between L and U (Shapley 1953; Condon 1992).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from endsight.algorithms.arena import Arena
from endsight.algorithms.far_kernels import FINISHED, TOO_LARGE
from endsight.algorithms.loops import Loop, compiled_loop, plain_loop
from endsight.algorithms.rough_policy import RoughGame, ranges
from endsight.errors import LimitReached
from endsight.limits import Budget
from endsight.numbers import Interval
from endsight.waiting import patiently

__all__ = [
    "Amounts", "Enclosure", "FixedArena", "Room", "Scale", "Structure", "arena_in_order", "enclose_values",
    "fixed_arena", "loops_for", "rules_of", "stopping",
]  # fmt: skip

Words = npt.NDArray[np.int64]
Halves = npt.NDArray[np.int32]
Bytes = npt.NDArray[np.int8]

MOST_PLAIN = 30_000
"""Edges up to which the loops run uncompiled."""
MOST_SWEPT, MOST_SWEEPS = 4_000, 200
"""Nodes of a part beyond which it is swept on trial only, and sweeps after which bounds are found from afar.

Where that is slow, the part's values are guessed as a whole."""
FEWEST_BITS = 16
"""Binary places below which an interval would say too little."""
_WORD = 61
_BITS_AT_ONCE = 4
_PARTS_AT_ONCE = 1 << 12
_REFINEMENTS = 8


class Amounts(Protocol):
    """How large the numbers of a game are, which decides how they are written."""

    @property
    def largest_total(self) -> int:
        """The largest sum of the weights of a node's edges."""

    @property
    def largest_amount(self) -> int:
        """The largest payoff or gain, without its sign, in units of 1 / `unit`."""

    @property
    def unit(self) -> int:
        """What payoffs and gains are whole multiples of, as 1 / `unit`."""


@dataclass(frozen=True)
class FixedArena:
    """An `Arena` as arrays; gains and payoffs are whole multiples of 1 / `unit`."""

    offsets: Words
    successors: Halves
    weights: Words | None
    signs: Bytes
    gains: Words | None
    payoffs: Words
    unit: int

    def __len__(self) -> int:
        return len(self.signs)

    @cached_property
    def largest_total(self) -> int:
        """The largest sum of the weights of a node's edges."""
        if not len(self.successors):
            return 1
        if self.weights is None:
            return int(np.diff(self.offsets).max())
        starts = self.offsets[:-1][np.diff(self.offsets) > 0]
        return int(np.add.reduceat(self.weights, starts).max())

    def keeping(self, kept: npt.NDArray[np.bool_]) -> FixedArena:
        """The arena with only the marked edges; nodes keep their numbers."""
        before = np.concatenate(([0], np.cumsum(kept)))
        return replace(
            self,
            offsets=before[self.offsets],
            successors=self.successors[kept],
            weights=None if self.weights is None else self.weights[kept],
            gains=None if self.gains is None else self.gains[kept],
        )

    @property
    def largest_amount(self) -> int:
        """The largest payoff or gain, without its sign."""
        most = _size(self.payoffs)
        return most if self.gains is None else max(most, _size(self.gains))


def _size(numbers: Words) -> int:
    """The largest of the numbers without their signs; numpy's own `abs` leaves the least 64-bit number negative."""
    return max(-int(numbers.min()), int(numbers.max()))


def fixed_arena(arena: Arena) -> FixedArena:
    """The arena as arrays; `LimitReached` where its numbers do not fit into machine words."""
    gains = arena.gains
    unit = lcm(*{payoff.denominator for payoff in arena.payoffs}, *{gain.denominator for gain in gains or ()})
    try:
        return FixedArena(
            offsets=np.array(arena.offsets, np.int64),
            successors=np.array(arena.successors, np.int32),
            weights=None if arena.weights is None else np.array(arena.weights, np.int64),
            signs=np.array(arena.signs, np.int8),
            gains=None if gains is None else np.array([int(gain * unit) for gain in gains], np.int64),
            payoffs=np.array([int(payoff * unit) for payoff in arena.payoffs], np.int64),
            unit=unit,
        )
    except OverflowError:
        raise _too_long() from None


def _too_long() -> LimitReached:
    return LimitReached(
        "stopped: the payoffs, rewards or weights of this game have too many digits for proven intervals",
        advice="--exact",
    )


@dataclass(frozen=True)
class Scale:
    """How amounts are written: whole numbers over `denominator`, none beyond `limit`.

    `limit` times the largest sum of weights is at most 2^61, so that sums over the
    outcomes of a chance node, and of amounts with gains, stay below 2^62.
    """

    bits: int
    denominator: int
    limit: int

    @staticmethod
    def widest(arena: Amounts) -> Scale:
        """As many binary places as the amounts leave room for."""
        limit = (1 << _WORD) // max(arena.largest_total, 1)
        bits = (limit // max(arena.largest_amount, 1)).bit_length() - 2
        return Scale(bits, 0, limit)._with(bits, arena)

    def coarser(self, arena: Amounts, bits: int = _BITS_AT_ONCE) -> Scale:
        """With so many places fewer, for larger amounts."""
        return self._with(self.bits - bits, arena)

    def _with(self, bits: int, arena: Amounts) -> Scale:
        if bits < FEWEST_BITS:
            raise _too_long()
        return Scale(bits, arena.unit << bits, self.limit)


@dataclass(frozen=True)
class Enclosure:
    """Proven bounds of every node's value, and what they prove of every move.

    bounds       n x 2  lower and upper bound, in units of 1 / `denominator`
    ranks        n      the proof that play ends
    verdicts     m      of an edge: 0 proven worse than another, 1 neither, 2 proven best
    decisions, settled, single: players' nodes; those with a move proven best; those where
    it is proven better than all others
    """

    arena: FixedArena
    bounds: Words
    denominator: int
    ranks: Halves
    verdicts: Bytes
    decisions: int
    settled: int
    single: int

    def interval(self, node: int) -> Interval:
        """Proven ends of a node's value."""
        low, high = (Fraction(int(end), self.denominator) for end in self.bounds[node])
        return Interval(low, high)

    @property
    def width(self) -> Fraction:
        """The widest interval of all."""
        return Fraction(int((self.bounds[:, 1] - self.bounds[:, 0]).max()), self.denominator)


def enclose_values(
    arena: FixedArena, structure: Structure | None = None, *, compiled: bool | None = None, budget: Budget | None = None
) -> Enclosure | None:
    """Bounds of every value, with their certificate checked; None where play might never end.

    `structure` is that of the arena, where it is known already; `compiled` chooses machine
    code (default: for large arenas, where a compiler is there). Raises `LimitReached`
    where amounts are too far apart, or a limit is passed.
    """
    structure = structure or Structure.of(arena.offsets, arena.successors, arena.signs, compiled=compiled)
    if not structure.ends:
        return None
    run = _Run(arena, structure, loops_for(len(arena.successors), compiled), budget or Budget())
    scale = Scale.widest(arena)
    while excess := run.enclose(scale):
        scale = scale.coarser(arena, excess)
    return run.enclosure(scale)


def loops_for(edges: int, compiled: bool | None = None) -> dict[str, Loop]:
    """The kernels by name, compiled where that pays for so many edges."""
    names = ("find_components", "arrange", "find_ranks", "enclose", "first_unproven", "judge_moves", "guess_values")
    if compiled or (compiled is None and edges > MOST_PLAIN):
        from endsight.compiler.refusal import CannotCompile

        try:
            return {name: compiled_loop(name) for name in names}
        except (CannotCompile, ImportError):
            if compiled:
                raise
    return {name: plain_loop(name) for name in names}


@dataclass(frozen=True)
class Structure:
    """What the edges of an arena say before any amount is looked at.

    ranks   n  proof that play ends: see `structure_kernels.find_ranks`; -1 where it may not
    order   n  nodes by strongly connected component, each after all those it leads to
    places  n  where in `order` every node stands
    starts     where in `order` every component begins, and its end
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
        order, starts = np.empty(count, np.int32), np.empty(count + 1, np.int32)
        found, rows, following = np.zeros(count, np.int32), np.empty((3, count), np.int32), np.empty(count, np.int64)
        parts = loops["find_components"](
            offsets, successors, count, order, starts, found, rows[0], rows[1], following, rows[2]
        )
        starts = starts[: parts + 1]
        places, near, arranged = rows[0], np.empty(count + 1, np.int64), np.empty(max(1, edges), np.int32)
        unranked = loops["arrange"](offsets, successors, signs, order, count, places, near, arranged)
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
        """How many components there are."""
        return len(self.starts) - 1


def _ranks(offsets: Words, successors: Halves, signs: Bytes, loops: dict[str, Loop]) -> Halves:
    """Ranks by what `structure_kernels.find_ranks` says."""
    count = len(signs)
    into, before, ranks = (
        np.zeros(count + 1, np.int64),
        np.empty(len(successors), np.int32),
        np.full(count, -1, np.int32),
    )
    waiting, stack = np.empty((2, count), np.int32)
    loops["find_ranks"](offsets, successors, signs, count, into, before, waiting, ranks, stack)
    return ranks


def _returning(offsets: Words, successors: Halves, firsts: Halves) -> Words:
    """Numbers of the components whose first node leads to itself."""
    edges = ranges(offsets[firsts], offsets[firsts + 1])
    sources = np.repeat(np.arange(len(firsts)), offsets[firsts + 1] - offsets[firsts])
    returning: Words = sources[successors[edges] == firsts[sources]]
    return returning


class _Run:
    """One arena with its structure, and bounds while they grow.

    Bounds are found for nodes called by their places in the structure's order, and
    checked on the arena as it was given.
    """

    def __init__(self, arena: FixedArena, structure: Structure, loops: dict[str, Loop], budget: Budget) -> None:
        self.given = arena
        self.structure = structure
        self.loops = loops
        self.budget = budget
        self.arena = arena_in_order(arena, structure)
        self.bounds = np.zeros(2 * len(arena), np.int64)
        self.guess = np.zeros(len(arena))
        self.steps = np.zeros(len(arena) if arena.gains is not None else 1, np.int64)

    # ---------------------------------------------------------------- bounds

    def enclose(self, scale: Scale) -> int:
        """Fill in the bounds; returns by how many bits amounts were too large for the scale, 0 for none."""
        self.scale = scale
        arena, starts, parts = self.arena, self.structure.starts, self.structure.parts
        self.payoffs = arena.payoffs << scale.bits
        self.gains = None if arena.gains is None else arena.gains << scale.bits
        room = Room.of(int(np.diff(starts).max(initial=0)))
        part = 0
        reason = np.zeros(2, np.int64)
        while part < parts:
            self.budget.look(len(arena), "enclosing values")
            until = min(parts, part + _PARTS_AT_ONCE)
            with stopping(reason):
                part = self.loops["enclose"](
                    *rules_of(arena, self.gains), self.payoffs, self.bounds, room.kept, self.steps, self.guess,
                    room.work, room.turns, starts, part, until, scale.limit, MOST_SWEPT, MOST_SWEEPS, MOST_SWEEPS, 0,
                    reason, watch=self.watch,
                )  # fmt: skip
            if reason[0] == TOO_LARGE:
                return _BITS_AT_ONCE
            if reason[0] != FINISHED:
                excess = _Guess(self, part).excess()
                if excess:
                    return excess
                part += 1
        return 0

    def watch(self) -> None:
        """Look at the limits now and then."""
        self.budget.glance(len(self.arena), "enclosing values")

    def enclosure(self, scale: Scale) -> Enclosure:
        """The bounds with their certificate checked, and what they prove."""
        arena, count, ranks = self.given, len(self.given), self.structure.ranks
        rows = self.bounds.reshape(-1, 2)
        bounds = patiently(lambda: np.take(rows, self.structure.places, axis=0))
        gains = None if arena.gains is None else arena.gains << scale.bits
        rules = rules_of(arena, gains)
        payoffs = arena.payoffs << scale.bits
        faulty = self.loops["first_unproven"](*rules, payoffs, bounds.reshape(-1), ranks, count, scale.limit, 0)
        if faulty < count:
            raise AssertionError(f"the bounds of node {faulty} do not hold")
        verdicts = np.zeros(len(arena.successors), np.int8)
        counts = np.zeros(3, np.int64)
        offsets, successors, _, _, signs, gains, has_gains = rules
        self.loops["judge_moves"](
            offsets, successors, signs, gains, has_gains, bounds.reshape(-1), count, verdicts, counts
        )
        decisions, settled, single = map(int, counts)
        return Enclosure(arena, bounds, scale.denominator, ranks, verdicts, decisions, settled, single)


@contextmanager
def stopping(reason: Words) -> Iterator[None]:
    """Where an exception stops who waits for a kernel, the kernel ends, too: see `interval_kernels.enclose`."""
    try:
        yield
    except BaseException:
        reason[1] = 1
        raise


@dataclass(frozen=True)
class Room:
    """What the kernels write to while they sweep a part of so many nodes at most."""

    turns: Halves
    work: npt.NDArray[np.float64]
    kept: Words

    @staticmethod
    def of(most: int) -> Room:
        """Room for parts of `most` nodes."""
        most = max(most, 1)
        return Room(np.zeros(most, np.int32), np.zeros(8 * most), np.zeros(2 * most, np.int64))


_NOTHING = np.zeros(1, np.int64)


def rules_of(arena: FixedArena, gains: Words | None) -> tuple[Any, ...]:
    """The first arguments of most loops; `gains` in their units."""
    weights = _NOTHING if arena.weights is None else arena.weights
    own = _NOTHING if gains is None else gains
    return (
        arena.offsets, arena.successors, weights, int(arena.weights is not None), arena.signs, own,
        int(gains is not None),
    )  # fmt: skip


def arena_in_order(arena: FixedArena, structure: Structure) -> FixedArena:
    """The arena with nodes called by their places in the structure's order."""
    order, weights, gains = structure.order, arena.weights, arena.gains
    if weights is not None or gains is not None:
        edges = ranges(arena.offsets[order], arena.offsets[order + 1])
        weights = None if weights is None else weights[edges]
        gains = None if gains is None else gains[edges]
    return FixedArena(
        structure.offsets, structure.successors, weights, arena.signs[order], gains, arena.payoffs[order], arena.unit
    )


class _Guess:
    """One slow part: a solution in floats, refined in whole numbers, with a margin that is checked."""

    def __init__(self, run: _Run, part: int) -> None:
        self.run = run
        arena = run.arena
        begin, end = map(int, run.structure.starts[part : part + 2])
        size = end - begin
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
        self.gains = 0 * one if run.gains is None else run.gains[edges]

    def excess(self) -> int:
        """Set bounds of the part that hold; returns by how many bits they are too large for the scale, 0 for none."""
        low = self._around(self.run.bounds[0::2])
        high = self._around(self.run.bounds[1::2])
        middle = low + (high - low) // 2
        half = (int((high - low)[self.leaves].max()) + 1) // 2
        game = self._game(middle, self.signs)
        choices = game.offsets[:-1].copy()
        values = game.solve(choices, precision=1e-9)
        limit = self.run.scale.limit
        if not np.isfinite(values).all():
            return _BITS_AT_ONCE
        largest = int(np.abs(values).max())
        if largest > limit:
            return (largest // limit).bit_length()
        solution = self._refined(game, choices, np.rint(values).astype(np.int64), middle)
        near = self._near_best(solution, middle)
        upper = self._with_margin(solution + half, self._steps(choices, near, 1), high, 1)
        lower = self._with_margin(solution - half, self._steps(choices, near, -1), low, -1)
        if max(_size(upper), _size(lower)) > limit:
            return _BITS_AT_ONCE
        self.run.bounds[2 * self.nodes] = lower
        self.run.bounds[2 * self.nodes + 1] = upper
        self.run.guess[self.nodes] = (lower + upper) * 0.5
        return 0

    def _around(self, bounds: Words) -> Words:
        """For every edge its gain, with the bound of the node it leads to where that lies outside."""
        return np.where(self.leaves, self.gains + bounds[self.beyond], self.gains)

    def _game(self, amounts: npt.NDArray[Any], signs: Bytes) -> RoughGame:
        chances = self.weights / self.totals[self.sources]
        return RoughGame(self.offsets, self.inner, chances, amounts.astype(np.float64), signs, self.run.watch)

    def _lacking(self, values: Words, amounts: Words) -> Words:
        """For every edge, how much more it is worth than the node it leaves."""
        lacking: Words = amounts + np.append(values, 0)[self.inner] - values[self.sources]
        return lacking

    def _refined(self, game: RoughGame, choices: Words, values: Words, amounts: Words) -> Words:
        """Newton's corrections with residuals in whole numbers."""
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

    def _near_best(self, values: Words, amounts: Words) -> npt.NDArray[np.bool_]:
        """Edges that are not clearly worse than the best."""
        lacking = self._lacking(values, amounts)
        tolerance = 1 + (int(np.abs(values).max()) >> 36)
        return np.abs(lacking) <= tolerance

    def _steps(self, choices: Words, near: npt.NDArray[np.bool_], side: int) -> npt.NDArray[np.float64]:
        """Moves still to play if the side whose bound is found prolongs, and the other shortens, at no cost."""
        allowed = near.copy()
        allowed[choices[self.signs != 0]] = True
        return self._game(np.ones(len(self.inner)), side * self.signs).solve(choices.copy(), allowed, 1e-5)

    def _with_margin(self, values: Words, steps: npt.NDArray[np.float64], amounts: Words, side: int) -> Words:
        """The bound values + side * margin * steps with the least margin (a power of 2) that holds."""
        longest = float(steps.max())
        margin = 1.0
        while margin * longest < self.run.scale.limit:
            bound = values + side * np.ceil(margin * steps).astype(np.int64)
            if self._holds(bound, amounts, side):
                return bound
            margin *= 2.0
        raise LimitReached(
            "stopped: play stays on a loop for so long that no interval could be proven",
            states=len(self.run.arena),
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
