"""A walk at random, and how many of its moves lead to keys of a table."""

from __future__ import annotations

from endsight.compiler.kernels.shares import *

WEIGHT, HELD = OWN, OWN + 1
"""Counters, in units of 1 / UNIT: the sum over steps of the inverse number of moves, and of the share of moves that
lead to a key of the table."""
UNIT = 1 << 20

NOW, BEFORE, FIRST, KEYS = range(4)
"""Keys of a walk: where it is, where it was a step ago, and where it began; and how many keys these are."""


def walk_at_random(keys: Keys, children: Children, p_walk: Numbers, seed: int, work: Work) -> int:
    """Walk on from a key, all moves equally likely. The counter HEAD is how many steps are done.

    An end leads BACK one step, or to where the walk began.
    """
    result = es_begin(work)
    while result == DONE and work.p_counters[HEAD] < work.stop:
        state = es_state(es_load_key(p_walk, NOW))
        count = es_add_children(keys, children, state, es_mover(es_load_key(p_walk, NOW), state), 0)
        work.p_counters[NEEDED] = count
        result = BUFFER_FULL if count > children.most_buffer else es_result(work.p_counters)
        if result == DONE and count == 0:
            es_store_key(p_walk, NOW, es_load_key(p_walk, BEFORE if BACK else FIRST))
            work.p_counters[HEAD] += 1
        elif result == DONE:
            es_enter_step(keys, children, work.p_counters, count)
            number = es_mixed(es_mixed(seed + work.p_counters[HEAD]) ^ 0x5DEECE66D)
            es_store_key(p_walk, BEFORE, es_load_key(p_walk, NOW))
            es_store_key(p_walk, NOW, es_load_key(children.p_buffer, es_unsigned_shift(number, 33) % count))
            work.p_counters[HEAD] += 1
    return result


def es_enter_step(keys: Keys, children: Children, p_counters: Numbers, count: int) -> None:
    """Add up what the children of a key say."""
    held = 0
    for item in range(count):
        key = es_load_key(children.p_buffer, item)
        held += es_whole(es_code(keys.p_table, es_find(keys.p_table, keys.mask, key)) != 0)
    p_counters[WEIGHT] += UNIT // count
    p_counters[HELD] += UNIT * held // count
