"""Large arrays of zeros that take memory only where they are touched, and give it back at once."""

from __future__ import annotations

import mmap
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["reserved", "zeros"]

_LARGE = 1 << 22


def zeros(count: int, kind: Any = np.int64) -> npt.NDArray[Any]:
    """An array of `count` zeros, on huge pages where the system has them.

    Its memory is given back when the last reference to the array goes.
    """
    size = count * np.dtype(kind).itemsize
    if size < _LARGE:
        return np.zeros(count, kind)
    return np.frombuffer(_room(size), kind, count)


def reserved(count: int, kind: Any = np.int64) -> npt.NDArray[Any]:
    """Like `zeros`, or shorter if the system does not promise as much: room to grow into.

    Only what is touched counts as memory in use. The length is `count` halved as often as needed.
    """
    while True:
        try:
            return zeros(count, kind)
        except (OSError, ValueError, MemoryError):
            if count <= _LARGE:
                raise
            count //= 2


def _room(size: int) -> mmap.mmap:
    if not hasattr(mmap, "MAP_PRIVATE"):
        return mmap.mmap(-1, size)
    # Private memory: shared memory, the default of `mmap`, never has huge pages.
    room = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    if hasattr(mmap, "MADV_HUGEPAGE"):
        room.madvise(mmap.MADV_HUGEPAGE)
    return room
