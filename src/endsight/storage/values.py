"""Values as columns: the smallest of the forms in `layout` that holds all of them exactly."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor, lcm
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from endsight.game.numbers import Amount, Number, as_interval, is_enclosed, simplest
from endsight.storage.layout import ValueForm, text_of
from endsight.storage.parts import Column, smallest

_MOST = 1 << 63
Row = tuple[Amount, ...]


@dataclass(frozen=True)
class Encoded:
    """Columns of values, and their description for the layout."""

    form: ValueForm
    columns: dict[str, Any]
    sum: str | None = None
    unit: str = "1"
    outcomes: tuple[tuple[str, ...], ...] = ()
    most: int = 0


def encoded(values: Sequence[Row], distances: Sequence[int | None] | None, draw: tuple[Number, ...]) -> Encoded:
    """Values, with distances where there are any, in the smallest form.

    `draw` is the payoff of a draw.
    """
    if distances is not None:
        scored = scores(values, distances, draw)
        if scored is not None:
            return scored
    total = _sum(values)
    stored = 1 if total is not None else len(values[0])
    columns = [[row[entry] for row in values] for entry in range(stored)]
    made = _ends(columns) or _numbers(columns) or _fractions(columns) or _texts(columns)
    if distances is not None:
        made.columns["distance"] = pa.array(distances, pa.int32())
    return Encoded(made.form, made.columns, None if total is None else text_of(total), made.unit)


def whole_shares(shares: npt.NDArray[Any], plies: npt.NDArray[Any] | None, unit: int) -> Encoded:
    """The same for many whole numbers in units of 1/`unit`: one row per state, one column per player.

    -1 plies mean no distance.
    """
    total = _constant(shares)
    stored = shares.shape[1] if total is None else 1
    made: dict[str, Column] = {f"value_{entry}": smallest(shares[:, entry].astype(np.int64)) for entry in range(stored)}
    if plies is not None:
        made["distance"] = pa.array(plies, pa.int32(), mask=plies < 0)
    sum_text = None if total is None else text_of(simplest(Fraction(total, unit)))
    return Encoded("numbers", made, sum_text, str(unit))


def _constant(shares: npt.NDArray[Any]) -> int | None:
    """The sum of the two entries of every row; None where it differs, or there are not two."""
    if shares.shape[1] != 2 or not len(shares) or max(-int(shares[:, 0].min()), int(shares[:, 0].max())) >= _MOST >> 2:
        return None
    total = int(shares[0, 0]) + int(shares[0, 1])
    is_small = abs(total) < _MOST >> 2
    return total if is_small and bool((shares[:, 1] == total - shares[:, 0].astype(np.int64)).all()) else None


# -------------------------------------------------------------------- won, drawn or lost


def scores(values: Sequence[Row], distances: Sequence[int | None], draw: tuple[Number, ...]) -> Encoded | None:
    """One ordered number for value and distance; None where outcomes are not just win, draw and loss."""
    decided = {row for row, plies in zip(values, distances, strict=True) if plies is not None}
    wins = {row for row in decided if not is_enclosed(row[0]) and row[0] > draw[0]}
    losses = decided - wins
    others = {row for row, plies in zip(values, distances, strict=True) if plies is None}
    if len(wins) > 1 or len(losses) > 1 or not others <= {draw} or draw in wins | losses or len(draw) != 2:
        return None
    win: Any = next(iter(wins), None) or (next(iter(losses))[::-1] if losses else (1, -1))
    loss: Any = next(iter(losses), None) or win[::-1]
    most = max((plies for plies in distances if plies is not None), default=0)
    signed = [
        0 if plies is None else (most + 1 - plies if row in wins else plies - most - 1)
        for row, plies in zip(values, distances, strict=True)
    ]
    outcomes = tuple(tuple(map(text_of, outcome)) for outcome in (win, draw, loss))
    return Encoded("score", {"score": smallest(np.array(signed, np.int64))}, None, "1", outcomes, most)


# -------------------------------------------------------------------- other values


def _sum(values: Sequence[Row]) -> Number | None:
    """The sum of the two entries of every row; None where it differs, or there are not two."""
    if not values or len(values[0]) != 2:
        return None
    total: Number | None = None
    for first, second in values:
        if is_enclosed(first) or is_enclosed(second):
            one, other = as_interval(first), as_interval(second)
            here = one.lower + other.upper
            if here != one.upper + other.lower:
                return None
        else:
            here = Fraction(first + second)
        if total is not None and here != total:
            return None
        total = here
    return None if total is None else simplest(total)


def _numbers(columns: Sequence[Sequence[Any]]) -> Encoded | None:
    unit = 1
    for column in columns:
        for value in column:
            unit = lcm(unit, value.denominator)
            if unit >= _MOST:
                return None
    scaled = [[value.numerator * (unit // value.denominator) for value in column] for column in columns]
    if any(not -_MOST <= number < _MOST for column in scaled for number in column):
        return None
    made: dict[str, Column] = {
        f"value_{entry}": smallest(np.array(column, np.int64)) for entry, column in enumerate(scaled)
    }
    return Encoded("numbers", made, unit=str(unit))


def _fractions(columns: Sequence[Sequence[Any]]) -> Encoded | None:
    if any(not -_MOST <= v.numerator < _MOST or v.denominator >= _MOST for column in columns for v in column):
        return None
    made: dict[str, Column] = {
        f"{part}_{entry}": pa.array([getattr(value, part) for value in column], pa.int64())
        for entry, column in enumerate(columns)
        for part in ("numerator", "denominator")
    }
    return Encoded("fractions", made)


def _texts(columns: Sequence[Sequence[Any]]) -> Encoded:
    texts = {f"value_{entry}": list(map(text_of, column)) for entry, column in enumerate(columns)}
    return Encoded("texts", {name: pa.array(column, pa.string()) for name, column in texts.items()})


def _ends(columns: Sequence[Sequence[Amount]]) -> Encoded | None:
    """Proven ends over a power of two; None where every value is exact."""
    enclosed = [value for column in columns for value in column if is_enclosed(value)]
    if not enclosed:
        return None
    unit = lcm(*(bound.denominator for value in enclosed for bound in (value.lower, value.upper)))
    made: dict[str, Column] = {}
    for entry, column in enumerate(columns):
        intervals = list(map(as_interval, column))
        made[f"lower_{entry}"] = whole_column([floor(interval.lower * unit) for interval in intervals])
        made[f"upper_{entry}"] = whole_column([ceil(interval.upper * unit) for interval in intervals])
        exact = [None if is_enclosed(value) else text_of(value) for value in column]
        made[f"exact_{entry}"] = pa.array(exact, pa.string())
    return Encoded("ends", made, unit=str(unit))


def whole_column(numbers: Sequence[int]) -> pa.Array:
    """Whole numbers as 64-bit ones, or as texts where one is too long."""
    if all(-_MOST <= number < _MOST for number in numbers):
        return pa.array(numbers, pa.int64())
    return pa.array([text_of(number) for number in numbers], pa.string())
