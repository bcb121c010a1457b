"""Errors about a question or its input: those that rules and the verifier raise.

`endsight.errors` has all errors and describes each.
"""

from __future__ import annotations

from endsight.base.printable import printable, printable_lines

Line = str | None


class EndsightError(Exception):
    """Root of every error this package raises on purpose.

    `message` says what was asked and why it failed; `found`, `allowed` and `advice` are optional further lines (what
    was found, what is right, what to do next). In the text, unprintable characters are escaped; only `found`, `allowed`
    and `advice` may have several lines.
    """

    exit_code = 1

    def __init__(self, message: str, *, found: Line = None, allowed: Line = None, advice: Line = None) -> None:
        super().__init__(message)
        self.message, self.found, self.allowed, self.advice = message, found, allowed, advice

    def __str__(self) -> str:
        parts = [printable(self.message)]
        for label, text in (("found", self.found), ("allowed", self.allowed), ("try", self.advice)):
            if text:
                parts.append(f"  {label + ':':<9}" + printable_lines(text).replace("\n", "\n" + " " * 11))
        return "\n".join(parts)


class UsageError(EndsightError, ValueError):
    """The question is invalid in this form."""

    exit_code = 2


class ParameterError(UsageError):
    """A parameter is missing, misspelt, of the wrong kind or out of range."""


class QuestionError(UsageError):
    """The combination of options has no answer for this game."""


class InputError(EndsightError, ValueError):
    """The input is invalid."""

    exit_code = 3


class IllegalMoveError(InputError):
    """A move that the rules do not allow in that position."""


class PositionError(InputError):
    """A text that is not a position of the game."""


class FileError(InputError):
    """A file that is missing, cannot be read or does not hold what it should."""


class RulesError(InputError):
    """Rules that break the contract of `endsight.Game`."""


class Wrong(EndsightError):
    """A claim that its evidence does not prove."""

    exit_code = 4
