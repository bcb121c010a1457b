"""Systems of linear equations in exact numbers, solved by FLINT."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from endsight.game.numbers import Number, simplest

if TYPE_CHECKING:
    import flint


def solution_of(matrix: Sequence[Sequence[Number]], right: Sequence[Sequence[Number]]) -> list[list[Number]]:
    """The rows X with `matrix` X = `right`; the matrix must be square and have an inverse."""
    solution = _entries(matrix).solve(_entries(right))
    return [[simplest(Fraction(int(entry.p), int(entry.q))) for entry in row] for row in solution.tolist()]


def staying(rows: Mapping[int, Sequence[tuple[int, Number]]]) -> list[list[Number]]:
    """The identity less the chances of moves among the nodes of `rows`, which has the chances of their successors."""
    place = {node: number for number, node in enumerate(rows)}
    matrix: list[list[Number]] = [[int(one == other) for other in rows] for one in rows]
    for line, row in zip(matrix, rows.values(), strict=True):
        for child, chance in row:
            if child in place:
                line[place[child]] -= chance
    return matrix


def _entries(rows: Sequence[Sequence[Number]]) -> flint.fmpq_mat:
    import flint

    return flint.fmpq_mat([[flint.fmpq(entry.numerator, entry.denominator) for entry in row] for row in rows])
