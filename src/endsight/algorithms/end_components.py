"""Loops on which play may stay for ever: found, and replaced by a choice between staying and leaving.

A *maximal end component* is a largest set of nodes in which the players together can
stay for ever, chance included, and go from any node to any other (de Alfaro 1997; see
`graph.maximal_end_components`).
Where one player alone decides inside, and nothing is gained there, it is worth the same
at all its nodes: the best way out, or what endless play pays, as that player prefers.
So it becomes one node with those choices (Baier, Klein, Leuschner, Parker and Wunderlich
2017), and play in what is left ends with probability 1 whatever the players do.
Where endless play is paid more at some nodes than at others, that player stays on the best
smaller end component, to which all nodes lead.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from endsight.algorithms.arena import Arena
from endsight.game.numbers import Number
from endsight.graph.graph import maximal_end_components

__all__ = ["Collapsed", "collapse"]


@dataclass(frozen=True)
class Collapsed:
    """An arena in which play ends, with every node's number there.

    place       for every node of the whole arena its node here
    components  the end components; number k has become node k
    kept        for every end component the nodes on which play stays that stays for ever
    edges       for every edge here that of the whole arena, -1 for staying for ever
    """

    arena: Arena
    place: list[int]
    components: list[list[int]] = field(default_factory=list)
    kept: list[list[int]] = field(default_factory=list)
    edges: list[int] = field(default_factory=list)

    def lead_out(self, whole: Arena, best_edges: Mapping[int, int]) -> dict[int, int]:
        """For every decision in an end component the edge to take.

        `best_edges` holds a best edge here for every end component: the way out, to which
        play then leads, or staying.
        """
        chosen: dict[int, int] = {}
        for number, component in enumerate(self.components):
            way = self.edges[best_edges[number]] if number in best_edges else -1
            chosen |= _stay(whole, component, self.kept[number]) if way < 0 else _leave(whole, component, way)
        return chosen


def collapse(arena: Arena, components: list[list[int]]) -> Collapsed:
    """The arena with every maximal end component made one node.

    In each of `components` one side alone decides, and nothing is gained (`judgement.judge`
    refuses all others). Where endless play is not worth the same everywhere `arena.swing` counts.
    """
    if not components:
        return Collapsed(arena, list(range(len(arena))))
    return _collapsed(arena, components)


def _decider(arena: Arena, component: list[int]) -> int:
    """The sign of the player who has a choice there; a single move is none."""
    return next((arena.signs[node] for node in component if arena.signs[node] and len(arena.edges(node)) > 1), 1)


def _lasting(arena: Arena, component: list[int]) -> tuple[Number, list[int]]:
    """What staying for ever in an end component pays at best, and the nodes to stay on for that."""
    sign = _decider(arena, component)
    amounts = sorted({arena.endless_at(node) for node in component}, key=lambda amount: -sign * amount)
    if sign == arena.swing:  # the best of what play comes by again and again counts
        return amounts[0], component
    chance = [each == 0 for each in arena.signs] if len(amounts) > 1 else []
    for amount in amounts[:-1]:
        enough = [node for node in component if sign * arena.endless_at(node) >= sign * amount]
        kept = maximal_end_components(arena.offsets, arena.successors, chance, enough)
        if kept:
            return amount, kept[0]
    return amounts[-1], component


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
    lasting = [_lasting(arena, component) for component in components]
    amounts = list(dict.fromkeys(amount for amount, _ in lasting))
    smaller = _Rows()
    for number, component in enumerate(components):
        ways = [e for node in component for e in arena.edges(node) if place[arena.successors[e]] != number]
        staying = rows + amounts.index(lasting[number][0])
        smaller.add(arena, place, ways, _decider(arena, component), 0, staying)
    for node in range(len(arena)):
        if place[node] >= len(components):
            smaller.add(arena, place, list(arena.edges(node)), arena.signs[node], arena.payoffs[node], None)
    for amount in amounts:  # the ends that staying for ever leads to
        smaller.add(arena, place, [], 0, amount, None)
    return Collapsed(smaller.arena(arena), place, components, [kept for _, kept in lasting], smaller.edges)


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


def _stay(whole: Arena, component: list[int], kept: list[int]) -> dict[int, int]:
    """Edges by which play gets to the nodes `kept` with probability 1, and never leaves them."""
    inside = set(kept)
    chosen = {
        node: next(edge for edge in whole.edges(node) if whole.successors[edge] in inside)
        for node in kept
        if whole.signs[node]
    }
    return chosen | _lead_to(whole, component, inside)


def _leave(whole: Arena, component: list[int], way: int) -> dict[int, int]:
    """Edges by which play leaves by the edge `way` with probability 1."""
    source = next(node for node in component if way in whole.edges(node))
    return {source: way} | _lead_to(whole, component, {source})


def _lead_to(whole: Arena, component: list[int], goal: set[int]) -> dict[int, int]:
    """Edges by which play from the rest of the component gets to the goal with probability 1."""
    chosen = {}
    settled = set(goal)
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
