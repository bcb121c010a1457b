"""Loops over the moves of games without chance, from the ends of the game back.

A *score* says how much play brings the first player, and how soon: rank * unit - d for payoffs better than endless
play, which end play in d plies, rank * unit + d for worse ones, whose ranks are below 0; and 0 where nobody forces an
end. The unit is larger than any d. So the first player wants a large score and the second a small one.
"""

from __future__ import annotations

from endsight.algorithms.structure_kernels import reverse_edges
from endsight.graph.kernel_numbers import Back, Choices, Links, Numbers, PayoffRows

__all__ = ["choose_first_best", "choose_in_order", "keep_best", "propagate_scores", "split_scores"]


def propagate_scores(
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
    """Scores of all nodes from those of ends and of what is known; how many were found.

    Nodes 0 .. links.nodes - 1 are to be solved, those up to `total` - 1 are known. `b_signs` is 1 where the mover is
    the first player, else -1. `p_scores` holds the scores of nodes that have one, and 0 for others, which receive
    theirs. `h_seeds` are the nodes with a score: the `positive` ones from the largest down, then the others from the
    smallest up. `back` and `h_queue` are scratch space.
    """
    count, p_offsets, _ = links
    p_into, h_before, h_open = back
    reverse_edges(links, total, back)
    for node in range(count):
        h_open[node] = p_offsets[node + 1] - p_offsets[node]
    found = 0
    for phase in range(2):
        sign = 1 - 2 * phase
        at = 0 if phase == 0 else positive
        stop = positive if phase == 0 else seeds
        head = 0
        tail = 0
        while at < stop or head < tail:
            # The score that was found last is never nearer to the best than those that wait before it.
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
                    found += 1
    return found


def split_scores(nodes: int, p_scores: Numbers, unit: int, p_ranks: Numbers, h_plies: Numbers) -> int:
    """The rank of the payoff, and the plies to it, of each of some nodes from its score; -1 plies without an end."""
    for node in range(nodes):
        size = abs(p_scores[node])
        rank = (size + unit - 1) // unit
        p_ranks[node] = rank if p_scores[node] > 0 else -rank
        h_plies[node] = rank * unit - size if size > 0 else -1
    return 0


def choose_first_best(links: Links, b_signs: Numbers, p_worths: Numbers, p_chosen: Numbers) -> int:
    """For every node the first of its edges to the node that is worth most to its mover, -1 without edges."""
    count, p_offsets, h_successors = links
    for node in range(count):
        chosen = -1
        best = 0
        for edge in range(p_offsets[node], p_offsets[node + 1]):
            worth = b_signs[node] * p_worths[h_successors[edge]]
            if chosen < 0 or worth > best:
                chosen = edge
                best = worth
        p_chosen[node] = chosen
    return 0


def choose_in_order(
    links: Links, b_movers: Numbers, rows: PayoffRows, found: Choices, h_order: Numbers, first: int, last: int
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
