"""Charts: exact answers as pictures, as our own SVG or through matplotlib.

Every function returns a `Chart`: `svg()` is its text, `save(path)` writes a file, `axes(ax)` draws it with matplotlib,
and notebooks show it.

>>> import endsight as es
>>> chart = es.charts.values(es.solve(es.games.Pots([4, 9, 2, 7])))
>>> chart.title
'pots:4-9-2-7: what each move is worth to first'
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from endsight.answers.reviewing import review
from endsight.answers.solution import Solution
from endsight.charts.figures import Chart
from endsight.charts.game_network import graph
from endsight.charts.policy_shapes import policy
from endsight.charts.values_and_chances import distribution, history, values
from endsight.errors import QuestionError
from endsight.game.position import Position

__all__ = ["KINDS", "Chart", "chart", "distribution", "graph", "history", "policy", "values"]

KINDS = ("values", "policy", "distribution", "history", "graph")
"""The kinds of charts: the value of each move; the policy; the chances of payoffs; the value
along the moves played; a whole small game."""


def chart(solution: Solution, kind: str, position: Position | None = None, *, player: str | None = None) -> Chart:
    """The chart of that kind (one of `KINDS`) for a position (default: the solution's).

    `player` selects the value or payoff in `values`, `distribution` and `history`. For
    `history`, the position's moves from the solution's position on are the game reviewed.
    Raises `QuestionError` for an unknown kind or player, or if there is nothing to draw.
    """
    if kind == "history":
        return history(review(solution, position or solution.position), player=player)
    drawn: Mapping[str, Callable[..., Chart]] = {
        "values": partial(values, player=player),
        "distribution": partial(distribution, player=player),
        "policy": policy,
        "graph": graph,
    }
    if kind not in drawn:
        raise QuestionError(
            f"there is no chart called {kind!r}", allowed=", ".join(KINDS), advice="es.plot for a board"
        )
    return drawn[kind](solution, solution.asked(position))
