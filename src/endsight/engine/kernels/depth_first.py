"""Keys put into an order in which every move leads to a later one."""

from __future__ import annotations

from endsight.compiler.kernels.shares import *


def put_in_order(keys: Keys, children: Children, stack: Stack, work: Work) -> int:
    """All keys of the table anew into `p_order`, from the end backwards, each after all that it leads to.

    The first stays the first. Frames on the stack are (key, next child, end of children); a
    key under way has the code UNDER_WAY, one that has its place SET. The counter HEAD is
    how many keys are placed, TAIL the depth.
    """
    p_table, mask, p_order, states = keys
    p_children, most_children = children
    p_stack, most_depth = stack
    _, p_counters, stop = work
    placed = p_counters[HEAD]
    depth = p_counters[TAIL]
    frame = depth * FRAME + KEY_WORDS
    low = p_stack[frame]
    high = p_stack[frame + 1]
    result = es_begin(work)
    while True:
        if low == high:
            if depth == 0:
                break
            if placed >= stop:
                result = STOPPED
                break
            key = es_key_at(p_stack, depth * FRAME)
            es_enter(p_table, es_find(p_table, mask, key), key, SET)
            placed += 1
            es_store_key(p_order, states - placed, key)
            depth -= 1
            frame = depth * FRAME + KEY_WORDS
            low = p_stack[frame]
            high = p_stack[frame + 1]
            continue
        key = es_load_key(p_children, low)
        slot = es_find(p_table, mask, key)
        code = es_code(p_table, slot)
        if code == SET:
            low += 1
            continue
        if code == UNDER_WAY:
            result = CYCLIC
            break
        if depth + 1 >= most_depth:
            result = STACK_FULL
            break
        state = es_state(key)
        end = es_add_children(keys, children, state, es_mover(key, state), high)
        if end > most_children:
            p_counters[NEEDED] = end
            result = BUFFER_FULL
            break
        es_enter(p_table, slot, key, UNDER_WAY)
        p_stack[frame] = low + 1
        depth += 1
        frame = depth * FRAME + KEY_WORDS
        es_store_at(p_stack, depth * FRAME, key)
        low = high
        high = end
        p_stack[frame + 1] = high
    p_stack[frame] = low
    p_stack[frame + 1] = high
    p_counters[HEAD] = placed
    p_counters[TAIL] = depth
    return result
