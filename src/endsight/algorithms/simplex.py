"""The optimum of a game's linear program in floating point, by the simplex method of HiGHS, with its basis.

Floats decide nothing: `exact_basis` solves the same basis in whole numbers, and `best_reply` proves the result.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from endsight.algorithms.integer_matrix import Floats, IntegerMatrix
from endsight.algorithms.sequence_form import Tableau
from endsight.algorithms.treeplex import InformationSets
from endsight.base.extras import package_of
from endsight.game.limits import Budget

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


@dataclass(frozen=True)
class Optimum:
    """The end of the simplex method: the columns of the basis, and both plans in floats, by sequence."""

    basis: list[int]
    plans: tuple[Floats, Floats]


def room_for(sets: InformationSets) -> int:
    """Roughly how many bytes the linear program of a game takes, its solution included."""
    first, second = sets.sides
    return _BYTES_PER_ENTRY * (len(sets.payoffs) + 2 * (first.sequences + second.sequences))


def optimum(program: Tableau, budget: Budget) -> Optimum | None:
    """The optimum in floats; None where HiGHS finds none.

    Raises `LimitReached`.
    """
    costs, lower, right = np.zeros(program.structural), np.zeros(program.structural), np.zeros(program.rows)
    costs[program.masses] = -1.0
    lower[program.masses : program.first_slack] = -np.inf
    right[0] = 1.0
    return solved(program, costs, lower, right, budget)


def solved(
    program: Tableau, costs: Floats, lower: Floats, right: Floats, budget: Budget, basis: Sequence[int] | None = None
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


def _model(highs: Any, program: Tableau, costs: Floats, lower: Floats, right: Floats) -> Any:
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


def _start(highs: Any, program: Tableau, basis: Sequence[int]) -> Any:
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


def _basis(highs: Any, program: Tableau, solution: Any) -> list[int]:
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
