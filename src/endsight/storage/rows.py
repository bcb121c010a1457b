"""All rows of a solution as columns in order of their keys, ready for writing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from endsight.errors import RulesError
from endsight.storage.keys import Key
from endsight.storage.layout import Layout

Column: TypeAlias = "npt.NDArray[Any] | pa.Array"

_DENSITY = 10
"""The most rows of a dense table for each state."""


@dataclass(frozen=True)
class Rows:
    """Columns by name, of equal length, in order of the keys."""

    layout: Layout
    columns: Mapping[str, Column]
    states: int

    def __len__(self) -> int:
        """The number of rows; in a dense table more than states."""
        return len(next(iter(self.columns.values())))

    def table(self, first: int, stop: int) -> pa.Table:
        """Some of the rows as an Arrow table."""
        return pa.table({name: _arrow(self.columns[name][first:stop]) for name in self.layout.columns})

    def key(self, row: int) -> Key:
        """The key of one row."""
        if self.layout.keys == "dense":
            return row
        words = [self.columns[name][row] for name in self.layout.key_columns]
        if self.layout.keys == "text":
            return str(words[0].as_py())
        return int(words[0]) if len(words) == 1 else int(words[0]) << 64 | int(words[1])

    def ranges(self, most: int) -> Iterator[tuple[int, int]]:
        """Start and end row of each part of at most `most` rows; one empty part where there are no rows."""
        for first in range(0, max(1, len(self)), most):
            yield first, min(first + most, len(self))


def in_order(layout: Layout, keys: Sequence[Key], columns: Mapping[str, Column]) -> Rows:
    """Rows sorted by text keys, or by ranks; `columns` are those beside the key, in the order of `keys`."""
    if layout.keys == "text":
        order = np.array(sorted(range(len(keys)), key=keys.__getitem__), np.int64)
        named: dict[str, Column] = {"key": pa.array([keys[row] for row in order.tolist()], pa.string())}
        return Rows(layout, named | _taken(columns, order), len(keys))
    assert layout.keys == "dense", "packed keys are sorted as words"
    return _by_rank(layout, keys, columns)


def sorted_words(layout: Layout, words: tuple[npt.NDArray[np.uint64], ...], columns: Mapping[str, Column]) -> Rows:
    """Rows sorted by packed keys, given word by word, the highest first."""
    order = np.lexsort(words[::-1])
    named: dict[str, Column] = dict(zip(layout.key_columns, (word[order] for word in words), strict=True))
    return Rows(layout, named | _taken(columns, order), len(order))


def _arrow(column: Column, valid: npt.NDArray[np.uint8] | None = None) -> pa.Array:
    """An Arrow column; `valid` has a bit for each row, 0 for null.

    Arrow does not import pandas when it gets numpy's buffers directly.
    """
    if not isinstance(column, np.ndarray):
        return column
    buffers = [None if valid is None else pa.py_buffer(valid), pa.py_buffer(np.ascontiguousarray(column))]
    return pa.Array.from_buffers(pa.from_numpy_dtype(column.dtype), len(column), buffers)


def _by_rank(layout: Layout, keys: Sequence[Key], columns: Mapping[str, Column]) -> Rows:
    """A row for every rank up to the largest; ranks without a state are null."""
    ranks = np.array(keys, np.int64)
    places = np.full(int(ranks.max()) + 1, -1, np.int64)
    places[ranks] = np.arange(len(ranks))
    if int((places >= 0).sum()) < len(ranks):
        raise RulesError("rank gives two states the same number", advice="a different number for every state")
    taken = _arrow(places, np.packbits(places >= 0, bitorder="little"))
    return Rows(layout, {name: _arrow(column).take(taken) for name, column in columns.items()}, len(ranks))


def _taken(columns: Mapping[str, Column], order: npt.NDArray[np.int64]) -> dict[str, Column]:
    return {
        name: column[order] if isinstance(column, np.ndarray) else column.take(pa.array(order))
        for name, column in columns.items()
    }


def is_dense(keys: Sequence[Key]) -> bool:
    """Whether ranks are dense enough for a dense table to be the smaller one."""
    return max(map(int, keys), default=0) < _DENSITY * len(keys)


def smallest(numbers: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The same whole numbers in the fewest bytes each that hold them all."""
    low, high = (int(numbers.min()), int(numbers.max())) if len(numbers) else (0, 0)
    return numbers.astype(smallest_kind(low, high))


def smallest_kind(low: int, high: int) -> str:
    """The kind of the shortest whole numbers that hold those from `low` to `high`."""
    return next((f"int{bits}" for bits in (8, 16, 32) if -(1 << bits - 1) <= low and high < 1 << bits - 1), "int64")
