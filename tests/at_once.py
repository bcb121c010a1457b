"""The oracle of games in which players move at once: slow and obvious, with fractions, sharing nothing but the rules.

The value of a matrix game is found by trying every square part of the matrix (Shapley and Snow, "Basic solutions of
discrete games", 1950): some pair of mixtures that equalises one is optimal.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations

Matrix = Sequence[Sequence]


def value_of_matrix(matrix: Matrix) -> Fraction:
    """What the rows get, by the first square part whose equalising mixtures hold against the whole matrix."""
    rows, columns = range(len(matrix)), range(len(matrix[0]))
    turned = list(zip(*matrix, strict=True))
    for size in range(1, min(len(rows), len(columns)) + 1):
        for own in combinations(rows, size):
            for other in combinations(columns, size):
                low = equalised([[turned[j][i] for i in own] for j in other])
                high = equalised([[matrix[i][j] for j in other] for i in own])
                if low is None or high is None:
                    continue
                gains = [sum(w * matrix[i][j] for w, i in zip(low[0], own, strict=True)) for j in columns]
                losses = [sum(w * matrix[i][j] for w, j in zip(high[0], other, strict=True)) for i in rows]
                if min(gains) == max(losses):
                    return min(gains)
    raise AssertionError("every matrix game has such a part")


def equalised(lines: Matrix) -> tuple[list[Fraction], Fraction] | None:
    """Weights that sum to 1, none negative, with which every line adds up to one value; None where there are none."""
    size = len(lines)
    equations = [[*map(Fraction, line), Fraction(-1), Fraction(0)] for line in lines]
    equations.append([Fraction(1)] * size + [Fraction(0), Fraction(1)])
    for place in range(size + 1):
        chosen = next((row for row in range(place, size + 1) if equations[row][place]), None)
        if chosen is None:
            return None
        equations[place], equations[chosen] = equations[chosen], equations[place]
        first = equations[place]
        equations[place] = [entry / first[place] for entry in first]
        for row in range(size + 1):
            if row != place and equations[row][place]:
                factor = equations[row][place]
                equations[row] = [a - factor * b for a, b in zip(equations[row], equations[place], strict=True)]
    solution = [row[-1] for row in equations]
    return (solution[:-1], solution[-1]) if min(solution[:-1]) >= 0 else None
