"""One stationary equilibrium of a game with loops whose players are not opposed, found by best replies in turns.

Each player in turn changes to an exact best reply to the others' policies, from every position, until a whole round
changes nothing: then nobody gains by another policy anywhere, whatever it remembers (one player against fixed others
has a best policy that depends only on the position: Puterman 1994, chapter 7). Such equilibria need not exist, even if
players may randomise (Flesch, Thuijsman and Vrieze, "Cyclic Markov equilibria in stochastic games", 1997); replies
may go round; and there may be several with different values. So the result is one of them, or none.
"""

from __future__ import annotations

from endsight.algorithms.policy_evaluation import policy_evaluation
from endsight.algorithms.policy_iteration import policy_iteration
from endsight.game import CHANCE
from endsight.game.limits import Budget
from endsight.game.numbers import Amount
from endsight.graph.graph import Graph
from endsight.graph.plan import ONE_EQUILIBRIUM
from endsight.graph.table import Table, Value, unlike_first_best

MOST_NODES, MOST_ROUNDS = 20_000, 100


def stationary_equilibrium(graph: Graph, budget: Budget) -> Table | None:
    """Values and choices of an equilibrium; None where best replies go round, or the graph does not suit this method.

    It does not suit where it has too many nodes, or endless play has different payoffs. No loop may pay. Raises
    `LimitReached` when the budget is spent.
    """
    if len(graph) > MOST_NODES or graph.unending is not None:
        return None
    choices = [-1 if graph.is_end(n) or graph.movers[n] == CHANCE else graph.offsets[n] for n in range(len(graph))]
    values = policy_evaluation(graph, choices)
    since = 0
    players = sorted(graph.deciders)
    for turn in range(MOST_ROUNDS * len(players)):
        budget.glance(len(graph), "looking for an equilibrium")
        player = players[turn % len(players)]
        best, moves = _best_reply(graph, choices, player, budget)
        since += 1
        target = graph.interests[player][0]
        if any(value[target] != amount for value, amount in zip(values, best, strict=True)):
            choices = [moves.get(node, edge) for node, edge in enumerate(choices)]
            values, since = policy_evaluation(graph, choices), 0
        if since == len(players):
            return _table(graph, choices, values)
    return None


def _best_reply(graph: Graph, choices: list[int], player: int, budget: Budget) -> tuple[list[Amount], dict[int, int]]:
    """The worth of a best reply to the others' choices to a player everywhere, and its edges."""
    own = [node for node in range(len(graph)) if graph.movers[node] == player and not graph.is_end(node)]
    kept = list(choices)
    for node in own:
        kept[node] = -1
    fixed = graph.along(kept)
    target = graph.interests[player][0]
    table = policy_iteration(fixed.exchanged(target), "exact", budget)
    moves = {node: graph.offsets[node] + table.choices[node] - fixed.offsets[node] for node in own}
    return [row[0] for row in table.values], moves


def _table(graph: Graph, choices: list[int], values: list[Value]) -> Table:
    forced = unlike_first_best(graph, values, choices)
    return Table(values, None, choices, "best replies in turns", forced, notion=ONE_EQUILIBRIUM)
