"""The report on failed or stopped work: the error, the legal moves, and what was proven by then."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from typing import Any

from endsight.errors import EndsightError, IllegalMoveError, LimitReached, Stopped
from endsight.faces.documents import error_document, stopped_document
from endsight.faces.web.asking import Ask
from endsight.faces.web.problems import family_of
from endsight.game import Game
from endsight.game.position import Position
from endsight.game.question import PolicyRule, Question
from endsight.naming.specification import load_policies

Document = dict[str, Any]
Finder = Callable[[Ask], Position]

MOST_LEGAL = 1000
"""Legal moves that a failure lists."""


def failure_of(ask: Ask, error: EndsightError, seconds: float, opening: Finder, position: Finder) -> Document:
    """Return `{"failure": ...}`, with an `endsight.error/1` and more; `opening` and `position` are those of `ask`."""
    failure: Document = {"error": error_document(error), "family": family_of(error)}
    if isinstance(error, IllegalMoveError):
        failure |= _where_illegal(opening(ask), ask.at.split())
    if isinstance(error, LimitReached):
        failure["document"] = _stopped(ask, error, seconds, position)
    return {"failure": failure}


def question_of(ask: Ask, position: Position) -> Question:
    """Return the question's objective, utility and fixed policies."""
    return Question(ask.objective, ask.utility, fixed_in(ask, position.game))  # type: ignore[arg-type]


def fixed_in(ask: Ask, game: Game) -> dict[Any, PolicyRule]:
    """Return the policies that the question fixes, by player number."""
    return load_policies(game, ask.fix, "two policies are given")


def found_so_far(ask: Ask, position: Position, stop: Stopped, seconds: float) -> Document:
    """Return an `endsight.position/1` of what is proven, with the moves if requested."""
    moves = ask.kind in ("position", "page")
    question = question_of(ask, position)
    return stopped_document(position, question, stop, method=ask.method, seconds=seconds, moves=moves)


def _where_illegal(place: Position, moves: list[str]) -> Document:
    """Return the legal moves at the first illegal move, and the moves before it."""
    for move in moves:
        try:
            place = place.after(move)
        except EndsightError:
            legal = [str(place.game.show_move(place.state, each)) for each in islice(place.moves(), MOST_LEGAL)]
            return {"legal": legal, "until": place.text}
    return {"legal": []}


def _stopped(ask: Ask, error: LimitReached, seconds: float, position: Finder) -> Document | None:
    """Return what is proven about a position whose work was stopped by a limit."""
    try:
        return found_so_far(ask, position(ask), error, seconds)
    except EndsightError:
        return None
