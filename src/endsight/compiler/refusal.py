"""What the compiled engine raises when it has to leave a game to the plain engine."""

from __future__ import annotations

import os


class CannotCompile(Exception):
    """These rules, or this question, run in the plain engine only; this is not an error of the user.

    `reason` completes the sentence "the rules are not compiled: ..."; `file` and `line` say where in the rules the
    reason lies, if it lies in a line.
    """

    def __init__(self, reason: str, file: str | None = None, line: int | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.file = file
        self.line = line

    @property
    def place(self) -> str | None:
        """`file.py, line N`, or None where no line is to blame."""
        if self.file is None:
            return None
        name = os.path.basename(self.file)
        return name if self.line is None else f"{name}, line {self.line}"

    def __str__(self) -> str:
        return f"{self.reason} ({self.place})" if self.place else self.reason


class Unsettled(CannotCompile):
    """The result of a function that calls itself is not known yet: another branch has to determine it."""
