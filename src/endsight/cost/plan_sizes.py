"""How large the plans of two players are who see different things, counted by a walk of up to so many histories."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from endsight.algorithms.information_sets import few_information_sets
from endsight.game.limits import Budget
from endsight.game.question import Question
from endsight.graph.common_view import different_sights
from endsight.graph.graph import Graph
from endsight.graph.objective import View

__all__ = ["PlanSizes", "plan_sizes"]

_MOST_HISTORIES = 100_000


@dataclass(frozen=True)
class PlanSizes:
    """Histories, and the information sets and sequences of each player, by name; counted from the start of the game."""

    histories: int
    sets: Mapping[str, int]
    sequences: Mapping[str, int]


def plan_sizes(view: View, part: Graph, question: Question, budget: Budget) -> PlanSizes | None:
    """The sizes of a game of which `part` is explored; None for larger ones, and where all players see the same there.

    Raises `QuestionError`, `NoValue` and `RulesError` as `information_sets` does.
    """
    game = view.game
    if different_sights(view, part) is None:
        return None
    sets = few_information_sets(game, budget, question.utility, _MOST_HISTORIES)
    if sets is None:
        return None
    names = game.player_names
    return PlanSizes(
        sets.nodes,
        {name: len(side) for name, side in zip(names, sets.sides, strict=True)},
        {name: side.sequences for name, side in zip(names, sets.sides, strict=True)},
    )
