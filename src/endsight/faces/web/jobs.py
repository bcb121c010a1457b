"""A question on its way, and a worker process as the server sees it."""

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

from endsight.faces.web.asking import GO_ON, HEAD, REST, Ask

LONGEST_MESSAGE = 256 * 2**20


@dataclass(frozen=True)
class Settings:
    """Limits of a single question: `seconds` of wall time, `memory` in bytes."""

    seconds: float = 60.0
    memory: int = 2 * 2**30


@dataclass(eq=False)
class Job:
    """One question on its way: `waiting`, `running`, then `done`, `failed` or `cancelled`.

    `reply` is what the worker sent: a `document`, a `failure` or a `bug`. `proven` is an
    `endsight.position/1` of what is known so far. A job that nobody asks for any more may
    be `resting`. `behind` is the job for whose end a waiting one waits, because that
    answers it too. An answer of rules that were edited meanwhile `is_outdated`.
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
        """What the worker answered; None where there is no answer, or none yet."""
        return None if self.reply is None else self.reply.get("document")

    @property
    def seconds(self) -> float:
        """Wall time since it was asked, until it was answered."""
        return (self.ended or time.monotonic()) - self.began

    def is_answered_by(self, other: Job) -> bool:
        """Whether another job's work answers this one, too; a search proves its own position and no other."""
        return other.doing != "searching" or other.ask.solves_the_same_as(self.ask)

    @property
    def at_work(self) -> Job:
        """The job that is worked on for this one: itself, but while it waits for another."""
        return self.behind if self.behind is not None and self.state == "waiting" else self

    @property
    def proven_so_far(self) -> dict[str, Any] | None:
        """What is proven about this question's position by now, where its answer does not say it."""
        is_same = self.at_work.ask.solves_the_same_as(self.ask)
        return self.at_work.proven if is_same and self.state not in ("done", "failed") else None

    def hear(self, message: dict[str, Any]) -> None:
        """Take in what the worker says about how far it has come."""
        if "progress" in message:
            self.doing, self.states = message["progress"]["doing"], message["progress"]["states"]
        self.proven = message.get("proven", self.proven)

    def left_alone(self) -> Job:
        """The same work as nobody's, so that this job can end."""
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
        """Whether files that its rules were read from have changed since."""
        self.rested = asyncio.Event()

    async def start(self) -> None:
        """Begin the process; it is ready when this returns."""
        limits = json.dumps({"seconds": self.settings.seconds, "memory": self.settings.memory})
        command = (sys.executable, "-m", "endsight.faces.web.worker", limits)
        self.process = await asyncio.create_subprocess_exec(*command, stdin=PIPE, stdout=PIPE, start_new_session=True)
        await self.read()

    async def ask(self, text: str, hear: Callable[[dict[str, Any]], None]) -> dict[str, Any]:
        """Send a question and wait for its answer, hearing what is said before; `EOFError` where the worker dies."""
        if self.starting is not None:
            await self.starting
        self._send(text.encode())
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
        """Whether it is ready for whatever comes."""
        has_begun = self.starting is not None and self.starting.done()
        return has_begun and self.job is None and not self.apart

    def solves(self, key: Any) -> bool:
        """Whether it is at work on a question that the same solution answers as those with that key."""
        job = None if self.resting else self.job
        return job is not None and job.ask.wants_values and job.ask.solution_key == key

    def rest(self) -> None:
        """Ask the worker to stand still at its next look at the clock; it says `rested` then."""
        self.resting, self.used = True, time.monotonic()
        self.rested.clear()
        self._send(REST)

    def go_on(self) -> None:
        """Let the worker go on where it stands."""
        self.resting = False
        self._send(GO_ON)

    def _send(self, message: bytes) -> None:
        assert self.process is not None
        assert self.process.stdin is not None
        self.process.stdin.write(HEAD.pack(len(message)) + message)

    async def read(self) -> dict[str, Any]:
        """The worker's next message."""
        assert self.process is not None
        assert self.process.stdout is not None
        try:
            (length,) = HEAD.unpack(await self.process.stdout.readexactly(HEAD.size))
            if length > LONGEST_MESSAGE:
                raise EOFError("the answer is too long")
            message: dict[str, Any] = json.loads(await self.process.stdout.readexactly(length))
        except (asyncio.IncompleteReadError, ConnectionError) as error:
            raise EOFError("the worker has ended") from error
        return message

    def kill(self) -> None:
        """End the process at once."""
        if self.process is not None and self.process.returncode is None:
            with suppress(ProcessLookupError):
                # Not `process.kill`: it looks for the end of the process, which only asyncio may.
                os.kill(self.process.pid, getattr(signal, "SIGKILL", signal.SIGTERM))
