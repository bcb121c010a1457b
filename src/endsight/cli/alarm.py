"""A clock that ends work which does not look at the clock itself, such as compiling."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from endsight.errors import LimitReached, TimeUp

__all__ = ["alarm_clock"]

_GRACE = 0.2
"""Seconds past the limit: work that looks at the clock stops by itself before, and says what it was doing."""


@contextmanager
def alarm_clock(seconds: float | None) -> Iterator[None]:
    """Raise `TimeUp` inside if that takes longer; nothing where the system has no such clock."""
    is_main = threading.current_thread() is threading.main_thread()
    if seconds is None or not is_main or not hasattr(signal, "setitimer"):
        yield
        return
    before = signal.signal(signal.SIGALRM, _ring)
    signal.setitimer(signal.ITIMER_REAL, seconds + _GRACE)
    try:
        yield
    except TimeUp:
        raise LimitReached(f"stopped: more than {seconds:g} s", allowed=f"{seconds:g} s", limit="seconds") from None
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _ring(_number: int, _frame: FrameType | None) -> None:
    raise TimeUp
