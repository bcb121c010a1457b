"""Alpha-beta search with a table of fixed size: the value of one key."""

from __future__ import annotations

from typing import NamedTuple

from endsight.engine.kernels.passing import *
from endsight.engine.kernels.transposition import *

FIRST, TRIED, END, LOW, HIGH, ALPHA, BETA, KNOWN_LOW, KNOWN_HIGH, STORED, STAGE, REFUTATION, NAME, SECOND, SIZE = range(
    2, 17
)
"""In a frame, after its key; values are seen by whoever moves there:

FIRST, END             its first child, and the end of its children
TRIED                  how many of them were searched: they stand first
LOW, HIGH              bounds of its value by its children so far
ALPHA, BETA            the window
KNOWN_LOW, KNOWN_HIGH  bounds of its value from the table
STORED                 how many entries were written before it was entered
STAGE                  NEW, KEPT, FORCED or KNOWN
REFUTATION             the number of a move that reaches the end of the window at once
NAME, SECOND           the key that the table knows it by, mixed, and its second word
SIZE                   how much work the last node at its depth took, as a logarithm of entries
"""

NEW, KEPT, FORCED, KNOWN = range(4)
"""Stages: not looked up yet; looked up, and its bounds will be kept; there is no choice, or the table knew it: what
comes out is not kept."""

ENTRIES, DEEPEST = OWN, OWN + 1
"""Counters: entries written, and below which depth the table knows keys by their representatives."""

LARGE = 6
"""From so much work on (64 entries), threads pass by nodes that others search."""
LATER = 1 << 40
"""How much less a child is worth that another thread searches: it comes when all others have been searched."""
MOST_WORTH = 1 << 27
"""More than what comes of moves ever counts: what the rules say of them goes first."""
REPLY = 4
"""What a reply counts, beside 128 for a game won at random: against a move if it is the opponent's, else for it."""


class Order(NamedTuple):
    """What is known of how good moves are.

    p_history  a number for every place
    by_part    1 where moves are told apart by what they change, 0 where by their own numbers
    """

    p_history: Numbers
    by_part: int


def search_value(memo: Memo, order: Order, line: LineStack, p_share: Numbers, work: Work) -> int:
    """Bounds of the value of the only child of frame 0, in that frame: equal if they lie inside of its window.

    The recursion is that of fail-soft alpha-beta (Fishburn 1983) with a stack of frames. A node is entered with its
    children generated: those that end the game are settled. Whether a child is refuted at once by a reply is seen when
    its own children are generated, on its turn; the same reply is then tried on the children that still wait. A node
    with one child left is passed by. Before the first child is searched, the node and its children are looked up
    (enhanced transposition cut-offs: Schaeffer and Plaat 1996).
    Threads search the same nodes, each with a line of its own, and pass by children that others search (simplified
    ABDADA: T. Kerrigan 2017, after Weill 1996).
    The counter HEAD is how many nodes are entered, TAIL the depth, EDGES the moves generated.
    """
    result = es_begin(work)
    es_leave_decided(memo, line, work.p_counters)
    while result == DONE:
        frame = work.p_counters[TAIL] * ROOM
        if not es_is_decided(line.p_frames, frame):
            result = es_try_next(memo, order, line, p_share, work, frame)
        elif frame != 0:
            es_leave(memo, order, line, work.p_counters, frame)
        else:
            break
    return result


def es_leave_decided(memo: Memo, line: LineStack, p_counters: Numbers) -> None:
    """Leave the line at its first node that other threads have settled meanwhile."""
    p_frames, _, _, _, _ = line
    for depth in range(1, p_counters[TAIL] + 1):
        frame = depth * ROOM
        if p_frames[frame + STAGE] == KEPT:
            low, high = es_known(memo, p_frames[frame + NAME], p_frames[frame + SECOND])
            if es_takes_known(p_frames, frame, low, high):
                while p_counters[TAIL] > depth:
                    es_step_back(memo, line, p_counters)
                break


def es_step_back(memo: Memo, line: LineStack, p_counters: Numbers) -> None:
    """The deepest node is on the line no longer."""
    p_frames, _, _, _, p_path = line
    frame = p_counters[TAIL] * ROOM
    p_path[es_slot(es_key_at(p_frames, frame), (1 << PATH_BITS) - 1)] -= 1
    p_counters[TAIL] -= 1
    if p_frames[frame + SIZE] >= LARGE:
        es_unmark_busy(memo, p_frames[frame + NAME])


def es_is_decided(p_frames: Numbers, frame: int) -> bool:
    """Whether no child is left, or the value has reached the end of the window."""
    return p_frames[frame + LOW] >= p_frames[frame + BETA] or es_front(p_frames, frame) == p_frames[frame + END]


def es_front(p_frames: Numbers, frame: int) -> int:
    """The first child that waits."""
    return p_frames[frame + FIRST] + p_frames[frame + TRIED]


def es_try_next(memo: Memo, order: Order, line: LineStack, p_share: Numbers, work: Work, frame: int) -> int:
    """Go on to the most promising child of the deepest node, or settle it."""
    p_frames, most_depth, p_children, _, _ = line
    if frame >= (most_depth - 2) * ROOM:
        return STACK_FULL
    es_swap_best_first(p_children, es_front(p_frames, frame), p_frames[frame + END])
    child = es_front(p_frames, frame) * CHILD
    if es_is_put_off(memo, line, frame, child):
        return DONE
    below = frame + ROOM
    es_open(line, frame, child, below)
    result = es_generate(line, p_share, work.p_counters, below)
    if result != DONE:
        return result
    if p_frames[below + LOW] >= p_frames[below + BETA]:
        es_refute(line, p_share, work.p_counters, frame, child, below)
        return es_result(work.p_counters)
    if p_frames[frame + STAGE] == NEW and es_looked_up(memo, line, work.p_counters, frame, child):
        return DONE
    if work.p_counters[HEAD] >= work.stop:
        return STOPPED
    return es_enter_node(memo, order, line, work.p_counters, below)


def es_is_put_off(memo: Memo, line: LineStack, frame: int, child: int) -> bool:
    """Whether a child that another thread searches comes later, as others wait; it then is worth less."""
    p_frames, _, p_children, _, _ = line
    if p_frames[frame + STAGE] != KEPT or p_frames[frame + TRIED] == 0 or p_children[child + WORTH] < -LATER // 2:
        return False
    if p_frames[frame + ROOM + SIZE] < LARGE or not es_is_busy(memo, p_children[child + HASH]):
        return False
    p_children[child + WORTH] -= LATER
    return True


def es_open(line: LineStack, frame: int, child: int, below: int) -> None:
    """Begin the frame of a child: its key, and the window seen by whoever moves there."""
    p_frames, _, p_children, _, _ = line
    es_store_at(p_frames, below, es_key_at(p_children, child))
    low = max(p_frames[frame + ALPHA], p_frames[frame + LOW])
    high = p_frames[frame + BETA]
    is_turned = p_children[child + TURN] < 0
    p_frames[below + ALPHA] = es_after_move(p_children, child, high if is_turned else low)
    p_frames[below + BETA] = es_after_move(p_children, child, low if is_turned else high)
    p_frames[below + FIRST] = p_frames[frame + END]
    p_frames[below + TRIED] = 0
    p_frames[below + KNOWN_LOW] = LEAST
    p_frames[below + KNOWN_HIGH] = MOST


def es_generate(line: LineStack, p_share: Numbers, p_counters: Numbers, frame: int) -> int:
    """The children of a frame's key that do not end the game; those that do settle bounds, the last one all of it."""
    p_frames, _, p_children, most_children, _ = line
    key = es_key_at(p_frames, frame)
    state = es_state(key)
    mover = es_mover(key, state)
    end = p_frames[frame + FIRST]
    best = LEAST
    moves = 0
    for move in rule_moves(state):
        moves += 1
        if end >= most_children:
            break
        after = es_played(state, mover, move)
        score = es_put_child(p_children, end * CHILD, after, state, mover, move, p_share, p_counters)
        if p_children[end * CHILD + WORTH] != 0:
            end += 1
        else:
            best = max(best, score)
            if best >= p_frames[frame + BETA]:
                p_frames[frame + REFUTATION] = es_move_number(p_share, move)
                break
    if moves == 0:
        best = es_paid(state, mover, p_share, p_counters)
    elif HAS_MOVER and mover == -1:
        return HAS_CHANCE
    if end >= most_children:
        p_counters[NEEDED] = end + 1
        return BUFFER_FULL
    p_counters[EDGES] += moves
    p_frames[frame + END] = end
    p_frames[frame + LOW] = best
    p_frames[frame + HIGH] = best
    if COUNTS_PLIES and end > p_frames[frame + FIRST]:
        es_count_two_plies(p_frames, frame)
    return es_result(p_counters)


def es_count_two_plies(p_frames: Numbers, frame: int) -> None:
    """Leave children out that end the game too late, or late enough: in two plies at the soonest."""
    if p_frames[frame + ALPHA] >= MOST - 2:
        p_frames[frame + END] = p_frames[frame + FIRST]
        p_frames[frame + HIGH] = max(p_frames[frame + HIGH], MOST - 2)
    elif p_frames[frame + BETA] <= LEAST + 2:
        p_frames[frame + LOW] = max(p_frames[frame + LOW], LEAST + 2)


def es_put_child(
    p_children: Numbers,
    at: int,
    after: Key,
    state: State,
    mover: int,
    move: Move,
    p_share: Numbers,
    p_counters: Numbers,
) -> int:
    """Write a child; where it ends the game its WORTH is 0, and what comes back is what it is worth to the mover."""
    state_after = es_state(after)
    replies = es_replies(state_after)
    turn = es_sign(after, mover)
    gain = es_gain(state, mover, move, p_share, p_counters)
    p_children[at + WORTH] = replies
    p_children[at + TURN] = turn
    p_children[at + GAIN] = gain
    if replies == 0:
        return es_before_move(p_children, at, es_paid(state_after, es_mover(after, state_after), p_share, p_counters))
    es_store_at(p_children, at, after)
    p_children[at + MOVE] = es_move_number(p_share, move)
    p_children[at + HINT] = es_hint(state, move)
    return 0


def es_refute(line: LineStack, p_share: Numbers, p_counters: Numbers, frame: int, child: int, below: int) -> None:
    """A child whose mover reaches the end of the window at once."""
    p_frames, _, p_children, _, _ = line
    reached = es_before_move(p_children, child, p_frames[below + LOW])
    if p_children[child + TURN] > 0:  # it is the same player
        p_frames[frame + LOW] = max(p_frames[frame + LOW], reached)
        p_frames[frame + HIGH] = MOST
        p_frames[frame + TRIED] += 1
        return
    p_frames[frame + HIGH] = max(p_frames[frame + HIGH], reached)
    es_drop(line, frame, es_front(p_frames, frame))
    number = p_frames[below + REFUTATION]
    each = es_front(p_frames, frame)
    while each < p_frames[frame + END]:
        if es_is_refuted(line, p_share, p_counters, frame, each * CHILD, number):
            es_drop(line, frame, each)
        else:
            each += 1
    if p_frames[frame + TRIED] == 0 and p_frames[frame + LOW] == LEAST and es_front(p_frames, frame) + 1 == each:
        p_frames[frame + STAGE] = FORCED


def es_drop(line: LineStack, frame: int, number: int) -> None:
    """Forget a child that waits; the last one takes its place."""
    p_frames, _, p_children, _, _ = line
    last = p_frames[frame + END] - 1
    p_frames[frame + END] = last
    if number != last:
        for word in range(CHILD):
            p_children[number * CHILD + word] = p_children[last * CHILD + word]


def es_is_refuted(line: LineStack, p_share: Numbers, p_counters: Numbers, frame: int, child: int, number: int) -> bool:
    """Whether the move with that number ends the game at a waiting child so that it need not be searched."""
    p_frames, _, p_children, _, _ = line
    if p_children[child + TURN] > 0:
        return False
    key = es_key_at(p_children, child)
    state = es_state(key)
    mover = es_mover(key, state)
    beside = p_frames[frame + END] * CHILD
    least = max(p_frames[frame + ALPHA], p_frames[frame + LOW])
    for move in rule_moves(state):
        if es_move_number(p_share, move) == number:
            p_counters[EDGES] += 1
            after = es_played(state, mover, move)
            score = es_put_child(p_children, beside, after, state, mover, move, p_share, p_counters)
            bound = es_before_move(p_children, child, score)
            if p_children[beside + WORTH] == 0 and bound <= least:
                p_frames[frame + HIGH] = max(p_frames[frame + HIGH], bound)
                return True
    return False


def es_looked_up(memo: Memo, line: LineStack, p_counters: Numbers, frame: int, child: int) -> bool:
    """Look a node and its children up; whether it is settled, or the child at hand is."""
    p_frames, _, p_children, _, _ = line
    low, high = es_known(memo, p_frames[frame + NAME], p_frames[frame + SECOND])
    p_frames[frame + KNOWN_LOW] = low
    p_frames[frame + KNOWN_HIGH] = high
    if es_takes_known(p_frames, frame, low, high):
        return True
    p_frames[frame + STAGE] = KEPT
    p_frames[frame + ALPHA] = max(p_frames[frame + ALPHA], low)
    p_frames[frame + BETA] = min(p_frames[frame + BETA], high)
    number = p_children[child + MOVE]
    es_look_at_children(memo, line, p_counters, frame)
    if p_frames[frame + LOW] >= p_frames[frame + BETA]:
        p_frames[frame + STAGE] = KNOWN
    return es_is_decided(p_frames, frame) or number != p_children[child + MOVE]


def es_takes_known(p_frames: Numbers, frame: int, low: int, high: int) -> bool:
    """Whether bounds from the table settle a node; it then has them."""
    if low != high and low < p_frames[frame + BETA] and high > p_frames[frame + ALPHA]:
        return False
    p_frames[frame + LOW] = max(p_frames[frame + LOW], low)
    p_frames[frame + HIGH] = high
    p_frames[frame + END] = es_front(p_frames, frame)
    p_frames[frame + STAGE] = KNOWN
    return True


def es_look_at_children(memo: Memo, line: LineStack, p_counters: Numbers, frame: int) -> None:
    """Tighten the bounds by what the table knows of children, and drop those that need no search."""
    p_frames, _, p_children, _, _ = line
    below = p_counters[TAIL] + 1
    for each in range(es_front(p_frames, frame), p_frames[frame + END]):
        es_name(memo, p_children, each * CHILD, es_key_at(p_children, each * CHILD), below < p_counters[DEEPEST])
    least = max(p_frames[frame + ALPHA], p_frames[frame + LOW])
    each = es_front(p_frames, frame)
    while each < p_frames[frame + END]:
        child = each * CHILD
        lower, upper = es_known(memo, p_children[child + HASH], p_children[child + SECOND_WORD])
        low, high = es_bounds_before_move(p_children, child, lower, upper)
        p_frames[frame + LOW] = max(p_frames[frame + LOW], low)
        if low == high or high <= least:
            p_frames[frame + HIGH] = max(p_frames[frame + HIGH], high)
            es_drop(line, frame, each)
        else:
            each += 1


def es_enter_node(memo: Memo, order: Order, line: LineStack, p_counters: Numbers, frame: int) -> int:
    """Go on to a node whose frame has been filled: the next one that is searched."""
    p_frames, _, p_children, _, p_path = line
    key = es_key_at(p_frames, frame)
    place = es_slot(key, (1 << PATH_BITS) - 1)
    if p_path[place] != 0 and es_is_on_path(p_frames, frame, key):
        return CYCLIC
    p_path[place] += 1
    p_counters[HEAD] += 1
    p_counters[TAIL] += 1
    count = p_frames[frame + END] - p_frames[frame + FIRST]
    p_frames[frame + STORED] = p_counters[ENTRIES]
    p_frames[frame + STAGE] = FORCED if count == 1 and p_frames[frame + LOW] == LEAST else NEW
    if p_frames[frame + STAGE] == NEW and not es_is_decided(p_frames, frame):
        name = es_front(p_frames, frame - ROOM) * CHILD
        if p_frames[frame - ROOM + STAGE] != KEPT:
            es_name(memo, p_children, name, key, p_counters[TAIL] < p_counters[DEEPEST])
        p_frames[frame + NAME] = p_children[name + HASH]
        p_frames[frame + SECOND] = p_children[name + SECOND_WORD]
        if p_frames[frame + SIZE] >= LARGE:
            es_mark_busy(memo, p_frames[frame + NAME])
    if count > 1:
        es_rank(order, p_children, p_frames[frame + FIRST], count, es_player(key, p_counters[TAIL] - 1))
    return DONE


def es_rank(order: Order, p_children: Numbers, first: int, count: int, player: int) -> None:
    """How much each child is worth, going by what the rules say, and then by what came of such moves."""
    base = es_common(p_children, first, count)
    for each in range(first, first + count):
        child = each * CHILD
        number = p_children[child + MOVE]
        if order.by_part != 0:
            number = es_part(es_key_at(p_children, child), base)
        place = number * 2 + player
        p_children[child + PLACE] = place
        replies = p_children[child + TURN] * p_children[child + WORTH]
        hint = p_children[child + HINT]
        p_children[child + WORTH] = hint * MOST_WORTH + order.p_history[place] + REPLY * replies


def es_leave(memo: Memo, order: Order, line: LineStack, p_counters: Numbers, frame: int) -> None:
    """Go back from a node that is decided, and tell the one before it."""
    p_frames, _, p_children, _, _ = line
    is_cut = p_frames[frame + LOW] >= p_frames[frame + BETA]
    low = max(p_frames[frame + LOW], p_frames[frame + KNOWN_LOW])
    high = p_frames[frame + HIGH]
    if es_front(p_frames, frame) < p_frames[frame + END]:
        high = MOST
    high = min(high, p_frames[frame + KNOWN_HIGH])
    if p_frames[frame + STAGE] == KEPT and p_frames[frame + TRIED] > 0:
        if is_cut:
            es_learn(order, p_children, p_frames[frame + FIRST], p_frames[frame + TRIED] - 1)
        p_counters[ENTRIES] += 1
        work = es_bit_length(p_counters[ENTRIES] - p_frames[frame + STORED]) - 1
        es_keep(memo, p_frames[frame + NAME], p_frames[frame + SECOND], low, high, work)
        es_step_back(memo, line, p_counters)
        p_frames[frame + SIZE] = work
    else:
        es_step_back(memo, line, p_counters)
    es_update_parent(p_frames, p_children, frame - ROOM, low, high)


def es_learn(order: Order, p_children: Numbers, first: int, last: int) -> None:
    """Praise the move that cut the search short, and blame those that were tried before it in vain (Tromp 2008)."""
    for each in range(first, first + last):
        order.p_history[p_children[each * CHILD + PLACE]] -= 1
    order.p_history[p_children[(first + last) * CHILD + PLACE]] += last


def es_update_parent(p_frames: Numbers, p_children: Numbers, frame: int, low: int, high: int) -> None:
    """Take in the bounds of the child that was searched."""
    child = es_front(p_frames, frame) * CHILD
    least, most = es_bounds_before_move(p_children, child, low, high)
    p_frames[frame + LOW] = max(p_frames[frame + LOW], min(least, MOST))
    p_frames[frame + HIGH] = max(p_frames[frame + HIGH], min(most, MOST))
    p_frames[frame + TRIED] += 1
