"""A clock that stops work which does not check the clock itself: endless rules, compiling, sorting.

It is a timer signal, so it works in the main thread of systems that have one (Linux, macOS), between two steps of
Python: it interrupts a single long call into C only if that call checks for signals, as `time.sleep` and regular
expressions do.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from endsight.base.waiting import hearing_signals
from endsight.errors import LimitReached, TimeUp

_GRACE = 0.2
"""Seconds past the limit: work that checks the clock stops by itself before, and reports what it was doing."""
_AGAIN = 0.25
"""Seconds until it rings again, unless it was heard: rules may catch every exception."""


_NEVER_IN = frozenset({__file__, contextmanager.__code__.co_filename})
"""Files that lead into the work and out of it: code that handles the stop would miss an exception raised there."""


class _Bell:
    """The handler of the signal; `is_unheard` from the ring until a stop is reported."""

    is_unheard = False

    def __call__(self, _number: int, frame: FrameType | None) -> None:
        if frame is not None and frame.f_code.co_filename in _NEVER_IN:
            return  # it rings again in a moment
        self.is_unheard = True
        raise TimeUp


_BELL = _Bell()


@contextmanager
def alarm_clock(seconds: float, *, spent: float = 0.0) -> Iterator[None]:
    """Raise `TimeUp` inside, and end with `LimitReached`, past a limit of `seconds`, of which `spent` have passed.

    Does nothing where there is no such clock, or where another one is running already, ours or the calling program's.
    """
    is_free = _handles(signal.SIG_DFL) and signal.getitimer(signal.ITIMER_REAL)[0] == 0
    if not is_free:
        yield
        return
    with _ringing(seconds, spent):
        yield


@contextmanager
def _ringing(seconds: float, spent: float) -> Iterator[None]:
    _BELL.is_unheard = False
    before = signal.signal(signal.SIGALRM, _BELL)
    signal.setitimer(signal.ITIMER_REAL, max(0.0, seconds - spent) + _GRACE, _AGAIN)
    try:
        with hearing_signals():
            yield
    except (TimeUp, Exception) as error:
        _stop()
        # Python's import system and some libraries turn an exception that interrupts them into another one.
        if isinstance(error, LimitReached) or not _BELL.is_unheard:
            raise
        raise LimitReached(
            f"stopped: more than {seconds:g} s",
            found=getattr(error, "rule", None),
            allowed=f"{seconds:g} s",
            limit="seconds",
        ) from None
    finally:
        _stop()
        signal.signal(signal.SIGALRM, before)


def give_time(seconds: float | None) -> None:
    """Let the current alarm clock ring that many seconds from now; never if None."""
    if _is_ours():
        _BELL.is_unheard = False
        signal.setitimer(signal.ITIMER_REAL, seconds or 0, _AGAIN)


def time_given() -> float | None:
    """Seconds until the current alarm clock rings; None without one."""
    return signal.getitimer(signal.ITIMER_REAL)[0] if _is_ours() else None


@contextmanager
def holding_alarm() -> Iterator[None]:
    """Pause the current alarm clock inside the block."""
    if not _is_ours():
        yield
        return
    left, again = signal.setitimer(signal.ITIMER_REAL, 0)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, left, again)


def _is_ours() -> bool:
    return _handles(_BELL)


def _handles(handler: object) -> bool:
    """Whether that is the handler of the signal, in the main thread of a system that has one."""
    is_main = threading.current_thread() is threading.main_thread()
    return is_main and hasattr(signal, "setitimer") and signal.getsignal(signal.SIGALRM) is handler


def _stop() -> None:
    signal.setitimer(signal.ITIMER_REAL, 0)
