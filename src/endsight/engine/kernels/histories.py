"""All histories of a game of two players, depth first: what each has seen and done, and what pairs of plans meet.

Views, information sets and sequences of both players stand in the same arrays, in the order in which they are met. A
view is known by the one before it, its owner, and what came next: what is seen now, or a move, told by its sequence.
Histories are not kept; the stack holds the one that is looked at.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from endsight.compiler.kernels.shares import *

NODES, ENDS, VIEWS, NEEDED, SETS, SEQUENCES, PAIRS, DEPTH, SCALE, CONSTANT, HELD = range(11)
"""Counters: histories done, ends among them, how much there is of anything and of what more is needed, the frame at
hand, the denominator of all sums, what both players are paid in all at the first end, and sums that are held back."""

MOST_HELD = 16
"""Pairs that are held back: the memory of the table is slow, and is asked for some pairs at a time."""

DID, SIDE = 1, 2
"""Bits beside the number of the view before: whether a move came next, and whose view it is."""
SET, THING = 1, 2
"""Where in a view its information set stands, and what came next."""

FRAME_WORDS = 16
LOW, HIGH, MOVER, TOTAL, OVER, UNDER, VIEW, LAST, SEQUENCE, GAIN = 0, 1, 2, 3, 4, 5, 6, 8, 10, 12
"""A frame: the child at hand and the end of the children; who moves, and the sum of weights; the chance of chance, over
and under; and for each player the view, the view with what was seen last, the sequence, and what was gained.

Of the player who moves, view and sequence are those after the first move."""


class HistoryViews(NamedTuple):
    """Views 0 and 1 are the empty ones of both players.

    h_table  slots, one more than `mask`: numbers of views, 0 for an empty slot
    p_views  VIEW_WORDS words each: the view before, with the bits DID and SIDE below it; 1 + the information set of
             that view, or 0; and what came next
    """

    h_table: Numbers
    mask: int
    p_views: Numbers
    most_views: int


class Sets(NamedTuple):
    """Information sets; sequences 0 and 1 are the empty ones of both players.

    h_parents  the sequence before
    h_first    the first sequence; the entry after the last set is how many sequences there are
    h_views    the view
    h_after    the view after the first move; those after the others follow it
    b_owners   the player
    p_moves    the last move of every sequence, MOVE_WORDS words each
    """

    h_parents: Numbers
    h_first: Numbers
    h_views: Numbers
    h_after: Numbers
    b_owners: Numbers
    most_sets: int
    p_moves: Numbers
    most_sequences: int


class Pairs(NamedTuple):
    """A table of pairs of sequences and their sums: two words a slot, the first 0 where it is empty.

    p_held  pairs and amounts that are still to be added, whose slots have been asked for meanwhile
    """

    p_pairs: Numbers
    mask: int
    most_pairs: int
    p_held: Numbers


class Waiting(NamedTuple):
    """Positions after moves that are still to be looked at: keys, the number of the move or the weight, and gains."""

    p_keys: Numbers
    p_places: Numbers
    p_gains: Numbers
    most_children: int


Tables: TypeAlias = "tuple[HistoryViews, Sets, Pairs]"


def walk_histories(
    views: HistoryViews, sets: Sets, pairs: Pairs, waiting: Waiting, stack: Stack, p_scratch: Numbers, work: Work
) -> int:
    """Walk on from where the counters stand; the result says what is full, or why the walk cannot be done here.

    NODES_FULL asks for more room for views, sets and sequences, EDGES_FULL for pairs.
    """
    p_stack, most_depth = stack
    p_data, p_counters, stop = work
    es_use_data(p_data)
    es_clear_fault()
    result = DONE
    while True:
        depth = p_counters[DEPTH]
        frame = depth * FRAME_WORDS
        if p_stack[frame + LOW] == p_stack[frame + HIGH]:
            if depth == 0:
                es_add_held(pairs, p_counters)
                result = es_faulted(p_counters, DONE)
                break
            p_counters[DEPTH] = depth - 1
            p_stack[frame - FRAME_WORDS + LOW] += 1
            continue
        if p_counters[NODES] >= stop:
            result = STOPPED
            break
        if depth + 2 > most_depth:
            result = STACK_FULL
            break
        result = es_visit((views, sets, pairs), waiting, p_stack, p_scratch, p_counters, depth)
        if result != DONE:
            break
        p_counters[NODES] += 1
    return result


def es_visit(
    tables: Tables, waiting: Waiting, p_stack: Numbers, p_scratch: Numbers, p_counters: Numbers, depth: int
) -> int:
    """Look at the child at hand in frame `depth`; all of it or, where the result is not DONE, nothing is counted."""
    views, sets, pairs = tables
    frame = depth * FRAME_WORDS
    inner = frame + FRAME_WORDS
    at = p_stack[frame + LOW]
    if es_goes_round(p_stack, waiting.p_keys, depth):
        return CYCLIC
    key = es_load_key(waiting.p_keys, at)
    state = es_state(key)
    mover = es_mover(key, state)
    es_descend(p_stack, waiting, frame, at)
    count = es_gather(sets, waiting, p_stack, p_counters, frame, state, mover)
    result = es_shortage(tables, waiting, p_counters, p_stack[frame + HIGH], count)
    if result != DONE:
        return result
    if count == 0:
        return es_end(pairs, p_stack, p_scratch, p_counters, frame, mover, state)
    es_write_move(p_scratch, 0, rule_sees_0(state))
    es_write_move(p_scratch, SEEN_WORDS_0, rule_sees_1(state))
    es_look(views, p_stack, p_scratch, p_counters, inner)
    result = es_faulted(p_counters, DONE)
    if mover >= 0 and result == DONE:
        result = es_choose(views, sets, p_stack, p_counters, inner, mover, count)
    p_stack[inner + LOW] = p_stack[frame + HIGH]
    p_stack[inner + HIGH] = p_stack[frame + HIGH] + count
    p_stack[inner + MOVER] = mover
    p_counters[DEPTH] = depth + 1
    return result


def es_goes_round(p_stack: Numbers, p_keys: Numbers, depth: int) -> bool:
    """Whether a position comes again in its history, held against one that is kept for twice as many plies as before.

    Below a position that came again the walk goes the same ways for ever: Brent's way of finding a cycle (1980).
    """
    if depth == 0:
        return False
    kept = (1 << es_bit_length(depth) - 1) - 1
    at = p_stack[depth * FRAME_WORDS + LOW]
    other = p_stack[kept * FRAME_WORDS + LOW]
    return es_is_same(p_keys, at * KEY_WORDS, p_keys, other * KEY_WORDS, KEY_WORDS)


def es_descend(p_stack: Numbers, waiting: Waiting, frame: int, at: int) -> None:
    """Fill in the next frame as it is after the move to the child at hand, before anybody looks."""
    _, p_places, p_gains, _ = waiting
    inner = frame + FRAME_WORDS
    place = p_places[at]
    for item in range(OVER, GAIN + 2):
        p_stack[inner + item] = p_stack[frame + item]
    mover = p_stack[frame + MOVER]
    if mover >= 0:
        p_stack[inner + VIEW + mover] += place
        p_stack[inner + SEQUENCE + mover] += place
    else:
        over = es_multiply(p_stack[frame + OVER], place, VALUE_SITE)
        under = es_multiply(p_stack[frame + UNDER], p_stack[frame + TOTAL], VALUE_SITE)
        common = es_common(over, under)
        p_stack[inner + OVER] = over // common
        p_stack[inner + UNDER] = under // common
    if HAS_REWARD:
        p_stack[inner + GAIN] += p_gains[2 * at]
        p_stack[inner + GAIN + 1] += p_gains[2 * at + 1]
    p_stack[inner + TOTAL] = 0


def es_common(one: int, other: int) -> int:
    """The greatest common divisor of whole numbers, 1 for what is no chance because of a fault."""
    while other != 0:
        rest = one % other
        one = other
        other = rest
    return max(one, 1)


def es_look(views: HistoryViews, p_stack: Numbers, p_seen: Numbers, p_counters: Numbers, frame: int) -> None:
    """Let both players see what stands in `p_seen`: a new view for each, unless it is what was seen last.

    What both will need of the table, which is slow memory, is asked for before either looks.
    """
    before_0 = p_stack[frame + VIEW] << 2
    before_1 = p_stack[frame + VIEW + 1] << 2 | SIDE
    slot_0 = es_aim(views, p_seen, 0, SEEN_WORDS_0, before_0, p_stack[frame + LAST])
    slot_1 = es_aim(views, p_seen, SEEN_WORDS_0, SEEN_WORDS_1, before_1, p_stack[frame + LAST + 1])
    if slot_0 >= 0 and slot_1 >= 0:
        es_prefetch(views.p_views, views.h_table[slot_0] * VIEW_WORDS)
        es_prefetch(views.p_views, views.h_table[slot_1] * VIEW_WORDS)
    if slot_0 >= 0:
        view = es_view_after(views, p_seen, 0, SEEN_WORDS_0, p_counters, before_0, slot_0)
        p_stack[frame + VIEW] = view
        p_stack[frame + LAST] = view
    if slot_1 >= 0:
        view = es_view_after(views, p_seen, SEEN_WORDS_0, SEEN_WORDS_1, p_counters, before_1, slot_1)
        p_stack[frame + VIEW + 1] = view
        p_stack[frame + LAST + 1] = view


def es_aim(views: HistoryViews, p_seen: Numbers, at: int, words: int, before: int, last: int) -> int:
    """The slot from which on to look for what is seen after a view; -1 where it is what was seen last."""
    if last != 0 and es_is_same(views.p_views, last * VIEW_WORDS + THING, p_seen, at, words):
        return -1
    slot = es_hash(before, p_seen, at, words) & views.mask
    es_prefetch(views.h_table, slot)
    return slot


def es_is_same(p_one: Numbers, at: int, p_other: Numbers, other: int, words: int) -> bool:
    """Whether so many words are the same."""
    different = 0
    for word in range(words):
        different |= p_one[at + word] ^ p_other[other + word]
    return different == 0


def es_view_after(
    views: HistoryViews, p_seen: Numbers, at: int, words: int, p_counters: Numbers, before: int, slot: int
) -> int:
    """The number of the view that comes after `before` with what stands in `p_seen`, a new one if need be."""
    while views.h_table[slot] != 0:
        own = views.h_table[slot] * VIEW_WORDS
        if views.p_views[own] == before and es_is_same(views.p_views, own + THING, p_seen, at, words):
            return views.h_table[slot]
        slot = slot + 1 & views.mask
    view = p_counters[VIEWS]
    p_counters[VIEWS] = view + 1
    views.h_table[slot] = view
    views.p_views[view * VIEW_WORDS] = before
    for word in range(words):
        views.p_views[view * VIEW_WORDS + THING + word] = p_seen[at + word]
    return view


def es_hash(before: int, p_words: Numbers, at: int, words: int) -> int:
    """Where to look for a view in the table."""
    mixed = es_mixed(before)
    for word in range(words):
        mixed = es_mixed(mixed ^ p_words[at + word])
    return mixed


def es_gather(
    sets: Sets, waiting: Waiting, p_stack: Numbers, p_counters: Numbers, frame: int, state: State, mover: int
) -> int:
    """Put what all moves lead to behind the children of a frame, as far as there is room; gives how many there are.

    A player's moves are written where those of the next sequences would stand.
    """
    p_keys, p_places, p_gains, most_children = waiting
    high = p_stack[frame + HIGH]
    sequences = p_counters[SEQUENCES]
    total = 0
    count = 0
    for move in rule_moves(state):
        if high + count < most_children and sequences + count < sets.most_sequences:
            es_store_key(p_keys, high + count, es_after(state, mover, move))
            if mover < 0:
                p_places[high + count] = es_weight(state, mover, move)
                total = es_add(total, p_places[high + count], VALUE_SITE)
            else:
                p_places[high + count] = count
                es_write_move(sets.p_moves, (sequences + count) * MOVE_WORDS, move)
            if HAS_REWARD:
                gains = 2 * (high + count)
                kind = es_write_share(p_gains, gains, rule_reward(state, move), PLAYERS, SHARE_SITE)
                es_tell_all(p_gains, gains, kind, mover)
        count += 1
    p_stack[frame + FRAME_WORDS + TOTAL] = total
    return count


def es_tell_all(p_share: Numbers, at: int, kind: int, mover: int) -> None:
    """Make one entry per player of a single number, which is the mover's where players take turns, and else 0."""
    if kind == 0:
        amount = p_share[at]
        es_fault_at(HAS_MOVER * amount, SHARE_SITE)
        p_share[at] = amount if mover == 0 else -amount
        p_share[at + 1] = -p_share[at]


def es_shortage(tables: Tables, waiting: Waiting, p_counters: Numbers, high: int, count: int) -> int:
    """What there is too little room of for a position with so many moves, or a fault; DONE where all is well."""
    views, sets, pairs = tables
    if es_faulted(p_counters, DONE) != DONE:
        return FAULT
    if high + count > waiting.most_children:
        p_counters[NEEDED] = high + count
        return BUFFER_FULL
    is_full = p_counters[VIEWS] + count + 2 > views.most_views or p_counters[SETS] + 1 >= sets.most_sets
    if is_full or p_counters[SEQUENCES] + count > sets.most_sequences:
        p_counters[NEEDED] = count
        return NODES_FULL
    if p_counters[PAIRS] + MOST_HELD >= pairs.most_pairs:
        return EDGES_FULL
    return DONE


def es_choose(
    views: HistoryViews, sets: Sets, p_stack: Numbers, p_counters: Numbers, inner: int, mover: int, count: int
) -> int:
    """Let a player stand before the moves of an information set, a new one if need be; they must be the moves here."""
    number = views.p_views[p_stack[inner + VIEW + mover] * VIEW_WORDS + SET]
    if number == 0:
        number = es_open(views, sets, p_stack, p_counters, inner, mover, count)
        if number == 0:
            return MOVES_DIFFER
    else:
        first = sets.h_first[number - 1] * MOVE_WORDS
        here = p_counters[SEQUENCES] * MOVE_WORDS
        known = sets.h_first[number] - sets.h_first[number - 1]
        if count != known or not es_is_same(sets.p_moves, first, sets.p_moves, here, count * MOVE_WORDS):
            return MOVES_DIFFER
    p_stack[inner + VIEW + mover] = sets.h_after[number - 1]
    p_stack[inner + SEQUENCE + mover] = sets.h_first[number - 1]
    return DONE


def es_open(
    views: HistoryViews, sets: Sets, p_stack: Numbers, p_counters: Numbers, inner: int, mover: int, count: int
) -> int:
    """A new information set with the moves that stand behind the last sequence; 1 + its number, 0 if moves repeat."""
    number = p_counters[SETS]
    first = p_counters[SEQUENCES]
    if not es_all_differ(sets.p_moves, first, count):
        return 0
    after = p_counters[VIEWS]
    view = p_stack[inner + VIEW + mover]
    sets.h_parents[number] = p_stack[inner + SEQUENCE + mover]
    sets.h_first[number] = first
    sets.h_first[number + 1] = first + count
    sets.h_views[number] = view
    sets.h_after[number] = after
    sets.b_owners[number] = mover
    views.p_views[view * VIEW_WORDS + SET] = number + 1
    for place in range(count):
        views.p_views[(after + place) * VIEW_WORDS] = view << 2 | mover * SIDE | DID
        views.p_views[(after + place) * VIEW_WORDS + THING] = first + place
    p_counters[SETS] = number + 1
    p_counters[SEQUENCES] = first + count
    p_counters[VIEWS] = after + count
    return number + 1


def es_all_differ(p_moves: Numbers, first: int, count: int) -> bool:
    """Whether so many moves from the one at `first` on are all different."""
    same = 0
    for one in range(first + 1, first + count):
        for other in range(first, one):
            if es_is_same(p_moves, one * MOVE_WORDS, p_moves, other * MOVE_WORDS, MOVE_WORDS):
                same += 1
    return same == 0


def es_end(
    pairs: Pairs, p_stack: Numbers, p_share: Numbers, p_counters: Numbers, frame: int, mover: int, state: State
) -> int:
    """Add up what an end pays, and go on to the next child."""
    inner = frame + FRAME_WORDS
    kind = es_write_share(p_share, 0, rule_payoff(state), PLAYERS, SHARE_SITE)
    es_tell_all(p_share, 0, kind, mover)
    mine = p_share[0] + p_stack[inner + GAIN]
    yours = p_share[1] + p_stack[inner + GAIN + 1]
    if UTILITY == 1:
        mine, yours = es_worth(mine - yours), es_worth(yours - mine)
    if UTILITY == 2:
        mine, yours = mine - yours, yours - mine
    if p_counters[ENDS] == 0:
        p_counters[CONSTANT] = mine + yours
    elif p_counters[CONSTANT] != mine + yours:
        return NOT_OPPOSED
    if mine != 0:
        es_rescale(pairs, p_counters, p_stack[inner + UNDER])
        factor = es_multiply(p_stack[inner + OVER], p_counters[SCALE] // p_stack[inner + UNDER], VALUE_SITE)
        pair = (p_stack[inner + SEQUENCE] << 31 | p_stack[inner + SEQUENCE + 1]) + 1
        es_hold(pairs, p_counters, pair, es_multiply(mine, factor, VALUE_SITE))
    p_counters[ENDS] += 1
    p_stack[frame + LOW] += 1
    return es_faulted(p_counters, DONE)


def es_worth(lead: int) -> int:
    """What a lead is worth where only winning counts, in halves."""
    if lead > 0:
        return 2
    return 1 if lead == 0 else 0


def es_rescale(pairs: Pairs, p_counters: Numbers, under: int) -> None:
    """Make the denominator of all sums one that `under` divides."""
    scale = p_counters[SCALE]
    if scale % under != 0:
        es_add_held(pairs, p_counters)
        factor = under // es_common(scale, under)
        for slot in range(pairs.mask + 1):
            pairs.p_pairs[2 * slot + 1] = es_multiply(pairs.p_pairs[2 * slot + 1], factor, VALUE_SITE)
        p_counters[SCALE] = es_multiply(scale, factor, VALUE_SITE)


def es_hold(pairs: Pairs, p_counters: Numbers, pair: int, amount: int) -> None:
    """Hold an amount back that is to be added to the sum of a pair."""
    held = p_counters[HELD]
    es_prefetch(pairs.p_pairs, 2 * (es_mixed(pair) & pairs.mask))
    pairs.p_held[2 * held] = pair
    pairs.p_held[2 * held + 1] = amount
    p_counters[HELD] = held + 1
    if held + 1 == MOST_HELD:
        es_add_held(pairs, p_counters)


def es_add_held(pairs: Pairs, p_counters: Numbers) -> None:
    """Add all that is held back."""
    for held in range(p_counters[HELD]):
        pair = pairs.p_held[2 * held]
        slot = es_mixed(pair) & pairs.mask
        while pairs.p_pairs[2 * slot] != pair and pairs.p_pairs[2 * slot] != 0:
            slot = slot + 1 & pairs.mask
        if pairs.p_pairs[2 * slot] == 0:
            pairs.p_pairs[2 * slot] = pair
            p_counters[PAIRS] += 1
        pairs.p_pairs[2 * slot + 1] = es_add(pairs.p_pairs[2 * slot + 1], pairs.p_held[2 * held + 1], VALUE_SITE)
    p_counters[HELD] = 0


def enter_views(views: HistoryViews, words: int, words_0: int, words_1: int, first: int, stop: int) -> int:
    """Put the views `first` .. `stop` - 1 into the table, those after moves left out, which are never looked for.

    `words` is VIEW_WORDS, the others say how many words each player sees.
    """
    for view in range(first, stop):
        before = views.p_views[view * words]
        if before & DID == 0:
            seen = words_1 if before & SIDE else words_0
            slot = es_hash(before, views.p_views, view * words + THING, seen) & views.mask
            while views.h_table[slot] != 0:
                slot = slot + 1 & views.mask
            views.h_table[slot] = view
    return 0


def enter_pairs(pairs: Pairs, p_old: Numbers, slots: int) -> int:
    """Put all pairs of a table of so many slots into an empty larger one."""
    for old in range(slots):
        pair = p_old[2 * old]
        if pair != 0:
            slot = es_mixed(pair) & pairs.mask
            while pairs.p_pairs[2 * slot] != 0:
                slot = slot + 1 & pairs.mask
            pairs.p_pairs[2 * slot] = pair
            pairs.p_pairs[2 * slot + 1] = p_old[2 * old + 1]
    return 0
