"""Proof-number search, depth first with a table of fixed size: whether the first player gets so much.

A proof number says how much has still to be shown before a question is answered with yes, a disproof number the same
for no. The mover's number is the one of the answer that the mover wants: the least of the children's. The opponent's
is the largest of the children's, and one more for each other child that is open: where positions are reached in several
ways, a sum counts them several times.

Sources: A. Nagai, "Df-pn algorithm for searching AND/OR trees and its applications", dissertation, University of Tokyo
(2002); the largest number in place of the sum: T. Ueda, T. Hashimoto, J. Hashimoto and H. Iida, "Weak proof-number
search" (2008); a limit somewhat above the second-best number: J. Pawlewicz and L. Lew, "Improving depth-first
PN-search: 1+epsilon trick" (2007).
"""

from __future__ import annotations

from endsight.engine.kernels.transposition import *

FIRST, END, LIMITS, NUMBERS, SIDE, CHOSEN, OPEN, BESIDE, NAME, SECOND, BEFORE = 2, 3, 4, 6, 8, 9, 10, 11, 12, 13, 14
"""In a frame, after its key:

FIRST, END    its first child, and the end of its children
LIMITS        the proof number at which it is left, and in the next word the disproof number
NUMBERS       its proof number, and in the next word its disproof number
SIDE          0 where the first player moves, else 1
CHOSEN        the child that is looked at
OPEN          how many children are open
BESIDE        the mover's number of the best child beside the chosen one
NAME, SECOND  the key that the table knows it by, mixed, and its second word
BEFORE        how many nodes were entered before it
"""

PROVING = 2
"""In a child: its proof number, and its disproof number in the next word."""

NEVER = 1 << 40
"""The number of something that cannot be shown any more."""
SLACK = 4
"""A child is left where its number passes the one beside it by more than one part in so many."""

LEAST_YES, MOST_NO = OWN, OWN + 1
"""Counters: the least payoff met that says yes, and the largest that says no."""


def prove(memo: Memo, least: int, line: LineStack, p_share: Numbers, work: Work) -> int:
    """Search below the only child of frame 0 until it is answered whether the first player gets `least`: a number is 0.

    The counter HEAD is how many nodes are entered, TAIL the depth, EDGES the moves generated.
    """
    result = es_begin(work)
    while result == DONE:
        frame = work.p_counters[TAIL] * ROOM
        es_add_up(line, frame)
        if not es_is_left(line.p_frames, frame):
            result = es_enter_best(memo, least, line, p_share, work, frame)
        elif frame != 0:
            es_leave(memo, line, work.p_counters, frame)
        else:
            break
    return result


def es_add_up(line: LineStack, frame: int) -> None:
    """Both numbers of a node from those of its children, and the child that is looked at next."""
    p_frames, _, p_children, _, _ = line
    side = p_frames[frame + SIDE]
    best, beside, most, count = NEVER, NEVER, 0, 0
    for each in range(p_frames[frame + FIRST], p_frames[frame + END]):
        own = p_children[each * CHILD + PROVING + side]
        other = p_children[each * CHILD + PROVING + 1 - side]
        if own < best:
            beside = best
            best = own
            p_frames[frame + CHOSEN] = each
        elif own < beside:
            beside = own
        most = max(most, other)
        count += es_whole(other > 0)
    p_frames[frame + OPEN] = count
    p_frames[frame + BESIDE] = beside
    p_frames[frame + NUMBERS + side] = best
    p_frames[frame + NUMBERS + 1 - side] = NEVER if best == 0 else most + max(count - 1, 0)


def es_is_left(p_frames: Numbers, frame: int) -> bool:
    """Whether one of the numbers has come to its limit."""
    return (
        p_frames[frame + NUMBERS] >= p_frames[frame + LIMITS]
        or p_frames[frame + NUMBERS + 1] >= p_frames[frame + LIMITS + 1]
    )


def es_enter_best(memo: Memo, least: int, line: LineStack, p_share: Numbers, work: Work, frame: int) -> int:
    """Go on to the child that is chosen, until another one looks better."""
    p_frames, most_depth, p_children, _, p_path = line
    if frame >= (most_depth - 2) * ROOM:
        return STACK_FULL
    if work.p_counters[HEAD] >= work.stop:
        return STOPPED
    below = frame + ROOM
    child = p_frames[frame + CHOSEN] * CHILD
    es_store_at(p_frames, below, es_key_at(p_children, child))
    p_frames[below + FIRST] = p_frames[frame + END]
    p_frames[below + NAME] = p_children[child + HASH]
    p_frames[below + SECOND] = p_children[child + SECOND_WORD]
    p_frames[below + BEFORE] = work.p_counters[HEAD]
    es_set_limits(p_frames, frame, below)
    result = es_generate(memo, least, line, p_share, work.p_counters, below)
    if result == DONE:
        p_path[es_slot(es_key_at(p_frames, below), (1 << PATH_BITS) - 1)] += 1
        work.p_counters[HEAD] += 1
        work.p_counters[TAIL] += 1
    return result


def es_set_limits(p_frames: Numbers, frame: int, below: int) -> None:
    """Where the chosen child is left: before its node would be, and where another child is better."""
    own = LIMITS + p_frames[frame + SIDE]
    other = LIMITS + 1 - p_frames[frame + SIDE]
    beside = p_frames[frame + BESIDE]
    p_frames[below + own] = min(p_frames[frame + own], beside + 1 + beside // SLACK)
    p_frames[below + other] = p_frames[frame + other] - (p_frames[frame + OPEN] - 1)


def es_generate(memo: Memo, least: int, line: LineStack, p_share: Numbers, p_counters: Numbers, frame: int) -> int:
    """The children of a frame's key, with their numbers; one is enough where it gives the mover what they want."""
    p_frames, _, p_children, most_children, _ = line
    key = es_key_at(p_frames, frame)
    state = es_state(key)
    mover = es_mover(key, state)
    if HAS_MOVER and mover == -1:
        return HAS_CHANCE
    side = es_whole(mover > 0)
    end = p_frames[frame + FIRST]
    for move in rule_moves(state):
        if end >= most_children:
            p_counters[NEEDED] = end + 1
            return BUFFER_FULL
        p_counters[EDGES] += 1
        child = end * CHILD
        es_put_child(least, p_children, child, es_played(state, mover, move), p_share, p_counters)
        own = p_children[child + PROVING + side]
        if own == 0:
            p_frames[frame + FIRST] = end
        elif own < NEVER:
            es_name(memo, p_children, child, es_key_at(p_children, child), True)
        end += es_whole(own < NEVER)
        if own == 0:
            break
    p_frames[frame + SIDE] = side
    p_frames[frame + END] = end
    if es_look_up_children(memo, line, frame):
        return CYCLIC
    return es_result(p_counters)


def es_put_child(
    least: int, p_children: Numbers, child: int, after: Key, p_share: Numbers, p_counters: Numbers
) -> None:
    """Write a child with its first numbers: by what an end pays, else by how many replies there are."""
    es_store_at(p_children, child, after)
    state = es_state(after)
    mover = es_mover(after, state)
    side = es_whole(mover > 0)
    replies = es_replies(state)
    p_children[child + PROVING + side] = 1
    p_children[child + PROVING + 1 - side] = replies
    if replies == 0:
        kind = es_write_share(p_share, 0, rule_payoff(state), PLAYERS, SHARE_SITE)
        paid = es_amount(p_share, kind, mover, p_counters)
        es_decide_end(least, p_children, child, paid if side == 0 else -paid, p_counters)


def es_decide_end(least: int, p_children: Numbers, child: int, score: int, p_counters: Numbers) -> None:
    """The numbers of an end that pays the first player so much."""
    is_yes = score >= least
    if is_yes:
        p_counters[LEAST_YES] = min(p_counters[LEAST_YES], score)
    else:
        p_counters[MOST_NO] = max(p_counters[MOST_NO], score)
    es_decide(p_children, child, is_yes)


def es_decide(p_children: Numbers, child: int, is_yes: bool) -> None:
    """The numbers of a child that is proven."""
    p_children[child + PROVING] = 0 if is_yes else NEVER
    p_children[child + PROVING + 1] = NEVER if is_yes else 0


def es_look_up_children(memo: Memo, line: LineStack, frame: int) -> bool:
    """Numbers of open children as the table knows them; whether one of these is on the line already."""
    p_frames, _, p_children, _, p_path = line
    for each in range(p_frames[frame + FIRST], p_frames[frame + END]):
        child = each * CHILD
        key = es_key_at(p_children, child)
        if p_path[es_slot(key, (1 << PATH_BITS) - 1)] != 0 and es_is_on_path(p_frames, frame + ROOM, key):
            return True
        if p_children[child + PROVING] != 0 and p_children[child + PROVING + 1] != 0:
            low, high = es_known(memo, p_children[child + HASH], p_children[child + SECOND_WORD])
            if low == high:
                es_decide(p_children, child, low == MOST)
            elif low != LEAST:
                p_children[child + PROVING] = MOST - high
                p_children[child + PROVING + 1] = low
    return False


def es_leave(memo: Memo, line: LineStack, p_counters: Numbers, frame: int) -> None:
    """Go back from a node, keep its numbers, and tell the one before it.

    The table holds the disproof number in place of a lower bound, and how far the proof number is from MOST in place of
    an upper one: both are MOST where the answer is yes, and LEAST where it is no.
    """
    p_frames, _, p_children, _, p_path = line
    proof = p_frames[frame + NUMBERS]
    disproof = p_frames[frame + NUMBERS + 1]
    child = p_frames[frame - ROOM + CHOSEN] * CHILD
    low = min(disproof, MOST - 1)
    high = MOST - min(proof, MOST - 1)
    if proof == 0 or disproof == 0:
        low = MOST if proof == 0 else LEAST
        high = low
        es_decide(p_children, child, proof == 0)
    else:  # a table that forgets must not let a number fall, or the search might go round
        p_children[child + PROVING] = max(p_children[child + PROVING], proof)
        p_children[child + PROVING + 1] = max(p_children[child + PROVING + 1], disproof)
    work = es_bit_length(p_counters[HEAD] - p_frames[frame + BEFORE])
    es_keep(memo, p_frames[frame + NAME], p_frames[frame + SECOND], low, high, work)
    p_path[es_slot(es_key_at(p_frames, frame), (1 << PATH_BITS) - 1)] -= 1
    p_counters[TAIL] -= 1
