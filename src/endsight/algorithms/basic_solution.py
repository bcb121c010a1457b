"""The exact solution that belongs to a basis of a game's linear program, and how a basis is made optimal.

A basis from floats is optimal except for near ties: it is refined in floats, and at last repaired by exact pivots.
The pivots are those of the least-index criss-cross method, which may start from any basis, feasible or not: T. Terlaky,
"A convergent criss-cross method", Optimization 16, 1985. Of all wrong columns, in the basis with a
value that they must not have, or outside of it with a negative cost, the first one leaves or enters; of those that
may replace it, the first. No basis repeats, so it ends, ties or not. Every pivot solves three systems exactly.
Columns that must be 0 leave the basis before all others.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import gcd
from typing import Any

import numpy as np

from endsight.algorithms.best_reply import Plan
from endsight.algorithms.exact_basis import ExactBasis
from endsight.algorithms.sequence_form import Program, solved
from endsight.game.limits import Budget


@dataclass(frozen=True)
class BasicSolution:
    """Exact values of all columns and duals of all rows, in whole numbers over a denominator each.

    columns  by column: numerator over `total`
    duals    by row: numerator over `dual_total`
    costs    by column, the cost of one more of it (reduced costs): numerator over `dual_total`

    It is optimal where no column is below 0 that must not be, every column that must be 0 is, and no column that
    may grow (or shrink, too, if free) has a negative cost.
    """

    program: Program
    exact: ExactBasis
    basis: Sequence[int]
    columns: Sequence[int]
    total: int
    duals: Sequence[int]
    dual_total: int

    @cached_property
    def costs(self) -> Sequence[int]:
        """Reduced costs by column, over `dual_total`."""
        costs = -self.program.matrix.transposed.times(self.duals)
        costs[self.program.masses] -= self.dual_total
        integers: list[int] = costs.tolist()
        return integers

    @property
    def is_optimal(self) -> bool:
        """Whether all conditions of optimality hold, exactly."""
        program = self.program
        if any(self.columns[program.structural :]):
            return False
        for column in range(program.structural):
            value, cost = self.columns[column], self.costs[column]
            if (cost != 0) if program.is_free(column) else (value < 0 or cost < 0):
                return False
        return True

    @property
    def plans(self) -> tuple[Plan, Plan]:
        """The masses of both players; these are no plans where some are below 0, or do not add up."""
        first = self.columns[: self.program.masses]
        second = [-dual for dual in self.duals[self.program.equations :]]
        return _reduced(first, self.total), _reduced(second, self.dual_total)


def _reduced(masses: Sequence[int], total: int) -> Plan:
    common = gcd(total, *masses)
    return Plan([mass // common for mass in masses], total // common)


def basic_solution(program: Program, basis: Sequence[int], budget: Budget) -> BasicSolution | None:
    """The solution of a basis; None where it has none, or exact arithmetic would take too long.

    Raises `LimitReached`.
    """
    exact = ExactBasis(program.matrix.columns(basis), budget)
    values = exact.solution([1] + [0] * (program.rows - 1))
    duals = exact.solution([-(column == program.masses) for column in basis], transposed=True)
    if values is None or duals is None:
        return None
    columns = np.zeros(program.matrix.shape[1], dtype=object)
    columns[list(basis)] = values[0]
    return BasicSolution(program, exact, basis, columns.tolist(), values[1], *duals)


_REFINEMENTS = 3
# Exact pivots in all rows together; each solves three systems.
_PIVOTED_ROWS = 200_000


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


def criss_cross(start: BasicSolution, budget: Budget, pivots: int) -> BasicSolution | None:
    """The optimal solution; None where that many pivots do not reach it. Raises `LimitReached`."""
    solution: BasicSolution | None = start
    for _ in range(pivots):
        budget.glance(budget.states, "pivoting exactly")
        if solution is None or (wrong := _first_wrong(solution)) is None:
            return solution
        basis = _pivot(solution, wrong)
        solution = None if basis is None else basic_solution(solution.program, basis, budget)
    return None


def _first_wrong(solution: BasicSolution) -> int | None:
    """The first column that is wrong; None where the solution is optimal."""
    program, values, costs = solution.program, solution.columns, solution.costs
    unwanted = [column for column in solution.basis if column >= program.structural]
    if unwanted:
        return min(unwanted)
    basic = set(solution.basis)
    for column in range(program.structural):
        if column in basic:
            if values[column] < 0 and not program.is_free(column):
                return column
        elif costs[column] < 0 or (costs[column] and program.is_free(column)):
            return column
    return None


def _pivot(solution: BasicSolution, wrong: int) -> list[int] | None:
    """The basis after the pivot; None where no column may replace the wrong one."""
    basis = list(solution.basis)
    if wrong in basis:
        place = basis.index(wrong)
        entering = _entering(solution, place)
        return None if entering is None else [*basis[:place], entering, *basis[place + 1 :]]
    leaving = _leaving(solution, wrong)
    return None if leaving is None else [wrong if column == leaving else column for column in basis]


def _entering(solution: BasicSolution, place: int) -> int | None:
    """The first column that may enter where the column at that place of the basis leaves."""
    program = solution.program
    row = solution.exact.solution([int(other == place) for other in range(program.rows)], transposed=True)
    if row is None:
        return None
    entries: Any = program.matrix.transposed.times(row[0])
    basic, must_leave = set(solution.basis), solution.basis[place] >= program.structural
    for column in range(program.structural):
        any_sign = must_leave or program.is_free(column)
        if column not in basic and (entries[column] < 0 or (any_sign and entries[column])):
            return column
    return None


def _leaving(solution: BasicSolution, entering: int) -> int | None:
    """The first column that may leave where that column enters."""
    program = solution.program
    column = solution.exact.solution(program.matrix.column(entering))
    if column is None:
        return None
    direction = np.sign(np.array(column[0], dtype=object)) * (1 if solution.costs[entering] < 0 else -1)
    return _first_positive(solution, direction.tolist())


def _first_positive(solution: BasicSolution, direction: Sequence[int]) -> int | None:
    free = solution.program.is_free
    pairs = zip(solution.basis, direction, strict=True)
    return min((column for column, sign in pairs if sign > 0 and not free(column)), default=None)


# Iterative refinement of linear programs: from a basis that is nearly optimal to one that is closer to optimal.
#
# A. M. Gleixner, D. E. Steffy and K. Wolter, "Iterative refinement for linear programming", INFORMS Journal on
# Computing 28, 2016. The exact errors of a basic solution, values below 0 and costs below 0, are scaled up to size
# 1, and the float solver computes the correction, starting from the same basis. Slacks are columns, so that the
# signs of their costs count.


# Bounds this far away count as none.
_FAR = 1e15


def refined_basis(solution: BasicSolution, budget: Budget) -> list[int] | None:
    """The basis after one round of refinement; None where HiGHS finds none. Raises `LimitReached`."""
    program = solution.program
    units = [program.unit(column) for column in range(program.structural)]
    values = [Fraction(v, solution.total * unit) for v, unit in zip(solution.columns, units, strict=False)]
    costs = [Fraction(c * unit, solution.dual_total) for c, unit in zip(solution.costs, units, strict=False)]
    amiss = [Fraction(v, solution.total) for v in solution.columns[program.structural :]]
    bound = [column for column in range(program.structural) if not program.is_free(column)]
    larger = _factor([-values[column] for column in bound] + [abs(value) for value in amiss], values)
    dearer = _factor([-costs[column] for column in bound], costs)
    lower = np.full(program.structural, -np.inf)
    limits = (float(-values[column] * larger) for column in bound)
    lower[bound] = [limit if limit > -_FAR else -np.inf for limit in limits]
    right = np.zeros(program.rows)
    right[: program.equations] = [float(value * larger) for value in amiss]
    optimum = solved(program, np.array([float(cost * dearer) for cost in costs]), lower, right, budget, solution.basis)
    return None if optimum is None else optimum.basis


def _factor(errors: list[Fraction], amounts: list[Fraction]) -> Fraction:
    """The factor that scales the largest error to size 1; without errors, the largest amount."""
    largest = max(errors, default=Fraction(0))
    if largest <= 0:
        largest = max(map(abs, amounts))
    return 1 / largest if largest else Fraction(1)
