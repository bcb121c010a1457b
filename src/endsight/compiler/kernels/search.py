"""Alpha-beta search with a table of proven ranges."""

from __future__ import annotations

from typing import NamedTuple

from endsight.compiler.kernels.core import *
from endsight.compiler.kernels.shares import *


def es_low(code: int) -> int:
    """The least value that a code allows: codes 2 to 7 stand for the ranges within -1 .. 1."""
    if code == 7:
        return 1
    if code >= 5:
        return 0
    return -1


def es_high(code: int) -> int:
    """The largest value that a code allows."""
    if code == 2:
        return -1
    if code == 3 or code == 5:
        return 0
    return 1


def es_range(low: int, high: int) -> int:
    """The code of a range."""
    if low == -1:
        return 3 + high
    if low == 0:
        return 5 + high
    return 7


def es_replies(state: State) -> int:
    """How many moves there are."""
    count = 0
    for _ in rule_moves(state):
        count += 1
    return count


def es_fault_of_end(p_share: Numbers, kind: int, value: int) -> int:
    """Why that payoff is not one of a game won, drawn or lost; DONE where it is."""
    if es_fault_of_share(p_share, kind) != DONE:
        return es_fault_of_share(p_share, kind)
    return NOT_WIN_LOSS if value < -1 or value > 1 else DONE


def es_move_number(p_share: Numbers, move: Move) -> int:
    """A number of HISTORY_BITS for a move, the same for the same move wherever it is made."""
    mixed = 0
    if es_width(move) <= SHARE_ROOM:
        es_write_move(p_share, 0, move)
        for item in range(max(es_width(move), 1)):
            mixed = es_mixed(mixed ^ p_share[item])
    return es_unsigned_shift(mixed, 64 - HISTORY_BITS)


class Waiting(NamedTuple):
    """Beside each of `most_children` keys: who moves there, the order of those that wait, and the move's number."""

    p_signs: Numbers
    p_order: Numbers
    p_moves: Numbers
    most_children: int


def search_value(keys: Keys, waiting: Waiting, stack: Stack, p_history: Numbers, p_share: Numbers, work: Work) -> int:
    """Whether the value of the first key reaches a bound: alpha-beta with a table, won-drawn-lost.

    Frames are (key, next child, end of children, best, low end and high end of the window);
    frame 0 has the first key as its only child. A key under way has the code UNSET, one
    that was searched the range of its values. Children are looked up when they are
    generated, and ends of the game among them settled; those still to be searched wait in
    the order of how few replies they allow, and where that is equal, of how often the same
    move cut a search short at that depth (`p_history`). Without ORDERED they are taken in
    the order of the rules, ends too.
    The counter HEAD is how many keys are entered, TAIL the depth.
    """
    p_table, mask, p_children, most_nodes = keys
    p_signs, p_order, p_moves, most_children = waiting
    p_stack, most_depth = stack
    p_data, p_counters, stop = work
    es_use_data(p_data)
    es_clear_fault()
    states = p_counters[HEAD]
    depth = p_counters[TAIL]
    edges = p_counters[EDGES]
    frame = depth * FRAME + KEY_WORDS
    low = p_stack[frame]
    high = p_stack[frame + 1]
    best = p_stack[frame + 2]
    alpha = p_stack[frame + 3]
    beta = p_stack[frame + 4]
    result = DONE
    while True:
        if low == high or best >= beta:
            if depth == 0:
                break
            key = es_load_frame_key(p_stack, depth)
            slot = es_find(p_table, mask, key)
            least = -1
            most = 1
            code = p_stack[frame + 5]
            if code >= 2:
                least = es_low(code)
                most = es_high(code)
            if best > alpha:
                least = max(least, best)
            if best < beta:
                most = min(most, best)
            es_enter(p_table, slot, key, es_range(least, most))
            score = best
            depth -= 1
            frame = depth * FRAME + KEY_WORDS
            low = p_stack[frame]
            high = p_stack[frame + 1]
            best = p_stack[frame + 2]
            alpha = p_stack[frame + 3]
            beta = p_stack[frame + 4]
            score *= p_signs[low]
            if score >= beta:
                place = p_moves[low]
                p_history[place] = p_history[place] + 1
            best = max(best, score)
            low += 1
            continue
        key = es_load_key(p_children, low)
        sign = p_signs[low]
        slot = es_find(p_table, mask, key)
        code = es_code(p_table, slot)
        least = max(alpha, best)
        child_alpha = least
        child_beta = beta
        if sign < 0:
            child_alpha = -beta
            child_beta = -least
        if code == UNSET:
            result = CYCLIC
            break
        if code >= 2:
            if es_low(code) == es_high(code) or es_low(code) >= child_beta:
                best = max(best, es_low(code) * sign)
                low += 1
                continue
            if es_high(code) <= child_alpha:
                best = max(best, es_high(code) * sign)
                low += 1
                continue
        if states >= stop:
            result = STOPPED
            break
        if states >= most_nodes:
            result = NODES_FULL
            break
        if depth + 1 >= most_depth:
            result = STACK_FULL
            break
        state = es_state(key)
        mover = es_mover(key, state)
        end = high
        count = 0
        found = -2
        for move in rule_moves(state):
            if high + count < most_children:
                after = es_after(key, state, mover, move)
                es_store_key(p_children, high + count, after)
                es_touch(p_table, es_slot(after, mask))
                if ORDERED:
                    p_moves[high + count] = es_move_number(p_share, move) + (min(depth, MOST_PLIES) << HISTORY_BITS)
            count += 1
        for item in range(high, min(high + count, most_children)):
            if found < child_beta:
                after = es_load_key(p_children, item)
                turn = es_sign(after, mover)
                code_after = es_code(p_table, es_find(p_table, mask, after))
                is_settled = 0
                replies = 0
                if ORDERED and code_after == 0:
                    replies = es_replies(es_state(after))
                    if replies == 0:
                        place = es_mover(after, es_state(after))
                        kind = es_write_share(p_share, 0, rule_payoff(es_state(after)), PLAYERS, SHARE_SITE)
                        score = es_own(p_share, kind, place)
                        result = max(result, es_fault_of_end(p_share, kind, score))
                        found = max(found, score * turn)
                        is_settled = 1
                if code_after >= 2:
                    found = max(found, es_low(code_after)) if turn > 0 else max(found, -es_high(code_after))
                    if es_low(code_after) == es_high(code_after):
                        is_settled = 1
                if is_settled == 0:
                    place = end
                    if ORDERED:
                        number = p_moves[item]
                        if code_after != 0:
                            replies = es_replies(es_state(after))
                        worth = p_history[number] - (replies << 40)
                        while place > high and p_order[place - 1] < worth:
                            p_moves[place] = p_moves[place - 1]
                            es_store_key(p_children, place, es_load_key(p_children, place - 1))
                            p_signs[place] = p_signs[place - 1]
                            p_order[place] = p_order[place - 1]
                            place -= 1
                        p_order[place] = worth
                        p_moves[place] = number
                    es_store_key(p_children, place, after)
                    p_signs[place] = turn
                    end += 1
        if count == 0:
            kind = es_write_share(p_share, 0, rule_payoff(state), PLAYERS, SHARE_SITE)
            found = es_own(p_share, kind, mover)
            result = es_fault_of_end(p_share, kind, found)
        elif MOVER_TOLD and mover == -1:
            result = HAS_CHANCE
        if high + count > most_children:
            p_counters[NEEDED] = high + count
            result = BUFFER_FULL
        if es_fault() != 0:
            p_counters[NEEDED] = es_fault()
            result = FAULT
        if result != DONE:
            break
        edges += count
        if code == 0:
            states += 1
        if count == 0:
            es_enter(p_table, slot, key, es_range(found, found))
            continue
        es_enter(p_table, slot, key, UNSET)
        p_stack[frame] = low
        p_stack[frame + 2] = best
        depth += 1
        frame = depth * FRAME + KEY_WORDS
        es_store_frame_key(p_stack, depth, key)
        low = high
        high = end
        best = found
        alpha = child_alpha
        beta = child_beta
        p_stack[frame + 1] = high
        p_stack[frame + 3] = alpha
        p_stack[frame + 4] = beta
        p_stack[frame + 5] = code
    p_stack[frame] = low
    p_stack[frame + 1] = high
    p_stack[frame + 2] = best
    p_counters[HEAD] = states
    p_counters[TAIL] = depth
    p_counters[EDGES] = edges
    return result
