"""Solving keys backwards: one number for each."""

from __future__ import annotations

from typing import NamedTuple

from endsight.compiler.kernels.batches import *
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
    es_begin(work)
    return es_expand_batches(keys, children, (values, moves), work, 0)


def es_expand(
    keys: Keys, children: Children, own: tuple[Values, MoveRoom], p_counters: Numbers, node: Node, count: int
) -> int:
    """Find the children of a key, who moves there, and what the moves bring."""
    _, moves = own
    place, key, state, mover = node
    before = count
    for move in rule_moves(state):
        if count < children.most_buffer:
            after = es_after(state, mover, move)
            es_queue(keys.p_table, keys.mask, children.p_buffer, count, after)
            if HAS_MOVER:
                moves.p_signs[count] = es_sign(after, mover)
            if HAS_REWARD:
                kind = es_write_share(moves.p_share, 0, rule_reward(state, move), PLAYERS, SHARE_SITE)
                moves.p_gains[count] = es_amount(moves.p_share, kind, mover, p_counters)
        count += 1
    moves.p_counts[p_counters[HEAD] - 1 - place] = count - before
    es_touch(keys.p_table, es_slot(key, keys.mask))
    return count


def es_enter_children(
    keys: Keys, children: Children, own: tuple[Values, MoveRoom], p_counters: Numbers, batch: Batch
) -> int:
    """Enter the value of every key: the best of its moves, or what an end pays."""
    head, nodes, _ = batch
    values, moves = own
    item = 0
    for node in range(nodes):
        best = NONE
        for _ in range(moves.p_counts[node]):
            best = max(best, es_value_of_move(keys, values, children, moves, p_counters, item))
            item += 1
        key = es_load_key(keys.p_order, head - 1 - node)
        if moves.p_counts[node] == 0:
            best = es_value_of_end(values, moves, p_counters, key)
        if p_counters[FOUND] != DONE:
            return DONE
        es_enter_value(keys, values, key, best)
    return DONE


def es_value_of_move(
    keys: Keys, values: Values, children: Children, moves: MoveRoom, p_counters: Numbers, item: int
) -> int:
    """What a move is worth to whoever makes it."""
    slot = es_place(keys.p_table, keys.mask, es_load_key(children.p_buffer, item))
    code = es_code(keys.p_table, slot)
    sign = -1 if PLAYERS == 2 else 1
    if HAS_MOVER:
        sign = moves.p_signs[item]
    if code == UNSET:
        p_counters[FOUND] = NOT_LAYERED
    if WIN_LOSS:
        score = code - VALUES - values.top if IN_WORD else values.h_scores[slot]
        if IN_WORD and (score == 1 or score == -1):
            p_counters[FOUND] = TOO_LONG
        return es_turned(score, sign)
    value = values.p_values[slot]
    if sign < 0:
        value = es_subtract(0, value, VALUE_SITE)
    return es_add(value, moves.p_gains[item], VALUE_SITE) if HAS_REWARD else value


def es_value_of_end(values: Values, moves: MoveRoom, p_counters: Numbers, key: Key) -> int:
    """What an end pays whoever would move there."""
    state = es_state(key)
    kind = es_write_share(moves.p_share, 0, rule_payoff(state), PLAYERS, SHARE_SITE)
    paid = es_amount(moves.p_share, kind, es_mover(key, state), p_counters)
    if not WIN_LOSS:
        return paid
    verdict = es_verdict(paid)
    if verdict > 1:
        p_counters[FOUND] = NOT_WIN_LOSS
    return verdict * values.top


def es_enter_value(keys: Keys, values: Values, key: Key, value: int) -> None:
    """Put a value into the word of the key, or beside it."""
    slot = es_place(keys.p_table, keys.mask, key)
    es_enter(keys.p_table, slot, key, value + VALUES + values.top if IN_WORD else SET)
    if not IN_WORD and WIN_LOSS:
        values.h_scores[slot] = value
    elif not IN_WORD:
        values.p_values[slot] = value
