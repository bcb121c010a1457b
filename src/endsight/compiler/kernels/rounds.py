"""The rounds of one layer: chance, and what players make of each outcome."""

from __future__ import annotations

from typing import NamedTuple

from endsight.compiler.kernels.core import *
from endsight.compiler.kernels.shares import *

LEAVES, GROUPS, CHILDREN, ENDS, LACK, PAYOFF_KIND, HEAVIEST = range(2, 9)
"""Counters: leaves (states of later layers), groups, children, ends, room needed in the buffer or the fault's site,
whether payoffs are tuples, and the largest sum of weights."""


class Leaves(NamedTuple):
    """States of later layers, and their layers."""

    p_leaves: Numbers
    h_layers: Numbers
    most_leaves: int


class Groups(NamedTuple):
    """Rounds as `endsight.compiler.round_exploring.Rounds` has them; written where `keeps` is not 0."""

    p_offsets: Numbers
    h_groups: Numbers
    h_weights: Numbers
    b_movers: Numbers
    most_groups: int
    h_children: Numbers
    most_children: int
    keeps: int


class Ends(NamedTuple):
    """Nodes where the game is over, and what it pays there."""

    h_ends: Numbers
    p_payoffs: Numbers
    most_ends: int


class Outcomes(NamedTuple):
    """What chance brings at one node: keys, weights, where their children begin, who chooses, and the children."""

    p_outcomes: Numbers
    p_ways: Numbers
    p_firsts: Numbers
    p_who: Numbers
    p_buffer: Numbers
    b_turned: Numbers
    most_buffer: int


def find_rounds(
    keys: Keys, h_numbers: Numbers, later: Leaves, rounds: Groups, over: Ends, chance: Outcomes, layer: int, work: Work
) -> int:
    """The rounds of one layer: what chance brings at every node, and what players make of each outcome.

    A node's groups are its outcomes; a group has the children
    among which its player chooses (one where nobody does): node n as 2 n, or leaf k as
    -1 - 2 k, the number 2 n or 2 k being one larger where the child stands there with the
    players exchanged.
    """
    p_table, mask, p_order, most_nodes = keys
    p_leaves, h_layers, most_leaves = later
    p_offsets, h_groups, h_weights, b_movers, most_groups, h_children, most_children, keeps = rounds
    h_ends, p_payoffs, most_ends = over
    p_outcomes, p_ways, p_firsts, p_who, p_buffer, b_turned, most_buffer = chance
    p_data, p_counters, stop = work
    es_use_data(p_data)
    es_clear_fault()
    head = p_counters[HEAD]
    tail = p_counters[TAIL]
    leaves = p_counters[LEAVES]
    groups = p_counters[GROUPS]
    children = p_counters[CHILDREN]
    ends = p_counters[ENDS]
    result = DONE
    while head < tail:
        if head >= stop:
            result = STOPPED
            break
        key = es_load_key(p_order, head)
        state = es_state(key)
        mover = es_mover(key, state)
        outcomes = 0
        total = 0
        for move in rule_moves(state):
            if outcomes < most_buffer:
                weight = es_weight(state, mover, move)
                es_store_key(p_outcomes, outcomes, es_after(key, state, mover, move))
                p_ways[outcomes] = weight
                total += weight
            outcomes += 1
        count = 0
        own = 0
        if outcomes <= most_buffer:
            if mover >= 0:
                for item in range(outcomes):
                    es_seat(p_table, mask, chance, item, es_load_key(p_outcomes, item))
                count = outcomes
                total = 1
                p_firsts[0] = 0
                p_ways[0] = 1
                p_who[0] = mover
                own = 1 if outcomes > 0 else 0
            else:
                for item in range(outcomes):
                    between = es_load_key(p_outcomes, item)
                    then = es_state(between)
                    who = es_mover(between, then)
                    before = count
                    if who >= 0:
                        for move in rule_moves(then):
                            if count < most_buffer:
                                es_seat(p_table, mask, chance, count, es_after(between, then, who, move))
                            count += 1
                    if count == before:
                        who = -1
                        if count < most_buffer:
                            es_seat(p_table, mask, chance, count, between)
                        count += 1
                    p_firsts[item] = before
                    p_who[item] = who
                own = outcomes
        if outcomes > most_buffer or count > most_buffer:
            p_counters[LACK] = max(outcomes, count)
            result = BUFFER_FULL
        elif tail + count > most_nodes or leaves + count > most_leaves:
            p_counters[LACK] = count
            result = NODES_FULL
        elif keeps != 0 and (groups + own >= most_groups or children + count > most_children):
            p_counters[LACK] = count
            result = EDGES_FULL
        elif ends >= most_ends:
            result = STACK_FULL
        elif total >= (1 << 30):
            result = TOO_LONG
        elif es_fault() != 0:
            p_counters[LACK] = es_fault()
            result = FAULT
        if result != DONE:
            break
        if outcomes == 0:
            kind = es_write_share(p_payoffs, ends * PLAYERS, rule_payoff(state), PLAYERS, SHARE_SITE)
            p_counters[PAYOFF_KIND] = kind
            h_ends[ends] = head
            ends += 1
        for item in range(count):
            after = es_load_key(p_buffer, item)
            slot = es_find(p_table, mask, after)
            if es_code(p_table, slot) == 0:
                where = es_whole(rule_layer(es_state(after)))
                if where == layer:
                    es_enter(p_table, slot, after, UNSET)
                    h_numbers[slot] = tail
                    es_store_key(p_order, tail, after)
                    tail += 1
                else:
                    if where < layer:
                        result = NOT_LAYERED
                    es_enter(p_table, slot, after, SET)
                    h_numbers[slot] = leaves
                    es_store_key(p_leaves, leaves, after)
                    h_layers[leaves] = where
                    leaves += 1
            child = 2 * h_numbers[slot]
            if es_code(p_table, slot) == SET:
                child = -1 - child
            if keeps != 0:
                turned = b_turned[item]
                h_children[children + item] = child + turned if child >= 0 else child - turned
        if result != DONE:
            break
        if keeps != 0:
            p_offsets[head] = groups
            for item in range(own):
                h_groups[groups + item] = children + p_firsts[item]
                h_weights[groups + item] = p_ways[item]
                b_movers[groups + item] = p_who[item]
            groups += own
            children += count
            p_offsets[head + 1] = groups
            h_groups[groups] = children
        if total > p_counters[HEAVIEST]:
            p_counters[HEAVIEST] = total
        head += 1
    p_counters[HEAD] = head
    p_counters[TAIL] = tail
    p_counters[LEAVES] = leaves
    p_counters[GROUPS] = groups
    p_counters[CHILDREN] = children
    p_counters[ENDS] = ends
    return result


def es_seat(p_table: Numbers, mask: int, chance: Outcomes, at: int, key: Key) -> None:
    """Put a child among those that will be looked up, as it is kept, and whether its players are exchanged there."""
    seated = es_seated(key)
    chance.b_turned[at] = es_whole(seated != key)
    es_queue(p_table, mask, chance.p_buffer, at, seated)
