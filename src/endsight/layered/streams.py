"""Sorted keys that are more than memory holds: joined, taken away and counted a block at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from endsight.layered.arrays import Keys, distinct, places_of
from endsight.layered.collecting import last_key, up_to

__all__ = ["merged", "without"]


class _Stream:
    """Sorted keys, of which the next ones are at hand."""

    def __init__(self, blocks: Iterable[Keys]) -> None:
        self._blocks = iter(blocks)
        self.is_over = False
        self._fill()

    def _fill(self) -> None:
        keys = next((block for block in self._blocks if len(block)), None)
        self.is_over = keys is None
        if keys is not None:
            self.keys = keys

    @property
    def last(self) -> tuple[int, ...]:
        """The largest key at hand, its highest word first."""
        return last_key(self.keys)

    def take(self, bound: tuple[int, ...]) -> Keys:
        """The keys at hand up to `bound`."""
        count = up_to(self.keys, bound)
        taken, self.keys = self.keys[:count], self.keys[count:]
        if not len(self.keys):
            self._fill()
        return taken

    def take_all(self, bound: tuple[int, ...], words: int) -> Keys:
        """All keys up to `bound`, at hand or not yet."""
        taken = [np.empty((0, words), np.int64)]
        while not self.is_over:
            taken.append(self.take(bound))
            if not self.is_over and up_to(self.keys, bound) == 0:
                break
        return np.concatenate(taken)


def merged(runs: Sequence[Iterable[Keys]], words: int) -> Iterator[Keys]:
    """The keys of all runs in order, each once."""
    streams = [_Stream(run) for run in runs]
    while streams := [stream for stream in streams if not stream.is_over]:
        bound = min(stream.last for stream in streams)
        yield distinct([stream.take(bound) for stream in streams], words)


def without(keys: Iterable[Keys], others: Iterable[Keys], words: int) -> Iterator[Keys]:
    """Those keys that are not among the others; both are sorted."""
    stream = _Stream(others)
    for block in keys:
        if len(block):
            known = stream.take_all(last_key(block), words)
            yield block[places_of(block, known) < 0] if len(known) else block
