"""Plans of two opposed players by predictive counterfactual regret minimisation, for games too large to solve exactly.

G. Farina, C. Kroer and T. Sandholm, "Faster game solving via predictive Blackwell approachability", AAAI 2021 (PCFR+),
on the counterfactual regrets of M. Zinkevich, M. Johanson, M. Bowling and C. Piccione (2007). The players take turns;
each set keeps regrets, never below 0, and mixes its moves in proportion to them plus the last ones as a guess of the
next. Averages weighted by the square of the turn approach an equilibrium. All of this in floats: `best_reply` proves
what the averages, rounded to plans, are worth.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from endsight.algorithms.best_reply import Plan
from endsight.algorithms.plan_rounding import rounded_plan
from endsight.algorithms.treeplex import InformationSets, Treeplex
from endsight.game.limits import Budget

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

__all__ = ["regret_matching"]

Floats = npt.NDArray[np.float64]
Indices = npt.NDArray[np.int64]

_FIRST_TURNS, _MOST_BETWEEN_LOOKS, _MOST_TURNS = 64, 4_096, 1 << 17
_DOING = "matching regrets"


def regret_matching(sets: InformationSets, budget: Budget, share: float = 1e-6) -> tuple[Plan, Plan]:
    """Plans of both players, whose best replies are apart by that share of what they are for the first plans met.

    Further apart where many turns do not bring them as near. Raises `LimitReached`.
    """
    paid = _payoffs(sets)
    first, second = _Regrets(sets.sides[0]), _Regrets(sets.sides[1])
    turn, look, widest = 0, 1, 0.0
    while turn < _MOST_TURNS:
        turn += 1
        budget.glance(budget.states, _DOING)
        first.match(paid @ second.plan, turn)
        second.match(-(paid.T @ first.plan), turn)
        if turn == look:
            look = max(_FIRST_TURNS, look + min(look, _MOST_BETWEEN_LOOKS))
            apart = first.best(paid @ second.average) + second.best(-(paid.T @ first.average))
            widest = max(widest, apart)
            if apart <= share * widest:
                break
    return first.rounded(), second.rounded()


def _payoffs(sets: InformationSets) -> csr_matrix:
    """What pairs of sequences pay, in units of the largest one; rows and columns as `_Regrets` numbers them."""
    from scipy.sparse import csr_matrix

    largest = max(map(abs, sets.payoffs.amounts), default=1)
    # Python divides whole numbers that are too long for a float, too.
    amounts = np.array([amount / largest for amount in sets.payoffs.amounts])
    places = [_Levels(side).places for side in sets.sides]
    pairs = places[0][np.asarray(sets.payoffs.first, int)], places[1][np.asarray(sets.payoffs.second, int)]
    return csr_matrix((amounts, pairs), shape=tuple(side.sequences for side in sets.sides))


class _Levels:
    """A treeplex level by level: first the sets that follow the empty sequence, then those that follow these.

    `places` has the new number of every sequence; those of a level, and those of a set, lie side by side. `parents`,
    `firsts` and `counts` are those of the sets, in the order of levels; `levels` are slices of them, `spans` the
    slices of their sequences.
    """

    def __init__(self, side: Treeplex) -> None:
        depth = np.zeros(side.sequences, dtype=np.int64)
        for number, parent in enumerate(side.parent):
            depth[side.first[number] : side.first[number] + side.count[number]] = depth[parent] + 1
        first, counts = np.asarray(side.first, dtype=np.int64), np.asarray(side.count, dtype=np.int64)
        order = np.argsort(depth[first], kind="stable")
        self.counts = counts[order]
        self.firsts = 1 + np.concatenate([[0], np.cumsum(self.counts)])[:-1].astype(np.int64)
        within = np.arange(1, side.sequences) - np.repeat(self.firsts, self.counts)
        self.places = np.zeros(side.sequences, dtype=np.int64)
        self.places[np.repeat(first[order], self.counts) + within] = np.arange(1, side.sequences)
        self.parents = self.places[np.asarray(side.parent, dtype=np.int64)[order]]
        ends = np.searchsorted(depth[first][order], np.arange(1, depth.max() + 2))
        self.levels = [slice(int(a), int(b)) for a, b in pairwise(ends)]
        bounds = np.append(self.firsts, side.sequences)
        self.spans = [slice(int(bounds[level.start]), int(bounds[level.stop])) for level in self.levels]

    def upwards(self) -> Iterator[tuple[slice, slice, Indices]]:
        """The levels from the last one back: their sets, their sequences, and where each set begins among these."""
        for level, span in zip(reversed(self.levels), reversed(self.spans), strict=True):
            yield level, span, self.firsts[level] - span.start


class _Regrets:
    """One player's regrets, the plan they give now, and the average of all plans; sequences in the order of levels."""

    def __init__(self, side: Treeplex) -> None:
        self.side, self.levels = side, _Levels(side)
        self.even = np.repeat(1.0 / self.levels.counts, self.levels.counts)
        self.chances = self.even.copy()
        self.regrets = np.zeros(side.sequences - 1)
        self.total = np.zeros(side.sequences)
        self.plan = self._played()

    def match(self, gains: Floats, turn: int) -> None:
        """Regret what was played against these gains by sequence, and play by the regrets."""
        last = self._regretted(gains)
        self.regrets = np.maximum(self.regrets + last, 0.0)
        wanted = np.maximum(self.regrets + last, 0.0)
        sums = np.repeat(self._summed(wanted), self.levels.counts)
        self.chances = np.where(sums > 0.0, wanted / np.where(sums > 0.0, sums, 1.0), self.even)
        self.plan = self._played()
        self.total += float(turn) ** 2 * self.plan

    @property
    def average(self) -> Floats:
        """The average plan."""
        mean: Floats = self.total / self.total[0]
        return mean

    def best(self, gains: Floats) -> float:
        """What a best reply gains."""
        values = gains.copy()
        for level, span, starts in self.levels.upwards():
            np.add.at(values, self.levels.parents[level], np.maximum.reduceat(values[span], starts))
        return float(values[0])

    def rounded(self) -> Plan:
        """The average as a plan in whole numbers."""
        return rounded_plan(self.side, self.average[self.levels.places].tolist())

    def _regretted(self, gains: Floats) -> Floats:
        """What each move would have gained more than what was played."""
        values, played = gains.copy(), np.zeros(len(self.levels.counts))
        for level, span, starts in self.levels.upwards():
            played[level] = np.add.reduceat(self.chances[span.start - 1 : span.stop - 1] * values[span], starts)
            np.add.at(values, self.levels.parents[level], played[level])
        regretted: Floats = values[1:] - np.repeat(played, self.levels.counts)
        return regretted

    def _played(self) -> Floats:
        """The masses that the chances of all sets give."""
        masses = np.ones(self.side.sequences)
        for level, span in zip(self.levels.levels, self.levels.spans, strict=True):
            before = np.repeat(masses[self.levels.parents[level]], self.levels.counts[level])
            masses[span] = before * self.chances[span.start - 1 : span.stop - 1]
        return masses

    def _summed(self, amounts: Floats) -> Floats:
        """Sums over the moves of each set."""
        if not len(amounts):
            return amounts
        sums: Floats = np.add.reduceat(amounts, self.levels.firsts - 1)
        return sums
