"""Loops over the edges of an arena alone: an order in which components lie together, proof that play ends."""

from __future__ import annotations

from endsight.graph.kernel_numbers import Back, Links, Numbers


def arrange(
    links: Links, b_signs: Numbers, h_order: Numbers, h_place: Numbers, p_arranged: Numbers, h_arranged: Numbers
) -> int:
    """The same edges with every node called by its place in `h_order`, so that a part's nodes lie side by side.

    `h_place` receives the new number of every node, `p_arranged` and `h_arranged` the
    offsets and successors. The result is the number of nodes whose places are no ranks as
    `find_ranks` explains them; mostly it is 0.
    """
    count, p_offsets, h_successors = links
    for place in range(count):
        h_place[h_order[place]] = place
    at = 0
    unranked = 0
    for place in range(count):
        node = h_order[place]
        p_arranged[place] = at
        later = 0
        for edge in range(p_offsets[node], p_offsets[node + 1]):
            child = h_place[h_successors[edge]]
            h_arranged[at] = child
            at += 1
            if child >= place:
                later += 1
        if later > 0 and (b_signs[node] != 0 or later == at - p_arranged[place]):
            unranked += 1
    p_arranged[count] = at
    return unranked


def reverse_edges(links: Links, total: int, back: Back) -> int:
    """Fill in where every one of `total` nodes is led to from; `p_into` must hold zeros."""
    count, p_offsets, h_successors = links
    p_into, h_before, _ = back
    for edge in range(p_offsets[count]):
        p_into[h_successors[edge] + 1] += 1
    for node in range(total):
        p_into[node + 1] += p_into[node]
    # Filled from the end of every node's room, which leaves its beginning in `p_into`.
    for node in range(total, 0, -1):
        p_into[node] = p_into[node - 1]
    for node in range(count):
        for edge in range(p_offsets[node], p_offsets[node + 1]):
            child = h_successors[edge]
            h_before[p_into[child + 1]] = node
            p_into[child + 1] += 1
    return 0


def sort_topologically(
    links: Links, total: int, back: Back, b_known: Numbers, h_order: Numbers, h_ranks: Numbers
) -> int:
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


def find_ranks(links: Links, b_signs: Numbers, back: Back, h_ranks: Numbers, h_stack: Numbers) -> int:
    """Give nodes ranks, ends first, and return how many have one.

    A chance node's rank is larger than that of one successor at least, a player's node's
    larger than those of all. So where every node has a rank, whatever the players do, play
    comes down to an end within n moves with some chance, and ends with probability 1.
    `p_into` must be zeros and `h_ranks` -1; nodes of which play may never end keep -1.
    """
    count, p_offsets, _ = links
    p_into, h_before, h_open = back
    reverse_edges(links, count, back)
    for node in range(count):
        # How many successors must have ranks first.
        h_open[node] = 1 if b_signs[node] == 0 else p_offsets[node + 1] - p_offsets[node]
    found = 0
    for end in range(count):
        if p_offsets[end + 1] > p_offsets[end]:
            continue
        h_ranks[end] = found
        found += 1
        h_stack[0] = end
        top = 1
        while top > 0:
            top -= 1
            node = h_stack[top]
            for edge in range(p_into[node], p_into[node + 1]):
                before = h_before[edge]
                if h_ranks[before] < 0:
                    h_open[before] -= 1
                    if h_open[before] == 0:
                        h_ranks[before] = found
                        found += 1
                        h_stack[top] = before
                        top += 1
    return found
