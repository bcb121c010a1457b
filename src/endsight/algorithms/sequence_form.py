"""The sequence form of a game of two opposed players as one linear program, and its optimum in floating point.

B. von Stengel (Games and Economic Behavior 14, 1996); D. Koller, N. Megiddo and B. von Stengel (same volume). Unknowns
are the masses x of the first player's sequences and a value v for every information set of the second, the root among
them. The program maximises the value of the root where x is a plan and no sequence of the second player, followed by
the values of its sets, pays less than the set in which it is played is worth. The duals are the second player's plan.

HiGHS solves it by the simplex method and returns the final basis. Its floats decide nothing: `exact_basis`
solves the same basis in whole numbers, and `best_reply` proves the result.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from endsight.algorithms.treeplex import InformationSets, Treeplex
from endsight.base.extras import package_of
from endsight.game.limits import Budget

Floats = npt.NDArray[np.float64]
Indices = npt.NDArray[np.int64]
Numbers = npt.NDArray[Any]
"""Whole numbers: machine words, or Python's unbounded ones."""

_MOST_IN_WORDS = 1 << 62
_DOING = "solving the linear program"
_BYTES_PER_ENTRY = 400
_SECONDS_BETWEEN_LOOKS = 0.02
# The tolerance of HiGHS for ties, 1e-7 by default (1e-10 is the least that it allows, and costs more pivots), and
# its tolerance for zeros in the matrix, 1e-9 by default.
_OPTIONS = {
    "threads": 1,
    "small_matrix_value": 1e-12,
    "primal_feasibility_tolerance": 1e-9,
    "dual_feasibility_tolerance": 1e-9,
}


# Sparse matrices of whole numbers of any size, for products that must be exact.


def integer_array(values: Sequence[int]) -> Numbers:
    """The numbers as machine words where all fit, else as unbounded ones."""
    fits = all(-_MOST_IN_WORDS < value < _MOST_IN_WORDS for value in values)
    return np.array(values, dtype=np.int64 if fits else object)


class IntegerMatrix:
    """A sparse matrix: the row, the column and the number of every entry, sorted by rows and then by columns."""

    def __init__(self, in_rows: Indices, in_columns: Indices, values: Numbers, shape: tuple[int, int]) -> None:
        self.in_rows, self.in_columns, self.values, self.shape = in_rows, in_columns, values, shape

    @classmethod
    def of(cls, rows: Numbers, columns: Numbers, entries: Numbers, shape: tuple[int, int]) -> IntegerMatrix:
        """The matrix with these entries in these rows and columns, each place at most once."""
        order = np.lexsort((columns, rows))
        return cls(rows[order], columns[order], entries[order], shape)

    @property
    def norm(self) -> int:
        """The largest sum of absolute values in a row."""
        return int(max(self._summed(abs(self.values.astype(object))), default=0))

    def columns(self, chosen: Sequence[int]) -> IntegerMatrix:
        """The matrix of these columns, in this order."""
        places = np.full(self.shape[1], -1)
        places[chosen] = np.arange(len(chosen))
        kept = places[self.in_columns] >= 0
        shape = self.shape[0], len(chosen)
        return IntegerMatrix.of(self.in_rows[kept], places[self.in_columns[kept]], self.values[kept], shape)

    def column(self, number: int) -> list[int]:
        """One column, zeros included."""
        part = self.columns([number])
        return [int(amount) for amount in part.times([1])]

    @cached_property
    def transposed(self) -> IntegerMatrix:
        """The matrix with rows and columns exchanged."""
        return IntegerMatrix.of(self.in_columns, self.in_rows, self.values, self.shape[::-1])

    def times(self, vector: Sequence[int] | Numbers, kind: Any = object) -> Numbers:
        """The product with a vector, in numbers of that kind: exact unbounded ones, or words with room for it."""
        factors = np.array(vector, dtype=kind)
        return self._summed(self.values.astype(kind, copy=False) * factors[self.in_columns])

    @cached_property
    def _filled(self) -> tuple[Indices, Indices]:
        """The rows with entries, and where the entries of each begin."""
        offsets = np.searchsorted(self.in_rows, np.arange(self.shape[0] + 1))
        filled = np.flatnonzero(offsets[:-1] < offsets[1:])
        return filled, offsets[filled]

    def _summed(self, products: Numbers) -> Numbers:
        """The sum of each row."""
        filled, begins = self._filled
        sums = np.zeros(self.shape[0], dtype=products.dtype)
        if len(filled):
            sums[filled] = np.add.reduceat(products, begins)
        return sums


@dataclass(frozen=True)
class Program:
    """Least -v(root) such that `matrix` z = (1, 0, 0, ...), in whole numbers.

    Rows: `equations` that make the masses a plan, then one row per sequence of the second player.
    Columns, in this order: `masses`, one per sequence of the first player (0 or more); `worths`, of the root and of the
    second player's sets (free); `slacks`, one per sequence of the second player (0 or more, a single 1); `equations`
    many that must be 0 and only complete a basis (a single 1). `largest` is the size of the largest payoff.
    """

    matrix: IntegerMatrix
    masses: int
    worths: int
    slacks: int
    equations: int
    largest: int

    @property
    def rows(self) -> int:
        """Number of rows."""
        return self.equations + self.slacks

    @property
    def first_slack(self) -> int:
        """The first column of the slacks."""
        return self.masses + self.worths

    @property
    def structural(self) -> int:
        """Number of columns before those that must be 0."""
        return self.first_slack + self.slacks

    def is_free(self, column: int) -> bool:
        """Whether a column may take any value."""
        return self.masses <= column < self.first_slack

    def unit_column(self, row: int) -> int:
        """The column whose single 1 is in that row."""
        return self.structural + row if row < self.equations else self.first_slack + row - self.equations

    def unit(self, column: int) -> int:
        """The unit of the column in floats: payoffs are in units of the largest one."""
        return 1 if column < self.masses else self.largest

    def unit_basis(self) -> list[int]:
        """The columns with a single 1, which always form a basis."""
        return [self.unit_column(row) for row in range(self.rows)]

    @cached_property
    def in_floats(self) -> Floats:
        """The entries of the matrix, payoffs in units of the largest one."""
        matrix, values = self.matrix, np.empty(len(self.matrix.values))
        are_payoffs = (matrix.in_rows >= self.equations) & (matrix.in_columns < self.masses)
        values[~are_payoffs] = matrix.values[~are_payoffs].astype(np.float64)
        # Python also divides whole numbers that are too long for a float.
        values[are_payoffs] = [int(entry) / self.largest for entry in matrix.values[are_payoffs].tolist()]
        return values


@dataclass(frozen=True)
class Optimum:
    """The end of the simplex method: the columns of the basis, and both plans in floats, by sequence."""

    basis: list[int]
    plans: tuple[Floats, Floats]


def room_for(sets: InformationSets) -> int:
    """Roughly how many bytes the linear program of a game takes, its solution included."""
    first, second = sets.sides
    return _BYTES_PER_ENTRY * (len(sets.payoffs) + 2 * (first.sequences + second.sequences))


def sequence_form(sets: InformationSets) -> Program:
    """The linear program of a game."""
    first, second = sets.sides
    masses, worths, slacks, equations = first.sequences, 1 + len(second), second.sequences, 1 + len(first)
    constraints, sequences, signs = _plan_rows(first)
    inequalities, replies, other_signs = _plan_rows(second)
    paid = np.asarray(sets.payoffs.first, dtype=np.int64), np.asarray(sets.payoffs.second, dtype=np.int64)
    amounts = integer_array(sets.payoffs.amounts)
    rows, structural = equations + slacks, masses + worths + slacks
    units = np.concatenate([structural + np.arange(equations), masses + worths + np.arange(slacks)])
    matrix = IntegerMatrix.of(
        np.concatenate([constraints, equations + replies, equations + paid[1], np.arange(rows)]),
        np.concatenate([sequences, masses + inequalities, paid[0], units]),
        np.concatenate([signs, other_signs, -amounts, np.ones(rows, dtype=np.int64)]),
        (rows, structural + equations),
    )
    return Program(matrix, masses, worths, slacks, equations, int(max(abs(amounts), default=1)))


def _plan_rows(side: Treeplex) -> tuple[Indices, Indices, Indices]:
    """Rows, sequences and signs that make masses a plan: 1 for the empty one; a set splits the mass before it."""
    sets = np.arange(1, 1 + len(side))
    rows = np.concatenate([[0], sets, np.repeat(sets, side.count)])
    sequences = np.concatenate([[0], side.parent, np.arange(1, side.sequences)])
    signs = np.concatenate([[1], np.full(len(side), -1), np.ones(side.sequences - 1)])
    return rows.astype(np.int64), sequences.astype(np.int64), signs.astype(np.int64)


def optimum(program: Program, budget: Budget) -> Optimum | None:
    """The optimum in floats; None where HiGHS finds none.

    Raises `LimitReached`.
    """
    costs, lower, right = np.zeros(program.structural), np.zeros(program.structural), np.zeros(program.rows)
    costs[program.masses] = -1.0
    lower[program.masses : program.first_slack] = -np.inf
    right[0] = 1.0
    return solved(program, costs, lower, right, budget)


def solved(
    program: Program, costs: Floats, lower: Floats, right: Floats, budget: Budget, basis: Sequence[int] | None = None
) -> Optimum | None:
    """The optimum for other costs, lower bounds and right sides, in the program's `units`, starting from `basis`."""
    highs = solver_package()
    budget.look(budget.states, _DOING)
    budget.reserve(_BYTES_PER_ENTRY * len(program.matrix.values), budget.states, _DOING)
    solver = silent_solver(highs)
    solver.passModel(_model(highs, program, costs, lower, right))
    if basis is not None:
        solver.setOptionValue("presolve", "off")
        solver.setBasis(_start(highs, program, basis))
    _run(solver, budget)
    if solver.getModelStatus() != highs.HighsModelStatus.kOptimal:
        return None
    solution = solver.getSolution()
    plans = np.array(solution.col_value[: program.masses]), -np.array(solution.row_dual[program.equations :])
    basis = _basis(highs, program, solver.getBasis())
    # Python may keep the solver alive for long, because it passes itself to its own callbacks.
    solver.clear()
    return Optimum(basis, plans)


def solver_package() -> Any:
    """HiGHS for Python; `UsageError` where it is not installed."""
    return package_of("highspy", "hidden", "a game in which players see different things")


def silent_solver(highs: Any) -> Any:
    """A solver that prints nothing, with the options that all programs here use."""

    class Silent(highs.Highs):  # type: ignore[misc]
        def enableCallbacks(self) -> None:  # noqa: N802
            # This is called first, and would be the first to print the banner of HiGHS.
            self.silent()
            super().enableCallbacks()

    solver = Silent()
    for option, value in _OPTIONS.items():
        solver.setOptionValue(option, value)
    return solver


def _model(highs: Any, program: Program, costs: Floats, lower: Floats, right: Floats) -> Any:
    """The program in the form HiGHS takes, column by column."""
    model = highs.HighsLp()
    model.num_row_, model.num_col_ = program.rows, program.structural
    model.col_cost_, model.col_lower_ = costs, lower
    model.col_upper_ = np.full(program.structural, np.inf)
    model.row_lower_ = model.row_upper_ = right
    by_columns(highs, model, program.matrix, program.in_floats)
    return model


def by_columns(highs: Any, model: Any, matrix: IntegerMatrix, values: Floats) -> None:
    """Give the model the first columns of a matrix, as many as it has, with those values as entries."""
    order = np.argsort(matrix.in_columns, kind="stable")
    offsets = np.searchsorted(matrix.in_columns[order], np.arange(model.num_col_ + 1))
    order = order[: offsets[-1]]
    model.a_matrix_.format_ = highs.MatrixFormat.kColwise
    model.a_matrix_.start_, model.a_matrix_.index_ = offsets, matrix.in_rows[order]
    model.a_matrix_.value_ = values[order]


def _start(highs: Any, program: Program, basis: Sequence[int]) -> Any:
    """A basis in the form HiGHS takes: columns that must be 0 are its rows."""
    kinds = highs.HighsBasisStatus
    rests = [kinds.kZero if program.is_free(column) else kinds.kLower for column in range(program.structural)]
    start = highs.HighsBasis()
    status = rests + [kinds.kLower] * program.rows
    for column in basis:
        status[column] = kinds.kBasic
    start.col_status, start.row_status = status[: program.structural], status[program.structural :]
    start.valid = True
    return start


def _basis(highs: Any, program: Program, solution: Any) -> list[int]:
    """The columns of the basis that HiGHS ended with, its rows among them."""
    basic = highs.HighsBasisStatus.kBasic
    columns = [column for column, kind in enumerate(solution.col_status) if kind == basic]
    return columns + [program.unit_column(row) for row, kind in enumerate(solution.row_status) if kind == basic]


def _run(solver: Any, budget: Budget) -> None:
    """Run the solver on a thread of its own, and check the limits meanwhile."""
    solver.HandleUserInterrupt = True
    solver.startSolve()
    try:
        while not solver.wait(_SECONDS_BETWEEN_LOOKS)[0]:
            budget.glance(budget.states, _DOING)
    except BaseException:
        solver.cancelSolve()
        solver.wait()
        raise
