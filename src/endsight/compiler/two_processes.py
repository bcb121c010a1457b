"""Several kernels of one game, compiled by two processes.

Almost all of compiling is Python's work, so threads would only take turns. A forked process begins at once, while this
one asks the rules in Python; then both take kernels from the same queue, a pipe, until it is empty. The copy leaves its
object code in the folder where every later run looks for it too.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from io import FileIO
from typing import NoReturn

from endsight.base.machine import cores
from endsight.compiler.native import KernelText, is_compiled, load


def compile_together(programs: Sequence[KernelText]) -> None:
    """Compile what is not kept yet, here and in a forked process; raises `CannotCompile`."""
    with compiled_beside(programs):
        pass


@contextmanager
def compiled_beside(programs: Sequence[KernelText], perhaps: Sequence[KernelText] = ()) -> Iterator[list[KernelText]]:
    """Compile what is not kept yet: in a forked process during the block, and here as well from its end on.

    The block may put those of `perhaps` that turn out to be needed into the list that it is given. Nothing is lost if
    there is no second process, or if it fails: kernels are then compiled when they are loaded, as usual. Raises
    `CannotCompile` at the end of the block.
    """
    known = [program for program in (*programs, *perhaps) if program.identity is not None and not is_compiled(program)]
    known.sort(key=lambda program: len(program.kernel), reverse=True)  # so that both processes end about together
    also: list[KernelText] = []
    if not known or not _may_fork():
        yield also
        return
    with _pipe() as (queue, end):
        _put(end, known, programs)
        with _helper(partial(_compile_alone, known, queue, end)):
            yield also
            _put(end, known, also)
            end.close()
            _compile_from(queue, known)


def _may_fork() -> bool:
    """Whether a copy of this process could work: it lacks the other threads, and keeps the locks that they hold."""
    return sys.platform == "linux" and threading.active_count() == 1 and cores() > 1


@contextmanager
def _pipe() -> Iterator[tuple[FileIO, FileIO]]:
    """Both ends of a pipe: of what is written to the second one, each byte is read once from the first."""
    reader, writer = os.pipe()
    with FileIO(reader) as queue, FileIO(writer, "w") as end:
        yield queue, end


def _put(end: FileIO, known: Sequence[KernelText], programs: Sequence[KernelText]) -> None:
    """Put the places of programs among the known ones into the queue."""
    end.write(bytes(place for place, program in enumerate(known) if program in programs))


def _compile_from(queue: FileIO, known: Sequence[KernelText]) -> None:
    """Compile what nobody else has taken, until the queue is empty and its other end closed."""
    while place := queue.read(1):
        load(known[place[0]])


def _compile_alone(known: Sequence[KernelText], queue: FileIO, end: FileIO) -> None:
    """The same in a process that puts nothing into the queue."""
    end.close()
    _compile_from(queue, known)


@contextmanager
def _helper(work: Callable[[], None]) -> Iterator[None]:
    """Let another process do this work meanwhile; it has ended at the end of the block."""
    child = _forked()
    if child == 0:
        _work_and_leave(work)
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


def _work_and_leave(work: Callable[[], None]) -> NoReturn:
    """The helper's whole life; the process that is asked will report what goes wrong here."""
    code = 1
    try:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        work()
        code = 0
    finally:
        os._exit(code)
