"""Iterative refinement of linear programs: from a basis that is nearly optimal to one that is more so.

A. M. Gleixner, D. E. Steffy and K. Wolter, "Iterative refinement for linear programming", INFORMS Journal on Computing
28, 2016. The exact errors of a basic solution, values below 0 and costs below 0, are blown up to size 1, and the float
solver is asked for the correction, from the same basis on. Slacks are columns, so that the signs of their costs count.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from endsight.algorithms.basic_solution import BasicSolution
from endsight.algorithms.sequence_form import solved
from endsight.game.limits import Budget

# Bounds that are so far away are none.
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
    lower[bound] = [_limited(-values[column] * larger) for column in bound]
    right = np.zeros(program.rows)
    right[: program.equations] = [float(value * larger) for value in amiss]
    found = solved(program, np.array([float(cost * dearer) for cost in costs]), lower, right, budget, solution.basis)
    return None if found is None else found.basis


def _factor(errors: list[Fraction], amounts: list[Fraction]) -> Fraction:
    """What blows the largest error up to size 1; without errors, what brings the largest amount there."""
    largest = max(errors, default=Fraction(0))
    if largest <= 0:
        largest = max(map(abs, amounts))
    return 1 / largest if largest else Fraction(1)


def _limited(bound: Fraction) -> float:
    return float(bound) if bound > -_FAR else -np.inf
