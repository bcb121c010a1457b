"""Finding keys, and how large the numbers of the game are."""

from __future__ import annotations

from endsight.compiler.kernels.core import *
from endsight.compiler.kernels.shares import *


def measure_keys(keys: Keys, children: Children, work: Work, p_measure: Numbers, p_share: Numbers) -> int:
    """Every key that a list of keys leads to, as `forward` finds them, and how large the numbers of the game are.

    Measure: 0 the largest sum of the weights of a key's moves,
    1 whether chance is met, 2 ends met, 3 and 4 the first player's least and largest payoff, 5 and
    6 the least and the largest sum of the players' payoffs, 7 the largest gain without its sign.
    """
    p_table, mask, p_order, most_nodes = keys
    p_buffer, most_buffer = children
    p_data, p_counters, stop = work
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
        while head < stop and count < BATCH:
            key = es_load_key(p_order, head)
            state = es_state(key)
            mover = es_mover(key, state)
            before = count
            total = 0
            for move in rule_moves(state):
                if count < most_buffer:
                    after = es_after(key, state, mover, move)
                    es_store_key(p_buffer, count, after)
                    es_touch(p_table, es_slot(after, mask))
                    total = es_add(total, es_weight(state, mover, move), VALUE_SITE)
                    if HAS_REWARD:
                        kind = es_write_share(p_share, 0, rule_reward(state, move), PLAYERS, SHARE_SITE)
                        if es_sum_of_share(p_share, kind) != 0:
                            result = NOT_OPPOSED
                        es_raise(p_measure, 7, es_absolute(p_share[0], VALUE_SITE))
                count += 1
            es_raise(p_measure, 0, total)
            if count == before:
                kind = es_write_share(p_share, 0, rule_payoff(state), PLAYERS, SHARE_SITE)
                own = p_share[0]
                both = es_sum_of_share(p_share, kind)
                if p_measure[2] == 0:
                    p_measure[2] = 1
                    p_measure[3] = own
                    p_measure[4] = own
                    p_measure[5] = both
                    p_measure[6] = both
                p_measure[3] = min(own, p_measure[3])
                es_raise(p_measure, 4, own)
                p_measure[5] = min(both, p_measure[5])
                es_raise(p_measure, 6, both)
            elif mover == -1:
                p_measure[1] = 1
            head += 1
        lack = es_lack(p_counters, count, most_buffer, most_nodes - tail, NODES_FULL)
        if lack != DONE:
            result = lack
        if result != DONE:
            head = first
            break
        for item in range(count):
            key = es_load_key(p_buffer, item)
            slot = es_find(p_table, mask, key)
            if es_code(p_table, slot) == 0:
                es_enter(p_table, slot, key, UNSET)
                es_store_key(p_order, tail, key)
                tail += 1
        edges += count
    p_counters[HEAD] = head
    p_counters[TAIL] = tail
    p_counters[EDGES] = edges
    return result


def es_raise(p_measure: Numbers, place: int, number: int) -> None:
    """Let a measure be at least `number`."""
    if number > p_measure[place]:
        p_measure[place] = number


def es_sum_of_share(p_share: Numbers, kind: int) -> int:
    """What the players get together, 0 for one player; a single number is none for several, unless it is 0."""
    if PLAYERS == 1:
        return 0
    if kind == 0:
        es_fault_at(es_whole(p_share[0] != 0), SHARE_SITE)
        return 0
    return es_add(p_share[0], p_share[1], VALUE_SITE)
