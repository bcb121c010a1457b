"""The way there and back: which tasks are to be done, in what order, and what has been done already.

Every finished task is committed by name (see `storage.checkpoint`), so that a run which
was killed goes on with the first task that is missing. How a layer is cut into parts is
committed too, before the first task that depends on it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property, reduce
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
from endsight.layered.ends import TooLarge
from endsight.layered.executors import Executor, Serial
from endsight.layered.job import Job
from endsight.layered.parts import HasChance, NotWinLoss
from endsight.layered.room import Room
from endsight.layered.scoring import Measure, Scoring
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

__all__ = ["NOT_EXACT", "Extent", "Phases"]

SMALL = 1 << 18
"""States of a layer that are not worth the way to another worker."""

BYTES_PER_CHILD, BYTES_PER_STATE = 56, 48
"""Memory of a `gather` for each child and each key of one word, the most of all tasks."""
BYTES_PER_ENDS = 40
"""The same for a pair of ends, beside what each key takes."""

NOT_EXACT = "dice or cards decide, and exact values with chance are found in memory only"

_PREFIXES_PER_PART = 100
_SECONDS_BETWEEN_NOTES = 0.5
# A layer may be larger than the last two let expect.
_CUSHION = 1.25


@dataclass(frozen=True)
class Extent:
    """A solved folder in numbers: the parts of every layer, and what the scores range over.

    `total` is what the two players' values add up to.
    """

    parts: tuple[int, ...]
    states: tuple[int, ...]
    scoring: Scoring
    extremes: dict[str, int]
    total: int


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
        *,
        ends_will_do: bool = True,
    ) -> None:
        self.position = position
        self.rules = rules
        self.checkpoint = checkpoint
        self.executor = executor
        self.budget = budget
        self.task_bytes = task_bytes
        self.room = room
        self.ends_will_do = ends_will_do
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
        """All scores, in the first way of writing them that has room for them."""
        while True:
            try:
                return self.backward()
            except NotWinLoss:
                scoring = Scoring("numbers")
            except TooLarge:
                scoring = Scoring.between_ends(self.measure, self.scoring)
            self._forget("backward")
            self.checkpoint.commit("form", [], scoring.document())

    # ---------------------------------------------------------------- forwards

    def forward(self) -> None:
        """Find the keys of all layers."""
        if self.checkpoint.facts("forward") is not None:
            return
        try:
            self._forward()
        except HasChance:
            self._forget("forward")
            self.checkpoint.commit("chance", [], {})
            self._forward()

    @property
    def may_have_chance(self) -> bool:
        """Whether chance is met, or the rules speak of its weights."""
        return self.rules.translation.gives("weight") or self.checkpoint.facts("chance") is not None

    def _forward(self) -> None:
        if self.may_have_chance and not self.ends_will_do:
            raise CannotCompile(NOT_EXACT)
        self._begin()
        layer = 0
        while self.states(layer):
            self.budget.spend(sum(map(self.states, range(layer + 1))), f"expanding layer {layer}")
            self._check_return(layer)
            self._expand(layer)
            layer += 1
        measures = [self._measured(each).document() for each in range(layer)]
        parts = [self.parts(each) for each in range(layer)]
        self.checkpoint.commit("forward", [], {"parts": parts, "measures": measures})

    def _measured(self, layer: int) -> Measure:
        """How large the numbers of a layer are."""
        found = [fact["measure"] for fact in self._expanded(layer) if "measure" in fact]
        return reduce(Measure.and_, (Measure(**document) for document in found), Measure())

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
        calls = [(self.job, layer, part, cut, expected, self.may_have_chance) for part in range(cut.sources)]
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
        ends = BYTES_PER_ENDS if self.may_have_chance else 0
        needed = expected * (words * BYTES_PER_STATE + ends + (words * BYTES_PER_CHILD + ends) * self._ratio(layer))
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
        children: int = sum(fact["children"] for fact in self._expanded(layer - 1))
        return max(1.0, children / self.states(layer - 1))

    def _expanded(self, layer: int) -> list[dict[str, Any]]:
        """What the tasks that expanded a layer told."""
        cut = self._cut(layer)
        task, at = ("merge", layer + 1) if cut.is_whole else ("expand", layer)
        return [self.checkpoint.facts(name) for name in _names("forward", at, task, cut.sources)]

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

    @cached_property
    def measure(self) -> Measure:
        """How large the numbers of the game are."""
        found = self.checkpoint.facts("forward")["measures"]
        return reduce(Measure.and_, (Measure(**document) for document in found), Measure())

    @property
    def scoring(self) -> Scoring:
        """What scores stand for, as far as is known; raises as `Scoring.between_ends` does."""
        form = self.checkpoint.facts("form")
        if form is not None:
            return Scoring(**form)
        if self.measure.has_chance:
            return Scoring.between_ends(self.measure)
        fits = self.rules.players == 2 and not self.rules.translation.gives("reward")
        return Scoring("wins" if fits else "numbers")

    def backward(self) -> None:
        """Find the scores of all layers, the last one first."""
        scoring = self.scoring
        for layer in reversed(range(self._layers)):
            is_last = layer + 1 == self._layers
            cut = Cut(self.parts(layer), 0, 0) if is_last else self._cut(layer)
            names = _names("backward", layer, "gather", cut.sources)
            if any(self.checkpoint.facts(name) is None for name in names):
                if not cut.is_whole:
                    replies = [(self.job, layer + 1, part, cut.sources, scoring.columns) for part in range(cut.targets)]
                    self._run(reply, _names("backward", layer + 1, "reply", cut.targets), replies, self.states(layer))
                calls = [(self.job, layer, part, cut, scoring) for part in range(cut.sources)]
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
                calls = [(self.job, layer, part, packing, self.scoring.columns) for part in parts]
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
            scoring=self.scoring,
            extremes={
                key: (max if key.startswith("most") else _least)(fact.get(key, 0) for fact in facts)
                for key in ("least_win", "most_win", "least_loss", "most_loss")
            },
            total=self.measure.most_sum,
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
