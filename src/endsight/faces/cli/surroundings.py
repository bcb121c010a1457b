"""The surroundings of a command at work: its limits, and streams that rules cannot disturb."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import click

from endsight.base.alarm import alarm_clock, give_time
from endsight.base.machine import allow_memory, free_memory, memory_in_use, working_folder
from endsight.base.standard_streams import kept_apart
from endsight.errors import LimitReached
from endsight.faces.cli.failures import memory_is_out
from endsight.faces.cli.supervision import Notes, begin_anew, pause, watched
from endsight.game.limits import memory_text

_SPARE = 2**29
"""Address space that is reserved but hardly used: stacks of threads, room that libraries keep."""

_open: list[tuple[float | None, Notes | None, str | None]] = []
"""For each command at work: its limit in seconds, its link to the watching process, and its folder."""


@contextmanager
def at_work(options: Mapping[str, Any], *, since: float) -> Iterator[None]:
    """Do the work inside within the limits of the options, counted from `since`; keep the rules' output apart.

    Raises `LimitReached`. If the process belongs to the command alone, work that does not stop by itself is ended.
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
            raise _out_of_memory(error, memory) from None


def _out_of_memory(error: MemoryError, memory: int | None) -> LimitReached:
    """The error that names the limit, where one was set."""
    stop = memory_is_out(error)
    if memory is not None:
        stop.allowed = memory_text(memory)
        stop.message = f"stopped: more than {stop.allowed} of memory"
    return stop


@contextmanager
def waiting_for_people() -> Iterator[None]:
    """Stop the clock inside; afterwards the command has its full time again."""
    seconds, notes, _ = _open[-1] if _open else (None, None, None)
    if seconds is None:
        yield
        return
    give_time(None)
    if notes is not None:
        pause(notes)
    yield
    give_time(seconds)
    if notes is not None:
        begin_anew(notes, seconds)


def in_first_folder(path: Path) -> Path:
    """Return a path as the user meant it, even if rules have changed the working folder."""
    folder = _open[-1][2] if _open else None
    return path if folder is None or working_folder() == folder else Path(folder) / path


def _bound_memory(memory: int | None) -> None:
    """Let allocations fail beyond the limit (default: three quarters of free memory), where the system can do that."""
    more = free_memory() * 3 // 4 if memory is None else max(0, memory - memory_in_use())
    with suppress(OSError, ValueError):
        allow_memory(more + _SPARE)
