"""The loops of interval iteration, in whole numbers: run as they stand, or compiled.

Plainly they work on lists of Python's unbounded numbers; compiled, on arrays of words (see
`kernel_numbers`). Both give the same numbers, because no whole number here passes 2^62:
amounts never pass `limit`, and `limit` times the largest sum of weights is at most 2^61
(see `interval_iteration.Scale`). Floats only guess.

A node's lower and upper bound stand side by side, as p_bounds[2 * node] and
p_bounds[2 * node + 1]. A part is a strongly connected component; nodes are numbered
by `structure_kernels.arrange`, so that those of a part lie side by side. Its turns are the
nodes that a sweep reads before it comes to them (`guess_kernels`): only there a sweep takes
anything over from the one before.
"""

from __future__ import annotations

from endsight.algorithms.guess_kernels import find_turns, guess_around, guess_part, try_next
from endsight.graph.kernel_numbers import Edges, IterationArrays, Numbers, Part

FINISHED, SLOW, TOO_LARGE = 0, 1, 2
"""How the search for bounds came out: found, given up as too slow, or an amount would pass the limit."""
REFINING, NEAREST, FARTHEST_OFF = 6, 2.0, 1 << 24
"""Sweeps in which a guess is refined in whole numbers at most; change, in units, that ends it; its reach."""
WIDEST, WIDER, SETTLING = 1 << 14, 8, 4
"""Units by which a guess is widened at most, the factor from try to try, and sweeps in which its bounds must hold."""
TRIAL = 12
"""Sweeps in which bounds that hold must come 8 times closer, or they are left as they are."""
LEAST_CLOSER, SLOWLY = 2, 0.9
"""Sweeps that bring bounds close to a guess still closer, at least; what one may gain after that, of the one before."""


def enclose(
    edges: Edges,
    p_payoffs: Numbers,
    tables: IterationArrays,
    h_turns: Numbers,
    h_starts: Numbers,
    first_part: int,
    parts: int,
    limit: int,
    most_nodes: int,
    most_sweeps: int,
    p_reason: Numbers,
) -> int:
    """Bounds of all nodes from part `first_part` on; the number of the part it stopped before.

    Nodes are numbered by `arrange`: part k is h_starts[k] .. h_starts[k + 1] - 1. `p_payoffs` are what the first player
    gets at ends. Within a part with loops both bounds are swept towards each other, from close around a guess in
    floats. Parts of more than `most_nodes` are swept on trial. For a part of n nodes `p_kept`, `d_work` and `h_turns`
    have room for 2 n, 8 n and n numbers. `p_reason[0]` says why it stopped: FINISHED, SLOW (where no bounds around the
    guess could be proven), or TOO_LARGE (an amount would pass `limit`). It ends soon, with nothing proven, when
    somebody else sets `p_reason[1]`.
    """
    p_bounds, _, d_guess, _ = tables
    for number in range(first_part, parts):
        begin = h_starts[number]
        end = h_starts[number + 1]
        turns = find_turns(edges, h_turns, begin, end)
        if turns == 0:
            reason = enclose_node(begin, edges, p_payoffs, tables, limit)
        else:
            part = (h_turns, turns, begin, end)
            reason = enclose_loop(edges, tables, part, limit, most_sweeps, int(end - begin > most_nodes), p_reason)
            for node in range(begin, end):
                d_guess[node] = (p_bounds[2 * node] + p_bounds[2 * node + 1]) * 0.5
        p_reason[0] = reason
        if reason != FINISHED:
            return number
    return parts


def enclose_node(node: int, edges: Edges, p_payoffs: Numbers, tables: IterationArrays, limit: int) -> int:
    """Bounds of a node to which play does not come back: FINISHED or TOO_LARGE."""
    p_offsets, _, _, _, _, _, _ = edges
    p_bounds, _, d_guess, _ = tables
    low = p_payoffs[node]
    high = low
    if p_offsets[node] < p_offsets[node + 1]:
        low, high = backed_up(node, edges, p_bounds)
    if low < -limit or high > limit:
        return TOO_LARGE
    p_bounds[2 * node] = low
    p_bounds[2 * node + 1] = high
    d_guess[node] = (low + high) * 0.5
    return FINISHED


def backed_up(node: int, edges: Edges, p_bounds: Numbers) -> tuple[int, int]:
    """Bounds of a node from those of its successors: the lower rounded down, the upper up."""
    _, _, _, _, b_signs, _, _ = edges
    low, high, total = summed(node, edges, p_bounds)
    if b_signs[node] != 0:
        return low, high
    return low // total, -((-high) // total)


def summed(node: int, edges: Edges, p_bounds: Numbers) -> tuple[int, int, int]:
    """The bounds of a node from those of its successors, times the sum of its weights, and that sum; 1 for players."""
    p_offsets, h_successors, p_weights, is_weighted, b_signs, p_gains, has_gains = edges
    first = p_offsets[node]
    last = p_offsets[node + 1]
    sign = b_signs[node]
    low = 0
    high = 0
    if sign == 0 and is_weighted == 0 and has_gains == 0:
        for edge in range(first, last):
            child = 2 * h_successors[edge]
            low += p_bounds[child]
            high += p_bounds[child + 1]
        return low, high, last - first
    total = 0
    for edge in range(first, last):
        child = 2 * h_successors[edge]
        worst = p_bounds[child]
        best = p_bounds[child + 1]
        if has_gains != 0:
            worst += p_gains[edge]
            best += p_gains[edge]
        if sign == 0:
            weight = p_weights[edge] if is_weighted != 0 else 1
            low += weight * worst
            high += weight * best
            total += weight
        elif edge == first:
            low = worst
            high = best
        elif sign > 0:
            low = max(low, worst)
            high = max(high, best)
        else:
            low = min(low, worst)
            high = min(high, best)
    return low, high, total if sign == 0 else 1


def enclose_loop(
    edges: Edges, tables: IterationArrays, part: Part, limit: int, most_sweeps: int, is_trial: int, p_reason: Numbers
) -> int:
    """Bounds of a part with loops: FINISHED or SLOW; see `enclose`."""
    _, _, d_guess, d_work = tables
    guess_around(edges, d_guess, part)
    is_settled = guess_part(edges, d_guess, d_work, part, most_sweeps, is_trial, p_reason)
    if p_reason[1] != 0:
        return SLOW
    if (is_trial == 0 or is_settled != 0) and bounds_from_guess(edges, tables, part, limit):
        narrow(edges, tables, part, most_sweeps, p_reason)
        return FINISHED
    return SLOW


def bounds_from_guess(edges: Edges, tables: IterationArrays, part: Part, limit: int) -> int:
    """Bounds of a part close around the guess, where they can be proven; 1 for success, else 0.

    The guess is refined and widened a little on both sides, and more where that does not
    hold. `d_guess` holds it at every node, and `d_work` what `guess_part` leaves there.
    """
    p_bounds, _, d_guess, d_work = tables
    h_turns, turns, begin, end = part
    for node in range(begin, end):
        # What is no number at all fails this, too.
        if not abs(d_guess[node]) * 1.001 < limit - 2 * FARTHEST_OFF:
            return 0
    slack = refine(edges, tables, part)
    while slack <= WIDEST:
        for turn in range(turns):
            node = h_turns[turn]
            p_bounds[2 * node] = int(d_guess[node]) + int(d_work[turn]) - slack
            p_bounds[2 * node + 1] = int(d_guess[node]) + int(d_work[4 * turns + turn]) + slack
        if has_held(edges, tables, part):
            return 1
        slack *= WIDER
    return 0


def refine(edges: Edges, tables: IterationArrays, part: Part) -> int:
    """Go on from where `guess_part` stopped, in whole numbers and at both ends; about how far off they still are.

    The turns' bounds become the last tries: still guesses, and nothing is proven. Tries are
    counted from the guess, so that floats can hold them.
    """
    p_bounds, _, d_guess, d_work = tables
    h_turns, turns, _, _ = part
    upper = 4 * turns
    for turn in range(turns):
        whole = int(d_guess[h_turns[turn]])
        d_work[turn] -= whole
        d_work[3 * turns + turn] -= whole
        for row in range(4):
            d_work[upper + row * turns + turn] = d_work[row * turns + turn]
    largest = 0.0
    is_done = False
    for sweep in range(REFINING + 1):
        for turn in range(turns):
            node = h_turns[turn]
            for end_of in range(2):
                place = end_of * upper + turn
                off = int(max(-FARTHEST_OFF, min(FARTHEST_OFF, d_work[place])))
                d_work[place] = off * 1.0
                p_bounds[2 * node + end_of] = int(d_guess[node]) + off
        if sweep == REFINING or is_done:
            break
        sweep_bounds(edges, tables, part, 0)
        for turn in range(turns):
            node = h_turns[turn]
            d_work[turns + turn] = (p_bounds[2 * node] - int(d_guess[node])) * 1.0
            d_work[upper + turns + turn] = (p_bounds[2 * node + 1] - int(d_guess[node])) * 1.0
        before = largest
        largest = max(try_next(d_work, 0, turns, 1), try_next(d_work, upper, turns, 1))
        is_done = largest <= NEAREST or (sweep > 1 and largest > 0.5 * before)
    slack = int(min(largest, WIDEST * 1.0)) + 1
    return slack if turns == 1 else slack * WIDER


def sweep_bounds(edges: Edges, tables: IterationArrays, part: Part, is_closer: int) -> int:
    """One sweep over a part's bounds; `p_kept` receives what the turns' were before. The number of turns it changed.

    With `is_closer` no bound becomes worse.
    """
    p_bounds, p_kept, _, _ = tables
    h_turns, turns, begin, end = part
    for turn in range(turns):
        p_kept[2 * turn] = p_bounds[2 * h_turns[turn]]
        p_kept[2 * turn + 1] = p_bounds[2 * h_turns[turn] + 1]
    for node in range(begin, end):
        low, high = backed_up(node, edges, p_bounds)
        if is_closer != 0:
            low = max(low, p_bounds[2 * node])
            high = min(high, p_bounds[2 * node + 1])
        p_bounds[2 * node] = low
        p_bounds[2 * node + 1] = high
    changed = 0
    for turn in range(turns):
        node = h_turns[turn]
        if p_bounds[2 * node] != p_kept[2 * turn] or p_bounds[2 * node + 1] != p_kept[2 * turn + 1]:
            changed += 1
    return changed


def has_held(edges: Edges, tables: IterationArrays, part: Part) -> int:
    """Sweep a few times; 1 as soon as a whole sweep worsens no bound of a turn, else 0.

    Then one move of the game worsens no bound at all: each was made from bounds of others
    that are now the same, or better at turns. So the bounds hold (Hartmanns and Kaminski 2020).
    """
    p_bounds, p_kept, _, _ = tables
    h_turns, turns, _, _ = part
    for _ in range(SETTLING):
        sweep_bounds(edges, tables, part, 0)
        worse = 0
        for turn in range(turns):
            node = h_turns[turn]
            if p_bounds[2 * node] < p_kept[2 * turn] or p_bounds[2 * node + 1] > p_kept[2 * turn + 1]:
                worse += 1
        if worse == 0:
            return 1
    return 0


def narrow(edges: Edges, tables: IterationArrays, part: Part, most_sweeps: int, p_reason: Numbers) -> int:
    """Sweep both bounds of a part towards each other, as long as that pays; how many sweeps it took.

    It ends where neither bound moves any more, and as soon as a sweep gains hardly less than the one
    before: bounds that are close from the start are good enough, and more sweeps would take long.
    """
    p_bounds, p_kept, _, _ = tables
    h_turns, turns, begin, end = part
    before = 0
    gained = 0.0
    for sweeps in range(most_sweeps):
        if sweeps == TRIAL or sweeps == 2 * TRIAL:
            widest = 0
            for node in range(begin, end):
                widest = max(widest, p_bounds[2 * node + 1] - p_bounds[2 * node])
            if sweeps > TRIAL and widest > before // 8:
                return sweeps
            before = widest
        if p_reason[1] != 0 or sweep_bounds(edges, tables, part, 1) == 0:
            return sweeps
        gain = 0.0
        for turn in range(turns):
            gain += p_bounds[2 * h_turns[turn]] - p_kept[2 * turn]
            gain += p_kept[2 * turn + 1] - p_bounds[2 * h_turns[turn] + 1]
        if sweeps >= LEAST_CLOSER and gain > gained * SLOWLY:
            return sweeps
        gained = gain
    return most_sweeps
