"""First bounds of a part, from afar: what all ways out of it bring, and what play could gain or lose before it leaves.

They hold without any guess; `interval_kernels` sweeps them towards each other where no
bounds close to a guess could be proven.
"""

from __future__ import annotations

from endsight.graph.kernel_numbers import Edges, Numbers, Part, Tables

FINISHED, SLOW, TOO_LARGE = 0, 1, 2
"""How the search for bounds came out: found, given up after many sweeps, or an amount would pass the limit."""


def steps_left(edges: Edges, p_steps: Numbers, begin: int, end: int, most_sweeps: int) -> int:
    """Fill `p_steps` with g so that g >= 1 + (mean of g over outcomes, largest over moves), in 64ths.

    g bounds the moves that play can stay in the part. Sweeps h = 1 + ... from 0 up, until
    no node would gain more than a half; then g = 2 h will do. Returns 0 where that takes
    more than `most_sweeps` or 2^14 moves.
    """
    p_offsets, h_successors, p_weights, is_weighted, b_signs, _, _ = edges
    for node in range(begin, end):
        p_steps[node] = 0
    for _ in range(most_sweeps):
        growth = 0
        for check in range(2):
            # In the second round nothing changes: it measures what is still lacking everywhere.
            if check == 1 and growth > 32:
                break
            growth = 0
            for node in range(begin, end):
                value = 0
                total = 0
                for edge in range(p_offsets[node], p_offsets[node + 1]):
                    child = h_successors[edge]
                    beyond = 0
                    if begin <= child < end:
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
            for node in range(begin, end):
                p_steps[node] *= 2
            return 1
    return 0


def start_part(edges: Edges, tables: Tables, part: Part, limit: int, most_sweeps: int) -> int:
    """First bounds of a part: the least and the largest amount on the way out, and what could be gained before."""
    p_offsets, h_successors, _, _, _, p_gains, has_gains = edges
    p_bounds, _, p_steps, _, _ = tables
    _, _, begin, end = part
    low = limit
    high = -limit
    least = 0
    most = 0
    for node in range(begin, end):
        for edge in range(p_offsets[node], p_offsets[node + 1]):
            child = h_successors[edge]
            gain = 0
            if has_gains != 0:
                gain = p_gains[edge]
            if begin <= child < end:
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
        done = steps_left(edges, p_steps, begin, end, most_sweeps)
        if done == 0:
            return SLOW
    # An amount a move that covers the largest gain and loss, and rounding; in 64ths like the moves left.
    fall = 0
    rise = 0
    if least < 0:
        fall = (-least + 65) // 64
    if most > 0:
        rise = (most + 65) // 64
    for node in range(begin, end):
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
