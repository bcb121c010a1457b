"""Moves that are never good, and moves that best players never make, by their texts."""

from __future__ import annotations

from typing import NamedTuple

from endsight.answers.solution import Solution
from endsight.game import CHANCE
from endsight.game.limits import Budget
from endsight.game.position import as_text
from endsight.graph.reachable import keeps_totals, reachable
from endsight.reporting.played import Played

MOST = 6_000
"""Positions at most in which all moves are compared."""


class Usage(NamedTuple):
    """How the moves are used, identified by their texts.

    moves      all moves that are legal somewhere
    dominated  moves that are legal beside others, and worse than the best wherever they are
    unused     moves that best players never make
    """

    moves: tuple[str, ...]
    dominated: tuple[str, ...]
    unused: tuple[str, ...]


def usage(solution: Solution, best: Played, budget: Budget) -> Usage | None:
    """The moves of all positions that play can reach; None where there are too many, or moves are mixed."""
    if not best.offered:
        return None
    legal, chosen_from, good = dict[str, None](), set[str](), set[str]()
    places = reachable(solution.position, budget, totals=keeps_totals(solution.question, solution.game))
    for count, place in enumerate(places):
        if count >= MOST:
            return None
        if place.mover == CHANCE or place.is_over:
            continue
        for option in (options := solution.options(place)):
            legal[option.text] = None
            if len(options) > 1:
                chosen_from.add(option.text)
            if option.best:
                good.add(option.text)
    view, graph = best.view, best.graph
    made = {
        as_text(view.game, "show_move", view.split(graph.keys[node])[0], graph.moves[edge])
        for node in best.plies()
        for edge in graph.edges(node)
    }
    dominated = tuple(text for text in legal if text in chosen_from and text not in good)
    return Usage(tuple(legal), dominated, tuple(text for text in legal if text not in made))
