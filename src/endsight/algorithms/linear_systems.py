"""Systems of linear equations in exact numbers, solved by FLINT."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from endsight.game.numbers import Number, simplest

if TYPE_CHECKING:
    import flint


def solution_of(matrix: Sequence[Sequence[Number]], right: Sequence[Sequence[Number]]) -> list[list[Number]]:
    """The rows X with `matrix` X = `right`; the matrix must be square and have an inverse."""
    solution = _entries(matrix).solve(_entries(right))
    return [[simplest(Fraction(int(entry.p), int(entry.q))) for entry in row] for row in solution.tolist()]


def _entries(rows: Sequence[Sequence[Number]]) -> flint.fmpq_mat:
    import flint

    return flint.fmpq_mat([[flint.fmpq(entry.numerator, entry.denominator) for entry in row] for row in rows])
