"""Where a whole solve happens: in memory, on the disk of this machine, or on a cluster; one result.

`auto` begins in memory. Where the disk would do as well and half of the memory that may be used is
not enough, it begins again on the disk: a game that is too large costs the time to fill that half.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Literal, TypeAlias, get_args

from endsight.errors import LimitReached, QuestionError, UsageError
from endsight.layered.executors import Dask, Executor, Serial, Threads
from endsight.layered.room import Room
from endsight.layered.round_files import FolderShelf
from endsight.layered.solving import solve_layered, why_not_layered
from endsight.limits import Budget
from endsight.machine import memory_in_use
from endsight.objective import may_have_rounds
from endsight.position import Position
from endsight.question import Question
from endsight.solver import require_equivalent
from endsight.storage.checkpoint import Checkpoint, check_folder, read_partial
from endsight.storage.saving import Stored, solve_into

__all__ = ["MODES", "Mode", "solve_anywhere"]

Mode: TypeAlias = Literal["auto", "memory", "disk", "cluster"]
MODES: tuple[Mode, ...] = get_args(Mode)

_OWN_BYTES = 150 << 20
"""What the process itself takes beside its tasks."""
_LEAST_TASK = 16 << 20
_MOST_TASK = 2 << 30


def solve_anywhere(
    folder: Path,
    position: Position,
    question: Question,
    *,
    mode: Mode = "auto",
    workers: int | None = None,
    scheduler: str | None = None,
    disk: int | None = None,
    symmetry: bool = True,
    budget: Budget | None = None,
    **in_memory: Any,
) -> Stored:
    """Solve every position reachable from `position` into `folder`; see `solve_into` and `solve_layered`.

    `workers` run at the same time (default: one for each core), `scheduler` is the address
    of a Dask scheduler, `disk` the most bytes of files under way. `in_memory` goes to
    `solve_into`.
    """
    budget = budget or Budget()
    if mode not in MODES:
        raise UsageError(f"no mode is called {mode!r}", allowed=", ".join(MODES))
    if mode != "cluster" and _goes_in_rounds(position, question, in_memory):
        keeps = None if mode == "auto" else mode == "memory"
        shelf = partial(_shelf, budget=budget, room=Room(folder, disk), in_memory=keeps)
        return solve_into(folder, position, question, symmetry=symmetry, budget=budget, shelf=shelf, **in_memory)
    reason = None if mode == "memory" else _why_not(position, question, symmetry, in_memory)
    whole = partial(solve_into, folder, position, question, symmetry=symmetry, **in_memory)
    if mode == "auto":
        mode = "cluster" if scheduler is not None else "memory" if reason is not None else "disk"
        if mode == "disk" and not _has_begun_layers(folder):
            stored = _if_it_fits(whole, budget, folder)
            if stored is not None:
                return stored
    if mode == "memory":
        return whole(budget=budget)
    if reason is not None:
        raise QuestionError(f"the mode {mode} cannot answer this", found=reason, advice="--mode memory")
    if symmetry:
        require_equivalent(position.game, position)
    check_folder(folder)
    with _executor(mode, workers, scheduler) as executor:
        return solve_layered(
            folder,
            position,
            symmetry=symmetry,
            executor=executor,
            task_bytes=_task_bytes(budget, executor.workers if mode == "disk" else 1),
            budget=budget,
            room=Room(folder, disk),
            kind=in_memory.get("kind", "auto"),
        )


def _goes_in_rounds(position: Position, question: Question, in_memory: dict[str, Any]) -> bool:
    """Whether this is a game whose layers are solved in rounds, each written when it is done."""
    other = in_memory.get("method") == "graph" or in_memory.get("engine") == "plain" or in_memory.get("kind") == "exact"
    return not (other or in_memory.get("best")) and may_have_rounds(position.game, question)


def _shelf(checkpoint: Checkpoint, merges: bool, budget: Budget, room: Room, in_memory: bool | None) -> FolderShelf:
    return FolderShelf(checkpoint, merges, budget, room, in_memory)


def _why_not(position: Position, question: Question, symmetry: bool, in_memory: dict[str, Any]) -> str | None:
    """Why this cannot be solved in layers, as far as can be seen beforehand."""
    if not question.is_plain:
        return "layers on the disk answer the plain question only: everybody's payoff, no policies"
    if in_memory.get("best"):
        return "best moves are stored by solves in memory only"
    if in_memory.get("method", "auto") not in ("auto", "layers") or in_memory.get("engine", "auto") == "plain":
        return "another method or engine is asked for"
    return why_not_layered(position, symmetry, in_memory.get("kind", "auto"))


def _if_it_fits(whole: Callable[..., Stored], budget: Budget, folder: Path) -> Stored | None:
    """The solution solved in half of the memory that may be used; None where that is not enough."""
    half = memory_in_use() + budget.memory_left() // 2
    limits = replace(budget.limits, memory=half, seconds=budget.seconds_left, since=None)
    try:
        return whole(budget=Budget(limits, budget.progress))
    except LimitReached as stop:
        partial = read_partial(folder)
        if stop.limit != "memory" or (partial is not None and partial["done"]):
            raise
        return None


def _has_begun_layers(folder: Path) -> bool:
    """Whether an earlier run of layers is to be gone on with."""
    partial = read_partial(folder) if folder.is_dir() else None
    return partial is not None and any(name.startswith("forward") for name in partial["done"])


def _task_bytes(budget: Budget, workers: int) -> int:
    """Memory for each of so many tasks at the same time."""
    room = budget.memory_left() - _OWN_BYTES
    return max(_LEAST_TASK, min(_MOST_TASK, room // workers))


@contextmanager
def _executor(mode: Mode, workers: int | None, scheduler: str | None) -> Iterator[Executor]:
    count = workers or _cores()
    if mode == "cluster":
        with _client(count, scheduler) as client:
            yield Dask(client)
    elif count == 1:
        yield Serial()
    else:
        threads = Threads(count)
        try:
            yield threads
        finally:
            threads.close()


def _cores() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextmanager
def _client(workers: int, scheduler: str | None) -> Iterator[Any]:
    """A client of the scheduler at that address, or of workers started on this machine for this solve."""
    try:
        import distributed
    except ImportError:
        raise UsageError("the mode cluster needs Dask", advice="pip install 'endsight[cluster]'") from None
    if scheduler is None:
        with _quiet(), _own_cluster(workers) as cluster, distributed.Client(cluster) as client:  # type: ignore[no-untyped-call]
            yield client
        return
    with _quiet(), _client_of(scheduler) as client:
        yield client


@contextmanager
def _quiet() -> Iterator[None]:
    """Without what Dask reports of lost connections: whatever matters of it ends in one message."""
    names = [name for name in logging.root.manager.loggerDict if name.partition(".")[0] == "distributed"]
    before = {name: logging.getLogger(name).level for name in names}
    for name in names:
        logging.getLogger(name).setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        for name, level in before.items():
            logging.getLogger(name).setLevel(level)


def _client_of(scheduler: str) -> Any:
    """A client of the scheduler at that address; `UsageError` where none answers."""
    import distributed

    try:
        return distributed.Client(scheduler, timeout="10s")  # type: ignore[no-untyped-call]
    except (OSError, TimeoutError, ValueError) as error:
        raise UsageError(
            f"no Dask scheduler answers at {scheduler}",
            found=f"{type(error).__name__}: {error}"[:200],
            allowed="an address such as tcp://host:8786",
            advice="dask scheduler, and dask worker for each machine",
        ) from None


def _own_cluster(workers: int) -> Any:
    """Workers on this machine, as processes of their own: one that dies takes nobody with it."""
    import distributed

    try:
        return distributed.LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None)  # type: ignore[no-untyped-call]
    except (OSError, RuntimeError, TimeoutError) as error:
        raise LimitReached(
            "stopped: the workers of the cluster did not start",
            found=f"{type(error).__name__}: {error}"[:200],
            advice="the same command once more, or --mode disk",
        ) from error
