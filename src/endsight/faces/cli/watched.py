"""What a command at work and the process that watches it tell each other: in memory that both share."""

from __future__ import annotations

import time

__all__ = ["NEVER", "Watched"]

NEVER = float("inf")
_LATE = 0.75
"""Seconds past the limit after which the work is ended, beside a tenth of the limit."""
_LONGER = 1.1
"""So many times the limit, and `_LATE` on top, is when the work is ended that did not stop by itself."""


class Watched:
    """What the process at work tells the one that watches it, in memory that both share."""

    def __init__(self) -> None:
        import mmap

        self._deadline = memoryview(mmap.mmap(-1, mmap.PAGESIZE)).cast("d")
        self._deadline[0] = NEVER

    @property
    def deadline(self) -> float:
        """When the work is ended, by `time.monotonic()`."""
        return self._deadline[0]

    def begin_anew(self, seconds: float, since: float | None = None) -> None:
        """Have the work ended if it takes much longer than `seconds` since then (default: now)."""
        self._deadline[0] = (time.monotonic() if since is None else since) + seconds * _LONGER + _LATE

    def pause(self) -> None:
        """Let the work take any time."""
        self._deadline[0] = NEVER

    @property
    def is_done(self) -> bool:
        """Whether the command came to its end."""
        return bool(self._deadline[1])

    def finish(self) -> None:
        """Say that the command came to its end."""
        self._deadline[1] = 1.0

    @property
    def is_interrupted(self) -> bool:
        """Whether the work has heard Ctrl-C."""
        return bool(self._deadline[2])

    def interrupt(self) -> None:
        """Say that the work has heard Ctrl-C."""
        self._deadline[2] = 1.0
