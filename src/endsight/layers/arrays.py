"""Operations on long arrays of packed keys: sorting, dropping repeats, joining, finding, splitting.

Sorted keys that do not fit into memory are merged and subtracted a block at a time. A row is a key of one or two words,
the lowest first, as in the compiled engine; keys are ordered as unsigned numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from endsight.compiler.rules import shared_kernel
from endsight.engine.kernels.sorting import drop_repeats, match, sort_digit

Keys = npt.NDArray[np.int64]
"""Two-dimensional: one row a key, one column a word."""

_DIGIT_BITS = 11
# Odd, from the golden ratio: multiplying by it mixes all bits into the high ones.
_MIXER = np.uint64(0x9E3779B97F4A7C15)
_SAMPLE = 1 << 18


def sorted_keys(keys: Keys) -> Keys:
    """The keys in increasing order, each once; the array given may be used as scratch space.

    Radix sort from the lowest digit up (LSD; Knuth, TAOCP 3, 5.2.5), 11 bits a pass.
    """
    count, words = keys.shape
    if count < 2:
        return keys
    sort = shared_kernel(sort_digit, words)
    other, counts = np.empty_like(keys), np.zeros(1 << _DIGIT_BITS, np.int64)
    for word in range(words):
        bits = int(keys[:, word].view(np.uint64).max()).bit_length()
        for shift in range(0, bits, _DIGIT_BITS):
            if sort(keys, other, counts, count, word, shift):
                keys, other = other, keys
    return keys[: shared_kernel(drop_repeats, words)(keys, count)]


def distinct(parts: list[Keys], words: int) -> Keys:
    """The keys of several sorted arrays, in order, each once."""
    parts = [part for part in parts if len(part)]
    if len(parts) < 2:
        return parts[0] if parts else np.empty((0, words), np.int64)
    return sorted_keys(np.concatenate(parts))


def places_of(asked: Keys, keys: Keys) -> npt.NDArray[np.int64]:
    """The index of each of `asked` in `keys`, -1 for a missing one; both are sorted."""
    places = np.empty(len(asked), np.int64)
    shared_kernel(match, keys.shape[1])(keys, len(keys), asked, len(asked), places)
    return places


def part_of(keys: Keys, shift: int, parts: int) -> npt.NDArray[np.int64]:
    """The part of each key; keys that share all but the lowest `shift` bits mostly share their part."""
    words = keys.view(np.uint64)
    prefix = words[:, 0] >> np.uint64(shift)
    for word in range(1, keys.shape[1]):
        prefix = prefix ^ words[:, word] * _MIXER
    mixed = (prefix * _MIXER) >> np.uint64(32)
    return (mixed % np.uint64(parts)).astype(np.int64)


def shift_for(keys: Keys, prefixes: int) -> int:
    """The most bits that can be cut off sorted keys so that about that many distinct ones remain."""
    sample = keys[:: max(1, len(keys) // _SAMPLE)].view(np.uint64)
    if len(sample) < 2:
        return 0
    # The length in bits of the difference to the next key; floats suffice, as this only estimates a count.
    lengths = np.frexp((sample[1:, 0] ^ sample[:-1, 0]).astype(np.float64))[1]
    if keys.shape[1] == 2:
        lengths[sample[1:, 1] != sample[:-1, 1]] = 64
    changes = np.bincount(lengths, minlength=66)
    return max((shift for shift in range(64) if int(changes[shift + 1 :].sum()) >= prefixes), default=0)


# -------------------------------------------------------------------- a block at a time


Block: TypeAlias = tuple[npt.NDArray[np.int64], ...]
"""Sorted keys, with further columns."""


class Stream:
    """Rows in order of their keys, of which the next ones are in memory."""

    def __init__(self, blocks: Iterable[Block]) -> None:
        self._blocks = iter(blocks)
        self._fill()

    def _fill(self) -> None:
        self.rows = next((block for block in self._blocks if len(block[0])), None)

    @property
    def last(self) -> tuple[int, ...]:
        """The largest key in memory, its highest word first."""
        assert self.rows is not None, "the stream is over"
        return _last_key(self.rows[0])

    def take(self, bound: tuple[int, ...]) -> Block:
        """Take the rows in memory up to the key `bound`."""
        assert self.rows is not None, "the stream is over"
        count = _up_to(self.rows[0], bound)
        taken, self.rows = tuple(part[:count] for part in self.rows), tuple(part[count:] for part in self.rows)
        if not len(self.rows[0]):
            self._fill()
        return taken

    def keys_up_to(self, bound: tuple[int, ...], words: int) -> Keys:
        """Take all keys up to `bound`, in memory or not yet."""
        taken = [np.empty((0, words), np.int64)]
        while self.rows is not None and _up_to(self.rows[0], bound):
            taken.append(self.take(bound)[0])
        return np.concatenate(taken)


def together(streams: Sequence[Stream]) -> Iterator[list[Block]]:
    """All rows in order: each step takes those up to the smallest of the last keys in memory."""
    while streams := [stream for stream in streams if stream.rows is not None]:
        bound = min(stream.last for stream in streams)
        yield [stream.take(bound) for stream in streams]


def merged(runs: Sequence[Iterable[Keys]], words: int) -> Iterator[Keys]:
    """The keys of all runs in order, each once."""
    for taken in together([Stream((keys,) for keys in run) for run in runs]):
        yield distinct([keys for (keys,) in taken], words)


def without(keys: Iterable[Keys], others: Iterable[Keys], words: int) -> Iterator[Keys]:
    """The keys that are not among the others; both are sorted."""
    stream = Stream((block,) for block in others)
    for block in keys:
        if len(block):
            known = stream.keys_up_to(_last_key(block), words)
            yield block[places_of(block, known) < 0] if len(known) else block


def _last_key(keys: Keys) -> tuple[int, ...]:
    """The largest of sorted keys, its highest word first."""
    return tuple(int(word) for word in keys[-1, ::-1].view(np.uint64))


def _up_to(keys: Keys, bound: tuple[int, ...]) -> int:
    """The number of sorted keys that are at most `bound`."""
    low, high = 0, len(keys)
    for word in reversed(range(keys.shape[1])):
        # Among keys that share the higher words with the bound, the next word decides.
        column = keys[low:high, word].view(np.uint64)
        target = np.uint64(bound[keys.shape[1] - 1 - word])
        low, high = (
            low + int(np.searchsorted(column, target, "left")),
            low + int(np.searchsorted(column, target, "right")),
        )
    return high
