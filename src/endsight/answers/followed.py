"""The value of play where every player follows a given policy and players go by what they see.

A policy depends on what its player sees of a state, and what follows depends on the state alone, so play is a
Markov chain, possibly with loops.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from endsight.algorithms.histories import Behaviour, Eyes, Histories, History
from endsight.answers.behaviours import MixedPlay
from endsight.game import Game
from endsight.game.limits import Budget
from endsight.game.position import Position
from endsight.game.question import Utility
from endsight.game.unseen import require_told
from endsight.graph.explorer import explore_view
from endsight.graph.graph import Graph
from endsight.graph.objective import PlayedView, View


class FollowedView(MixedPlay, PlayedView):
    """A game in which every player follows a behaviour."""

    def __init__(self, game: Game, utility: Utility, behaviours: Sequence[Behaviour], budget: Budget) -> None:
        super().__init__(game, utility, self.outcomes)
        self.behaviours, self.budget, self.histories = behaviours, budget, Histories(game)

    def outcomes(self, position: Position) -> Mapping[Any, int]:
        """Whole weights of everything that may follow a position with a positive chance."""
        return self.histories.outcomes(self.seen_at(position), self.behaviours, self.budget)

    def seen_at(self, position: Position) -> History:
        """The position with what every player sees of it, without the past."""
        eyes = (Eyes(0, self.game.sees(position.state, player)) for player in range(self.players))
        return History(position, tuple(eyes))

    def key(self, position: Position) -> Any:
        """The node of a position; raises `QuestionError` where moves that led there are unknown."""
        if self.game.gives("sees"):
            require_told(self.game, position.history)
        return super().key(position)

    def chain(self, position: Position, utility: Utility) -> tuple[View, Graph]:
        """Play from a position on, as a graph in which chance alone decides."""
        view = FollowedView(position.game, utility, self.behaviours, self.budget)
        return view, explore_view(view, position, self.budget)
