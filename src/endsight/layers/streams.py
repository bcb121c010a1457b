"""Sorted keys that do not fit into memory: merged, subtracted and counted a block at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from endsight.layers.arrays import Keys, distinct, places_of

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
