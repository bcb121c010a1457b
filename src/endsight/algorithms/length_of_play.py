"""How many moves play lasts when every decision is already taken, exactly.

Play is a Markov chain. Chance between two moves is eliminated first: every position gets
as successors the positions of the next move, with exact chances; where chance alone can go
round, these solve a linear system (Kemeny and Snell, *Finite Markov Chains*, 1960,
theorem 3.3.7). Then the chances of where play stands are pushed forward move by move.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from math import lcm

from endsight.algorithms.linear_systems import solution_of
from endsight.algorithms.policy_evaluation import policy_evaluation
from endsight.game.limits import Budget
from endsight.game.numbers import Number
from endsight.graph.graph import Graph, components_among

Spread = dict[int, Fraction]
"""Chances of nodes; the remainder to 1 is play that goes round for ever."""


def length_of_play(
    graph: Graph, is_ply: Callable[[int], bool], rest: Fraction, most: int, budget: Budget | None = None
) -> tuple[dict[int, Fraction], Fraction, Fraction]:
    """Chances of 0, 1, 2, ... plies from node 0, then of more than these, and of endless play.

    The graph must have one edge at every decision; `is_ply` says at which nodes a
    player moves. The list continues until at most `rest` is left of the play that ends, or
    `most` plies. Raises `LimitReached` when the budget is spent.
    """
    budget = budget or Budget()
    endless = 1 - _chance_of_ending(graph) if graph.is_cyclic else Fraction(0)
    lengths: dict[int, Fraction] = {}
    longer = 1 - endless
    for plies, ended in enumerate(_endings(graph, is_ply, budget)):
        if ended:
            lengths[plies] = ended
            longer -= ended
        if longer <= (rest if graph.is_cyclic else 0) or plies >= most:
            break
    return lengths, longer, endless


def _chance_of_ending(graph: Graph) -> Fraction:
    payoffs: list[tuple[Number, ...] | None] = [None if payoff is None else (1,) for payoff in graph.payoffs]
    chain = replace(graph, players=1, rewards=None, payoffs=payoffs, endless=(0,), unending=None)
    return Fraction(policy_evaluation(chain, chain.offsets)[0][0])


def _endings(graph: Graph, is_ply: Callable[[int], bool], budget: Budget) -> Iterator[Fraction]:
    """The chance that play ends after 0, 1, 2, ... plies, without end."""
    after = _Chance(graph, is_ply, budget).after
    rows: dict[int, Spread] = {}
    here, ended = _split(graph, after(0) if not is_ply(0) else {0: Fraction(1)})
    yield ended
    while True:
        budget.glance(len(graph), "counting moves")
        for node in here:
            if node not in rows:
                rows[node] = _mixed((chance, after(child)) for child, chance in _outcomes(graph, node))
        here, ended = _split(graph, _moved(here, rows))
        yield ended


def _moved(here: Spread, rows: Mapping[int, Spread]) -> Spread:
    """Push one ply further, over one denominator, which avoids common divisors on the way."""
    below = lcm(*(chance.denominator for chance in here.values()))
    factor = lcm(*(chance.denominator for node in here for chance in rows[node].values()))
    shares: dict[int, int] = {}
    for node, chance in here.items():
        own = chance.numerator * (below // chance.denominator)
        for child, part in rows[node].items():
            shares[child] = shares.get(child, 0) + own * (part.numerator * (factor // part.denominator))
    return {node: Fraction(share, below * factor) for node, share in shares.items()}


def _split(graph: Graph, spread: Spread) -> tuple[Spread, Fraction]:
    """The nodes where play continues, and the chance that it has ended."""
    going = {node: chance for node, chance in spread.items() if not graph.is_end(node)}
    return going, sum((chance for node, chance in spread.items() if node not in going), Fraction(0))


def _outcomes(graph: Graph, node: int) -> list[tuple[int, Fraction]]:
    return [(graph.successors[edge], chance) for edge, chance in graph.chances(node)]


def _mixed(parts: Iterator[tuple[Fraction, Spread]]) -> Spread:
    mixed: Spread = {}
    for chance, spread in parts:
        for node, share in spread.items():
            mixed[node] = mixed.get(node, Fraction(0)) + chance * share
    return mixed


class _Chance:
    """The result of the chance between two moves: for every node, the next nodes of a player or of the end."""

    def __init__(self, graph: Graph, is_ply: Callable[[int], bool], budget: Budget) -> None:
        self.graph = graph
        self.spreads: dict[int, Spread] = {}
        chance = [node for node in range(len(graph)) if not graph.is_end(node) and not is_ply(node)]
        for part in components_among(graph.offsets, graph.successors, chance):
            budget.glance(len(graph), "counting moves")
            if len(part) == 1 and part[0] not in (child for child, _ in _outcomes(graph, part[0])):
                outcomes = _outcomes(graph, part[0])
                self.spreads[part[0]] = _mixed((weight, self.after(child)) for child, weight in outcomes)
            else:
                self._leave(part)

    def after(self, node: int) -> Spread:
        """Chances of the first nodes from `node` on, itself included, that are not chance nodes."""
        return self.spreads.get(node, {node: Fraction(1)})

    def _leave(self, part: list[int]) -> None:
        """Solve chance that goes round: (1 - inside) x = what leaves, one column for every place to arrive at."""
        row = {node: i for i, node in enumerate(part)}
        leaving = [
            _mixed((chance, self.after(child)) for child, chance in _outcomes(self.graph, node) if child not in row)
            for node in part
        ]
        places = sorted({place for spread in leaving for place in spread})
        if not places:
            self.spreads |= {node: {} for node in part}
            return
        inside: list[list[Number]] = [[int(i == j) for j in range(len(part))] for i in range(len(part))]
        for node, i in row.items():
            for child, chance in _outcomes(self.graph, node):
                if child in row:
                    inside[i][row[child]] -= chance
        right = [[spread.get(place, Fraction(0)) for place in places] for spread in leaving]
        for node, shares in zip(part, solution_of(inside, right), strict=True):
            self.spreads[node] = {place: Fraction(share) for place, share in zip(places, shares, strict=True) if share}
