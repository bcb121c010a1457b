"""The states of a game in which all players see the same, as beliefs need them: what each step shows, no state twice.

A step shows something new where what is seen after it differs from what was seen before it. States that look the same
and have the same future are one (bisimulation; Larsen and Skou, "Bisimulation through probabilistic testing", 1991):
the same player has the same moves, which bring the same, show the same and lead to states that are one, and chance does
all that with the same weights. Names of outcomes that nobody sees do not matter. `endsight.compiler.alike` finds these
classes.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import gcd
from typing import Any, NamedTuple

from endsight.base.collector import collector_paused
from endsight.game import CHANCE
from endsight.game.numbers import Number
from endsight.graph.graph import Graph, Made, Picked
from endsight.graph.objective import View

__all__ = ["NOTHING", "OVER", "Classes", "HiddenStates", "Sights", "Step"]

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
    nodes: Picked[int]
    differing: str | None = None


@dataclass(frozen=True)
class Classes:
    """The nodes of a graph in classes, which are numbered in the order in which exploring met them.

    own    the class of every node
    first  the first node of every class
    sizes  how many nodes every class has
    """

    own: Sequence[int]
    first: Sequence[int]
    sizes: Sequence[int]

    @staticmethod
    def apart(nodes: int) -> Classes:
        """Each of so many nodes by itself."""
        return Classes(range(nodes), range(nodes), [1] * nodes)


@dataclass(frozen=True, eq=False)
class HiddenStates:
    """Classes of states with the same future; the game starts in class 0.

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
    def of(view: View, graph: Graph, sights: Sights, classes: Classes) -> HiddenStates:
        """The hidden states of a graph that keeps players apart by number, one for each class of its nodes."""
        rows = _Rows(graph, sights.nodes)
        return HiddenStates(
            movers=[rows.mover(node) for node in classes.first],
            steps=[rows.steps(node, classes.own) for node in classes.first],
            payoffs=[graph.payoffs[node] for node in classes.first],
            examples=_Examples(view, graph.keys, classes.first),
            things=sights.things,
            first=sights.nodes[0],
            sizes=classes.sizes,
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


@dataclass(frozen=True, eq=False)
class _Examples(Made[Any]):
    """States of some nodes, made when they are asked for."""

    view: View
    keys: Sequence[Hashable]
    nodes: Sequence[int]

    def __len__(self) -> int:
        return len(self.nodes)

    def made(self, places: slice) -> list[Any]:
        """These states."""
        return [self.view.split(self.keys[node])[0] for node in self.nodes[places]]


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
        weight = graph.weights[edge] if is_chance and graph.weights is not None else 1
        move = None if is_chance and seen == NOTHING else graph.moves[edge]
        return Step(move, weight, graph.gain(edge), seen, classes[child])
