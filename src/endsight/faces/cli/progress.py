"""A line on the standard error that says how far the work has come."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from endsight.base.machine import memory_in_use
from endsight.base.standard_streams import stderr
from endsight.cost.remaining import Remaining
from endsight.faces.cli.amounts import bytes_text, rough_count, seconds_text
from endsight.faces.cli.streams import is_terminal, tell, terminal_width
from endsight.game.activity import Activity
from endsight.game.numbers import count_text

__all__ = ["ProgressLine", "progress_line"]

PATIENCE = 1.0
"""Seconds before the line appears."""
BETWEEN = 0.2
"""Seconds between two of its changes."""
_ECHO = "^C"
"""What terminals write behind the line when Ctrl-C is pressed."""
_BAR = 20


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
    """What is being done, how much of it is done, and how long the rest may take, on one line that is written again."""

    def __init__(self) -> None:
        self.started = self.shown = time.monotonic()
        self.worked = time.process_time()
        self.width = 0
        self.remaining = Remaining()

    def __call__(self, doing: Activity, states: int) -> None:
        """Say what is being done and how many states have been met."""
        now = time.monotonic()
        seconds = now - self.started
        rest = self.remaining.seconds(doing, states, seconds, time.process_time() - self.worked)
        if seconds < PATIENCE or (self.width and now - self.shown < BETWEEN):
            return
        self.shown = now
        self._write(_fitting(_parts(doing, states, seconds, rest), terminal_width(stderr()) - 1))

    def wipe(self) -> None:
        """Leave no trace."""
        if self.width:
            self.width += len(_ECHO)
            self._write("")
            tell("\r")

    def _write(self, text: str) -> None:
        # Blanks instead of an escape sequence: dumb terminals have none. One line, or it could not be taken back.
        before = self.width
        self.width = max(before, len(text))  # Ctrl-C may come as soon as something is written
        tell("\r" + text.ljust(before))
        self.width = len(text)


def _parts(doing: Activity, states: int, seconds: float, rest: float | None) -> list[str]:
    """What the line says, the most important first."""
    total = doing.part or (states, doing.expected)
    parts = [doing.step]
    if total[1]:
        parts.append(_bar(min(1.0, total[0] / total[1])))
    parts.append(f"{seconds_text(seconds)}" + (f", about {seconds_text(rest)} left" if rest is not None else ""))
    if doing.part is None and states:
        of = f" of about {rough_count(int(doing.expected))}" if doing.expected and doing.expected > states else ""
        parts.append(f"{count_text(states, 'state')}{of}")
        parts.append(f"{rough_count(int(states / seconds))}/s")
    return [*parts, bytes_text(memory_in_use())]


def _bar(share: float) -> str:
    """`█████░░░░░  25 %`."""
    full = int(share * _BAR)
    return f"{'█' * full}{'░' * (_BAR - full)} {int(100 * share):3} %"


def _fitting(parts: Sequence[str], width: int) -> str:
    """The parts that fit into the width, one behind the other; a narrow line says less and cuts no word."""
    text = parts[0] if len(parts[0]) <= width else ""
    for part in parts[1:]:
        if len(text) + 2 + len(part) <= width:
            text += f"  {part}" if text else part
    return text
