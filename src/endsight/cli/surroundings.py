"""What surrounds a command at work: its limits, and streams that rules cannot disturb."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from traceback import clear_frames

import click

from endsight.alarm import alarm_clock, give_time
from endsight.cli.supervision import watched
from endsight.cli.watched import Watched
from endsight.errors import LimitReached
from endsight.standard_streams import kept_apart

__all__ = ["at_work", "in_first_folder", "waiting_for_people"]

_SPARE = 2**29
"""Address space that is taken and hardly used: stacks of threads, room that libraries keep."""

_open: list[tuple[float | None, Watched | None, str | None]] = []
"""Seconds that the command at work may take, what is told to the process that watches it, and its folder."""


@contextmanager
def at_work(seconds: float | None, memory: int | None, *, since: float, rules: str | None) -> Iterator[None]:
    """Do the work inside within `seconds` since `since` and bytes of `memory`; what `rules` print is no answer.

    Raises `LimitReached`. Where the process belongs to the command alone, the work is ended where it does
    not stop by itself.
    """
    owns_process = bool(click.get_current_context().find_root().obj)
    with ExitStack() as stack:
        notes = None
        if owns_process:
            notes = stack.enter_context(watched(seconds, memory, since=since, rules=rules))
            _bound_memory(memory)
        stack.enter_context(kept_apart(owns_process=owns_process))
        stack.enter_context(alarm_clock(seconds, spent=time.monotonic() - since))
        stack.enter_context(_telling_memory(memory))
        _open.append((seconds, notes, _working_folder()))
        stack.callback(_open.pop)
        yield


@contextmanager
def _telling_memory(memory: int | None) -> Iterator[None]:
    """Turn the end of memory inside into the `LimitReached` of the command's limit."""
    try:
        yield
    except MemoryError as error:
        clear_frames(error.__traceback__)  # they hold what took the memory
        raise _out_of_memory(memory) from None


def _out_of_memory(memory: int | None) -> LimitReached:
    from endsight.limits import memory_text

    allowed = None if memory is None else memory_text(memory)
    return LimitReached(
        "stopped: there is no more memory" if allowed is None else f"stopped: more than {allowed} of memory",
        allowed=allowed,
        advice="ask about a later position",
        limit="memory",
    )


@contextmanager
def waiting_for_people() -> Iterator[None]:
    """Inside, no time passes; afterwards all of the time that the command was given begins anew."""
    seconds, notes, _ = _open[-1] if _open else (None, None, None)
    if seconds is None:
        yield
        return
    give_time(None)
    if notes is not None:
        notes.pause()
    yield
    give_time(seconds)
    if notes is not None:
        notes.begin_anew(seconds)


def in_first_folder(path: Path) -> Path:
    """A path as the user meant it, wherever rules have changed the working folder to."""
    folder = _open[-1][2] if _open else None
    return path if folder is None or _working_folder() == folder else Path(folder) / path


def _working_folder() -> str | None:
    with suppress(OSError):
        return os.getcwd()
    return None


def _bound_memory(memory: int | None) -> None:
    """Let Python run out of memory past the limit, by default three quarters of what is free, where the system can.

    Allocations that would go beyond it fail at once, before they take anything from others.
    """
    if sys.platform != "linux":
        return
    import resource

    from endsight.machine import free_memory, memory_of

    if memory is not None:
        # It starts threads when numpy is loaded, and interrupts the process where these get no memory.
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    used, data = memory_of(os.getpid())
    most = used + free_memory() * 3 // 4 if memory is None else max(memory, used)
    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    limit = data + most - used + _SPARE
    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_DATA, (limit if hard < 0 else min(limit, hard), hard))
