"""Workers and the questions they work on: limits, a queue, cancelling, and a cache of answers.

Up to `QUICK` workers take any question: one to begin with, and another when a
question would have to wait for them. A worker that is busy with one question for long is set
apart together with its solutions, and a fresh one takes its place; so one long question
never blocks short ones. When a long question is cancelled, its worker pauses
for a while, and continues if the same question comes again.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

from endsight.base.machine import free_memory
from endsight.faces.web.asking import Ask
from endsight.faces.web.files_read import Signature, have_changed
from endsight.faces.web.jobs import Job, Settings, Worker
from endsight.faces.web.problems import BUSY, Refused

QUICK = 3
"""The most workers that take any question."""
LONG = 2
"""The most workers set apart that may be busy at the same time."""
KEPT = 6
"""The most workers set apart that are kept, busy or not."""
RESTING = 2
"""The most workers that pause in the middle of cancelled work."""
LONGEST_REST = 900.0
"""Seconds after which a paused worker is ended."""
REST_GRACE = 5.0
"""Seconds within which a worker must pause when told to; otherwise it is ended."""
QUEUE = 16
"""The most questions that may wait for a worker."""
MOST_WAITING = 128
"""The most questions that may wait in all, most of them for one current solve that answers many."""
PATIENCE = 0.4
"""Seconds after which a question counts as long."""
GRACE = 1.0
"""Seconds beyond the limit, in addition to a tenth of it, after which a worker is killed."""
MOST_KEPT_BYTES = 32 * 2**20
MOST_JOBS = 48
REMEMBERED = 20.0
"""Seconds before a question that was stopped by a limit is tried again."""
_TICK = 0.5


class Busy(Refused):
    """The queue is full."""

    def __init__(self) -> None:
        super().__init__(BUSY)


class Pool:
    """All workers, their queue, and the latest answers."""

    def __init__(self, settings: Settings | None = None) -> None:
        self.settings = settings or Settings()
        self.workers: list[Worker] = []
        self.queue: list[Job] = []
        self.current: dict[str, Job] = {}
        self.jobs: OrderedDict[str, Job] = OrderedDict()
        self.kept: OrderedDict[str, tuple[dict[str, Any], int]] = OrderedDict()
        """The latest answers by question, with their sizes."""
        self.stopped: OrderedDict[str, tuple[float, dict[str, Any]]] = OrderedDict()
        self.long_keys: set[Any] = set()
        self.files: dict[str, Signature] = {}
        self.tasks: set[asyncio.Task[Any]] = set()
        self.ending: set[asyncio.Task[None]] = set()
        self.closed = False

    async def open(self) -> None:
        """Start the first worker."""
        self._fill()
        await asyncio.gather(*(worker.starting for worker in self.workers if worker.starting))

    async def close(self) -> None:
        """End all workers, and wait until those that were dropped before are gone, too."""
        self.closed = True
        for worker in list(self.workers):
            self._drop(worker)
        # First of all: a start that is cancelled twice does not wait for the process that it has begun.
        await asyncio.gather(*self.ending, return_exceptions=True)
        for task in list(self.tasks):
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)

    # ---------------------------------------------------------------- asking

    def submit(self, ask: Ask) -> Job:
        """Submit a question; equal questions in progress share their job. Raises `Busy`."""
        if have_changed(self.files):
            self._forget_rules()
        text = ask.to_text()
        if text in self.kept:
            self.kept.move_to_end(text)
            return self._answered(ask, text, self.kept[text][0])
        if text in self.stopped and time.monotonic() - self.stopped[text][0] < REMEMBERED:
            return self._answered(ask, text, self.stopped[text][1], "failed")
        if text in self.current:
            return self.current[text]
        if len(self.queue) >= MOST_WAITING or sum(job.behind is None for job in self.queue) >= QUEUE:
            raise Busy
        job = self.current[text] = Job(ask, text)
        self.queue.append(job)
        self._dispatch()
        return job

    def _forget_rules(self) -> None:
        """Forget all solutions, as files of the rules have changed."""
        for known in (self.files, self.kept, self.stopped, self.current):
            known.clear()
        for worker in list(self.workers):
            worker.is_outdated, worker.keys = True, set()
            if worker.job is None or worker.resting:
                self._drop(worker)

    def _answered(self, ask: Ask, text: str, reply: dict[str, Any], state: str = "done") -> Job:
        job = Job(ask, text, state=state, reply=reply, ended=time.monotonic())
        job.over.set()
        return job

    async def wait(self, job: Job, seconds: float | None, gone: Callable[[], Awaitable[bool]] | None = None) -> bool:
        """Return whether the job ends within that time; stop waiting if the client is `gone`."""
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
        """Keep a job for a client that will ask for it by its number."""
        job.held = True
        job.seen = time.monotonic()
        self.jobs[job.number] = job
        while len(self.jobs) > MOST_JOBS:
            ended = next((number for number, held in self.jobs.items() if held.over.is_set()), None)
            oldest = self.jobs.pop(ended or next(iter(self.jobs)))
            self.cancel(oldest)

    def cancel(self, job: Job) -> None:
        """Stop the work. The worker of a long question pauses, and continues if the same question comes again."""
        if job.over.is_set():
            return
        if job in self.queue:
            self.queue.remove(job)
        worker = job.worker
        job.again = False
        self._end(job, "cancelled", None)
        if worker is not None and worker.job is job:
            if worker.apart:
                self._rest(worker)
            else:
                self._drop(worker)
        self._dispatch()
        self._let_rest()

    def forget(self, age: float) -> None:
        """Cancel held jobs that nobody has asked about for `age` seconds; end workers that pause for too long."""
        now = time.monotonic()
        self._let_rest()
        for job in self.queue:
            if job.behind is not None and job.is_answered_by(job.behind) and (job.watchers or now - job.seen <= age):
                job.behind.seen = now
        for job in [job for job in self.jobs.values() if not job.over.is_set() and job.watchers == 0]:
            if now - job.seen > age:
                self.cancel(job)

    # ---------------------------------------------------------------- workers

    def _fill(self) -> None:
        """Start a worker if all are busy, up to `QUICK`; keep only a few of those set apart."""
        quick = [worker for worker in self.workers if not worker.apart]
        if len(quick) < QUICK and all(worker.job is not None for worker in quick) and not self.closed:
            worker = Worker(self.settings)
            worker.starting = self._task(worker.start())
            worker.starting.add_done_callback(self._see_start)
            self.workers.append(worker)
        idle = [worker for worker in self.workers if worker.apart and worker.job is None]
        for worker in sorted(idle, key=lambda each: each.used)[: max(0, self._apart() - KEPT)]:
            self._drop(worker)

    def _see_start(self, starting: asyncio.Task[None]) -> None:
        """Give a new worker waiting questions; whoever uses one that ended before it was ready gets the error."""
        if not starting.cancelled():
            starting.exception()  # asyncio logs exceptions that nobody retrieves
            self._dispatch()

    def _apart(self) -> int:
        return sum(worker.apart for worker in self.workers)

    def _busy_long(self) -> int:
        return sum(worker.apart and worker.job is not None and not worker.resting for worker in self.workers)

    def _drop(self, worker: Worker) -> None:
        worker.job, worker.resting = None, False
        worker.kill()
        if worker in self.workers:
            self.workers.remove(worker)
            ending = asyncio.get_running_loop().create_task(worker.end())
            self.ending.add(ending)
            ending.add_done_callback(self.ending.discard)
        self._fill()

    def _task(self, work: Any) -> asyncio.Task[Any]:
        task = asyncio.get_running_loop().create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)
        return task

    def _dispatch(self) -> None:
        for job in list(self.queue):
            if job.text in self.kept:
                self.queue.remove(job)
                self._end(job, "done", self.kept[job.text][0])
                continue
            worker = self._worker_for(job)
            if worker is not None:
                self.queue.remove(job)
                self._begin(job, worker)

    def _worker_for(self, job: Job) -> Worker | None:
        """Return an idle worker: preferably one that already has the solution, else a quick one."""
        key = job.ask.solution_key
        if job.ask.wants_values:
            self._wake_for(job)
        owners = [worker for worker in self.workers if key in worker.keys and not worker.resting]
        idle = [worker for worker in owners if worker.job is None]
        if idle:
            return idle[0]
        solving = next((worker.job for worker in self.workers if worker.solves(key)), None)
        is_full = self._busy_long() >= LONG
        if solving is not None and job.ask.wants_values and (is_full or job.is_answered_by(solving)):
            job.behind = solving
            return None  # the other worker solves it, and is free before another could solve it again
        if key in self.long_keys and not owners and is_full:
            return None
        free = next((worker for worker in self.workers if worker.is_free), None)
        if free is None:
            self._fill()
        return free

    def _begin(self, job: Job, worker: Worker) -> None:
        job.worker, worker.job = worker, job
        job.proven = job.proven_so_far  # the job it waited for has proven this much
        job.state, job.doing = "running", "reading the rules"
        worker.used = time.monotonic()
        self._task(self._run(job, worker))

    async def _run(self, job: Job, worker: Worker) -> None:
        def hear(message: dict[str, Any]) -> None:
            (worker.job or job).hear(message)

        watch = self._task(self._watch(job, worker))
        try:
            reply = await worker.ask(job.text, hear)
        except (EOFError, OSError):
            reply = {"lost": True}
        finally:
            watch.cancel()
        if job.again:
            self._put_back(job, worker, "waiting for another long question")
        elif worker.job is not None:
            self._take(worker.job, worker, reply)

    def _take(self, job: Job, worker: Worker, reply: dict[str, Any]) -> None:
        """Deliver the worker's answer to its job and to the jobs that wait behind it."""
        worker.job, worker.resting = None, False
        if job.ask.wants_values:
            worker.keys.add(job.ask.solution_key)
        if "lost" in reply:
            reply = reply | {"proven": job.proven}
        files = reply.pop("files", {})
        if any(self.files.get(path, seen) != seen for path, seen in files.items()) or have_changed(files):
            self._forget_rules()
        self.files |= {} if worker.is_outdated else files
        if worker.is_outdated and not (job.is_outdated or job.is_nobodys):
            # Whoever asked after the edit may wait for this answer, too. Only once: rules may edit what they read.
            job.is_outdated, job.proven, job.states = True, None, 0
            self._put_back(job, worker, "waiting to read the rules again")
            return
        job.is_outdated = worker.is_outdated
        if job.is_outdated or "lost" in reply or reply.get("retire") or (reply.get("heavy") and not worker.apart):
            self._drop(worker)
        is_done = "document" in reply
        self._end(job, "done" if is_done else "failed", reply)
        for other in [] if is_done else [each for each in self.queue if each.behind is job]:
            if other.ask.solves_the_same_as(job.ask):
                self.queue.remove(other)
                self._end(other, "failed", reply)
        self._dispatch()

    def _put_back(self, job: Job, worker: Worker, reason: str) -> None:
        """Put a question back into the queue: a long one so that short ones can go first, or one to be asked again."""
        job.again, job.worker, worker.job = False, None, None
        job.state, job.doing = "waiting", reason
        self.queue.append(job)
        self._drop(worker)
        self._dispatch()

    async def _watch(self, job: Job, worker: Worker) -> None:
        """Set a worker apart if it solves for long; kill it if it exceeds its limit."""
        await asyncio.sleep(PATIENCE)
        if job.ask.wants_values:
            self.long_keys.add(job.ask.solution_key)
            if not worker.apart and self._busy_long() >= LONG:
                job.again = True
                worker.kill()
                return
            # Its earlier solutions are small, and can be found again elsewhere.
            worker.apart, worker.keys = True, {job.ask.solution_key}
            self._fill()
            self._dispatch()
        left = 1.1 * self.settings.seconds + GRACE
        while left > 0:
            await asyncio.sleep(min(left, _TICK))
            left -= 0 if worker.resting else _TICK
        worker.kill()

    # ---------------------------------------------------------------- standing still

    def _rest(self, worker: Worker) -> None:
        """Pause a worker in the middle of work that nobody wants any more; end it if its rules have changed."""
        if worker.is_outdated:
            self._drop(worker)
            return
        assert worker.job is not None
        worker.job = worker.job.left_alone()
        worker.rest()
        resting = sorted((each for each in self.workers if each.resting), key=lambda each: each.used)
        for each in resting[: max(0, len(resting) - RESTING)]:
            self._drop(each)
        self._task(self._see_rest(worker))

    async def _see_rest(self, worker: Worker) -> None:
        """End a worker that does not pause."""
        since = worker.used
        with suppress(asyncio.TimeoutError):
            await asyncio.wait_for(worker.rested.wait(), REST_GRACE)
        if worker.resting and worker.used == since and not worker.rested.is_set():
            self._drop(worker)

    def _wake_for(self, job: Job) -> None:
        """Wake a worker that paused in the middle of the same solve."""
        for worker in self.workers:
            if worker.resting and worker.job is not None and worker.job.ask.solves_the_same_as(job.ask):
                job.behind = worker.job
                if self._busy_long() < LONG:
                    worker.job.state = "running"
                    worker.go_on()
                return

    def _let_rest(self) -> None:
        """Pause work that nobody wants; end pauses that last too long or while memory is short."""
        now = time.monotonic()
        needed = [job.behind for job in self.queue if job.behind is not None and job.is_answered_by(job.behind)]
        for worker in list(self.workers):
            job = worker.job
            if worker.resting:
                is_short = free_memory() < self.settings.memory
                if is_short or now - worker.used > LONGEST_REST:
                    self._drop(worker)
            elif job is not None and job.is_nobodys and job not in needed:
                self._rest(worker)

    def _end(self, job: Job, state: str, reply: dict[str, Any] | None) -> None:
        if job.over.is_set():
            return
        job.state, job.reply, job.ended = state, reply, time.monotonic()
        if self.current.get(job.text) is job:
            del self.current[job.text]
        if reply is not None and job.text not in self.kept and not job.is_outdated:
            self._remember(job.text, reply)
        job.over.set()

    def _remember(self, text: str, reply: dict[str, Any]) -> None:
        if "document" not in reply:
            self._remember_stop(text, reply)
            return
        size = len(json.dumps(reply))
        # Where seats rolled and played, the next request may give another result.
        if size > MOST_KEPT_BYTES // 8 or set(reply["document"]) == {"moves"}:
            return
        self.kept[text] = reply, size
        while sum(size for _, size in self.kept.values()) > MOST_KEPT_BYTES:
            self.kept.popitem(last=False)

    def _remember_stop(self, text: str, reply: dict[str, Any]) -> None:
        is_limit = "lost" in reply or reply.get("failure", {}).get("family") == "LimitReached"
        if is_limit:
            self.stopped[text] = (time.monotonic(), reply)
        while len(self.stopped) > MOST_JOBS:
            self.stopped.popitem(last=False)
