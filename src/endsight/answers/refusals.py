"""Questions that are refused, and why: arguments that do not fit, and rows of the plan that lead to no answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from endsight.engine.choice import ENGINES, LEAST_BYTES, METHODS, Task
from endsight.errors import EndsightError, LimitReached, QuestionError
from endsight.game.arguments import as_kind
from endsight.game.derived import discount_of
from endsight.game.limits import Limits
from endsight.game.numbers import count_text


def no_such(method: str, engine: str) -> QuestionError:
    """The error for a method or an engine that does not exist."""
    kind, name, names = ("engine", engine, ENGINES) if method in METHODS else ("method", method, METHODS)
    return QuestionError(f"there is no {kind} called {name!r}", allowed=", ".join(names))


def check_numbers(limits: Limits | None, digits: int | None, *, is_both: bool) -> None:
    """Raise `UsageError` or `QuestionError` for bad limits or digits, or for exact values and intervals at once."""
    if is_both:
        raise QuestionError("exact values and intervals cannot be combined", allowed="one of them")
    if digits is not None:
        as_kind(digits, int, "digits", "digits=6")
        if digits < 0:
            raise QuestionError("the number of digits cannot be negative", found=str(digits), allowed="0, 1, 2, ...")
    if limits is not None:
        as_kind(limits, Limits, "limits", "endsight.Limits(seconds=60)")


def _unopposed(task: Task) -> EndsightError:
    found = f"players: {', '.join(task.game.player_names)}"
    if task.question.fixed:
        found = f"policies for {', '.join(task.game.player_names[player] for player in task.question.fixed)}"
    elif task.question.objective == "cooperative":
        found = "the objective cooperative"
    return QuestionError(
        f"{task.game.title()} hides something from players, and such games have values only for two opposed players",
        found=found,
        allowed="two players, each after their own utility, with payoffs that add up to a constant",
        advice="endsight exploit GAME POLICY: what policies yield exactly, and what a best reply to them gains",
    )


def _hidden(task: Task) -> EndsightError:
    return QuestionError(
        f"the method {task.method!r} assumes that players see everything, "
        f"but {task.game.title()} hides something from players",
        allowed="auto",
    )


def _no_discount(task: Task) -> EndsightError:
    return QuestionError(
        f"the method {task.method!r} does not allow a discount, and {task.game.title()} has one",
        found=f"discount = {discount_of(task.game)}",
        allowed="auto, graph",
    )


def _unsettled(task: Task) -> EndsightError:
    return QuestionError(
        f"no theorem settles this position of {task.game.title()} under this question", advice="--method auto"
    )


def _too_large(task: Task) -> EndsightError:
    assert task.size is not None, "an earlier run has counted them"
    budget, states = task.budget, task.size[0]
    claim = f"{task.game.title()} is too large here: it has {count_text(states, 'position')}"
    if budget.limits.states is not None and states > budget.limits.states:
        most = budget.limits.states
        advice = "a later position, or --method search"
        return LimitReached(f"{claim}, and the limit is {most:,}", advice=advice, limit="states")
    needed, left = states * LEAST_BYTES / 1e9, budget.memory_left() / 1e9
    return LimitReached(
        f"{claim}, which need at least {needed:.1f} GB; the limit is {left:.1f} GB",
        advice="a later position, smaller parameters, or --method search for this position alone",
        limit="memory",
    )


REFUSALS: Mapping[str, Callable[[Task], EndsightError]] = {
    "unopposed": _unopposed,
    "hidden": _hidden,
    "no discount": _no_discount,
    "unsettled": _unsettled,
    "too large": _too_large,
}
"""What a refusing row of the plan raises, by its path."""
