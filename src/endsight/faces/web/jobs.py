"""A question in progress, and a worker process as the server sees it."""

from __future__ import annotations

import asyncio
import json
import os
import secrets
import signal
import sys
import time
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from endsight.faces.web.asking import GO_ON, REST, Ask

LONGEST_MESSAGE = 256 * 2**20


@dataclass(frozen=True)
class Settings:
    """Limits of a single question: `seconds` of wall time, `memory` in bytes."""

    seconds: float = 60.0
    memory: int = 2 * 10**9


@dataclass(eq=False)
class Job:
    """One question in progress: `waiting`, `running`, then `done`, `failed` or `cancelled`.

    `reply` is the worker's message: a `document`, a `failure` or a `bug`. `proven` is an
    `endsight.position/1` of what is known so far. A job that nobody wants any more may
    be `resting`. `behind` is the job that a waiting job waits for, because its work
    answers both. `is_outdated` marks an answer by rules that were edited meanwhile, and a question asked again for it.
    """

    ask: Ask
    text: str
    number: str = field(default_factory=lambda: secrets.token_urlsafe(12))
    state: str = "waiting"
    doing: str = "waiting"
    states: int = 0
    proven: dict[str, Any] | None = None
    began: float = field(default_factory=time.monotonic)
    ended: float | None = None
    reply: dict[str, Any] | None = None
    worker: Worker | None = None
    behind: Job | None = None
    watchers: int = 0
    held: bool = False
    again: bool = False
    is_nobodys: bool = False
    is_outdated: bool = False
    seen: float = field(default_factory=time.monotonic)
    over: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def document(self) -> dict[str, Any] | None:
        """The worker's answer; None if there is none, or none yet."""
        return None if self.reply is None else self.reply.get("document")

    @property
    def seconds(self) -> float:
        """Wall time from the question to its answer, or until now."""
        return (self.ended or time.monotonic()) - self.began

    def is_answered_by(self, other: Job) -> bool:
        """Return whether another job's work also answers this one; a search proves only its own position."""
        return other.doing != "searching" or other.ask.solves_the_same_as(self.ask)

    @property
    def at_work(self) -> Job:
        """The job whose work will answer this one: itself, or the one it waits for."""
        return self.behind if self.behind is not None and self.state == "waiting" else self

    @property
    def proven_so_far(self) -> dict[str, Any] | None:
        """What is proven so far about this position, unless the answer already says it."""
        is_same = self.at_work.ask.solves_the_same_as(self.ask)
        return self.at_work.proven if is_same and self.state not in ("done", "failed") else None

    def hear(self, message: dict[str, Any]) -> None:
        """Record a worker's message about its progress."""
        if "progress" in message:
            self.doing, self.states = message["progress"]["doing"], message["progress"]["states"]
        self.proven = message.get("proven", self.proven)

    def left_alone(self) -> Job:
        """Return the same work as a job that belongs to nobody, so that this job can end."""
        kept = {name: getattr(self, name) for name in ("doing", "states", "proven", "began", "worker")}
        return Job(self.ask, self.text, state="resting", is_nobodys=True, **kept)


class Worker:
    """A worker process and the pipe to it."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.process: Process | None = None
        self.job: Job | None = None
        self.apart = False
        self.used = time.monotonic()
        self.keys: set[Any] = set()
        self.starting: asyncio.Task[None] | None = None
        self.resting = False
        self.is_outdated = False
        """Whether files of its rules have changed since they were read."""
        self.rested = asyncio.Event()

    async def start(self) -> None:
        """Start the process; return when it is ready."""
        limits = json.dumps({"seconds": self.settings.seconds, "memory": self.settings.memory})
        command = (sys.executable, "-m", "endsight.faces.web.worker", limits)
        pipes: dict[str, Any] = {"stdin": PIPE, "stdout": PIPE, "limit": LONGEST_MESSAGE}
        self.process = await asyncio.create_subprocess_exec(*command, **pipes, start_new_session=True)
        await self.read()

    async def ask(self, text: str, hear: Callable[[dict[str, Any]], None]) -> dict[str, Any]:
        """Send a question and wait for the answer; pass earlier messages to `hear`. `EOFError` if the worker dies."""
        if self.starting is not None:
            await self.starting
        self._send(text)
        while True:
            message = await self.read()
            if "resting" in message:
                self.rested.set()
            elif "progress" in message or "proven" in message:
                hear(message)
            else:
                return message

    @property
    def is_free(self) -> bool:
        """Whether it is ready for any question."""
        has_begun = self.starting is not None and self.starting.done()
        return has_begun and self.job is None and not self.apart

    def solves(self, key: Any) -> bool:
        """Return whether it is solving a question that has the same solution as those with that key."""
        job = None if self.resting or self.is_outdated else self.job
        return job is not None and job.ask.wants_values and job.ask.solution_key == key

    def rest(self) -> None:
        """Ask the worker to pause at its next look at the clock; it then confirms."""
        self.resting, self.used = True, time.monotonic()
        self.rested.clear()
        self._send(REST)

    def go_on(self) -> None:
        """Let the worker continue where it paused."""
        self.resting = False
        self._send(GO_ON)

    def _send(self, message: str) -> None:
        assert self.process is not None
        assert self.process.stdin is not None
        self.process.stdin.write(f"{message}\n".encode())

    async def read(self) -> dict[str, Any]:
        """Read the worker's next message."""
        assert self.process is not None
        assert self.process.stdout is not None
        try:
            message: dict[str, Any] = json.loads(await self.process.stdout.readuntil())
        except (asyncio.IncompleteReadError, asyncio.LimitOverrunError, ConnectionError) as error:
            raise EOFError("the worker has ended, or its answer is too long") from error
        return message

    def kill(self) -> None:
        """End the process immediately."""
        if self.process is not None and self.process.returncode is None:
            with suppress(ProcessLookupError):
                # Not `process.kill`: it polls for the end of the process, which only asyncio may do.
                os.kill(self.process.pid, getattr(signal, "SIGKILL", signal.SIGTERM))

    async def end(self) -> None:
        """End the process, also one that is still starting; return when it is gone."""
        if self.starting is not None:
            self.starting.cancel()
            await asyncio.gather(self.starting, return_exceptions=True)
        self.kill()
        if self.process is not None:
            await self.process.wait()
