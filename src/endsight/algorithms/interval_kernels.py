"""The loops of interval iteration, in whole numbers: run as they stand, or compiled.

Plainly they work on lists of Python's unbounded numbers; compiled, on arrays of 64-bit
(`p_`), 32-bit (`h_`) and 8-bit numbers (`b_`). Both give the same numbers, because no
number here passes 2^62: amounts never pass `limit`, and `limit` times the largest sum of
weights is at most 2^61 (see `interval_iteration.Scale`).

A node's lower and upper bound stand side by side, as p_bounds[2 * node] and
p_bounds[2 * node + 1]. A part is a strongly connected component.
"""

from __future__ import annotations

from collections.abc import MutableSequence
from typing import TypeAlias

Numbers: TypeAlias = MutableSequence[int]

FINISHED, SLOW, TOO_LARGE = 0, 1, 2
"""Why `enclose` handed back."""
LEAST = -(1 << 62)
TRIAL = 12
"""Sweeps in which the bounds of a part must come 8 times closer, or it counts as slow."""


def find_components(
    p_offsets: Numbers,
    h_successors: Numbers,
    count: int,
    h_order: Numbers,
    h_starts: Numbers,
    h_part: Numbers,
    h_low: Numbers,
    p_next: Numbers,
    h_path: Numbers,
    h_stack: Numbers,
) -> int:
    """Strongly connected components, each after all those it leads to; how many there are.

    Part k is h_order[h_starts[k] .. h_starts[k + 1] - 1], its nodes in the order in which
    a depth-first search leaves them, so that most successors come first. `h_part` must
    hold -1 everywhere, and holds every node's part in the end. Tarjan (1972) with the
    stack of Nuutila and Soisalon-Soininen (1994).
    """
    clock = 0
    parts = 0
    placed = 0
    top = 0
    for root in range(count):
        if h_part[root] >= 0:
            continue
        h_path[0] = root
        depth = 1
        while depth > 0:
            node = h_path[depth - 1]
            if h_part[node] < 0:
                # Until a node is placed, this is when it was found.
                h_part[node] = clock
                h_low[node] = clock
                p_next[node] = p_offsets[node]
                clock += 1
            edge = p_next[node]
            end = p_offsets[node + 1]
            low = h_low[node]
            deeper = -1
            while edge < end:
                child = h_successors[edge]
                if h_part[child] < 0:
                    deeper = child
                    break
                if h_low[child] < low:
                    low = h_low[child]
                edge += 1
            h_low[node] = low
            p_next[node] = edge
            if deeper >= 0:
                h_path[depth] = deeper
                depth += 1
                continue
            depth -= 1
            if low < h_part[node]:
                h_stack[top] = node
                top += 1
                continue
            begin = top
            while begin > 0 and h_part[h_stack[begin - 1]] > h_part[node]:
                begin -= 1
            h_starts[parts] = placed
            h_stack[top] = node
            for place in range(begin, top + 1):
                member = h_stack[place]
                h_order[placed] = member
                h_part[member] = parts
                h_low[member] = count
                placed += 1
            top = begin
            parts += 1
    h_starts[parts] = placed
    return parts


def find_ranks(
    p_offsets: Numbers,
    h_successors: Numbers,
    b_signs: Numbers,
    count: int,
    p_into: Numbers,
    h_before: Numbers,
    h_open: Numbers,
    h_ranks: Numbers,
    h_queue: Numbers,
) -> int:
    """Give nodes ranks, ends first, and return how many have one.

    A chance node's rank is larger than that of one successor at least, a player's node's
    larger than those of all. So where every node has a rank, whatever the players do, play
    comes down to an end within n moves with some chance, and ends with probability 1.
    `p_into` must be zeros and `h_ranks` -1; nodes of which play may never end keep -1.
    """
    for edge in range(p_offsets[count]):
        p_into[h_successors[edge]] += 1
    for node in range(count):
        p_into[node + 1] += p_into[node]
    for node in range(count):
        for edge in range(p_offsets[node], p_offsets[node + 1]):
            child = h_successors[edge]
            p_into[child] -= 1
            h_before[p_into[child]] = node
    found = 0
    for node in range(count):
        edges = p_offsets[node + 1] - p_offsets[node]
        h_open[node] = edges
        if edges == 0:
            h_ranks[node] = found
            h_queue[found] = node
            found += 1
        elif b_signs[node] == 0:
            h_open[node] = 1
    place = 0
    while place < found:
        node = h_queue[place]
        place += 1
        for edge in range(p_into[node], p_into[node + 1]):
            before = h_before[edge]
            if h_ranks[before] < 0:
                h_open[before] -= 1
                if h_open[before] == 0:
                    h_ranks[before] = found
                    h_queue[found] = before
                    found += 1
    return found


def backed_up(
    node: int,
    p_offsets: Numbers,
    h_successors: Numbers,
    p_weights: Numbers,
    is_weighted: int,
    b_signs: Numbers,
    p_gains: Numbers,
    has_gains: int,
    p_bounds: Numbers,
) -> tuple[int, int]:
    """Bounds of a node from those of its successors: the lower rounded down, the upper up."""
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
        return low // (last - first), -((-high) // (last - first))
    total = 0
    for edge in range(first, last):
        child = 2 * h_successors[edge]
        worst = p_bounds[child]
        best = p_bounds[child + 1]
        if has_gains != 0:
            worst += p_gains[edge]
            best += p_gains[edge]
        if sign == 0:
            weight = 1
            if is_weighted != 0:
                weight = p_weights[edge]
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
    if sign == 0:
        return low // total, -((-high) // total)
    return low, high


def steps_left(
    p_offsets: Numbers,
    h_successors: Numbers,
    p_weights: Numbers,
    is_weighted: int,
    b_signs: Numbers,
    p_steps: Numbers,
    h_order: Numbers,
    h_part: Numbers,
    part: int,
    begin: int,
    end: int,
    most_sweeps: int,
) -> int:
    """Fill `p_steps` with g so that g >= 1 + (mean of g over outcomes, largest over moves), in 64ths.

    g bounds the moves that play can stay in the part. Sweeps h = 1 + ... from 0 up, until
    no node would gain more than a half; then g = 2 h will do. Returns 0 where that takes
    more than `most_sweeps` or 2^14 moves.
    """
    for place in range(begin, end):
        p_steps[h_order[place]] = 0
    for _ in range(most_sweeps):
        growth = 0
        for check in range(2):
            # In the second round nothing changes: it measures what is still lacking everywhere.
            if check == 1 and growth > 32:
                break
            growth = 0
            for place in range(begin, end):
                node = h_order[place]
                value = 0
                total = 0
                for edge in range(p_offsets[node], p_offsets[node + 1]):
                    child = h_successors[edge]
                    beyond = 0
                    if h_part[child] == part:
                        beyond = p_steps[child]
                    if b_signs[node] != 0:
                        if beyond > value:
                            value = beyond
                    else:
                        weight = 1
                        if is_weighted != 0:
                            weight = p_weights[edge]
                        value += weight * beyond
                        total += weight
                if total > 0:
                    value = -((-value) // total)
                value += 64
                if value - p_steps[node] > growth:
                    growth = value - p_steps[node]
                if check == 0 and value > p_steps[node]:
                    if value > (1 << 20):
                        return 0
                    p_steps[node] = value
        if growth <= 32:
            for place in range(begin, end):
                p_steps[h_order[place]] *= 2
            return 1
    return 0


def start_part(
    p_offsets: Numbers,
    h_successors: Numbers,
    p_weights: Numbers,
    is_weighted: int,
    b_signs: Numbers,
    p_gains: Numbers,
    has_gains: int,
    p_bounds: Numbers,
    p_steps: Numbers,
    h_order: Numbers,
    h_part: Numbers,
    part: int,
    begin: int,
    end: int,
    limit: int,
    most_sweeps: int,
) -> int:
    """First bounds of a part: the least and the largest amount on the way out, and what could be gained before."""
    low = limit
    high = -limit
    least = 0
    most = 0
    for place in range(begin, end):
        node = h_order[place]
        for edge in range(p_offsets[node], p_offsets[node + 1]):
            child = h_successors[edge]
            gain = 0
            if has_gains != 0:
                gain = p_gains[edge]
            if h_part[child] == part:
                if gain < least:
                    least = gain
                if gain > most:
                    most = gain
            else:
                if p_bounds[2 * child] + gain < low:
                    low = p_bounds[2 * child] + gain
                if p_bounds[2 * child + 1] + gain > high:
                    high = p_bounds[2 * child + 1] + gain
    if least < 0 or most > 0:
        done = steps_left(
            p_offsets, h_successors, p_weights, is_weighted, b_signs, p_steps, h_order, h_part, part, begin, end,
            most_sweeps,
        )  # fmt: skip
        if done == 0:
            return SLOW
    # An amount a move that covers the largest gain and loss, and rounding; in 64ths like the moves left.
    fall = 0
    rise = 0
    if least < 0:
        fall = (-least + 65) // 64
    if most > 0:
        rise = (most + 65) // 64
    for place in range(begin, end):
        node = h_order[place]
        down = low
        up = high
        if fall > 0 or rise > 0:
            if fall > limit // p_steps[node] or rise > limit // p_steps[node]:
                return TOO_LARGE
            down -= fall * p_steps[node]
            up += rise * p_steps[node]
        if down < -limit or up > limit:
            return TOO_LARGE
        p_bounds[2 * node] = down
        p_bounds[2 * node + 1] = up
    return FINISHED


def enclose(
    p_offsets: Numbers,
    h_successors: Numbers,
    p_weights: Numbers,
    is_weighted: int,
    b_signs: Numbers,
    p_gains: Numbers,
    has_gains: int,
    p_payoffs: Numbers,
    p_bounds: Numbers,
    p_steps: Numbers,
    h_order: Numbers,
    h_starts: Numbers,
    h_part: Numbers,
    first_part: int,
    parts: int,
    limit: int,
    most_nodes: int,
    most_sweeps: int,
    p_reason: Numbers,
) -> int:
    """Bounds of all nodes from part `first_part` on; the number of the part it stopped before.

    Within a part both bounds are swept, from valid starts towards each other, until
    neither moves any more. `p_reason[0]` says why it stopped: FINISHED, SLOW (more than
    `most_nodes` in the part, or `most_sweeps` sweeps, or little gained by the first), or
    TOO_LARGE (an amount would pass `limit`).
    """
    for part in range(first_part, parts):
        begin = h_starts[part]
        end = h_starts[part + 1]
        node = h_order[begin]
        first = p_offsets[node]
        last = p_offsets[node + 1]
        is_loop = end - begin > 1
        for edge in range(first, last):
            if h_successors[edge] == node:
                is_loop = True
        if not is_loop:
            low = p_payoffs[node]
            high = low
            if first < last:
                low, high = backed_up(
                    node, p_offsets, h_successors, p_weights, is_weighted, b_signs, p_gains, has_gains, p_bounds
                )
            if low < -limit or high > limit:
                p_reason[0] = TOO_LARGE
                return part
            p_bounds[2 * node] = low
            p_bounds[2 * node + 1] = high
            continue
        if end - begin > most_nodes:
            p_reason[0] = SLOW
            return part
        p_reason[0] = start_part(
            p_offsets, h_successors, p_weights, is_weighted, b_signs, p_gains, has_gains, p_bounds, p_steps,
            h_order, h_part, part, begin, end, limit, most_sweeps,
        )  # fmt: skip
        if p_reason[0] != FINISHED:
            return part
        changed = 1
        sweeps = 0
        before = 0
        while changed != 0:
            if sweeps == TRIAL or sweeps == 2 * TRIAL:
                widest = 0
                for place in range(begin, end):
                    node = h_order[place]
                    if p_bounds[2 * node + 1] - p_bounds[2 * node] > widest:
                        widest = p_bounds[2 * node + 1] - p_bounds[2 * node]
                if sweeps > TRIAL and widest > before // 8:
                    p_reason[0] = SLOW
                    return part
                before = widest
            if sweeps == most_sweeps:
                p_reason[0] = SLOW
                return part
            changed = 0
            for place in range(begin, end):
                node = h_order[place]
                low, high = backed_up(
                    node, p_offsets, h_successors, p_weights, is_weighted, b_signs, p_gains, has_gains, p_bounds
                )
                if low > p_bounds[2 * node]:
                    p_bounds[2 * node] = low
                    changed = 1
                if high < p_bounds[2 * node + 1]:
                    p_bounds[2 * node + 1] = high
                    changed = 1
            sweeps += 1
    p_reason[0] = FINISHED
    return parts


def first_unproven(
    p_offsets: Numbers,
    h_successors: Numbers,
    p_weights: Numbers,
    is_weighted: int,
    b_signs: Numbers,
    p_gains: Numbers,
    has_gains: int,
    p_payoffs: Numbers,
    p_bounds: Numbers,
    h_ranks: Numbers,
    count: int,
    limit: int,
    first: int,
) -> int:
    """The first node from `first` on at which the certificate fails; `count` for none.

    At every node the lower bound is at most, and the upper at least, what one move makes
    of the bounds (multiplied out: nothing is divided or rounded); a rank is larger than
    that of some successor by chance, and than those of all successors of a player. By
    the ranks play ends whatever the players do, so the values are the only solution of
    the optimality equations, and the bounds hold.
    """
    for node in range(first, count):
        low = p_bounds[2 * node]
        high = p_bounds[2 * node + 1]
        if low < -limit or high > limit or low > high:
            return node
        begin = p_offsets[node]
        end = p_offsets[node + 1]
        if begin == end:
            if low > p_payoffs[node] or high < p_payoffs[node] or h_ranks[node] < 0:
                return node
            continue
        sign = b_signs[node]
        total = 0
        below = 0
        above = 0
        smaller = 0
        for edge in range(begin, end):
            child = h_successors[edge]
            worst = p_bounds[2 * child]
            best = p_bounds[2 * child + 1]
            if has_gains != 0:
                worst += p_gains[edge]
                best += p_gains[edge]
            if h_ranks[child] >= 0 and h_ranks[child] < h_ranks[node]:
                smaller += 1
            if sign == 0:
                weight = 1
                if is_weighted != 0:
                    weight = p_weights[edge]
                total += weight
                below += weight * worst
                above += weight * best
            else:
                if total == 0 or sign * worst > sign * below:
                    below = worst
                if total == 0 or sign * best > sign * above:
                    above = best
                total = 1
        if low * total > below or high * total < above:
            return node
        if smaller == 0 or (sign != 0 and smaller < end - begin):
            return node
    return count


def judge_moves(
    p_offsets: Numbers,
    h_successors: Numbers,
    b_signs: Numbers,
    p_gains: Numbers,
    has_gains: int,
    p_bounds: Numbers,
    count: int,
    b_verdicts: Numbers,
    p_counts: Numbers,
) -> int:
    """What the bounds prove of every edge: 0 worse than another, 1 nothing, 2 best (perhaps with others).

    At chance nodes all are 1. `p_counts` receives the number of players' nodes, of those
    where some move is proven best, and of those where it is proven better than all others;
    the result is the number of the last.
    """
    players = 0
    settled = 0
    single = 0
    for node in range(count):
        begin = p_offsets[node]
        end = p_offsets[node + 1]
        sign = b_signs[node]
        if sign == 0:
            for edge in range(begin, end):
                b_verdicts[edge] = 1
            continue
        # Seen by the mover an edge is worth at least `sure`, at most `hoped`.
        highest = LEAST
        second = LEAST
        surest = LEAST
        top = begin
        for edge in range(begin, end):
            child = 2 * h_successors[edge]
            gain = 0
            if has_gains != 0:
                gain = p_gains[edge]
            hoped = p_bounds[child + 1] + gain
            sure = p_bounds[child] + gain
            if sign < 0:
                hoped, sure = -sure, -hoped
            if hoped > highest:
                second = highest
                highest = hoped
                top = edge
            elif hoped > second:
                second = hoped
            if sure > surest:
                surest = sure
        kept = 0
        proven = 0
        for edge in range(begin, end):
            child = 2 * h_successors[edge]
            gain = 0
            if has_gains != 0:
                gain = p_gains[edge]
            hoped = p_bounds[child + 1] + gain
            sure = p_bounds[child] + gain
            if sign < 0:
                hoped, sure = -sure, -hoped
            rival = highest
            if edge == top:
                rival = second
            if hoped < surest:
                b_verdicts[edge] = 0
                continue
            kept += 1
            b_verdicts[edge] = 1
            if sure >= rival:
                b_verdicts[edge] = 2
                proven += 1
        players += 1
        if proven > 0:
            settled += 1
            if kept == 1:
                single += 1
    p_counts[0] = players
    p_counts[1] = settled
    p_counts[2] = single
    return single
