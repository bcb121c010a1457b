"""Games at random, and what they say about moves: the order in which a search tries them first."""

from __future__ import annotations

from typing import NamedTuple

from endsight.engine.kernels.lines import *

BY_PART, BY_MOVE, STEP_TURN, STEP_GAIN = range(2, 6)
"""In a frame: the places of the move by what it changes and by its number; who moves on; its gain."""

LARGEST, PARTS, CHANGED, SEEN = range(OWN, OWN + 4)
"""Counters: the largest total, how many places parts have, representatives that differ from their state, and states."""

MOST_SEEN = 1000
SCALE = 128
DOUBT = 4
"""Games without a result that are counted besides, so that few games do not say much."""


class Sums(NamedTuple):
    """Totals and games: two words for each place, of what moves change and then of their numbers.

    p_history  what becomes of them: about 128 times the mean, in units of the largest total
    most_parts places for which what is changed tells moves apart; of more, each says too little
    """

    p_sums: Numbers
    p_history: Numbers
    most_parts: int


def play_games(sums: Sums, line: LineStack, p_share: Numbers, work: Work) -> int:
    """Play from the key of frame 0, every move as likely as the others, and enter what its player got from there on.

    A game that is longer than the stack says nothing. The counter HEAD is how many games are done.
    """
    result = es_begin(work)
    while result == DONE and work.p_counters[HEAD] < work.stop:
        length = es_play(line, p_share, work.p_counters, 977 * work.p_counters[HEAD])
        result = es_result(work.p_counters)
        if length < 0:
            result = BUFFER_FULL
        elif length < line.most_depth - 1:
            es_enter_totals(sums, line, p_share, work.p_counters, length)
        if result == DONE:
            work.p_counters[HEAD] += 1
    if result == DONE:
        es_average(sums, work.p_counters)
    return result


def es_play(line: LineStack, p_share: Numbers, p_counters: Numbers, seed: int) -> int:
    """One game; its length, or -1 where there is no room for its moves."""
    p_frames, most_depth, p_children, most_children, _ = line
    ply = 0
    while ply < most_depth - 1:
        key = es_key_at(p_frames, ply * ROOM)
        count = es_put_children(line, p_share, p_counters, key)
        if count >= most_children:
            p_counters[NEEDED] = count + 1
            return -1
        if count == 0 or es_fault() != 0 or p_counters[FOUND] != DONE:
            break
        chosen = es_unsigned_shift(es_mixed(es_mixed(seed + ply) ^ 0x5DEECE66D), 33) % count
        base = es_common(p_children, 0, count)
        player = es_player(key, ply)
        frame = ply * ROOM
        part = es_key_at(p_children, chosen * CHILD)
        p_frames[frame + BY_PART] = es_part(part, base) * 2 + player
        p_frames[frame + BY_MOVE] = p_children[chosen * CHILD + MOVE] * 2 + player
        p_frames[frame + STEP_TURN] = p_children[chosen * CHILD + TURN]
        p_frames[frame + STEP_GAIN] = p_children[chosen * CHILD + GAIN]
        ply += 1
        es_store_at(p_frames, ply * ROOM, part)
        if HAS_SYMMETRY and p_counters[SEEN] < MOST_SEEN:
            p_counters[SEEN] += 1
            p_counters[CHANGED] += es_whole(es_canonical(part) != part)
    return ply


def es_put_children(line: LineStack, p_share: Numbers, p_counters: Numbers, key: Key) -> int:
    """All children of a key from the first place on; how many there are, as far as there is room."""
    _, _, p_children, most_children, _ = line
    state = es_state(key)
    mover = es_mover(key, state)
    count = 0
    for move in rule_moves(state):
        if count >= most_children:
            break
        after = es_played(state, mover, move)
        es_store_at(p_children, count * CHILD, after)
        p_children[count * CHILD + TURN] = es_sign(after, mover)
        p_children[count * CHILD + GAIN] = es_gain(state, mover, move, p_share, p_counters)
        p_children[count * CHILD + MOVE] = es_move_number(p_share, move)
        count += 1
    if HAS_MOVER and mover == -1 and count > 0:
        p_counters[FOUND] = HAS_CHANCE
    return count


def es_enter_totals(sums: Sums, line: LineStack, p_share: Numbers, p_counters: Numbers, length: int) -> None:
    """What every player of a game got from each of their moves on."""
    p_frames, _, _, _, _ = line
    end = es_key_at(p_frames, length * ROOM)
    state = es_state(end)
    total = es_payoff(state, es_mover(end, state), p_share, p_counters)
    for back in range(length):
        frame = (length - 1 - back) * ROOM
        total = p_frames[frame + STEP_GAIN] + p_frames[frame + STEP_TURN] * total
        p_counters[LARGEST] = max(p_counters[LARGEST], abs(total))
        es_add_total(sums.p_sums, p_frames[frame + BY_PART], total)
        es_add_total(sums.p_sums, (1 << PLACES) + p_frames[frame + BY_MOVE], total)


def es_add_total(p_sums: Numbers, place: int, total: int) -> None:
    """One more game at a place."""
    p_sums[2 * place] += total
    p_sums[2 * place + 1] += 1


def es_average(sums: Sums, p_counters: Numbers) -> None:
    """What all games say about moves, by what they change where that is met often enough, else by their numbers."""
    parts = 0
    for place in range(1 << PLACES):
        parts += es_whole(sums.p_sums[2 * place + 1] != 0)
    first = 0 if parts <= sums.most_parts else 1 << PLACES
    p_counters[PARTS] = parts
    for place in range(1 << PLACES):
        total = sums.p_sums[2 * (first + place)]
        games = (sums.p_sums[2 * (first + place) + 1] + DOUBT) * max(p_counters[LARGEST], 1)
        sums.p_history[place] = SCALE * total // games
