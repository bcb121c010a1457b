"""Loops over finished bounds: do they hold, and what do they prove of every move?

Amounts never pass 2^62 (see `interval_kernels`).
"""

from __future__ import annotations

from endsight.algorithms.interval_kernels import summed
from endsight.graph.kernel_numbers import Edges, Numbers

LEAST = -(1 << 62)


def first_unproven(
    edges: Edges, p_payoffs: Numbers, p_bounds: Numbers, h_ranks: Numbers, count: int, limit: int
) -> int:
    """The first node at which the certificate fails; `count` for none.

    At every node the lower bound is at most, and the upper at least, what one move makes
    of the bounds (multiplied out: nothing is divided or rounded); a rank is larger than
    that of some successor by chance, and than those of all successors of a player. By
    the ranks play ends whatever the players do, so the values are the only solution of
    the optimality equations, and the bounds hold.
    """
    p_offsets, h_successors, _, _, b_signs, _, _ = edges
    for node in range(count):
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
        below, above, total = summed(node, edges, p_bounds)
        if low * total > below or high * total < above:
            return node
        smaller = 0
        for edge in range(begin, end):
            rank = h_ranks[h_successors[edge]]
            if 0 <= rank < h_ranks[node]:
                smaller += 1
        if smaller == 0 or (b_signs[node] != 0 and smaller < end - begin):
            return node
    return count


def judge_moves(edges: Edges, p_bounds: Numbers, count: int, b_verdicts: Numbers) -> int:
    """What the bounds prove of every edge: 0 worse than another, 1 nothing, 2 best (perhaps with others).

    At chance nodes all are 1. Returns 0.
    """
    p_offsets, _, _, _, b_signs, _, _ = edges
    for node in range(count):
        begin = p_offsets[node]
        end = p_offsets[node + 1]
        sign = b_signs[node]
        if sign == 0:
            for edge in range(begin, end):
                b_verdicts[edge] = 1
            continue
        highest = LEAST
        second = LEAST
        surest = LEAST
        top = begin
        for edge in range(begin, end):
            hoped, sure = prospects(edges, p_bounds, edge, sign)
            if hoped > highest:
                second = highest
                highest = hoped
                top = edge
            elif hoped > second:
                second = hoped
            surest = max(surest, sure)
        for edge in range(begin, end):
            hoped, sure = prospects(edges, p_bounds, edge, sign)
            rival = second if edge == top else highest
            if hoped < surest:
                b_verdicts[edge] = 0
            else:
                b_verdicts[edge] = 2 if sure >= rival else 1
    return 0


def prospects(edges: Edges, p_bounds: Numbers, edge: int, sign: int) -> tuple[int, int]:
    """What an edge is worth to its mover (who wants more for sign 1, less for -1): at most this, at least that."""
    _, h_successors, _, _, _, p_gains, has_gains = edges
    child = 2 * h_successors[edge]
    gain = p_gains[edge] if has_gains != 0 else 0
    if sign < 0:
        return -p_bounds[child] - gain, -p_bounds[child + 1] - gain
    return p_bounds[child + 1] + gain, p_bounds[child] + gain
