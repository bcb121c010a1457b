"""A solved graph as a table of states."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from endsight.answers.source import Facts, Row, StateTable
from endsight.game.limits import Budget
from endsight.game.numbers import Amount, Number
from endsight.game.position import Position
from endsight.graph.graph import Graph
from endsight.graph.objective import View
from endsight.graph.plan import TIE_RULE
from endsight.graph.table import Table

if TYPE_CHECKING:
    from random import Random


def facts_of(view: View, graph: Graph) -> Facts:
    """What play from the first node on is like, as far as it has been explored."""
    is_decided = graph.is_win_loss or (view.question.utility == "win" and graph.players == 2 and not view.is_paid)
    is_counted = graph.is_cyclic and graph.is_solitary and not graph.has_chance
    ties = TIE_RULE if graph.rests_on_ties else None
    return Facts(is_decided and not graph.has_chance, graph.has_distances or is_counted, ties)


class GraphTable(StateTable[int]):
    """A graph with a row for every node, in the view of the graph (see `Graph.alternating`)."""

    form = "graph"

    def __init__(self, view: View, graph: Graph, table: Table) -> None:
        self.view, self.graph, self.rules, self.rows = view, graph, graph.rules, table
        self.method, self.edges, self.swings = table.method, len(graph.successors), table.swings
        self.states = graph.state_count if view.tracks else len(graph)
        self.has_chance, self.moves_at_once = graph.has_chance, graph.moves_at_once
        facts = facts_of(view, graph)
        self.is_win_loss, self.has_distances = facts.is_win_loss, table.distances is not None
        self.notion = table.notion or facts.notion
        self.has_loops, self.by_mover, self.is_limited = graph.is_cyclic, view.relative, not table.stand_ins
        self.is_enclosed = table.enclosed is not None or table.swings is not None
        self.scale = 1 if table.enclosed is None else table.enclosed.scale
        self.is_exact = table.enclosed is not None and bool(table.enclosed.known)

    def drawn(self, random: Random, count: int) -> Iterator[Any]:
        """Some of the nodes, each made when it is wanted: arrays hold numbers of states."""
        return map(self.graph.keys.__getitem__, random.sample(range(len(self.graph)), min(count, len(self.graph))))

    def node(self, position: Position) -> int | None:
        """The number of the position's node in the graph."""
        return self.graph.index.get(self.view.key(position))

    def row(self, node: int) -> Row:
        """Values and distance."""
        return self.rows.values[node], None if self.rows.distances is None else self.rows.distances[node]

    def chosen(self, position: Position, node: int) -> Any:
        """The move that best play must take where others of the same value lead round for ever; None if none does."""
        edge = self.rows.forced.get(node)
        if edge is None:
            return None
        step = self.graph.keys[self.graph.successors[edge]], self.graph.gain(edge)
        # For an equivalent position the move may have another name.
        return next(move for move in position.moves() if self.view.step(position, move) == step)

    def forced(self, node: int) -> int | None:
        """The edge that play must take where another move of the same value may lead round for ever."""
        edge = self.rows.forced.get(node)
        return None if edge is None or edge < 0 else self.graph.successors[edge]

    def stand_in(self, node: int) -> tuple[Amount, ...] | None:
        """Numbers from which bounds of other nodes follow, where an amount has no limit."""
        return self.rows.stand_ins.get(node)

    def bounds(self, node: int) -> tuple[Number, Number]:
        """Proven bounds of the first player's value, times `scale`."""
        return super().bounds(node) if self.rows.enclosed is None else self.rows.enclosed.bounds(node)

    def exact(self, nodes: Sequence[int], budget: Budget) -> Mapping[int, Number]:
        """The first player's exact values."""
        assert self.rows.enclosed is not None
        return self.rows.enclosed.exact(nodes, budget)

    def payoffs(self, player: int) -> list[Number] | None:
        """All payoffs at the end; more than that where the graph does not keep players apart."""
        graph = self.graph
        if graph.rewards is not None or self.view.is_paid:
            return None  # or they are means of payoffs
        rows = list(graph.paid)
        if graph.is_cyclic:
            rows += {graph.endless_at(node) for node in range(len(graph))}
        return [entry for row in rows for entry in (row if graph.alternating else (row[player],))]
