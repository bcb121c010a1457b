"""The states of one layer, and the layers of states."""

from __future__ import annotations

from endsight.compiler.kernels.core import *
from endsight.compiler.kernels.shares import *

INSIDE, LARGEST = 4, 5
"""Counters: edges that stay in the layer, and the largest payoff without its sign."""


def close_layer(keys: Keys, children: Children, work: Work, layer: int, p_share: Numbers) -> int:
    """Every key of one layer that the keys given lead to without leaving it."""
    p_table, mask, p_order, most_nodes = keys
    p_buffer, most_buffer = children
    p_data, p_counters, stop = work
    es_use_data(p_data)
    es_clear_fault()
    head = p_counters[HEAD]
    tail = p_counters[TAIL]
    edges = p_counters[EDGES]
    inside = p_counters[INSIDE]
    result = DONE
    while head < tail:
        if head >= stop:
            result = STOPPED
            break
        first = head
        count = 0
        while head < tail and head < stop and count < BATCH:
            key = es_load_key(p_order, head)
            state = es_state(key)
            mover = es_mover(key, state)
            before = count
            count = es_add_children(keys, children, key, state, mover, count)
            if count == before:
                kind = es_write_share(p_share, 0, rule_payoff(state), PLAYERS, SHARE_SITE)
                for entry in range(PLAYERS if kind != 0 else 1):
                    amount = es_absolute(p_share[entry], VALUE_SITE)
                    if amount > p_counters[LARGEST]:
                        p_counters[LARGEST] = amount
            head += 1
        result = es_lack(p_counters, result, count, most_buffer, most_nodes - tail, NODES_FULL)
        if result != DONE:
            head = first
            break
        for item in range(count):
            key = es_load_key(p_buffer, item)
            slot = es_find(p_table, mask, key)
            if es_code(p_table, slot) != 0:
                inside += 1
            else:
                where = es_layer(es_state(key))
                if where == layer:
                    es_enter(p_table, slot, key, UNSET)
                    es_store_key(p_order, tail, key)
                    tail += 1
                    inside += 1
                elif where < layer:
                    result = NOT_LAYERED
        edges += count
        if result == DONE:
            result = es_faulted(p_counters, DONE)
        if result != DONE:
            head = first
            break
    p_counters[HEAD] = head
    p_counters[TAIL] = tail
    p_counters[EDGES] = edges
    p_counters[INSIDE] = inside
    return result


def find_layers(p_keys: Numbers, first: int, stop: int, p_layers: Numbers, p_data: Numbers, p_counters: Numbers) -> int:
    """The layers of the keys `first` .. `stop` - 1. Counter 3: the fault's site."""
    es_use_data(p_data)
    es_clear_fault()
    for at in range(first, stop):
        p_layers[at] = es_layer(es_state(es_load_key(p_keys, at)))
    return es_faulted(p_counters, DONE)
