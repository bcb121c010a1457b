"""The order of a state's fields in its key: the one whose sorted keys lie closest.

Sorted keys are stored as differences, so the choice of the highest field matters. On boards of two bit sets it affects
about half of the bytes.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from endsight.compiler.columns import fields_of, keys_of
from endsight.compiler.packing import Packing

Words = tuple[npt.NDArray[np.uint64], ...]
"""Keys word by word, the highest first."""

_SAMPLED = 1 << 18
# Odd, from the golden ratio: multiplying by it mixes all bits.
_MIXER = np.uint64(0x9E3779B97F4A7C15)
_BLOCK = 32
"""The number of differences that DELTA_BINARY_PACKED stores with the same number of bits."""


def sample_of(words: Words, total: int) -> Words:
    """About a quarter of a million keys of `total` in all: the same ones for any order and division of the keys."""
    step = sampling_step(total)
    if step == 1:
        return words
    mixed = np.zeros(len(words[0]), np.uint64)
    for word in words:
        mixed = (mixed ^ word) * _MIXER
        mixed ^= mixed >> np.uint64(32)
    taken = mixed % np.uint64(step) == 0
    return tuple(word[taken] for word in words)


def sampling_step(total: int) -> int:
    """A sample of `total` keys takes one out of this many."""
    return max(1, total // _SAMPLED)


def order_for(packing: Packing, sample: Words) -> Packing:
    """The packing under which a sample of keys takes the fewest bits, among those with any one field moved in front.

    The first field stays there among equals.
    """
    columns = columns_of(packing, sample)
    fields = range(len(packing.names))
    others = (reordered(packing, [first, *(each for each in fields if each != first)]) for first in fields[1:])
    candidates = [packing, *others]
    costs = [_bits(packed_words(each, packing, columns)) for each in candidates]
    return candidates[costs.index(min(costs))]


def reordered(packing: Packing, order: list[int]) -> Packing:
    """The packing of the same fields in another order."""
    return Packing(tuple(packing.names[field] for field in order), tuple(packing.limits[field] for field in order))


def words_of(keys: npt.NDArray[np.int64]) -> Words:
    """The keys word by word; `keys` has a row for each key, its lowest word first, as in the compiled engine."""
    words = keys.view(np.uint64)
    return tuple(np.ascontiguousarray(words[:, word]) for word in reversed(range(keys.shape[1])))


def rows_of(words: Words) -> npt.NDArray[np.int64]:
    """The inverse of `words_of`."""
    return np.stack(words[::-1], axis=1).view(np.int64)


def columns_of(packing: Packing, words: Words) -> list[npt.NDArray[np.int64]]:
    """The keys' values of each field."""
    return fields_of(packing, rows_of(words))


def packed_words(packing: Packing, given: Packing, columns: list[npt.NDArray[np.int64]]) -> Words:
    """Keys under `packing` from columns in the order of `given`'s fields."""
    fields = [columns[given.names.index(name)] for name in packing.names]
    return keys_of(packing, fields)[::-1]


def _bits(words: Words) -> float:
    """The approximate number of bits of the differences of the sorted keys."""
    order = np.lexsort(words[::-1])
    total = 0.0
    for word in words:
        steps = np.diff(word[order].view(np.int64))
        blocks = steps[: len(steps) // _BLOCK * _BLOCK].reshape(-1, _BLOCK)
        if len(blocks):
            spread = (blocks.max(axis=1) - blocks.min(axis=1)).view(np.uint64).astype(np.float64)
            total += float(np.log2(spread + 1).sum())
    return total
