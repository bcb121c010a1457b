"""How many moves play lasts when every decision is already taken, exactly.

Play is a Markov chain. Chance between two moves is eliminated first: every position gets
as successors the positions of the next move, with exact chances; where chance alone can go
round, these solve a linear system (Kemeny and Snell, *Finite Markov Chains*, 1960,
theorem 3.3.7). Then the chances of where play stands are pushed forward move by move.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction

from endsight.algorithms.linear_systems import solution_of, staying
from endsight.algorithms.outcome_distribution import pushed
from endsight.algorithms.policy_evaluation import policy_evaluation
from endsight.game.limits import Budget
from endsight.game.numbers import Number
from endsight.graph.components import components_of
from endsight.graph.graph import Graph

Spread = dict[int, Fraction]
"""Chances of nodes; the remainder to 1 is play that goes round for ever."""


def length_of_play(
    graph: Graph, is_ply: Callable[[int], bool], rest: Fraction, most: int, budget: Budget
) -> tuple[dict[int, Fraction], Fraction, Fraction]:
    """Chances of 0, 1, 2, ... plies from node 0, then of more than these, and of endless play.

    The graph must have one edge at every decision; `is_ply` says at which nodes a
    player moves. The list continues until at most `rest` is left of the play that ends, or
    `most` plies. Raises `LimitReached` when the budget is spent.
    """
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
    first = {0: Fraction(1)} if is_ply(0) else after(0)
    going, below = pushed({0: 1}, 1, lambda _: first.items())
    while True:
        ended = [node for node in going if graph.is_end(node)]
        yield Fraction(sum(map(going.pop, ended)), below)
        budget.glance(len(graph), "counting moves")
        for node in going:
            if node not in rows:
                rows[node] = _mixed((chance, after(child)) for child, chance in graph.outcomes(node))
        going, below = pushed(going, below, lambda node: rows[node].items())


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
        for part in components_of({node: graph.children(node) for node in chance}):
            budget.glance(len(graph), "counting moves")
            outcomes = graph.outcomes(part[0])
            if len(part) == 1 and part[0] not in (child for child, _ in outcomes):
                self.spreads[part[0]] = _mixed((weight, self.after(child)) for child, weight in outcomes)
            else:
                self._leave(part)

    def after(self, node: int) -> Spread:
        """Chances of the first nodes from `node` on, itself included, that are not chance nodes."""
        return self.spreads.get(node, {node: Fraction(1)})

    def _leave(self, part: list[int]) -> None:
        """Solve chance that goes round: (1 - inside) x = what leaves, one column for every place to arrive at."""
        rows = {node: self.graph.outcomes(node) for node in part}
        leaving = [
            _mixed((chance, self.after(child)) for child, chance in rows[node] if child not in rows) for node in part
        ]
        places = sorted({place for spread in leaving for place in spread})
        if not places:
            self.spreads |= {node: {} for node in part}
            return
        right = [[spread.get(place, Fraction(0)) for place in places] for spread in leaving]
        for node, shares in zip(part, solution_of(staying(rows), right), strict=True):
            self.spreads[node] = {place: Fraction(share) for place, share in zip(places, shares, strict=True) if share}
