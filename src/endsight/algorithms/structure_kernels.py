"""Loops over the edges of an arena alone: components, an order in which they lie together, proof that play ends."""

from __future__ import annotations

from endsight.algorithms.kernel_numbers import Numbers


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


def arrange(
    p_offsets: Numbers,
    h_successors: Numbers,
    h_order: Numbers,
    count: int,
    h_place: Numbers,
    p_arranged: Numbers,
    h_arranged: Numbers,
) -> int:
    """The same edges with every node called by its place in `h_order`, so that a part's nodes lie side by side.

    `h_place` receives the new number of every node, `p_arranged` and `h_arranged` the
    offsets and successors. The result is the number of edges.
    """
    for place in range(count):
        h_place[h_order[place]] = place
    at = 0
    for place in range(count):
        node = h_order[place]
        p_arranged[place] = at
        for edge in range(p_offsets[node], p_offsets[node + 1]):
            h_arranged[at] = h_place[h_successors[edge]]
            at += 1
    p_arranged[count] = at
    return at


def find_ranks(
    p_offsets: Numbers,
    h_successors: Numbers,
    b_signs: Numbers,
    count: int,
    p_into: Numbers,
    h_before: Numbers,
    h_open: Numbers,
    h_ranks: Numbers,
    h_stack: Numbers,
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
        # How many successors must have ranks first.
        h_open[node] = 1 if b_signs[node] == 0 else p_offsets[node + 1] - p_offsets[node]
        for edge in range(p_offsets[node], p_offsets[node + 1]):
            child = h_successors[edge]
            p_into[child] -= 1
            h_before[p_into[child]] = node
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
