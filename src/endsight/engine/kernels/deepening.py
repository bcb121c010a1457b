"""Iterative deepening A*: the most that one player can still get, where every move costs something.

Source: R. E. Korf, "Depth-first iterative-deepening: an optimal admissible tree search", Artificial Intelligence 27
(1985), in terms of what is gained, so that bounds say the most and the first limit is the highest; what searches in
vain have shown is kept (A. Reinefeld and T. A. Marsland, "Enhanced iterative-deepening search", 1994).
"""

from __future__ import annotations

from endsight.engine.kernels.transposition import *

FIRST, NEXT, END, NEED, BEST, NAME, SECOND = range(2, 9)
"""In a frame, after its key:

FIRST, END    its first child, and the end of its children
NEXT          the child that is looked at
NEED          what it has to bring
BEST          the most that children looked at so far may bring
NAME, SECOND  the key that the table knows it by, mixed, and its second word
"""

PROMISED = 4
"""In a child: the most that may come after it."""

ARRIVED, NEW = OWN, OWN + 1
"""Counters: whether an end was found that pays enough, and how many positions were entered for the first time as far
as the table knows."""


def deepen(memo: Memo, line: LineStack, p_share: Numbers, work: Work) -> int:
    """Look for play that brings as much as frame 0 needs: one iteration.

    In vain, BEST of frame 0 is what the next iteration may hope for. The counter HEAD is how many nodes are
    entered, TAIL the depth, EDGES the moves generated.
    """
    result = es_begin(work)
    while result == DONE and work.p_counters[ARRIVED] == 0:
        frame = work.p_counters[TAIL] * ROOM
        if line.p_frames[frame + NEXT] < line.p_frames[frame + END]:
            result = es_go_on(memo, line, p_share, work, frame)
        elif frame != 0:
            es_go_back(memo, line, work.p_counters, frame)
        else:
            break
    return result


def es_go_on(memo: Memo, line: LineStack, p_share: Numbers, work: Work, frame: int) -> int:
    """Enter the next child, unless too little may come after it."""
    p_frames, most_depth, p_children, _, _ = line
    if frame >= (most_depth - 2) * ROOM:
        return STACK_FULL
    if work.p_counters[HEAD] >= work.stop:
        return STOPPED
    if HAS_ORDER:
        es_swap_best_first(p_children, p_frames[frame + NEXT], p_frames[frame + END])
    child = p_frames[frame + NEXT] * CHILD
    need = p_frames[frame + NEED] - p_children[child + GAIN]
    _, known = es_known(memo, p_children[child + HASH], p_children[child + SECOND_WORD])
    most = min(p_children[child + PROMISED], known)
    if most < need:
        es_pass_by(line, frame, most)
        return DONE
    work.p_counters[NEW] += es_whole(known == MOST)
    return es_go_down(memo, line, p_share, work.p_counters, frame + ROOM, child, need)


def es_go_down(
    memo: Memo, line: LineStack, p_share: Numbers, p_counters: Numbers, frame: int, child: int, need: int
) -> int:
    """Go on to a node that has to bring so much; what an end pays is known at once."""
    p_frames, _, p_children, _, _ = line
    key = es_key_at(p_children, child)
    es_store_at(p_frames, frame, key)
    p_frames[frame + FIRST] = p_frames[frame - ROOM + END]
    p_frames[frame + NEXT] = p_frames[frame + FIRST]
    p_frames[frame + NEED] = need
    p_frames[frame + BEST] = LEAST
    p_frames[frame + NAME] = p_children[child + HASH]
    p_frames[frame + SECOND] = p_children[child + SECOND_WORD]
    result = es_generate(memo, line, p_share, p_counters, frame)
    if result != DONE:
        return result
    p_counters[HEAD] += 1
    if p_frames[frame + END] == p_frames[frame + FIRST]:
        paid = es_payoff(es_state(key), 0, p_share, p_counters)
        if paid < need:
            es_pass_by(line, frame - ROOM, paid)
            return es_result(p_counters)
        p_counters[ARRIVED] = 1
    p_counters[TAIL] += 1
    es_keep(memo, p_frames[frame + NAME], p_frames[frame + SECOND], LEAST, need - 1, 0)
    return es_result(p_counters)


def es_generate(memo: Memo, line: LineStack, p_share: Numbers, p_counters: Numbers, frame: int) -> int:
    """The children of a frame's key, with what may come after each."""
    p_frames, _, p_children, most_children, _ = line
    key = es_key_at(p_frames, frame)
    state = es_state(key)
    end = p_frames[frame + FIRST]
    for move in rule_moves(state):
        if end >= most_children:
            p_counters[NEEDED] = end + 1
            return BUFFER_FULL
        child = end * CHILD
        after = es_played(state, 0, move)
        es_store_at(p_children, child, after)
        p_children[child + WORTH] = es_hint(state, move)
        p_children[child + GAIN] = es_gain(state, 0, move, p_share, p_counters)
        p_children[child + PROMISED] = es_promise(es_state(after), p_share, p_counters)
        es_name(memo, p_children, child, after, False)
        end += 1
        p_counters[EDGES] += 1
    p_frames[frame + END] = end
    return es_result(p_counters)


def es_promise(state: State, p_share: Numbers, p_counters: Numbers) -> int:
    """The most that may still come from a state."""
    kind = es_write_share(p_share, 0, rule_bound(state), PLAYERS, SHARE_SITE)
    return es_amount(p_share, kind, 0, p_counters)


def es_pass_by(line: LineStack, frame: int, most: int) -> None:
    """Go by the child that is looked at, after which so much may come at the most."""
    p_frames, _, p_children, _, _ = line
    child = p_frames[frame + NEXT] * CHILD
    p_frames[frame + BEST] = max(p_frames[frame + BEST], p_children[child + GAIN] + most)
    p_frames[frame + NEXT] += 1


def es_go_back(memo: Memo, line: LineStack, p_counters: Numbers, frame: int) -> None:
    """Go back from a node that was searched in vain, and keep what that has shown."""
    p_frames, _, _, _, _ = line
    es_keep(memo, p_frames[frame + NAME], p_frames[frame + SECOND], LEAST, p_frames[frame + BEST], 0)
    p_counters[TAIL] -= 1
    es_pass_by(line, frame - ROOM, p_frames[frame + BEST])
