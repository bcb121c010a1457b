"""What a plan given in floats proves about the value of a game: rounded to whole numbers, with the best reply to it.

Words are enough where no sum passes them: every sum is at most the sum of all amounts times the total of the plan, so
the total is as large a power of two as leaves room. Beyond that the same loops run in Python's unbounded numbers.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from endsight.algorithms.best_reply import Plan
from endsight.algorithms.loops import loops_for, plain_loop
from endsight.algorithms.regret_kernels import Pairs
from endsight.algorithms.tree_arrays import Floats, amounts_in_floats, tree_of
from endsight.algorithms.treeplex import InformationSets
from endsight.compiler.kernels import Loop
from endsight.game.numbers import reduced

_WORD_BITS, _LEAST_BITS, _UNBOUNDED_BITS = 62, 24, 50
"""Bits of a word that sums may take; of the total of a plan in words at least; and of one in unbounded numbers."""
_NAMES = ("round_masses", "pay", "reply")


class Enclosing:
    """Proves what plans of both players are worth."""

    def __init__(self, sets: InformationSets) -> None:
        self.sets = sets
        self.trees = [tree_of(side) for side in sets.sides]
        amounts, largest = amounts_in_floats(sets.payoffs)
        # Floats are off by far less than the factor 2 that is added.
        summed = largest * (2 * int(np.abs(amounts).sum()) + 2)
        bits = _WORD_BITS - summed.bit_length()
        self.words = bits >= _LEAST_BITS
        self.total = 1 << (min(bits, _UNBOUNDED_BITS) if self.words else _UNBOUNDED_BITS)

    @cached_property
    def _loops(self) -> dict[str, Loop]:
        if not self.words:
            return {name: plain_loop(name) for name in _NAMES}
        return loops_for(len(self.sets.payoffs), names=_NAMES)

    @cached_property
    def _amounts(self) -> Any:
        return self._numbers(self.sets.payoffs.amounts)

    def _numbers(self, given: Any) -> Any:
        return np.asarray(given, np.int64 if self.words else object)

    def rounded(self, player: int, weights: Floats) -> Plan:
        """The plan in whole numbers near masses in floats, 0 or more, whatever they are."""
        masses = self._numbers([0]).repeat(self.sets.sides[player].sequences)
        masses[0] = self.total
        self._loops["round_masses"](self.trees[player], weights, masses)
        return Plan(masses.data if self.words else masses.tolist(), self.total)

    def proven(self, player: int, plan: Plan) -> Fraction:
        """What the first player gets against the best reply to a plan of `rounded`."""
        payoffs = self.sets.payoffs
        rows: Any = [np.asarray(row, np.int64) for row in (payoffs.first, payoffs.second)]
        values = self._numbers([0]).repeat(self.sets.sides[1 - player].sequences)
        pairs = Pairs(len(payoffs), rows[player], rows[1 - player], self._amounts)
        self._loops["pay"](pairs, self._numbers(plan.masses), values)
        self._loops["reply"](self.trees[1 - player], values, 1 if player else -1)
        return reduced(int(values[0]), self.total * self.sets.scale)
