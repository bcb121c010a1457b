"""The distribution of one player's payoff when every decision is already taken.

Without loops, chances are pushed forwards from the root together with the totals
gathered on the way. With loops the chance of each payoff is an absorption probability of
the Markov chain (Kemeny and Snell, *Finite Markov Chains*, 1960, theorem 3.3.7); what is
gained beside the loops becomes part of the nodes. Where something is gained on them, chances of totals arrive one
by one, for ever.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import cache
from math import gcd, lcm
from typing import TypeAlias, TypeVar

from endsight.algorithms.linear_systems import solution_of, staying
from endsight.algorithms.policy_evaluation import policy_evaluation
from endsight.errors import QuestionError
from endsight.game.limits import Budget
from endsight.game.numbers import Number, simplest
from endsight.graph.graph import Graph


def outcome_distribution(graph: Graph, player: int, so_far: Number, budget: Budget) -> dict[Number, Fraction]:
    """Chance of every total (`so_far` plus what `player` still gets) from node 0, in increasing order.

    The graph must have one edge at every decision node and keep players apart by
    number, and nothing may be gained on its loops (`pays_again`). Endless play pays
    `graph.endless_at`. Raises `QuestionError` where the total of endless play goes up and down, `LimitReached` when
    the budget is spent.
    """
    if not graph.is_cyclic:
        return _push_forward(graph, player, so_far, budget)
    if graph.rewards is None:
        return _absorb(graph, player, so_far)
    return _absorb(_with_totals(graph, player, so_far, budget), 0, 0)


def _with_totals(graph: Graph, player: int, so_far: Number, budget: Budget) -> Graph:
    """The same play as one player's amount alone, with a node for every total with which play reaches a node."""

    def after(edge: int, total: Number) -> Number:
        return simplest(total + graph.gain_of(edge, player))

    unfolded, places = remembering(graph, so_far, after, budget)
    ends = [(graph.payoffs[node], total) for node, total in places]
    return replace(
        unfolded,
        payoffs=[None if payoff is None else (simplest(payoff[player] + total),) for payoff, total in ends],
        unending=[(simplest(graph.endless_at(node)[player] + total),) for node, total in places],
        players=1,
    )


def _push_forward(graph: Graph, player: int, so_far: Number, budget: Budget) -> dict[Number, Fraction]:
    masses: list[dict[Number, Fraction]] = [{} for _ in range(len(graph))]
    masses[0][so_far] = Fraction(1)
    ends: dict[Number, Fraction] = {}
    for node in reversed(graph.order or ()):
        budget.glance(len(graph), "adding chances up")
        mass, masses[node] = masses[node], {}
        payoff = graph.payoffs[node]
        if payoff is not None:
            _add(ends, mass, payoff[player], Fraction(1))
            continue
        for edge, chance in graph.chances(node):
            _add(masses[graph.successors[edge]], mass, graph.gain_of(edge, player), chance)
    return dict(sorted(ends.items()))


def _add(into: dict[Number, Fraction], mass: dict[Number, Fraction], gain: Number, chance: Fraction) -> None:
    for total, share in mass.items():
        reached = simplest(total + gain)
        into[reached] = into.get(reached, Fraction(0)) + (share if chance == 1 else share * chance)


def _absorb(graph: Graph, player: int, so_far: Number) -> dict[Number, Fraction]:
    """Chances of the ends, and of every loop that play never leaves: each has its own payoff."""
    endless = [graph.endless_at(node)[player] for node in range(len(graph))]
    for part in graph.components:
        if len({endless[node] for node in part}) > 1 and not graph.leaves(part):
            raise QuestionError(
                "this play never ends and its total keeps rising and falling, so there is no final total"
            )
    kinds = sorted({payoff[player] for payoff in graph.payoffs if payoff is not None} | set(endless))
    column = {kind: tuple(int(kind == other) for other in kinds) for kind in kinds}
    chain = replace(
        graph,
        players=len(kinds),
        payoffs=[None if payoff is None else column[payoff[player]] for payoff in graph.payoffs],
        unending=[column[amount] for amount in endless],
    )
    chances = policy_evaluation(chain, chain.offsets)[0]
    return {simplest(kind + so_far): Fraction(chance) for kind, chance in zip(kinds, chances, strict=True) if chance}


def visits(graph: Graph, budget: Budget) -> dict[int, Fraction] | None:
    """Expected number of visits to every node that play from node 0 reaches.

    The graph must have one edge at every decision node. None where play need not end.
    Visits solve the flow equations of the chain, component by component from the root
    on; a component with loops is one exact linear system.
    """
    counts = [Fraction(0)] * len(graph)
    counts[0] = Fraction(1)
    for part in reversed(graph.components):
        budget.glance(len(graph), "counting visits")
        if graph.is_loop(part) and not _circulate(graph, part, counts):
            return None
        inside = set(part)
        for node in part:
            if counts[node]:
                for child, chance in graph.outcomes(node):
                    if child not in inside:
                        counts[child] += counts[node] * chance
    return {node: count for node, count in enumerate(counts) if count}


def _circulate(graph: Graph, part: list[int], counts: list[Fraction]) -> bool:
    """Turn arrivals at a component into visits; False where play that enters never leaves."""
    if not any(counts[node] for node in part):
        return True
    if not graph.leaves(part):
        return False
    flow = list(zip(*staying({node: graph.outcomes(node) for node in part}), strict=True))
    for node, (count,) in zip(part, solution_of(flow, [[counts[node]] for node in part]), strict=True):
        counts[node] = Fraction(count)
    return True


# Play with a memory: nodes distinguished by what happened on the way to them.


M = TypeVar("M", bound=Hashable)


def remembering(
    graph: Graph, first: M, after: Callable[[int, M], M], budget: Budget
) -> tuple[Graph, list[tuple[int, M]]]:
    """The same play from node 0 on, with a node for each memory at a node, and what the nodes stand for.

    `first` is the memory at the start, and `after` gives the memory behind an edge. A node stands for one of
    `graph` and the memory there. Nothing is gained on the way; payoffs at the end stay. Raises `LimitReached`.
    """
    nodes: dict[tuple[int, M], int] = {(0, first): 0}
    reached = list(nodes)
    offsets, successors, edges = [0], list[int](), list[int]()
    for node, memory in reached:
        budget.glance(len(reached), "telling apart how play came there")
        for edge in graph.edges(node):
            child = graph.successors[edge], after(edge, memory)
            if child not in nodes:
                nodes[child] = len(reached)
                reached.append(child)
            successors.append(nodes[child])
            edges.append(edge)
        offsets.append(len(successors))
    play = replace(
        graph,
        keys=reached,
        index={},
        offsets=offsets,
        successors=successors,
        moves=[],
        movers=[graph.movers[node] for node, _ in reached],
        weights=graph.weights_of(edges),
        rewards=None,
        payoffs=[graph.payoffs[node] for node, _ in reached],
        unending=None,
    )
    return play, reached


# A total that play changes on loops. There is no last total, and the chances need not be rational numbers that a finite
# system gives. So chances are pushed forwards move by move, from every position with every total gained by then, until
# little is left of the play that is still under way. The rest is known exactly: each total has at least the chance that
# has arrived, and at most that much more (Kemeny and Snell, section 3.2: the rest falls geometrically).


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
