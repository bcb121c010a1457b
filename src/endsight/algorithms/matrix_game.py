"""Zero-sum matrix games in exact numbers: the value, and an optimal mixture for each side.

Where no single row and column are optimal, the simplex method solves the linear program of the columns (Dantzig, "A
proof of the equivalence of the programming problem and the game problem", 1951; the duals are the mixture of the
rows). All entries of a tableau are whole numbers over one denominator, the last pivot, and every division is exact
(Edmonds, "Systems of distinct representatives and linear algebra", 1967). Bland's rule (1977) ends it, ties or not.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from math import gcd, lcm
from typing import Any, NamedTuple

from endsight.game.numbers import Number, reduced, simplest

_LONG_BITS = 2_000


class MatrixGame(NamedTuple):
    """The solution of a matrix game.

    value    the rows' payoff from the columns under optimal play
    rows     whole weights of the rows without a common factor; this mixture gets at least the value from every column
    columns  the same for the columns; their mixture gives away at most the value to every row
    """

    value: Number
    rows: tuple[int, ...]
    columns: tuple[int, ...]


def matrix_game(matrix: Sequence[Sequence[Number]]) -> MatrixGame:
    """Solve the game in which one player picks a row, the other a column, and the rows get the entry from the columns.

    The matrix has at least one row and one column, and entries of any sign. Where several mixtures are optimal, a
    single row and column are preferred, the first of each; otherwise the choice depends only on the order of both.
    """
    saddle = _saddle_point(matrix)
    return _by_simplex(matrix) if saddle is None else saddle


def _saddle_point(matrix: Sequence[Sequence[Number]]) -> MatrixGame | None:
    """One row and one column that are optimal; None where there are none."""
    lows, highs = list(map(min, matrix)), [max(column) for column in zip(*matrix, strict=True)]
    value = max(lows)
    if value != min(highs):
        return None
    return MatrixGame(value, _alone(lows.index(value), len(lows)), _alone(highs.index(value), len(highs)))


def _alone(place: int, size: int) -> tuple[int, ...]:
    return tuple(int(other == place) for other in range(size))


def _by_simplex(matrix: Sequence[Sequence[Number]]) -> MatrixGame:
    """The same by the linear program: maximise the sum of the columns' weights y >= 0 with A y <= 1, where A > 0."""
    scale, least = lcm(*(entry.denominator for row in matrix for entry in row)), min(map(min, matrix))
    whole = [[_times(entry - least, scale) + 1 for entry in row] for row in matrix]
    numbers = _Numbers.of(max(map(max, whole)))
    rows, columns = len(whole), len(whole[0])
    tableau = [[*row, *_alone(number, rows), 1] for number, row in enumerate(whole)]
    tableau.append([-1] * columns + [0] * (rows + 1))
    tableau = [list(map(numbers.made, row)) for row in tableau]
    basis = list(range(columns, columns + rows))
    pivot = _optimal(tableau, basis)
    total = tableau[-1][-1]
    weights = {variable: row[-1] for variable, row in zip(basis, tableau, strict=False)}
    value = simplest(reduced(int(pivot - total), int(total) * scale) + least)
    mixtures = tableau[-1][columns:-1], [weights.get(column, numbers.made(0)) for column in range(columns)]
    return MatrixGame(value, *map(numbers.reduced, mixtures))


class _Numbers(NamedTuple):
    """Whole numbers in the form that is fastest for their length: Python's, or those of FLINT.

    Python needs quadratic time to divide and to find common divisors.
    """

    made: Callable[[int], Any]
    divisor: Callable[..., Any]

    @staticmethod
    def of(largest: int) -> _Numbers:
        """The form for numbers as long as that one, or longer."""
        if largest.bit_length() < _LONG_BITS:
            return _Numbers(int, gcd)
        import flint

        return _Numbers(flint.fmpz, lambda *weights: reduce(flint.fmpz.gcd, weights))

    def reduced(self, weights: Sequence[Any]) -> tuple[int, ...]:
        """The weights without their common divisor."""
        divisor = self.divisor(*weights)
        return tuple(int(weight // divisor) for weight in weights)


def _times(number: Number, scale: int) -> int:
    return number.numerator * (scale // number.denominator)


def _optimal(tableau: list[list[Any]], basis: list[int]) -> Any:
    """Pivot until no entry of the last row is negative; return the denominator of all entries then."""
    denominator: Any = 1
    while True:
        column = next((place for place, cost in enumerate(tableau[-1]) if cost < 0), None)
        if column is None:
            return denominator
        row = _leaving(tableau, basis, column)
        _exchange(tableau, row, column, denominator)
        denominator = tableau[row][column]
        basis[row] = column


def _leaving(tableau: list[list[Any]], basis: list[int], column: int) -> int:
    """The row whose variable reaches 0 first as that of `column` grows; of several the one of the least variable."""
    best = -1
    for row in range(len(basis)):
        if tableau[row][column] <= 0:
            continue
        if best < 0 or _is_before(tableau[row], tableau[best], column, basis[row] < basis[best]):
            best = row
    return best  # some entry is positive, as no column of weights can grow for ever: all of A is


def _is_before(row: list[Any], other: list[Any], column: int, is_less: bool) -> bool:
    mine, others = row[-1] * other[column], other[-1] * row[column]
    return bool(mine < others or (mine == others and is_less))


def _exchange(tableau: list[list[Any]], row: int, column: int, denominator: Any) -> None:
    """One pivot: the variable of `column` replaces that of `row`."""
    chosen = tableau[row]
    pivot = chosen[column]
    for number, other in enumerate(tableau):
        if number != row:
            factor = other[column]
            tableau[number] = [(pivot * a - factor * b) // denominator for a, b in zip(other, chosen, strict=True)]
