"""An equilibrium of a game of two opposed players who see different things: two plans that prove the value, exactly.

The linear program of the sequence form is solved in floats; the basis that it ends with is solved in whole numbers.
Both plans are accepted only where they are plans and best replies to them meet exactly, so neither floats nor the
basis are trusted. Where floats took a near tie for a tie, the basis is refined, and at last repaired by exact pivots.
Where this gives no exact answer, the result is a proven interval, from the best plans found.

In a large game a program solves only the moves that players want to make: regret matching gives a first set of them,
and best replies to the plans add to it until there is none. Where that does not end, regret matching continues alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from typing import TypeAlias

import numpy as np

from endsight.algorithms.basic_solution import BasicSolution, basic_solution
from endsight.algorithms.best_reply import SequencePlan, is_plan, rounded_plan, secured
from endsight.algorithms.criss_cross import criss_cross
from endsight.algorithms.loops import loops_for
from endsight.algorithms.refined_basis import refined_basis
from endsight.algorithms.regret_kernels import round_masses
from endsight.algorithms.regret_matching import RegretMatching
from endsight.algorithms.restricted_games import restricted_games
from endsight.algorithms.sequence_form import sequence_form
from endsight.algorithms.simplex import optimum, room_for, solver_package
from endsight.algorithms.tree_arrays import Floats, tree_of, word_bits_left
from endsight.algorithms.treeplex import InformationSets
from endsight.game.limits import Budget

MOST_PAIRS, FEW_PAIRS = 5_000_000, 200_000
"""Most pairs of sequences that pay, in linear programs; and in games that are not restricted first."""
_FIRST_TURNS, _MOST_TURNS = 512, 1 << 17
"""Turns of regret matching before a game is restricted, and in all."""
_SHARE = 1e-6
"""Width of the interval at which regret matching stops, relative to the width at first."""

_LEAST_BITS, _MOST_BITS = 24, 50
"""Bits of the total of a plan in machine words at least, and of any plan at most."""
_NAME, _RESTRICTED = "sequence form", "restricted games"
_ROUNDED_BITS = 96
_REFINEMENTS = 3
_PIVOTED_ROWS = 200_000
"""Exact pivots in all rows together; each solves three systems."""


Tell: TypeAlias = Callable[[Fraction, Fraction], object]
"""Receives the lower and the upper end of the value that are proven so far."""


@dataclass(frozen=True)
class Equilibrium:
    """Two plans and what they prove: `lower` <= value to the first player <= `upper`, of `payoffs` from the start.

    `method` says how the plans were found; `reason` why the ends do not meet, None where they do. The first plan
    gives the first player `lower` or more, whatever the second does; the second lets the first have at most `upper`.
    """

    plans: tuple[SequencePlan, SequencePlan]
    lower: Fraction
    upper: Fraction
    method: str
    reason: str | None = None

    @property
    def is_exact(self) -> bool:
        """Whether the value is proven exactly, and both plans are optimal."""
        return self.lower == self.upper


def _ignore(_lower: Fraction, _upper: Fraction) -> None:
    """Ignore the ends."""


def equilibrium(sets: InformationSets, budget: Budget | None = None, tell: Tell = _ignore) -> Equilibrium:
    """Optimal plans of both players and the value, exactly where possible.

    `tell` receives the ends proven on the way. Raises `UsageError` where the extra `hidden` is not installed, and
    `LimitReached` when the budget is spent.
    """
    solver_package()
    budget = budget or Budget()
    if len(sets.payoffs) <= FEW_PAIRS and _has_room(sets, budget):
        return _by_program(sets, budget)
    return _of_large_game(sets, budget, tell)


def _has_room(sets: InformationSets, budget: Budget) -> bool:
    """Whether the linear program of the game is small enough to build."""
    return len(sets.payoffs) <= MOST_PAIRS and room_for(sets) <= budget.memory_left()


def _of_large_game(sets: InformationSets, budget: Budget, tell: Tell) -> Equilibrium:
    """From restricted games; where these grow as large as the game, from its own program, or regret matching alone."""
    best, matching = _Best(sets), RegretMatching(sets, budget)
    regretting = _Regretting(best, matching, tell)
    regretting.until(_FIRST_TURNS)
    for plans in restricted_games(sets, matching, partial(_plans_of_restricted, sets, budget)):
        for player, plan in enumerate(plans):
            best.offer(player, plan)
        if not best.apart:
            return best.equilibrium(_RESTRICTED)
        tell(best.ends[0], best.ends[1])
    if _has_room(sets, budget):
        return _by_program(sets, budget)
    regretting.until(_MOST_TURNS)
    return best.equilibrium("regret matching", "the game is too large for its linear program")


def _plans_of_restricted(
    whole: InformationSets, budget: Budget, sets: InformationSets
) -> tuple[SequencePlan, SequencePlan] | None:
    """Optimal plans of a restricted game; None where it is about as large as the whole."""
    if 2 * len(sets.payoffs) > len(whole.payoffs) or not _has_room(sets, budget):
        return None
    return _by_program(sets, budget).plans


@dataclass
class _Best:
    """The best plan of each player found so far, with the bound it proves."""

    sets: InformationSets
    plans: dict[int, SequencePlan] = field(default_factory=dict)
    ends: dict[int, Fraction] = field(default_factory=dict)

    def offer(self, player: int, plan: SequencePlan) -> None:
        """Keep a plan that proves more than the one before."""
        end = secured(self.sets, player, plan)
        if player not in self.ends or (end > self.ends[0] if player == 0 else end < self.ends[1]):
            self.plans[player], self.ends[player] = plan, end

    @property
    def apart(self) -> Fraction:
        """The distance between the ends."""
        return self.ends[1] - self.ends[0]

    def offer_solution(self, solution: BasicSolution) -> bool:
        """Take the plans of a basic solution, or rounded ones where they are none; return whether the ends meet."""
        for player, (side, plan) in enumerate(zip(self.sets.sides, solution.plans, strict=True)):
            self.offer(player, plan if is_plan(side, plan) else rounded_plan(side, plan.masses, _ROUNDED_BITS))
        return not self.apart

    def equilibrium(self, method: str, reason: str | None = None) -> Equilibrium:
        reason = reason if self.apart else None
        return Equilibrium((self.plans[0], self.plans[1]), self.ends[0], self.ends[1], method, reason)


@dataclass
class _Regretting:
    """Regret matching, with a proof now and then of its result so far."""

    best: _Best
    matching: RegretMatching
    tell: Tell
    first_apart: Fraction | None = None

    def until(self, turns: int) -> None:
        """Take turns until that many are taken in all, or the ends are near; raises `LimitReached`."""
        for _ in self.matching.looks(turns, self._said):
            for player in (0, 1):
                self.best.offer(player, near_plan(self.best.sets, player, self.matching.average(player)))
            self.tell(self.best.ends[0], self.best.ends[1])
            self.first_apart = self.first_apart or self.best.apart
            if self.best.apart <= _SHARE * self.first_apart:
                break

    def _said(self) -> str:
        return f", the ends {float(self.best.apart):.1e} apart" if self.best.ends else ""


def _by_program(sets: InformationSets, budget: Budget) -> Equilibrium:
    """From the linear program of the whole game."""
    best, program = _Best(sets), sequence_form(sets)
    found = optimum(program, budget)
    for player, side in enumerate(sets.sides):
        weights = [0.0] * side.sequences if found is None else found.plans[player].tolist()
        best.offer(player, rounded_plan(side, weights))
    solution = None if found is None else basic_solution(program, found.basis, budget)
    solution = solution or basic_solution(program, program.unit_basis(), budget)
    assert solution is not None
    for how, better in repaired(solution, budget):
        if best.offer_solution(better):
            return best.equilibrium(f"{_NAME}, {how}" if how else _NAME)
    return best.equilibrium(_NAME, "exact pivots came to no end within their budget")


def repaired(solution: BasicSolution, budget: Budget) -> Iterator[tuple[str, BasicSolution]]:
    """The solution, then ever better ones, with the step that led to each; the last is optimal, or pivots do not end.

    Raises `LimitReached`.
    """
    yield "", solution
    for _ in range(_REFINEMENTS):
        basis = refined_basis(solution, budget)
        refined = None if basis is None else basic_solution(solution.program, basis, budget)
        if refined is None:
            break
        solution = refined
        yield "refined", solution
    pivoted = criss_cross(solution, budget, _PIVOTED_ROWS // solution.program.rows)
    if pivoted is not None:
        yield "exact pivots", pivoted


def near_plan(sets: InformationSets, player: int, weights: Floats) -> SequencePlan:
    """A plan in whole numbers near masses in floats, 0 or more, whatever they are.

    Its total is as large a power of two as machine words leave room for, where that is precise enough.
    """
    bits = word_bits_left(sets.payoffs) - 1
    is_short = bits >= _LEAST_BITS
    masses = np.zeros(sets.sides[player].sequences, np.int64 if is_short else object)
    masses[0] = 1 << (min(bits, _MOST_BITS) if is_short else _MOST_BITS)
    loops = loops_for(len(masses) if is_short else 0, kernels=(round_masses,))
    loops["round_masses"](tree_of(sets.sides[player]), weights, masses)
    return SequencePlan(masses.tolist(), int(masses[0]))
