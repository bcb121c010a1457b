"""Where one side can keep play going for ever: what strategy improvement needs besides better moves.

Where both sides together can keep play going, policies without a better move need not be optimal: a side may have
to stay for ever among positions of one value, each move as good as the others (docs/theory/endless-play.md,
"Loops of both", has the proof). Linear in edges.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from endsight.algorithms.arena import Arena
from endsight.graph.components import components_of


def closed_classes(arena: Arena, part: list[int], choices: Mapping[int, int]) -> Iterator[int]:
    """The nodes of a component to which play returns for ever, once it is there, where players follow `choices`."""
    steps = {node: [choices[node]] if arena.signs[node] else arena.edges(node) for node in part}
    after = {node: [arena.successors[edge] for edge in edges] for node, edges in steps.items()}
    finished = {node for node, _ in _backwards(after)}
    for group in components_of({node: after[node] for node in part if node not in finished}):
        if {*group}.issuperset(child for node in group for child in after[node]):
            yield from group


def ways_out(arena: Arena, part: list[int]) -> dict[int, int]:
    """For every decision of a component an edge towards the nearest way out; its first edge if there is none."""
    after = {node: [arena.successors[edge] for edge in arena.edges(node)] for node in part}
    nearer = {node: arena.offsets[node] + after[node].index(child) for node, child in _backwards(after)}
    return {node: nearer.get(node, arena.offsets[node]) for node in part if arena.signs[node]}


def _backwards(after: Mapping[int, list[int]]) -> Iterator[tuple[int, int]]:
    """The nodes from which play can reach others than these, nearest first, each with its next node."""
    before: dict[int, list[int]] = {}
    for node, children in after.items():
        for child in children:
            before.setdefault(child, []).append(node)
    earlier = [child for child in before if child not in after]
    known = set(earlier)
    for child in earlier:  # the dictionary grows
        for node in before.get(child, ()):
            if node not in known:
                known.add(node)
                earlier.append(node)
                yield node, child


def can_stay(arena: Arena, nodes: set[int], equal: Mapping[int, list[int]], side: int) -> tuple[bool, dict[int, int]]:
    """Whether a side can stay for ever among `nodes` along edges that are `equal` to their values; and edges to take.

    If so the edges are the side's own, by which it stays; if not, those of the other side by which play leaves: to
    another node, to one of another value, or along an edge with a gain. `side` is the sign of the one that
    stays.
    """
    before: dict[int, list[tuple[int, int]]] = {node: [] for node in nodes}
    waiting: dict[int, int] = {}
    ways: dict[int, int] = {}
    leaving = []
    for node in nodes:
        inner = [edge for edge in equal[node] if arena.successors[edge] in nodes and not arena.gain(edge)]
        for edge in inner:
            before[arena.successors[edge]].append((node, edge))
        outer = sorted({*arena.edges(node)} - {*inner})
        waiting[node] = len(inner) if arena.signs[node] == side else 1
        if arena.signs[node] == -side:
            outer = [edge for edge in outer if edge in equal[node]]
            if outer:
                ways[node] = outer[0]
        if not inner or (outer and arena.signs[node] != side):
            waiting[node] = 0
            leaving.append(node)
    for node in leaving:  # the list grows
        for source, edge in before[node]:
            waiting[source] -= 1
            if waiting[source] == 0:
                if arena.signs[source] == -side:
                    ways[source] = edge
                leaving.append(source)
    stays = nodes.difference(leaving)
    if not stays:
        return False, ways
    return True, {
        node: next(edge for edge in equal[node] if arena.successors[edge] in stays)
        for node in stays
        if arena.signs[node] == side
    }
