"""Ctrl-C and alarms that take effect at once, whatever Python is doing.

Python handles signals only in its main thread, between two of its own steps. So a single call of machine code that
takes seconds runs in another thread, while the main thread waits for it. Python also loses an exception that a signal
raises while it finalizes an object; it is raised again a moment later.
"""

from __future__ import annotations

import _thread
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any, TypeVar

from endsight.errors import Interrupted, TimeUp

T = TypeVar("T")

_BETWEEN_LOOKS = 0.1
"""Seconds between wake-ups of the main thread: only needed where a signal does not end the waiting."""
_MOMENT = 0.01


def patiently(work: Callable[..., T], *arguments: Any, watch: Callable[[], None] | None = None) -> T:
    """Return or raise the result of `work`, while signals take effect.

    For work that lets other threads run, such as compiled kernels and numpy's copying. `watch` is called every tenth of
    a second and may raise an exception past a limit; with it, threads that get no signals wait this way, too. If a
    signal or `watch` raises an exception, the work continues unobserved: its outputs must not be used any more.
    """
    if watch is None and threading.current_thread() is not threading.main_thread():
        return work(*arguments)
    from concurrent.futures import Future  # loads much, and most work is short
    from concurrent.futures import TimeoutError as NotYet

    outcome: Future[T] = Future()

    def run() -> None:
        try:
            outcome.set_result(work(*arguments))
        except BaseException as error:
            outcome.set_exception(error)

    threading.Thread(target=run, daemon=True, name="patiently").start()
    while True:
        try:
            return outcome.result(_BETWEEN_LOOKS)
        except NotYet:
            if outcome.done():
                return outcome.result()
            if watch is not None:
                watch()


def hear_interrupts(tell: Callable[[], None] | None = None) -> None:
    """From now on Ctrl-C calls `tell` and raises `Interrupted`; every other `KeyboardInterrupt` comes from rules."""
    global _tell
    _tell = tell
    signal.signal(signal.SIGINT, _interrupt)


_tell: Callable[[], None] | None = None
_has_come = False


def _interrupt(_number: int, _frame: object) -> None:
    global _has_come
    _has_come = True
    if _tell is not None:
        _tell()
    raise Interrupted


def hears_interrupts() -> bool:
    """Whether Ctrl-C raises `Interrupted`."""
    return signal.getsignal(signal.SIGINT) is _interrupt


def interrupt_came() -> bool:
    """Whether Ctrl-C came to this process: libraries turn an exception that interrupts their loading into another."""
    return _has_come


def is_stop(error: BaseException) -> bool:
    """Whether a signal raised the exception (Ctrl-C or an alarm); all others come from code."""
    if isinstance(error, Interrupted | TimeUp):
        return True
    hears = signal.getsignal(signal.SIGINT)
    return isinstance(error, KeyboardInterrupt) and callable(hears) and hears is not _interrupt


@contextmanager
def hearing_signals() -> Iterator[None]:
    """Inside, Ctrl-C and `TimeUp` are raised again if Python loses them while it finalizes an object."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = sys.unraisablehook
    sys.unraisablehook = partial(_lost, before)
    try:
        yield
    finally:
        sys.unraisablehook = before


def _lost(otherwise: Callable[[Any], object], lost: Any) -> None:
    """Raise an exception that Python lost again, if a signal raised it."""
    if not issubclass(lost.exc_type, KeyboardInterrupt):
        otherwise(lost)
        return
    try:
        _send_again(lost.exc_type)
    except KeyboardInterrupt as another:  # while this runs, where it would be lost as well
        _send_again(type(another))


def _send_again(kind: type[BaseException]) -> None:
    """Send the signal again in a moment."""
    if issubclass(kind, TimeUp):
        signal.setitimer(signal.ITIMER_REAL, _MOMENT, signal.getitimer(signal.ITIMER_REAL)[1])
        return
    again = threading.Timer(_MOMENT, _send_to_main_thread)
    again.daemon = True
    again.start()


def _send_to_main_thread() -> None:
    """Send Ctrl-C to the main thread, as the system does: it ends a waiting call, such as `time.sleep`."""
    main = threading.main_thread().ident
    if sys.platform != "win32" and main is not None:
        signal.pthread_kill(main, signal.SIGINT)
    else:
        _thread.interrupt_main(signal.SIGINT)
