"""The sequence form of a game of two opposed players as one linear program.

B. von Stengel (Games and Economic Behavior 14, 1996); D. Koller, N. Megiddo and B. von Stengel (same volume). Unknowns
are the masses x of the first player's sequences and a value v for every information set of the second, the root among
them. The program maximises the value of the root where x is a plan and no sequence of the second player, followed by
the values of its sets, pays less than the set in which it is played is worth. The duals are the second player's plan.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from endsight.algorithms.integer_matrix import Floats, Indices, IntegerMatrix, integer_array
from endsight.algorithms.treeplex import InformationSets, Treeplex


@dataclass(frozen=True)
class Tableau:
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


def sequence_form(sets: InformationSets) -> Tableau:
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
    return Tableau(matrix, masses, worths, slacks, equations, int(max(abs(amounts), default=1)))


def _plan_rows(side: Treeplex) -> tuple[Indices, Indices, Indices]:
    """Rows, sequences and signs that make masses a plan: 1 for the empty one; a set splits the mass before it."""
    sets = np.arange(1, 1 + len(side))
    rows = np.concatenate([[0], sets, np.repeat(sets, side.count)])
    sequences = np.concatenate([[0], side.parent, np.arange(1, side.sequences)])
    signs = np.concatenate([[1], np.full(len(side), -1), np.ones(side.sequences - 1)])
    return rows.astype(np.int64), sequences.astype(np.int64), signs.astype(np.int64)
