"""A solved graph as a source of values."""

from __future__ import annotations

from typing import Any

from endsight.explorer import distinct_states
from endsight.graph import Graph
from endsight.numbers import Amount, Number, simplest
from endsight.objective import View
from endsight.position import Position
from endsight.source import Answers, T, TableReader
from endsight.table import TIE_RULE, Table

__all__ = ["GraphSource"]


class GraphSource(Answers):
    """A solved graph, asked by position.

    `refusal` says why the compiled engine left something to the plain one, None if it did not.
    """

    holds_all = True

    def __init__(self, view: View, graph: Graph, table: Table) -> None:
        self.view = view
        self.graph = graph
        self.table = table
        self.method = table.method
        self.states = distinct_states(view, graph)
        self.edges = len(graph.successors)
        self.merges = view.canonical is not None
        self.has_chance = graph.has_chance
        self.has_loops = graph.is_cyclic

    @property
    def is_win_loss(self) -> bool:
        """Whether the game is only won, drawn or lost."""
        if self.view.question.utility == "win" and self.graph.players == 2:
            return not self.graph.has_chance
        return self.graph.has_distances

    @property
    def notion(self) -> str | None:
        """The tie rule that the values rest on, where they may depend on one."""
        return TIE_RULE if self.graph.rests_on_ties else None

    def covers(self, position: Position) -> bool:
        """Whether the position is a node of the graph."""
        return self.view.key(position) in self.graph.index

    def value(self, position: Position) -> tuple[Amount, ...]:
        """Whole-game value per player, exact or enclosed."""
        view = self.view
        value = self.table.values[self.graph.index[view.key(position)]]
        if view.relative and position.mover == 1:
            value = (value[1], value[0])
        if not any(position.so_far):
            return value
        return tuple(simplest(a + b) for a, b in zip(view.carried(position.so_far), value, strict=True))

    def forced(self, position: Position) -> Any:
        """The move that best play must take where others of the same value lead round for ever; None where none."""
        if not self.table.forced or not self.covers(position):
            return None
        edge = self.table.forced.get(self.graph.index[self.view.key(position)])
        if edge is None:
            return None
        graph, view = self.graph, self.view
        target = graph.keys[graph.successors[edge]]
        gain = None if graph.rewards is None else graph.rewards[edge]
        # Of an equivalent position the move may have another name; two that lead there may bring different gains.
        return next(
            move
            for move in position.moves()
            if view.key(position.play(move)) == target and self._gain(position, move) == gain
        )

    def _gain(self, position: Position, move: Any) -> tuple[Number, ...] | None:
        """What the graph has as that move's gain."""
        view = self.view
        if self.graph.rewards is None:
            return None
        return view.edge_gain(view.gain(position.state, move, position.mover))

    def distance(self, position: Position) -> int | None:
        """Plies to the end."""
        if self.table.distances is None:
            return None
        return self.table.distances[self.graph.index[self.view.key(position)]]

    def payoffs(self, position: Position, player: int) -> list[Number] | None:
        """Everything that is paid at the end; more than that where the graph does not tell players apart."""
        graph = self.graph
        if graph.rewards is not None:
            return None
        rows = [row for row in graph.payoffs if row is not None]
        if graph.is_cyclic:
            rows += {graph.endless_at(node) for node in range(len(graph))}
        so_far = self.view.carried(position.so_far)[player]
        return [simplest(entry + so_far) for row in rows for entry in (row if graph.alternating else (row[player],))]

    def read_by(self, reader: TableReader[T]) -> T:
        """Show the graph."""
        return reader.graph(self)
