"""The table of values of a graph, by the algorithm that fits it, or partial answers where loops leave values open."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

from endsight.algorithms.backward_induction import backward_induction
from endsight.answers.source import Source
from endsight.base.deferred import deferred
from endsight.game.limits import Budget
from endsight.game.numbers import Amount, are_exact, as_interval, between, is_enclosed
from endsight.game.position import Position
from endsight.graph.explorer import expand
from endsight.graph.graph import Graph, with_exchanged
from endsight.graph.objective import View
from endsight.graph.plan import ON_GRAPHS, TIE_RULE, fitting
from endsight.graph.table import Kind, Swings, Table

with deferred(__name__):
    from endsight.algorithms.fewest_moves import fewest_moves
    from endsight.algorithms.matrix_iteration import matrix_iteration
    from endsight.algorithms.policy_iteration import policy_iteration
    from endsight.algorithms.retrograde import retrograde
    from endsight.algorithms.shortest_paths import shortest_paths
    from endsight.algorithms.stationary_equilibrium import stationary_equilibrium
    from endsight.graph.discounting import without_discount
    from endsight.graph.giving_up import fines, giving_up, is_avoided, judge_first, without_limit
    from endsight.graph.judgement import Reason, amount_player, judge, opposed_signs

Tell: TypeAlias = Callable[[Sequence[tuple[Amount, ...]]], None]
"""Receives the bounds proven on the way, for every node and player."""


def solved_graph(view: View, graph: Graph, budget: Budget, kind: Kind = "auto", tell: Tell = lambda _: None) -> Table:
    """The table of a graph that keeps players apart by number, or `NoValue`; `tell` receives bounds on the way."""
    if graph.discounts is not None:
        return _discounted(view, graph, budget, kind, tell)
    if not (graph.is_cyclic or graph.moves_at_once):
        return _valued(graph, budget, kind, tell)
    if (alone := graph.one_amount) is not graph:
        return _alike(solved_graph(view, alone, budget, kind), graph.players)
    reason = judge(graph, view)
    return _valued(graph, budget, kind, tell) if reason is None else _in_spite_of(reason, view, graph, budget, kind)


def _alike(table: Table, players: int) -> Table:
    """The table of players who are all paid the same as the single player of `table`."""
    stand_ins = {node: row * players for node, row in table.stand_ins.items()}
    return replace(table, values=[row * players for row in table.values], enclosed=None, stand_ins=stand_ins)


def _without_lost(reason: Reason, view: View, graph: Graph, budget: Budget, kind: Kind) -> Table:
    """The table where totals have no limit from some nodes on, but not from the first.

    No player enters such nodes willingly, so the others have the values of a game in which a player may give up
    there at a price above all other costs.
    """
    beside = judge_first(graph, view)
    if beside is not None:
        raise beside.error()
    exact: Kind = "auto" if kind == "interval" else kind
    tables = (_valued(giving_up(graph, reason, fine), budget, exact, lambda _: None) for fine in fines(graph))
    table = next(table for table in tables if is_avoided(graph, reason, table.choices[: len(graph)]))
    return without_limit(graph, reason, table)


def _discounted(view: View, graph: Graph, budget: Budget, kind: Kind, tell: Tell) -> Table:
    """The table of a graph that discounts, from the game that may stop after every move."""
    full = without_discount(graph)
    table, size = solved_graph(view, full, budget, kind, tell), len(graph)
    notion = table.notion or (TIE_RULE if full.rests_on_ties else None)
    return replace(table, values=table.values[:size], choices=table.choices[:size], notion=notion)


def _in_spite_of(reason: Reason, view: View, graph: Graph, budget: Budget, kind: Kind) -> Table:
    """A partial answer where players do not agree on a value of every node; else the reason as an error.

    Players whose interests are not opposed have one equilibrium of several, where one is found.
    """
    if reason.unopposed and (table := stationary_equilibrium(graph, budget)) is not None:
        return table
    if reason.unopposed or not reason.hinges:
        raise reason.error()
    if reason.lost:
        return _without_lost(reason, view, graph, budget, kind)
    return _whatever_swings(graph, budget, kind, reason)


def _whatever_swings(graph: Graph, budget: Budget, kind: Kind, reason: Reason) -> Table:
    """The table where the first node's value does not depend on loops on which totals go up and down; else an error.

    Endless play is valued first by the least total that it reaches again and again, then by the greatest. A player who
    wants more is safe with the choices for the least, one who wants less with those for the greatest. Where both give a
    node the same value, that is its value, and play by both stays among such nodes; other nodes keep both ends.
    Where nobody decides anything, no player's amount has priority, and one player's value is enough.
    """
    exact: Kind = "auto" if kind == "interval" else kind  # bounds of the two may differ even where values are the same
    least, most = (_table(replace(graph, swing=swing), budget, exact, lambda _: None) for swing in (-1, 1))
    is_open = [low != high for low, high in zip(least.values, most.values, strict=True)]
    if is_open[0] and graph.deciders:
        raise reason.error()
    signs = opposed_signs(graph)
    assert signs is not None, "other reasons come first"
    tables = [least if signs[mover] > 0 else most for mover in graph.movers]
    choices = [-1 if is_open[node] else table.choices[node] for node, table in enumerate(tables)]
    decided = (node for node in range(len(graph)) if not is_open[node])
    forced = {node: tables[node].forced[node] for node in decided if node in tables[node].forced}
    rows = _between(least, most)
    if not graph.has_one_amount:
        rows = _with_others(graph, choices, rows, budget, exact)
    if all(map(is_enclosed, rows[0])) or (kind == "exact" and not are_exact(rows[0])):
        raise reason.error()
    merged = replace(least, values=rows, choices=choices, forced=forced)
    if all(map(are_exact, rows)):
        return merged
    return replace(merged, swings=Swings(amount_player(graph), reason.message, reason.found, reason.advice))


def require_value(source: Source, position: Position, view: View, budget: Budget) -> None:
    """Raise `NoValue` where a covered position has two ends, and no value, for the player whose amount decides.

    At a position from which nobody decides anything, no player's amount has priority: one player's value is enough.
    """
    swings = source.swings
    if swings is None or not is_enclosed((ends := source.value(position))[swings.player]):
        return
    if all(map(is_enclosed, ends)) or _leads_to_decisions(view, position, budget):
        raise swings.error()


def _leads_to_decisions(view: View, position: Position, budget: Budget) -> bool:
    """Whether somebody has a choice there or later; positions are searched ply by ply until one is found."""
    nodes = [view.key(position)]
    seen = set(nodes)
    while nodes:
        part = expand(view, nodes, budget)
        if part.deciders:
            return True
        nodes = [key for key in part.keys[len(nodes) :] if key not in seen]
        seen.update(nodes)
    return False


def _between(least: Table, most: Table) -> list[tuple[Amount, ...]]:
    """The range between the values of two tables, for every node and player."""
    return [tuple(map(_spanned, *rows)) for rows in zip(least.values, most.values, strict=True)]


def _spanned(one: Amount, other: Amount) -> Amount:
    both = as_interval(one), as_interval(other)
    return between(min(ends.lower for ends in both), max(ends.upper for ends in both))


def _with_others(
    graph: Graph, choices: list[int], rows: list[tuple[Amount, ...]], budget: Budget, kind: Kind
) -> list[tuple[Amount, ...]]:
    """The rows of the player whose amount decides, with the other players' values when play follows the choices.

    Anything may happen where there is no choice. Each other player's amount ranges from the least to the greatest
    possible one.
    """
    followed, columns, decisive = graph.along(choices), list(zip(*rows, strict=True)), amount_player(graph)
    for player in {*range(graph.players)} - {decisive}:
        own = followed.exchanged(player)
        interests = (replace(own, interests=((0, swing),) * len(graph.interests), swing=swing) for swing in (-1, 1))
        least, most = (_table(goal, budget, kind, lambda _: None) for goal in interests)
        columns[player] = tuple(row[0] for row in _between(least, most))
    return list(zip(*columns, strict=True))


def _valued(graph: Graph, budget: Budget, kind: Kind, tell: Tell) -> Table:
    """The table of a graph whose nodes all have values, with the fewest moves of a single player on loops."""
    is_counted = graph.is_cyclic and graph.is_solitary and not graph.has_chance
    table = _table(graph, budget, kind, tell)
    return fewest_moves(graph, table, budget) if is_counted else table


def _table(graph: Graph, budget: Budget, kind: Kind, tell: Tell) -> Table:
    """The table by the algorithm that fits the graph; `tell` receives bounds found before exact values."""
    algorithm = _ALGORITHMS[next(fitting(ON_GRAPHS, graph)).path]
    player = amount_player(graph) if graph.is_cyclic else 0
    if not player:
        return algorithm(graph, budget, kind, tell)
    table = algorithm(graph.exchanged(player), budget, kind, tell)
    return replace(table, values=[with_exchanged(row, player) for row in table.values], enclosed=None)


def _backward_induction(graph: Graph, budget: Budget, kind: Kind, tell: Tell) -> Table:
    # Fractions of moves at once grow so long that bounds may be asked for even without loops.
    is_bounded = graph.moves_at_once and kind == "interval"
    return _matrix_iteration(graph, budget, kind, tell) if is_bounded else backward_induction(graph, budget)


def _matrix_iteration(graph: Graph, budget: Budget, kind: Kind, _: Tell) -> Table:
    table = matrix_iteration(graph, budget, keeps_exact=kind != "interval")
    if kind == "exact" and table.enclosed is not None:
        table.enclosed.exact([0], budget)
    return table


_ALGORITHMS: Mapping[str, Callable[..., Table]] = {
    "backward induction": _backward_induction,
    "matrix iteration": _matrix_iteration,
    "retrograde analysis": lambda graph, budget, *_: retrograde(graph, budget),
    "shortest paths": lambda graph, budget, *_: shortest_paths(graph, budget),
    "policy iteration": lambda graph, budget, kind, tell: policy_iteration(graph, kind, budget, tell),
}
