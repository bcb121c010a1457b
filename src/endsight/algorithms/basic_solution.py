"""The exact solution that belongs to a basis of a game's linear program."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import gcd

import numpy as np

from endsight.algorithms.best_reply import SequencePlan
from endsight.algorithms.exact_basis import ExactBasis
from endsight.algorithms.sequence_form import Tableau
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

    program: Tableau
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

    def is_wrong(self, column: int) -> bool:
        """Whether a column before those that must be 0 has a value or a cost that an optimal solution must not have."""
        value, cost = self.columns[column], self.costs[column]
        return cost != 0 if self.program.is_free(column) else value < 0 or cost < 0

    @property
    def is_optimal(self) -> bool:
        """Whether all conditions of optimality hold, exactly."""
        structural = self.program.structural
        return not any(self.columns[structural:]) and not any(map(self.is_wrong, range(structural)))

    @property
    def plans(self) -> tuple[SequencePlan, SequencePlan]:
        """The masses of both players; these are no plans where some are below 0, or do not add up."""
        first = self.columns[: self.program.masses]
        second = [-dual for dual in self.duals[self.program.equations :]]
        return _reduced(first, self.total), _reduced(second, self.dual_total)


def basic_solution(program: Tableau, basis: Sequence[int], budget: Budget) -> BasicSolution | None:
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


def _reduced(masses: Sequence[int], total: int) -> SequencePlan:
    common = gcd(total, *masses)
    return SequencePlan([mass // common for mass in masses], total // common)
