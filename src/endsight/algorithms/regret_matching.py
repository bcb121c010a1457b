"""Plans of two opposed players by predictive counterfactual regret minimisation, for games too large to solve exactly.

G. Farina, C. Kroer and T. Sandholm, "Faster game solving via predictive Blackwell approachability", AAAI 2021 (PCFR+),
on the counterfactual regrets of M. Zinkevich, M. Johanson, M. Bowling and C. Piccione (2007). The players take turns;
each set keeps regrets, never below 0, and mixes its moves in proportion to them plus the last ones as a guess of the
next. Averages weighted by the square of the turn approach an equilibrium. All of this is in floats: `enclosing` proves
bounds from the averages, rounded to plans.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from endsight.algorithms.loops import loops_for
from endsight.algorithms.regret_kernels import Reach, Tree, gain, match_regrets, play, respond
from endsight.algorithms.tree_arrays import Floats, amounts_in_floats, by_set, paid_lists, tree_of, widths_of
from endsight.algorithms.treeplex import InformationSets
from endsight.game.limits import Budget

Marks: TypeAlias = npt.NDArray[np.int8]

_KERNELS = (match_regrets, gain, respond, play)
_FIRST_LOOK, _LOOKS = 32, 4
"""The turn of the first check, and the share of all turns, as one part in this many, between two checks."""
_WORK = 1 << 24
"""Approximate number of steps of a single call of machine code."""
_BYTES_PER_PAIR, _BYTES_PER_SEQUENCE = 40, 120


class RegretMatching:
    """Regret matching of two players."""

    def __init__(self, sets: InformationSets, budget: Budget) -> None:
        sequences = sum(side.sequences for side in sets.sides)
        self.size = len(sets.payoffs) + sequences
        room = _BYTES_PER_PAIR * len(sets.payoffs) + _BYTES_PER_SEQUENCE * sequences
        budget.reserve(room, budget.states, "making room to match regrets")
        self.budget = budget
        self.trees = tree_of(sets.sides[0]), tree_of(sets.sides[1])
        self.paid = paid_lists(sets, amounts_in_floats(sets.payoffs)[0])
        self.gains = np.zeros(max(side.sequences for side in sets.sides))
        self.loops = loops_for(self.size, kernels=_KERNELS)
        self.players = self._evenly(self.trees[0]), self._evenly(self.trees[1])
        self.turn = 0

    def _evenly(self, tree: Tree) -> Reach:
        """A player who has no regrets yet, and plays all moves with equal chances."""
        chances = np.append(1.0, by_set(tree, 1.0 / widths_of(tree)))
        rows: Any = np.zeros_like(chances), chances, np.ones_like(chances), np.zeros_like(chances)
        played = Reach(*rows)
        self.loops["play"](tree, played, 0)
        return played

    def looks(self, turns: int, said: Callable[[], str]) -> Iterator[int]:
        """Take that many turns in all, and stop for a check now and then; raises `LimitReached`.

        `said` gives the text on what is known so far, for the progress report.
        """
        while self.turn < turns:
            look = min(turns, max(_FIRST_LOOK, self.turn + self.turn // _LOOKS))
            while self.turn < look:
                self.budget.glance(self.budget.states, f"matching regrets, turn {self.turn:,}{said()}")
                self._take(min(look - self.turn, 1 + _WORK // self.size))
            yield self.turn

    def _take(self, turns: int) -> None:
        begin = self.turn + 1
        self.loops["match_regrets"](*self.trees, *self.paid, *self.players, self.gains, begin, begin + turns)
        self.turn += turns

    def average(self, player: int) -> Floats:
        """The average plan of a player, every mass 0 or more."""
        total = np.asarray(self.players[player].d_total)
        mean: Floats = total / total[0]
        return mean

    def respond(self, player: int, masses: Floats, wanted: Marks, close: int) -> int:
        """Add moves of best replies by `player` to the other's masses where wanted ones gain less; return how many."""
        other = 1 - player
        self.loops["gain"](self.trees[other], self.trees[player], self.paid[other], masses, self.gains)
        return self.loops["respond"](self.trees[player], self.gains, wanted, close)
