"""Lines of dominoes up to the names of values.

Source: names by colours that neighbours refine: B. McKay, "Practical graph isomorphism" (1981).
"""

from __future__ import annotations

from endsight.compiler.kernels.core import *
from endsight.engine.kernels.growing_kernels import LEVEL

HERE, AFTER, NAMED, SORT, RANK, WEIGHT, REPLIES, KEY, KERNEL = range(0, 9 * 64, 64)
"""In the scratch memory: rows of the position that is opened, after a reply, and renamed; what values are sorted by,
their ranks and weights; the positions after replies; a key; sets that are tried as kernels."""
SCRATCH = KERNEL + LEVEL * 64
"""Words of scratch memory."""

MIXER, FACTOR, LOW_BITS, NOBODY = 0x1E3779B97F4A7C15, 0x9E3779B1, (1 << 50) - 1, 1 << 62
"""Odd numbers that mix bits; the bits of a sum of weights; what values that are not reached are sorted by."""


def es_rename(p_scratch: Numbers, count: int, tail: int, fresh: int) -> int:
    """Write the part of AFTER that the tail reaches to NAMED; return how many values that are.

    The tail comes first, then values by degree and double, refined by their neighbours. Equal positions get equal
    names, unless refinement takes values for alike that are not.
    """
    values = (1 << count) - 1 if fresh != 0 else es_reached(p_scratch, tail)
    size = es_bit_count(values)
    for value in range(count):
        row = p_scratch[AFTER + value]
        colour = 1 if value == tail else 2 * es_bit_count(row) + (row >> value & 1)
        p_scratch[WEIGHT + value] = colour * colour * FACTOR + colour
        p_scratch[SORT + value] = (0 if value == tail else 1) << 61 | (127 - colour) << 53
    for value in range(count):
        p_scratch[SORT + value] += es_weight_beside(p_scratch, value)
    found = es_rank(p_scratch, count, values)
    before = 0
    while es_bit_count(found) < size:
        es_refine(p_scratch, count, values, found, es_bit_count(found) == before)
        before = es_bit_count(found)
        found = es_rank(p_scratch, count, values)
    for value in range(count):
        if values >> value & 1 != 0:
            p_scratch[NAMED + p_scratch[RANK + value]] = es_renamed_row(p_scratch, p_scratch[AFTER + value])
    return size


def es_reached(p_scratch: Numbers, tail: int) -> int:
    """The values that tiles lead to from the tail."""
    reached = 1 << tail
    todo = reached
    while todo != 0:
        last = todo & -todo
        more = p_scratch[AFTER + es_bit_length(last) - 1] & ~reached
        reached |= more
        todo = todo ^ last | more
    return reached


def es_weight_beside(p_scratch: Numbers, value: int) -> int:
    """The sum of the weights of the values that a value has tiles to."""
    row, total = p_scratch[AFTER + value], 0
    while row != 0:
        last = row & -row
        row ^= last
        total += p_scratch[WEIGHT + es_bit_length(last) - 1]
    return total


def es_rank(p_scratch: Numbers, count: int, values: int) -> int:
    """Write how many values are sorted before each; return the set of these ranks."""
    for value in range(count):
        if values >> value & 1 == 0:
            p_scratch[SORT + value] = NOBODY
    found = 0
    for value in range(count):
        own, rank = p_scratch[SORT + value], 0
        for other in range(count):
            rank += 1 if p_scratch[SORT + other] < own else 0
        p_scratch[RANK + value] = rank
        if values >> value & 1 != 0:
            found |= 1 << rank
    return found


def es_refine(p_scratch: Numbers, count: int, values: int, found: int, is_stuck: bool) -> None:
    """Sort values by their ranks and those of their neighbours.

    Where that told nothing apart the last time, one of the first values that share a rank is put before the others.
    """
    shared = es_bit_length(found + 1 & ~found) - 2
    for value in range(count):
        place = 2 * p_scratch[RANK + value]
        if is_stuck and p_scratch[RANK + value] == shared and values >> value & 1 != 0:
            place -= 1
            is_stuck = False
        p_scratch[SORT + value] = place << 55
        mixed = (place + 77) * MIXER & LOW_BITS
        p_scratch[WEIGHT + value] = (mixed ^ mixed >> 23) * MIXER & LOW_BITS
    for value in range(count):
        p_scratch[SORT + value] += es_weight_beside(p_scratch, value) & LOW_BITS


def es_renamed_row(p_scratch: Numbers, row: int) -> int:
    """A row by the new names."""
    renamed = 0
    while row != 0:
        last = row & -row
        row ^= last
        renamed |= 1 << p_scratch[RANK + es_bit_length(last) - 1]
    return renamed
