"""The loop over a graph that says whether play can come back: plain on lists, and compiled on arrays."""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence

__all__ = ["leave_in_order"]


def leave_in_order(
    count: int,
    p_offsets: Sequence[int],
    h_successors: Sequence[int],
    b_state: MutableSequence[int],
    p_next: MutableSequence[int],
    h_path: MutableSequence[int],
    h_order: MutableSequence[int],
) -> int:
    """Fill `h_order` with all nodes, each after all those it leads to; 1, or 0 as soon as a loop is met.

    Depth first, roots and edges in order: `strongly_connected` gives the same order. `b_state` must hold
    zeros, and `p_next` the offsets. What first letters of names mean is said in `algorithms.kernel_numbers`.
    """
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
