"""Large arrays of zeros that take memory only where they are touched, and give it back at once."""

from __future__ import annotations

import mmap
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["zeros"]

_LARGE = 1 << 22


def zeros(count: int, kind: Any = np.int64) -> npt.NDArray[Any]:
    """An array of `count` zeros, on huge pages where the system has them.

    Its memory is given back when the last reference to the array goes.
    """
    size = count * np.dtype(kind).itemsize
    if size < _LARGE:
        return np.zeros(count, kind)
    room = mmap.mmap(-1, size)
    if hasattr(room, "madvise") and hasattr(mmap, "MADV_HUGEPAGE"):
        room.madvise(mmap.MADV_HUGEPAGE)
    return np.frombuffer(room, kind, count)
