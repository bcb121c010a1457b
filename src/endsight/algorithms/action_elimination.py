"""Exact values of a few nodes of an enclosed game, where nearly every decision is settled.

Only the part that play can still reach is examined: moves proven worse are left out, and where one
is proven best, it alone is kept. Without loops the rest is solved in whole numbers
(`whole_numbers`), with loops component by component (`chain_elimination`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
import numpy.typing as npt

from endsight.algorithms.arena import Arena
from endsight.algorithms.chain_elimination import exact_by_elimination
from endsight.algorithms.edge_arrays import Bytes, Words, edges_of, first_largest
from endsight.algorithms.whole_numbers import WholeValues, whole_values
from endsight.game.limits import Budget
from endsight.game.numbers import Number

Flags = npt.NDArray[np.bool_]


def exact_at(arena: Arena, verdicts: Bytes, nodes: Words, budget: Budget) -> Mapping[int, Number]:
    """Exact values of these nodes by number; without loops they are made into fractions on demand.

    `verdicts` are those of an `Enclosure`; play must end with probability 1 whatever the
    players do. Raises `LimitReached` when the budget is spent, or on loops that are too long.
    """
    kept = _worth_a_look(arena, verdicts)
    nearby = reached(arena, nodes, kept)
    part = arena.among(nearby, kept)
    values = whole_values(part, budget, np.arange(len(nodes)))
    if values is not None:
        return _FirstValues(nodes, values)
    exact = exact_by_elimination(part, range(len(nodes)), budget)
    return {node: exact[place] for place, node in enumerate(nodes.tolist())}


def reached(arena: Arena, nodes: Words, kept: Flags | None = None) -> Words:
    """Nodes that play from `nodes` (all different) can reach, these first, along the edges `kept` (default: all)."""
    seen = np.zeros(len(arena), np.bool_)
    seen[nodes] = True
    layer = nodes
    layers = [layer]
    while len(layer):
        edges = edges_of(arena.offsets, layer)
        if kept is not None:
            edges = edges[kept[edges]]
        after = arena.successors[edges]
        layer = np.unique(after[~seen[after]]).astype(np.int64)
        seen[layer] = True
        layers.append(layer)
    return np.concatenate(layers)


def first_best(arena: Arena, verdicts: Bytes) -> Flags:
    """All outcomes of chance, and at every decision the first move proven best, if there is one."""
    kept: Flags = np.repeat(arena.signs == 0, np.diff(arena.offsets))
    first = first_largest(arena.offsets, verdicts)
    first = first[(arena.signs != 0) & (first >= 0)]
    kept[first[verdicts[first] == 2]] = True
    return kept


def _worth_a_look(arena: Arena, verdicts: Bytes) -> Flags:
    """The edges that `first_best` keeps, and where it keeps none, all moves not proven worse."""
    kept = first_best(arena, verdicts)
    counts = np.diff(arena.offsets)
    going = np.flatnonzero(counts)
    is_open = np.zeros(len(arena), np.bool_)
    is_open[going] = ~np.logical_or.reduceat(kept, arena.offsets[going]) if len(going) else False
    kept |= np.repeat(is_open, counts) & (verdicts > 0)
    return kept


class _FirstValues(Mapping[int, Number]):
    """The first values, by the numbers of the nodes they belong to."""

    def __init__(self, nodes: Words, values: WholeValues) -> None:
        self._places = {node: place for place, node in enumerate(nodes.tolist())}
        self._values = values

    def __getitem__(self, node: int) -> Number:
        return self._values[self._places[node]][0]

    def __iter__(self) -> Iterator[int]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)

    def __contains__(self, node: object) -> bool:
        return node in self._places
