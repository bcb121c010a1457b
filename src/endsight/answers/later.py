"""Which facts hold at a later position: those of play from there, as if it had been asked about alone.

Category, distance, rank and notion describe what can still happen. A game with chance or scores may come to a position
from which play is only won, drawn or lost, and then the answer there says so, whoever is asked. Facts can only be
lost on the way from a part of a game to the whole, so a look ahead ends as soon as it has met what the whole lacks.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from endsight.answers.graph_values import solved_graph
from endsight.answers.source import Solved
from endsight.game.numbers import as_interval
from endsight.game.position import Position
from endsight.graph.explorer import explore_view, look_ahead
from endsight.graph.graph import Graph
from endsight.graph.graph_table import GraphTable, facts_of
from endsight.graph.objective import View

if TYPE_CHECKING:
    from endsight.answers.solution import Solution

MOST_LOOKED_AT = 100_000
"""Positions of a part of a game that are explored at most to find out what holds there."""


class SolvedParts:
    """The parts of a solved game in which other facts hold, as far as somebody has asked about them."""

    def __init__(self, whole: Solution) -> None:
        self.whole = whole
        self.view = self._view()
        start = self.view.key(whole.begin or whole.position)
        self.known: dict[Any, Solution | None] = {start: None}
        """By node: the solution of a part that holds it; None where the facts of the whole game hold."""
        self.wide = {start}
        """Nodes from which play can come to the whole game, or to too many nodes: so it can from all nodes before."""

    def _view(self, tracks_mover: bool | None = None) -> View:
        merges = self.whole.source.merges
        return View(self.whole.game, self.whole.question, symmetry=merges, tracks_mover=tracks_mover)

    def at(self, position: Position) -> Solution:
        """The solution whose facts hold at the position: see `Solution.at`."""
        if not self.whole.source.covers(position):
            return self.whole.afresh(position).at(position)
        if self.whole.source.play_facts.are_full:
            return self.whole
        node = self.view.key(position)
        if node not in self.known:
            self._learn(position, node)
        part = self.known[node]
        return self.whole if part is None or not self._agrees(part, position) else part.at(position)

    def _learn(self, position: Position, node: Any) -> None:
        """Find out what holds there, and at all positions after it if that is more than holds in the whole game."""
        self.known[node] = None
        view = self._view()  # views remember which payoffs they have seen
        graph = self._differing(view, position, node)
        if graph is not None:
            part = self._solved(view, graph, position)
            if part.source.play_facts != self.whole.source.play_facts:
                self.known |= dict.fromkeys(graph.keys, part)

    def _solved(self, view: View, graph: Graph, position: Position) -> Solution:
        budget = self.whole.budget
        if graph.is_cyclic and graph.alternating:
            view = self._view(tracks_mover=True)
            graph = explore_view(view, position, budget, is_finite=True)
        source = Solved(GraphTable(view, graph, solved_graph(view, graph, budget)))
        return replace(self.whole, position=position, source=source, begin=None, _others={})

    def _differing(self, view: View, position: Position, node: Any) -> Graph | None:
        """All positions from there on; None as soon as only facts of the whole game hold, or there are too many."""
        facts = self.whole.source.play_facts
        for graph, is_complete in look_ahead(view, position, self.whole.budget, MOST_LOOKED_AT):
            if not self.wide.isdisjoint(graph.keys):
                break
            is_final = self._is_final or graph.has_chance or graph.is_cyclic
            if is_final and facts_of(view, graph) == facts:
                return None
            if is_complete:
                return graph
        self.wide.add(node)
        return None

    @cached_property
    def _is_final(self) -> bool:
        """Whether more play can only take facts away.

        Only a single player's moves are counted just where there are loops.
        """
        can_draw = self.view.has_to_move or self.view.random_players
        return self.view.players > 1 or not (self.whole.source.has_distances or can_draw)

    def _agrees(self, part: Solution, position: Position) -> bool:
        """Whether values are the same, which those of one equilibrium of several need not be."""
        if self.whole.source.notion is None:
            return True
        known, found = (map(as_interval, each.source.value(position)) for each in (self.whole, part))
        return all(own.lower <= new.lower and new.upper <= own.upper for own, new in zip(known, found, strict=True))
