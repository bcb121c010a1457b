"""The edges of one layer."""

from __future__ import annotations

from typing import NamedTuple

from endsight.compiler.kernels.batches import *
from endsight.compiler.kernels.shares import *


class OwnEdges(NamedTuple):
    """The edges of the first `nodes` keys of a list: see `endsight.layers.parts.Inside`.

    h_numbers     of all keys, by slots of the table
    h_successors  room for `most_edges`
    p_share       room for a payoff
    """

    nodes: int
    h_numbers: Numbers
    p_offsets: Numbers
    b_movers: Numbers
    p_payoffs: Numbers
    h_successors: Numbers
    most_edges: int
    p_share: Numbers


def find_edges(keys: Keys, own: OwnEdges, children: Children, work: Work) -> int:
    """The edges of the first keys of a list, all of whose children are in the list and in the table.

    Where the rules PAY, payoffs are the first player's, and must be opposed.
    """
    es_begin(work)
    return es_expand_batches(keys, children, own, work, own.nodes)


def es_expand(keys: Keys, children: Children, own: OwnEdges, p_counters: Numbers, node: Node, count: int) -> int:
    """Write down a node, and what it pays if it is an end."""
    place, _, state, mover = node
    own.b_movers[place] = mover
    own.p_offsets[place] = p_counters[EDGES] + count
    end = es_add_children(keys, children, state, mover, count)
    if PAYS:
        if end == count:
            kind = es_write_share(own.p_share, 0, rule_payoff(state), PLAYERS, SHARE_SITE)
            payoff = es_amount(own.p_share, kind, mover, p_counters)
            own.p_payoffs[place] = -payoff if mover == 1 else payoff
        elif mover == -1:
            p_counters[FOUND] = HAS_CHANCE
    return end


def es_enter_children(keys: Keys, children: Children, own: OwnEdges, p_counters: Numbers, batch: Batch) -> int:
    """Write down which child every edge leads to."""
    head, nodes, count = batch
    edges = p_counters[EDGES]
    if count > own.most_edges - edges:
        return EDGES_FULL
    for item in range(count):
        slot = es_find(keys.p_table, keys.mask, es_load_key(children.p_buffer, item))
        if es_code(keys.p_table, slot) == 0:
            return NOT_LAYERED
        own.h_successors[edges + item] = own.h_numbers[slot]
    p_counters[EDGES] = edges + count
    own.p_offsets[head + nodes] = edges + count
    return DONE
