"""Finding all keys, breadth first, and how large the numbers of the game are."""

from __future__ import annotations

from endsight.compiler.kernels.core import *
from endsight.compiler.kernels.shares import *

LEVEL_END, LEVELS = 4, 5
"""Counters: where the level of the next node ends, and levels begun."""

TOTAL, CHANCE, ENDED, LEAST_PAID, MOST_PAID, LEAST_SUM, MOST_SUM, LARGEST_GAIN, SHARE = range(9)
"""A measure: the largest sum of the weights of a key's moves, whether chance is met, and ends; the first player's least
and largest payoff, the least and the largest sum of the players' payoffs, and the largest gain without its sign; then
there is room for a share."""


def find_keys(keys: Keys, children: Children, work: Work, p_told: Numbers) -> int:
    """Every key reachable from the first, breadth first, without edges.

    Where the table is SHARED by threads, each expands nodes of one level, up to the counter TAIL;
    what they find goes to the end of the one `p_order`, which `p_told` counts. Where it only COUNTS,
    positions of chance are nodes like others, and where it MEASURES: then `p_told` is a measure.
    """
    p_table, mask, p_order, most_nodes = keys
    p_buffer, most_buffer = children
    p_data, p_counters, stop = work
    es_use_data(p_data)
    if p_counters[IS_SHARED] == 0:
        es_clear_fault()
    head = p_counters[HEAD]
    tail = p_counters[TAIL]
    edges = p_counters[EDGES]
    level_end = p_counters[LEVEL_END]
    levels = p_counters[LEVELS]
    result = DONE
    while head < tail:
        if head >= stop:
            result = STOPPED
            break
        if head == level_end:
            level_end = tail
            levels += 1
        first = head
        count = 0
        while head < level_end and head < stop and count < BATCH:
            key = es_load_key(p_order, head)
            state = es_state(key)
            mover = es_mover(key, state)
            before = count
            if MEASURES:
                count, result = es_add_measured(keys, children, key, state, mover, count, p_told, result)
            else:
                count = es_add_children(keys, children, key, state, mover, count)
                if MOVER_TOLD and not COUNTS and mover == -1 and count > before:
                    result = HAS_CHANCE
            head += 1
        room = most_nodes - (p_told[0] if SHARED else tail)
        result = es_lack(p_counters, result, count, most_buffer, room, NODES_FULL)
        if result != DONE:
            head = first
            break
        won = 0
        for item in range(count):
            key = es_load_key(p_buffer, item)
            slot = es_slot(key, mask)
            while True:
                code = es_settled_code(p_table, slot) if SHARED else es_code(p_table, slot)
                if code == 0:
                    if SHARED:
                        if not es_claim(p_table, slot, key):
                            continue
                        es_store_key(p_buffer, won, key)
                    else:
                        es_enter(p_table, slot, key, UNSET)
                        es_store_key(p_order, tail + won, key)
                    won += 1
                    break
                if es_is_at(p_table, slot, key):
                    break
                slot = (slot + 1) & mask
        if SHARED:
            first = es_count_up(p_told, won)
            for item in range(won):
                es_store_key(p_order, first + item, es_load_key(p_buffer, item))
        else:
            tail += won
        edges += count
    p_counters[HEAD] = head
    p_counters[TAIL] = tail
    p_counters[EDGES] = edges
    p_counters[LEVEL_END] = level_end
    p_counters[LEVELS] = levels
    return result


def es_add_measured(
    keys: Keys, children: Children, key: Key, state: State, mover: int, count: int, p_told: Numbers, met: int
) -> tuple[int, int]:
    """The same as `es_add_children`, and measure the state and its moves.

    Also gives NOT_OPPOSED where a move brings something to both players, else what was `met`.
    """
    before = count
    total = 0
    for move in rule_moves(state):
        if count < children.most_buffer:
            es_queue(keys.p_table, keys.mask, children.p_buffer, count, es_after(key, state, mover, move))
            total = es_add(total, es_weight(state, mover, move), VALUE_SITE)
            if HAS_REWARD:
                kind = es_write_share(p_told, SHARE, rule_reward(state, move), PLAYERS, SHARE_SITE)
                if es_sum_of_share(p_told, kind) != 0:
                    met = NOT_OPPOSED
                es_raise(p_told, LARGEST_GAIN, es_absolute(p_told[SHARE], VALUE_SITE))
        count += 1
    es_raise(p_told, TOTAL, total)
    if count == before:
        es_measure_end(p_told, state)
    elif mover == -1:
        p_told[CHANCE] = 1
    return (count, met)


def es_measure_end(p_told: Numbers, state: State) -> None:
    """Measure what an end pays."""
    kind = es_write_share(p_told, SHARE, rule_payoff(state), PLAYERS, SHARE_SITE)
    own = p_told[SHARE]
    both = es_sum_of_share(p_told, kind)
    if p_told[ENDED] == 0:
        p_told[ENDED] = 1
        p_told[LEAST_PAID] = own
        p_told[MOST_PAID] = own
        p_told[LEAST_SUM] = both
        p_told[MOST_SUM] = both
    p_told[LEAST_PAID] = min(own, p_told[LEAST_PAID])
    es_raise(p_told, MOST_PAID, own)
    p_told[LEAST_SUM] = min(both, p_told[LEAST_SUM])
    es_raise(p_told, MOST_SUM, both)


def es_raise(p_told: Numbers, place: int, number: int) -> None:
    """Let a measure be at least `number`."""
    if number > p_told[place]:
        p_told[place] = number


def es_sum_of_share(p_told: Numbers, kind: int) -> int:
    """What the players get together, 0 for one player; a single number is none for several, unless it is 0."""
    if PLAYERS == 1:
        return 0
    if kind == 0:
        es_fault_at(es_whole(p_told[SHARE] != 0), SHARE_SITE)
        return 0
    return es_add(p_told[SHARE], p_told[SHARE + 1], VALUE_SITE)
