"""Workers and the questions they work on: limits, a queue, cancelling, and answers kept at hand.

There are always `QUICK` workers for whatever comes. A worker that a question keeps busy
for long is set apart together with what it has solved, and a fresh one takes its place;
so one long question never stands in the way of short ones.
"""

from __future__ import annotations

import asyncio
import json
import os
import secrets
import signal
import sys
import time
from asyncio.subprocess import PIPE, Process
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from endsight.web.asking import Ask
from endsight.web.worker import HEAD

__all__ = ["Busy", "Job", "Pool", "Settings"]

QUICK = 3
LONG = 2
"""Workers set apart that may be busy at the same time."""
KEPT = 6
"""Workers set apart that are kept, busy or not."""
QUEUE = 16
PATIENCE = 0.4
"""Seconds after which a question counts as long."""
GRACE = 3.0
"""Seconds beyond its limit after which a worker is killed."""
LONGEST_MESSAGE = 256 * 2**20
MOST_KEPT_BYTES = 32 * 2**20
MOST_JOBS = 48
REMEMBERED = 20.0
"""Seconds for which a question that was stopped by a limit is not tried again."""


class Busy(Exception):
    """The queue is full."""


@dataclass(frozen=True)
class Settings:
    """Limits of a single question: `seconds` of wall time, `memory` in bytes."""

    seconds: float = 60.0
    memory: int = 2 * 2**30


@dataclass(eq=False)
class Job:
    """One question on its way: `waiting`, `running`, then `done`, `failed` or `cancelled`.

    `reply` is what the worker sent: a `document`, a `failure` or a `bug`.
    """

    ask: Ask
    text: str
    number: str = field(default_factory=lambda: secrets.token_urlsafe(12))
    state: str = "waiting"
    doing: str = "waiting"
    states: int = 0
    began: float = field(default_factory=time.monotonic)
    ended: float | None = None
    reply: dict[str, Any] | None = None
    worker: Worker | None = None
    watchers: int = 0
    held: bool = False
    again: bool = False
    seen: float = field(default_factory=time.monotonic)
    over: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def seconds(self) -> float:
        """Wall time since it was asked, until it was answered."""
        return (self.ended or time.monotonic()) - self.began


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

    async def start(self) -> None:
        """Begin the process; it is ready when this returns."""
        limits = json.dumps({"seconds": self.settings.seconds, "memory": self.settings.memory})
        command = (sys.executable, "-m", "endsight.web.worker", limits)
        self.process = await asyncio.create_subprocess_exec(*command, stdin=PIPE, stdout=PIPE, start_new_session=True)
        await self.read()

    async def ask(self, text: str, progress: Callable[[str, int], None]) -> dict[str, Any]:
        """Send a question and wait for its answer; `EOFError` where the worker dies."""
        if self.starting is not None:
            await self.starting
        assert self.process is not None
        assert self.process.stdin is not None
        message = text.encode()
        self.process.stdin.write(HEAD.pack(len(message)) + message)
        while True:
            reply = await self.read()
            if "progress" not in reply:
                return reply
            progress(reply["progress"]["doing"], reply["progress"]["states"])

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


class Pool:
    """All workers, the queue in front of them, and the latest answers."""

    def __init__(self, settings: Settings | None = None) -> None:
        self.settings = settings or Settings()
        self.workers: list[Worker] = []
        self.queue: list[Job] = []
        self.current: dict[str, Job] = {}
        self.jobs: OrderedDict[str, Job] = OrderedDict()
        self.kept: OrderedDict[str, dict[str, Any]] = OrderedDict()
        self.kept_bytes: dict[str, int] = {}
        self.stopped: OrderedDict[str, tuple[float, dict[str, Any]]] = OrderedDict()
        self.long_keys: set[Any] = set()
        self.tasks: set[asyncio.Task[Any]] = set()
        self.closed = False

    async def open(self) -> None:
        """Start the quick workers."""
        self._fill()
        await asyncio.gather(*(worker.starting for worker in self.workers if worker.starting))

    async def close(self) -> None:
        """Kill all workers."""
        self.closed = True
        for worker in self.workers:
            worker.kill()
        for task in list(self.tasks):
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        for worker in self.workers:
            if worker.process is not None:
                await worker.process.wait()

    # ---------------------------------------------------------------- asking

    def submit(self, ask: Ask) -> Job:
        """Put a question; equal ones that are under way share their job. Raises `Busy`."""
        text = ask.to_text()
        if text in self.kept:
            self.kept.move_to_end(text)
            return self._answered(ask, text, self.kept[text])
        if text in self.stopped and time.monotonic() - self.stopped[text][0] < REMEMBERED:
            return self._answered(ask, text, self.stopped[text][1], "failed")
        if text in self.current:
            return self.current[text]
        if len(self.queue) >= QUEUE:
            raise Busy
        job = self.current[text] = Job(ask, text)
        self.queue.append(job)
        self._dispatch()
        return job

    def _answered(self, ask: Ask, text: str, reply: dict[str, Any], state: str = "done") -> Job:
        job = Job(ask, text, state=state, reply=reply, ended=time.monotonic())
        job.over.set()
        return job

    async def wait(self, job: Job, seconds: float | None, gone: Callable[[], Awaitable[bool]] | None = None) -> bool:
        """Whether the job is over within that time; it ends early where the asker is `gone`."""
        job.watchers += 1
        until = None if seconds is None else time.monotonic() + seconds
        try:
            while not job.over.is_set():
                left = 1.0 if until is None else until - time.monotonic()
                if left <= 0 or (gone is not None and await gone()):
                    break
                with suppress(asyncio.TimeoutError):
                    await asyncio.wait_for(job.over.wait(), min(left, 0.5))
        finally:
            job.watchers -= 1
            job.seen = time.monotonic()
        return job.over.is_set()

    def leave(self, job: Job) -> None:
        """Cancel a job that nobody else waits for."""
        if not job.over.is_set() and job.watchers == 0 and not job.held:
            self.cancel(job)

    def hold(self, job: Job) -> None:
        """Keep a job for who will ask for it by its number."""
        job.held = True
        job.seen = time.monotonic()
        self.jobs[job.number] = job
        while len(self.jobs) > MOST_JOBS:
            ended = next((number for number, held in self.jobs.items() if held.over.is_set()), None)
            oldest = self.jobs.pop(ended or next(iter(self.jobs)))
            self.cancel(oldest)

    def cancel(self, job: Job) -> None:
        """Stop the work; what else its worker had solved is lost with it."""
        if job.over.is_set():
            return
        if job in self.queue:
            self.queue.remove(job)
        worker = job.worker
        job.again = False
        self._end(job, "cancelled", None)
        if worker is not None:
            self._drop(worker)
        self._dispatch()

    def forget(self, age: float) -> None:
        """Cancel what is held and has not been asked after for `age` seconds."""
        now = time.monotonic()
        for job in [job for job in self.jobs.values() if not job.over.is_set() and job.watchers == 0]:
            if now - job.seen > age:
                self.cancel(job)

    # ---------------------------------------------------------------- workers

    def _fill(self) -> None:
        while sum(not worker.apart for worker in self.workers) < QUICK and not self.closed:
            worker = Worker(self.settings)
            worker.starting = self._task(worker.start())
            self.workers.append(worker)
        idle = [worker for worker in self.workers if worker.apart and worker.job is None]
        for worker in sorted(idle, key=lambda each: each.used)[: max(0, self._apart() - KEPT)]:
            self._drop(worker)

    def _apart(self) -> int:
        return sum(worker.apart for worker in self.workers)

    def _busy_long(self) -> int:
        return sum(worker.apart and worker.job is not None for worker in self.workers)

    def _drop(self, worker: Worker) -> None:
        worker.kill()
        if worker in self.workers:
            self.workers.remove(worker)
        self._fill()

    def _task(self, work: Any) -> asyncio.Task[Any]:
        task = asyncio.get_running_loop().create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)
        return task

    def _dispatch(self) -> None:
        for job in list(self.queue):
            worker = self._worker_for(job)
            if worker is not None:
                self.queue.remove(job)
                self._begin(job, worker)

    def _worker_for(self, job: Job) -> Worker | None:
        """An idle worker: one that has solved it already; else a quick one."""
        key = job.ask.solution_key
        owners = [worker for worker in self.workers if key in worker.keys]
        idle = [worker for worker in owners if worker.job is None]
        if idle:
            return idle[0]
        if any(worker.apart for worker in owners) and job.ask.extra.get("show", True):
            return None  # it is solved there, and free before it could be solved again
        if key in self.long_keys and not owners and self._busy_long() >= LONG:
            return None
        free = [worker for worker in self.workers if not worker.apart and worker.job is None]
        return free[0] if free else None

    def _begin(self, job: Job, worker: Worker) -> None:
        job.worker, worker.job = worker, job
        job.state, job.doing = "running", "reading the rules"
        worker.used = time.monotonic()
        self._task(self._run(job, worker))

    async def _run(self, job: Job, worker: Worker) -> None:
        def progress(doing: str, states: int) -> None:
            job.doing, job.states = doing, states

        watch = self._task(self._watch(job, worker))
        try:
            reply = await worker.ask(job.text, progress)
        except (EOFError, OSError):
            reply = {"lost": True}
        finally:
            watch.cancel()
        if job.again:
            self._put_back(job, worker)
            return
        worker.job = None
        worker.keys.add(job.ask.solution_key)
        if "lost" in reply or reply.get("retire") or (reply.get("heavy") and not worker.apart):
            self._drop(worker)
        self._end(job, "done" if "document" in reply else "failed", reply)
        self._dispatch()

    def _put_back(self, job: Job, worker: Worker) -> None:
        """A long question that has to wait for its turn gives its place to short ones."""
        job.again, job.worker, worker.job = False, None, None
        job.state, job.doing = "waiting", "waiting for another long question"
        self.queue.append(job)
        self._drop(worker)
        self._dispatch()

    async def _watch(self, job: Job, worker: Worker) -> None:
        """Set a worker apart that is busy for long; kill one that does not keep to its limit."""
        await asyncio.sleep(PATIENCE)
        self.long_keys.add(job.ask.solution_key)
        if not worker.apart and self._busy_long() >= LONG:
            job.again = True
            worker.kill()
            return
        # What it had solved before is small, and solved again elsewhere.
        worker.apart, worker.keys = True, {job.ask.solution_key}
        self._fill()
        self._dispatch()
        await asyncio.sleep(self.settings.seconds + GRACE)
        worker.kill()

    def _end(self, job: Job, state: str, reply: dict[str, Any] | None) -> None:
        if job.over.is_set():
            return
        job.state, job.reply, job.ended = state, reply, time.monotonic()
        if self.current.get(job.text) is job:
            del self.current[job.text]
            if reply is not None:
                self._remember(job.text, reply)
        job.over.set()

    def _remember(self, text: str, reply: dict[str, Any]) -> None:
        if "document" not in reply:
            self._remember_stop(text, reply)
            return
        size = len(json.dumps(reply))
        # Where seats have rolled and played, the next time may be another.
        if size > MOST_KEPT_BYTES // 8 or set(reply["document"]) == {"moves"}:
            return
        self.kept[text], self.kept_bytes[text] = reply, size
        while sum(self.kept_bytes.values()) > MOST_KEPT_BYTES:
            oldest, _ = self.kept.popitem(last=False)
            del self.kept_bytes[oldest]

    def _remember_stop(self, text: str, reply: dict[str, Any]) -> None:
        is_limit = "lost" in reply or reply.get("failure", {}).get("family") == "LimitReached"
        if is_limit:
            self.stopped[text] = (time.monotonic(), reply)
        while len(self.stopped) > MOST_JOBS:
            self.stopped.popitem(last=False)
