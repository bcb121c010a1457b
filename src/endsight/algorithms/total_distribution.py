"""The distribution of a total that play changes on loops, when every decision is already taken.

There is no last total, and the chances need not be rational numbers that a finite system gives. So chances are
pushed forwards move by move, from every position with every total gained by then, until little is left of the play that
is still under way. The rest is known exactly: each total has at least the chance that has arrived, and at most
that much more (Kemeny and Snell, *Finite Markov Chains*, 1960, section 3.2: the rest falls geometrically).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import cache
from math import gcd, lcm
from typing import TypeAlias, TypeVar

from endsight.game.limits import Budget
from endsight.game.numbers import Number, simplest
from endsight.graph.graph import Graph

MOST_MOVES = 300_000
"""Most moves to push forwards; after that the rest may be larger than requested."""

T = TypeVar("T")

Place: TypeAlias = tuple[int, Number]
"""A node, and the total gained on the way there."""


def pays_again(graph: Graph, player: int) -> bool:
    """Whether play can come back to where the player gains or loses something."""
    return graph.is_cyclic and any(_pays(graph, part, player) for part in graph.components)


def total_distribution(
    graph: Graph, player: int, so_far: Number, rest: Fraction, budget: Budget
) -> tuple[dict[Number, Fraction], Fraction]:
    """Chances of totals (`so_far` plus what `player` still gets) that have arrived, in increasing order, and the rest.

    The graph must have one edge at every decision node and keep players apart by number. Chances are pushed
    on until at most `rest` of all play is under way, or `MOST_MOVES` moves. Endless play pays `graph.endless_at`, and
    must gain nothing. Raises `LimitReached` when the budget is spent.
    """
    paid = _paid(graph, player)
    arrived: dict[Number, Fraction] = {}
    going: dict[Place, int] = {(0, so_far): 1}
    below, moves = 1, 0

    chances = cache(graph.chances)

    def after(place: Place) -> list[tuple[Place, Fraction]]:
        node, total = place
        return [
            ((graph.successors[edge], simplest(total + graph.gain_of(edge, player))), chance)
            for edge, chance in chances(node)
        ]

    while True:
        for place in [place for place in going if place[0] in paid]:
            total = simplest(place[1] + paid[place[0]])
            arrived[total] = arrived.get(total, Fraction(0)) + Fraction(going.pop(place), below)
        left = Fraction(sum(going.values()), below)
        moves += len(going)
        if left <= rest or moves > MOST_MOVES:
            return dict(sorted(arrived.items())), left
        budget.glance(len(graph), "adding chances up")
        going, below = pushed(going, below, after)


def _paid(graph: Graph, player: int) -> dict[int, Number]:
    """The player's payment at every end, and at nodes from which play never ends and gains nothing more."""
    paid = {node: payoff[player] for node, payoff in enumerate(graph.payoffs) if payoff is not None}
    for part in graph.components:
        if graph.is_loop(part) and not graph.leaves(part):
            assert not _pays(graph, part, player), "play that pays for ever has no value, and is refused before"
            paid |= {node: graph.endless_at(node)[player] for node in part}
    return paid


def _pays(graph: Graph, part: list[int], player: int) -> bool:
    """Whether the player gains something within a component."""
    return graph.rewards is not None and any(gain[player] for _, _, gain in graph.gains_in(part))


def pushed(
    going: Mapping[T, int], below: int, after: Callable[[T], Iterable[tuple[T, Fraction]]]
) -> tuple[dict[T, int], int]:
    """Push one move further: whole shares over one denominator, which avoids common divisors on the way."""
    rows = {place: after(place) for place in going}
    factor = lcm(*(chance.denominator for row in rows.values() for _, chance in row))
    moved: dict[T, int] = {}
    for start, share in going.items():
        for place, chance in rows[start]:
            moved[place] = moved.get(place, 0) + share * (chance.numerator * (factor // chance.denominator))
    common = gcd(below * factor, *moved.values())
    return {place: share // common for place, share in moved.items()}, below * factor // common
