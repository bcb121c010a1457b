"""Sparse matrices of whole numbers of any size, for products that must be exact."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

__all__ = ["WholeMatrix", "whole_array"]

Numbers = npt.NDArray[Any]
"""Whole numbers: machine words, or Python's unbounded ones."""

_MOST_IN_WORDS = 1 << 62


def whole_array(values: Sequence[int]) -> Numbers:
    """The numbers as machine words where all fit, else as unbounded ones."""
    fits = all(-_MOST_IN_WORDS < value < _MOST_IN_WORDS for value in values)
    return np.array(values, dtype=np.int64 if fits else object)


class WholeMatrix:
    """A sparse matrix, row by row: `places` is a SciPy matrix with 1 + the index of each entry in `entries`.

    SciPy's matrices hold no unbounded numbers, so they choose rows and columns here, and NumPy multiplies.
    """

    def __init__(self, places: csr_matrix, entries: Numbers) -> None:
        self.places, self.entries = places, entries

    @classmethod
    def of(cls, rows: Numbers, columns: Numbers, entries: Numbers, shape: tuple[int, int]) -> WholeMatrix:
        """The matrix with these entries in these rows and columns, each place at most once."""
        from scipy.sparse import csr_matrix

        return cls(csr_matrix((np.arange(1, 1 + len(entries)), (rows, columns)), shape=shape), entries)

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return int(self.places.shape[0]), int(self.places.shape[1])

    @property
    def values(self) -> Numbers:
        """The entries in the order of the rows."""
        values: Numbers = self.entries[self.places.data - 1]
        return values

    @property
    def norm(self) -> int:
        """The largest sum of sizes in a row."""
        return int(max(self._summed(abs(self.values.astype(object))), default=0))

    def columns(self, chosen: Sequence[int]) -> WholeMatrix:
        """The matrix of these columns, in this order."""
        return WholeMatrix(self.places.tocsc()[:, chosen].tocsr(), self.entries)

    def column(self, number: int) -> list[int]:
        """One column, zeros included."""
        part = self.columns([number])
        return [int(amount) for amount in part.times([1])]

    @property
    def transposed(self) -> WholeMatrix:
        """The matrix with rows and columns exchanged."""
        return WholeMatrix(self.places.T.tocsr(), self.entries)

    def times(self, vector: Sequence[int] | Numbers) -> Numbers:
        """The exact product with a vector, as unbounded numbers."""
        factors = np.array(vector, dtype=object)
        return self._summed(self.values.astype(object) * factors[self.places.indices])

    def in_words(self) -> csr_matrix:
        """The matrix as SciPy multiplies it, for entries that fit machine words."""
        from scipy.sparse import csr_matrix

        values = self.values.astype(np.int64)
        return csr_matrix((values, self.places.indices, self.places.indptr), shape=self.shape)

    def in_floats(self) -> csr_matrix:
        """The matrix with its entries rounded."""
        from scipy.sparse import csr_matrix

        values = self.values.astype(np.float64)
        return csr_matrix((values, self.places.indices, self.places.indptr), shape=self.shape)

    def _summed(self, products: Numbers) -> Numbers:
        """The sum of each row."""
        offsets = self.places.indptr
        filled = np.flatnonzero(offsets[:-1] < offsets[1:])
        sums = np.zeros(self.shape[0], dtype=object)
        if len(filled):
            sums[filled] = np.add.reduceat(products, offsets[filled])
        return sums
