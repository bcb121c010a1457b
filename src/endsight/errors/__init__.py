"""The errors of the package, sorted by what the reader can do about them.

::

    EndsightError                 exit code 1
    ├── UsageError                2   the question itself: unknown name, option or combination
    │   ├── UnknownGameError          no game of that name
    │   ├── ParameterError            a parameter that is missing, misspelt or out of range
    │   └── QuestionError             a question this game, or this version, has no answer to
    ├── InputError                3   what was handed in: a position, a file, a set of rules
    │   ├── IllegalMoveError          a move the rules do not allow there
    │   ├── PositionError             a position that is not one of the game's
    │   │   └── NotStored                 a position that a solution file does not hold
    │   ├── FileError                 a file that is missing, unreadable or malformed
    │   └── RulesError                rules that break the contract of `endsight.Game`
    │       └── NoValue                   loops that leave no value
    ├── Wrong                     4   a claim that its evidence does not prove
    ├── LimitReached              5   stopped by a limit of time, memory or states
    └── FolderBusy                5   another process is writing that solution

    KeyboardInterrupt
    └── Interrupted             130   stopped by Ctrl-C

Every message says what was asked; the keyword parts say what was found, what is allowed and what to do next, and are
printed on separate lines.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Literal, TypeAlias

from endsight.base.faults import (
    EndsightError,
    FileError,
    IllegalMoveError,
    InputError,
    ParameterError,
    PositionError,
    QuestionError,
    RulesError,
    UsageError,
    Wrong,
)

__all__ = [
    "EndsightError",
    "FileError",
    "FolderBusy",
    "IllegalMoveError",
    "InputError",
    "Interrupted",
    "LimitReached",
    "NoValue",
    "NotStored",
    "ParameterError",
    "PositionError",
    "QuestionError",
    "RulesError",
    "Stopped",
    "TimeUp",
    "Underway",
    "UnknownGameError",
    "UsageError",
    "Wrong",
]


class UnknownGameError(UsageError):
    """No game of that name, or no class of that name in the file."""


class NotStored(PositionError, KeyError):
    """A position that a stored solution does not hold."""


class NoValue(RulesError):
    """Rules whose loops leave the question without a value; `found` shows a loop or the payoffs."""


Ends: TypeAlias = dict[str, Fraction | None]
"""One proven end per player, by name; None where none is known."""


class Stopped:
    """The proven facts about the position asked about when the work stops, for whatever reason.

    lower, upper  ends of every player's value, of the whole game; None where nothing is proven
    moves         the same ends after each examined move, by its text
    line          the best line so far; not proven to be best play
    states        number of distinct states visited by then
    rule          the user's rule that was running, and where: `in the rule 'play' (file.py, line 7)`
    engine        engine of the rules by then: `compiled`, `plain` or `none`
    refused       why the rules were not compiled, if that was intended
    is_told       whether all this has been filled in
    """

    states: int = 0
    rule: str | None = None
    engine: str = "plain"
    refused: str | None = None
    is_told: bool = False
    lower: Ends | None = None
    upper: Ends | None = None
    moves: dict[str, tuple[Ends, Ends]]
    line: list[str]

    def _begin(self, states: int) -> None:
        """Record that nothing is proven yet, after that many states."""
        self.states, self.moves, self.line = states, {}, []

    @property
    def is_settled(self) -> bool:
        """Whether the value itself is proven, and only other results were still missing."""
        return self.lower is not None and self.lower == self.upper and None not in self.lower.values()


class Underway(Stopped):
    """The facts proven so far while the work continues."""

    def __init__(self, states: int = 0) -> None:
        self._begin(states)


class LimitReached(Stopped, EndsightError):
    """A limit of time, memory or states stopped the work; it holds what is proven by then.

    `limit` names the field of `endsight.Limits` that would have to be larger, None where
    no limit would help; `otherwise` is the rest of the advice.
    """

    exit_code = 5

    def __init__(
        self,
        message: str,
        *,
        states: int = 0,
        found: str | None = None,
        allowed: str | None = None,
        advice: str | None = None,
        limit: Literal["seconds", "memory", "states"] | None = None,
    ) -> None:
        raised = None if limit is None else f"larger {limit} in endsight.Limits"
        super().__init__(message, found=found, allowed=allowed, advice=", or ".join(filter(None, (raised, advice))))
        self._begin(states)
        self.limit = limit
        self.otherwise = advice


class TimeUp(KeyboardInterrupt):
    """An alarm rang during work that does not check the clock itself.

    The alarm's handler raises it; `endsight.solve` turns it into `LimitReached`.
    """

    rule: str | None = None


class Interrupted(Stopped, KeyboardInterrupt):
    """Ctrl-C stopped the work; it holds what is proven by then. Not an `EndsightError`, and not an `Exception`."""

    def __init__(self, states: int = 0) -> None:
        super().__init__("stopped by Ctrl-C")
        self._begin(states)


class FolderBusy(EndsightError):
    """Another process is writing into the same folder; try again when it is done."""

    exit_code = 5
