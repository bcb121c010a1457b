"""A line on the standard error that says how far the work has come."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from endsight.base.standard_streams import stderr
from endsight.faces.cli.streams import is_terminal, tell, terminal_width
from endsight.game.numbers import count_text

if TYPE_CHECKING:
    from endsight.game.limits import Budget

__all__ = ["ProgressLine", "progress_line"]

PATIENCE = 1.0
"""Seconds before the line appears."""
BETWEEN = 0.2
"""Seconds between two of its changes."""
_ECHO = "^C"
"""What terminals write behind the line when Ctrl-C is pressed."""


@contextmanager
def progress_line() -> Iterator[ProgressLine | None]:
    """A callback for the solver; the line is wiped at the end. None where nobody would see it."""
    if not is_terminal(stderr()):
        yield None
        return
    line = ProgressLine()
    try:
        yield line
    finally:
        line.wipe()


class ProgressLine:
    """What is being done and how many states have been met, on one line that is written again and again."""

    def __init__(self) -> None:
        self.started = self.shown = time.monotonic()
        self.width = 0
        self.budget: Budget | None = None

    def follow(self, budget: Budget) -> None:
        """Show rate, memory and what is left to do as well, as far as the budget knows."""
        self.budget = budget

    def __call__(self, doing: str, states: int) -> None:
        """Say what is being done and how many states have been met."""
        now = time.monotonic()
        if now - self.started < PATIENCE or (self.width and now - self.shown < BETWEEN):
            return
        self.shown = now
        seconds = now - self.started
        text = f"{doing}: {count_text(states, 'state')}, {seconds:.0f} s"
        self._write(text if self.budget is None else f"{text}{_details(self.budget, doing, states, seconds)}")

    def wipe(self) -> None:
        """Leave no trace."""
        if self.width:
            self.width += len(_ECHO)
            self._write("")
            tell("\r")

    def _write(self, text: str) -> None:
        # Blanks instead of an escape sequence: dumb terminals have none. One line, or it could not be taken back.
        text = text[: terminal_width(stderr()) - 1]
        before = self.width
        self.width = max(before, len(text))  # Ctrl-C may come as soon as something is written
        tell("\r" + text.ljust(before))
        self.width = len(text)


def _details(budget: Budget, doing: str, states: int, seconds: float) -> str:
    """Rate, memory, and for exploring how long the rest of it would take at that rate."""
    from endsight.base.machine import memory_in_use
    from endsight.faces.cli.amounts import bytes_text, rough_count, seconds_text

    memory = bytes_text(memory_in_use())
    rate = states / seconds
    text = f", {rough_count(int(rate))}/s, {memory}"
    if not doing.startswith("exploring") or budget.expected is None:
        return text
    if states >= budget.expected:
        return f"{text}, more than the {rough_count(int(budget.expected))} expected"
    rest = seconds_text((budget.expected - states) / rate)
    return f"{text}, of about {rough_count(int(budget.expected))}: {rest} left, then solving"
