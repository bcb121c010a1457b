"""Everything that can go wrong, sorted by what the reader can do about it.

::

    EndsightError                 exit code 1
    ├── UsageError                2   the question itself: unknown name, option or combination
    │   ├── UnknownGameError          no game of that name
    │   ├── ParameterError            a parameter that is missing, misspelt or out of range
    │   └── QuestionError             a question this game, or this version, has no answer to
    ├── InputError                3   what was handed in: a position, a file, a set of rules
    │   ├── IllegalMoveError          a move the rules do not allow there
    │   ├── PositionError             a position that is not one of the game's
    │   ├── FileError                 a file that is missing, unreadable or malformed
    │   └── RulesError                rules that break the contract of `endsight.Game`
    └── LimitReached              5   stopped by a limit of time, memory or states

Every message says what was asked; the keyword parts say what was found, what
would be allowed and what to do next, and are printed on lines of their own.
"""

from __future__ import annotations

__all__ = [
    "EndsightError",
    "FileError",
    "IllegalMoveError",
    "InputError",
    "LimitReached",
    "ParameterError",
    "PositionError",
    "QuestionError",
    "RulesError",
    "UnknownGameError",
    "UsageError",
]


class EndsightError(Exception):
    """Root of every error this package raises on purpose.

    `message` says what was asked and why it failed; `found`, `allowed` and
    `advice` are optional further lines (what was met, what would be right,
    what to do next).
    """

    exit_code = 1

    def __init__(
        self,
        message: str,
        *,
        found: str | None = None,
        allowed: str | None = None,
        advice: str | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.found = found
        self.allowed = allowed
        self.advice = advice

    def __str__(self) -> str:
        parts = [self.message]
        for label, text in (("found", self.found), ("allowed", self.allowed), ("try", self.advice)):
            if text:
                indented = text.replace("\n", "\n" + " " * 11)
                parts.append(f"  {label + ':':<9}{indented}")
        return "\n".join(parts)


class UsageError(EndsightError, ValueError):
    """The question cannot be asked like this."""

    exit_code = 2


class UnknownGameError(UsageError):
    """No game of that name, or no class of that name in the file."""


class ParameterError(UsageError):
    """A parameter is missing, misspelt, of the wrong kind or out of range."""


class QuestionError(UsageError):
    """The combination of options has no answer for this game."""


class InputError(EndsightError, ValueError):
    """What was handed in is not what it should be."""

    exit_code = 3


class IllegalMoveError(InputError):
    """A move that the rules do not allow in that position."""


class PositionError(InputError):
    """A text that is not a position of the game."""


class FileError(InputError):
    """A file that is missing, cannot be read or does not hold what it should."""


class RulesError(InputError):
    """Rules that break the contract of `endsight.Game`."""


class LimitReached(EndsightError):
    """A limit of time, memory or states stopped the work.

    `states` is how many distinct states had been met by then.
    """

    exit_code = 5

    def __init__(self, message: str, *, states: int = 0, advice: str | None = None) -> None:
        super().__init__(message, advice=advice)
        self.states = states
