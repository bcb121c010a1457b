"""Lower and upper bounds of keys from those of their children."""

from __future__ import annotations

from typing import NamedTuple

from endsight.compiler.kernels.batches import *
from endsight.compiler.kernels.shares import *


class KnownBounds(NamedTuple):
    """Bounds in units of 2^-bits, two of each key: `p_known` of children by their numbers, `p_bounds` of the keys.

    h_numbers  of the children, by slots of the table
    limit      no bound may be larger, nor smaller than its negative
    """

    h_numbers: Numbers
    p_known: Numbers
    p_bounds: Numbers
    bits: int
    limit: int


class KeyedNodes(NamedTuple):
    """Room for some keys at a time as nodes, and for their edges: see `endsight.graph.kernel_numbers.Edges`.

    p_share  room for a payoff or reward
    """

    p_offsets: Numbers
    h_children: Numbers
    p_weights: Numbers
    b_signs: Numbers
    p_gains: Numbers
    p_share: Numbers


def find_bounds(keys: Keys, known: KnownBounds, arena: KeyedNodes, children: Children, work: Work) -> int:
    """Lower and upper bounds of a list of keys, from those of all their children.

    Some keys at a time become an arena of their own, whose nodes are backed up as those of a
    whole one are. The result is TOO_LONG where a bound passes the limit.
    """
    es_begin(work)
    return es_expand_batches(keys, children, (known, arena), work, work.p_counters[TAIL])


def es_expand(
    keys: Keys, children: Children, own: tuple[KnownBounds, KeyedNodes], p_counters: Numbers, node: Node, count: int
) -> int:
    """Put a node and its moves into the arena; the bounds of an end are what it pays."""
    known, arena = own
    place, _, state, mover = node
    at = place - p_counters[HEAD]
    arena.p_offsets[at] = count
    arena.b_signs[at] = 1 if mover == 0 else -1 if mover > 0 else 0
    for move in rule_moves(state):
        if count < children.most_buffer:
            es_queue(keys.p_table, keys.mask, children.p_buffer, count, es_after(state, mover, move))
            arena.p_weights[count] = es_weight(state, mover, move)
            if HAS_REWARD:
                es_write_share(arena.p_share, 0, rule_reward(state, move), PLAYERS, SHARE_SITE)
                arena.p_gains[count] = arena.p_share[0] << known.bits
        count += 1
    if count == arena.p_offsets[at]:
        es_write_share(arena.p_share, 0, rule_payoff(state), PLAYERS, SHARE_SITE)
        known.p_bounds[2 * place] = arena.p_share[0] << known.bits
        known.p_bounds[2 * place + 1] = arena.p_share[0] << known.bits
    arena.p_offsets[at + 1] = count
    return count


def es_enter_children(
    keys: Keys, children: Children, own: tuple[KnownBounds, KeyedNodes], _: Numbers, batch: Batch
) -> int:
    """Look up all children, and then back up every node."""
    head, nodes, count = batch
    known, arena = own
    for item in range(count):
        slot = es_find(keys.p_table, keys.mask, es_load_key(children.p_buffer, item))
        if es_code(keys.p_table, slot) == 0:
            return NOT_LAYERED
        arena.h_children[item] = known.h_numbers[slot]
    p_offsets, h_children, p_weights, b_signs, p_gains, _ = arena
    edges = (p_offsets, h_children, p_weights, HAS_WEIGHT, b_signs, p_gains, HAS_REWARD)
    for node in range(nodes):
        at = 2 * (head + node)
        low = known.p_bounds[at]
        high = known.p_bounds[at + 1]
        if p_offsets[node] < p_offsets[node + 1]:
            low, high = backed_up(node, edges, known.p_known)
        if low < -known.limit or high > known.limit:
            return TOO_LONG
        known.p_bounds[at] = low
        known.p_bounds[at + 1] = high
    return DONE
