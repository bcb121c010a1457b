"""Loops on which play may stay for ever: found, and replaced by a choice between staying and leaving.

A *maximal end component* is a largest set of nodes in which the players together can
stay for ever, chance included, and go from any node to any other (de Alfaro 1997; see
`graph.maximal_end_components`).
Where one player alone decides inside, and nothing is gained there, it is worth the same
at all its nodes: the best way out, or what endless play pays, as that player prefers.
So it becomes one node with those choices (Baier, Klein, Leuschner, Parker and Wunderlich
2017), and play in what is left ends with probability 1 whatever the players do.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from endsight.algorithms.arena import Arena
from endsight.numbers import Number

__all__ = ["Collapsed", "collapse"]


@dataclass(frozen=True)
class Collapsed:
    """An arena in which play ends, with every node's number there.

    place       for every node of the whole arena its node here
    components  the end components; number k has become node k
    edges       for every edge here that of the whole arena, -1 for staying for ever
    """

    arena: Arena
    place: list[int]
    components: list[list[int]] = field(default_factory=list)
    edges: list[int] = field(default_factory=list)

    def lead_out(self, whole: Arena, best_edges: Mapping[int, int]) -> dict[int, int]:
        """For every decision in an end component the edge to take.

        `best_edges` holds a best edge here for every end component: the way out, to which
        play then leads, or staying.
        """
        chosen: dict[int, int] = {}
        for number, component in enumerate(self.components):
            way = self.edges[best_edges[number]] if number in best_edges else -1
            chosen |= _stay(whole, component) if way < 0 else _lead_to(whole, component, way)
        return chosen


def collapse(arena: Arena, components: list[list[int]]) -> Collapsed:
    """The arena with every maximal end component made one node.

    In each of `components` one side alone decides, nothing is gained, and endless play is
    worth the same everywhere (`judgement.judge` refuses all others).
    """
    if not components:
        return Collapsed(arena, list(range(len(arena))))
    return _collapsed(arena, components)


def _decides(arena: Arena, node: int) -> bool:
    """Whether a player has a choice there; a single move is none."""
    return arena.signs[node] != 0 and len(arena.edges(node)) > 1


# -------------------------------------------------------------------- one node for each


def _collapsed(arena: Arena, components: list[list[int]]) -> Collapsed:
    place = [-1] * len(arena)
    rows = 0
    for component in components:
        for node in component:
            place[node] = rows
        rows += 1
    for node in range(len(arena)):
        if place[node] < 0:
            place[node] = rows
            rows += 1
    amounts = list(dict.fromkeys(arena.endless_at(component[0]) for component in components))
    smaller = _Rows()
    for number, component in enumerate(components):
        ways = [e for node in component for e in arena.edges(node) if place[arena.successors[e]] != number]
        sign = next((arena.signs[node] for node in component if _decides(arena, node)), 1)
        staying = rows + amounts.index(arena.endless_at(component[0]))
        smaller.add(arena, place, ways, sign, 0, staying)
    for node in range(len(arena)):
        if place[node] >= len(components):
            smaller.add(arena, place, list(arena.edges(node)), arena.signs[node], arena.payoffs[node], None)
    for amount in amounts:  # the ends that staying for ever leads to
        smaller.add(arena, place, [], 0, amount, None)
    return Collapsed(smaller.arena(arena), place, components, smaller.edges)


class _Rows:
    """The arrays of the smaller arena while they grow."""

    def __init__(self) -> None:
        self.offsets = [0]
        self.successors: list[int] = []
        self.weights: list[int] = []
        self.gains: list[Number] = []
        self.signs: list[int] = []
        self.payoffs: list[Number] = []
        self.edges: list[int] = []

    def add(
        self, arena: Arena, place: list[int], ways: list[int], sign: int, payoff: Number, staying: int | None
    ) -> None:
        """A node with the edges `ways` of the whole arena, and one to the node `staying`."""
        for edge in ways:
            self.successors.append(place[arena.successors[edge]])
            self.weights.append(arena.weight(edge))
            self.gains.append(arena.gain(edge))
            self.edges.append(edge)
        if staying is not None:
            self.successors.append(staying)
            self.weights.append(1)
            self.gains.append(0)
            self.edges.append(-1)
        self.offsets.append(len(self.successors))
        self.signs.append(sign)
        self.payoffs.append(payoff)

    def arena(self, whole: Arena) -> Arena:
        """What the rows amount to."""
        return Arena(
            self.offsets,
            self.successors,
            None if whole.weights is None else self.weights,
            self.signs,
            None if whole.gains is None else self.gains,
            self.payoffs,
            whole.endless,
        )


# -------------------------------------------------------------------- play inside


def _stay(whole: Arena, component: list[int]) -> dict[int, int]:
    inside = set(component)
    return {
        node: next(edge for edge in whole.edges(node) if whole.successors[edge] in inside)
        for node in component
        if whole.signs[node]
    }


def _lead_to(whole: Arena, component: list[int], way: int) -> dict[int, int]:
    """Edges by which play leaves by the edge `way` with probability 1."""
    source = next(node for node in component if way in whole.edges(node))
    chosen = {source: way}
    settled = {source}
    # Chance gets a step nearer with some probability, the player surely.
    while len(settled) < len(component):
        for node in component:
            if node not in settled:
                nearer = [edge for edge in whole.edges(node) if whole.successors[edge] in settled]
                if nearer:
                    settled.add(node)
                    if whole.signs[node]:
                        chosen[node] = nearer[0]
    return chosen
