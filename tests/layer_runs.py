"""Whole solves into a folder as `endsight solve` does them, with tasks of any size, and what they say of themselves."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import pytest

import endsight as es
from endsight import Limits, Position, Question
from endsight.answers import auditing
from endsight.answers.enclosed import solve_enclosed
from endsight.base.machine import memory_in_use
from endsight.game.limits import Budget
from endsight.graph.objective import View
from endsight.layers.executors import Dask, Serial, Threads
from endsight.layers.modes import Solve
from endsight.layers.solving import solve_layered
from endsight.storage import values as stored_values
from endsight.storage.checkpoint import Checkpoint
from endsight.storage.identity import Identity
from endsight.storage.saving import Stored, solve_into, store

__all__ = [
    "Done",
    "Layers",
    "anywhere",
    "audit_moves_at_once_wrongly",
    "bounds_in_memory",
    "in_layers",
    "in_memory",
    "memory_beyond",
    "memory_runs_out_at_the_end",
    "note_tasks",
    "shares_looked_at",
    "solving_stops",
    "store_a_wrong_value",
]


class Done(NamedTuple):
    """What a solve did, and the number of states."""

    outcome: str
    states: int


class Layers(NamedTuple):
    """How a solve in layers went: what it did, the scores it kept, and parts and states of every layer."""

    outcome: str
    scores: str
    bits: int
    parts: tuple[int, ...]
    states: tuple[int, ...]


def in_layers(
    folder: Path,
    place: Position | es.Game,
    *,
    workers: int = 1,
    client: Any = None,
    disk: int | None = None,
    sent: bool = False,
    before_writing: Callable[[], object] = lambda: None,
    **more: Any,
) -> Layers:
    """Solve in layers on the disk, by threads or on a cluster; `sent` pickles tasks as if they went to a process."""
    position = place if isinstance(place, Position) else place.position()
    executor = Dask(client) if client else _Sent() if sent else Serial() if workers == 1 else Threads(workers)
    seen: list[Layers] = []

    def watch(work: Any) -> None:
        parts, states = (tuple(map(of, work.layers)) for of in (work.parts, work.states))
        seen.append(Layers("", work.scoring.kind, work.scoring.bits, parts, states))
        before_writing()

    stored = solve_layered(folder, position, executor=executor, watch=watch, disk=disk, **more)
    found = seen[0] if seen else Layers("", "", 0, (), ())
    return found._replace(outcome=stored.outcome)


class _Sent(Serial):
    """Tasks and what they give back as they travel to another process."""

    def run(self, task: Any, calls: Any) -> Iterator[Any]:
        for call in calls:
            yield call, pickle.loads(pickle.dumps(task(*pickle.loads(pickle.dumps(call)))))


def in_memory(folder: Path, place: Position | es.Game, **options: Any) -> Done:
    """Solve in memory, and store."""
    position = place if isinstance(place, Position) else place.position()
    return _done(solve_into(folder, position, Question(), **options))


def bounds_in_memory(folder: Path, game: es.Game, *, symmetry: bool = True) -> None:
    """Store proven bounds of the whole graph, on arrays, whatever its size."""
    position, question = game.position(), Question()

    def solved(merges: bool, _: Any) -> Any:
        return solve_enclosed(View(game, question, symmetry=merges), position, "interval", Budget())

    identity = Identity.of(position, question, symmetry=symmetry, kind="interval")
    store(folder, identity, position, Budget(), solved, best=False)


def anywhere(
    folder: Path,
    place: Position | es.Game,
    question: Question | None = None,
    *,
    limits: Limits | None = None,
    **options: Any,
) -> Done:
    """Solve in memory, on the disk or on a cluster, by `mode`."""
    position = place if isinstance(place, Position) else place.position()
    of_place = ("mode", "workers", "scheduler", "disk", "symmetry")
    given = {name: options.pop(name) for name in of_place if name in options}
    asked = Solve(folder, position, question or Question(), budget=Budget(limits), in_memory=options, **given)
    return _done(asked.stored())


def _done(stored: Stored) -> Done:
    return Done(stored.outcome, stored.manifest.states)


def memory_beyond(spare: int) -> Limits:
    """Limits that leave so many bytes beside what this process takes."""
    return Limits(memory=memory_in_use() + spare)


# ---------------------------------------------------------------- at moments that nobody can choose


def note_tasks(patch: pytest.MonkeyPatch, then: Callable[[str], object]) -> None:
    """Call `then` with the name of every task whose result a solve in layers has noted."""
    note = Checkpoint.note

    def noting(checkpoint: Checkpoint, name: str, *more: Any) -> None:
        note(checkpoint, name, *more)
        then(name)

    patch.setattr(Checkpoint, "note", noting)


def memory_runs_out_at_the_end(patch: pytest.MonkeyPatch) -> list[int]:
    """The first solve that would be complete is out of memory then; counts the solves that come so far."""
    finish, tried = Checkpoint.finish, [0]

    def finished(checkpoint: Checkpoint, manifest: Any) -> None:
        tried[0] += 1
        if tried[0] == 1:
            raise Budget().memory_is_out("writing")
        finish(checkpoint, manifest)

    patch.setattr(Checkpoint, "finish", finished)
    return tried


def shares_looked_at(patch: pytest.MonkeyPatch) -> list[int]:
    """The numbers of the shares of an audit, as tasks look at them."""
    shares: list[int] = []
    honest = auditing.audit

    def audit(*arguments: Any, share: int = 0) -> Any:
        shares.append(share)
        return honest(*arguments, share=share)

    patch.setattr("endsight.storage.audit.audit", audit)
    return shares


def store_a_wrong_value(patch: pytest.MonkeyPatch) -> None:
    """What is stored has one wrong value, and everything else as it should be."""
    honest = stored_values.scores

    def scores(values: Any, distances: Any, draw: Any) -> Any:
        values, distances = list(values), list(distances)
        place = max(node for node, plies in enumerate(distances) if plies)
        values[place] = values[place][::-1]
        return honest(values, distances, draw)

    patch.setattr(stored_values, "scores", scores)


def audit_moves_at_once_wrongly(patch: pytest.MonkeyPatch) -> None:
    """An audit finds other worths of moves at once than a solve does."""
    patch.setattr(auditing, "matrix_game", lambda rows: SimpleNamespace(value=rows[0][0] + 1))


def solving_stops(patch: pytest.MonkeyPatch, stops: Exception) -> list[Any]:
    """Solves in memory stop by that error; the memory that each of them might take."""
    limits: list[Any] = []

    def too_large(*_: object, budget: Budget, **__: object) -> None:
        limits.append(budget.limits.memory)
        raise stops

    patch.setattr("endsight.layers.modes.solve_into", too_large)
    return limits
