"""Loops on which play may stay for ever: found, and replaced by a choice between staying and leaving.

A *maximal end component* is a largest set of nodes in which the players together can
stay for ever, chance included, and go from any node to any other (de Alfaro 1997; see
`graph.components`).
Where one player alone decides inside, and nothing is gained there, all its nodes have the same
value: the best way out, or the payoff of endless play, as that player prefers.
So it becomes one node with those choices (Baier, Klein, Leuschner, Parker and Wunderlich
2017), and play in the rest ends with probability 1 whatever the players do.
Where endless play pays more at some nodes than at others, that player stays on the best
smaller end component, to which all nodes lead. Where both sides decide inside, the nodes may have
different values; they stay as they are, and so do those on whose loops something is gained
(`Collapsed.endless`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import lcm
from typing import NamedTuple

import numpy as np

from endsight.algorithms.arena import Arena, arena_of
from endsight.algorithms.edge_arrays import Words, edges_of
from endsight.game.numbers import Number
from endsight.graph.components import components_of, maximal_end_components
from endsight.graph.graph import Graph
from endsight.graph.judgement import paying_side


class Endless(NamedTuple):
    """The payoff of play that never leaves a loop.

    amount  where nothing is gained on the way, in units of the arena
    payer   the side that loses on the way: 1 who wants more, -1 who wants less, 0 where nothing is gained
    """

    amount: Number
    payer: int


@dataclass(frozen=True)
class Collapsed:
    """An arena in which play ends, with every node's number there.

    whole       the arena as it was, in lists where it had end components
    place       for every node of the whole arena its node here
    components  the end components; number k has become node k
    kept        for every end component the nodes on which play stays that stays for ever
    edges       for every edge here that of the whole arena, -1 for staying for ever
    endless     for every node here on which both sides together can keep play going for ever, or on whose loops
                something is gained, the payoff of that
    """

    arena: Arena
    whole: Arena
    place: list[int]
    components: list[list[int]] = field(default_factory=list)
    kept: list[list[int]] = field(default_factory=list)
    edges: list[int] = field(default_factory=list)
    endless: Mapping[int, Endless] = field(default_factory=dict)

    @property
    def can_be_enclosed(self) -> bool:
        """Whether bounds of all values can be found: where play can last, nothing is gained and all is paid alike."""
        return not self.endless or (self.arena.gains is None and len({*self.endless.values()}) == 1)

    def whole_edge(self, edge: int) -> int:
        """The edge of the whole arena that an edge here stands for."""
        return self.edges[edge] if self.components else edge

    def lead_out(self, best_edges: Mapping[int, int]) -> dict[int, int]:
        """For every decision in an end component the edge to take.

        `best_edges` holds a best edge here for every end component: the way out, to which
        play then leads, or staying.
        """
        whole, chosen = self.whole, dict[int, int]()
        for number, component in enumerate(self.components):
            way = self.edges[best_edges[number]] if number in best_edges else -1
            chosen |= _stay(whole, component, self.kept[number]) if way < 0 else _leave(whole, component, way)
        return chosen


def collapse(graph: Graph) -> Collapsed:
    """The arena of a graph in which every maximal end component with one deciding side becomes one node.

    Components in which something is gained stay as they are. Where endless play has different payoffs,
    `graph.swing` counts.
    """
    arena = arena_of(graph)
    if not graph.end_components:
        return Collapsed(arena, arena, list(range(len(arena))))
    whole = arena.lists()
    payers = dict[int, int]()
    for part in graph.paying:
        payers |= dict.fromkeys(part, paying_side(graph, part))
    components = [part for part in graph.end_components if part[0] not in payers and len(_deciders(whole, part)) < 2]
    shared = {node for part in graph.end_components for node in part}.difference(*components)
    if not components:
        endless = {node: Endless(graph.endless_at(node)[0] * arena.unit, payers.get(node, 0)) for node in shared}
        return Collapsed(arena, whole, list(range(len(arena))), endless=endless)
    lasting = [_lasting(graph, whole, component) for component in components]
    signs, place = [_decider(whole, component) for component in components], _places(len(arena), components)
    smaller, edges = _collapsed(arena, place, signs, [amount for amount, _ in lasting])
    endless = {
        int(place[node]): Endless(graph.endless_at(node)[0] * smaller.unit, payers.get(node, 0)) for node in shared
    }
    kept = [kept for _, kept in lasting]
    return Collapsed(smaller, whole, place.tolist(), components, kept, edges.tolist(), endless)


def _deciders(arena: Arena, component: list[int]) -> set[int]:
    """The signs of the players who have a choice there; a single legal move is no choice."""
    return {arena.signs[node] for node in component if len(arena.edges(node)) > 1} - {0}


def _decider(arena: Arena, component: list[int]) -> int:
    """The sign of the one side that has a choice there."""
    return next(iter(_deciders(arena, component)), 1)


def _lasting(graph: Graph, arena: Arena, component: list[int]) -> tuple[Number, list[int]]:
    """The best payoff of staying for ever in an end component, and the nodes to stay on for it."""
    sign = _decider(arena, component)
    worth = {node: graph.endless_at(node)[0] for node in component}
    amounts = sorted(set(worth.values()), key=lambda amount: -sign * amount)
    if sign == graph.swing:  # the best of the payoffs that play visits again and again counts
        return amounts[0], component
    for amount in amounts[:-1]:
        enough = [node for node in component if sign * worth[node] >= sign * amount]
        after = {node: arena.children(node) for node in enough}
        kept = maximal_end_components(after, lambda node: bool(arena.signs[node] == 0))
        if kept:
            return amount, kept[0]
    return amounts[-1], component


# -------------------------------------------------------------------- one node for each


def _places(count: int, components: list[list[int]]) -> Words:
    """For every node its place where each component is one: components first, then all others in order."""
    place = np.full(count, -1, np.int64)
    for number, component in enumerate(components):
        place[component] = number
    others = place < 0
    place[others] = len(components) + np.arange(others.sum())
    return place


def _collapsed(given: Arena, place: Words, signs: list[int], lasting: list[Number]) -> tuple[Arena, Words]:
    """The smaller arena, and for each of its edges the edge of the given one, -1 for staying for ever.

    `place` has every node's place in it; the first are end components with these signs, where staying pays `lasting`.
    The last are the ends that staying leads to.
    """
    components, rows = len(signs), int(place.max()) + 1
    amounts = list(dict.fromkeys(lasting))
    unit = lcm(given.unit, *(amount.denominator for amount in amounts))
    nodes = np.argsort(place, kind="stable")
    others = nodes[place[nodes] >= components]
    edges, sources = edges_of(given.offsets, nodes), np.repeat(place[nodes], given.counts[nodes])
    leaves = (sources >= components) | (sources != place[given.successors[edges]])
    counts = np.bincount(sources[leaves], minlength=rows + len(amounts))
    edges = np.insert(edges[leaves], np.cumsum(counts)[:components], -1)
    counts[:components] += 1
    successors = place[given.successors[edges]]
    successors[edges < 0] = [rows + amounts.index(amount) for amount in lasting]
    payoffs = [*given.payoffs[others].tolist(), *(amount * given.unit for amount in amounts)]
    factor = unit // given.unit
    return Arena.of(
        np.append(0, np.cumsum(counts)),
        successors,
        None if given.weights is None else np.where(edges < 0, 1, given.weights[edges]),
        [*signs, *given.signs[others], *[0] * len(amounts)],
        None if given.gains is None else np.where(edges < 0, 0, given.gains[edges]).astype(object) * factor,
        [0] * components + [int(payoff * factor) for payoff in payoffs],
        unit,
    ), edges


# -------------------------------------------------------------------- play inside


def _stay(whole: Arena, component: list[int], kept: list[int]) -> dict[int, int]:
    """Edges by which play reaches the nodes `kept` with probability 1, and never leaves them."""
    inside = set(kept)
    chosen = {node: whole.edges_into(inside, node)[0] for node in kept if whole.signs[node]}
    return chosen | _lead_to(whole, component, inside)


def _leave(whole: Arena, component: list[int], way: int) -> dict[int, int]:
    """Edges by which play leaves by the edge `way` with probability 1."""
    source = next(node for node in component if way in whole.edges(node))
    return {source: way} | _lead_to(whole, component, {source})


def _lead_to(whole: Arena, component: list[int], goal: set[int]) -> dict[int, int]:
    """Edges by which play from the rest of the component reaches the goal with probability 1."""
    chosen = {}
    reaching = set(goal)
    # Chance comes a step nearer with some probability, the player surely.
    while len(reaching) < len(component):
        for node in component:
            if node not in reaching:
                nearer = whole.edges_into(reaching, node)
                if nearer:
                    reaching.add(node)
                    if whole.signs[node]:
                        chosen[node] = nearer[0]
    return chosen


# Where one side can keep play going for ever: what strategy improvement needs besides better moves. Where both sides
# together can keep play going, policies without a better move need not be optimal: a side may have to stay for ever
# among positions of one value, each move as good as the others (docs/theory/endless-play.md, "Loops of both", has the
# proof). Linear in edges.


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
    after = {node: arena.children(node) for node in part}
    nearer = {node: arena.offsets[node] + after[node].index(child) for node, child in _backwards(after)}
    return {node: nearer.get(node, arena.offsets[node]) for node in part if arena.signs[node]}


def _backwards(after: Mapping[int, Sequence[int]]) -> Iterator[tuple[int, int]]:
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
