"""A solve on files: the forward pass over all layers, the backward pass, and the facts when all scores are known.

Forwards, the keys of each layer are found, and then its children in later layers. Backwards, the states of each layer
are scored, the last one first: once, or in sweeps over all its parts where play can stay in it. What a layer is, and so
how its keys are found, the subclasses in `layering` tell.

Every finished task is committed by name (see `storage.checkpoint`), so a killed run continues with the first task that
is missing.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import cached_property, partial
from typing import Any

from endsight.compiler.driver import REASONS
from endsight.compiler.kernels.core import Code
from endsight.compiler.packing import Packing
from endsight.compiler.refusal import CannotCompile
from endsight.compiler.rules import CompiledRules
from endsight.errors import FileError
from endsight.game import Game
from endsight.game.limits import Budget
from endsight.game.position import Position
from endsight.game.results import endless_share
from endsight.layers import tasks
from endsight.layers.executors import Executor, Serial
from endsight.layers.job import SolveJob
from endsight.layers.scoring import Measure, Scoring
from endsight.storage.checkpoint import Checkpoint

SMALL = 1 << 18
"""Layers with fewer states are not worth sending to another worker."""

NOT_EXACT = "dice or cards decide, and exact values with chance are found in memory only"

_MOST_PAYOFF = 1 << 30
_SECONDS_BETWEEN_NOTES = 0.5
_WORDS = {
    "expand": "expanding",
    "merge": "merging",
    "begin": "finding",
    "reach": "finding",
    "join": "finding",
    "close": "finding",
    "finish": "finding",
    "score": "solving",
    "choose": "choosing moves of",
    "arrange": "arranging",
}
"""The text for people of each kind of task."""
Files = tuple[str, str]
"""The files of a part's keys and of their scores."""


@dataclass(eq=False)
class SolveWork(ABC):
    """One solve, which continues from its checkpoint; it `loops` where play can come back to a position.

    It must then have keys that hold the mover of players who alternate, and neither chance nor rewards. `refusal` is
    that of the last task that refused, or `loops` where play comes back unexpectedly.
    `solved` is the number of states with scores and the number of all states, once all are found.
    """

    position: Position
    rules: CompiledRules
    checkpoint: Checkpoint
    executor: Executor
    budget: Budget
    task_bytes: int
    disk: int | None
    allows_bounds: bool = True
    loops: bool = False
    refusal: tasks.Refusal | None = None
    solved: tuple[int, int] | None = None

    def __post_init__(self) -> None:
        self.job = SolveJob.of(self.checkpoint.folder, self.rules)

    def solve(self) -> bool:
        """Run everything: forwards to the last layer, then back to the first; False where play loops unexpectedly."""
        try:
            return self.forward() and self._back()
        except BaseException:
            # Whatever stops the work, finished work is kept, if the disk still has room.
            with suppress(FileError):
                self.checkpoint.flush()
            raise

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
            self.checkpoint.commit("form", [], asdict(scoring))
        return True

    # ---------------------------------------------------------------- what a layer is

    @property
    @abstractmethod
    def first(self) -> int:
        """The layer of the position asked about."""

    @abstractmethod
    def find(self, layer: int, seeds: tuple[tasks.Seeds, ...]) -> None:
        """Find all keys of a layer from those that the `seeds` lead to, and note how many are in its parts."""

    @abstractmethod
    def division(self, layer: int) -> tasks.Division:
        """How the children of a layer are divided among files."""

    @abstractmethod
    def expansions(self, layer: int) -> list[str]:
        """The names of the tasks that expand a layer."""

    @abstractmethod
    def expected(self, layer: int, part: int) -> int:
        """The expected number of children of a part."""

    @property
    @abstractmethod
    def distinct(self) -> int | None:
        """The number of states, where those that differ only by the mover count once; None where all keys differ so."""

    @abstractmethod
    def comes_back(self, layers: Sequence[int]) -> bool:
        """Whether the last of the layers so far shows that play loops."""

    # ---------------------------------------------------------------- forwards

    def find_keys(self) -> bool:
        """Find the keys of all layers, and commit `forward`; False at a refusal: `chance` or `loops`."""
        measures = self.may_have_chance and not self.loops
        if measures and not self.allows_bounds:
            raise CannotCompile(NOT_EXACT)
        layers: list[int] = []
        waiting: dict[int, list[tasks.Seeds]] = {self.first: []}
        while waiting:
            layer = min(waiting)
            self.budget.frontier = sum(self.led_to(each, seeds) for each, seeds in waiting.items())
            self.find(layer, tuple(waiting.pop(layer)))
            layers.append(layer)
            self.budget.spend(sum(map(self.states, layers)), f"expanding layer {layer}")
            if not self._expand(layer, measures) or self.comes_back(layers):
                self.budget.frontier = 0
                return False
            for part in range(self.parts(layer)):
                for target in self._targets(layer, part):
                    if target != layer:
                        waiting.setdefault(target, []).append(tasks.Seeds(layer, part))
        self.budget.frontier = 0
        facts = (self.expanded(layer, part) for layer in layers for part in range(self.parts(layer)))
        measure = Measure.over(fact["measure"] for fact in facts if "measure" in fact)
        self.checkpoint.commit("forward", [], {"layers": layers, "measure": asdict(measure)})
        return True

    def _expand(self, layer: int, measures: bool) -> bool:
        """Find the children of a layer; False at a refusal."""
        division = self.division(layer)
        calls = [
            (self.job, layer, part, division, self.expected(layer, part), measures) for part in range(self.parts(layer))
        ]
        return self.run(tasks.expand, self.expansions(layer), calls, self.states(layer))

    def expanded(self, layer: int, part: int) -> dict[str, Any]:
        """The facts from expanding a part."""
        facts: dict[str, Any] = self.checkpoint.facts(self.expansions(layer)[part])
        return facts

    def _targets(self, layer: int, part: int) -> list[int]:
        """The layers of a part's children elsewhere, including its own layer where that has other parts."""
        return list(map(int, self.expanded(layer, part)["targets"]))

    def led_to(self, layer: int, seeds: Iterable[tasks.Seeds]) -> int:
        """The number of a layer's states that other layers lead to; those that several parts lead to count often."""
        return sum(sum(self.expanded(each.layer, each.part)["targets"].get(str(layer), ())) for each in seeds)

    # ---------------------------------------------------------------- backwards

    def backward(self) -> bool:
        """Find the scores of all layers, the last one first; False at a refusal: `form`, `scale` or `loops`."""
        scoring = self.scoring
        if self.loops and self._most_payoff >= _MOST_PAYOFF:
            raise CannotCompile("payoffs have too many digits")
        for layer in reversed(self.layers):
            self.solved = (sum(self.states(other) for other in self.layers if other > layer), self.keys)
            if self._solved(layer) is None and not self._score(layer, scoring):
                return False
        self.solved = None
        if self._has_forced:
            for layer in self.layers:
                self._choose(layer)
        self.forget("forward", "/expand/")
        self.checkpoint.flush()
        return True

    def _score(self, layer: int, scoring: Scoring) -> bool:
        """Find the scores of a layer, in sweeps until they are known; False at a refusal."""
        latest = self.checkpoint.facts(f"backward/{layer:04d}/swept")
        sweep = 0 if latest is None else latest["sweep"] + 1
        parts = range(self.parts(layer))
        is_alone = not any(layer in self._targets(layer, part) for part in parts)
        stays = self.found(layer)["inside"] > 0
        while True:
            names = self._sweep_names(layer, sweep)
            sources = [self._sources(layer, part, sweep - 1) for part in parts]
            calls = [(self.job, layer, part, sweep, sources[part], scoring, stays) for part in parts]
            if not self.run(tasks.score, names, calls, self.states(layer)):
                return False
            facts = list(map(self.checkpoint.facts, names))
            unknown, changed = (sum(fact[key] for fact in facts) for key in ("unknown", "changed"))
            is_still = is_alone or changed == 0
            if unknown and is_still:
                self.refusal = "loops"
                return False
            if is_still or (unknown == 0 and not self.loops):
                break
            self.checkpoint.commit(f"backward/{layer:04d}/swept", [], {"sweep": sweep})
            self.checkpoint.forget(*self._sweep_names(layer, sweep - 1))
            sweep += 1
        self.checkpoint.note(f"backward/{layer:04d}/solved", [], {"sweep": sweep} | merged_extremes(facts))
        self.checkpoint.forget(*self._sweep_names(layer, sweep - 1))
        return True

    def _sweep_names(self, layer: int, sweep: int) -> list[str]:
        return names_of("backward", layer, f"score-{sweep:06d}", self.parts(layer))

    def _sources(self, layer: int, part: int, sweep: int) -> tuple[tasks.ChildScores, ...]:
        """The files with the scores of a part's children; those of its own layer after `sweep` sweeps."""
        division = self.division(layer)
        return tuple(
            tasks.ChildScores(
                target,
                sweep if target == layer else self._sweep(target),
                division.asked(layer, part, target, self.parts(target)),
            )
            for target in self._targets(layer, part)
        )

    def _choose(self, layer: int) -> None:
        """Find the forced moves of a layer."""
        parts, sweep = range(self.parts(layer)), self._sweep(layer)
        names = self._choices(layer)
        # A killed run may have finished them all, and deleted their inputs.
        if any(self.checkpoint.facts(name) is None for name in names):
            calls = [(self.job, layer, part, sweep, self._sources(layer, part, sweep)) for part in parts]
            self.run(tasks.choose, names, calls, self.states(layer))

    def _choices(self, layer: int) -> list[str]:
        return names_of("backward", layer, "choose", self.parts(layer))

    def _solved(self, layer: int) -> Any:
        return self.checkpoint.facts(f"backward/{layer:04d}/solved")

    def _sweep(self, layer: int) -> int:
        """The number of sweeps that solved a layer."""
        sweep: int = self._solved(layer)["sweep"]
        return sweep

    @property
    def _has_forced(self) -> bool:
        """Whether there may be forced moves: loops, and other ends than wins, draws and losses."""
        return self.loops and (self.rules.players == 1 or self._most_payoff > 1)

    @property
    def _most_payoff(self) -> int:
        payoffs: list[int] = [self.found(layer)["payoff"] for layer in self.layers]
        return max(payoffs)

    # ---------------------------------------------------------------- what is there

    @cached_property
    def layers(self) -> list[int]:
        """The numbers of all layers, beginning with that of the position asked about."""
        layers: list[int] = self.checkpoint.facts("forward")["layers"]
        return layers

    def found(self, layer: int) -> dict[str, Any]:
        """The facts from finding the keys of a layer: its `parts`, `states` of each, and moves that stay `inside`."""
        facts: dict[str, Any] = self.checkpoint.facts(found_name(layer))
        return facts

    def parts(self, layer: int) -> int:
        """The number of parts of a layer."""
        parts: int = self.found(layer)["parts"]
        return parts

    def states(self, layer: int) -> int:
        """The number of states of a layer."""
        return sum(self.found(layer)["states"])

    def _files(self, layer: int) -> list[Files]:
        """The files of a layer's parts; those of scores have forced moves where there may be any."""
        rows = tasks.chosen_path if self._has_forced else partial(tasks.scores_path, sweep=self._sweep(layer))
        return [(tasks.keys_path(layer, part), rows(layer, part)) for part in range(self.parts(layer))]

    # ---------------------------------------------------------------- how values are written

    @cached_property
    def measure(self) -> Measure:
        """The size of the game's numbers."""
        return Measure(**self.checkpoint.facts("forward")["measure"])

    @property
    def may_have_chance(self) -> bool:
        """Whether chance occurs, or the rules define its weights."""
        return self.rules.translation.gives("weight") or self.checkpoint.facts("chance") is not None

    @property
    def scoring(self) -> Scoring:
        """The meaning of scores, as far as known; raises as `Scoring.between_ends` does."""
        if self.loops:
            return Scoring("loops")
        form = self.checkpoint.facts("form")
        if form is not None:
            return Scoring(**form)
        if self.measure.has_chance:
            return Scoring.between_ends(self.measure)
        fits = self.rules.players == 2 and not self.rules.translation.gives("reward")
        return Scoring("wins" if fits else "numbers")

    # ---------------------------------------------------------------- collecting

    @property
    def keys(self) -> int:
        """The number of keys in all layers."""
        return sum(map(self.states, self.layers))

    @property
    def extremes(self) -> dict[str, int]:
        """The range of all scores."""
        return merged_extremes(list(map(self._solved, self.layers)))

    @cached_property
    def forced(self) -> int | None:
        """The largest number of a forced move (see `table.Table`); -1 for none, None without a column of them."""
        if not self._has_forced:
            return None
        names = (name for layer in self.layers for name in self._choices(layer))
        return max(int(self.checkpoint.facts(name)["forced"]) for name in names)

    @property
    def columns(self) -> int:
        """Numbers for each state in the files."""
        return self.scoring.columns if self.forced is None else 2

    @property
    def files(self) -> tuple[Files, ...]:
        """The files of all parts."""
        return tuple(files for layer in self.layers for files in self._files(layer))

    def arrange(self, packing: Packing) -> list[Files]:
        """Sort every part under another packing, if it differs; returns the files of keys and of scores."""
        if packing == self.rules.packing:
            return list(self.files)
        for layer in self.layers:
            calls = [(self.job, layer, *files, packing, self.columns) for files in self._files(layer)]
            self.run(tasks.arrange, names_of("collect", layer, "arrange", len(calls)), calls, self.states(layer))
        self.checkpoint.flush()
        return [(keys + tasks.ARRANGED, rows + tasks.ARRANGED) for keys, rows in self.files]

    # ---------------------------------------------------------------- tasks

    def run(
        self, task: Callable[..., tasks.Done], names: Sequence[str], calls: Sequence[tuple[Any, ...]], size: int
    ) -> bool:
        """Run the tasks that are not done, in this process where they are small; False where a task refuses."""
        missing = {call: name for name, call in zip(names, calls, strict=True) if self.checkpoint.facts(name) is None}
        executor: Executor = Serial() if size <= SMALL else self.executor
        for number, (call, done) in enumerate(executor.run(task, list(missing)), 1):
            if done.refusal is not None:
                self.refusal = done.refusal
                return False
            self.checkpoint.note(missing[call], done.files, done.facts)
            self.checkpoint.flush(after=_SECONDS_BETWEEN_NOTES)
            self.checkpoint.require_space(self.disk, size)
            # States with scores, those of the current layer among them, and all states.
            more = size * number // len(missing) if task is tasks.score else 0
            part = None if self.solved is None else (self.solved[0] + more, self.solved[1])
            self.budget.look(size, f"{_WORDS[task.__name__]} layer {call[1]}", part)
        return True

    def forget(self, front: str, inside: str = "") -> None:
        """Delete all work whose name begins this way."""
        self.checkpoint.forget(*(name for name in self.checkpoint.names if name.startswith(front) and inside in name))


def why_loops_pay(game: Game) -> str | None:
    """Why the loops of that game cannot be solved on files; None where they pay nothing."""
    if game.gives("reward"):
        return "play can come back to a position, and pays on the way"
    return "play can come back to a position, and endless play pays" if any(endless_share(game)) else None


def found_name(layer: int) -> str:
    """The name of the work that finds the keys of a layer."""
    return f"forward/{layer:04d}/found"


def names_of(phase: str, layer: int, task: str, parts: int) -> list[str]:
    """The names of the same work for all parts."""
    return [f"{phase}/{layer:04d}/{task}/{part:04d}" for part in range(parts)]


def merged_extremes(facts: Sequence[dict[str, Any]]) -> dict[str, int]:
    """The range of the scores of all parts, from the facts of their tasks."""
    return {
        key: (max if key.startswith("most") else min)((fact[key] for fact in facts if fact.get(key)), default=0)
        for key in ("least_win", "most_win", "least_loss", "most_loss")
    }
