"""Exact values of a game without loops, in whole numbers: fractions are made only on demand.

A node lies on level k if the longest way from it to an end passes k throws of
dice. All values of a level are whole numbers over one denominator: that of the level
below, times the least common multiple of the weights thrown on it (so a power of the
weight of one throw, where all throws are alike), less the factor it has in common with all of
them. Sums and comparisons then take no greatest common divisor of two long numbers, and
ties are ties.

Levels are solved upwards, all throws of one together: in large games by machine
code (`level_kernels`) while all numbers are sure to fit machine words, beyond that as arrays of
Python's unbounded numbers (of FLINT's where they grow long).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from math import gcd, lcm
from operator import mul
from typing import Any

import numpy as np
import numpy.typing as npt

from endsight.algorithms.arena import MOST_IN_WORDS, Arena
from endsight.algorithms.edge_arrays import edges_of, first_largest, largest
from endsight.algorithms.level_kernels import average, decide, place_levels
from endsight.algorithms.loops import loops_for
from endsight.compiler.kernels import Loop
from endsight.game.limits import EXACT, Budget
from endsight.game.numbers import reduced, simplest
from endsight.graph.graph import Made
from endsight.graph.graph_kernels import leave_in_order
from endsight.graph.kernel_numbers import Levels
from endsight.graph.table import Value

Indices = npt.NDArray[np.int64]
Numbers = npt.NDArray[Any]
"""Whole numbers: machine words, or objects of Python or FLINT."""

LONG_BITS = 4_000
"""Length of the denominators from which FLINT multiplies faster than Python."""
_AT_ONCE = 256
MOST_PLAIN = 200_000
"""Edges of a game up to which compiled loops do not pay for the time to load them."""
_LOOPS = (leave_in_order, place_levels, average, decide)


class WholeValues(Made[Value]):
    """Values of all nodes, made into fractions one by one on demand.

    choices  n  the first of the best edges at every decision, -1 elsewhere
    """

    def __init__(self, tops: Numbers, levels: npt.NDArray[np.int32], bottoms: list[Any], choices: Indices) -> None:
        self.choices = choices
        self._tops = tops
        self._levels = levels
        self._bottoms = list(map(int, bottoms))

    def __len__(self) -> int:
        return len(self._tops)

    def made(self, places: slice) -> list[Value]:
        """The values of these nodes."""
        bottoms = (self._bottoms[level] for level in self._levels[places])
        pairs = zip(self._tops[places], bottoms, strict=True)
        return [tuple(simplest(reduced(int(top), bottom)) for top in tops) for tops, bottom in pairs]


def whole_values(game: Arena, budget: Budget, wanted: Indices | None = None) -> WholeValues | None:
    """Values of all nodes, or of those `wanted` alone; None where play can come back to a node.

    Players take the first of their own best edges. Raises `LimitReached` when the budget
    is spent.
    """
    loops = loops_for(len(game.successors), kernels=_LOOPS, most_plain=MOST_PLAIN)
    size = len(game)
    order, stack, *placed = (np.zeros(size, np.int32) for _ in range(4))
    if not loops["leave_in_order"](game.links, np.zeros(size, np.int8), game.offsets.copy(), stack, order):
        return None
    loops["place_levels"](game.links, game.is_dice.view(np.int8), order, *placed)
    return _Solving(game, placed, loops, wanted, budget).values()


class _Solving:
    """Numerators while they are computed; `bottoms[k]` is the denominator of level k."""

    def __init__(
        self, game: Arena, placed: list[Any], loops: Mapping[str, Loop], wanted: Indices | None, budget: Budget
    ) -> None:
        self.game, self.loops, self.budget = game, loops, budget
        self.levels, self.heights = placed
        self.choices = np.full(len(game), -1, np.int64)
        self.targets = np.zeros(len(game), np.int8) if game.targets is None else game.targets
        self.gains = None if game.gains is None else game.gains.reshape(len(game.successors), -1)
        self.bottoms: list[Any] = [game.unit]
        self.tops: Numbers = game.payoffs.reshape(len(game), -1).copy()
        self.highs = [largest(self.tops)]
        """An upper limit on the amounts of each level."""
        self.in_words = len(game.successors) > MOST_PLAIN and not game.is_long
        self.done = 0
        self.leaving = None if wanted is None else self._last_uses(wanted)
        if not self.in_words:
            self._leave_words()

    @cached_property
    def totals(self) -> Numbers:
        """Sum of the weights of every node's edges, 1 where no dice are thrown."""
        weights = self.game.weights
        is_long = weights is not None and weights.dtype == object
        totals: Numbers = np.ones(len(self.game), object if is_long else np.int64)
        dice = np.flatnonzero(self.game.is_dice)
        if weights is None:
            totals[dice] = self.game.counts[dice]
        elif len(dice):
            totals[dice] = self._sums(self._weights(edges_of(self.game.offsets, dice)), dice)
        return totals

    @cached_property
    def factors(self) -> list[int]:
        """For every level the least common multiple of the weights thrown on it."""
        factors = [1] * (int(self.levels.max(initial=0)) + 1)
        dice = np.flatnonzero(self.game.is_dice)
        for level, total in set(zip(self.levels[dice].tolist(), self.totals[dice].tolist(), strict=True)):
            factors[level] = lcm(factors[level], total)
        return factors

    @cached_property
    def _number(self) -> Any:
        """Python's whole numbers, or FLINT's."""
        if sum(factor.bit_length() for factor in self.factors) < LONG_BITS:
            return int
        from flint import fmpz

        return fmpz

    def _last_uses(self, wanted: Indices) -> list[Indices]:
        """For every level the nodes that no later level needs."""
        game = self.game
        last = self.levels.copy()
        np.maximum.at(last, game.successors, np.repeat(self.levels, game.counts))
        last[wanted] = len(self.factors)
        order = np.argsort(last, kind="stable")
        return np.split(order, np.searchsorted(last[order], np.arange(1, len(self.factors) + 1)))

    def values(self) -> WholeValues:
        """Solve level after level."""
        for level, nodes in self._groups():
            self.budget.glance(len(self.game), EXACT)
            if level > self.done:
                self._drop(self.done)
            self.done = level
            if not self.game.counts[nodes[0]]:
                continue
            if self.in_words and not self._fill_words(level, nodes):
                self._leave_words()
            if not self.in_words:
                (self._throw if self.game.is_dice[nodes[0]] else self._decide)(level, nodes)
        return WholeValues(self.tops, self.levels, self.bottoms, self.choices)

    def _groups(self) -> Iterator[tuple[int, Indices]]:
        """Nodes in the order in which they can be valued, those of one level and height together."""
        order = np.lexsort((self.heights, self.levels))
        keys = np.stack((self.levels[order], self.heights[order]))
        cuts = np.flatnonzero((np.diff(keys) != 0).any(axis=0)) + 1
        for nodes in np.split(order, cuts):
            if len(nodes):
                yield int(self.levels[nodes[0]]), nodes

    def _drop(self, level: int) -> None:
        """Drop the long numbers that no level above needs."""
        if self.leaving is not None and not self.in_words:
            self.tops[self.leaving[level]] = None

    def _leave_words(self) -> None:
        """Continue with numbers of any length."""
        self.in_words = False
        self.bottoms = [self._number(bottom) for bottom in self.bottoms]
        self.tops = self.tops.astype(object) * self._number(1)
        for level in range(self.done):
            self._drop(level)

    def _fill_words(self, level: int, nodes: Indices) -> bool:
        """Compute one group by machine code; False, with nothing done, where a number might not fit a word."""
        game, is_dice = self.game, bool(self.game.is_dice[nodes[0]])
        base = level - is_dice
        scales = [self.bottoms[base] // bottom for bottom in self.bottoms[: base + 1]]
        factor = self.factors[level] if is_dice else 1
        most = max(map(mul, scales, self.highs)) + scales[0] * self._most_gained
        if max(most, *scales) * factor > MOST_IN_WORDS:
            return False
        gains = self.tops[:1] if game.gains is None else game.gains
        amounts: Any = (self.tops.reshape(-1), self.levels, np.array(scales, np.int64), gains.reshape(-1))
        levels = Levels._make((self.tops.shape[1], *amounts, int(game.gains is not None)))
        if is_dice:
            weights = self.totals[:1] if game.weights is None else game.weights
            shares = factor // self.totals[nodes]
            weighted = int(game.weights is not None)
            common = self.loops["average"](game.links, levels, len(nodes), nodes, weights, weighted, shares, factor)
            self.bottoms.append(self.bottoms[-1] * (factor // common))
            self.highs.append(0)
        else:
            self.loops["decide"](game.links, levels, len(nodes), nodes, self.targets, game.signs, self.choices)
        self.highs[level] = max(self.highs[level], largest(self.tops[nodes]))
        return True

    @cached_property
    def _most_gained(self) -> int:
        """The largest gain on any single edge."""
        return 0 if self.game.gains is None else largest(self.game.gains)

    # ---------------------------------------------------------------- one group

    def _throw(self, level: int, nodes: Indices) -> None:
        """Average over the dice of a level, which fixes its denominator."""
        factor = self.factors[level]
        edges = edges_of(self.game.offsets, nodes)
        shares = self._weights(edges).astype(object) * np.repeat(
            factor // self.totals[nodes].astype(object), self.game.counts[nodes]
        )
        tops = self._sums(self._arrivals(edges, level - 1) * shares[:, None], nodes)
        common = _common(tops.reshape(-1), factor)
        self.tops[nodes] = tops if common == 1 else tops // common
        self.bottoms.append(self.bottoms[-1] * (factor // common))

    def _decide(self, level: int, nodes: Indices) -> None:
        """Take the first of the best moves, or the only one."""
        game = self.game
        edges = edges_of(game.offsets, nodes)
        tops = self._arrivals(edges, level)
        counts, signs = game.counts[nodes], game.signs[nodes]
        choosing = np.repeat(self.targets[nodes], counts)
        worths = tops[np.arange(len(edges)), choosing] * np.repeat(signs, counts).astype(object)
        chosen = first_largest(np.append(0, np.cumsum(counts)), worths)
        self.tops[nodes] = tops[chosen]
        self.choices[nodes] = np.where(signs == 0, -1, edges[chosen])

    def _arrivals(self, edges: Indices, level: int) -> Numbers:
        """The amounts after these edges, gains included, over the denominator of `level`."""
        game = self.game
        children = game.successors[edges]
        tops: Numbers = self.tops[children]
        below = self.levels[children]
        for lower in np.unique(below[below < level]).tolist():
            tops[below == lower] *= self.bottoms[level] // self.bottoms[lower]
        if self.gains is not None:
            tops = tops + self.gains[edges].astype(object) * (self.bottoms[level] // self.bottoms[0])
        return tops

    def _weights(self, edges: Indices) -> Numbers:
        weights = self.game.weights
        weight: Numbers = np.ones(len(edges), np.int64) if weights is None else weights[edges]
        return weight

    def _sums(self, amounts: Numbers, nodes: Indices) -> Numbers:
        """Sums over the edges of each node."""
        counts = self.game.counts[nodes]
        sums: Numbers = np.add.reduceat(amounts, np.cumsum(counts) - counts, axis=0)
        return sums


def _common(numbers: Numbers, factor: int) -> int:
    """The greatest common divisor of a short number and many long ones."""
    common = factor
    for start in range(0, len(numbers), _AT_ONCE):
        if common == 1:
            break
        common = gcd(common, *(int(number % common) for number in numbers[start : start + _AT_ONCE]))
    return common
