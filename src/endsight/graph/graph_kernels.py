"""The loops over a graph that say where play can come back: plain on lists, and compiled on arrays.

What first letters of names mean is said in `kernel_numbers`.
"""

from __future__ import annotations

from endsight.graph.kernel_numbers import Links, Numbers, SearchRoom


def leave_in_order(links: Links, b_state: Numbers, p_next: Numbers, h_path: Numbers, h_order: Numbers) -> int:
    """Fill `h_order` with all nodes, each after all those it leads to; 1, or 0 as soon as a loop is met.

    Depth first, roots and edges in order, as `find_components`; `b_state` must hold zeros, `p_next` the offsets.
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


def find_components(links: Links, h_order: Numbers, h_starts: Numbers, room: SearchRoom) -> int:
    """Strongly connected components, each after all those it leads to; how many there are.

    Part k is h_order[h_starts[k] .. h_starts[k + 1] - 1], its nodes in the order in which
    a depth-first search leaves them, so that most successors come first. Tarjan's search (1972) with a single number
    a node, as Pearce (2016) has it: when it was found, or the least such number that it is
    known to lead to; and once its part is complete, one that is larger than any of those.
    """
    count, p_offsets, h_successors = links
    h_found, h_path, h_entered, p_next, h_stack = room
    clock = 0
    parts = 0
    placed = 0
    top = 0
    for root in range(count):
        if h_found[root] != 0:
            continue
        depth = 0
        deeper = root
        while depth > 0 or deeper >= 0:
            if deeper >= 0:
                clock += 1
                h_found[deeper] = clock
                h_path[depth] = deeper
                h_entered[depth] = clock
                p_next[depth] = p_offsets[deeper]
                depth += 1
            node = h_path[depth - 1]
            edge = p_next[depth - 1]
            end = p_offsets[node + 1]
            low = h_found[node]
            deeper = -1
            while edge < end:
                child = h_successors[edge]
                number = h_found[child]
                if number == 0:
                    deeper = child
                    break
                if number < low:
                    low = number
                edge += 1
            h_found[node] = low
            p_next[depth - 1] = edge
            if deeper >= 0:
                continue
            depth -= 1
            own = h_entered[depth]
            h_stack[top] = node
            if low < own:
                top += 1
                continue
            begin = top
            while begin > 0 and h_found[h_stack[begin - 1]] >= own:
                begin -= 1
            h_starts[parts] = placed
            for place in range(begin, top + 1):
                h_order[placed] = h_stack[place]
                # At most count - placed nodes are searched at a time, so numbers stay below this.
                h_found[h_stack[place]] = count + 1 - parts
                placed += 1
            # Nodes that were found later have all been placed.
            clock = own - 1
            top = begin
            parts += 1
    h_starts[parts] = placed
    return parts
