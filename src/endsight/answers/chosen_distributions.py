"""The distributions of payoffs and lengths when play follows a solution."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from endsight.algorithms.length_of_play import length_of_play
from endsight.algorithms.outcome_distribution import outcome_distribution, visits
from endsight.algorithms.total_distribution import pays_again, total_distribution
from endsight.answers.distribution import Distribution, LengthDistribution
from endsight.game.numbers import Number, simplest
from endsight.game.position import Position
from endsight.graph.graph import Graph
from endsight.graph.objective import View

if TYPE_CHECKING:
    from endsight.answers.solution import Solution


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
