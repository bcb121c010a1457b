"""A line on standard error that shows the progress of the work."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import accumulate

from endsight.base.deferred import deferred
from endsight.base.machine import memory_in_use
from endsight.base.standard_streams import stderr
from endsight.faces.cli.streams import is_terminal, tell, terminal_width
from endsight.faces.wording import rough_count, seconds_text
from endsight.game.limits import Activity, size_text
from endsight.game.numbers import count_text

with deferred(__name__):
    from endsight.cost.remaining import Remaining

PATIENCE = 1.0
"""Seconds before the line appears."""
BETWEEN = 0.2
"""Seconds between two updates of the line."""
_ECHO = "^C"
"""What terminals print after the line when Ctrl-C is pressed."""
_BARS = {100: 20, 60: 12, 0: 6}
"""Least width of the line -> length of the bar."""


@contextmanager
def progress_line(is_quiet: bool = False) -> Iterator[ProgressLine | None]:
    """Yield a callback for the solver, and wipe the line at the end; yield None where nobody would see it."""
    if is_quiet or not is_terminal(stderr()):
        yield None
        return
    line = ProgressLine()
    try:
        yield line
    finally:
        line.wipe()


class ProgressLine:
    """The current step, its progress, and the estimated time left, on one line that is rewritten."""

    def __init__(self) -> None:
        self.started = self.shown = time.monotonic()
        self.worked = time.process_time()
        self.width = 0
        self.remaining = Remaining()

    def __call__(self, doing: Activity, states: int) -> None:
        """Show the current step and the number of states found so far."""
        now = time.monotonic()
        seconds = now - self.started
        left = self.remaining.seconds(doing, states, seconds, time.process_time() - self.worked)
        about = "at least" if self.remaining.is_open else "about"
        if seconds < PATIENCE or (self.width and now - self.shown < BETWEEN):
            return
        self.shown = now
        width = terminal_width(stderr()) - 1
        rest = seconds_text(max(1, round(left)))  # no estimate is accurate to a tenth of a second
        self._write(_fitting(_parts(doing, states, seconds, f"{about} {rest} left", width), width))

    def wipe(self) -> None:
        """Remove the line."""
        if self.width:
            self.width += len(_ECHO)
            self._write("")
            tell("\r")

    def _write(self, text: str) -> None:
        # Blanks, as dumb terminals have no escape sequences. A single line, since only that can be taken back.
        before = self.width
        self.width = max(before, len(text))  # Ctrl-C may come as soon as something is written
        tell("\r" + text.ljust(before))
        self.width = len(text)


def _parts(doing: Activity, states: int, seconds: float, rest: str, width: int) -> list[str]:
    """Return the parts of a line of that width, the most important first."""
    total, parts = doing.part or (states, doing.expected), [doing.step, rest]
    if total[1]:
        parts.append(_bar(min(1.0, total[0] / total[1]), next(size for least, size in _BARS.items() if width >= least)))
    parts.append(f"{seconds_text(seconds)} so far")
    if doing.part is None and states:
        of = f" of about {rough_count(int(doing.expected))}" if doing.expected and doing.expected > states else ""
        parts.append(f"{count_text(states, 'state')}{of}")
        parts.append(f"{rough_count(int(states / seconds))}/s")
    return [*parts, size_text(memory_in_use(), 2)]


def _bar(share: float, size: int) -> str:
    """`█████░░░░░  25 %`."""
    full = int(share * size)
    return f"{'█' * full}{'░' * (size - full)} {int(100 * share):3} %"


def _fitting(parts: Sequence[str], width: int) -> str:
    """Join the first parts that fit into the width: a narrow line says less and cuts no word."""
    fitting = accumulate(parts if len(parts[0]) <= width else parts[1:], "{}  {}".format)
    return max((text for text in fitting if len(text) <= width), key=len, default="")
