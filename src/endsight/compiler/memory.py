"""Large arrays of zeros that take memory only where they are touched, and return it at once.

`words` gives plain memory, for kernels and single numbers; `zeros` gives numpy arrays. A question answered by kernels
alone never loads numpy, which would take longer than many an answer.
"""

from __future__ import annotations

import ctypes
import mmap
import os
import sys
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from endsight.base.machine import memory_to_ask_for
from endsight.game.numbers import count_text

if TYPE_CHECKING:
    import numpy.typing as npt

View: TypeAlias = "memoryview[int]"
"""Whole numbers in memory."""

Kind = Literal["b", "i", "q"]

_LARGE = 1 << 22
# MAP_NORESERVE by its number on these machines; Python's `mmap` has no name for it.
_NO_PROMISE = 0x4000 if sys.platform == "linux" and os.uname().machine in ("x86_64", "aarch64", "riscv64") else 0
_SIZES: dict[Kind, int] = {"b": 1, "i": 4, "q": 8}


def words(count: int, kind: Kind = "q") -> View:
    """Memory for `count` whole numbers, all 0: 64-bit words, or 32-bit (`i`) or 8-bit ones (`b`).

    Large ones lie on huge pages where the system has them. The memory is freed with the last reference to it.
    """
    size = count * _SIZES[kind]
    room = bytearray(size) if size < _LARGE else _room(size)
    return memoryview(room).cast(kind)[:count]


def reserved_words(count: int, *, halves: bool = False) -> View:
    """Like `words`, or shorter if the system does not promise that much: room to grow into.

    Only memory that is touched counts as in use, and the rest is promised to nobody: a process that holds much of it
    may still start others. If the process has a limit, at most three quarters of what it may still ask for are taken;
    with `halves` at most half, and the length is `count` halved as often as needed.
    """
    left = memory_to_ask_for()
    if left is not None and not halves:
        count = min(count, max(_LARGE, left // 4 * 3 // _SIZES["q"]))
    while left is not None and halves and count > _LARGE and count * _SIZES["q"] > left // 2:
        count //= 2
    while True:
        try:
            return memoryview(_room(count * _SIZES["q"], promised=False)).cast("q")[:count]
        except (ValueError, MemoryError, OverflowError):
            if count <= _LARGE:
                raise
            count //= 2


def zeros(count: int, kind: Any = "int64") -> npt.NDArray[Any]:
    """An array of `count` zeros, on huge pages where the system has them.

    Its memory is freed with the last reference to the array.
    """
    import numpy as np

    size = count * np.dtype(kind).itemsize
    if size < _LARGE:
        return np.zeros(count, kind)
    return np.frombuffer(_room(size), kind, count)


def address_of(view: View) -> int:
    """The address of the numbers of `view`."""
    return ctypes.addressof(ctypes.c_char.from_buffer(view)) if len(view) else 0


def copied(longer: View, view: View) -> None:
    """Copy all of `view` to the beginning of `longer`; other threads run meanwhile."""
    ctypes.memmove(address_of(longer), address_of(view), view.nbytes)


def emptied(view: View) -> None:
    """Set all numbers of `view` to 0; other threads run meanwhile."""
    ctypes.memset(address_of(view), 0, view.nbytes)


def _room(size: int, *, promised: bool = True) -> mmap.mmap:
    if not hasattr(mmap, "MAP_PRIVATE"):
        return mmap.mmap(-1, size)
    # Private memory: shared memory, the default of `mmap`, never has huge pages.
    flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS
    if not promised:
        # Linux counts promised memory again at each fork, and refuses a fork that might not fit.
        flags |= _NO_PROMISE
    try:
        room = mmap.mmap(-1, size, flags=flags)
    except OSError as error:
        raise MemoryError(f"the system has no {count_text(size, 'byte')}") from error
    if hasattr(mmap, "MADV_HUGEPAGE"):
        room.madvise(mmap.MADV_HUGEPAGE)
    return room
