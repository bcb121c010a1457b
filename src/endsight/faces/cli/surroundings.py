"""The surroundings of a command at work: limits that hold whatever rules do, and streams that rules cannot disturb.

On Linux a command with a limit of time or memory forks: the command works in one process while another one watches.
The copy does the work and stops by itself where it can; the first process waits for it, ends it if it exceeds the
limit, and says so. Elsewhere a thread ends the process, but cannot do so during a long call into C.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any, NoReturn, TypeAlias

import click

from endsight.base.alarm import alarm_clock, give_time
from endsight.base.machine import allow_memory, free_memory, memory_in_use, memory_of, working_folder
from endsight.base.standard_streams import kept_apart
from endsight.base.waiting import hear_interrupts, hears_interrupts
from endsight.errors import EndsightError, LimitReached, RulesError
from endsight.faces.cli.failures import memory_is_out, refused
from endsight.faces.cli.streams import say_error
from endsight.game.limits import size_text
from endsight.games import BUILT_IN

NEVER = float("inf")
_LATE = 0.75
"""Seconds past the limit after which the work is ended, in addition to a tenth of the limit."""
_LONGER = 1.1
"""Work that does not stop by itself is ended after this multiple of the limit, plus `_LATE`."""


Options: TypeAlias = "Mapping[str, Any]"
"""The options of a command by name: `seconds` and bytes of `memory` are its limits."""
Notes: TypeAlias = "memoryview[float]"
"""What the working process tells the watching one, in shared memory.

The time at which the work is ended, by `time.monotonic()`; whether the command has finished; whether the work has
received Ctrl-C.
"""
_DEADLINE, _DONE, _INTERRUPTED = range(3)

_SPARE = 2**29
"""Address space that is reserved but hardly used: stacks of threads, room that libraries keep."""

_open: list[tuple[float | None, Notes | None, str | None]] = []
"""For each command at work: its limit in seconds, its link to the watching process, and its folder."""


@contextmanager
def at_work(options: Options, *, since: float) -> Iterator[None]:
    """Do the work inside within the limits of the options, counted from `since`; keep the rules' output apart.

    Raises `LimitReached`. If the process belongs to the command alone, work that does not stop by itself is ended.
    """
    seconds, memory = options.get("seconds"), options.get("memory")
    owns_process = bool(click.get_current_context().find_root().obj)
    with ExitStack() as stack:
        notes = None
        libraries = _held_back() if owns_process and memory is not None else 2
        if owns_process and (seconds is not None or memory is not None):
            notes = stack.enter_context(_watched(options, libraries, since=since))
        if owns_process and sys.platform == "linux":
            _bound_memory(memory)
        stack.enter_context(kept_apart(owns_process=owns_process, libraries=libraries))
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
        stop.allowed = size_text(memory)
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
        notes[_DEADLINE] = NEVER
    yield
    give_time(seconds)
    if notes is not None:
        _begin_anew(notes, seconds)


def in_first_folder(path: Path) -> Path:
    """Return a path as the user meant it, even if rules have changed the working folder."""
    folder = _open[-1][2] if _open else None
    return path if folder is None or working_folder() == folder else Path(folder) / path


def _held_back() -> int:
    """A descriptor for what libraries print, a file in memory where the system has such files.

    A library that gets no memory says so in its own words and ends the process; the user hears of the limit instead.
    """
    if sys.platform != "linux":
        return 2
    import fcntl

    number = os.memfd_create("libraries")
    fcntl.fcntl(number, fcntl.F_SETFL, os.O_APPEND)
    return number


def _bound_memory(memory: int | None) -> None:
    """Let allocations fail beyond the limit (default: three quarters of free memory), where the system can do that."""
    more = free_memory() * 3 // 4 if memory is None else max(0, memory - memory_in_use())
    with suppress(OSError, ValueError):
        allow_memory(more + _SPARE)


# ---------------------------------------------------------------------- work that does not stop by itself


def _begin_anew(notes: Notes, seconds: float, since: float | None = None) -> None:
    """Arrange for the work to be ended if it takes much longer than `seconds` from `since` (default: now)."""
    notes[_DEADLINE] = (time.monotonic() if since is None else since) + seconds * _LONGER + _LATE


_BETWEEN_LOOKS = 0.02
_UNHEARD = 0.2
"""Seconds after which Ctrl-C is sent again: just before a blocking call it goes unnoticed until the call ends."""
_LAST_WORDS = 2.0
"""Seconds in which work that has finished, even past its limit, may still report its result."""
_LEAST_ROOM = 32 * 2**20
"""Memory allowed beyond the program's own, however small the limit: it is needed to report what is proven."""
_MORE = 1.07
"""The work stops by itself at the limit, when it checks; it is ended at this multiple of the limit."""
_OF_LIBRARIES = 2**26
"""The most that libraries request at once."""
_HELD_BACK = 2**20
"""Bytes that libraries may print before they are told."""
_SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGUSR1", "SIGUSR2", "SIGCHLD")
_HEARD = [getattr(signal, name) for name in _SIGNALS if hasattr(signal, name)]
_CRASHES = ("SIGSEGV", "SIGBUS", "SIGABRT", "SIGFPE", "SIGILL", "SIGKILL")


@contextmanager
def _watched(options: Options, libraries: int, *, since: float) -> Iterator[Notes]:
    """End the work inside if it exceeds a limit of the `options`; the process must belong to the command alone.

    `libraries` is the descriptor of what libraries print, told at the end unless they only lacked memory.
    The inside runs in the working copy. The first process leaves by `SystemExit` with the copy's exit code.
    """
    import mmap

    held, seconds = dict(options), options.get("seconds")
    notes = memoryview(mmap.mmap(-1, mmap.PAGESIZE)).cast("d")
    notes[_DEADLINE] = NEVER
    if seconds is not None:
        _begin_anew(notes, seconds, since)
    if sys.platform == "linux":
        _fork(held, notes, libraries)
    else:
        _watch_from_thread(held, notes)
    try:
        yield notes
    finally:
        notes[_DONE] = 1.0


def _is_ours(options: Options) -> bool:
    """Whether only our code is at work: no rules or policies from a file, and no game of anybody else."""
    texts = [str(value) for value in options.values() if value is not None]
    rules = next((text for text in texts if ".py" in text), options.get("game"))
    return rules is None or rules.partition(":")[0] in BUILT_IN


# ---------------------------------------------------------------------- elsewhere than on Linux


def _watch_from_thread(held: Options, notes: Notes) -> None:
    import threading

    def watch() -> None:
        while time.monotonic() < notes[_DEADLINE]:
            time.sleep(_BETWEEN_LOOKS * 5)
        os._exit(refused(_too_long(held)))

    threading.Thread(target=watch, daemon=True, name="watch").start()


# ---------------------------------------------------------------------- the two processes


def _fork(held: Options, notes: Notes, libraries: int) -> None:
    """Fork, and return only in the copy."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _HEARD)
    parent = os.getpid()
    child = os.fork()
    if child:
        _Watch(child, held, notes, libraries).run()
    _die_with(parent)
    if hears_interrupts():
        hear_interrupts(partial(notes.__setitem__, _INTERRUPTED, 1.0))
    signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _die_with(parent: int) -> None:
    """Ask the system to end this process whenever its parent ends."""
    import ctypes

    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)


class _Watch:
    """The first process, until the copy ends."""

    def __init__(self, child: int, held: Options, notes: Notes, libraries: int) -> None:
        self.child = child
        self.held = held
        self.notes = notes
        self.libraries = libraries
        self.most = None
        if (memory := held.get("memory")) is not None:
            self.most = max(int(memory * _MORE), memory_in_use() + _LEAST_ROOM)
        self.seen = 0
        self.last_words = NEVER
        self.interrupted = NEVER

    def run(self) -> NoReturn:
        """Wait, pass on signals, and check the limits; leave with the status of the copy."""
        while True:
            ended, status = os.waitpid(self.child, os.WNOHANG)
            if ended:
                self._leave(status)
            if self.libraries != 2 and os.fstat(self.libraries).st_size > _HELD_BACK:
                self._tell_held_back()
            if self.notes[_DONE]:
                self.last_words = min(self.last_words, time.monotonic() + _LAST_WORDS)
            self._look_at_memory()
            if time.monotonic() > self.notes[_DEADLINE]:
                self._end_with(_too_long(self.held))
            self._interrupt_again()
            self._hand_on(signal.sigtimedwait(_HEARD, self._patience()))

    def _hand_on(self, info: signal.struct_siginfo | None) -> None:
        """Pass a signal on to the copy, except those from the terminal, which it has received as well."""
        if info is None or info.si_signo == signal.SIGCHLD:
            return
        if info.si_signo == signal.SIGINT:
            self.interrupted = time.monotonic()
        if info.si_code <= 0:
            os.kill(self.child, info.si_signo)

    def _interrupt_again(self) -> None:
        """Send Ctrl-C again if the copy has not received it."""
        if time.monotonic() > self.interrupted + _UNHEARD:
            self.interrupted = NEVER
            if not self.notes[_INTERRUPTED]:
                os.kill(self.child, signal.SIGINT)

    def _patience(self) -> float:
        longest = 0.2 if self.most is None else _BETWEEN_LOOKS
        return max(0.001, min(longest, self.notes[_DEADLINE] - time.monotonic() + 0.001))

    # ---------------------------------------------------------------- memory

    def _look_at_memory(self) -> None:
        """End the work if it uses too much memory; else let it take what is left, and no more."""
        if self.most is None:
            return
        try:
            resident, _ = memory_of(self.child)
        except OSError:  # the copy has just ended
            return
        self.seen = max(self.seen, resident)
        if resident > self.most:
            self._end_with(_too_much(self.held))
        with suppress(OSError):
            allow_memory(self.most - resident, self.child)

    @property
    def _is_short_of_memory(self) -> bool:
        """Whether libraries that end the process when they get no memory may have done so."""
        return self.most is not None and self.seen > min(self.most // 2, self.most - _OF_LIBRARIES)

    # ---------------------------------------------------------------- ends

    def _end_with(self, error: LimitReached) -> None:
        """Kill the copy and all its descendants, and say why; if its work is finished, let it report by itself."""
        os.kill(self.child, signal.SIGSTOP)
        _, status = os.waitpid(self.child, os.WUNTRACED)
        if not os.WIFSTOPPED(status):
            self._leave(status)
        if self.notes[_DONE] and time.monotonic() < self.last_words:
            os.kill(self.child, signal.SIGCONT)
            return
        import psutil  # only here: it takes longer to load than many an answer

        copy = psutil.Process(self.child)
        for process in [copy, *copy.children(recursive=True)]:
            with suppress(psutil.Error):
                process.kill()
        os.waitpid(self.child, 0)
        if error.limit != "memory":
            self._tell_held_back()
        raise SystemExit(refused(error))

    def _leave(self, status: int) -> NoReturn:
        code = os.waitstatus_to_exitcode(status)
        is_killed = code < 0
        if not (is_killed and self._is_short_of_memory):
            self._tell_held_back()
        if is_killed and signal.Signals(-code).name not in _CRASHES:
            self._die_of(-code)
        if is_killed or not self.notes[_DONE]:
            error = _too_much(self.held) if code and self._is_short_of_memory else _left(code, self.held)
            raise SystemExit(refused(error))
        raise SystemExit(code)

    def _tell_held_back(self) -> None:
        """Print what libraries have printed so far."""
        if self.libraries != 2:
            printed = os.pread(self.libraries, os.fstat(self.libraries).st_size, 0)
            os.ftruncate(self.libraries, 0)
            if printed:
                say_error(*printed.decode("utf-8", "replace").splitlines())

    def _die_of(self, number: int) -> NoReturn:
        """End this process by the signal that ended the copy."""
        signal.signal(number, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [number])
        os.kill(os.getpid(), number)
        raise SystemExit(128 + number)


# ---------------------------------------------------------------------- messages


def _too_long(held: Options) -> LimitReached:
    return LimitReached(
        f"stopped: more than {held['seconds']:g} s",
        found="the work did not stop on its own (one long computation, or rules that never return), so it was ended",
        allowed=f"{held['seconds']:g} s",
        limit="seconds",
    )


def _too_much(held: Options) -> LimitReached:
    allowed = size_text(held.get("memory") or 0)
    return LimitReached(
        f"stopped: more than {allowed} of memory",
        found="the work did not stop on its own, so it was ended",
        allowed=allowed,
        limit="memory",
    )


def _left(code: int, held: Options) -> EndsightError:
    """The error for a copy that ended in the middle of the work, by itself or, with a negative code, by a signal."""
    found = f"the signal {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"
    if _is_ours(held):
        return EndsightError("this is a bug in endsight, not in your question", found=found)
    if code < 0:
        return RulesError(
            "the process that did the work crashed or was killed",
            found=found,
            advice="--engine plain; if that crashes too, a library that the rules use is at fault, or memory ran out",
        )
    return RulesError(
        "the rules ended the process",
        found=f"{found} in the middle of the work, as from os._exit",
        advice="raise an exception in the rules instead",
    )
