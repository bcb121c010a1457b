"""The edges of one layer."""

from __future__ import annotations

from typing import NamedTuple

from endsight.compiler.kernels.core import *
from endsight.compiler.kernels.shares import *


class OwnEdges(NamedTuple):
    """The edges of the first `nodes` keys of a list: see `endsight.layers.inside.Inside`.

    h_successors  room for `most_edges`
    """

    nodes: int
    p_offsets: Numbers
    b_movers: Numbers
    p_payoffs: Numbers
    h_successors: Numbers
    most_edges: int


def find_edges(keys: Keys, h_numbers: Numbers, own: OwnEdges, children: Children, work: Work, p_share: Numbers) -> int:
    """The edges of the first keys of a list, all of whose children are in the list and in the table.

    Where the rules PAY, payoffs are the first player's, and must be opposed.
    """
    p_table, mask, p_order, _ = keys
    p_buffer, most_buffer = children
    p_data, p_counters, stop = work
    nodes, p_offsets, b_movers, p_payoffs, h_successors, most_edges = own
    es_use_data(p_data)
    es_clear_fault()
    head = p_counters[HEAD]
    edges = p_counters[EDGES]
    result = DONE
    while head < nodes:
        if head >= stop:
            result = STOPPED
            break
        first = head
        found = 0
        while head < nodes and head < stop and found < BATCH:
            key = es_load_key(p_order, head)
            state = es_state(key)
            mover = es_mover(key, state)
            b_movers[head] = mover
            p_offsets[head] = edges + found
            before = found
            found = es_add_children(keys, children, key, state, mover, found)
            if PAYS:
                if found == before:
                    kind = es_write_share(p_share, 0, rule_payoff(state), PLAYERS, SHARE_SITE)
                    if es_fault_of_share(p_share, kind) != DONE:
                        result = es_fault_of_share(p_share, kind)
                    payoff = es_own(p_share, kind, mover)
                    p_payoffs[head] = -payoff if mover == 1 else payoff
                elif mover == -1:
                    result = HAS_CHANCE
            head += 1
        result = es_lack(p_counters, result, found, most_buffer, most_edges - edges, EDGES_FULL)
        if result != DONE:
            head = first
            break
        for item in range(found):
            key = es_load_key(p_buffer, item)
            slot = es_find(p_table, mask, key)
            if es_code(p_table, slot) == 0:
                result = NOT_LAYERED
            h_successors[edges + item] = h_numbers[slot]
        if result != DONE:
            head = first
            break
        edges += found
    p_offsets[head] = edges
    p_counters[HEAD] = head
    p_counters[EDGES] = edges
    return result
