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
    with compiled_beside(programs[0], programs[1:]):
        pass


@contextmanager
def compiled_beside(
    first: KernelText, others: Sequence[KernelText], perhaps: Sequence[KernelText] = ()
) -> Iterator[Callable[[Sequence[KernelText]], None]]:
    """Compile what is not kept yet: in a forked process during the block, and here as well from its end on.

    Before the block uses the first program it calls what it is given, with those of `perhaps` that turned out to be
    needed: this process then compiles, too, until the first one is kept. Nothing is lost if there is no second process,
    or if it fails: kernels are then compiled when they are loaded, as usual. Both the call and the end of the block
    raise `CannotCompile`.
    """
    longest_first = sorted((*others, *perhaps), key=lambda program: len(program.kernel), reverse=True)
    in_turn = (*longest_first[:1], first, *longest_first[1:])
    known = [each for each in in_turn if each.identity is not None and not is_compiled(each)]
    if not known or not _may_fork():
        yield lambda _: None
        return
    with _pipe() as (queue, end):
        _put(end, known, (first, *others))
        with _helper(partial(_compile_alone, known, queue, end)) as wait:

            def until_first(also: Sequence[KernelText]) -> None:
                _put(end, known, also)
                end.close()
                _compile_from(queue, known, until=first)
                if not is_compiled(first):
                    wait()

            yield until_first
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


def _compile_from(queue: FileIO, known: Sequence[KernelText], until: KernelText | None = None) -> None:
    """Compile what nobody else has taken, until the queue is empty and its other end closed, or that one is kept."""
    while not (until and is_compiled(until)) and (place := queue.read(1)):
        load(known[place[0]])


def _compile_alone(known: Sequence[KernelText], queue: FileIO, end: FileIO) -> None:
    """The same in a process that puts nothing into the queue."""
    end.close()
    _compile_from(queue, known)


@contextmanager
def _helper(work: Callable[[], None]) -> Iterator[Callable[[], None]]:
    """Let another process do this work meanwhile; it has ended at the end of the block, or of a call of its wait."""
    child = _forked()
    if child == 0:
        _work_and_leave(work)
    running = [] if child is None else [child]

    def wait() -> None:
        while running:
            os.waitpid(running[0], 0)
            running.clear()

    try:
        yield wait
        wait()
    except BaseException:
        for process in running:
            with suppress(OSError):
                os.kill(process, signal.SIGKILL)
                os.waitpid(process, 0)
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
