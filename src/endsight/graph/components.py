"""Where play can come back: orders, strongly connected components, and sets in which players can stay for ever."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise

from endsight.base.collector import collector_paused
from endsight.graph.graph_kernels import find_components, leave_in_order
from endsight.graph.kernel_numbers import Links, SearchRoom


@collector_paused()
def loop_free_order(offsets: Sequence[int], successors: Sequence[int]) -> Sequence[int] | None:
    """All nodes, each after all those it leads to; None as soon as a loop is found."""
    size = len(offsets) - 1
    order, state = [0] * size, bytearray(size)
    return order if leave_in_order(Links(size, offsets, successors), state, list(offsets), [0] * size, order) else None


@collector_paused()
def strongly_connected(offsets: Sequence[int], successors: Sequence[int]) -> list[list[int]]:
    """Strongly connected components, each after all those it leads to; linear in nodes and edges."""
    size = len(offsets) - 1
    order, starts, room = [0] * size, [0] * (size + 1), SearchRoom(*([0] * size for _ in range(5)))
    parts = find_components(Links(size, offsets, successors), order, starts, room)
    return [order[begin:end] for begin, end in pairwise(starts[: parts + 1])]


def components_of(after: Mapping[int, Iterable[int]]) -> list[list[int]]:
    """The same for nodes with these successors; successors that are none of the nodes do not matter."""
    nodes, place = [*after], {node: number for number, node in enumerate(after)}
    offsets, kept = [0], list[int]()
    for children in after.values():
        kept += [place[child] for child in children if child in place]
        offsets.append(len(kept))
    return [[nodes[member] for member in part] for part in strongly_connected(offsets, kept)]


@collector_paused()
def maximal_end_components(after: Mapping[int, Sequence[int]], is_chance: Callable[[int], bool]) -> list[list[int]]:
    """Largest sets of nodes within which players can stay for ever whatever chance does, and reach every node.

    `after` has the successors of all nodes that may be in such sets; `is_chance` says where chance decides.
    De Alfaro, *Formal verification of probabilistic systems* (1997): split by strong connection,
    drop chance nodes that may leave and players' nodes that must, until nothing changes.
    """
    components = []
    waiting = [after]
    while waiting:
        for part in components_of(waiting.pop()):
            inside = set(part)
            kept = [node for node in part if _stays(after[node], is_chance(node), inside)]
            if kept and len(kept) == len(part):
                components.append(part)
            elif kept:
                waiting.append({node: after[node] for node in kept})
    return components


def _stays(children: Sequence[int], is_chance: bool, inside: set[int]) -> bool:
    stays = [child in inside for child in children]
    return bool(stays) and (all(stays) if is_chance else any(stays))
