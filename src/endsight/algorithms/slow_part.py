"""Bounds of a part that mixes too slowly to be swept: a solution in floats, refined, with a margin that is checked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from endsight.algorithms.arena import Arena
from endsight.algorithms.fixed_point import BITS_AT_ONCE, Bytes, Words, largest
from endsight.algorithms.float_policy_iteration import FloatGame
from endsight.errors import LimitReached

_REFINEMENTS = 8


class SlowPart:
    """Consecutive nodes of an arena, and the bounds of all nodes: those that the part leads to are known.

    Amounts are in the units of a `Scale`; none may exceed its `limit`.
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
