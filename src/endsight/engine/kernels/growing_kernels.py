"""Growing kernels of lines of dominoes: see `endsight.theorems.even_kernel`."""

from __future__ import annotations

from endsight.compiler.kernels.core import *

LEVEL = 3
"""Words for one set that is tried as a kernel."""
MOST_SETS = 2000
"""Sets of values that are tried as one kernel; the position is searched where that is not enough."""


def growing_kernel(p_rows: Numbers, at: int, count: int, tail: int, p_sets: Numbers, begin: int) -> int:
    """A growing kernel that holds the tail, as a set; 0 where there is none.

    The rows of `count` values stand from place `at` on. From `begin` on there is room for a set a level, with the
    values that have an odd number of tiles into it, and those that may join.
    """
    spent = 0
    for value in range(count):
        spent |= (1 - (p_rows[at + value] >> value & 1)) << value
    if spent >> tail & 1 == 0:
        return 0
    row = p_rows[at + tail]
    p_sets[begin] = 1 << tail
    p_sets[begin + 1] = row
    p_sets[begin + 2] = spent & ~row & ~(1 << tail)
    level, sets, is_new = begin, 0, True
    while level >= begin and sets < MOST_SETS:
        if is_new:
            sets += 1
            if es_grows(p_rows, at, p_sets[level], p_sets[level + 1], spent):
                return p_sets[level]
        joinable = p_sets[level + 2]
        is_new = joinable != 0
        if is_new:
            es_join(p_rows, at, p_sets, level, joinable & -joinable)
            level += LEVEL
        else:
            level -= LEVEL
    return 0


def es_join(p_rows: Numbers, at: int, p_sets: Numbers, level: int, last: int) -> None:
    """Try one more value in the set, which later sets of this level go without."""
    row = p_rows[at + es_bit_length(last) - 1]
    p_sets[level + 2] ^= last
    p_sets[level + LEVEL] = p_sets[level] | last
    p_sets[level + LEVEL + 1] = p_sets[level + 1] ^ row
    p_sets[level + LEVEL + 2] = p_sets[level + 2] & ~row


def es_grows(p_rows: Numbers, at: int, kernel: int, odd: int, spent: int) -> bool:
    """Whether all doubles are unused in the parts outside of a set where a value has an odd number of tiles into it."""
    reached, todo = 0, odd
    while todo != 0:
        if todo & spent != 0:
            return False
        last = todo & -todo
        reached |= last
        todo = (todo | p_rows[at + es_bit_length(last) - 1]) & ~kernel & ~reached
    return True
