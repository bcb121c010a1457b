"""Solving keys backwards: one number for each."""

from __future__ import annotations

from typing import NamedTuple

from endsight.compiler.kernels.core import *
from endsight.compiler.kernels.shares import *


class Values(NamedTuple):
    """Where values are kept beside a table: 32-bit scores, or plain values; `top` is the score of a game just won."""

    h_scores: Numbers
    p_values: Numbers
    top: int


class MoveRoom(NamedTuple):
    """What moves bring: signs and gains of children, how many of them each key has, and one share."""

    p_signs: Numbers
    p_gains: Numbers
    p_counts: Numbers
    p_share: Numbers


def solve_keys(keys: Keys, values: Values, children: Children, moves: MoveRoom, work: Work) -> int:
    """Values of all keys, last found first; every move must lead to a key found later.

    A score of a game won, drawn or lost is top - distance, 0 or distance - top, seen by the
    mover: the larger the better. The counter HEAD is how many nodes are left.
    """
    p_table, mask, p_order, _ = keys
    p_buffer, most_buffer = children
    p_data, p_counters, stop = work
    h_scores, p_values, top = values
    p_signs, p_gains, p_counts, p_share = moves
    es_use_data(p_data)
    if p_counters[IS_SHARED] == 0:
        es_clear_fault()
    left = p_counters[HEAD]
    result = DONE
    while left > 0:
        if left <= stop:
            result = STOPPED
            break
        first = left
        count = 0
        nodes = 0
        while left > stop and count < BATCH and nodes < BATCH:
            key = es_load_key(p_order, left - 1)
            state = es_state(key)
            mover = es_mover(key, state)
            before = count
            for move in rule_moves(state):
                if count < most_buffer:
                    after = es_after(key, state, mover, move)
                    es_queue(p_table, mask, p_buffer, count, after)
                    if MOVER_TOLD:
                        p_signs[count] = es_sign(after, mover)
                    if HAS_REWARD:
                        kind = es_write_share(p_share, 0, rule_reward(state, move), PLAYERS, SHARE_SITE)
                        p_gains[count] = es_own(p_share, kind, mover)
                        if es_fault_of_share(p_share, kind) != DONE:
                            result = es_fault_of_share(p_share, kind)
                count += 1
            p_counts[nodes] = count - before
            nodes += 1
            es_touch(p_table, es_slot(key, mask))
            left -= 1
        result = es_lack(p_counters, result, count, most_buffer, most_buffer, BUFFER_FULL)
        if result != DONE:
            left = first
            break
        item = 0
        for node in range(nodes):
            best = NONE
            for _ in range(p_counts[node]):
                key = es_load_key(p_buffer, item)
                slot = es_place(p_table, mask, key)
                sign = -1 if PLAYERS == 2 else 1
                if MOVER_TOLD:
                    sign = p_signs[item]
                code = es_code(p_table, slot)
                if code == UNSET:
                    result = NOT_LAYERED
                if WIN_LOSS:
                    if IN_WORD:
                        score = code - VALUES - top
                        if score == 1 or score == -1:
                            result = TOO_LONG
                        score = es_turned(score, sign)
                    else:
                        score = es_turned(h_scores[slot], sign)
                else:
                    score = p_values[slot]
                    if sign < 0:
                        score = es_subtract(0, score, VALUE_SITE)
                    if HAS_REWARD:
                        score = es_add(score, p_gains[item], VALUE_SITE)
                if score > best:
                    best = score
                item += 1
            key = es_load_key(p_order, first - 1 - node)
            if p_counts[node] == 0:
                state = es_state(key)
                kind = es_write_share(p_share, 0, rule_payoff(state), PLAYERS, SHARE_SITE)
                best = es_own(p_share, kind, es_mover(key, state))
                if es_fault_of_share(p_share, kind) != DONE:
                    result = es_fault_of_share(p_share, kind)
                if WIN_LOSS:
                    best = es_verdict(best)
                    if best > 1:
                        result = NOT_WIN_LOSS
                    best *= top
            if result != DONE:
                break
            slot = es_place(p_table, mask, key)
            if WIN_LOSS:
                if IN_WORD:
                    es_enter(p_table, slot, key, best + VALUES + top)
                else:
                    es_enter(p_table, slot, key, SET)
                    h_scores[slot] = best
            else:
                es_enter(p_table, slot, key, SET)
                p_values[slot] = best
        result = es_faulted(p_counters, result)
        if result != DONE:
            break
    p_counters[HEAD] = left
    return result
