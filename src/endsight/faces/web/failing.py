"""What is told of work that failed or was stopped: the error, the moves that were legal, and what is proven by then."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from typing import Any

from endsight.errors import EndsightError, IllegalMoveError, LimitReached, Stopped
from endsight.faces.documents import error_document, stopped_document
from endsight.faces.web.asking import Ask
from endsight.faces.web.problems import KINDS
from endsight.game.position import Position
from endsight.game.question import Question
from endsight.naming.specification import load_policies

Document = dict[str, Any]
Finder = Callable[[Ask], Position]

MOST_LEGAL = 1000
"""Legal moves that a failure lists."""


def failure_of(ask: Ask, error: EndsightError, seconds: float, opening: Finder, position: Finder) -> Document:
    """`{"failure": ...}`, with an `endsight.error/1` and more; `opening` and `position` find those of a question."""
    failure: Document = {"error": error_document(error), "family": family_of(error)}
    if isinstance(error, IllegalMoveError):
        failure |= _where_illegal(opening(ask), ask.at.split())
    if isinstance(error, LimitReached):
        failure["document"] = _stopped(ask, error, seconds, position)
    return {"failure": failure}


def family_of(error: EndsightError) -> str:
    """The name of the nearest kind of error that the page tells apart."""
    return next(kind.__name__ for kind in type(error).__mro__ if kind.__name__ in KINDS)


def question_of(ask: Ask, position: Position) -> Question:
    """Objective, utility and fixed policies that are asked for."""
    fixed = load_policies(position.game, ask.fix, "two policies are given")
    return Question(ask.objective, ask.utility, fixed)  # type: ignore[arg-type]


def found_so_far(ask: Ask, position: Position, found: Stopped, seconds: float) -> Document:
    """An `endsight.position/1` of what is proven, with the moves where those are asked for."""
    moves = ask.kind in ("position", "page")
    question = question_of(ask, position)
    return stopped_document(position, question, found, method=ask.method, seconds=seconds, moves=moves)


def _where_illegal(place: Position, moves: list[str]) -> Document:
    """The moves that were legal, and those that would have been at the first that was not."""
    for move in moves:
        try:
            place = place.after(move)
        except EndsightError:
            legal = [str(place.game.show_move(place.state, each)) for each in islice(place.moves(), MOST_LEGAL)]
            return {"legal": legal, "until": place.text}
    return {"legal": []}


def _stopped(ask: Ask, error: LimitReached, seconds: float, position: Finder) -> Document | None:
    """What is proven about a position at which a limit stopped the work."""
    try:
        return found_so_far(ask, position(ask), error, seconds)
    except EndsightError:
        return None
