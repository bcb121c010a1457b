"""Play as a solution chooses it: as a graph, and its distributions of payoffs and lengths."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from endsight.algorithms.length_of_play import length_of_play
from endsight.algorithms.outcome_distribution import outcome_distribution, pays_again, total_distribution, visits
from endsight.answers.distribution import Distribution, LengthDistribution
from endsight.answers.options import doubled_draw, unranked, worst_option
from endsight.errors import QuestionError
from endsight.game.numbers import Number, are_exact, simplest
from endsight.game.position import Position, as_text, position_in_truth, state_known
from endsight.game.question import BY_VALUE, PolicyRule, Utility
from endsight.game.results import endless_share
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
        known = known_at(solution, place)
        if known.mover in asked.random_players or known.mover in asked.choosers:
            return dict.fromkeys(asked.legal(known.state, known.mover, ()), 1)
        return _mixture(solution, known) if solution.is_mixed(known) else {_chosen(solution, known): 1}

    view = PlayedView(position.game, utility or question.utility, mix)
    # Where best play depends on totals, they were found to end.
    graph = explore_view(view, position, solution.budget, is_finite=asked.tracks_totals)
    for part in graph.end_components if graph.is_cyclic and solution.source.searcher is not None else ():
        require_worth_of_endless(solution, known_at(solution, view.position(graph.keys[part[0]])))
    return view, graph


_FRACTIONS = "--exact, and no --interval: values are then found as fractions"


def known_at(solution: Solution, place: Position) -> Position:
    """What the players know at a position of the play: see `state_known`."""
    return replace(place, game=solution.game, state=state_known(place.game, place.state), history=())


def require_worth_of_endless(solution: Solution, position: Position) -> None:
    """Raise `QuestionError` where chosen moves go round for ever from a position that a search proved to be worth else.

    A search knows neither distances nor loops, so the first of several best moves may lead back again and again.
    """
    if solution.source.searcher is None:
        return
    view = View(solution.game, solution.question)
    paid = zip(position.so_far, endless_share(solution.game), strict=True)
    if solution.values(position) != view.utility(tuple(own + rest for own, rest in paid)):
        raise QuestionError(
            "play can come back to a position here, and a search does not say which of several best moves leads on",
            found=as_text(position.game, "draw", position.state),
            advice="--method graph",
        )


def _chosen(solution: Solution, position: Position) -> Any:
    """`chosen`; raises `LimitReached` where values are only enclosed and their ends do not decide."""
    rule = solution.question.fixed.get(position.mover)
    if rule in (None, *BY_VALUE) and not solution.is_exact() and _is_open(solution, position, rule):
        raise solution.source.left_open("it has to be known which moves are best", advice=_FRACTIONS)
    return solution.chosen(position)


def _mixture(solution: Solution, position: Position) -> Mapping[Any, int]:
    """`mixture`; raises `LimitReached` where values, and so the chances of best play, are only enclosed."""
    if not are_exact(solution.ends(position)):
        raise solution.source.left_open(
            "chances of moves at once follow from exact values",
            advice=f"{_FRACTIONS}, or endsight simulate for a sample",
        )
    return solution.mixture(position)


def _is_open(solution: Solution, position: Position, rule: PolicyRule | None) -> bool:
    """Whether proven bounds leave open which move is best, or the worst."""
    if rule == "worst":
        return worst_option(unranked(solution, position), position.mover, doubled_draw(solution)) is None
    return any(option.best is None for option in solution.options(position))


# ---------------------------------------------------------------------- distributions


def payoffs(solution: Solution, position: Position, player: int) -> Distribution:
    """The distribution of payoffs, found by following the chosen moves through the rules or on arrays."""
    play = solution.best_play(position)
    chances = None if play is None else play.outcomes(player)
    if play is not None and chances is not None:
        return Distribution(solution.game.player_names[player], chances, play.decisions()[0])
    view, graph = solution.chain(position)
    so_far, name = view.carried(position.so_far)[player], solution.game.player_names[player]
    if pays_again(graph, player):
        arrived, rest = total_distribution(graph, player, so_far, Fraction(1, 1000), solution.budget)
        mean = solution.values(position)[player]
        return Distribution.cut(name, arrived, rest, mean, _expected_plies(solution, view, graph))
    outcomes = outcome_distribution(graph, player, so_far, solution.budget)
    return Distribution(name, outcomes, _expected_plies(solution, view, graph))


def lengths(solution: Solution, position: Position, rest: Fraction, most: int) -> LengthDistribution:
    """The distribution of the number of moves that players still make: see `Solution.length_distribution`."""
    view, graph = solution.chain(position)
    distribution = length_of_play(graph, lambda node: view.is_ply(graph, node), rest, most, solution.budget)
    return LengthDistribution(*distribution, _expected_plies(solution, view, graph))


def _expected_plies(solution: Solution, view: View, graph: Graph) -> Number | None:
    counts = visits(graph, solution.budget)
    plies = None if counts is None else sum(count for node, count in counts.items() if view.is_ply(graph, node))
    return None if plies is None else simplest(plies)
