"""The states of a game in which all players see the same, as beliefs need them: what each step shows, no state twice.

A step shows something new where what is seen after it differs from what was seen before it. States that look the same
and have the same future are one (bisimulation; Larsen and Skou, "Bisimulation through probabilistic testing", 1991):
the same player has the same moves, with the same gains and sights, which lead to states that are one, and chance does
all that with the same weights. Names of outcomes that nobody sees do not matter. `endsight.engine.alike` finds these
classes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from endsight.game import CHANCE
from endsight.game.numbers import Number
from endsight.graph.class_kernels import WORD
from endsight.graph.graph import Graph, Picked
from endsight.graph.kernel_numbers import Found
from endsight.graph.objective import View

NOTHING = 0
"""The number of what is seen where nothing new is seen."""


class Step(NamedTuple):
    """One move or outcome: its weight, every player's gain, what it shows, and where it leads.

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

    `differing` says in words why players do not see the same; None where they do.
    """

    things: Sequence[Any]
    nodes: Picked[int]
    differing: str | None = None


@dataclass(frozen=True)
class Classes:
    """The nodes of a graph in classes, which are numbered in the order in which exploration found them.

    own    the class of every node
    first  the first node of every class
    sizes  number of nodes of every class
    """

    own: Sequence[int]
    first: Sequence[int]
    sizes: Sequence[int]


@dataclass(frozen=True, eq=False)
class HiddenStates:
    """Classes of states with the same future; the game starts in class 0.

    `graph` holds the states, in `view`; `found` has the steps from every class.
    """

    view: View
    graph: Graph
    sights: Sights
    classes: Classes
    found: Found

    def __len__(self) -> int:
        return len(self.classes.first)

    @property
    def things(self) -> Sequence[Any]:
        """What is seen, by number."""
        return self.sights.things

    def size(self, state: int) -> int:
        """Number of nodes in a class."""
        return self.classes.sizes[state]

    def example(self, state: int) -> Any:
        """A state of a class."""
        return self.view.split(self.graph.keys[self.classes.first[state]])[0]

    def mover(self, state: int) -> int:
        """Who moves: a player, `CHANCE`, `TOGETHER`, or `OVER`."""
        return self.found.b_who[state]

    def is_chance(self, state: int) -> bool:
        """Whether chance moves there."""
        return self.found.b_who[state] == CHANCE

    def payoff(self, state: int) -> tuple[Number, ...] | None:
        """Every player's payoff where the game has ended, else None."""
        return self.graph.payoffs[self.classes.first[state]]

    def places(self, state: int) -> range:
        """Where in `found` the steps from a class stand."""
        return range(self.found.p_begins[state], self.found.p_begins[state + 1])

    def moves(self, state: int) -> tuple[Any, ...]:
        """The moves of the player who moves there."""
        menu = self.found.h_menus[state]
        if menu not in self._moves:
            self._moves[menu] = tuple(self.graph.moves[self.found.p_edges[place]] for place in self.places(state))
        return self._moves[menu]

    @cached_property
    def _moves(self) -> dict[int, tuple[Any, ...]]:
        return {}

    def gain(self, place: int) -> tuple[Number, ...] | None:
        """Every player's gain by a step."""
        return self.graph.gain(self.found.p_edges[place])

    def steps(self, state: int) -> list[Step]:
        """What may happen there."""
        return [self._step(place, is_chance=self.is_chance(state)) for place in self.places(state)]

    def _step(self, place: int, *, is_chance: bool) -> Step:
        seen, after = divmod(self.found.p_ways[place], WORD)
        move = None if is_chance and seen == NOTHING else self.graph.moves[self.found.p_edges[place]]
        return Step(move, self.found.p_weights[place], self.gain(place), seen, after)
