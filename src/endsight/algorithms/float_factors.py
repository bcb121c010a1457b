"""The inverse of a sparse matrix of whole numbers in floating point, by the factors of HiGHS."""

from __future__ import annotations

from typing import Any
from weakref import finalize

import numpy as np
import numpy.typing as npt

from endsight.algorithms.sequence_form import by_columns, silent_solver, solver_package
from endsight.algorithms.whole_matrix import Indices, WholeMatrix

Floats = npt.NDArray[np.float64]

_SCALINGS = 4


class Factors:
    """The factors of a square matrix, whose rows and columns are first scaled by powers of two.

    `values` are its scaled entries, and `order` the order in which HiGHS keeps the columns.
    """

    def __init__(self, matrix: WholeMatrix, scales: tuple[Floats, Floats], values: Floats, solver: Any) -> None:
        self.matrix, self.scales, self.values, self.solver = matrix, scales, values, solver
        self.order: Indices = np.asarray(solver.getBasicVariables()[1])
        # Python may keep the solver alive for long, because it passes itself to its own callbacks.
        finalize(self, solver.clear)

    @classmethod
    def of(cls, matrix: WholeMatrix) -> Factors | None:
        """The factors; None for a matrix that is singular in floats."""
        scales = _scales(matrix)
        values = matrix.values.astype(np.float64) * scales[0][matrix.in_rows] * scales[1][matrix.in_columns]
        found = cls(matrix, scales, values, _factored(matrix, values))
        # HiGHS replaces columns that depend on others by rows, which have numbers below 0.
        return found if len(found.order) == matrix.shape[0] and (found.order >= 0).all() else None

    def solve(self, right: Floats, transposed: bool) -> Floats:
        """The solution of matrix x = right, or of that of the transpose, in floats, corrected once.

        Infinite, or not a number, where it does not fit into floats.
        """
        before, after = self.scales[::-1] if transposed else self.scales
        wanted = before * right
        with np.errstate(over="ignore", invalid="ignore"):  # the caller checks for infinite numbers
            found = self._inverse(wanted, transposed)
            found += self._inverse(wanted - self._times(found, transposed), transposed)
            mended: Floats = after * found
        return mended

    def _inverse(self, right: Floats, transposed: bool) -> Floats:
        if transposed:
            return np.array(self.solver.getBasisTransposeSolve(right[self.order])[1])
        found = np.empty(len(right))
        found[self.order] = self.solver.getBasisSolve(right)[1]
        return found

    def _times(self, vector: Floats, transposed: bool) -> Floats:
        rows, columns = self.matrix.in_rows, self.matrix.in_columns
        rows, columns = (columns, rows) if transposed else (rows, columns)
        return np.bincount(rows, self.values * vector[columns], len(vector)).astype(np.float64, copy=False)


def _factored(matrix: WholeMatrix, values: Floats) -> Any:
    """A solver of a program whose basis is all columns of the matrix, with those values as entries."""
    highs, size = solver_package(), matrix.shape[0]
    solver, model, basis = silent_solver(highs), highs.HighsLp(), highs.HighsBasis()
    solver.setOptionValue("simplex_scale_strategy", 0)
    model.num_row_ = model.num_col_ = size
    model.col_cost_ = model.col_lower_ = model.row_lower_ = model.row_upper_ = np.zeros(size)
    model.col_upper_ = np.full(size, np.inf)
    by_columns(highs, model, matrix, values)
    basis.col_status = [highs.HighsBasisStatus.kBasic] * size
    basis.row_status = [highs.HighsBasisStatus.kLower] * size
    basis.valid = True
    solver.passModel(model)
    solver.setBasis(basis)
    return solver


def _scales(matrix: WholeMatrix) -> tuple[Floats, Floats]:
    """Powers of two for rows and columns that bring their largest entries near 1."""
    scales = np.ones(matrix.shape[0]), np.ones(matrix.shape[1])
    sizes = abs(matrix.values.astype(np.float64))
    for _ in range(_SCALINGS):
        for scale, places in zip(scales, (matrix.in_rows, matrix.in_columns), strict=True):
            largest = np.zeros(len(scale))
            np.maximum.at(largest, places, sizes)
            factor = np.exp2(-np.round(np.log2(np.where(largest > 0, largest, 1)) / 2))
            scale *= factor
            sizes *= factor[places]
    return scales
