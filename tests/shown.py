"""What the page, a row of moves and a terminal show, without a server or a terminal: plain documents and texts."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, fields
from fractions import Fraction
from random import Random
from typing import Any

import pytest

import endsight as es
from endsight.answers.seated import drawn, made_move
from endsight.faces.advice.moves import moves_of
from endsight.faces.advice.readings import number_words, percent_words
from endsight.faces.advice.verdicts import unproven
from endsight.faces.cli.progress import _fitting, _parts, progress_line
from endsight.faces.cli.screen import wrapped
from endsight.faces.web.answer_service import AnswerService
from endsight.faces.web.asking import Ask
from endsight.faces.web.rendering import environment
from endsight.game.limits import Activity
from endsight.game.numbers import Amount

__all__ = [
    "Page",
    "amount_shown",
    "draw",
    "figure_shown",
    "hours_pass",
    "move_of_a_seat",
    "percent_shown",
    "progress_at_once",
    "progress_shown",
    "progress_told",
    "rows_shown",
    "said_of_bounds",
    "solve_the_start_within",
    "wrapped_shown",
]


_ASKED = {each.name for each in fields(Ask)} - {"extra"}


class Page:
    """A worker: games and solutions that it keeps, and its answers, with limits for each of them."""

    def __init__(self, **limits: Any) -> None:
        self._service = AnswerService(es.Limits(**limits))

    def reply(self, kind: str, spec: str, at: str = "", **asked: Any) -> dict[str, Any]:
        """`document`, or `failure` with what is wrong; `asked` has options of a question, and what its kind needs."""
        extra = {name: asked.pop(name) for name in {*asked} - _ASKED}
        return self._service.answer(Ask(kind, spec, at, **asked, extra=extra))

    def document(self, kind: str, spec: str, at: str = "", **asked: Any) -> Any:
        """The document of a question that must have an answer."""
        reply = self.reply(kind, spec, at, **asked)
        assert "document" in reply, reply
        return reply["document"]

    def board(self, spec: str, at: str = "", **asked: Any) -> Any:
        """The page of a board; its `values` say what is known there."""
        return self.document("page", spec, at, show=True, link="/?at=", **asked)

    def failure(self, kind: str, spec: str, at: str = "", **asked: Any) -> Any:
        """The error of a question that must be refused, which tells nothing else."""
        reply = self.reply(kind, spec, at, **asked)
        assert {*reply} == {"failure"}, reply
        return reply["failure"]["error"]

    @property
    def solved(self) -> list[str]:
        """The moves to every position that was solved and is kept, the latest first."""
        return [each.position.text for kept in reversed(self._service.solutions.values()) for each in kept]

    @property
    def given_up(self) -> int:
        """Of how many questions the start is known to be too long to solve for a graph of the game."""
        return len(self._service.too_long)


def figure_shown(figure: dict[str, Any]) -> str:
    """A number of a document in a report on the page."""
    return str(environment().filters["amount"](figure))


def hours_pass(patch: pytest.MonkeyPatch) -> None:
    """For limits of time, ten hours pass."""
    patch.setattr("endsight.game.limits.CLOCK.now", lambda: time.monotonic() + 36_000)


def solve_the_start_within(patch: pytest.MonkeyPatch, **limits: Any) -> None:
    """The page tries the start of a game within such limits, and not for a moment, to draw its course."""
    patch.setattr("endsight.faces.web.answer_service._MOMENT", es.Limits(**limits))


def draw(weights: list[int], seed: int) -> int:
    """The place of one of the weights, as chance draws it."""
    return drawn(weights, Random(seed))


def move_of_a_seat(position: es.Position, way: str, solution: es.Solution, random: Random) -> Any:
    """The move of whoever is to move there and plays in that way, where best play is what the solution says."""
    return made_move(position, way, lambda _: solution, random)


Ends = Mapping[str, Fraction | None]


def amount_shown(amount: Amount) -> str:
    """What a move brings, or bounds on it, in a row of moves."""
    return number_words(amount)


def percent_shown(chance: Amount) -> str:
    """A chance, or bounds on one, in a row of moves."""
    return percent_words(chance)


def said_of_bounds(lower: Ends, upper: Ends) -> str:
    """The sentence about a value of which such bounds are proven."""
    return unproven(list(lower), lower, upper).headline


def rows_shown(solution: es.Solution, position: es.Position) -> dict[str, dict[str, Any]]:
    """What stands beside each move: its `result`, its `exact` value, what it `gives_away`, its `rank`."""
    return {row.move: asdict(row) for row in moves_of(solution, position)[1]}


def wrapped_shown(text: str, width: int, hanging: int = 0) -> list[str]:
    """A long text in rows of a table."""
    return list(wrapped(text, width, hanging))


def progress_at_once(patch: pytest.MonkeyPatch) -> None:
    """Let the line of progress appear without waiting a second."""
    patch.setattr("endsight.faces.cli.progress.PATIENCE", 0.0)


def progress_told(
    patch: pytest.MonkeyPatch, told: Sequence[tuple[float, str, int]], screen: Callable[[], str]
) -> list[str] | None:
    """The screen after each message of a solver, so many seconds after the one before; None if nobody is told."""
    now, seen = [100.0], []
    patch.setattr("endsight.faces.cli.progress.time.monotonic", lambda: now[0])
    patch.setattr("endsight.faces.cli.progress.time.process_time", lambda: now[0])
    with progress_line() as show:
        if show is None:
            return None
        for seconds, doing, states in told:
            now[0] += seconds
            show(Activity(doing), states)
            seen.append(screen())
    return seen


def progress_shown(doing: tuple[str, Mapping[str, Any]], states: int, seconds: float, rest: str, width: int) -> str:
    """The line of progress on a screen of that width; `doing` is a step and what is known of it."""
    step, known = doing
    return _fitting(_parts(Activity(step, **known), states, seconds, rest, width), width)
