"""Loops over the moves of games without chance, from the ends of the game back."""

from __future__ import annotations

from endsight.algorithms.structure_kernels import reverse_edges
from endsight.graph.kernel_numbers import Back, Choices, Links, Numbers, Rows

__all__ = ["attract", "choose_by_rank", "choose_in_order", "keep_best", "open_edges"]


def open_edges(links: Links, back: Back, h_plies: Numbers) -> int:
    """Fill in where every node is led to from, and that all of its own edges are still to be looked at."""
    count, p_offsets, _ = links
    _, _, h_open = back
    reverse_edges(links, count, back)
    for node in range(count):
        h_open[node] = p_offsets[node + 1] - p_offsets[node]
        h_plies[node] = -1
    return 0


def attract(
    back: Back,
    b_signs: Numbers,
    h_ranks: Numbers,
    h_plies: Numbers,
    h_queue: Numbers,
    ends: int,
    rank: int,
    attacker: int,
) -> int:
    """Give that rank to the first `ends` nodes of the queue, and to all from which the side `attacker` forces them.

    Breadth first, so the attacker's first way in is the shortest and the defender's last way out the longest.
    Nodes that have no rank yet have -1 plies. The result is how many have it now.
    """
    p_into, h_before, h_open = back
    for place in range(ends):
        h_ranks[h_queue[place]] = rank
        h_plies[h_queue[place]] = 0
    found = ends
    done = 0
    while done < found:
        node = h_queue[done]
        done += 1
        ply = h_plies[node] + 1
        for edge in range(p_into[node], p_into[node + 1]):
            before = h_before[edge]
            h_open[before] -= 1
            if h_plies[before] < 0 and (b_signs[before] == attacker or h_open[before] == 0):
                h_ranks[before] = rank
                h_plies[before] = ply
                h_queue[found] = before
                found += 1
    return found


def choose_by_rank(
    links: Links, b_signs: Numbers, h_ranks: Numbers, h_plies: Numbers, by_plies: int, p_chosen: Numbers
) -> int:
    """For every node the first of its edges to the best rank for its mover, -1 without edges.

    With `by_plies` the winner hastens and the loser delays; rank 0 is play without end.
    """
    count, p_offsets, h_successors = links
    for node in range(count):
        chosen = -1
        best = 0
        best_plies = 0
        for edge in range(p_offsets[node], p_offsets[node + 1]):
            child = h_successors[edge]
            worth = b_signs[node] * h_ranks[child]
            plies = h_plies[child]
            is_better = chosen < 0 or worth > best
            if by_plies != 0 and chosen >= 0 and worth == best:
                is_better = (worth > 0 and plies < best_plies) or (worth < 0 and plies > best_plies)
            if is_better:
                chosen = edge
                best = worth
                best_plies = plies
        p_chosen[node] = chosen
    return 0


def choose_in_order(
    links: Links, b_movers: Numbers, rows: Rows, found: Choices, h_order: Numbers, first: int, last: int
) -> int:
    """Find best play at nodes after all they lead to: the winner hastens, the loser delays; else the first."""
    _, p_offsets, h_successors = links
    count, h_paid, h_worths, h_seen, h_first = rows
    h_rows, h_plies, p_chosen = found
    for place in range(first, last):
        node = h_order[place]
        chosen = -1
        best = 0
        row = h_paid[node]
        plies = h_first[row]
        for edge in range(p_offsets[node], p_offsets[node + 1]):
            after = h_seen[h_rows[h_successors[edge]]]
            later = h_plies[h_successors[edge]]
            worth = h_worths[b_movers[node] * count + after]
            is_sooner = worth == best and min(plies, later) >= 0 and worth * later < worth * plies
            if chosen < 0 or worth > best or is_sooner:
                chosen = edge
                best = worth
                row = after
                plies = later
        if chosen >= 0 and plies >= 0:
            plies = -1 if best == 0 else plies + 1
        h_rows[node] = row
        h_plies[node] = plies
        p_chosen[node] = chosen
    return 0


def keep_best(links: Links, h_rows: Numbers, p_kept: Numbers, p_edges: Numbers, h_after: Numbers) -> int:
    """Keep the edges between nodes of one row: where each node's begin, which they are, where they lead; how many."""
    count, p_offsets, h_successors = links
    found = 0
    for node in range(count):
        for edge in range(p_offsets[node], p_offsets[node + 1]):
            if h_rows[h_successors[edge]] == h_rows[node]:
                p_edges[found] = edge
                h_after[found] = h_successors[edge]
                found += 1
        p_kept[node + 1] = found
    return found
