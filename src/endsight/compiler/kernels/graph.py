"""Exploring: every position with all edges."""

from __future__ import annotations

from typing import NamedTuple

from endsight.compiler.kernels.core import *
from endsight.compiler.kernels.shares import *

PAYOFF_KIND, REWARD_KIND, MOVE_WIDTH = 5, 6, 7
"""Counters: whether payoffs and rewards are tuples, and the words of a move, 0 for a number."""


class Found(NamedTuple):
    """Nodes and edges as `endsight.compiler.exploring.Arrays` has them; there is room for `most_edges`."""

    p_offsets: Numbers
    b_movers: Numbers
    p_payoffs: Numbers
    h_successors: Numbers
    p_moves: Numbers
    p_weights: Numbers
    p_rewards: Numbers
    most_edges: int


def explore_graph(keys: Keys, h_numbers: Numbers, found: Found, children: Children, work: Work) -> int:
    """Every position reachable from the first, breadth first, with all edges.

    The result is DONE, STOPPED (at `stop` nodes) or what there is too little of.
    """
    p_table, mask, p_order, most_nodes = keys
    p_buffer, most_buffer = children
    p_data, p_counters, stop = work
    p_offsets, b_movers, p_payoffs, h_successors, p_moves, p_weights, p_rewards, most_edges = found
    es_use_data(p_data)
    es_clear_fault()
    head = p_counters[HEAD]
    tail = p_counters[TAIL]
    edges = p_counters[EDGES]
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
            b_movers[head] = mover
            p_offsets[head] = edges + count
            before = count
            for move in rule_moves(state):
                if count < most_buffer and edges + count < most_edges:
                    es_queue(p_table, mask, p_buffer, count, es_after(key, state, mover, move))
                    if MOVE_WORDS == 0:
                        # Numbers, or tuples of a width that is about to be told: then all is written again.
                        if edges + count + es_width(move) <= most_edges:
                            es_write_move(p_moves, edges + count, move)
                    else:
                        es_write_move(p_moves, (edges + count) * MOVE_WORDS, move)
                    p_counters[MOVE_WIDTH] = es_width(move)
                    if HAS_WEIGHT:
                        p_weights[edges + count] = es_weight(state, mover, move)
                    if HAS_REWARD:
                        kind = es_write_share(
                            p_rewards, (edges + count) * PLAYERS, rule_reward(state, move), PLAYERS, SHARE_SITE
                        )
                        p_counters[REWARD_KIND] = kind
                count += 1
            if count == before:
                kind = es_write_share(p_payoffs, head * PLAYERS, rule_payoff(state), PLAYERS, SHARE_SITE)
                p_counters[PAYOFF_KIND] = kind
            head += 1
        result = es_lack(p_counters, result, count, most_buffer, most_edges - edges, EDGES_FULL)
        if result == DONE:
            result = es_lack(p_counters, result, count, most_buffer, most_nodes - tail, NODES_FULL)
        if result != DONE:
            head = first
            break
        for item in range(count):
            key = es_load_key(p_buffer, item)
            slot = es_find(p_table, mask, key)
            if es_code(p_table, slot) == 0:
                es_enter(p_table, slot, key, UNSET)
                h_numbers[slot] = tail
                es_store_key(p_order, tail, key)
                tail += 1
            h_successors[edges + item] = h_numbers[slot]
        edges += count
    p_offsets[head] = edges
    p_counters[HEAD] = head
    p_counters[TAIL] = tail
    p_counters[EDGES] = edges
    return result
