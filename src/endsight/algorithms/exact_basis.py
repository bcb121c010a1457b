"""Sparse systems of linear equations in whole numbers, solved exactly at the cost of their solution.

Z. Wan, "An algorithm to solve integer linear systems exactly using numerical methods", Journal of Symbolic Computation
41, 2006. The matrix is factored once, in floating point, by HiGHS. That gives some digits of the solution at a time;
the rest of the right side is exact in whole numbers and stays small. From enough digits all entries are reconstructed
over one common denominator, by continued fractions, and the equations are checked in whole numbers. Where floats are
too imprecise for a matrix, FLINT solves small ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any, TypeAlias
from weakref import finalize

import numpy as np

from endsight.algorithms.integer_matrix import Floats, Indices, IntegerMatrix, Numbers
from endsight.algorithms.simplex import by_columns, silent_solver, solver_package
from endsight.game.limits import Budget

Solution: TypeAlias = tuple[list[int], int]
"""Numerators and the denominator of all of them, above 0."""

_FIRST_BITS, _MOST_BITS = 256, 1 << 17
_BITS_AT_ONCE, _LEAST_BITS_AT_ONCE = 30, 3
_MOST_IN_FLOATS, _MOST_IN_WORDS = 2.0**52, 2.0**61
_WORDS_NORM = 1 << 40
_MOST_BITS_IN_FLOATS = 900
# Rests may be this much larger than what rounding to whole digits leaves, before fewer digits are taken at once.
_SLACK, _LEAST_ROOM = 1 << 12, 1 << 40
_MOST_DENSE = 1_500
_SCALINGS = 4


class ExactBasis:
    """A square matrix that is factored once, for exact solutions with it and with its transpose."""

    def __init__(self, matrix: IntegerMatrix, budget: Budget | None = None) -> None:
        self.matrix, self.budget = matrix, budget or Budget()

    def solution(self, right: Sequence[int], *, transposed: bool = False) -> Solution | None:
        """The exact solution of matrix x = right (or of the transpose); None where none was found.

        Raises `LimitReached`.
        """
        if not len(right):
            return [], 1
        system = _DigitSystem(
            self.matrix.transposed if transposed else self.matrix, self.factors, transposed, self.budget
        )
        return system.solution(right) or (_dense(system.matrix, right) if len(right) <= _MOST_DENSE else None)

    @cached_property
    def factors(self) -> Factors | None:
        """The matrix factored in floats; None where it has no inverse in floats."""
        return Factors.of(self.matrix) if self.matrix.norm.bit_length() < _MOST_BITS_IN_FLOATS else None


class _DigitSystem:
    """Digits of the solution of one system; the exact solution is reconstructed from more and more of them.

    total    the digits so far: the solution is near total / 2^bits
    rest     2^bits times the right side, less the matrix times `total`: the right side for the digits to come
    at_once  how many bits one step finds at most
    """

    def __init__(self, matrix: IntegerMatrix, factors: Factors | None, transposed: bool, budget: Budget) -> None:
        self.matrix, self.factors, self.transposed, self.budget = matrix, factors, transposed, budget
        self.norm = matrix.norm
        # Machine words are fast; where they have no room for digits, Python's numbers take over.
        self.kind: Any = np.int64 if self.norm < _WORDS_NORM else object

    def solution(self, right: Sequence[int]) -> Solution | None:
        """The exact solution; None where floats do not lead to it."""
        if self.factors is None:
            return None
        self.rest = np.array(right, dtype=self.kind)
        self.total, self.bits, self.at_once = np.zeros(len(right), dtype=object), 0, _BITS_AT_ONCE
        goal = _FIRST_BITS
        while goal <= _MOST_BITS and self._has_digits(goal):
            # Without a rest the digits are the solution itself.
            answer = (self.total.tolist(), 1 << self.bits) if not self.rest.any() else _fractions(self.total, self.bits)
            if answer is not None and self._solves(answer, right):
                return answer
            if not self.rest.any():
                return None
            goal *= 2
        return None

    def _has_digits(self, goal: int) -> bool:
        """Find that many bits of digits, or all; False where floats are too imprecise."""
        while self.bits < goal and self.rest.any():
            self.budget.glance(self.budget.states, "solving exactly")
            if not self._step():
                return False
        return True

    def _step(self) -> bool:
        """Add some more digits: d = round(2^s B^-1 r), then r <- 2^s r - B d."""
        assert self.factors is not None
        correction = self.factors.solve(self.rest.astype(np.float64), self.transposed)
        if not np.isfinite(correction).all():
            return False
        while self.at_once >= _LEAST_BITS_AT_ONCE:
            shift = self._shift(float(np.abs(correction).max()))
            if shift < _LEAST_BITS_AT_ONCE and self.kind is not object:
                self.kind, self.rest = object, self.rest.astype(object)
                continue
            if shift < 1:
                return False
            digits = np.rint(correction * 2.0**shift).astype(np.int64)
            rest = (self.rest << shift) - self.matrix.times(digits, self.kind)
            if int(np.abs(rest).max()) <= _SLACK * self.norm + _LEAST_ROOM:
                self.rest, self.bits = rest, self.bits + shift
                self.total = (self.total << shift) + digits.astype(object)
                return True
            self.at_once = shift - 4
        return False

    def _shift(self, largest: float) -> int:
        """How many bits to find at once, so that nothing overflows."""
        most = _MOST_IN_FLOATS if self.kind is object else min(_MOST_IN_FLOATS, _MOST_IN_WORDS / self.norm)
        room = most / max(largest, 2.0**-60)
        if self.kind is not object:
            room = min(room, _MOST_IN_WORDS / max(1.0, float(np.abs(self.rest).max())))
        return max(0, min(self.at_once, int(np.floor(np.log2(room)))))

    def _solves(self, solution: Solution, right: Sequence[int]) -> bool:
        """Whether the equations hold, in whole numbers."""
        numerators, denominator = solution
        return bool((self.matrix.times(numerators) == np.array(right, dtype=object) * denominator).all())


def _fractions(total: Numbers, bits: int) -> Solution | None:
    """Numerators over one denominator near total / 2^bits, the denominator below 2^(bits / 2); None where it is not."""
    one, half = 1 << bits, 1 << (bits - 1)
    near, most = bits - bits // 3, bits // 2 - 8
    denominator = 1
    for digits in total.tolist():
        scaled = denominator * digits
        if abs(scaled - ((scaled + half) >> bits << bits)) >> near == 0:
            continue
        denominator *= _denominator(scaled % one, one, most)
        if denominator.bit_length() > most:
            return None
    return [(denominator * digits + half) >> bits for digits in total.tolist()], denominator


def _denominator(part: int, one: int, most: int) -> int:
    """The denominator of the simplest fraction near part / one, by its continued fraction.

    It has more than `most` bits where there is no simple one.
    """
    above, below = one, part
    before, now = 0, 1
    while below.bit_length() > one.bit_length() // 2 and now.bit_length() <= most:
        quotient = above // below
        above, below = below, above - quotient * below
        before, now = now, before + quotient * now
    return now


def _dense(matrix: IntegerMatrix, right: Sequence[int]) -> Solution | None:
    """The solution by FLINT, of the matrix with all its zeros; None where it is singular."""
    import flint

    rows, columns = matrix.shape
    table: Any = flint.fmpz_mat(rows, columns)
    places = matrix.in_rows.tolist(), matrix.in_columns.tolist()
    for row, column, value in zip(*places, matrix.values.tolist(), strict=True):
        table[row, column] = int(value)
    if table.rank() < rows:
        return None
    numerators, denominator = table.solve(flint.fmpz_mat(rows, 1, list(map(int, right)))).numer_denom()
    return [int(entry) for entry in numerators.entries()], int(denominator)


class Factors:
    """The factors of a square matrix, whose rows and columns are first scaled by powers of two.

    `values` are its scaled entries, and `order` the order in which HiGHS keeps the columns.
    """

    def __init__(self, matrix: IntegerMatrix, scales: tuple[Floats, Floats], values: Floats, solver: Any) -> None:
        self.matrix, self.scales, self.values, self.solver = matrix, scales, values, solver
        self.order: Indices = np.asarray(solver.getBasicVariables()[1])
        # Python may keep the solver alive for long, because it passes itself to its own callbacks.
        finalize(self, solver.clear)

    @classmethod
    def of(cls, matrix: IntegerMatrix) -> Factors | None:
        """The factors; None for a matrix that is singular in floats."""
        scales = _scales(matrix)
        values = matrix.values.astype(np.float64) * scales[0][matrix.in_rows] * scales[1][matrix.in_columns]
        basis = cls(matrix, scales, values, _factored(matrix, values))
        # HiGHS replaces columns that depend on others by rows, which have numbers below 0.
        return basis if len(basis.order) == matrix.shape[0] and (basis.order >= 0).all() else None

    def solve(self, right: Floats, transposed: bool) -> Floats:
        """The solution of matrix x = right, or of that of the transpose, in floats, corrected once.

        Infinite, or not a number, where it does not fit into floats.
        """
        before, after = self.scales[::-1] if transposed else self.scales
        target = before * right
        with np.errstate(over="ignore", invalid="ignore"):  # the caller checks for infinite numbers
            values = self._inverse(target, transposed)
            values += self._inverse(target - self._times(values, transposed), transposed)
            corrected: Floats = after * values
        return corrected

    def _inverse(self, right: Floats, transposed: bool) -> Floats:
        if transposed:
            return np.array(self.solver.getBasisTransposeSolve(right[self.order])[1])
        values = np.empty(len(right))
        values[self.order] = self.solver.getBasisSolve(right)[1]
        return values

    def _times(self, vector: Floats, transposed: bool) -> Floats:
        rows, columns = self.matrix.in_rows, self.matrix.in_columns
        rows, columns = (columns, rows) if transposed else (rows, columns)
        return np.bincount(rows, self.values * vector[columns], len(vector)).astype(np.float64, copy=False)


def _factored(matrix: IntegerMatrix, values: Floats) -> Any:
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


def _scales(matrix: IntegerMatrix) -> tuple[Floats, Floats]:
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
