"""What is seen next from a belief: chance runs on, unseen, until something new is seen or somebody is to move."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm
from typing import NamedTuple, TypeAlias

from endsight.errors import NoValue
from endsight.game import Game
from endsight.game.numbers import Number, simplest
from endsight.game.position import as_text
from endsight.graph.class_kernels import WORD
from endsight.graph.hidden_states import HiddenStates


class Member(NamedTuple):
    """One hidden state of a belief: what it is about to show (0 for nothing), its number and weight."""

    seen: int
    state: int
    weight: int


class Members(NamedTuple):
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

    members: Members
    weight: int
    gain: tuple[Number, ...] | None


def reduced(weights: Mapping[int, int]) -> Members:
    """The belief with these weights by place, in order and without their common factor."""
    places, shared = sorted(weights), gcd(*weights.values())
    return Members(tuple(places), tuple([weights[place] // shared for place in places]))


def seen_next(game: Game, hidden: HiddenStates, members: Members) -> dict[int, Group]:
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
        gained = here if gained is None else _sum(gained, here)
    return weight, gained


def _times(mass: Mass, factor: int) -> Mass:
    return mass[0] * factor, None if mass[1] is None else tuple(own * factor for own in mass[1])


def _sum(one: tuple[Number, ...], other: tuple[Number, ...]) -> tuple[Number, ...]:
    return tuple(a + b for a, b in zip(one, other, strict=True))


def _add(sums: dict[int, Mass], more: Iterable[tuple[int, Mass]]) -> None:
    """Add the mass that reaches each place to the mass there."""
    for place, mass in more:
        there = sums.get(place)
        if there is not None:
            gains = [gained for gained in (there[1], mass[1]) if gained is not None]
            mass = there[0] + mass[0], _sum(*gains) if len(gains) == 2 else gains[0] if gains else None
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
        sums = _sum(sums, gained)
    mean = tuple(simplest(Fraction(own) / total) for own in sums)
    return mean if any(mean) else None


def _endless(game: Game, hidden: HiddenStates, running: Iterable[int]) -> NoValue:
    state = hidden.example(next(iter(running)))
    return NoValue(
        f"{game.title()}: chance can move for ever without showing anything",
        found=f"from {as_text(game, 'show', state)} on",
        advice="let sees show something of it, such as how often it happened",
    )
