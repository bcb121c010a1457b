"""Games with positions from which a total has no limit, as games in which the side that pays may give up there.

A player who gets to such a position may choose to pay a fixed amount instead and end the game. If that is more than
anyone can lose anywhere else, nobody who can avoid it goes there, so all other positions keep their values
(`docs/theory/endless-play.md`, "No way out").
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import count
from math import ceil
from typing import TypeVar

from endsight.game.numbers import Amount, Interval, Number, short_text
from endsight.graph.graph import Graph
from endsight.graph.judgement import Reason, judge, opposed_signs
from endsight.graph.objective import View
from endsight.graph.table import Swings, Table

T = TypeVar("T")
_NOTE = "play can be made to go on for ever there, and pays on the way"


def judge_first(graph: Graph, view: View) -> Reason | None:
    """Why the first node of `graph` has no value, as `judge` says; None where it has one.

    Nodes from which a total has no limit are no reason where play from the first node need not reach them.
    """
    graph = graph.one_amount
    reason = judge(graph, view)
    if reason is None or not reason.lost or not reason.hinges:
        return reason
    return judge(giving_up(graph, reason, next(fines(graph))), view)


def fines(graph: Graph) -> Iterator[int]:
    """Costs of giving up to try: more than play can lose without repeating a node, then more and more."""
    paid, gains = [*graph.paid, graph.endless], graph.gained
    most = 2 * ceil(_largest(paid) + len(graph) * _largest(gains)) + 2
    return (most ** (1 << times) for times in count())


def _largest(rows: Sequence[tuple[Number, ...]]) -> Number:
    return max(max(amount, -amount) for row in rows for amount in row)


def giving_up(graph: Graph, reason: Reason, fine: int) -> Graph:
    """The same game in which the payer may give up wherever play reaches a node of `reason.lost`.

    Nodes and edges of `graph` keep their numbers; edges to lost nodes lead to nodes behind them where the payer
    continues (the first edge) or gives up, and the end that this leads to is the last node. The graph must keep players
    apart by number, its players must be opposed, and some player who chooses must be on the payer's side.
    """
    signs, size, edges = opposed_signs(graph), len(graph), len(graph.successors)
    assert signs is not None, "interests that are not opposed are refused before"
    payer = next(player for player in sorted(graph.deciders) if signs[player] == reason.payer)
    doors = {node: size + number for number, node in enumerate(sorted(reason.lost))}
    end = size + len(doors)
    added = [ahead for node in doors for ahead in (node, end)]
    return replace(
        graph,
        keys=[*graph.keys, *(graph.keys[node] for node in doors), "given up"],
        offsets=[*graph.offsets, *range(edges + 2, edges + len(added) + 1, 2), edges + len(added)],
        successors=[*(doors.get(child, child) for child in graph.successors), *added],
        moves=[*graph.moves, *[None] * len(added)],
        movers=[*graph.movers, *[payer] * (len(doors) + 1)],
        weights=None if graph.weights is None else [*graph.weights, *[1] * len(added)],
        rewards=[*(graph.rewards or ()), *[None] * len(added)],
        payoffs=[*graph.payoffs, *[None] * len(doors), graph.row_of(-reason.payer * fine)],
        is_win_loss=False,
    )


def is_avoided(graph: Graph, reason: Reason, choices: Sequence[int]) -> bool:
    """Whether play by `choices` from nodes that are not lost never reaches lost ones."""
    ahead = (graph.successors[edge] for node, edge in enumerate(choices) if edge >= 0 and node not in reason.lost)
    return reason.lost.isdisjoint(ahead)


def without_limit(graph: Graph, reason: Reason, table: Table) -> Table:
    """The table of `graph` from that of `giving_up`, whose choices never reach a lost node."""
    size, lost = len(graph), sorted(reason.lost)
    amount = Interval.without_limit(-reason.payer)
    row: tuple[Amount, ...] = (amount, -amount)[: graph.players]
    distances = None if table.distances is None else _with(table.distances[:size], lost, None)
    return replace(
        table,
        values=_with(table.values[:size], lost, row),
        distances=distances,
        choices=_with(table.choices[:size], lost, -1),
        forced={node: edge for node, edge in table.forced.items() if node < size},
        swings=Swings(0, reason.message, reason.found, reason.advice, f"{short_text(amount.lower)}: {_NOTE}"),
        stand_ins={node: table.values[size + number] for number, node in enumerate(lost)},
    )


def _with(entries: Sequence[T], places: Sequence[int], entry: T) -> list[T]:
    """The entries, with that one at these places."""
    changed = list(entries)
    for place in places:
        changed[place] = entry
    return changed
