"""Lower and upper bounds of keys from those of their children."""

from __future__ import annotations

from typing import NamedTuple

from endsight.compiler.kernels.core import *
from endsight.compiler.kernels.shares import *


class Known(NamedTuple):
    """Bounds in units of 2^-bits, two of each key: `p_known` of children by their numbers, `p_bounds` of the keys.

    h_numbers  of the children, by slots of the table
    limit      no bound may be larger, nor smaller than its negative
    """

    h_numbers: Numbers
    p_known: Numbers
    p_bounds: Numbers
    bits: int
    limit: int


class Arena(NamedTuple):
    """Room for some keys at a time as nodes, and for their edges: see `endsight.graph.kernel_numbers.Edges`."""

    p_offsets: Numbers
    h_children: Numbers
    p_weights: Numbers
    b_signs: Numbers
    p_gains: Numbers


def find_bounds(keys: Keys, known: Known, arena: Arena, children: Children, work: Work, p_share: Numbers) -> int:
    """Lower and upper bounds of a list of keys, from those of all their children.

    Some keys at a time become an arena of their own, whose nodes are backed up as those of a
    whole one are. The result is TOO_LONG where a bound passes the limit.
    """
    p_table, mask, p_order, _ = keys
    p_buffer, most_buffer = children
    p_data, p_counters, stop = work
    h_numbers, p_known, p_bounds, bits, limit = known
    p_offsets, h_children, p_weights, b_signs, p_gains = arena
    es_use_data(p_data)
    es_clear_fault()
    head = p_counters[HEAD]
    tail = p_counters[TAIL]
    result = DONE
    while head < tail:
        if head >= stop:
            result = STOPPED
            break
        first = head
        count = 0
        nodes = 0
        while head < tail and head < stop and count < BATCH and nodes < BATCH:
            key = es_load_key(p_order, head)
            state = es_state(key)
            mover = es_mover(key, state)
            p_offsets[nodes] = count
            b_signs[nodes] = 1 if mover == 0 else -1 if mover > 0 else 0
            for move in rule_moves(state):
                if count < most_buffer:
                    es_queue(p_table, mask, p_buffer, count, es_after(key, state, mover, move))
                    p_weights[count] = es_weight(state, mover, move)
                    if HAS_REWARD:
                        es_write_share(p_share, 0, rule_reward(state, move), PLAYERS, SHARE_SITE)
                        p_gains[count] = p_share[0] << bits
                count += 1
            if count == p_offsets[nodes]:
                es_write_share(p_share, 0, rule_payoff(state), PLAYERS, SHARE_SITE)
                p_bounds[2 * head] = p_share[0] << bits
                p_bounds[2 * head + 1] = p_share[0] << bits
            nodes += 1
            p_offsets[nodes] = count
            head += 1
        result = es_lack(p_counters, result, count, most_buffer, most_buffer, BUFFER_FULL)
        if result != DONE:
            head = first
            break
        for item in range(count):
            key = es_load_key(p_buffer, item)
            slot = es_find(p_table, mask, key)
            if es_code(p_table, slot) == 0:
                result = NOT_LAYERED
            h_children[item] = h_numbers[slot]
        if result != DONE:
            break
        for node in range(nodes):
            low = p_bounds[2 * (first + node)]
            high = p_bounds[2 * (first + node) + 1]
            if p_offsets[node] < p_offsets[node + 1]:
                edges = (p_offsets, h_children, p_weights, HAS_WEIGHT, b_signs, p_gains, HAS_REWARD)
                low, high = backed_up(node, edges, p_known)
            if low < -limit or high > limit:
                result = TOO_LONG
            p_bounds[2 * (first + node)] = low
            p_bounds[2 * (first + node) + 1] = high
    p_counters[HEAD] = head
    return result
