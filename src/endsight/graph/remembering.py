"""Play with a memory: nodes distinguished by what happened on the way to them."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import replace
from typing import TypeVar

from endsight.game.limits import Budget
from endsight.graph.graph import Graph

M = TypeVar("M", bound=Hashable)


def remembering(
    graph: Graph, first: M, after: Callable[[int, M], M], budget: Budget
) -> tuple[Graph, list[tuple[int, M]]]:
    """The same play from node 0 on, with a node for each memory at a node, and what the nodes stand for.

    `first` is the memory at the start, and `after` gives the memory behind an edge. A node stands for one of
    `graph` and the memory there. Nothing is gained on the way; payoffs at the end stay. Raises `LimitReached`.
    """
    nodes: dict[tuple[int, M], int] = {(0, first): 0}
    reached = list(nodes)
    offsets, successors, edges = [0], list[int](), list[int]()
    for node, memory in reached:
        budget.glance(len(reached), "telling apart how play came there")
        for edge in graph.edges(node):
            child = graph.successors[edge], after(edge, memory)
            if child not in nodes:
                nodes[child] = len(reached)
                reached.append(child)
            successors.append(nodes[child])
            edges.append(edge)
        offsets.append(len(successors))
    play = replace(
        graph,
        keys=reached,
        index={},
        offsets=offsets,
        successors=successors,
        moves=[],
        movers=[graph.movers[node] for node, _ in reached],
        weights=graph.weights_of(edges),
        rewards=None,
        payoffs=[graph.payoffs[node] for node, _ in reached],
        unending=None,
    )
    return play, reached
