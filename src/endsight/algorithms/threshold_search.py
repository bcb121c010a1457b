"""The best threshold of several families, proven: branch and bound (Land and Doig 1960).

A threshold takes one move where a number is large enough, else another. A class of
neighbouring thresholds is bounded by a player who may choose freely where they differ:
that player can follow each of them, so none is worth more. Where the proven upper end of
that stays below the proven lower end of the best threshold so far, the whole class goes;
else it is cut in two.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

import numpy as np
import numpy.typing as npt

from endsight.algorithms.screening import Screening
from endsight.numbers import Interval

__all__ = ["TOLERANCE", "Family", "ThresholdSearch"]

Words = npt.NDArray[np.int64]

TOLERANCE = Fraction(1, 10**10)
"""Difference, relative to the values, below which thresholds are not told apart."""


@dataclass(frozen=True)
class Family:
    """Thresholds on one number: that number at every bound node, the edge from the threshold on, the edge below."""

    amounts: Words
    from_it_on: Words
    below_it: Words

    @cached_property
    def places(self) -> Words:
        """All numbers that occur, in order: the thresholds."""
        return np.unique(self.amounts)

    def edges(self, first: int, last: int) -> tuple[Words, Words]:
        """What thresholds from place `first` to `last` may take at every node: one edge twice where they agree."""
        above = self.amounts >= self.places[last]
        below = self.amounts < self.places[first]
        return np.where(above, self.from_it_on, self.below_it), np.where(below, self.below_it, self.from_it_on)


@dataclass
class ThresholdSearch:
    """Thresholds of several families, those of a player who wants more (`sign` 1) or less (-1) of the amount.

    best    family and place of the best threshold so far, and proven ends of what it brings to the player
    looked  how many thresholds and classes of them were valued
    """

    screening: Screening
    families: list[Family]
    sign: int
    best: tuple[int, int, Interval] | None = None
    looked: int = 0
    _highest: list[Fraction] = field(default_factory=list)

    def begin(self, number: int, place: int) -> None:
        """Start from a threshold that is good already."""
        self.best = number, place, self._ends(self.families[number].edges(place, place))

    def prove(self) -> None:
        """Find the best threshold of all families, from a good one on."""
        waiting = [(number, 0, len(family.places) - 1) for number, family in enumerate(self.families)]
        while waiting:
            number, first, last = waiting.pop()
            if self._may_hold_better(number, first, last):
                middle = self._cut(number, first, last)
                waiting += [(number, first, middle), (number, middle + 1, last)]

    @property
    def slack(self) -> Fraction:
        """Proven: no other threshold is worth more than the best and this."""
        assert self.best is not None
        return max([Fraction(0), *(high - self.best[2].lower for high in self._highest)])

    def _cut(self, number: int, first: int, last: int) -> int:
        """Where to cut a class: beside the best threshold, whose neighbours are hardest to tell from it."""
        assert self.best is not None
        at = self.best[1]
        if number == self.best[0] and first <= at <= last:
            return at if at < last else at - 1
        return (first + last) // 2

    def _may_hold_better(self, number: int, first: int, last: int) -> bool:
        """Whether a class has to be cut; a single threshold is compared instead."""
        assert self.best is not None
        family = self.families[number]
        if first == last and (number, first) == self.best[:2]:
            return False
        if first == 0 and last == len(family.places) - 1 and first < last:
            return True
        edges = family.edges(first, last)
        self.looked += 1
        mine = self.best[2]
        room = TOLERANCE * (1 + abs(mine.lower))
        if first < last and Fraction(self.sign * self.screening.worth(*edges)) > mine.lower + room:
            return True
        ends = self._ends(edges)
        if first == last and ends.lower > mine.upper:
            self._highest.append(mine.upper)
            self.best = number, first, ends
            return False
        if first < last and ends.upper > mine.lower + room:
            return True
        self._highest.append(ends.upper)
        return False

    def _ends(self, edges: tuple[Words, Words]) -> Interval:
        found = self.screening.ends(*edges)
        return found if self.sign > 0 else -found
