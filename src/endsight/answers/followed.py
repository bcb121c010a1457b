"""The value of play where every player follows a given policy and players go by what they see.

A policy depends on what its player sees of a state, and what follows depends on the state alone, so play is a
Markov chain, possibly with loops.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from endsight.algorithms.histories import Eyes, Histories, History
from endsight.answers.behaviours import MixedPlay, by_policy
from endsight.game import Game
from endsight.game.limits import Budget
from endsight.game.position import Position
from endsight.game.question import PolicyRule, Utility
from endsight.game.unseen import require_told
from endsight.graph.explorer import explore_view
from endsight.graph.graph import Graph
from endsight.graph.objective import PlayedView, View


class FollowedView(MixedPlay, PlayedView):
    """A game in which every player follows a policy, by number in `fixed`."""

    def __init__(self, game: Game, utility: Utility, fixed: Mapping[int, PolicyRule], budget: Budget) -> None:
        super().__init__(game, utility, self.outcomes)
        self.fixed, self.budget, self.histories = fixed, budget, Histories(game)
        self.behaviours = [by_policy(game, fixed[player]) for player in range(self.players)]

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
        view = FollowedView(position.game, utility, self.fixed, self.budget)
        return view, explore_view(view, position, self.budget)
