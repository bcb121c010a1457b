"""What the compiled engine says when it has to leave a game to the plain one."""

from __future__ import annotations

import os


class CannotCompile(Exception):
    """These rules, or this question, run in the plain engine only; not an error of the user.

    `reason` completes the sentence "the rules are not compiled: ..."; `file` and `line`
    say where in the rules the reason lies, where it lies in a line.
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
    """What a function that calls itself gives is not known yet: another way through it has to tell."""
