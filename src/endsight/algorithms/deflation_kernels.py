"""The loops of `deflation`, in whole numbers: bounds that come closer, and the proof that they hold.

Bounds are those of `interval_kernels`. Every time that one of them moves, a clock ticks: `p_moved` has the time
at which each moved last, of lower bounds at 2 * node, of upper ones at 2 * node + 1; `p_clock[0]` is the time.
"""

from __future__ import annotations

from endsight.algorithms.interval_kernels import FINISHED, SLOW, TOO_LARGE, backed_up
from endsight.graph.kernel_numbers import Edges, Moving, Numbers

WIDE = 3
"""Bounds of a part stand still, and are far apart."""


def squeeze(
    edges: Edges, p_payoffs: Numbers, moving: Moving, h_starts: Numbers,
    first_part: int, parts: int, has_begun: int, most_rounds: int, p_reason: Numbers,
) -> int:  # fmt: skip
    """Bounds of all nodes from part `first_part` on, which `has_begun` or not; the number of the part it stops before.

    `p_reason[0]` says why it stopped. It ends soon, with bounds that hold but are not close, when somebody else sets
    `p_reason[1]`.
    """
    for number in range(first_part, parts):
        begin = h_starts[number]
        end = h_starts[number + 1]
        reason = FINISHED
        if number > first_part or has_begun == 0:
            reason = begin_part(edges, p_payoffs, moving, begin, end)
        if reason == FINISHED:
            reason = squeeze_part(edges, moving, begin, end, most_rounds, p_reason)
        p_reason[0] = reason
        if reason != FINISHED:
            return number
    return parts


def begin_part(edges: Edges, p_payoffs: Numbers, moving: Moving, begin: int, end: int) -> int:
    """First bounds of a part: the least and the most of its ends, of all ways out, and of play that never ends."""
    p_offsets, h_successors, _, _, _, _, _ = edges
    p_bounds, p_moved, p_clock, least, most, _, _, limit = moving
    low = least
    high = most
    for node in range(begin, end):
        if p_offsets[node] == p_offsets[node + 1]:
            low = p_payoffs[node]
            high = low
        for edge in range(p_offsets[node], p_offsets[node + 1]):
            child = h_successors[edge]
            if child < begin:
                low = min(low, p_bounds[2 * child])
                high = max(high, p_bounds[2 * child + 1])
    if low < -limit or high > limit:
        return TOO_LARGE
    for node in range(begin, end):
        p_bounds[2 * node] = low
        p_bounds[2 * node + 1] = high
        p_moved[2 * node] = p_clock[0]
        p_moved[2 * node + 1] = p_clock[0]
    return FINISHED


def squeeze_part(edges: Edges, moving: Moving, begin: int, end: int, most_rounds: int, p_reason: Numbers) -> int:
    """Back bounds of a part up, until they are close (FINISHED), or hardly move (WIDE), or it takes long (SLOW)."""
    p_offsets, _, _, _, _, _, _ = edges
    p_bounds, p_moved, p_clock, _, _, little, wide, _ = moving
    if p_offsets[begin] == p_offsets[begin + 1]:
        return FINISHED
    for _ in range(most_rounds):
        if p_reason[1] != 0:
            return SLOW
        change = 0
        widest = 0
        for node in range(begin, end):
            low, high = backed_up(node, edges, p_bounds)
            if low > p_bounds[2 * node]:
                change = max(change, low - p_bounds[2 * node])
                p_bounds[2 * node] = low
                p_clock[0] += 1
                p_moved[2 * node] = p_clock[0]
            if high < p_bounds[2 * node + 1]:
                change = max(change, p_bounds[2 * node + 1] - high)
                p_bounds[2 * node + 1] = high
                p_clock[0] += 1
                p_moved[2 * node + 1] = p_clock[0]
            widest = max(widest, p_bounds[2 * node + 1] - p_bounds[2 * node])
        if change <= little or widest <= little:
            return FINISHED if widest <= wide else WIDE
    return SLOW


def first_unsure(
    edges: Edges, p_payoffs: Numbers, p_bounds: Numbers, p_moved: Numbers, h_kept: Numbers,
    count: int, least: int, most: int,
) -> int:  # fmt: skip
    """The first node at which the bounds are not proven; `count` for none.

    At every node the lower bound is at most, and the upper at least, what one move makes of the bounds. Where the
    lower one is more than endless play pays (`least` or less), some outcome of chance goes on (`is_on`), the edge in
    `h_kept` of the side that wants more, and all edges of the other side; likewise where the upper one is less than
    `most`. docs/theory/endless-play.md, "Loops of both", has the proof.
    """
    p_offsets, h_successors, p_weights, is_weighted, b_signs, _, _ = edges
    for node in range(count):
        begin = p_offsets[node]
        end = p_offsets[node + 1]
        for side in range(2):
            place = 2 * node + side
            bound = p_bounds[place]
            better = 1 - 2 * side
            if begin == end:
                if better * (p_payoffs[node] - bound) < 0:
                    return node
                continue
            needs = 1 if (side == 0 and bound > least) or (side == 1 and bound < most) else 0
            total = 0
            amount = 0
            going = 0
            for edge in range(begin, end):
                child = h_successors[edge]
                after = p_bounds[2 * child + side]
                goes = is_on(p_offsets, p_bounds, p_moved, place, child)
                if b_signs[node] == 0:
                    weight = p_weights[edge] if is_weighted != 0 else 1
                    total += weight
                    amount += weight * after
                    going += goes
                elif b_signs[node] == better:
                    total = 1
                    if edge == h_kept[place]:
                        amount = after
                        going += goes
                else:
                    if better * (after - bound) < 0:
                        return node
                    total = 1
                    amount = bound
                    going += goes
                    if goes == 0 and needs == 1:
                        return node
            if better * (amount - bound * total) < 0 or (needs == 1 and going == 0):
                return node
    return count


def is_on(p_offsets: Numbers, p_bounds: Numbers, p_moved: Numbers, place: int, child: int) -> int:
    """1 where play goes on there from a bound at `place`: to an end, another bound, or one that moved earlier."""
    beyond = 2 * child + place % 2
    if p_offsets[child] == p_offsets[child + 1] or p_bounds[beyond] != p_bounds[place]:
        return 1
    return 1 if p_moved[beyond] < p_moved[place] else 0


def keep_oldest(edges: Edges, p_bounds: Numbers, p_moved: Numbers, count: int, h_kept: Numbers) -> int:
    """For both bounds of every node the side's edge to the best bound: to an end, or the one that moved longest ago."""
    p_offsets, h_successors, _, _, b_signs, _, _ = edges
    for node in range(count):
        for side in range(2):
            better = 1 - 2 * side
            kept = -1
            best = 0
            oldest = 0
            if b_signs[node] == better:
                for edge in range(p_offsets[node], p_offsets[node + 1]):
                    child = h_successors[edge]
                    bound = better * p_bounds[2 * child + side]
                    moved = p_moved[2 * child + side]
                    if p_offsets[child] == p_offsets[child + 1]:
                        moved = -1
                    if kept < 0 or bound > best or (bound == best and moved < oldest):
                        kept = edge
                        best = bound
                        oldest = moved
            h_kept[2 * node + side] = kept
    return count
