"""Loops on which some moves cost and others pay: heights that show that no loop gains anything in all.

The height of a node is the most that can be gained from it, in the mean, without leaving the component. If it has a
limit, no move gains more than it loses in height; if not, some loop gains something. Without chance it is found in
rounds (R. Bellman, "On a routing problem", 1958; E. F. Moore, 1959), at worst nodes times edges of the component; with
chance as in `graph.mean_heights`, or for large components as in `graph.falling_heights`. Heights make Dijkstra's
algorithm right where moves pay (D. Johnson, "Efficient algorithms for shortest paths in sparse networks", 1977).
Where play can continue on moves that gain just what they lose
in height, and gain anything at all, it has no last total (C. Baier, N. Bertrand, C. Dubslaff, D. Gburek and O. Sankur,
"Stochastic shortest paths and weight-bounded properties in Markov decision processes", 2018).
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Mapping, Sequence

from endsight.game.numbers import Number
from endsight.graph.falling_heights import falling_heights
from endsight.graph.graph import Graph
from endsight.graph.mean_heights import kept_among, mean_heights, ways_within, worth_of

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
    rounds = _Rounds(graph, part, side)
    return rounds.heights if rounds.loop() is None else None


def gaining_loop(graph: Graph, part: Sequence[int], side: int) -> list[tuple[int, int]] | None:
    """Nodes and edges of a loop in a component on which the side gains, if chance is kind; None if there is none."""
    return _Rounds(graph, part, side).loop()


def goes_up_and_down(graph: Graph, heights: Mapping[int, Number], side: int = 1) -> bool:
    """Whether play can continue where each way on gains in the mean what it loses in height, and gains something."""
    inside = set(heights)
    gains = [side * graph.gain_of(edge) for edge in range(len(graph.successors))]
    level: dict[int, list[int]] = {}
    for node, height in heights.items():
        ways = ways_within(graph, node, inside)
        level[node] = [edge for way in ways if worth_of(graph, way, heights, gains) == height for edge in way]
    home = {node: name for name, part in enumerate(kept_among(graph, level)) for node in part}
    return any(gains[edge] and home[node] == home.get(graph.successors[edge]) for node in home for edge in level[node])


class _Rounds:
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
