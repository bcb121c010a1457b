"""Expanding a list of keys in batches: first the moves of some keys, then what becomes of their children.

By then the children's slots of the table have arrived, which is slow memory.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from endsight.compiler.kernels.shares import *

__all__ = ["es_expand_batches"]


# What a kernel does with a key, and with the children of a batch: its own text follows this one.
es_expand: Callable[..., int]
es_enter_children: Callable[..., int]


def es_expand_batches(keys: Keys, children: Children, own: Any, work: Work, end: int) -> int:
    """Expand the keys from HEAD on up to `end`, or, where that is less, back to it.

    A kernel defines `es_expand`, which puts the children of a key into the buffer and gives how many there are then,
    and `es_enter_children`; `own` is what they need. HEAD moves on when a batch is done.
    """
    p_counters = work.p_counters
    result = DONE
    while result == DONE and p_counters[HEAD] != end:
        head = p_counters[HEAD]
        left = min(end, work.stop) - head if head < end else head - max(end, work.stop)
        if left <= 0:
            return STOPPED
        nodes, count = es_expand_batch(keys, children, own, p_counters, end, left)
        p_counters[NEEDED] = count
        result = BUFFER_FULL if count > children.most_buffer else es_result(p_counters)
        if result == DONE:
            result = es_enter_children(keys, children, own, p_counters, (head, nodes, count))  # noqa: F821
        if result == DONE:
            result = es_result(p_counters)
        if result == DONE:
            p_counters[HEAD] = head + nodes if head < end else head - nodes
    return result


def es_expand_batch(
    keys: Keys, children: Children, own: Any, p_counters: Numbers, end: int, left: int
) -> tuple[int, int]:
    """Expand up to `left` keys until they have BATCH children; gives how many keys and children these are."""
    place = p_counters[HEAD]
    step = 1
    if end < place:
        place -= 1
        step = -1
    nodes = 0
    count = 0
    while nodes < left and nodes < BATCH and count < BATCH:
        key = es_load_key(keys.p_order, place)
        state = es_state(key)
        node = (place, key, state, es_mover(key, state))
        count = es_expand(keys, children, own, p_counters, node, count)  # noqa: F821
        place += step
        nodes += 1
    return (nodes, count)
