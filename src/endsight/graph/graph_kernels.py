"""The loop over a graph that says whether play can come back: plain on lists, and compiled on arrays.

What first letters of names mean is said in `kernel_numbers`.
"""

from __future__ import annotations

from endsight.graph.kernel_numbers import Links, Numbers

__all__ = ["leave_in_order"]


def leave_in_order(links: Links, b_state: Numbers, p_next: Numbers, h_path: Numbers, h_order: Numbers) -> int:
    """Fill `h_order` with all nodes, each after all those it leads to; 1, or 0 as soon as a loop is met.

    Depth first, roots and edges in order, as `strongly_connected`; `b_state` must hold zeros, `p_next` the offsets.
    """
    count, p_offsets, h_successors = links
    placed = 0
    for root in range(count):
        if b_state[root] != 0:
            continue
        h_path[0] = root
        depth = 1
        while depth > 0:
            node = h_path[depth - 1]
            b_state[node] = 1  # on the way to where the search is; 2 when it has left
            edge = p_next[node]
            end = p_offsets[node + 1]
            while edge < end and b_state[h_successors[edge]] == 2:
                edge += 1
            p_next[node] = edge
            if edge == end:
                b_state[node] = 2
                h_order[placed] = node
                placed += 1
                depth -= 1
            elif b_state[h_successors[edge]] != 0:
                return 0
            else:
                h_path[depth] = h_successors[edge]
                depth += 1
    return 1
