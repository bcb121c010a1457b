"""A worker process: reads questions from standard input, writes answers to standard output.

Each message is a line of JSON. A worker sets its own memory limit, ends when its input ends, and
may be killed at any time. At the line `REST` its work pauses, at the next look at the clock, until `GO_ON`.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
import time
from contextlib import suppress
from queue import SimpleQueue
from typing import Any, BinaryIO

from endsight.base.machine import allow_memory, memory_in_use
from endsight.base.printable import printable
from endsight.base.standard_streams import kept_apart
from endsight.errors.rules_guard import exception_text
from endsight.faces.web.answer_service import AnswerService
from endsight.faces.web.asking import GO_ON, REST, Ask
from endsight.faces.web.files_read import FilesRead
from endsight.game.limits import CLOCK, Activity, Limits

LIBRARIES = 2**28
"""Memory that libraries loaded later reserve and hardly use."""
BETWEEN = 0.2
"""Seconds between two progress messages."""


def main() -> None:
    """Serve until the input ends. The argument is JSON: `seconds` and `memory` (bytes) for one question."""
    settings = json.loads(sys.argv[1])
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    answers, questions = _streams()
    _limit_memory(settings["memory"])
    files = FilesRead()
    service = AnswerService(Limits(settings["seconds"], settings["memory"]))
    _say(answers, {"ready": os.getpid()})
    waiting: SimpleQueue[str] = SimpleQueue()
    may_work = threading.Event()
    may_work.set()
    threading.Thread(target=_read, args=(questions, waiting, may_work), daemon=True).start()
    with kept_apart(owns_process=False):
        while True:
            ask = Ask.from_text(waiting.get())
            answer = _answer(service, ask, _Reports(answers, may_work))
            # Memory kept now counts against the next question's limit.
            heavy = memory_in_use() > settings["memory"] // 3
            _say(answers, answer | {"heavy": heavy, "files": files.signatures()})


def _streams() -> tuple[BinaryIO, BinaryIO]:
    """Copy the standard streams, so that rules that print cannot disturb the answers."""
    answers = os.fdopen(os.dup(1), "wb")
    questions = os.fdopen(os.dup(0), "rb")
    os.dup2(2, 1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    return answers, questions


def _limit_memory(memory: int) -> None:
    """Set a system limit behind the solver's own memory limit, if the system supports one."""
    with suppress(OSError, ValueError):  # the solver's own limit holds everywhere
        allow_memory(max(0, memory - memory_in_use()) + max(memory // 10, LIBRARIES), for_good=True)


def _read(stream: BinaryIO, waiting: SimpleQueue[str], may_work: threading.Event) -> None:
    for line in stream:
        message = line.decode().removesuffix("\n")
        if message == REST:
            may_work.clear()
            continue
        may_work.set()
        if message != GO_ON:
            waiting.put(message)
    os._exit(0)


def _say(stream: BinaryIO, message: Any) -> None:
    try:
        stream.write(f"{json.dumps(message)}\n".encode())
        stream.flush()
    except BrokenPipeError:
        os._exit(0)


class _Reports:
    """Sends messages about a question while it is worked on, and pauses the work on request."""

    def __init__(self, answers: BinaryIO, may_work: threading.Event) -> None:
        self.answers = answers
        self.may_work = may_work
        self.last = time.monotonic()

    def progress(self, doing: Activity, states: int) -> None:
        """Report progress and pause if requested; called at every look at the clock."""
        if not self.may_work.is_set():
            self._rest()
        if time.monotonic() - self.last >= BETWEEN:
            self.last = time.monotonic()
            _say(self.answers, {"progress": {"doing": doing, "states": states}})

    def proven(self, document: dict[str, Any]) -> None:
        """Report what is proven so far."""
        _say(self.answers, {"proven": document})

    def _rest(self) -> None:
        with CLOCK.standing_still():
            _say(self.answers, {"resting": True})
            self.may_work.wait()


def _answer(service: AnswerService, ask: Ask, reports: _Reports) -> dict[str, Any]:
    try:
        return service.answer(ask, reports.progress, reports.proven)
    except MemoryError:
        return {"lost": True, "retire": True}
    except Exception as error:  # our bug: it must not end the worker, and the page must report it
        print(printable(f"endsight worker: {exception_text(error)}"), file=sys.stderr)
        return {"bug": exception_text(error)}


if __name__ == "__main__":
    main()
