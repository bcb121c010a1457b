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
from endsight.errors import QuestionError
from endsight.graph import Graph
from endsight.limits import Budget
from endsight.numbers import Number, simplest

__all__ = ["outcome_distribution", "visits"]


def outcome_distribution(
    graph: Graph, player: int, so_far: Number, budget: Budget | None = None
) -> dict[Number, Fraction]:
    """Chance of every total (`so_far` plus what `player` still gets) from node 0, in increasing order.

    The graph must have one edge at every decision node and stand in order of the
    players' numbers. Endless play pays `graph.endless`. Raises `QuestionError` where
    rewards lie on loops, `LimitReached` when the budget is spent.
    """
    if not graph.is_cyclic:
        return _push_forward(graph, player, so_far, budget or Budget())
    if graph.rewards is not None:
        raise QuestionError("this play can go round for ever and pays on the way, so its total has no finite list")
    return _absorb(graph, player, so_far)


def _push_forward(graph: Graph, player: int, so_far: Number, budget: Budget) -> dict[Number, Fraction]:
    masses: list[dict[Number, Fraction]] = [{} for _ in range(len(graph))]
    masses[0][so_far] = Fraction(1)
    ends: dict[Number, Fraction] = {}
    for (node,) in reversed(graph.components):
        budget.glance(len(graph), "adding chances up")
        mass, masses[node] = masses[node], {}
        payoff = graph.payoffs[node]
        if payoff is not None:
            _add(ends, mass, payoff[player], Fraction(1))
            continue
        for edge, chance in _chances(graph, node):
            gain = None if graph.rewards is None else graph.rewards[edge]
            _add(masses[graph.successors[edge]], mass, 0 if gain is None else gain[player], chance)
    return dict(sorted(ends.items()))


def _chances(graph: Graph, node: int) -> list[tuple[int, Fraction]]:
    edges = graph.edges(node)
    weights = [1 if graph.weights is None else graph.weights[edge] for edge in edges]
    total = sum(weights)
    return [(edge, Fraction(weight, total)) for edge, weight in zip(edges, weights, strict=True)]


def _add(into: dict[Number, Fraction], mass: dict[Number, Fraction], gain: Number, chance: Fraction) -> None:
    for total, share in mass.items():
        reached = simplest(total + gain)
        into[reached] = into.get(reached, Fraction(0)) + (share if chance == 1 else share * chance)


def _absorb(graph: Graph, player: int, so_far: Number) -> dict[Number, Fraction]:
    kinds = sorted({payoff[player] for payoff in graph.payoffs if payoff is not None})
    column = {kind: i for i, kind in enumerate(kinds)}
    chain = replace(
        graph,
        players=len(kinds),
        payoffs=[
            None if payoff is None else tuple(int(i == column[payoff[player]]) for i in range(len(kinds)))
            for payoff in graph.payoffs
        ],
    )
    choices = [-1 if graph.is_end(node) else graph.offsets[node] for node in range(len(graph))]
    chances = policy_evaluation(chain, choices)[0]
    outcomes = {kind: Fraction(chance) for kind, chance in zip(kinds, chances, strict=True) if chance}
    endless = 1 - sum(outcomes.values(), Fraction(0))
    if endless:
        unending = graph.endless[player]
        outcomes[unending] = outcomes.get(unending, Fraction(0)) + endless
    return {simplest(kind + so_far): chance for kind, chance in sorted(outcomes.items())}


def visits(graph: Graph, budget: Budget | None = None) -> dict[int, Fraction] | None:
    """Expected number of visits to every node that play from node 0 meets.

    The graph must have one edge at every decision node. None where play need not end.
    Visits solve the flow equations of the chain, component by component from the root
    on; a component with loops is one exact linear system.
    """
    budget = budget or Budget()
    counts = [Fraction(0)] * len(graph)
    counts[0] = Fraction(1)
    for part in reversed(graph.components):
        budget.glance(len(graph), "counting visits")
        if graph.is_loop(part) and not _circulate(graph, part, counts):
            return None
        inside = set(part)
        for node in part:
            if counts[node]:
                for edge, chance in _chances(graph, node):
                    if graph.successors[edge] not in inside:
                        counts[graph.successors[edge]] += counts[node] * chance
    return {node: count for node, count in enumerate(counts) if count}


def _circulate(graph: Graph, part: list[int], counts: list[Fraction]) -> bool:
    """Turn arrivals at a component into visits; False where play that enters never leaves."""
    import flint

    if not any(counts[node] for node in part):
        return True
    row = {node: i for i, node in enumerate(part)}
    if all(graph.successors[edge] in row for node in part for edge in graph.edges(node)):
        return False
    flow = [[flint.fmpq(int(i == j)) for j in range(len(part))] for i in range(len(part))]
    for node in part:
        for edge, chance in _chances(graph, node):
            if graph.successors[edge] in row:
                flow[row[graph.successors[edge]]][row[node]] -= flint.fmpq(chance.numerator, chance.denominator)
    arrivals = flint.fmpq_mat([[flint.fmpq(counts[node].numerator, counts[node].denominator)] for node in part])
    solved = flint.fmpq_mat(flow).solve(arrivals)
    for node, i in row.items():
        counts[node] = Fraction(int(solved[i, 0].p), int(solved[i, 0].q))
    return True
