"""A solved graph as a table of states."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from endsight.answers.source import Facts, Row, StateTable, T, TableReader
from endsight.game.limits import Budget
from endsight.game.numbers import Amount, Number
from endsight.game.position import Position
from endsight.graph.graph import Graph
from endsight.graph.objective import View
from endsight.graph.plan import TIE_RULE
from endsight.graph.table import Swings, Table

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

    def __init__(self, view: View, graph: Graph, table: Table) -> None:
        self.view, self.graph, self.rows = view, graph, table
        self.method = table.method
        self.states = graph.state_count if view.tracks else len(graph)
        self.edges = len(graph.successors)
        self.rules = graph.rules
        self.has_chance, self.has_loops = graph.has_chance, graph.is_cyclic
        self.by_mover = view.relative
        facts = facts_of(view, graph)
        self.is_win_loss, self.has_distances = facts.is_win_loss, table.distances is not None
        self.notion = table.notion or facts.notion

    @property
    def moves_at_once(self) -> bool:  # type: ignore[override]
        """Whether players move at once somewhere."""
        return self.graph.moves_at_once

    @property
    def is_enclosed(self) -> bool:  # type: ignore[override]
        """Whether values are known between bounds."""
        return self.rows.enclosed is not None or self.rows.swings is not None

    @property
    def swings(self) -> Swings | None:  # type: ignore[override]
        """Why some nodes or players have two ends and no value; None where all have one."""
        return self.rows.swings

    def drawn(self, random: Random, count: int) -> list[Any]:
        """Some of the nodes."""
        return random.sample(self.graph.keys, min(count, len(self.graph)))

    @property
    def scale(self) -> int:  # type: ignore[override]
        """The denominator of bounds; 1 where values are exact."""
        return 1 if self.rows.enclosed is None else self.rows.enclosed.scale

    @property
    def is_exact(self) -> bool:  # type: ignore[override]
        """Whether the value of the first node is known though others are enclosed."""
        return self.rows.enclosed is not None and bool(self.rows.enclosed.known)

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
        graph, view = self.graph, self.view
        target = graph.keys[graph.successors[edge]]
        # For an equivalent position the move may have another name; two that lead there may have different gains.
        return next(
            move
            for move in position.moves()
            if view.key(position.play(move)) == target and self._gain(position, move) == graph.gain(edge)
        )

    def _gain(self, position: Position, move: Any) -> tuple[Number, ...] | None:
        """The graph's gain for that move."""
        view = self.view
        if self.graph.rewards is None:
            return None
        return view.edge_gain(view.gain(position.state, move, position.mover))

    def forced(self, node: int) -> int | None:
        """The edge that play must take where another move of the same value may lead round for ever."""
        edge = self.rows.forced.get(node)
        return None if edge is None or edge < 0 else self.graph.successors[edge]

    @property
    def is_limited(self) -> bool:  # type: ignore[override]
        """Whether the amounts of all nodes have a limit."""
        return not self.rows.stand_ins

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

    def read_by(self, reader: TableReader[T]) -> T:
        """Pass the graph to the reader."""
        return reader.graph(self)
