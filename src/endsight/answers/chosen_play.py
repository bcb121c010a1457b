"""Play as a solution chooses it, as a graph."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from endsight.answers.comparing import draw_doubled, unranked
from endsight.answers.options import worst_option
from endsight.game.made_from_rules import position_in_truth, state_known
from endsight.game.numbers import are_exact
from endsight.game.position import Position
from endsight.game.question import BY_VALUE, PolicyRule, Utility
from endsight.graph.explorer import explore_view
from endsight.graph.graph import Graph
from endsight.graph.objective import PlayedView, View

if TYPE_CHECKING:
    from endsight.answers.solution import Solution


def chain(solution: Solution, position: Position, utility: Utility | None) -> tuple[View, Graph]:
    """The chosen play from `position` on as a graph: see `Solution.chain`."""
    position = position_in_truth(solution.game, position)
    game, question = solution.game, solution.question
    known = solution.source.chain(position, utility or question.utility)
    if known is not None:
        return known

    asked = View(game, question)

    def mix(place: Position) -> Mapping[Any, int]:
        known = Position(game, state_known(position.game, place.state), place.mover, place.so_far, ())
        if known.mover in asked.random_players or known.mover in asked.choosers:
            return dict.fromkeys(asked.legal(known.state, known.mover, ()), 1)
        return _mixture(solution, known) if solution.is_mixed(known) else {_chosen(solution, known): 1}

    view = PlayedView(position.game, utility or question.utility, mix)
    # Where best play depends on totals, they were found to end.
    return view, explore_view(view, position, solution.budget, is_finite=asked.tracks_totals)


def _chosen(solution: Solution, position: Position) -> Any:
    """`chosen`; raises `LimitReached` where values are only enclosed and their ends do not decide."""
    rule = solution.question.fixed.get(position.mover)
    if rule in (None, *BY_VALUE) and not solution.is_exact() and _is_open(solution, position, rule):
        raise solution.source.left_open("it has to be known which moves are best", advice="--exact")
    return solution.chosen(position)


def _mixture(solution: Solution, position: Position) -> Mapping[Any, int]:
    """`mixture`; raises `LimitReached` where values, and so the chances of best play, are only enclosed."""
    if not are_exact(solution.ends(position)):
        raise solution.source.left_open(
            "chances of moves at once follow from exact values",
            advice="endsight analyze, or endsight simulate for a sample",
        )
    return solution.mixture(position)


def _is_open(solution: Solution, position: Position, rule: PolicyRule | None) -> bool:
    """Whether proven bounds leave open which move is best, or the worst."""
    if rule == "worst":
        return worst_option(unranked(solution, position), position.mover, draw_doubled(solution)) is None
    return any(option.best is None for option in solution.options(position))
