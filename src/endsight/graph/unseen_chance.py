"""What is seen next from a belief: chance runs on, unseen, until something new is seen or somebody is to move."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm
from typing import NamedTuple, TypeAlias

from endsight.errors import NoValue
from endsight.game import Game
from endsight.game.numbers import Number, simplest
from endsight.game.position import as_text
from endsight.graph.hidden_states import NOTHING, HiddenStates, Step

__all__ = ["Group", "Member", "Members", "reduced", "seen_next"]


class Member(NamedTuple):
    """One hidden state of a belief: what it is about to show (`NOTHING` where that is nothing), its number and weight.

    Weights of a belief are whole and have no common factor.
    """

    seen: int
    state: int
    weight: int


Members: TypeAlias = tuple[Member, ...]
Place: TypeAlias = tuple[int, int]
"""What a state is about to show, and its number."""
Mass: TypeAlias = "tuple[int, tuple[Number, ...] | None]"
"""The weight of a state, and weight times gain of every way there; None for nothing."""


@dataclass(frozen=True)
class Group:
    """What is known once something is seen: the members, how likely that was, and what every player got on the way."""

    members: Members
    weight: int
    gain: tuple[Number, ...] | None


def reduced(weights: Mapping[Place, int]) -> Members:
    """The belief with these weights, in order and without their common factor."""
    shared = gcd(*weights.values())
    return tuple(Member(*place, weights[place] // shared) for place in sorted(weights))


def seen_next(game: Game, hidden: HiddenStates, members: Members) -> dict[int, Group]:
    """By what is seen next (`NOTHING` where somebody moves first, or play is over): the belief then, and its weight.

    Weights stay whole: every round of chance multiplies all of them by a common multiple of its totals. Raises
    `NoValue` where chance can go round for ever and show nothing.
    """
    waiting: dict[Place, Mass] = {(seen, state): (weight, None) for seen, state, weight in members}
    rested: dict[Place, Mass] = {}
    for _ in range(len(hidden) + 1):
        running = {place: mass for place, mass in waiting.items() if _runs(hidden, place)}
        _add(rested, ((place, mass) for place, mass in waiting.items() if place not in running))
        if not running:
            return _by_sight(rested)
        factor = lcm(*(hidden.totals[state] for _, state in running))
        rested = {place: _times(mass, factor) for place, mass in rested.items()}
        waiting = {}
        for (_, state), mass in running.items():
            share = _times(mass, factor // hidden.totals[state])
            _add(waiting, (((step.seen, step.after), _along(share, step)) for step in hidden.steps[state]))
    raise _endless(game, hidden, running)


def _runs(hidden: HiddenStates, place: Place) -> bool:
    """Whether chance moves on there before anybody notices."""
    return place[0] == NOTHING and hidden.is_chance(place[1])


def _along(mass: Mass, step: Step) -> Mass:
    """What goes along one outcome of chance."""
    weight, gained = mass[0] * step.weight, None
    if mass[1] is not None:
        gained = tuple(own * step.weight for own in mass[1])
    if step.gain is not None:
        here = tuple(weight * own for own in step.gain)
        gained = here if gained is None else _sum(gained, here)
    return weight, gained


def _times(mass: Mass, factor: int) -> Mass:
    return mass[0] * factor, None if mass[1] is None else tuple(own * factor for own in mass[1])


def _sum(one: tuple[Number, ...], other: tuple[Number, ...]) -> tuple[Number, ...]:
    return tuple(a + b for a, b in zip(one, other, strict=True))


def _add(sums: dict[Place, Mass], more: Iterable[tuple[Place, Mass]]) -> None:
    """Add what comes to each place to what is there."""
    for place, mass in more:
        there = sums.get(place)
        if there is not None:
            gains = [gained for gained in (there[1], mass[1]) if gained is not None]
            mass = there[0] + mass[0], _sum(*gains) if len(gains) == 2 else gains[0] if gains else None
        sums[place] = mass


def _by_sight(rested: Mapping[Place, Mass]) -> dict[int, Group]:
    """The belief after each thing that is seen, in order of their numbers."""
    apart: dict[int, dict[Place, Mass]] = {seen: {} for seen, _ in sorted(rested)}
    for (seen, state), mass in rested.items():
        apart[seen][NOTHING, state] = mass
    totals = {seen: sum(weight for weight, _ in group.values()) for seen, group in apart.items()}
    shared = gcd(*totals.values())
    return {
        seen: Group(
            reduced({place: weight for place, (weight, _) in group.items()}),
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


def _endless(game: Game, hidden: HiddenStates, running: Iterable[Place]) -> NoValue:
    state = hidden.examples[next(iter(running))[1]]
    return NoValue(
        f"{game.title()}: chance can go round for ever and show nothing",
        found=f"from {as_text(game, 'show', state)} on",
        advice="let sees show something of it, such as how often it happened",
    )
