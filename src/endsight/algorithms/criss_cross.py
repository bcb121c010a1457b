"""The least-index criss-cross method in whole numbers: from any basis, feasible or not, to an optimal solution.

T. Terlaky, "A convergent criss-cross method", Optimization 16, 1985. Of all wrong columns, in the basis with a
value that they must not have, or outside of it with a negative cost, the first one leaves or enters; of those that
may replace it, the first. No basis repeats, so it ends, ties or not. Every pivot solves three systems exactly.
Columns that must be 0 leave the basis before all others.
"""

from __future__ import annotations

from typing import Any

from endsight.algorithms.basic_solution import BasicSolution, basic_solution
from endsight.game.limits import Budget


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
    structural = solution.program.structural
    must_leave = [column for column in solution.basis if column >= structural]
    return min(must_leave) if must_leave else next(filter(solution.is_wrong, range(structural)), None)


def _pivot(solution: BasicSolution, wrong: int) -> list[int] | None:
    """The basis after the pivot; None where no column may replace the wrong one."""
    leaves = wrong in solution.basis
    other = _entering(solution, wrong) if leaves else _leaving(solution, wrong)
    if other is None:
        return None
    leaving, entering = (wrong, other) if leaves else (other, wrong)
    return [entering if column == leaving else column for column in solution.basis]


def _entering(solution: BasicSolution, leaving: int) -> int | None:
    """The first column that may enter where that column leaves, by the signs in its row of the tableau."""
    program = solution.program
    row = solution.exact.solution([int(column == leaving) for column in solution.basis], transposed=True)
    if row is None:
        return None
    entries: Any = program.matrix.transposed.times(row[0])
    basic, must_leave = set(solution.basis), leaving >= program.structural
    for column in range(program.structural):
        any_sign = must_leave or program.is_free(column)
        if column not in basic and (entries[column] < 0 or (any_sign and entries[column])):
            return column
    return None


def _leaving(solution: BasicSolution, entering: int) -> int | None:
    """The first column that may leave where that column enters: of those whose values fall, and must not below 0."""
    program = solution.program
    column = solution.exact.solution(program.matrix.column(entering))
    if column is None:
        return None
    sign = 1 if solution.costs[entering] < 0 else -1
    falls = zip(solution.basis, column[0], strict=True)
    return min((basic for basic, fall in falls if sign * fall > 0 and not program.is_free(basic)), default=None)
