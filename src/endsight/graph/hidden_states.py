"""The states of a game in which all players see the same, as beliefs need them: what each step shows, no state twice.

A step shows something new where what is seen after it differs from what was seen before it. States that look the same
and have the same future are one (bisimulation; Larsen and Skou, "Bisimulation through probabilistic testing", 1991):
the same player has the same moves, with the same gains and sights, which lead to states that are one, and chance does
all that with the same weights. Names of outcomes that nobody sees do not matter. `endsight.engine.alike` finds these
classes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import gcd, lcm
from typing import Any, NamedTuple, TypeAlias

from endsight.errors import NoValue
from endsight.game import CHANCE, Game
from endsight.game.numbers import Number, added, simplest
from endsight.game.position import as_text
from endsight.graph.class_kernels import WORD
from endsight.graph.graph import Graph, Picked
from endsight.graph.kernel_numbers import Moved
from endsight.graph.objective import View

NOTHING = 0
"""The number of what is seen where nothing new is seen."""


class HiddenStep(NamedTuple):
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
    found: Moved

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

    def steps(self, state: int) -> list[HiddenStep]:
        """What may happen there."""
        return [self._step(place, is_chance=self.is_chance(state)) for place in self.places(state)]

    def _step(self, place: int, *, is_chance: bool) -> HiddenStep:
        seen, after = divmod(self.found.p_ways[place], WORD)
        move = None if is_chance and seen == NOTHING else self.graph.moves[self.found.p_edges[place]]
        return HiddenStep(move, self.found.p_weights[place], self.gain(place), seen, after)


# What is seen next from a belief: chance runs on, unseen, until something new is seen or somebody is to move.


class Member(NamedTuple):
    """One hidden state of a belief: what it is about to show (0 for nothing), its number and weight."""

    seen: int
    state: int
    weight: int


class BeliefMembers(NamedTuple):
    """The hidden states of a belief, each as a place: what it is about to show, times `WORD`, plus its number.

    Places are in order. Weights are whole and have no common factor.
    """

    places: tuple[int, ...]
    weights: tuple[int, ...]

    def rows(self) -> Iterator[Member]:
        """The members one by one."""
        return (Member(*divmod(place, WORD), weight) for place, weight in zip(*self, strict=True))

    @property
    def shows_nothing(self) -> bool:
        """Whether nothing new is about to be seen, in any state."""
        return self.places[-1] < WORD


Mass: TypeAlias = "tuple[int, tuple[Number, ...] | None]"
"""The weight of a place, and weight times gain of every way there; None for nothing."""


@dataclass(frozen=True)
class Group:
    """The knowledge after something is seen: the members, its likelihood, and what every player gained on the way."""

    members: BeliefMembers
    weight: int
    gain: tuple[Number, ...] | None


def reduced(weights: Mapping[int, int]) -> BeliefMembers:
    """The belief with these weights by place, in order and without their common factor."""
    places, shared = sorted(weights), gcd(*weights.values())
    return BeliefMembers(tuple(places), tuple([weights[place] // shared for place in places]))


def seen_next(game: Game, hidden: HiddenStates, members: BeliefMembers) -> dict[int, Group]:
    """By what is seen next (`NOTHING` where somebody moves first, or play has ended): the belief then, and its weight.

    Weights stay whole: every round of chance multiplies all of them by a common multiple of its totals. Raises
    `NoValue` where chance can move for ever without showing anything.
    """
    found, rested = hidden.found, dict[int, Mass]()
    waiting: dict[int, Mass] = {place: (weight, None) for place, weight in zip(*members, strict=True)}
    for _ in range(len(hidden) + 1):
        # A state where chance moves and shows nothing moves on before anybody notices.
        running = {place: mass for place, mass in waiting.items() if place < WORD and hidden.is_chance(place)}
        _add(rested, ((place, mass) for place, mass in waiting.items() if place not in running))
        if not running:
            return _by_sight(rested)
        totals = {state: sum(found.p_weights[place] for place in hidden.places(state)) for state in running}
        factor = lcm(*totals.values())
        rested = {place: _times(mass, factor) for place, mass in rested.items()}
        waiting = {}
        for state, mass in running.items():
            share = _times(mass, factor // totals[state])
            _add(waiting, ((found.p_ways[place], _along(share, hidden, place)) for place in hidden.places(state)))
    raise _endless(game, hidden, running)


def _along(mass: Mass, hidden: HiddenStates, place: int) -> Mass:
    """The mass that follows one outcome of chance."""
    own = hidden.found.p_weights[place]
    weight, gained, gain = mass[0] * own, None, hidden.gain(place)
    if mass[1] is not None:
        gained = tuple(before * own for before in mass[1])
    if gain is not None:
        here = tuple(weight * each for each in gain)
        gained = here if gained is None else added(gained, here)
    return weight, gained


def _times(mass: Mass, factor: int) -> Mass:
    return mass[0] * factor, None if mass[1] is None else tuple(own * factor for own in mass[1])


def _add(sums: dict[int, Mass], more: Iterable[tuple[int, Mass]]) -> None:
    """Add the mass that reaches each place to the mass there."""
    for place, mass in more:
        there = sums.get(place)
        if there is not None:
            gains = [gained for gained in (there[1], mass[1]) if gained is not None]
            mass = there[0] + mass[0], added(*gains) if len(gains) == 2 else gains[0] if gains else None
        sums[place] = mass


def _by_sight(rested: Mapping[int, Mass]) -> dict[int, Group]:
    """The belief after each thing that is seen, in order of their numbers."""
    apart: dict[int, dict[int, Mass]] = {}
    for place in sorted(rested):
        seen, state = divmod(place, WORD)
        apart.setdefault(seen, {})[state] = rested[place]
    totals = {seen: sum(weight for weight, _ in group.values()) for seen, group in apart.items()}
    shared = gcd(*totals.values())
    return {
        seen: Group(
            reduced({state: weight for state, (weight, _) in group.items()}),
            totals[seen] // shared,
            _mean([gained for _, gained in group.values() if gained is not None], totals[seen]),
        )
        for seen, group in apart.items()
    }


def _mean(gains: list[tuple[Number, ...]], total: int) -> tuple[Number, ...] | None:
    if not gains:
        return None
    sums = gains[0]
    for gained in gains[1:]:
        sums = added(sums, gained)
    mean = tuple(simplest(Fraction(own) / total) for own in sums)
    return mean if any(mean) else None


def _endless(game: Game, hidden: HiddenStates, running: Iterable[int]) -> NoValue:
    state = hidden.example(next(iter(running)))
    return NoValue(
        f"{game.title()}: chance can move for ever without showing anything",
        found=f"from {as_text(game, 'show', state)} on",
        advice="let sees show something of it, such as how often it happened",
    )
