"""Loops on which some moves cost and others pay: heights that show that none of them brings anything in all.

The height of a node is the most that can be gained from it without leaving the component. If it is finite, no move
gains more than it loses in height; if not, some loop brings something (R. Bellman, "On a routing problem", 1958; E. F.
Moore, 1959). Heights make Dijkstra's algorithm right where moves pay (D. Johnson, "Efficient algorithms for shortest
paths in sparse networks", 1977). At worst nodes times edges of the component.
"""

from __future__ import annotations

from collections import Counter, deque
from itertools import accumulate

from endsight.game.numbers import Number
from endsight.graph.graph import Graph, strongly_connected

__all__ = ["gain_of", "heights_of"]


def gain_of(graph: Graph, edge: int) -> Number:
    """What an edge brings the first player."""
    gain = None if graph.rewards is None else graph.rewards[edge]
    return 0 if gain is None else gain[0]


def heights_of(graph: Graph, part: list[int]) -> dict[int, Number] | None:
    """Heights of the nodes of a strongly connected component: no move in it gains the first player more than it loses.

    None where some loop brings something in all, or nothing in all though something on the way.
    """
    heights: dict[int, Number] = dict.fromkeys(part, 0)
    before = _edges_before(graph, heights)
    waiting, queued, turns = deque(part), set(part), Counter[int]()
    while waiting:
        node = waiting.popleft()
        queued.remove(node)
        turns[node] += 1
        if turns[node] > len(part) + 1:
            return None  # without loops that bring something every round settles one more node
        for source, edge in before[node]:
            height = gain_of(graph, edge) + heights[node]
            if height > heights[source]:
                heights[source] = height
                if source not in queued:
                    queued.add(source)
                    waiting.append(source)
    return None if _goes_up_and_down(graph, heights) else heights


def _edges_before(graph: Graph, heights: dict[int, Number]) -> dict[int, list[tuple[int, int]]]:
    """For every node the nodes that lead to it, and the edges."""
    before: dict[int, list[tuple[int, int]]] = {node: [] for node in heights}
    for node in heights:
        for edge in graph.edges(node):
            if graph.successors[edge] in heights:
                before[graph.successors[edge]].append((node, edge))
    return before


def _goes_up_and_down(graph: Graph, heights: dict[int, Number]) -> bool:
    """Whether some loop brings nothing in all but something on the way: all its moves gain what they lose in height."""
    number = {node: place for place, node in enumerate(heights)}
    level: list[list[int]] = []
    for node, height in heights.items():
        inside = (edge for edge in graph.edges(node) if graph.successors[edge] in heights)
        level.append([e for e in inside if gain_of(graph, e) + heights[graph.successors[e]] == height])
    ends = [number[graph.successors[edge]] for edges in level for edge in edges]
    parts = strongly_connected([0, *accumulate(map(len, level))], ends)
    home = {place: name for name, part in enumerate(parts) for place in part}
    return any(
        gain_of(graph, edge) and home[place] == home[number[graph.successors[edge]]]
        for place, edges in enumerate(level)
        for edge in edges
    )
