"""Matrix games in exact numbers, beside every square part of the matrix solved by hand."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from math import lcm
from random import Random
from typing import NamedTuple

import pytest

from amounts import seeds
from at_once import solved_matrix, value_of_matrix
from endsight import Option


class Found(NamedTuple):
    """The value to the first player, and both players' mixtures in the least whole numbers."""

    value: Fraction
    rows: tuple[int, ...]
    columns: tuple[int, ...]


def matrix_game(matrix: list[list]) -> Found:
    """What endsight finds for two who choose a row and a column at once."""
    solution = solved_matrix(matrix)
    return Found(solution.value()["first"], weights(solution.parts(0)), weights(solution.parts(1)))


def weights(options: list[Option]) -> tuple[int, ...]:
    chances = [Fraction(option.probability or 0) for option in sorted(options, key=lambda option: int(option.move))]
    unit = lcm(*(chance.denominator for chance in chances))
    return tuple(int(chance * unit) for chance in chances)


def proves(matrix: list[list], found: Found) -> bool:
    """Whether both mixtures are mixtures, and hold the value against every column and every row."""
    value, rows, columns = found
    if min(*rows, *columns) < 0:
        return False
    gains = [
        sum(weight * row[place] for weight, row in zip(rows, matrix, strict=True)) for place in range(len(columns))
    ]
    losses = [sum(weight * entry for weight, entry in zip(columns, row, strict=True)) for row in matrix]
    return min(gains) >= value * sum(rows) and max(losses) <= value * sum(columns)


def random_matrix(random: Random) -> list[list]:
    """Up to five by five: few different entries (ties), many, fractions, or rows and columns that repeat."""
    rows, columns = random.randint(1, 5), random.randint(1, 5)
    span, below = random.choice([(1, 1), (2, 1), (9, 1), (1000, 7), (3, 3)])
    matrix = [
        [Fraction(random.randint(-span, span), random.randint(1, below)) for _ in range(columns)] for _ in range(rows)
    ]
    if random.random() < 0.3:
        matrix.append(list(random.choice(matrix)))
    if random.random() < 0.3:
        copied = random.randrange(columns)
        matrix = [[*row, row[copied]] for row in matrix]
    return matrix


@pytest.mark.parametrize("seed", seeds(8, 4))
def test_random_matrices_agree_with_every_square_part(seed: int) -> None:
    random = Random(seed)
    for _ in range(50):
        matrix = random_matrix(random)
        found = matrix_game(matrix)
        assert proves(matrix, found), matrix
        assert found.value == value_of_matrix(matrix), matrix


@pytest.mark.parametrize(
    ("matrix", "value", "rows", "columns"),
    [
        ([[7]], 7, (1,), (1,)),
        ([[3, -1, 2]], -1, (1,), (0, 1, 0)),
        ([[3], [-1], [Fraction(7, 2)]], Fraction(7, 2), (0, 0, 1), (1,)),
        ([[0, 0], [0, 0]], 0, (1, 0), (1, 0)),
        ([[1, -1], [-1, 1]], 0, (1, 1), (1, 1)),
        ([[0, -1, 1], [1, 0, -1], [-1, 1, 0]], 0, (1, 1, 1), (1, 1, 1)),
        ([[2, -3], [-3, 4]], Fraction(-1, 12), (7, 5), (7, 5)),  # two-finger Morra
        ([[Fraction(1, 2), 0], [0, Fraction(1, 3)]], Fraction(1, 5), (2, 3), (2, 3)),
    ],
)
def test_games_of_the_textbooks(matrix: list, value: Fraction, rows: tuple, columns: tuple) -> None:
    assert matrix_game(matrix) == (value, rows, columns)


def test_a_matrix_on_which_the_simplex_method_could_go_round_comes_to_an_end() -> None:
    """Beale's linear program (1955), which cycles under the largest-coefficient rule, scaled to be a matrix game."""
    matrix = [
        [Fraction(1, 4), -60, Fraction(-1, 25), 9],
        [Fraction(1, 2), -90, Fraction(-1, 50), 3],
        [0, 0, 1, 0],
        [Fraction(-3, 4), 150, Fraction(-1, 50), 6],
    ]
    assert proves(matrix, matrix_game(matrix))
    assert matrix_game(matrix).value == value_of_matrix(matrix)


@pytest.mark.parametrize("bits", [300, 3_000])
def test_entries_as_long_as_one_likes_stay_exact(bits: int) -> None:
    random = Random(bits)
    matrix = [[Fraction(random.getrandbits(bits), random.getrandbits(200) + 1) for _ in range(5)] for _ in range(5)]
    assert proves(matrix, matrix_game(matrix))


@pytest.mark.parametrize("size", [2, 3, 4, 5])
def test_a_matrix_that_is_its_own_negative_turned_round_is_worth_nothing(size: int) -> None:
    random = Random(size)
    matrix = [[0] * size for _ in range(size)]
    for row, column in combinations(range(size), 2):
        matrix[row][column] = random.randint(-5, 5)
        matrix[column][row] = -matrix[row][column]
    assert matrix_game(matrix).value == 0
