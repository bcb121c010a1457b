"""The fewest moves that lead one player to an end that is worth the value, and which moves these are.

The moves of best value form a graph: a player who follows them to an end gets the value. Retrograde analysis
of that graph, in which every end wins, counts the moves (E. F. Moore, "The shortest path through a maze", 1959).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import compress

from endsight.algorithms.kernel_arrays import kernels_for, shown
from endsight.algorithms.retrograde import retrograde
from endsight.game.limits import Budget
from endsight.graph.graph import Graph, Picked
from endsight.graph.kernel_numbers import Links
from endsight.graph.table import Table


def fewest_moves(graph: Graph, table: Table, budget: Budget) -> Table:
    """The same values with distances, and the choices that follow them; for one player without chance.

    Where best play need not reach an end there is no distance, and the table's choice stays. Raises `LimitReached`.
    """
    best = _best_moves(graph, table)
    budget.glance(len(graph), "counting moves")
    nearest = retrograde(best, budget)
    distances, chosen = nearest.distances, nearest.choices
    assert distances is not None, "every end wins"
    choices = [
        table.choices[node] if plies is None or edge < 0 else best.moves[edge]
        for node, (plies, edge) in enumerate(zip(distances, chosen, strict=True))
    ]
    forced = {node: edge for node, edge in table.forced.items() if distances[node] is None}
    forced |= {node: choices[node] for node in _beside(best, distances)}
    return replace(table, distances=distances, choices=choices, forced=forced)


def _beside(best: Graph, distances: Sequence[int | None]) -> list[int]:
    """Nodes with a distance from which a move of the same value leads where no end need be reached."""
    if None not in distances:
        return []
    lost = [distance is None for distance in distances]
    nodes = compress(range(len(lost)), (not each for each in lost))
    return [node for node in nodes if any(map(lost.__getitem__, best.children(node)))]


def _best_moves(graph: Graph, table: Table) -> Graph:
    """The moves of best value as a graph whose ends win; its moves are the numbers of the edges that they came from."""
    kept = _of_equal_rows if graph.rewards is None else _of_equal_amounts
    offsets, edges, successors = kept(graph, table)
    size, wins = len(graph), list(map(bool, graph.ends.numbers))
    return replace(
        graph,
        keys=range(size),
        index={},
        offsets=offsets,
        successors=successors,
        moves=edges,
        movers=[0] * size,
        rewards=None,
        payoffs=Picked([None, (1,)], wins),
        endless=(0,),
        is_win_loss=True,
    )


def _of_equal_rows(graph: Graph, table: Table) -> tuple[Sequence[int], Sequence[int], Sequence[int]]:
    """Offsets, numbers and ends of the best moves where values are paid at the end: nodes of equal values."""
    size, edges = len(graph), len(graph.successors)
    kernels, room = kernels_for(edges)
    offsets, kept, successors = room("p", size + 1), room("p", edges), room("h", edges)
    links = Links(size, room("p", graph.offsets), room("h", graph.successors))
    rows = room("h", Picked.of_distinct(table.values).numbers)
    count = kernels["keep_best"](links, rows, offsets, kept, successors)
    return shown(offsets), shown(kept)[:count], shown(successors)[:count]


def _of_equal_amounts(graph: Graph, table: Table) -> tuple[Sequence[int], Sequence[int], Sequence[int]]:
    """The same where moves also have gains."""
    offsets, kept, values = [0], list[int](), table.values
    for node in range(len(graph)):
        value = values[node]
        for edge in graph.edges(node):
            if graph.through(edge, values[graph.successors[edge]]) == value:  # type: ignore[arg-type]
                kept.append(edge)
        offsets.append(len(kept))
    return offsets, kept, [graph.successors[edge] for edge in kept]
