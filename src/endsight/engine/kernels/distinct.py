"""Counting the states of keys that hold the mover."""

from __future__ import annotations

from endsight.compiler.kernels.shares import *


def count_states(p_table: Numbers, mask: int, p_order: Numbers, first: int, stop: int) -> int:
    """How many keys from `first` up to `stop` are the only ones of their state, or the first by mover."""
    count = 0
    for at in range(first, stop):
        key = es_load_key(p_order, at)
        mover = es_fields(key)[FIELDS - 1]
        is_first = 1
        for other in range(mover):
            before = es_with_mover(key, other)
            if es_code(p_table, es_find(p_table, mask, before)) != 0:
                is_first = 0
                break
        count += is_first
    return count
