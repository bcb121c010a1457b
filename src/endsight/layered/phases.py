"""The way there and back: which tasks are to be done, in what order, and what has been done already.

Every finished task is committed by name (see `storage.checkpoint`), so that a run which
was killed goes on with the first task that is missing. How a layer is cut into parts is
committed too, before the first task that depends on it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from math import ceil
from typing import Any

import numpy as np

from endsight.compiler.layers import REASONS
from endsight.compiler.packing import Packing
from endsight.compiler.refusal import CannotCompile
from endsight.compiler.rules import Code, CompiledRules
from endsight.errors import FileError
from endsight.game import Position
from endsight.layered.arrays import shift_for
from endsight.layered.executors import Executor, Serial
from endsight.layered.job import Job
from endsight.layered.parts import NotWinLoss
from endsight.layered.room import Room
from endsight.layered.segments import read_keys, write_keys
from endsight.layered.tasks import (
    ARRANGED,
    Cut,
    Done,
    arrange,
    expand,
    fingerprint,
    gather,
    keys_path,
    merge,
    reply,
    scores_path,
)
from endsight.limits import Budget
from endsight.storage.atomic import make_folder
from endsight.storage.checkpoint import Checkpoint

__all__ = ["Extent", "Phases"]

SMALL = 1 << 18
"""States of a layer that are not worth the way to another worker."""

BYTES_PER_CHILD, BYTES_PER_STATE = 56, 48
"""Memory of a `gather` for each child and each key of one word, the most of all tasks."""

_PREFIXES_PER_PART = 100
_SECONDS_BETWEEN_NOTES = 0.5
# A layer may be larger than the last two let expect.
_CUSHION = 1.25


@dataclass(frozen=True)
class Extent:
    """A solved folder in numbers: the parts of every layer, and what the scores range over."""

    parts: tuple[int, ...]
    states: tuple[int, ...]
    is_win_loss: bool
    extremes: dict[str, int]


class Phases:
    """One solve, going on from its checkpoint."""

    def __init__(
        self,
        position: Position,
        rules: CompiledRules,
        checkpoint: Checkpoint,
        executor: Executor,
        budget: Budget,
        task_bytes: int,
        room: Room,
    ) -> None:
        self.position = position
        self.rules = rules
        self.checkpoint = checkpoint
        self.executor = executor
        self.budget = budget
        self.task_bytes = task_bytes
        self.room = room
        self.job = Job.of(checkpoint.folder, rules)

    def solve(self) -> Extent:
        """Everything: forwards to the last layer, and back to the first."""
        try:
            self.forward()
            self._back()
        except BaseException:
            # Whatever stops the work: what is done is kept, if the disk still takes it.
            with suppress(FileError):
                self.checkpoint.flush()
            raise
        return self.extent

    def _back(self) -> None:
        try:
            self.backward()
        except NotWinLoss:
            self._forget("backward")
            self.checkpoint.commit("form", [], {"win_loss": False})
            self.backward()

    # ---------------------------------------------------------------- forwards

    def forward(self) -> None:
        """Find the keys of all layers."""
        if self.checkpoint.facts("forward") is not None:
            return
        self._begin()
        layer = 0
        while self.states(layer):
            self.budget.spend(sum(map(self.states, range(layer + 1))), f"expanding layer {layer}")
            self._check_return(layer)
            self._expand(layer)
            layer += 1
        parts = [self.parts(each) for each in range(layer)]
        self.checkpoint.commit("forward", [], {"parts": parts})

    def _begin(self) -> None:
        """Layer 0: the position itself."""
        if self.checkpoint.facts(_plan(0)) is not None:
            return
        key = self.rules.key(self.position.state, self.position.mover)
        if key is None:
            raise CannotCompile("the position lies outside limits()")
        keys = np.array([key], np.uint64).view(np.int64)
        make_folder(self.job.path(keys_path(0, 0)).parent)
        file = write_keys(self.job.path(""), keys_path(0, 0), keys)
        self.checkpoint.note(_name("forward", 0, "merge", 0), [file], {"states": 1, "fingerprint": fingerprint(keys)})
        self.checkpoint.note(_plan(0), [], {"parts": 1, "shift": 0})

    def _expand(self, layer: int) -> None:
        """From the keys of a layer to those of the next."""
        if self.checkpoint.facts(_plan(layer + 1)) is None:
            self.checkpoint.note(_plan(layer + 1), [], self._plan_after(layer))
        cut = self._cut(layer)
        expected = ceil(self._ratio(layer) * self.states(layer) / cut.sources)
        calls = [(self.job, layer, part, cut, expected) for part in range(cut.sources)]
        if cut.is_whole:
            self._run(expand, [_name("forward", layer + 1, "merge", 0)], calls, self.states(layer))
            return
        self._run(expand, _names("forward", layer, "expand", cut.sources), calls, self.states(layer))
        joins = [(self.job, layer + 1, part, cut.sources) for part in range(cut.targets)]
        self._run(merge, _names("forward", layer + 1, "merge", cut.targets), joins, self.states(layer))

    def _cut(self, layer: int) -> Cut:
        """How a layer meets the next one; nothing follows the last."""
        plan = self.checkpoint.facts(_plan(layer + 1))
        return Cut(self.parts(layer), plan["parts"], plan["shift"])

    def _plan_after(self, layer: int) -> dict[str, int]:
        """Into how many parts the layer after `layer` is to be cut, and by which bits of the keys."""
        expected = self._ratio(layer) * self.states(layer) * _CUSHION
        words = self.rules.packing.words
        needed = expected * words * (BYTES_PER_STATE + BYTES_PER_CHILD * self._ratio(layer))
        parts = max(1, ceil(needed / self.task_bytes))
        if expected > SMALL:
            parts = max(parts, self.executor.workers)
        if parts == 1:
            return {"parts": 1, "shift": 0}
        keys = read_keys(self.job.path(""), keys_path(layer, 0), words)
        return {"parts": parts, "shift": shift_for(keys, _PREFIXES_PER_PART * parts // self.parts(layer))}

    def _ratio(self, layer: int) -> float:
        """Children that a state of this layer probably has, going by the layer before; 4 at the start."""
        if layer == 0:
            return 4.0
        cut = self._cut(layer - 1)
        task, at = ("merge", layer) if cut.is_whole else ("expand", layer - 1)
        facts = map(self.checkpoint.facts, _names("forward", at, task, cut.sources))
        children: int = sum(fact["children"] for fact in facts)
        return max(1.0, children / self.states(layer - 1))

    def _check_return(self, layer: int) -> None:
        """Raise `CannotCompile` where a layer is one that came before: play goes round.

        The sets of states after so many moves follow each other, so if play can go on for
        ever, one of them comes back sooner or later.
        """
        own = self._fingerprint(layer)
        if any(own == self._fingerprint(other) for other in range(layer)):
            raise CannotCompile(REASONS[Code.CYCLIC])

    def _fingerprint(self, layer: int) -> tuple[int, int]:
        names = _names("forward", layer, "merge", self.parts(layer))
        return self.states(layer), sum(self.checkpoint.facts(name)["fingerprint"] for name in names) % (1 << 64)

    # ---------------------------------------------------------------- backwards

    @cached_property
    def _layers(self) -> int:
        return len(self.checkpoint.facts("forward")["parts"])

    @property
    def is_win_loss(self) -> bool:
        """Whether scores are wins, draws and losses, as far as is known."""
        form = self.checkpoint.facts("form")
        fits = self.rules.players == 2 and not self.rules.translation.gives("reward")
        return fits if form is None else bool(form["win_loss"])

    def backward(self) -> None:
        """Find the scores of all layers, the last one first."""
        for layer in reversed(range(self._layers)):
            is_last = layer + 1 == self._layers
            cut = Cut(self.parts(layer), 0, 0) if is_last else self._cut(layer)
            names = _names("backward", layer, "gather", cut.sources)
            if any(self.checkpoint.facts(name) is None for name in names):
                if not cut.is_whole:
                    replies = [(self.job, layer + 1, part, cut.sources) for part in range(cut.targets)]
                    self._run(reply, _names("backward", layer + 1, "reply", cut.targets), replies, self.states(layer))
                calls = [(self.job, layer, part, cut, self.is_win_loss) for part in range(cut.sources)]
                self._run(gather, names, calls, self.states(layer))
            self._forget(f"backward/{layer + 1:04d}/reply")
        self._forget("forward", "/expand/")
        self.checkpoint.flush()

    # ---------------------------------------------------------------- collecting

    def arrange(self, packing: Packing) -> list[tuple[str, str]]:
        """Sort every part under another packing, if it is another; gives the files of keys and of scores."""
        own = packing == self.rules.packing
        ending = "" if own else ARRANGED
        runs = []
        for layer in range(self._layers):
            parts = range(self.parts(layer))
            if not own:
                calls = [(self.job, layer, part, packing) for part in parts]
                self._run(arrange, _names("collect", layer, "arrange", len(parts)), calls, self.states(layer))
            runs += [(keys_path(layer, part) + ending, scores_path(layer, part) + ending) for part in parts]
        self.checkpoint.flush()
        return runs

    # ---------------------------------------------------------------- what is there

    def parts(self, layer: int) -> int:
        """How many parts a layer has."""
        parts: int = self.checkpoint.facts(_plan(layer))["parts"]
        return parts

    def states(self, layer: int) -> int:
        """How many states a layer has."""
        names = _names("forward", layer, "merge", self.parts(layer))
        return sum(self.checkpoint.facts(name)["states"] for name in names)

    @property
    def extent(self) -> Extent:
        """The solved folder in numbers."""
        layers = range(self._layers)
        facts = [
            self.checkpoint.facts(name)
            for layer in layers
            for name in _names("backward", layer, "gather", self.parts(layer))
        ]
        return Extent(
            parts=tuple(map(self.parts, layers)),
            states=tuple(map(self.states, layers)),
            is_win_loss=self.is_win_loss,
            extremes={
                key: (max if key.startswith("most") else _least)(fact[key] for fact in facts)
                for key in ("least_win", "most_win", "least_loss", "most_loss")
            },
        )

    # ---------------------------------------------------------------- tasks

    def _run(
        self, task: Callable[..., Done], names: Sequence[str], calls: Sequence[tuple[Any, ...]], size: int
    ) -> None:
        """Do what has not been done, here where it is little."""
        missing = {call: name for name, call in zip(names, calls, strict=True) if self.checkpoint.facts(name) is None}
        executor: Executor = Serial() if size <= SMALL else self.executor
        for call, done in executor.run(task, list(missing)):
            self.checkpoint.note(missing[call], done.files, done.facts)
            self.checkpoint.flush(after=_SECONDS_BETWEEN_NOTES)
            self.room.look(self.checkpoint.size, size)
            self.budget.look(size, f"{task.__name__} of layer {call[1]}")

    def _forget(self, front: str, inside: str = "") -> None:
        self.checkpoint.forget(*(name for name in self.checkpoint.names if name.startswith(front) and inside in name))


def _plan(layer: int) -> str:
    return f"forward/{layer:04d}/plan"


def _name(phase: str, layer: int, task: str, part: int) -> str:
    return f"{phase}/{layer:04d}/{task}/{part:04d}"


def _names(phase: str, layer: int, task: str, parts: int) -> list[str]:
    return [_name(phase, layer, task, part) for part in range(parts)]


def _least(numbers: Any) -> int:
    return min((number for number in numbers if number), default=0)
