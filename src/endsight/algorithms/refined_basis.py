"""Iterative refinement of linear programs: from a basis that is nearly optimal to one that is closer to optimal.

A. M. Gleixner, D. E. Steffy and K. Wolter, "Iterative refinement for linear programming", INFORMS Journal on
Computing 28, 2016. The exact errors of a basic solution, values below 0 and costs below 0, are scaled up to size
1, and the float solver computes the correction, starting from the same basis. Slacks are columns, so that the
signs of their costs count.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from endsight.algorithms.basic_solution import BasicSolution
from endsight.algorithms.simplex import solved
from endsight.game.limits import Budget

# Bounds this far away count as none.
_FAR = 1e15


def refined_basis(solution: BasicSolution, budget: Budget) -> list[int] | None:
    """The basis after one round of refinement; None where HiGHS finds none. Raises `LimitReached`.

    Values and costs are in the `units` of the program; the residuals are the values of columns that must be 0.
    """
    program = solution.program
    units = [program.unit(column) for column in range(program.structural)]
    values = [Fraction(v, solution.total * unit) for v, unit in zip(solution.columns, units, strict=False)]
    costs = [Fraction(c * unit, solution.dual_total) for c, unit in zip(solution.costs, units, strict=False)]
    residuals = [Fraction(v, solution.total) for v in solution.columns[program.structural :]]
    bounded = [column for column in range(program.structural) if not program.is_free(column)]
    primal_scale = _scale([-values[column] for column in bounded] + list(map(abs, residuals)), values)
    dual_scale = _scale([-costs[column] for column in bounded], costs)
    lower = np.full(program.structural, -np.inf)
    limits = (float(-values[column] * primal_scale) for column in bounded)
    lower[bounded] = [limit if limit > -_FAR else -np.inf for limit in limits]
    right = np.zeros(program.rows)
    right[: program.equations] = [float(value * primal_scale) for value in residuals]
    scaled_costs = np.array([float(cost * dual_scale) for cost in costs])
    optimum = solved(program, scaled_costs, lower, right, budget, solution.basis)
    return None if optimum is None else optimum.basis


def _scale(errors: Sequence[Fraction], amounts: Sequence[Fraction]) -> Fraction:
    """The factor that scales the largest error to size 1; without errors, the largest amount."""
    largest = max(errors, default=Fraction(0))
    if largest <= 0:
        largest = max(map(abs, amounts))
    return 1 / largest if largest else Fraction(1)
