"""A clock that stops work which does not look at the clock itself: rules that never return, compiling, sorting.

It is a timer signal, so it works in the main thread of systems that have one (Linux, macOS), between
two steps of Python: a single call into C that takes long is interrupted only where that call
itself asks for signals, as `time.sleep` and regular expressions do.
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
"""Seconds past the limit: work that looks at the clock stops by itself before, and says what it was doing."""
_AGAIN = 0.25
"""Seconds after which it rings again, until it is heard: rules may catch every exception."""


_NEVER_IN = frozenset({__file__, contextmanager.__code__.co_filename})
"""Files whose steps lead into the work and out of it: what is raised there would pass by what turns it into a stop."""


class _Bell:
    """What the signal calls; `is_unheard` from when it rings until a stop is told."""

    is_unheard = False

    def __call__(self, _number: int, frame: FrameType | None) -> None:
        if frame is not None and frame.f_code.co_filename in _NEVER_IN:
            return  # it rings again in a moment
        self.is_unheard = True
        raise TimeUp


_BELL = _Bell()


@contextmanager
def alarm_clock(seconds: float, *, spent: float = 0.0) -> Iterator[None]:
    """Raise `TimeUp` inside, and end with `LimitReached`, past a limit of `seconds` of which so much is spent already.

    Does nothing where there is no such clock or where another one is running already, of ours
    or of the program that uses us.
    """
    if not _is_free():
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
        # Python's import system and some libraries make other exceptions of one that comes in the middle.
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
    """Let the alarm clock that is open ring so many seconds from now; not at all where that is None."""
    if threading.current_thread() is threading.main_thread() and _is_ours():
        _BELL.is_unheard = False
        signal.setitimer(signal.ITIMER_REAL, seconds or 0, _AGAIN)


def time_given() -> float | None:
    """Seconds until the alarm clock that is open rings; None where none is open."""
    is_open = threading.current_thread() is threading.main_thread() and _is_ours()
    return signal.getitimer(signal.ITIMER_REAL)[0] if is_open else None


@contextmanager
def holding_alarm() -> Iterator[None]:
    """Inside, the alarm clock that is open stands still."""
    if threading.current_thread() is not threading.main_thread() or not _is_ours():
        yield
        return
    left, again = signal.setitimer(signal.ITIMER_REAL, 0)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, left, again)


def _is_free() -> bool:
    return (
        threading.current_thread() is threading.main_thread()
        and hasattr(signal, "setitimer")
        and signal.getsignal(signal.SIGALRM) is signal.SIG_DFL
        and signal.getitimer(signal.ITIMER_REAL)[0] == 0
    )


def _is_ours() -> bool:
    return hasattr(signal, "setitimer") and signal.getsignal(signal.SIGALRM) is _BELL


def _stop() -> None:
    signal.setitimer(signal.ITIMER_REAL, 0)
