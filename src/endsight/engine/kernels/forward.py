"""Finding all keys, breadth first, and how large the numbers of the game are."""

from __future__ import annotations

from endsight.compiler.kernels.batches import *
from endsight.compiler.kernels.shares import *

LEVEL_END, LEVELS = OWN, OWN + 1
"""Counters: where the level of the next node ends, and levels begun."""

TOTAL, CHANCE, ENDED, LEAST_PAID, MOST_PAID, LEAST_SUM, MOST_SUM, LARGEST_GAIN, SHARE = range(9)
"""A measure: the largest sum of the weights of a key's moves, whether chance is met, and ends; the first player's least
and largest payoff, the least and the largest sum of the players' payoffs, and the largest gain without its sign; then
there is room for a share."""


def find_keys(keys: Keys, children: Children, work: Work, p_measure: Numbers) -> int:
    """Every key reachable from the first, breadth first, without edges.

    Where the table is SHARED by threads, each expands nodes of one level, up to the counter TAIL;
    what they find goes to the end of the one `p_order`, which `p_measure` counts. Where it only COUNTS,
    positions of chance are nodes like others, and where it MEASURES: then `p_measure` is a measure.
    """
    p_counters = work.p_counters
    result = es_begin(work)
    while result == DONE and p_counters[HEAD] < p_counters[TAIL]:
        if p_counters[HEAD] >= work.stop:
            return STOPPED
        if p_counters[HEAD] == p_counters[LEVEL_END]:
            p_counters[LEVEL_END] = p_counters[TAIL]
            p_counters[LEVELS] += 1
        result = es_expand_batches(keys, children, p_measure, work, p_counters[LEVEL_END])
    return result


def es_expand(keys: Keys, children: Children, p_measure: Numbers, p_counters: Numbers, node: Node, count: int) -> int:
    """Find the children of a key."""
    if MEASURES:
        return es_add_measured(keys, children, p_measure, p_counters, node, count)
    _, _, state, mover = node
    end = es_add_children(keys, children, state, mover, count)
    if HAS_MOVER and not COUNTS and mover == -1 and end > count:
        p_counters[FOUND] = HAS_CHANCE
    return end


def es_enter_children(keys: Keys, children: Children, p_measure: Numbers, p_counters: Numbers, batch: Batch) -> int:
    """Enter the children that are new."""
    _, _, count = batch
    tail = p_measure[0] if SHARED else p_counters[TAIL]
    if count > keys.most_nodes - tail:
        return NODES_FULL
    new = 0
    for item in range(count):
        key = es_load_key(children.p_buffer, item)
        if es_enter_new(keys, key):
            if SHARED:
                es_store_key(children.p_buffer, new, key)
            else:
                es_store_key(keys.p_order, tail + new, key)
            new += 1
    if SHARED:
        first = es_count_up(p_measure, new)
        for item in range(new):
            es_store_key(keys.p_order, first + item, es_load_key(children.p_buffer, item))
    else:
        p_counters[TAIL] = tail + new
    p_counters[EDGES] += count
    return DONE


def es_enter_new(keys: Keys, key: Key) -> bool:
    """Enter a key, unless it is in the table; whether it is new."""
    slot = es_slot(key, keys.mask)
    while True:
        code = es_code_acquire(keys.p_table, slot) if SHARED else es_code(keys.p_table, slot)
        if code == 0:
            if not SHARED:
                es_enter(keys.p_table, slot, key, UNSET)
                return True
            if es_claim(keys.p_table, slot, key):
                return True
        elif es_is_at(keys.p_table, slot, key):
            return False
        else:
            slot = (slot + 1) & keys.mask


def es_add_measured(
    keys: Keys, children: Children, p_measure: Numbers, p_counters: Numbers, node: Node, count: int
) -> int:
    """The same as `es_add_children`, and measure the state and its moves, which may not bring something to both."""
    _, _, state, mover = node
    before = count
    total = 0
    for move in rule_moves(state):
        if count < children.most_buffer:
            es_queue(keys.p_table, keys.mask, children.p_buffer, count, es_after(state, mover, move))
            total = es_add(total, es_weight(state, mover, move), VALUE_SITE)
            if HAS_REWARD:
                kind = es_write_share(p_measure, SHARE, rule_reward(state, move), PLAYERS, SHARE_SITE)
                if es_sum_of_share(p_measure, kind) != 0:
                    p_counters[FOUND] = NOT_OPPOSED
                p_measure[LARGEST_GAIN] = max(es_absolute(p_measure[SHARE], VALUE_SITE), p_measure[LARGEST_GAIN])
        count += 1
    p_measure[TOTAL] = max(total, p_measure[TOTAL])
    if count == before:
        es_measure_end(p_measure, state)
    elif mover == -1:
        p_measure[CHANCE] = 1
    return count


def es_measure_end(p_measure: Numbers, state: State) -> None:
    """Measure what an end pays."""
    kind = es_write_share(p_measure, SHARE, rule_payoff(state), PLAYERS, SHARE_SITE)
    own = p_measure[SHARE]
    both = es_sum_of_share(p_measure, kind)
    if p_measure[ENDED] == 0:
        p_measure[ENDED] = 1
        p_measure[LEAST_PAID] = own
        p_measure[MOST_PAID] = own
        p_measure[LEAST_SUM] = both
        p_measure[MOST_SUM] = both
    p_measure[LEAST_PAID] = min(own, p_measure[LEAST_PAID])
    p_measure[MOST_PAID] = max(own, p_measure[MOST_PAID])
    p_measure[LEAST_SUM] = min(both, p_measure[LEAST_SUM])
    p_measure[MOST_SUM] = max(both, p_measure[MOST_SUM])


def es_sum_of_share(p_measure: Numbers, kind: int) -> int:
    """What the players get together, 0 for one player; a single number is none for several, unless it is 0."""
    if PLAYERS == 1:
        return 0
    if kind == 0:
        es_fault_at(es_whole(p_measure[SHARE] != 0), SHARE_SITE)
        return 0
    return es_add(p_measure[SHARE], p_measure[SHARE + 1], VALUE_SITE)
