"""What kernels with rules have in common: payoffs of the mover, scores, finding keys."""

from __future__ import annotations

from endsight.compiler.kernels.states import *


def es_begin(work: Work) -> int:
    """Forget what earlier calls found wrong; gives DONE."""
    es_use_data(work.p_data)
    work.p_counters[FOUND] = DONE
    if work.p_counters[IS_SHARED] == 0:
        es_clear_fault()
    return DONE


def es_verdict(amount: int) -> int:
    """1, 0 or -1 for a payoff of that; 2 for every other."""
    if amount == WHOLE:
        return 1
    if amount == -WHOLE:
        return -1
    return 0 if amount == 0 else 2


def es_fault_of_share(p_share: Numbers, kind: int) -> int:
    """Why values cannot be kept as one number, seen by the mover; DONE where they can."""
    if PLAYERS == 1:
        return DONE
    if kind == 0:
        return NOT_OPPOSED if HAS_MOVER and p_share[0] != 0 else DONE
    if p_share[0] != -p_share[1]:
        return NOT_OPPOSED
    return DONE if HAS_MOVER or MOVER_TRACKED else NEEDS_MOVER


def es_turned(score: int, sign: int) -> int:
    """A score one ply earlier, seen by the mover there."""
    if score > 0:
        score -= 1
    elif score < 0:
        score += 1
    return score if sign > 0 else -score


def es_sign(after: Key, mover: int) -> int:
    """1 where the same player moves on, else -1; an end where chance would move is the first player's."""
    if HAS_MOVER:
        return 1 if max(es_mover(after, es_state(after)), 0) == mover else -1
    return -1 if PLAYERS == 2 else 1


def es_find(p_table: Numbers, mask: int, key: Key) -> int:
    """The slot of a key, or the empty slot where it would go."""
    slot = es_slot(key, mask)
    while es_code(p_table, slot) != 0 and not es_is_at(p_table, slot, key):
        slot = (slot + 1) & mask
    return slot


def es_place(p_table: Numbers, mask: int, key: Key) -> int:
    """The slot of a key that is in the table."""
    slot = es_slot(key, mask)
    while not es_is_at(p_table, slot, key):
        slot = (slot + 1) & mask
    return slot


def es_key_at(p_numbers: Numbers, at: int) -> Key:
    """The key that begins at a word with an even number: in a frame, or among what is said of a child."""
    return es_load_key(p_numbers, at if KEY_WORDS == 1 else at // 2)


def es_store_at(p_numbers: Numbers, at: int, key: Key) -> None:
    """Put a key there."""
    es_store_key(p_numbers, at if KEY_WORDS == 1 else at // 2, key)


def es_add_children(keys: Keys, children: Children, state: State, mover: int, count: int) -> int:
    """Put the keys after all moves behind `count` others; gives how many there are then, some perhaps without room."""
    p_table, mask, _, _ = keys
    p_buffer, most_buffer = children
    for move in rule_moves(state):
        if count < most_buffer:
            es_queue(p_table, mask, p_buffer, count, es_after(state, mover, move))
        count += 1
    return count


def es_queue(p_table: Numbers, mask: int, p_buffer: Numbers, at: int, key: Key) -> None:
    """Put a key among those that will be looked up, and ask for its slot: the table is slow memory."""
    es_store_key(p_buffer, at, key)
    es_touch(p_table, es_slot(key, mask))


def es_amount(p_share: Numbers, kind: int, mover: int, p_counters: Numbers) -> int:
    """The mover's entry of a share that was written to `p_share`; why it does not do is left in the counter FOUND."""
    fault = es_fault_of_share(p_share, kind)
    if fault != DONE:
        p_counters[FOUND] = fault
    return p_share[0] if kind == 0 or mover < 0 else p_share[mover]


def es_result(p_counters: Numbers) -> int:
    """Why kernels cannot solve the game, or FAULT where the rules failed; DONE if all is well so far."""
    return es_faulted(p_counters, p_counters[FOUND])


def es_faulted(p_counters: Numbers, result: int) -> int:
    """FAULT where the rules failed, else the result."""
    if es_fault() == 0:
        return result
    p_counters[NEEDED] = es_fault()
    return FAULT
