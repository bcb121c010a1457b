"""Moves at once side by side: with which chance each is played, and what a player's own part of them is worth.

All of it follows from the values after every joint move, by one matrix game. Where these are only enclosed, the
first player's mixture is the best against their lower ends, the second's the best against their upper ends.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from endsight.algorithms.matrix_game import matrix_game
from endsight.answers.options import Option
from endsight.game.joint_moves import part_texts, parts_of
from endsight.game.numbers import Amount, as_interval, sum_of, times

__all__ = ["parts_against", "with_mixtures"]

Mixture = Sequence[Fraction]


def with_mixtures(options: Sequence[Option]) -> list[Option]:
    """Every joint move of two opposed players, in the rules' order, with the chance of it under optimal play."""
    if not options:
        return []
    rows, columns = _mixtures(options)
    chances = (own * other for own in rows for other in columns)
    return [replace(option, probability=chance) for option, chance in zip(options, chances, strict=True)]


def parts_against(options: Sequence[Option], place: int) -> list[Option]:
    """What the first (`place` 0) or the second of two opposed players may do, unranked.

    `options` are the joint moves in the rules' order. Values are those against the other's mixture, chances those of
    their own one.
    """
    own, others = _mixtures(options)[:: 1 if place == 0 else -1]
    parts = parts_of([option.move for option in options])[place]
    table = _rows(options) if place == 0 else list(map(list, zip(*_rows(options), strict=True)))
    return [_part(part, row, place, others, chance) for part, row, chance in zip(parts, table, own, strict=True)]


def _part(part: object, row: Sequence[Option], place: int, others: Mixture, chance: Fraction) -> Option:
    """One part of joint moves, from those that have it."""
    columns = zip(*(option.value for option in row), strict=True)
    value = tuple(_mean(others, amounts) for amounts in columns)
    text = part_texts(row[0].text, row[0].move)[place]
    return replace(row[0], move=part, text=text, value=value, category="value", distance=None, probability=chance)


def _mean(chances: Mixture, amounts: Sequence[Amount]) -> Amount:
    return sum_of(times(chance, amount) for chance, amount in zip(chances, amounts, strict=True) if chance)


def _mixtures(options: Sequence[Option]) -> tuple[Mixture, Mixture]:
    """What the first player and the second do in optimal play."""
    ends = [[as_interval(option.value[0]) for option in row] for row in _rows(options)]
    rows = matrix_game([[each.lower for each in row] for row in ends]).rows
    columns = matrix_game([[each.upper for each in row] for row in ends]).columns
    return _chances(rows), _chances(columns)


def _rows(options: Sequence[Option]) -> list[list[Option]]:
    """The joint moves as a matrix: a row for each part of the first player."""
    rows, columns = map(len, parts_of([option.move for option in options]))
    return [list(options[columns * row : columns * (row + 1)]) for row in range(rows)]


def _chances(weights: Sequence[int]) -> list[Fraction]:
    total = sum(weights)
    return [Fraction(weight, total) for weight in weights]
