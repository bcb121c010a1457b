"""An equilibrium of a game of two opposed players who see different things: two plans that prove the value, exactly.

The linear program of the sequence form is solved in floats; the basis that it ends with is solved in whole numbers.
Both plans are accepted only where they are plans and best replies to them meet exactly, so neither floats nor the
basis are trusted. Where floats took a near tie for a tie, the basis is refined, and at last repaired by exact pivots.
What is left without an exact answer has a proven interval, from the best plans that were met. So have games for
whose program there is no room, from plans found by matching regrets.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from endsight.algorithms.basic_solution import BasicSolution, basic_solution
from endsight.algorithms.best_reply import Plan, is_plan, paid_by, reply_values
from endsight.algorithms.criss_cross import criss_cross
from endsight.algorithms.plan_rounding import rounded_plan
from endsight.algorithms.refinement import refined_basis
from endsight.algorithms.regret_matching import regret_matching
from endsight.algorithms.sequence_form import optimum, room_for, sequence_form, solver_package
from endsight.algorithms.treeplex import InformationSets
from endsight.game.limits import Budget
from endsight.game.numbers import reduced

__all__ = ["MOST_PAIRS", "Equilibrium", "equilibrium"]

MOST_PAIRS = 2_000_000
"""Pairs of sequences that pay, in games that are solved by their linear program."""

_NAME = "sequence form"
_REFINEMENTS = 3
# Exact pivots in all rows together; each solves three systems.
_PIVOTED_ROWS = 200_000
_ROUNDED_BITS = 96


@dataclass(frozen=True)
class Equilibrium:
    """Two plans and what they prove: `lower` <= value to the first player <= `upper`, of `payoffs` from the start.

    `method` says how the plans were found; `reason` why the ends do not meet, None where they do. The first plan
    brings the first player `lower` or more, whatever the second does; the second lets the first have `upper` at most.
    """

    plans: tuple[Plan, Plan]
    lower: Fraction
    upper: Fraction
    method: str
    reason: str | None = None

    @property
    def is_exact(self) -> bool:
        """Whether the value is proven exactly, and both plans are optimal."""
        return self.lower == self.upper


@dataclass
class _Best:
    """The best plan met so far of each player, with what it proves."""

    sets: InformationSets
    plans: dict[int, Plan] = field(default_factory=dict)
    ends: dict[int, Fraction] = field(default_factory=dict)

    def offer(self, player: int, plan: Plan) -> None:
        """Keep a plan that proves more than the one before."""
        best = min if player == 0 else max
        paid = reply_values(self.sets.sides[1 - player], paid_by(self.sets, player, plan), best)[0]
        end = reduced(paid, plan.total * self.sets.scale)
        if player not in self.ends or (end > self.ends[0] if player == 0 else end < self.ends[1]):
            self.plans[player], self.ends[player] = plan, end

    def offer_solution(self, solution: BasicSolution) -> bool:
        """Take the plans of a basic solution, or rounded ones where they are none; whether the ends meet."""
        for player, (side, plan) in enumerate(zip(self.sets.sides, solution.plans, strict=True)):
            self.offer(player, plan if is_plan(side, plan) else rounded_plan(side, plan.masses, _ROUNDED_BITS))
        return self.ends[0] == self.ends[1]

    def told(self, method: str, reason: str | None = None) -> Equilibrium:
        reason = None if self.ends[0] == self.ends[1] else reason
        return Equilibrium((self.plans[0], self.plans[1]), self.ends[0], self.ends[1], method, reason)


def equilibrium(sets: InformationSets, budget: Budget | None = None) -> Equilibrium:
    """Optimal plans of both players and the value, exactly where possible.

    Raises `UsageError` where the extra `hidden` is not installed, and `LimitReached` when the budget is spent.
    """
    solver_package()
    budget, best = budget or Budget(), _Best(sets)
    if len(sets.payoffs) > MOST_PAIRS or room_for(sets) > budget.memory_left():
        for player, plan in enumerate(regret_matching(sets, budget)):
            best.offer(player, plan)
        return best.told("regret matching", "the game is too large for its linear program")
    program = sequence_form(sets)
    found = optimum(program, budget)
    for player, side in enumerate(sets.sides):
        weights = [0.0] * side.sequences if found is None else found.plans[player].tolist()
        best.offer(player, rounded_plan(side, weights))
    solution = None if found is None else basic_solution(program, found.basis, budget)
    solution = solution or basic_solution(program, program.unit_basis(), budget)
    assert solution is not None
    return _repaired(best, solution, budget)


def _repaired(best: _Best, solution: BasicSolution, budget: Budget) -> Equilibrium:
    """The equilibrium from a basic solution on, which is optimal but for near ties."""
    for turn in range(1 + _REFINEMENTS):
        if best.offer_solution(solution):
            return best.told(_NAME if not turn else f"{_NAME}, refined")
        basis = refined_basis(solution, budget) if turn < _REFINEMENTS else None
        refined = None if basis is None else basic_solution(solution.program, basis, budget)
        if refined is None:
            break
        solution = refined
    mended = criss_cross(solution, budget, _PIVOTED_ROWS // solution.program.rows)
    if mended is not None and best.offer_solution(mended):
        return best.told(f"{_NAME}, exact pivots")
    return best.told(_NAME, "exact pivots came to no end within their budget")
