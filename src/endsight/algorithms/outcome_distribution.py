"""The distribution of one player's payoff when every decision is already taken.

Without loops, chances are pushed forwards from the root together with the totals
gathered on the way. With loops (and no rewards on them) the chance of each payoff is an
absorption probability of the Markov chain (Kemeny and Snell, *Finite Markov Chains*,
1960, theorem 3.3.7).
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from endsight.algorithms.policy_evaluation import policy_evaluation
from endsight.distribution import Distribution
from endsight.errors import QuestionError
from endsight.game import CHANCE
from endsight.graph import Graph
from endsight.numbers import Number, simplest

__all__ = ["outcome_distribution"]


def outcome_distribution(graph: Graph, player: int, name: str, so_far: Number) -> Distribution:
    """Distribution of `so_far` plus what `player` still gets, from node 0.

    The graph must have one edge at every decision node and stand in order of the
    players' numbers. Endless play pays `graph.endless` and makes the mean number of
    plies None. Raises `QuestionError` where rewards lie on loops.
    """
    if not graph.is_cyclic:
        outcomes, plies = _push_forward(graph, player, so_far)
        return Distribution(name, outcomes, plies)
    if graph.rewards is not None:
        raise QuestionError("this play can go round for ever and pays on the way, so its total has no finite list")
    return _absorb(graph, player, name, so_far)


def _push_forward(graph: Graph, player: int, so_far: Number) -> tuple[dict[Number, Fraction], Number]:
    masses: list[dict[Number, Fraction]] = [{} for _ in range(len(graph))]
    masses[0][so_far] = Fraction(1)
    ends: dict[Number, Fraction] = {}
    plies = Fraction(0)
    for (node,) in reversed(graph.components):
        mass, masses[node] = masses[node], {}
        payoff = graph.payoffs[node]
        if payoff is not None:
            _add(ends, mass, payoff[player], Fraction(1))
            continue
        if graph.movers[node] != CHANCE:
            plies += sum(mass.values(), Fraction(0))
        for edge, chance in _chances(graph, node):
            gain = None if graph.rewards is None else graph.rewards[edge]
            _add(masses[graph.successors[edge]], mass, 0 if gain is None else gain[player], chance)
    return dict(sorted(ends.items())), simplest(plies)


def _chances(graph: Graph, node: int) -> list[tuple[int, Fraction]]:
    edges = graph.edges(node)
    weights = [1 if graph.weights is None else graph.weights[edge] for edge in edges]
    total = sum(weights)
    return [(edge, Fraction(weight, total)) for edge, weight in zip(edges, weights, strict=True)]


def _add(into: dict[Number, Fraction], mass: dict[Number, Fraction], gain: Number, chance: Fraction) -> None:
    for total, share in mass.items():
        reached = simplest(total + gain)
        into[reached] = into.get(reached, Fraction(0)) + (share if chance == 1 else share * chance)


def _absorb(graph: Graph, player: int, name: str, so_far: Number) -> Distribution:
    kinds = sorted({payoff[player] for payoff in graph.payoffs if payoff is not None})
    column = {kind: i for i, kind in enumerate(kinds)}
    width = len(kinds) + 1
    one_ply = (0,) * len(kinds) + (1,)
    chain = replace(
        graph,
        players=width,
        payoffs=[
            None if payoff is None else tuple(int(i == column[payoff[player]]) for i in range(width))
            for payoff in graph.payoffs
        ],
        rewards=[
            None if graph.movers[node] == CHANCE else one_ply for node in range(len(graph)) for _ in graph.edges(node)
        ],
    )
    choices = [-1 if graph.is_end(node) else graph.offsets[node] for node in range(len(graph))]
    *chances, plies = policy_evaluation(chain, choices)[0]
    outcomes = {kind: Fraction(chance) for kind, chance in zip(kinds, chances, strict=True) if chance}
    endless = 1 - sum(outcomes.values(), Fraction(0))
    if endless:
        unending = graph.endless[player]
        outcomes[unending] = outcomes.get(unending, Fraction(0)) + endless
    shifted = {simplest(kind + so_far): chance for kind, chance in sorted(outcomes.items())}
    return Distribution(name, shifted, None if endless else plies)
