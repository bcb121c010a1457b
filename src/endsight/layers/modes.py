"""Where a whole solve happens: in memory, on the disk of this machine, or on a cluster; one result.

`endsight.graph.plan.PLACES` chooses. A game that does not fit into memory costs the time to fill half of it.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from functools import cached_property, partial
from pathlib import Path
from typing import Any, Literal, TypeAlias, get_args

from endsight.base.machine import cores, memory_in_use
from endsight.errors import LimitReached, QuestionError, UsageError
from endsight.game.limits import Budget
from endsight.game.position import Position
from endsight.game.question import Question
from endsight.games import is_built_in
from endsight.graph.objective import may_have_rounds
from endsight.graph.plan import PLACES, fitting
from endsight.graph.soundness import require_kept
from endsight.layers.executors import Dask, Executor, Serial, Threads
from endsight.layers.round_files import FolderStore
from endsight.layers.solving import solve_layered, why_not_layered
from endsight.storage.checkpoint import Checkpoint, check_folder, read_partial
from endsight.storage.saving import Stored, solve_into

Mode: TypeAlias = Literal["auto", "memory", "disk", "cluster"]
MODES: tuple[Mode, ...] = get_args(Mode)

_OWN_BYTES = 150 << 20
"""Bytes of the process itself beside its tasks."""
_LEAST_TASK = 16 << 20
_MOST_TASK = 2 << 30


@dataclass(frozen=True)
class Solve:
    """The request for a whole solve, and the facts by which `endsight.graph.plan.PLACES` chooses its place.

    `workers` run at the same time (default: one for each core), `scheduler` is the address
    of a Dask scheduler, `disk` the most bytes of files under way. `in_memory` goes to
    `solve_into`.
    """

    folder: Path
    position: Position
    question: Question
    mode: Mode = "auto"
    workers: int | None = None
    scheduler: str | None = None
    disk: int | None = None
    symmetry: bool = True
    budget: Budget = field(default_factory=Budget)
    in_memory: Mapping[str, Any] = field(default_factory=dict)

    def stored(self) -> Stored:
        """Solve every position reachable from `position` into `folder`; see `solve_into` and `solve_layered`."""
        if self.mode not in MODES:
            raise UsageError(f"there is no mode called {self.mode!r}", allowed=", ".join(MODES))
        stored = (_PLACES[row.path](self) for row in fitting(PLACES, self))
        return next(found for found in stored if found is not None)

    @property
    def in_rounds(self) -> bool:
        """Whether the game's layers are solved in rounds, each written when it is done."""
        options = self.in_memory
        other = options.get("method") == "graph" or options.get("engine") == "plain" or options.get("kind") == "exact"
        return not (other or options.get("best")) and may_have_rounds(self.position.game, self.question)

    @property
    def has_scheduler(self) -> bool:
        """Whether a scheduler is named."""
        return self.scheduler is not None

    @property
    def has_begun(self) -> bool:
        """Whether to continue an earlier run of layers."""
        partial = read_partial(self.folder) if self.folder.is_dir() else None
        return partial is not None and any(name.startswith("forward") for name in partial["done"])

    @property
    def in_layers(self) -> bool:
        """Whether the game can be solved in layers on disk, as far as can be seen beforehand."""
        return self.refusal is None

    @cached_property
    def refusal(self) -> str | None:
        """Why it cannot be solved in layers."""
        options = self.in_memory
        if not self.question.is_plain:
            return "layers on the disk answer the plain question only: everybody's payoff, no policies"
        if options.get("best"):
            return "best moves are stored by solves in memory only"
        if options.get("method", "auto") not in ("auto", "layers") or options.get("engine", "auto") == "plain":
            return "another method or engine is asked for"
        self.budget.look(0, "compiling")
        return why_not_layered(self.position, self.symmetry, options.get("kind", "auto"))


# ---------------------------------------------------------------------- places


def _in_memory(request: Solve, budget: Budget | None = None, **more: Any) -> Stored:
    """Solve in memory, then store."""
    options = {**request.in_memory, **more, "symmetry": request.symmetry, "budget": budget or request.budget}
    return solve_into(request.folder, request.position, request.question, **options)


def _in_rounds(request: Solve) -> Stored:
    keeps = None if request.mode == "auto" else request.mode == "memory"

    def make_store(checkpoint: Checkpoint, merges: bool) -> FolderStore:
        return FolderStore(checkpoint, merges, request.budget, request.disk, keeps)

    return _in_memory(request, make_store=make_store)


def _refused(request: Solve) -> Stored:
    raise QuestionError(f"the mode {request.mode} cannot answer this", found=request.refusal, advice="--mode memory")


def _if_it_fits(request: Solve) -> Stored | None:
    """The solution, solved in half of the allowed memory; None where that is not enough to solve it."""
    half = request.budget.within(memory=memory_in_use() + request.budget.memory_left() // 2)
    stored = half.attempt(partial(_in_memory, request, half))
    begun = read_partial(request.folder) if stored is None else None
    return _in_memory(request) if begun is not None and begun["done"] else stored


def _in_layers(request: Solve, place: Literal["disk", "cluster"]) -> Stored:
    if not is_built_in(request.position.game):
        require_kept(request.position, request.question, request.budget, symmetry=request.symmetry)
    check_folder(request.folder)
    with _executor(place, request.workers, request.scheduler) as executor:
        room = request.budget.memory_left() - _OWN_BYTES
        at_once = executor.workers if place == "disk" else 1
        return solve_layered(
            request.folder,
            request.position,
            symmetry=request.symmetry,
            executor=executor,
            task_bytes=max(_LEAST_TASK, min(_MOST_TASK, room // at_once)),
            budget=request.budget,
            disk=request.disk,
            kind=request.in_memory.get("kind", "auto"),
        )


_PLACES: Mapping[str, Callable[[Solve], Stored | None]] = {
    "rounds": _in_rounds,
    "memory": _in_memory,
    "no layers": _refused,
    "half of the memory": _if_it_fits,
    "disk": partial(_in_layers, place="disk"),
    "cluster": partial(_in_layers, place="cluster"),
}


@contextmanager
def _executor(mode: Mode, workers: int | None, scheduler: str | None) -> Iterator[Executor]:
    count = workers or cores()
    if mode == "cluster":
        with ExitStack() as stack:
            yield Dask(_client(count, scheduler, stack))
    elif count == 1:
        yield Serial()
    else:
        with closing(Threads(count)) as threads:
            yield threads


def _client(workers: int, scheduler: str | None, stack: ExitStack) -> Any:
    """A client of the scheduler at that address, or of workers that this solve starts, for as long as `stack` is open.

    Such workers run on this machine in separate processes, so that one crash does not affect the others.
    """
    try:
        from distributed import Client, LocalCluster
    except ImportError:
        raise UsageError("the mode cluster needs Dask", advice="pip install 'endsight[cluster]'") from None
    stack.enter_context(_quiet())  # its loggers are there from here on
    try:
        if scheduler is not None:
            return stack.enter_context(Client(scheduler, timeout="10s"))  # type: ignore[no-untyped-call]
        cluster = LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None)  # type: ignore[no-untyped-call]
        return stack.enter_context(Client(stack.enter_context(cluster)))  # type: ignore[no-untyped-call]
    except (OSError, RuntimeError, TimeoutError, ValueError) as error:
        found = f"{type(error).__name__}: {error}"[:200]
        if scheduler is None:
            raise LimitReached(
                "stopped: the workers of the cluster did not start",
                found=found,
                advice="the same command once more, or --mode disk",
            ) from error
        raise UsageError(
            f"no Dask scheduler answers at {scheduler}",
            found=found,
            allowed="an address such as tcp://host:8786",
            advice="dask scheduler, and dask worker for each machine",
        ) from None


@contextmanager
def _quiet() -> Iterator[None]:
    """Silence Dask's reports of lost connections: whatever matters of them ends in one message."""
    names = [name for name in logging.root.manager.loggerDict if name.partition(".")[0] == "distributed"]
    before = {name: logging.getLogger(name).level for name in names}
    for name in names:
        logging.getLogger(name).setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        for name, level in before.items():
            logging.getLogger(name).setLevel(level)
