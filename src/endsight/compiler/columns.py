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
    return packing.fields(keys.T)  # type: ignore[arg-type]


def keys_of(packing: Packing, columns: Sequence[Words]) -> tuple[npt.NDArray[np.uint64], ...]:
    """The inverse of `fields_of`: keys word by word, the lowest first."""
    return tuple(word.view(np.uint64) for word in packing.joined(columns))
