"""How often optimal plans make a move: the least and the largest chance over all optimal plans of a player, exactly.

The optimal plans of a player are the solutions of linear inequalities: they are plans, and no sequence of the other
player pays less than the value allows. The chance of a move is the mass of its sequence over that of the sequence
before it, and where that may vary, too, all masses are scaled so that it is 1 (A. Charnes and W. W. Cooper,
"Programming with linear fractional functionals", Naval Research Logistics Quarterly 9, 1962). Each end of a range is a
linear program, solved as `equilibrium` solves its own, and returned only where it is proven optimal in whole numbers.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import cached_property

import numpy as np

from endsight.algorithms.basic_solution import basic_solution
from endsight.algorithms.equilibrium import repaired
from endsight.algorithms.integer_matrix import Floats, IntegerMatrix, integer_array
from endsight.algorithms.sequence_form import Tableau, sequence_form
from endsight.algorithms.simplex import optimum, solver_package
from endsight.algorithms.treeplex import InformationSets, Payoffs
from endsight.errors import QuestionError
from endsight.game.limits import Budget

Range = tuple[Fraction, Fraction]
"""The least and the largest chance of a move."""

MOST_SETS = 1_000
"""Most information sets of both players together, in games whose ranges are found."""


def equilibrium_ranges(
    sets: InformationSets, player: int, number: int, value: Fraction, budget: Budget
) -> list[Range] | None:
    """The range of every move of one information set; None where no optimal plan of the player reaches it.

    `value` is the exact value to the first player (`Equilibrium.lower` where `is_exact`). Raises `QuestionError` for
    games of more than `MOST_SETS` sets and where an end of a range cannot be proven, and `LimitReached`.
    """
    count = len(sets.sides[0]) + len(sets.sides[1])
    if count > MOST_SETS:
        raise QuestionError(
            "ranges over all optimal plans are computed for small games only",
            found=f"{count:,} information sets",
            allowed=f"up to {MOST_SETS:,}",
        )
    solver_package()
    game, worth = sets, value
    if player == 1:
        payoffs = Payoffs(sets.payoffs.second, sets.payoffs.first, [-amount for amount in sets.payoffs.amounts])
        game, worth = replace(sets, sides=(sets.sides[1], sets.sides[0]), payoffs=payoffs), -value
    side = game.sides[0]
    before, after = side.parent[number], side.after(number)
    if _largest(game, worth, before, 1, 0, budget) == 0:
        return None
    ends = [[_largest(game, worth, sequence, sign, before, budget) for sign in (-1, 1)] for sequence in after]
    return [(-least, most) for least, most in ends]


def _largest(game: InformationSets, value: Fraction, sequence: int, sign: int, one: int, budget: Budget) -> Fraction:
    """The largest `sign` x mass of a sequence over all optimal plans of the first player, the mass of `one` being 1."""
    budget.glance(budget.states, "looking for the ends of ranges")
    program = _among_optimal(game, value, sequence, sign, one)
    best = optimum(program, budget)
    solution = basic_solution(program, program.unit_basis() if best is None else best.basis, budget)
    # It is optimal, except for near ties.
    ways = iter(()) if solution is None else repaired(solution, budget)
    proven = next((better for _, better in ways if better.is_optimal), None)
    if proven is None:
        raise QuestionError("the range of a move over all optimal plans could not be proven")
    return Fraction(proven.columns[program.masses], proven.total)


class _RangeProgram(Tableau):
    """A program that maximises a free column of its own, and has an equation for the value."""

    def unit(self, column: int) -> int:
        """The unit of the column in floats."""
        return 1 if column <= self.masses else self.largest

    @cached_property
    def in_floats(self) -> Floats:
        """The entries of the matrix: rows of payoffs in units of the largest one, that of the value in its own."""
        places = self.matrix.in_rows.tolist(), self.matrix.in_columns.tolist()
        entries = list(zip(*places, self.matrix.values.tolist(), strict=True))
        value_row = self.equations - 1
        denominator = max(entry for row, _, entry in entries if row == value_row)
        units = [1] * value_row + [denominator * self.largest] + [self.largest] * self.slacks
        return np.array([entry * self.unit(column) / units[row] for row, column, entry in entries])


def _among_optimal(game: InformationSets, value: Fraction, sequence: int, sign: int, one: int) -> Tableau:
    """The program whose optimum is the largest `sign` x mass of a sequence over all optimal plans of the first player.

    It is that of the sequence form, except that the mass of `one` is 1, with one more free column, `sign` x the mass of
    the sequence, and with two more equations, for that column and for the value: the worth of the root is `value` x the
    mass of the empty sequence.
    """
    program, worth = sequence_form(game), value * game.scale
    matrix, masses, equations = program.matrix, program.masses, program.equations
    rows = matrix.in_rows + 2 * (matrix.in_rows >= equations)
    columns = matrix.in_columns + (matrix.in_columns >= masses)
    columns[(rows == 0) & (columns == 0)] = one
    table = {(equations, masses): 1, (equations, sequence): -sign}
    table |= {(equations + 1, masses + 1): worth.denominator, (equations + 1, 0): -worth.numerator}
    table |= {(equations + more, matrix.shape[1] + 1 + more): 1 for more in (0, 1)}
    added = {place: entry for place, entry in table.items() if entry}
    own_rows, own_columns = zip(*added, strict=True)
    entries = integer_array([*matrix.values.tolist(), *added.values()])
    shape = (matrix.shape[0] + 2, matrix.shape[1] + 3)
    whole = IntegerMatrix.of(np.append(rows, own_rows), np.append(columns, own_columns), entries, shape)
    return _RangeProgram(whole, masses, program.worths + 1, program.slacks, equations + 2, program.largest)
