"""Finding all keys, breadth first."""

from __future__ import annotations

from endsight.compiler.kernels.core import *
from endsight.compiler.kernels.shares import *

LEVEL_END, LEVELS = 4, 5
"""Counters: where the level of the next node ends, and levels begun."""


def find_keys(keys: Keys, children: Children, work: Work, p_found: Numbers) -> int:
    """Every key reachable from the first, breadth first, without edges.

    Where the table is SHARED by threads, each expands nodes of one level, up to the counter TAIL;
    what they find goes to the end of the one `p_order`, which `p_found` counts. Where it only COUNTS,
    positions of chance are nodes like others.
    """
    p_table, mask, p_order, most_nodes = keys
    p_buffer, most_buffer = children
    p_data, p_counters, stop = work
    es_use_data(p_data)
    if p_counters[IS_SHARED] == 0:
        es_clear_fault()
    head = p_counters[HEAD]
    tail = p_counters[TAIL]
    edges = p_counters[EDGES]
    level_end = p_counters[LEVEL_END]
    levels = p_counters[LEVELS]
    result = DONE
    while head < tail:
        if head >= stop:
            result = STOPPED
            break
        if head == level_end:
            level_end = tail
            levels += 1
        first = head
        count = 0
        while head < level_end and head < stop and count < BATCH:
            key = es_load_key(p_order, head)
            state = es_state(key)
            mover = es_mover(key, state)
            before = count
            count = es_add_children(keys, children, key, state, mover, count)
            if MOVER_TOLD and not COUNTS and mover == -1 and count > before:
                result = HAS_CHANCE
            head += 1
        lack = es_lack(p_counters, count, most_buffer, most_nodes - (p_found[0] if SHARED else tail), NODES_FULL)
        if lack != DONE:
            result = lack
        if result != DONE:
            head = first
            break
        won = 0
        for item in range(count):
            key = es_load_key(p_buffer, item)
            slot = es_slot(key, mask)
            while True:
                code = es_settled_code(p_table, slot) if SHARED else es_code(p_table, slot)
                if code == 0:
                    if SHARED:
                        if not es_claim(p_table, slot, key):
                            continue
                        es_store_key(p_buffer, won, key)
                    else:
                        es_enter(p_table, slot, key, UNSET)
                        es_store_key(p_order, tail + won, key)
                    won += 1
                    break
                if es_is_at(p_table, slot, key):
                    break
                slot = (slot + 1) & mask
        if SHARED:
            first = es_count_up(p_found, won)
            for item in range(won):
                es_store_key(p_order, first + item, es_load_key(p_buffer, item))
        else:
            tail += won
        edges += count
    p_counters[HEAD] = head
    p_counters[TAIL] = tail
    p_counters[EDGES] = edges
    p_counters[LEVEL_END] = level_end
    p_counters[LEVELS] = levels
    return result
