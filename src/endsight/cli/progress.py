"""A line on the standard error that says how far the work has come."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from endsight.limits import Progress

__all__ = ["progress_line"]

PATIENCE = 1.0
"""Seconds before the line appears."""
BETWEEN = 0.2
"""Seconds between two of its changes."""


@contextmanager
def progress_line() -> Iterator[Progress | None]:
    """A callback for the solver; the line is wiped at the end. None where nobody would see it."""
    if not sys.stderr.isatty():
        yield None
        return
    line = _Line()
    try:
        yield line.show
    finally:
        line.wipe()


class _Line:
    def __init__(self) -> None:
        self.started = self.shown = time.monotonic()
        self.width = 0

    def show(self, doing: str, states: int) -> None:
        """What is being done and how many states have been met."""
        now = time.monotonic()
        if now - self.started < PATIENCE or (self.width and now - self.shown < BETWEEN):
            return
        self.shown = now
        self._write(f"{doing}: {states:,} states, {now - self.started:.0f} s")

    def wipe(self) -> None:
        """Leave no trace."""
        if self.width:
            self._write("")
            sys.stderr.write("\r")
            sys.stderr.flush()

    def _write(self, text: str) -> None:
        # Blanks instead of an escape sequence: dumb terminals have none.
        sys.stderr.write("\r" + text.ljust(self.width))
        sys.stderr.flush()
        self.width = len(text)
