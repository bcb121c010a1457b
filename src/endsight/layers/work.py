"""The common part of both passes of a solve on files: tasks done once, and the facts when all scores are known.

Every finished task is committed by name (see `storage.checkpoint`), so a killed run continues with the first task that
is missing.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from endsight.compiler.driver import REASONS
from endsight.compiler.kernels.core import Code
from endsight.compiler.packing import Packing
from endsight.compiler.refusal import CannotCompile
from endsight.compiler.rules import CompiledRules
from endsight.errors import FileError
from endsight.game import Game, endless_share
from endsight.game.limits import Budget
from endsight.game.position import Position
from endsight.layers.disk_space import DiskSpace
from endsight.layers.executors import Executor, Serial
from endsight.layers.job import Job
from endsight.layers.scoring import Measure, Scoring
from endsight.layers.tasks import ARRANGED, Done, Refusal, arrange, keys_path
from endsight.storage.checkpoint import Checkpoint

SMALL = 1 << 18
"""Layers with fewer states are not worth sending to another worker."""

NOT_EXACT = "dice or cards decide, and exact values with chance are found in memory only"

_SECONDS_BETWEEN_NOTES = 0.5
_WORDS = {
    "expand": "expanding",
    "spread": "expanding",
    "merge": "merging",
    "begin": "finding",
    "reach": "finding",
    "join": "finding",
    "close": "finding",
    "finish": "finding",
    "gather": "solving",
    "reply": "solving",
    "settle": "solving",
    "choose": "choosing moves of",
    "arrange": "arranging",
}
"""The text for people of each kind of task."""
_SCORING = ("gather", "settle")
"""The tasks that find scores."""

Files = tuple[str, str]
"""The files of a part's keys and of their scores."""


@dataclass(frozen=True)
class Extent:
    """A solved folder in numbers: parts and states of each layer, the files of each part, the range of scores.

    `total` is the sum of the two players' values. `distinct` is the number of states, where those that differ only by
    the mover count once; None where it equals the number of keys. `forced` is the largest number of a forced move (see
    `table.Table`), -1 for none, and None where there is no column of them.
    """

    parts: tuple[int, ...]
    states: tuple[int, ...]
    files: tuple[Files, ...]
    scoring: Scoring
    extremes: dict[str, int]
    total: int
    distinct: int | None = None
    forced: int | None = None

    @property
    def columns(self) -> int:
        """Numbers for each state in the files."""
        return self.scoring.columns if self.forced is None else 2


@dataclass(eq=False)
class Work(ABC):
    """One solve, which continues from its checkpoint; it `loops` where play can come back to a position.

    `refusal` is that of the last task that refused, or `loops` where play comes back unexpectedly.
    `solved` is the number of states with scores and the number of all states, once all are found.
    """

    position: Position
    rules: CompiledRules
    checkpoint: Checkpoint
    executor: Executor
    budget: Budget
    task_bytes: int
    space: DiskSpace
    ends_will_do: bool = True
    loops: bool = False
    refusal: Refusal | None = None
    solved: tuple[int, int] | None = None

    def __post_init__(self) -> None:
        self.job = Job.of(self.checkpoint.folder, self.rules)

    def solve(self) -> Extent | None:
        """Run everything: forwards to the last layer, then back to the first; None where play loops unexpectedly."""
        try:
            if not self.forward() or not self._back():
                return None
        except BaseException:
            # Whatever stops the work, finished work is kept, if the disk still has room.
            with suppress(FileError):
                self.checkpoint.flush()
            raise
        return self.extent

    def forward(self) -> bool:
        """Find all keys; False where play comes back unexpectedly."""
        if self.checkpoint.facts("forward") is not None:
            return True
        reason = why_loops_pay(self.position.game) if self.loops else None
        if reason is not None:
            raise CannotCompile(reason)
        if self.find_keys():
            return True
        if self.refusal == "loops":
            return False
        if self.loops:
            raise CannotCompile(REASONS[Code.CYCLIC])
        self.forget("forward")
        self.checkpoint.commit("chance", [], {})
        return self.find_keys()

    def root(self) -> tuple[int, ...]:
        """The key of the position itself."""
        return self.rules.root_key(self.position.state, self.position.mover)

    def _back(self) -> bool:
        """Find all scores, in the first scoring that has room for them; False where play comes back."""
        while not self.backward():
            if self.refusal == "loops":
                return False
            numbers = self.refusal == "form"
            scoring = Scoring("numbers") if numbers else Scoring.between_ends(self.measure, self.scoring)
            self.forget("backward")
            self.checkpoint.commit("form", [], scoring.document())
        return True

    # ---------------------------------------------------------------- what the two ways say

    @abstractmethod
    def find_keys(self) -> bool:
        """Find the keys of all layers, and commit `forward`; False at a refusal: `chance` or `loops`."""

    @abstractmethod
    def backward(self) -> bool:
        """Find the scores of all layers, the last one first; False at a refusal: `form`, `scale` or `loops`."""

    @abstractmethod
    def solved_facts(self) -> list[dict[str, Any]]:
        """The facts from the tasks that found the scores."""

    @property
    @abstractmethod
    def layers(self) -> Sequence[int]:
        """The numbers of all layers, beginning with that of the position asked about."""

    @abstractmethod
    def parts(self, layer: int) -> int:
        """The number of parts of a layer."""

    @abstractmethod
    def states(self, layer: int) -> int:
        """The number of states of a layer."""

    @abstractmethod
    def rows_path(self, layer: int, part: int) -> str:
        """The file of the final facts about the states of a part."""

    # ---------------------------------------------------------------- how values are written

    @property
    @abstractmethod
    def measure(self) -> Measure:
        """The size of the game's numbers."""

    @property
    def may_have_chance(self) -> bool:
        """Whether chance occurs, or the rules define its weights."""
        return self.rules.translation.gives("weight") or self.checkpoint.facts("chance") is not None

    @property
    def scoring(self) -> Scoring:
        """The meaning of scores, as far as known; raises as `Scoring.between_ends` does."""
        form = self.checkpoint.facts("form")
        if form is not None:
            return Scoring(**form)
        if self.measure.has_chance:
            return Scoring.between_ends(self.measure)
        fits = self.rules.players == 2 and not self.rules.translation.gives("reward")
        return Scoring("wins" if fits else "numbers")

    # ---------------------------------------------------------------- collecting

    @property
    def extent(self) -> Extent:
        """The solved folder in numbers."""
        return Extent(
            parts=tuple(map(self.parts, self.layers)),
            states=tuple(map(self.states, self.layers)),
            files=self.files,
            scoring=self.scoring,
            extremes=merged_extremes(self.solved_facts()),
            total=self.measure.most_sum,
        )

    @property
    def files(self) -> tuple[Files, ...]:
        """The files of all parts."""
        return tuple(
            (keys_path(layer, part), self.rows_path(layer, part))
            for layer in self.layers
            for part in range(self.parts(layer))
        )

    def arrange(self, packing: Packing, columns: int) -> list[Files]:
        """Sort every part under another packing, if it differs; returns the files of keys and of scores."""
        if packing == self.rules.packing:
            return list(self.files)
        for layer in self.layers:
            parts = range(self.parts(layer))
            files = [(keys_path(layer, part), self.rows_path(layer, part)) for part in parts]
            calls = [(self.job, layer, *pair, packing, columns) for pair in files]
            self.run(arrange, names_of("collect", layer, "arrange", len(parts)), calls, self.states(layer))
        self.checkpoint.flush()
        return [(keys + ARRANGED, rows + ARRANGED) for keys, rows in self.files]

    # ---------------------------------------------------------------- tasks

    def run(self, task: Callable[..., Done], names: Sequence[str], calls: Sequence[tuple[Any, ...]], size: int) -> bool:
        """Run the tasks that are not done, in this process where they are small; False where a task refuses."""
        missing = {call: name for name, call in zip(names, calls, strict=True) if self.checkpoint.facts(name) is None}
        executor: Executor = Serial() if size <= SMALL else self.executor
        for number, (call, done) in enumerate(executor.run(task, list(missing)), 1):
            if done.refusal is not None:
                self.refusal = done.refusal
                return False
            self.checkpoint.note(missing[call], done.files, done.facts)
            self.checkpoint.flush(after=_SECONDS_BETWEEN_NOTES)
            self.space.look(self.checkpoint.size, size)
            part = self._solved_with(size * number // len(missing) if task.__name__ in _SCORING else 0)
            self.budget.look(size, f"{_WORDS[task.__name__]} layer {call[1]}", part)
        return True

    def _solved_with(self, more: int) -> tuple[int, int] | None:
        """The number of states with scores, with `more` of the current layer, and the number of all states."""
        return None if self.solved is None else (self.solved[0] + more, self.solved[1])

    def forget(self, front: str, inside: str = "") -> None:
        """Delete all work whose name begins this way."""
        self.checkpoint.forget(*(name for name in self.checkpoint.names if name.startswith(front) and inside in name))


def why_loops_pay(game: Game) -> str | None:
    """Why the loops of that game cannot be solved on files; None where they pay nothing."""
    if game.gives("reward"):
        return "play can come back to a position, and pays on the way"
    return "play can come back to a position, and endless play pays" if any(endless_share(game)) else None


def name_of(phase: str, layer: int, task: str, part: int) -> str:
    """The name of one piece of work."""
    return f"{phase}/{layer:04d}/{task}/{part:04d}"


def names_of(phase: str, layer: int, task: str, parts: int) -> list[str]:
    """The names of the same work for all parts."""
    return [name_of(phase, layer, task, part) for part in range(parts)]


def merged_extremes(facts: Sequence[dict[str, Any]]) -> dict[str, int]:
    """The range of the scores of all parts, from the facts of their tasks."""
    return {
        key: (max if key.startswith("most") else _least)(fact.get(key, 0) for fact in facts)
        for key in ("least_win", "most_win", "least_loss", "most_loss")
    }


def _least(numbers: Any) -> int:
    return min((number for number in numbers if number), default=0)
