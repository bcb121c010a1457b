"""The states of one layer, and the layers of states."""

from __future__ import annotations

from typing import NamedTuple

from endsight.compiler.kernels.batches import *
from endsight.compiler.kernels.shares import *

INSIDE, LARGEST = OWN, OWN + 1
"""Counters: edges that stay in the layer, and the largest payoff without its sign."""


class ClosingLayer(NamedTuple):
    """The number of a layer, and room for a payoff."""

    number: int
    p_share: Numbers


def close_layer(keys: Keys, children: Children, work: Work, layer: ClosingLayer) -> int:
    """Every key of one layer that the keys given lead to without leaving it."""
    result = es_begin(work)
    while result == DONE and work.p_counters[HEAD] < work.p_counters[TAIL]:
        result = es_expand_batches(keys, children, layer, work, work.p_counters[TAIL])
    return result


def es_expand(keys: Keys, children: Children, layer: ClosingLayer, p_counters: Numbers, node: Node, count: int) -> int:
    """Find the children of a key, or measure what an end pays."""
    _, _, state, mover = node
    end = es_add_children(keys, children, state, mover, count)
    if end == count:
        kind = es_write_share(layer.p_share, 0, rule_payoff(state), PLAYERS, SHARE_SITE)
        for player in range(PLAYERS if kind != 0 else 1):
            p_counters[LARGEST] = max(p_counters[LARGEST], es_absolute(layer.p_share[player], VALUE_SITE))
    return end


def es_enter_children(keys: Keys, children: Children, layer: ClosingLayer, p_counters: Numbers, batch: Batch) -> int:
    """Enter the children that are in the layer."""
    _, _, count = batch
    tail = p_counters[TAIL]
    if count > keys.most_nodes - tail:
        return NODES_FULL
    for item in range(count):
        key = es_load_key(children.p_buffer, item)
        slot = es_find(keys.p_table, keys.mask, key)
        is_inside = es_code(keys.p_table, slot) != 0
        if not is_inside:
            number = es_layer(es_state(key))
            if number < layer.number:
                return NOT_LAYERED
            is_inside = number == layer.number
            if is_inside:
                es_enter(keys.p_table, slot, key, UNSET)
                es_store_key(keys.p_order, tail, key)
                tail += 1
        p_counters[INSIDE] += es_whole(is_inside)
    p_counters[TAIL] = tail
    p_counters[EDGES] += count
    return DONE


def find_layers(p_keys: Numbers, first: int, stop: int, p_layers: Numbers, p_data: Numbers, p_counters: Numbers) -> int:
    """The layers of the keys `first` .. `stop` - 1. Counter 3: the fault's site."""
    es_use_data(p_data)
    es_clear_fault()
    for at in range(first, stop):
        p_layers[at] = es_layer(es_state(es_load_key(p_keys, at)))
    return es_faulted(p_counters, DONE)
