"""What surrounds a command at work: its limits, and streams that rules cannot disturb."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import click

from endsight.base.alarm import alarm_clock, give_time
from endsight.base.machine import free_memory, memory_of, working_folder
from endsight.base.standard_streams import kept_apart
from endsight.faces.cli.failures import memory_is_out
from endsight.faces.cli.supervision import Watched, watched

_SPARE = 2**29
"""Address space that is taken and hardly used: stacks of threads, room that libraries keep."""

_open: list[tuple[float | None, Watched | None, str | None]] = []
"""Seconds that the command at work may take, what is told to the process that watches it, and its folder."""


@contextmanager
def at_work(options: Mapping[str, Any], *, since: float) -> Iterator[None]:
    """Do the work inside within the limits of a command's options since `since`; what rules print is no answer.

    Raises `LimitReached`. Where the process is the command's alone, work that does not stop by itself is ended.
    """
    seconds, memory = options.get("seconds"), options.get("memory")
    owns_process = bool(click.get_current_context().find_root().obj)
    with ExitStack() as stack:
        notes = None
        if owns_process and (seconds is not None or memory is not None):
            notes = stack.enter_context(watched(options, since=since))
        if owns_process and sys.platform == "linux":
            _bound_memory(memory)
        stack.enter_context(kept_apart(owns_process=owns_process))
        if seconds is not None:
            stack.enter_context(alarm_clock(seconds, spent=time.monotonic() - since))
        _open.append((seconds, notes, working_folder()))
        stack.callback(_open.pop)
        try:
            yield
        except MemoryError as error:
            raise memory_is_out(error, memory) from None


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
    return path if folder is None or working_folder() == folder else Path(folder) / path


def _bound_memory(memory: int | None) -> None:
    """Let Python run out of memory past the limit, by default three quarters of what is free, where the system can.

    Allocations that would go beyond it fail at once, before they take anything from others.
    """
    import resource

    used, data = memory_of(os.getpid())
    most = used + free_memory() * 3 // 4 if memory is None else max(memory, used)
    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    limit = data + most - used + _SPARE
    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_DATA, (limit if hard < 0 else min(limit, hard), hard))
