"""Retrograde analysis of a part of a graph whose edges stand in arrays, with what lies beyond given.

Nodes 0 .. count - 1 are to be settled, those up to total - 1 are known. A score is what
play brings the first player, and how soon: v * 2^32 - d for a value v above endless play,
which pays 0, in d plies, v * 2^32 + d below it, and 0 where nobody forces an end. So the first
player wants it large and the second small.
"""

from __future__ import annotations

from endsight.algorithms.structure_kernels import reverse_edges
from endsight.graph.kernel_numbers import Back, Links, Numbers


def settle(
    links: Links,
    b_signs: Numbers,
    total: int,
    back: Back,
    p_scores: Numbers,
    h_seeds: Numbers,
    positive: int,
    seeds: int,
    h_queue: Numbers,
) -> int:
    """Scores of all nodes from those of ends and of what is known; how many were settled.

    `b_signs` is 1 where the mover is the first player, else -1. `h_seeds` are the nodes with a
    score: the `positive` ones from the largest down, then the others from the smallest up.
    """
    count, p_offsets, _ = links
    p_into, h_before, h_open = back
    reverse_edges(links, total, back)
    for node in range(count):
        h_open[node] = p_offsets[node + 1] - p_offsets[node]
    settled = 0
    for phase in range(2):
        sign = 1 - 2 * phase
        at = 0 if phase == 0 else positive
        stop = positive if phase == 0 else seeds
        head = 0
        tail = 0
        while at < stop or head < tail:
            # What was settled last is never nearer to the best than what waits before it.
            if head == tail:
                is_seed = True
            elif at == stop:
                is_seed = False
            else:
                is_seed = sign * p_scores[h_seeds[at]] >= sign * p_scores[h_queue[head]]
            if is_seed:
                node = h_seeds[at]
                at += 1
            else:
                node = h_queue[head]
                head += 1
            score = p_scores[node]
            for place in range(p_into[node], p_into[node + 1]):
                before = h_before[place]
                h_open[before] -= 1
                if p_scores[before] == 0 and (b_signs[before] == sign or h_open[before] == 0):
                    p_scores[before] = score - sign
                    h_queue[tail] = before
                    tail += 1
                    settled += 1
    return settled


def settle_order(links: Links, total: int, back: Back, b_known: Numbers, h_order: Numbers, h_ranks: Numbers) -> int:
    """Nodes in an order in which all that a node leads to is known or comes before it; how many there are.

    `h_ranks` tells after how many others a node of that order must come. What leads round is left out.
    """
    count, p_offsets, h_successors = links
    p_into, h_before, h_open = back
    reverse_edges(links, total, back)
    placed = 0
    for node in range(count):
        left = 0
        for edge in range(p_offsets[node], p_offsets[node + 1]):
            if b_known[h_successors[edge]] == 0:
                left += 1
        h_open[node] = left
        if left == 0 and b_known[node] == 0:
            h_order[placed] = node
            h_ranks[node] = 0
            placed += 1
    head = 0
    while head < placed:
        node = h_order[head]
        head += 1
        for place in range(p_into[node], p_into[node + 1]):
            before = h_before[place]
            h_open[before] -= 1
            if h_open[before] == 0 and b_known[before] == 0:
                h_ranks[before] = h_ranks[node] + 1
                h_order[placed] = before
                placed += 1
    return placed
