"""Sparse matrices of whole numbers of any size, for products that must be exact."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Indices = npt.NDArray[np.int64]
Numbers = npt.NDArray[Any]
"""Whole numbers: machine words, or Python's unbounded ones."""

_MOST_IN_WORDS = 1 << 62


class IntegerMatrix:
    """A sparse matrix: the row, the column and the number of every entry, sorted by rows and then by columns."""

    def __init__(self, in_rows: Indices, in_columns: Indices, values: Numbers, shape: tuple[int, int]) -> None:
        self.in_rows, self.in_columns, self.values, self.shape = in_rows, in_columns, values, shape

    @classmethod
    def of(cls, rows: Numbers, columns: Numbers, entries: Numbers, shape: tuple[int, int]) -> IntegerMatrix:
        """The matrix with these entries in these rows and columns, each place at most once."""
        order = np.lexsort((columns, rows))
        return cls(rows[order], columns[order], entries[order], shape)

    @property
    def norm(self) -> int:
        """The largest sum of absolute values in a row."""
        return int(max(self._summed(abs(self.values.astype(object))), default=0))

    def columns(self, chosen: Sequence[int]) -> IntegerMatrix:
        """The matrix of these columns, in this order."""
        places = np.full(self.shape[1], -1)
        places[chosen] = np.arange(len(chosen))
        kept = places[self.in_columns] >= 0
        shape = self.shape[0], len(chosen)
        return IntegerMatrix.of(self.in_rows[kept], places[self.in_columns[kept]], self.values[kept], shape)

    def column(self, number: int) -> list[int]:
        """One column, zeros included."""
        part = self.columns([number])
        return [int(amount) for amount in part.times([1])]

    @cached_property
    def transposed(self) -> IntegerMatrix:
        """The matrix with rows and columns exchanged."""
        return IntegerMatrix.of(self.in_columns, self.in_rows, self.values, self.shape[::-1])

    def times(self, vector: Sequence[int] | Numbers, kind: Any = object) -> Numbers:
        """The product with a vector, in numbers of that kind: exact unbounded ones, or words with room for it."""
        factors = np.array(vector, dtype=kind)
        return self._summed(self.values.astype(kind, copy=False) * factors[self.in_columns])

    @cached_property
    def _filled(self) -> tuple[Indices, Indices]:
        """The rows with entries, and where the entries of each begin."""
        offsets = np.searchsorted(self.in_rows, np.arange(self.shape[0] + 1))
        filled = np.flatnonzero(offsets[:-1] < offsets[1:])
        return filled, offsets[filled]

    def _summed(self, products: Numbers) -> Numbers:
        """The sum of each row."""
        filled, begins = self._filled
        sums = np.zeros(self.shape[0], dtype=products.dtype)
        if len(filled):
            sums[filled] = np.add.reduceat(products, begins)
        return sums


def integer_array(values: Sequence[int]) -> Numbers:
    """The numbers as machine words where all fit, else as unbounded ones."""
    fits = all(-_MOST_IN_WORDS < value < _MOST_IN_WORDS for value in values)
    return np.array(values, dtype=np.int64 if fits else object)
