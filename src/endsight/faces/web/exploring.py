"""The tree of moves as columns: every position on the way, what each of its moves is worth, and how much follows."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import Any

from endsight.answers.solution import Solution
from endsight.faces.advice import heading, moves_of
from endsight.faces.web.views import board_html, method_text
from endsight.game.limits import Budget, Limits
from endsight.game.position import Position
from endsight.graph.reachable import reachable

__all__ = ["explorer_view"]

View = dict[str, Any]

MOST_ROWS = 60
"""Moves of a column."""
MOST_COUNTED = 500
"""Positions that are counted after a move."""
_MOST_COUNTS = 12
"""Moves of a column for which that is done."""


def explorer_view(solution: Solution, position: Position, here: int | None = None) -> View:
    """Columns from where the solution begins up to the position after `here` of the moves, and its board."""
    moves = position.history[len(solution.position.history) :]
    stand = len(moves) if here is None else here
    places = [solution.position]
    for move in moves[:stand]:
        places.append(places[-1].after(move))
    columns = [_column(solution, place, moves[number : number + 1]) for number, place in enumerate(places)]
    return {
        "columns": columns,
        "over": places[-1].is_over,
        "counts": _counts(places[-1]),
        "most": MOST_COUNTED,
        "board": board_html(places[-1], {}),
        "method": method_text(solution),
    }


def _column(solution: Solution, place: Position, chosen: Sequence[str]) -> View:
    reading, rows = moves_of(solution, place)
    return {
        "mover": place.to_move or "",
        "heading": heading(reading) if rows else "",
        "more": max(0, len(rows) - MOST_ROWS),
        "rows": [
            {
                "move": row.move,
                "name": row.name,
                "sign": row.sign,
                "result": row.result,
                "exact": row.exact,
                "chance": row.chance,
                "best": row.rank == 1,
                "here": row.move in chosen,
            }
            for row in rows[:MOST_ROWS]
        ],
    }


def _counts(place: Position) -> dict[str, View]:
    """For every move how many there are after it, and how many positions can follow, counted up to `MOST_COUNTED`."""
    options = list(place.moves())
    if len(options) > _MOST_COUNTS:
        return {}
    after = [place.play(move) for move in options]
    return {
        then.history[-1]: {"replies": sum(1 for _ in then.moves()), "positions": _following(then)} for then in after
    }


def _following(place: Position) -> int:
    """Different positions from there on, itself included; `MOST_COUNTED` and one more for all that are above."""
    return sum(1 for _ in islice(reachable(place, Budget(Limits())), MOST_COUNTED + 1))
