"""Errors as problem documents (RFC 9457)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from endsight.errors import EndsightError

KINDS = {
    "UnknownGameError": (404, "No such game"),
    "UsageError": (400, "Invalid request"),
    "ParameterError": (400, "Invalid game parameters"),
    "HiddenPositionError": (403, "A position for its players only"),
    "QuestionError": (400, "Invalid question"),
    "InputError": (422, "Bad input"),
    "IllegalMoveError": (422, "Illegal move"),
    "PositionError": (422, "Invalid position"),
    "FileError": (422, "Bad file"),
    "RulesError": (422, "There is an error in the rules"),
    "NoValue": (422, "endsight reports no value"),
    "Wrong": (422, "The claim is not proven"),
    "LimitReached": (504, "Stopped by a limit"),
    "FolderBusy": (503, "Another process is writing that solution"),
    "EndsightError": (500, "Error"),
}
"""Class of errors -> status and title, also for its subclasses."""

Problem = dict[str, Any]


def problem(slug: str, title: str, status: int, detail: str, **parts: Any) -> Problem:
    """Return a problem document; parts that are None are left out."""
    document = {"type": f"urn:endsight:problem:{slug}", "title": title, "status": status, "detail": detail}
    return document | {key: text for key, text in parts.items() if text is not None}


BUSY = problem("busy", "Too many questions", 429, "the queue of questions is full", advice="ask again in a few seconds")
NO_JOB = problem(
    "unknown-job",
    "No such job",
    404,
    "there is no job with that number",
    advice="old jobs are deleted; ask the question again",
)


class Refused(Exception):
    """A request has no answer; `back` is the link on the page that says why."""

    def __init__(self, problem: Problem, back: str = "/") -> None:
        super().__init__(problem["title"])
        self.problem = problem
        self.back = back


def problem_of(reply: Mapping[str, Any] | None) -> Problem:
    """Return the problem in a worker's reply; None stands for a cancelled job."""
    if reply is None:
        return problem("cancelled", "Cancelled", 503, "the work was cancelled", advice="ask again")
    if "failure" in reply:
        return _of_failure(reply["failure"])
    if "bug" in reply:
        advice = "report it, with the address"
        return problem("bug", "A bug in endsight", 500, "this is a bug in endsight", found=reply["bug"], advice=advice)
    advice = "a later position, smaller settings, or a server with more memory"
    detail, known = "the work exceeded its limits and was stopped", reply.get("proven")
    return problem("lost", "Stopped by a limit", 503, detail, advice=advice, document=known)


def leaves_the_board(problem: Problem) -> bool:
    """Return whether a position may be shown and played although its value is unknown."""
    return problem["status"] in (503, 504) or problem["title"] in (KINDS["RulesError"][1], KINDS["NoValue"][1])


def is_hidden(problem: Problem) -> bool:
    """Return whether a position is refused because nobody sees all of it."""
    return bool(problem["title"] == KINDS["HiddenPositionError"][1])


def needs_settings(problem: Problem) -> bool:
    """Return whether settings of a game are wrong or missing."""
    return bool(problem["title"] == KINDS["ParameterError"][1])


def problem_of_error(error: EndsightError) -> Problem:
    """Return the problem of an error that occurred before any question to a worker."""
    return _of_failure({"error": vars(error), "family": family_of(error)})


def family_of(error: EndsightError) -> str:
    """Return the name of the nearest class of errors that the page distinguishes."""
    return next(kind.__name__ for kind in type(error).__mro__ if kind.__name__ in KINDS)


def _of_failure(failure: Mapping[str, Any]) -> Problem:
    error, (status, title) = failure["error"], KINDS[failure["family"]]
    parts = {key: error[key] for key in ("found", "allowed", "advice")}
    parts |= {key: failure.get(key) for key in ("legal", "until", "document")}
    return problem(_slug(failure["family"]), title, status, error["message"], **parts)


def _slug(name: str) -> str:
    """Turn `IllegalMoveError` into `illegal-move`."""
    short = name.removesuffix("Error")
    return "".join(f"-{sign.lower()}" if sign.isupper() else sign for sign in short).lstrip("-")
