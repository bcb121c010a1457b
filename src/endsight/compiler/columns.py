"""Packed keys and their fields as numpy arrays, many at a time."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from endsight.compiler.memory import View
from endsight.compiler.packing import Packing

Words = npt.NDArray[np.int64]


def rows_of(packing: Packing, order: View | Words, first: int, stop: int) -> Words:
    """The keys from `first` up to, but without, `stop` of a list: one row per key, one column per word."""
    return np.asarray(order[first * packing.words : stop * packing.words]).reshape(-1, packing.words)


def fields_of(packing: Packing, keys: Words) -> list[Words]:
    """The values of many keys (one row per key, one column per word), field by field."""
    if packing.is_radix:
        return _digits_of(packing, keys[:, 0])
    columns = [np.zeros(len(keys), np.int64) for _ in packing.names]
    for piece in packing.pieces:
        part = keys[:, piece.word] >> piece.at & ((1 << piece.width) - 1)
        columns[piece.field] |= part << piece.low
    return columns


def _digits_of(packing: Packing, rest: Words) -> list[Words]:
    columns = []
    for limit in reversed(packing.limits[1:]):
        rest, digit = np.divmod(rest, limit + 1)
        columns.append(digit)
    return [rest, *reversed(columns)]


def keys_of(packing: Packing, columns: Sequence[Words]) -> tuple[npt.NDArray[np.uint64], ...]:
    """The inverse of `fields_of`: keys word by word, the lowest first."""
    if packing.is_radix:
        number = np.zeros(len(columns[0]), np.int64)
        for column, limit in zip(columns, packing.limits, strict=True):
            number = number * (limit + 1) + column
        return (number.view(np.uint64),)
    words = [np.zeros(len(columns[0]) if columns else 0, np.int64) for _ in range(packing.words)]
    for piece in packing.pieces:
        part = columns[piece.field] >> piece.low & ((1 << piece.width) - 1)
        words[piece.word] |= part << piece.at
    return tuple(word.view(np.uint64) for word in words)
