"""Where tasks run: in this thread, in threads, or on a Dask cluster. The interface is `run`: submit, wait, retry."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager, suppress
from time import monotonic, process_time
from typing import Any, TypeAlias, TypeVar

from endsight.errors import LimitReached

Result = TypeVar("Result")
Call = tuple[Any, ...]
"""Arguments of one task."""

_TRIES = 3


class Serial:
    """One task after the other, in this thread."""

    workers = 1

    def seconds(self) -> float:
        """The computing time of this process."""
        return process_time()

    def run(self, task: Callable[..., Result], calls: Sequence[Call]) -> Iterator[tuple[Call, Result]]:
        """Every call with its result."""
        for call in calls:
            yield call, task(*call)


class Threads(Serial):
    """Several threads of this process: compiled code releases the interpreter lock."""

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self._pool = ThreadPoolExecutor(workers, thread_name_prefix="endsight")

    def run(self, task: Callable[..., Result], calls: Sequence[Call]) -> Iterator[tuple[Call, Result]]:
        """Every call with its result, in the order of completion; a failure drops those that have not begun."""
        futures = {self._pool.submit(task, *call): call for call in calls}
        try:
            for future in as_completed(futures):
                yield futures[future], future.result()
        finally:
            for future in futures:
                future.cancel()

    def close(self) -> None:
        """Wait for running tasks."""
        self._pool.shutdown(cancel_futures=True)


class Dask:
    """The workers of a Dask cluster: `client` is a `distributed.Client` for any of its launchers.

    A task whose worker dies goes to another one. All workers must see the folder of
    the solve under the same path.
    """

    def __init__(self, client: Any) -> None:
        self.client = client
        self._began = monotonic()
        self._seen = 1

    @property
    def workers(self) -> int:
        """Threads of all workers."""
        self._seen = max(1, sum(map(int, self.client.nthreads().values())))
        return self._seen

    def seconds(self) -> float:
        """The computing time of all workers, assumed to compute all the time."""
        return (monotonic() - self._began) * self._seen

    def run(self, task: Callable[..., Result], calls: Sequence[Call]) -> Iterator[tuple[Call, Result]]:
        """Every call with its result, in the order of completion."""
        from distributed import as_completed as as_done

        with _blaming_cluster():
            futures = {self.client.submit(task, *call, pure=False, retries=_TRIES): call for call in calls}
            try:
                for future in as_done(list(futures)):  # type: ignore[no-untyped-call]
                    yield futures[future], future.result()
            finally:
                with suppress(Exception):  # the cluster may be gone, which leaves nothing to cancel
                    self.client.cancel(list(futures))


Executor: TypeAlias = Serial | Dask
"""Runs independent tasks, `workers` at the same time, and says in how many `seconds` of computing."""


@contextmanager
def _blaming_cluster() -> Iterator[None]:
    """Turn the loss of the cluster into a message; `LimitReached`, as the same command can continue."""
    import distributed
    from distributed.client import ClosedClientError, FutureCancelledError, FuturesCancelledError
    from distributed.comm.core import CommClosedError

    lost = (distributed.CancelledError, distributed.KilledWorker, FutureCancelledError, FuturesCancelledError)
    try:
        yield
    except (*lost, ClosedClientError, CommClosedError, TimeoutError) as error:
        raise LimitReached(
            "stopped: the cluster went away",
            found=f"{type(error).__name__}: {str(error).partition(chr(10))[0]}"[:200],
            advice="finished work is kept: the same command continues once a scheduler answers",
        ) from error
