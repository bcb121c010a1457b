"""Loops on which some moves cost and others pay: heights that show that no loop gains anything in all.

The height of a node is the most that can be gained from it, in the mean, without leaving the component. If it has a
limit, no move gains more than it loses in height; if not, some loop gains something. Without chance it is found in
rounds (R. Bellman, "On a routing problem", 1958; E. F. Moore, 1959), at worst nodes times edges of the component; with
chance by improving policies, or for large components by a guess that is checked. Heights make Dijkstra's
algorithm right where moves pay (D. Johnson, "Efficient algorithms for shortest paths in sparse networks", 1977).
Where play can continue on moves that gain just what they lose
in height, and gain anything at all, it has no last total (C. Baier, N. Bertrand, C. Dubslaff, D. Gburek and O. Sankur,
"Stochastic shortest paths and weight-bounded properties in Markov decision processes", 2018).
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from math import isfinite
from typing import TYPE_CHECKING, TypeAlias

from endsight.algorithms.linear_systems import solution_of, staying
from endsight.base.deferred import deferred
from endsight.game import CHANCE
from endsight.game.numbers import Number, average
from endsight.graph.components import maximal_end_components
from endsight.graph.graph import Graph

if TYPE_CHECKING:
    from endsight.algorithms.float_policy_iteration import Floats, Indices

with deferred(__name__):
    from endsight.algorithms.float_policy_iteration import FloatGame

MOST_WITH_CHANCE = 1_000
"""Positions of a component with chance up to which heights are found exactly, whatever its loops gain."""


def heights_of(graph: Graph, part: Sequence[int], side: int = 1) -> dict[int, Number] | None:
    """Heights of the nodes of an end component in which one side alone decides; None where they have no limit.

    With chance and more than `MOST_WITH_CHANCE` nodes they are some heights from which every way on falls; None where
    none were found.
    The side wants more of the first player's amount (1) or less of it (-1), and gains what that is worth to it.
    """
    if graph.has_chance:
        gains = [side * graph.gain_of(edge) for edge in range(len(graph.successors))]
        return (mean_heights if len(part) <= MOST_WITH_CHANCE else falling_heights)(graph, part, gains)
    rounds = _HeightRounds(graph, part, side)
    return rounds.heights if rounds.loop() is None else None


def gaining_loop(graph: Graph, part: Sequence[int], side: int) -> list[tuple[int, int]] | None:
    """Nodes and edges of a loop in a component on which the side gains, if chance is kind; None if there is none."""
    return _HeightRounds(graph, part, side).loop()


def goes_up_and_down(graph: Graph, heights: Mapping[int, Number], side: int) -> bool:
    """Whether play can continue where each way on gains in the mean what it loses in height, and gains something."""
    inside = set(heights)
    gains = [side * graph.gain_of(edge) for edge in range(len(graph.successors))]
    level: dict[int, list[int]] = {}
    for node, height in heights.items():
        ways = ways_within(graph, node, inside)
        level[node] = [edge for way in ways if worth_of(graph, way, heights, gains) == height for edge in way]
    home = {node: name for name, part in enumerate(kept_among(graph, level)) for node in part}
    return any(gains[edge] and home[node] == home.get(graph.successors[edge]) for node in home for edge in level[node])


class _HeightRounds:
    """Heights without chance: the gains on ways that grow longer until none is better, or one leads round.

    heights     the gain on the best way found from a node
    best        the first edge of that way
    """

    def __init__(self, graph: Graph, part: Sequence[int], side: int) -> None:
        self.graph, self.part, self.side = graph, part, side
        self.heights: dict[int, Number] = dict.fromkeys(part, 0)
        self.best: dict[int, int] = {}
        self.before: dict[int, list[tuple[int, int]]] = {node: [] for node in part}
        for node in part:
            for edge in graph.edges(node):
                if graph.successors[edge] in self.heights:
                    self.before[graph.successors[edge]].append((node, edge))

    def loop(self) -> list[tuple[int, int]] | None:
        """A loop that gains something; None where there is none, and the heights are right."""
        waiting, queued, turns = deque(self.part), set(self.part), Counter[int]()
        while waiting:
            node = waiting.popleft()
            queued.remove(node)
            turns[node] += 1
            # Without loops that gain something, every round settles one more node.
            if turns[node] % (len(self.part) + 2) == 0 and (loop := self._round(node)):
                return loop
            for source in self._raised(node) - queued:
                queued.add(source)
                waiting.append(source)
        return None

    def _raised(self, node: int) -> set[int]:
        """The nodes whose height grows by moving to this one."""
        raised = set()
        for source, edge in self.before[node]:
            height = self.side * self.graph.gain_of(edge) + self.heights[node]
            if height > self.heights[source]:
                self.heights[source], self.best[source] = height, edge
                raised.add(source)
        return raised

    def _round(self, node: int) -> list[tuple[int, int]] | None:
        """The loop to which the best ways lead from a node, if they do."""
        way: dict[int, int] = {}
        while node in self.best and node not in way:
            way[node] = self.best[node]
            node = self.graph.successors[self.best[node]]
        return list(way.items())[list(way).index(node) :] if node in way else None


# With chance: a problem of optimal stopping, solved by improving policies (R. Howard, *Dynamic Programming and Markov
# Processes*, 1960). At first the player stops everywhere. No improvement makes any node worse, so no node has to stop
# again. Moves by which play never stops are taken only if they gain something in the mean again and again: then there
# is no limit. Otherwise the improvements end, as no policy repeats. Each solves one system of linear equations.


def mean_heights(graph: Graph, part: Sequence[int], gains: Sequence[Number]) -> dict[int, Number] | None:
    """The most that can be gained from every node of a part in the mean; None where there is no limit.

    Play can be kept in the part for ever (an end component); `gains` has the gain on every edge.
    """
    inside = {*part}
    ways = {node: ways_within(graph, node, inside) for node in part}
    going: dict[int, Sequence[int]] = {}
    heights: dict[int, Number] = dict.fromkeys(part, 0)
    while True:
        better = {}
        for node in part:
            best = max(ways[node], key=lambda way: worth_of(graph, way, heights, gains))
            if worth_of(graph, best, heights, gains) > heights[node]:
                better[node] = best
        going |= better
        if not better:
            return heights
        if not _stops(graph, going):
            return None
        heights |= _evaluated(graph, going, gains)


def ways_within(graph: Graph, node: int, inside: set[int]) -> list[Sequence[int]]:
    """The choices at a node: all edges together where chance decides, else any one that stays inside."""
    return [graph.edges(node)] if graph.is_chance(node) else [(edge,) for edge in graph.edges_into(inside, node)]


def kept_among(graph: Graph, ways: Mapping[int, Sequence[int]]) -> list[list[int]]:
    """Sets of nodes in which play can continue for ever, and move about freely, along these edges of theirs."""
    after = {node: [graph.successors[edge] for edge in edges] for node, edges in ways.items()}
    return maximal_end_components(after, graph.is_chance)


def worth_of(graph: Graph, way: Sequence[int], heights: Mapping[int, Number], gains: Sequence[Number]) -> Number:
    """The mean gain on a way, with the height after it."""
    worths = (gains[edge] + heights[graph.successors[edge]] for edge in way)
    return average(graph.weights_of(way), worths)


def _stops(graph: Graph, going: dict[int, Sequence[int]]) -> bool:
    """Whether play stops with some chance, wherever it is."""
    rest = set(going)
    while leaving := {node for node in rest if not rest.issuperset(graph.successors[e] for e in going[node])}:
        rest -= leaving
    return not rest


def _evaluated(graph: Graph, going: dict[int, Sequence[int]], gains: Sequence[Number]) -> dict[int, Number]:
    """The mean gain of play from the nodes where it continues."""
    ways = {
        node: graph.chances(node) if graph.movers[node] == CHANCE else [(edges[0], Fraction(1))]
        for node, edges in going.items()
    }
    rows = {node: [(graph.successors[edge], chance) for edge, chance in way] for node, way in ways.items()}
    right: list[list[Number]] = [[sum(chance * gains[edge] for edge, chance in way)] for way in ways.values()]
    return {node: row[0] for node, row in zip(going, solution_of(staying(rows), right), strict=True)}


# For large parts of a game with chance: heights on which every move falls in the mean, guessed in floats and checked
# exactly. Every gain is increased by a little slack, and the most that is then gained in the mean by moving about and
# stopping at will is found roughly (R. Howard, as above). Rounded to whole multiples of a fraction of the slack, these
# heights fall with every move by more than it gains, unless the guess was bad: exact arithmetic decides that, move by
# move. So whatever players do, each round of a loop costs something in the mean. Nodes between which play can continue
# for nothing have one height, and moves between them stay level.

SLACKS = tuple(Fraction(1, 1 << places) for places in (4, 10, 18))
"""The slack added to every gain, as shares of the largest."""
_ROUNDS, _FINER, _PRECISION = 60, 16, 1e-12
"""Improvements of a policy, how much finer than the slack heights are rounded, and how precisely systems are solved."""


_Way: TypeAlias = tuple[int, Sequence[int]]
"""A relevant choice: a node, and edges of it, all of them where chance decides."""


def falling_heights(graph: Graph, part: Sequence[int], gains: Sequence[Number]) -> dict[int, Number] | None:
    """Heights of the nodes of an end component that fall by more than each way on gains; None where none were found.

    `gains` has the gain on every edge, as in `mean_heights`. None says nothing about the component: its loops may gain
    something in the mean, or nothing, or so little less than nothing that floats cannot tell.
    """
    home = _free_homes(graph, part, gains)
    ways = list(_ways(graph, part, gains, home))
    most = max(abs(Fraction(gains[edge])) for _, edges in ways for edge in edges)
    for slack in (share * most for share in SLACKS):
        rough = _guessed(*_float_game(graph, ways, gains, home, float(slack)))
        if rough is None:
            continue
        unit = slack / _FINER
        heights: dict[int, Number] = {node: round(rough[home[node]] / float(unit)) * unit for node in part}
        if all(worth_of(graph, edges, heights, gains) < heights[node] for node, edges in ways):
            return heights
    return None


def _free_homes(graph: Graph, part: Sequence[int], gains: Sequence[Number]) -> dict[int, int]:
    """For every node a number that it shares with the nodes between which play can continue for nothing."""
    inside = set(part)
    free = {
        node: [edge for way in ways_within(graph, node, inside) if not any(gains[e] for e in way) for edge in way]
        for node in part
    }
    home = {node: number for number, node in enumerate(part)}
    for group in kept_among(graph, free):
        home |= dict.fromkeys(group, home[group[0]])
    numbers = {old: new for new, old in enumerate(dict.fromkeys(home.values()))}
    return {node: numbers[old] for node, old in home.items()}


def _ways(graph: Graph, part: Sequence[int], gains: Sequence[Number], home: dict[int, int]) -> Iterator[_Way]:
    """All ways on except those for nothing between nodes of one number."""
    inside = set(part)
    for node in part:
        for edges in ways_within(graph, node, inside):
            if any(gains[edge] or home[graph.successors[edge]] != home[node] for edge in edges):
                yield node, edges


def _guessed(game: FloatGame, stops: Indices) -> Floats | None:
    """Roughly the most gained from every node by moving about and stopping; None where that seems to have no limit."""
    choices, values = stops.copy(), game.gains[stops] * 0
    for _ in range(_ROUNDS):
        if not _leads_out(game, choices):
            return None
        values = game.evaluate(choices, values, _PRECISION)
        if not all(map(isfinite, values.tolist())):
            return None
        if not game.improve(choices, values, 1):
            return values
    return None


def _leads_out(game: FloatGame, choices: Indices) -> bool:
    """Whether play stops with some chance, wherever it is."""
    chosen, is_chance = {*choices.tolist()}, (game.signs == 0).tolist()
    before: list[list[int]] = [[] for _ in range(game.size + 1)]
    for edge, (source, target) in enumerate(zip(game.sources.tolist(), game.successors.tolist(), strict=True)):
        if edge in chosen or is_chance[source]:
            before[target].append(source)
    stopping, waiting = {game.size}, [game.size]
    for node in waiting:  # the list grows
        more = {*before[node]} - stopping
        stopping |= more
        waiting += more
    return len(stopping) > game.size


def _float_game(
    graph: Graph, ways: Sequence[_Way], gains: Sequence[Number], home: dict[int, int], slack: float
) -> tuple[FloatGame, Indices]:
    """The numbers of `home` as decisions in floats, each with the edge by which it stops; then ways of chance."""
    decisions = max(home.values()) + 1
    edges: list[list[tuple[int, float, float]]] = [[] for _ in range(decisions)]
    for node, way in ways:
        weights = [1 if graph.weights is None or len(way) == 1 else graph.weights[edge] for edge in way]
        after = [
            (home[graph.successors[edge]], weight / sum(weights), float(gains[edge]) + slack)
            for edge, weight in zip(way, weights, strict=True)
        ]
        if len(way) > 1:
            edges[home[node]].append((len(edges), 1.0, 0.0))
            edges.append(after)
        else:
            edges[home[node]] += after
    for own in edges[:decisions]:
        own.append((len(edges), 1.0, 0.0))
    game = FloatGame.of(edges, [1] * decisions + [0] * (len(edges) - decisions))
    return game, game.offsets[1:] - 1
