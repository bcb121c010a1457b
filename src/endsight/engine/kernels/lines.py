"""What searches and random games have in common: a line of play on a stack, and the moves that lead on from its nodes.

Games are two players' with opposed payoffs, or one player's. Values are those of what is still to come, seen by whoever
moves.
"""

from __future__ import annotations

from typing import NamedTuple

from endsight.compiler.kernels.shares import *

ROOM = 18
"""Words of a frame; the first two are its key."""
CHILD = 10
"""Words of a child; the first two are its key."""

MOVE, WORTH, TURN, GAIN, PLACE, HASH, SECOND_WORD, HINT = range(2, 10)
"""In a child, after its key:

MOVE               the number of the move
WORTH              how early it is tried; at first how many replies there are
TURN               1 where the same player moves on, else -1
GAIN               what the move brings whoever makes it
PLACE              where what is known of such moves stands
HASH, SECOND_WORD  the key that the table knows it by, mixed, and its second word
HINT               what the rules' `order` says of the move, 0 where they give none
"""
MOST_HINT = 1000
"""Larger numbers count as that one."""

PLACES = 14
"""Moves are told apart by numbers of so many bits, the lowest for who moves."""
PATH_BITS = 12
"""What keys are on the line is told apart by hashes of so many bits."""


class LineStack(NamedTuple):
    """A stack of frames, and their children one after the other.

    p_frames    a frame of ROOM words for each depth, its key first
    p_children  CHILD words for each, its key first
    p_path      how many frames have a key with that hash, of PATH_BITS bits
    """

    p_frames: Numbers
    most_depth: int
    p_children: Numbers
    most_children: int
    p_path: Numbers


def es_is_on_path(p_frames: Numbers, frame: int, key: Key) -> bool:
    """Whether an earlier frame has the same key."""
    at = ROOM
    while at < frame:
        if es_key_at(p_frames, at) == key:
            return True
        at += ROOM
    return False


def es_swap_best_first(p_children: Numbers, front: int, end: int) -> None:
    """Exchange the waiting child that is worth most with the first that waits."""
    best = front
    for each in range(front + 1, end):
        if p_children[each * CHILD + WORTH] > p_children[best * CHILD + WORTH]:
            best = each
    if best != front:
        for word in range(CHILD):
            held = p_children[front * CHILD + word]
            p_children[front * CHILD + word] = p_children[best * CHILD + word]
            p_children[best * CHILD + word] = held


def es_replies(state: State) -> int:
    """How many moves there are."""
    count = 0
    for _ in rule_moves(state):
        count += 1
    return count


def es_move_number(p_share: Numbers, move: Move) -> int:
    """A number for a move, the same for the same move wherever it is made; few moves share one."""
    mixed = 0
    if es_width(move) <= SHARE_ROOM:
        es_write_move(p_share, 0, move)
        for item in range(max(es_width(move), 1)):
            mixed = es_mixed(mixed ^ p_share[item])
    return es_unsigned_shift(mixed, 65 - PLACES)


def es_part(key: Key, base: Key) -> int:
    """A number for what a move changes: where its key differs from what the moves beside it lead to."""
    if KEY_WORDS == 1:
        return es_unsigned_shift(es_mixed(key ^ base), 65 - PLACES)
    return es_unsigned_shift(es_mixed(key[0] ^ base[0] ^ es_mixed(key[1] ^ base[1])), 65 - PLACES)


def es_common(p_children: Numbers, first: int, count: int) -> Key:
    """What most of some children agree on: of three the majority of each bit, of two what both have."""
    a = es_key_at(p_children, first * CHILD)
    b = es_key_at(p_children, (first + count // 2) * CHILD)
    c = es_key_at(p_children, (first + count - 1) * CHILD)
    if count == 2:
        if KEY_WORDS == 1:
            return a & b
        return (a[0] & b[0], a[1] & b[1])
    if KEY_WORDS == 1:
        return a & b | b & c | c & a
    return (a[0] & b[0] | b[0] & c[0] | c[0] & a[0], a[1] & b[1] | b[1] & c[1] | c[1] & a[1])


def es_player(key: Key, ply: int) -> int:
    """Who moves, for what is known of moves: 0 or 1."""
    if PLAYERS == 1:
        return 0
    if HAS_MOVER or MOVER_TRACKED:
        return max(es_mover(key, es_state(key)), 0)
    return ply & 1


def es_payoff(state: State, mover: int, p_share: Numbers, p_counters: Numbers) -> int:
    """What an end pays whoever would move there."""
    kind = es_write_share(p_share, 0, rule_payoff(state), PLAYERS, SHARE_SITE)
    paid = es_amount(p_share, kind, mover, p_counters)
    if paid < LEAST or paid > MOST:
        p_counters[FOUND] = NOT_WIN_LOSS
    return paid


def es_gain(state: State, mover: int, move: Move, p_share: Numbers, p_counters: Numbers) -> int:
    """What a move brings whoever makes it."""
    if HAS_REWARD:
        kind = es_write_share(p_share, 0, rule_reward(state, move), PLAYERS, SHARE_SITE)
        return es_amount(p_share, kind, mover, p_counters)
    return 0


def es_hint(state: State, move: Move) -> int:
    """What the rules say of how early a move should be tried."""
    if HAS_ORDER:
        return max(-MOST_HINT, min(MOST_HINT, es_whole(rule_order(state, move))))
    return 0
