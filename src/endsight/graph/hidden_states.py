"""The states of a game in which all players see the same, as beliefs need them: what each step shows, no state twice.

A step shows something new where what is seen after it differs from what was seen before it. States that look the same
and have the same future are one (bisimulation; Larsen and Skou, "Bisimulation through probabilistic testing", 1991):
the same player has the same moves, which bring the same, show the same and lead to states that are one, and chance does
all that with the same weights. Names of outcomes that nobody sees do not matter. Without loops one pass from the ends
back finds these classes; with loops they are refined until nothing changes (Kanellakis and Smolka 1990).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import gcd
from typing import Any, NamedTuple

from endsight.base.collector import collector_paused
from endsight.game import CHANCE
from endsight.game.numbers import Number
from endsight.graph.graph import Graph
from endsight.graph.objective import View

__all__ = ["NOTHING", "OVER", "HiddenStates", "Sights", "Step"]

OVER = -3
"""The mover where the game is over."""
NOTHING = 0
"""The number of what is seen where nothing new is seen."""


class Step(NamedTuple):
    """One move or outcome: its weight, what it brings every player, what it shows, and where it leads.

    `move` is None for outcomes of chance that show nothing.
    """

    move: Any
    weight: int
    gain: tuple[Number, ...] | None
    seen: int
    after: int


@dataclass(frozen=True)
class Sights:
    """What all players see at every node of a graph, by number from 1: `things[number]`, and `nodes[node]`.

    `differing` says in words why they do not see the same; None where they do.
    """

    things: Sequence[Any]
    nodes: Sequence[int]
    differing: str | None = None


@dataclass(frozen=True, eq=False)
class HiddenStates:
    """Classes of states with the same future, in the order in which exploring met them; the game starts in class 0.

    movers    who moves: a player, `CHANCE`, or `OVER`
    steps     what may happen there
    payoffs   of every player where the game is over, else None
    examples  a state of each class
    things    what is seen, by number; that at the start is `things[first]`
    sizes     how many nodes each class was made of
    """

    movers: Sequence[int]
    steps: Sequence[tuple[Step, ...]]
    payoffs: Sequence[tuple[Number, ...] | None]
    examples: Sequence[Any]
    things: Sequence[Any]
    first: int
    sizes: Sequence[int]

    @staticmethod
    @collector_paused()
    def of(view: View, graph: Graph, sights: Sights, *, merged: bool = True) -> HiddenStates:
        """The classes of all nodes of a graph that keeps players apart by number; unless `merged`, each by itself."""
        rows = _Rows(graph, sights.nodes)
        classes = rows.classes() if merged else range(len(graph))
        chosen: dict[int, int] = {}
        for node, own in enumerate(classes):
            chosen.setdefault(own, node)
        numbers = {own: number for number, own in enumerate(chosen)}
        after, counts = [numbers[own] for own in classes], Counter(classes)
        return HiddenStates(
            movers=[rows.mover(node) for node in chosen.values()],
            steps=[rows.steps(node, after) for node in chosen.values()],
            payoffs=[graph.payoffs[node] for node in chosen.values()],
            examples=[view.split(graph.keys[node])[0] for node in chosen.values()],
            things=sights.things,
            first=sights.nodes[0],
            sizes=[counts[own] for own in chosen],
        )

    def __len__(self) -> int:
        return len(self.movers)

    @cached_property
    def totals(self) -> list[int]:
        """The sum of the weights of the steps from each class."""
        return [sum(step.weight for step in steps) for steps in self.steps]

    def is_chance(self, state: int) -> bool:
        """Whether chance moves there."""
        return self.movers[state] == CHANCE

    def moves(self, state: int) -> tuple[Any, ...]:
        """The moves of the player who moves there."""
        return tuple(step.move for step in self.steps[state])


@dataclass(frozen=True)
class _Rows:
    """What happens at each node, with what is seen."""

    graph: Graph
    sights: Sequence[int]

    def mover(self, node: int) -> int:
        return OVER if self.graph.is_end(node) else self.graph.movers[node]

    def steps(self, node: int, classes: Sequence[int]) -> tuple[Step, ...]:
        """The steps from a node to classes; outcomes of chance that are alike are one, without a common factor."""
        steps = [self._step(node, edge, classes) for edge in self.graph.edges(node)]
        if self.graph.movers[node] != CHANCE:
            return tuple(steps)
        weights: dict[Step, int] = {}
        for step in steps:
            alike = step._replace(weight=1)
            weights[alike] = weights.get(alike, 0) + step.weight
        shared = gcd(*weights.values()) if weights else 1
        return tuple(step._replace(weight=weight // shared) for step, weight in weights.items())

    def _step(self, node: int, edge: int, classes: Sequence[int]) -> Step:
        graph, sights = self.graph, self.sights
        child = graph.successors[edge]
        is_chance = graph.movers[node] == CHANCE
        seen = NOTHING if sights[child] == sights[node] else sights[child]
        gain = None if graph.rewards is None else graph.rewards[edge]
        weight = graph.weights[edge] if is_chance and graph.weights is not None else 1
        move = None if is_chance and seen == NOTHING else graph.moves[edge]
        return Step(move, weight, gain, seen, classes[child])

    def classes(self) -> Sequence[int]:
        """A number for every node, the same for nodes with the same future."""
        order = self.graph.order
        if order is not None:
            classes = [0] * len(self.graph)
            self._refine(order, classes, classes)
            return classes
        old, count, before = [0] * len(self.graph), 1, 0
        while count > before:
            new, before = [0] * len(self.graph), count
            count = self._refine(range(len(self.graph)), old, new)
            old = new
        return old

    def _refine(self, nodes: Iterable[int], old: Sequence[int], new: list[int]) -> int:
        """Give every node the number of its row, in which others stand with their `old` numbers; how many there are."""
        numbers: dict[Hashable, int] = {}
        for node in nodes:
            steps = self.steps(node, old)
            what = frozenset(steps) if self.graph.movers[node] == CHANCE else steps
            row = self.sights[node], self.mover(node), what, self.graph.payoffs[node]
            new[node] = numbers.setdefault(row, len(numbers))
        return len(numbers)
