"""Several kernels of one game, compiled by two processes.

Almost all of compiling is Python's work, so threads would only take turns. A forked process already has the compiled
functions of the rules, which all kernels share; it leaves its object code in the folder where every later run looks for
it too.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import NoReturn

from endsight.base.machine import cores
from endsight.compiler.native import KernelText, is_compiled, load


def compile_together(programs: Sequence[KernelText]) -> None:
    """Compile what is not kept yet: the first one alone, the rest in turn here and in a forked process.

    Nothing is lost if there is no second process, or if it fails: kernels are then compiled when they are loaded, as
    usual. Raises `CannotCompile`.
    """
    missing = [program for program in programs if program.identity is not None and not is_compiled(program)]
    if len(missing) < 3 or not _may_fork():
        return
    load(missing[0])
    with _helper(missing[1::2]):
        for program in missing[2::2]:
            load(program)


def _may_fork() -> bool:
    """Whether a copy of this process could work: it lacks the other threads, and keeps the locks that they hold."""
    return sys.platform == "linux" and threading.active_count() == 1 and cores() > 1


@contextmanager
def _helper(programs: Sequence[KernelText]) -> Iterator[None]:
    """Let another process compile these meanwhile; it has ended at the end of the block."""
    child = _forked()
    if child == 0:
        _compile_and_leave(programs)
    try:
        yield
        if child is not None:
            os.waitpid(child, 0)
    except BaseException:
        if child is not None:
            with suppress(OSError):
                os.kill(child, signal.SIGKILL)
                os.waitpid(child, 0)
        raise


def _forked() -> int | None:
    """The copy's process number, 0 in the copy itself; None if the system has no room for one."""
    with warnings.catch_warnings():
        # Libraries may have threads of their own (linear algebra); compiling needs none of them.
        warnings.simplefilter("ignore", DeprecationWarning)
        try:
            return os.fork()
        except OSError:
            return None


def _compile_and_leave(programs: Sequence[KernelText]) -> NoReturn:
    """The helper's whole life; the process that is asked will report what goes wrong here."""
    code = 1
    try:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        for program in programs:
            load(program)
        code = 0
    finally:
        os._exit(code)
