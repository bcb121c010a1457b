"""Search from both ends: the most that one player can get from a position on, where no move brings more than 0.

Source: I. Pohl, "Bi-directional search", Machine Intelligence 6 (1971), 127-140: of the two sides the one with fewer
open nodes goes on (cardinality comparison). T. A. J. Nicholson, "Finding the shortest route between two points in a
network", The Computer Journal 9 (1966), 275-280, for the end: no play brings more than the best one that was met once
the best totals of both sides together do not. Totals are gains, so the first node is the one with the largest.
"""

from __future__ import annotations

from typing import NamedTuple

from endsight.engine.kernels.lines import *

OPEN, BEST, MEETING, ROOTS = OWN, OWN + 2, OWN + 3, OWN + 4
"""Counters: how many entries the heap of each side has; the most that play found so far brings, NONE where none was,
and the node at which its sides meet; how many keys the search begins with."""

AHEAD, BACK = 0, 1
"""The side of the position, and that of the ends."""


class Sides(NamedTuple):
    """What each side knows.

    h_numbers  of nodes, by slots of the table
    p_labels   for each node and side the most that play on that side brings, and the node that it comes from, plus 2:
               1 where it begins, 0 where the side has not come yet
    p_open     a heap for each side with room for `most_open` entries, a total and a node each; entries whose node has
               a better total by now are passed by
    """

    h_numbers: Numbers
    p_labels: Numbers
    p_open: Numbers
    most_open: int


class Steps(NamedTuple):
    """Room for the keys that one step leads to, and what the step brings."""

    p_buffer: Numbers
    p_gains: Numbers
    most_buffer: int


def meet_between(keys: Keys, sides: Sides, steps: Steps, p_share: Numbers, work: Work) -> int:
    """Find the play from the first key to an end that brings most.

    HEAD counts the nodes expanded, TAIL those found, EDGES the steps. At first the buffer holds the key of the position
    and those of all ends.
    """
    result = es_begin(work)
    if work.p_counters[TAIL] == 0:
        result = es_set_out(keys, sides, steps, p_share, work.p_counters)
    while result == DONE and es_may_improve(sides, work.p_counters):
        if work.p_counters[HEAD] >= work.stop:
            return STOPPED
        side = es_whole(work.p_counters[OPEN + BACK] < work.p_counters[OPEN])
        result = es_expand_first(keys, sides, steps, p_share, work.p_counters, side)
    return result


def es_may_improve(sides: Sides, p_counters: Numbers) -> bool:
    """Whether play that was not met yet may bring more than the best."""
    if p_counters[OPEN] == 0 or p_counters[OPEN + BACK] == 0:
        return False
    return sides.p_open[0] + sides.p_open[es_heap(sides, BACK)] > p_counters[BEST]


def es_set_out(keys: Keys, sides: Sides, steps: Steps, p_share: Numbers, p_counters: Numbers) -> int:
    """Open the position, and each end with what it pays; states that have moves are no ends."""
    es_reach(keys, sides, p_counters, AHEAD, -1, es_load_key(steps.p_buffer, 0), 0)
    for item in range(1, p_counters[ROOTS]):
        key = es_load_key(steps.p_buffer, item)
        state = es_state(key)
        if es_replies(state) == 0:
            es_reach(keys, sides, p_counters, BACK, -1, key, es_payoff(state, 0, p_share, p_counters))
    return es_result(p_counters)


def es_expand_first(keys: Keys, sides: Sides, steps: Steps, p_share: Numbers, p_counters: Numbers, side: int) -> int:
    """Go on from the open node of a side with the best total."""
    first = es_heap(sides, side)
    total, node = sides.p_open[first], sides.p_open[first + 1]
    if total < sides.p_labels[es_label(node, side)]:
        es_close_first(sides, p_counters, side)
        return DONE
    key = es_load_key(keys.p_order, node)
    if side == AHEAD:
        count = es_steps_ahead(keys, steps, p_share, p_counters, key)
    else:
        count = es_steps_back(keys, steps, p_share, p_counters, key)
    result = es_shortage(keys, sides, steps, p_counters, p_counters[OPEN + side], count)
    if result != DONE:
        return result
    es_close_first(sides, p_counters, side)
    for item in range(count):
        es_reach(keys, sides, p_counters, side, node, es_load_key(steps.p_buffer, item), total + steps.p_gains[item])
    p_counters[HEAD] += 1
    p_counters[EDGES] += count
    return es_result(p_counters)


def es_shortage(keys: Keys, sides: Sides, steps: Steps, p_counters: Numbers, entries: int, count: int) -> int:
    """What there is too little room of for so many steps, or a fault."""
    p_counters[NEEDED] = count
    if count > steps.most_buffer:
        return BUFFER_FULL
    if p_counters[TAIL] + count > keys.most_nodes:
        return NODES_FULL
    return EDGES_FULL if entries + count > sides.most_open else es_result(p_counters)


def es_steps_ahead(keys: Keys, steps: Steps, p_share: Numbers, p_counters: Numbers, key: Key) -> int:
    """The steps that moves are; their number."""
    state = es_state(key)
    count = 0
    for move in rule_moves(state):
        if count < steps.most_buffer:
            es_queue(keys.p_table, keys.mask, steps.p_buffer, count, es_played(state, 0, move))
            steps.p_gains[count] = es_gain(state, 0, move, p_share, p_counters)
        count += 1
    return count


def es_steps_back(keys: Keys, steps: Steps, p_share: Numbers, p_counters: Numbers, key: Key) -> int:
    """The steps back to states from which a move leads to that key; their number."""
    count = 0
    for before in rule_before(es_state(key)):
        gain = es_gain_to(before, key, p_share, p_counters)
        if gain != NONE and count < steps.most_buffer:
            es_queue(keys.p_table, keys.mask, steps.p_buffer, count, es_packed(before, 0))
            steps.p_gains[count] = gain
        count += es_whole(gain != NONE)
    return count


def es_gain_to(state: State, key: Key, p_share: Numbers, p_counters: Numbers) -> int:
    """What the best move of a state that leads to that key brings; NONE where no move does."""
    most = NONE
    for move in rule_moves(state):
        if es_played(state, 0, move) == key:
            most = max(most, es_gain(state, 0, move, p_share, p_counters))
    return most


def es_reach(keys: Keys, sides: Sides, p_counters: Numbers, side: int, origin: int, key: Key, total: int) -> None:
    """Open a key for a side, unless it knows a total as good; note where both sides meet."""
    es_fault_at(es_whole(total < LEAST), VALUE_SITE)
    node = es_node(keys, sides, p_counters, key)
    label, other = es_label(node, side), es_label(node, 1 - side)
    if sides.p_labels[label + 1] == 0 or sides.p_labels[label] < total:
        sides.p_labels[label] = total
        sides.p_labels[label + 1] = origin + 2
        es_open(sides, p_counters, side, total, node)
        if sides.p_labels[other + 1] != 0 and total + sides.p_labels[other] > p_counters[BEST]:
            p_counters[BEST] = total + sides.p_labels[other]
            p_counters[MEETING] = node


def es_node(keys: Keys, sides: Sides, p_counters: Numbers, key: Key) -> int:
    """The number of a key, a new one if it was not found before."""
    slot = es_find(keys.p_table, keys.mask, key)
    if es_code(keys.p_table, slot) == 0:
        es_enter(keys.p_table, slot, key, UNSET)
        sides.h_numbers[slot] = p_counters[TAIL]
        es_store_key(keys.p_order, p_counters[TAIL], key)
        p_counters[TAIL] += 1
    return sides.h_numbers[slot]


def es_label(node: int, side: int) -> int:
    """Where a side's label of a node stands."""
    return 2 * (2 * node + side)


def es_heap(sides: Sides, side: int) -> int:
    """Where the heap of a side begins."""
    return 2 * sides.most_open * side


def es_open(sides: Sides, p_counters: Numbers, side: int, total: int, node: int) -> None:
    """Put an entry into the heap of a side."""
    p_open, first, at = sides.p_open, es_heap(sides, side), p_counters[OPEN + side]
    p_counters[OPEN + side] += 1
    while at > 0 and es_comes_before(p_open, total, node, first + (at - 1) // 2 * 2):
        es_move_entry(p_open, first + (at - 1) // 2 * 2, first + 2 * at)
        at = (at - 1) // 2
    p_open[first + 2 * at] = total
    p_open[first + 2 * at + 1] = node


def es_close_first(sides: Sides, p_counters: Numbers, side: int) -> None:
    """Take the first entry out of the heap of a side."""
    p_open, first = sides.p_open, es_heap(sides, side)
    p_counters[OPEN + side] -= 1
    count, at, below = p_counters[OPEN + side], 0, 1
    total, node = p_open[first + 2 * count], p_open[first + 2 * count + 1]
    while below < count:
        entry = first + 2 * below
        if below + 1 < count and es_comes_before(p_open, p_open[entry + 2], p_open[entry + 3], entry):
            below += 1
            entry += 2
        if es_comes_before(p_open, total, node, entry):
            break
        es_move_entry(p_open, entry, first + 2 * at)
        at, below = below, 2 * below + 1
    p_open[first + 2 * at] = total
    p_open[first + 2 * at + 1] = node


def es_comes_before(p_open: Numbers, total: int, node: int, entry: int) -> bool:
    """Whether an entry comes before another: by larger totals, then by earlier nodes."""
    return total > p_open[entry] or (total == p_open[entry] and node < p_open[entry + 1])


def es_move_entry(p_open: Numbers, source: int, target: int) -> None:
    """Copy an entry."""
    p_open[target] = p_open[source]
    p_open[target + 1] = p_open[source + 1]
