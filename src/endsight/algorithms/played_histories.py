"""Play from a history on in which every player follows a given behaviour: a graph in which chance alone decides."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from endsight.algorithms.histories import Behaviour, Histories, History
from endsight.base.collector import collector_paused
from endsight.game import CHANCE
from endsight.game.limits import Budget
from endsight.game.numbers import Number
from endsight.game.question import Question, Utility
from endsight.graph.explorer import Explorer
from endsight.graph.graph import Graph
from endsight.graph.objective import TrackedNode, View


class HistoryView(View):
    """A view whose nodes hold, in place of the state, the key of a history (see `History.key`)."""

    is_win_loss = False

    def __init__(self, histories: Histories, utility: Utility) -> None:
        super().__init__(histories.game, Question("competitive", utility), symmetry=False, tracks_mover=True)

    def node(self, history: History) -> TrackedNode:
        """The node of a history."""
        position = history.position
        return TrackedNode(history.key, position.mover, self.counted(position.so_far) if self.tracks_totals else ())

    def split(self, key: Any) -> tuple[Any, int, tuple[Number, ...]]:
        """State, mover and totals of a node."""
        (state, mover, _), _, totals = key
        return state, mover, totals


@collector_paused()
def play_from(
    histories: Histories, start: History, behaviours: Sequence[Behaviour], utility: Utility, budget: Budget
) -> tuple[HistoryView, Graph]:
    """The graph of all histories that play may lead to from `start`, without those that have no chance.

    Histories that nobody can ever distinguish, and whose gains are the same as far as they count, are one node.
    """
    view = HistoryView(histories, utility)
    growing = _Growing(view, histories, behaviours, budget)
    growing.number(start)
    for history in growing.queue:
        growing.expand(history)
    return view, growing.found()


class _Growing(Explorer):
    """The graph while it grows, history by history."""

    def __init__(
        self, view: HistoryView, histories: Histories, behaviours: Sequence[Behaviour], budget: Budget
    ) -> None:
        super().__init__(view, budget)
        self.node, self.histories, self.behaviours = view.node, histories, behaviours
        self.queue: list[History] = []

    def number(self, history: History) -> int:
        """The number of a history's node, a new one if needed."""
        key = self.node(history)
        number = self.index.setdefault(key, len(self.keys))
        if number == len(self.keys):
            self.keys.append(key)
            self.queue.append(history)
            self.budget.spend(number + 1, "following both plans")
        return number

    def expand(self, history: History) -> None:
        """Add all that may follow a history."""
        view, place = self.view, history.position
        totals = self.node(history).totals
        follows = self.histories.outcomes(history, self.behaviours, self.budget)
        self.movers.append(CHANCE if follows else place.mover)
        self.payoffs.append(None if follows else view.final(place.state, place.mover, totals))
        for move, weight in follows.items():
            gain = view.gain(place.state, move, place.mover) if view.has_rewards else None
            self.successors.append(self.number(self.histories.after(history, move)))
            self.moves.append(move)
            self.weights.append(weight)
            self.rewards.append(view.edge_gain(gain))
        self.offsets.append(len(self.successors))
