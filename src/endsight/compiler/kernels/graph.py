"""Exploring: every position with all edges."""

from __future__ import annotations

from typing import NamedTuple

from endsight.compiler.kernels.batches import *
from endsight.compiler.kernels.shares import *

PAYOFF_KIND, REWARD_KIND, MOVE_WIDTH = range(OWN, OWN + 3)
"""Counters: whether payoffs and rewards are tuples, and the words of a move, 0 for a number."""


class FoundGraph(NamedTuple):
    """Nodes and edges as `endsight.engine.exploring.Arrays` has them; there is room for `most_edges`.

    h_numbers  of nodes, by slots of the table
    """

    h_numbers: Numbers
    p_offsets: Numbers
    b_movers: Numbers
    p_payoffs: Numbers
    h_successors: Numbers
    p_moves: Numbers
    p_weights: Numbers
    p_rewards: Numbers
    most_edges: int


def explore_graph(keys: Keys, found: FoundGraph, children: Children, work: Work) -> int:
    """Every position reachable from the first, breadth first, with all edges.

    The result is DONE, STOPPED (at `stop` nodes) or what there is too little of.
    """
    result = es_begin(work)
    while result == DONE and work.p_counters[HEAD] < work.p_counters[TAIL]:
        result = es_expand_batches(keys, children, found, work, work.p_counters[TAIL])
    return result


def es_expand(keys: Keys, children: Children, found: FoundGraph, p_counters: Numbers, node: Node, count: int) -> int:
    """Write down a node and its moves."""
    place, _, state, mover = node
    edge = p_counters[EDGES] + count
    found.p_offsets[place] = edge
    found.b_movers[place] = mover
    for move in rule_moves(state):
        if count < children.most_buffer and edge < found.most_edges:
            es_queue(keys.p_table, keys.mask, children.p_buffer, count, es_after(state, mover, move))
            es_write_edge(found, p_counters, edge, state, mover, move)
        count += 1
        edge += 1
    if edge == found.p_offsets[place]:
        kind = es_write_share(found.p_payoffs, place * PLAYERS, rule_payoff(state), PLAYERS, SHARE_SITE)
        es_refuse_lone(kind, found.p_payoffs[place * PLAYERS])
        p_counters[PAYOFF_KIND] = kind
    return count


def es_write_edge(found: FoundGraph, p_counters: Numbers, edge: int, state: State, mover: int, move: Move) -> None:
    """Write down a move, its weight and its reward."""
    p_counters[MOVE_WIDTH] = es_width(move)
    if MOVE_WORDS != 0:
        es_write_move(found.p_moves, edge * MOVE_WORDS, move)
    elif edge + es_width(move) <= found.most_edges:
        # Numbers, or tuples of a width that is about to be told: then all is written again.
        es_write_move(found.p_moves, edge, move)
    if HAS_WEIGHT:
        found.p_weights[edge] = es_weight(state, mover, move)
    if HAS_REWARD:
        kind = es_write_share(found.p_rewards, edge * PLAYERS, rule_reward(state, move), PLAYERS, SHARE_SITE)
        es_refuse_lone(kind, found.p_rewards[edge * PLAYERS])
        p_counters[REWARD_KIND] = kind


def es_refuse_lone(kind: int, amount: int) -> None:
    """A fault where one number that is not 0 stands for several players, but for two who alternate."""
    if kind == 0 and PLAYERS > 2 - HAS_MOVER:
        es_fault_at(es_whole(amount != 0), SHARE_SITE)


def es_enter_children(keys: Keys, children: Children, found: FoundGraph, p_counters: Numbers, batch: Batch) -> int:
    """Number the children that are new, and write down which child every edge leads to."""
    head, nodes, count = batch
    edges = p_counters[EDGES]
    tail = p_counters[TAIL]
    if count > found.most_edges - edges:
        return EDGES_FULL
    if count > keys.most_nodes - tail:
        return NODES_FULL
    for item in range(count):
        key = es_load_key(children.p_buffer, item)
        slot = es_find(keys.p_table, keys.mask, key)
        if es_code(keys.p_table, slot) == 0:
            es_enter(keys.p_table, slot, key, UNSET)
            found.h_numbers[slot] = tail
            es_store_key(keys.p_order, tail, key)
            tail += 1
        found.h_successors[edges + item] = found.h_numbers[slot]
    p_counters[TAIL] = tail
    p_counters[EDGES] = edges + count
    found.p_offsets[head + nodes] = edges + count
    return DONE
