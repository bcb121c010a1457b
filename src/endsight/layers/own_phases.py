"""The forward and backward passes over the rules' own layers: each position once, and loops inside a layer.

Forwards, each layer is closed: all its states that known states lead to are found. Backwards, its states
are settled, once where the layer is one part, in sweeps over all parts where it has several.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import cached_property
from typing import Any

from endsight.compiler.refusal import CannotCompile
from endsight.layers.far_closing import begin, finish, join, reach
from endsight.layers.own_tasks import (
    BYTES_PER_CLOSED,
    Seeds,
    Size,
    Source,
    choose,
    chosen_path,
    close,
    settle,
    settled_path,
    spread,
)
from endsight.layers.scoring import Measure, Scoring
from endsight.layers.work import NOT_EXACT, Extent, Work, merged_extremes, name_of, names_of

_MOST_PAYOFF = 1 << 30
_FEWEST, _CHILDREN = 1 << 6, 8
"""The smallest limit of a layer's states in memory, and the room for children per state of a chunk."""


class OwnPhases(Work):
    """A solve whose layers are those of the rules' `layer`, or a single one without it.

    It `loops` where play can come back to a position: then keys must hold the mover of players who
    alternate, and there must be neither chance nor rewards. Refuses `loops` where play comes back without it.
    """

    # ---------------------------------------------------------------- forwards

    def find_keys(self) -> bool:
        """Find the keys of all layers; False at unexpected chance."""
        measures = self.may_have_chance and not self.loops
        if measures and not self.ends_will_do:
            raise CannotCompile(NOT_EXACT)
        key = self.root()
        gives = self.rules.translation.gives("layer")
        state = self.rules.game.canonical(self.position.state) if self.rules.has_symmetry else self.position.state
        first: int = self.rules.game.layer(state) if gives else 0  # type: ignore[attr-defined]
        if first < 0:
            raise CannotCompile("a layer is below 0")
        layers: list[int] = []
        waiting: dict[int, list[Seeds]] = {first: []}
        while waiting:
            layer = min(waiting)
            self.budget.frontier = sum(self._seeds(each, seeds) for each, seeds in waiting.items())
            self._close(layer, tuple(waiting.pop(layer)), key if layer == first else None)
            layers.append(layer)
            self.budget.spend(sum(map(self.states, layers)), f"expanding layer {layer}")
            plan, parts = self._plan(layer), range(self.parts(layer))
            calls = [(self.job, layer, part, plan["shift"], plan["parts"], measures) for part in parts]
            if not self.run(spread, names_of("forward", layer, "spread", len(parts)), calls, self.states(layer)):
                return False
            for part in parts:
                for target in self._targets(layer, part):
                    if target != layer:
                        waiting.setdefault(target, []).append(Seeds(layer, part))
        found = (self._spread(layer, part) for layer in layers for part in range(self.parts(layer)))
        self.budget.frontier = 0
        measure = Measure.over(fact["measure"] for fact in found if "measure" in fact)
        self.checkpoint.commit("forward", [], {"layers": layers, "measure": measure.document()})
        return True

    def _close(self, layer: int, seeds: tuple[Seeds, ...], root: tuple[int, ...] | None) -> None:
        """Find all keys of a layer: in memory, or else in files."""
        most = max(_FEWEST, self.task_bytes // (BYTES_PER_CLOSED * self.rules.packing.words))
        name = name_of("forward", layer, "close", 0)
        self.run(close, [name], [(self.job, layer, seeds, root, self.task_bytes, most)], self._seeds(layer, seeds))
        if self._plan(layer)["parts"] == 0:
            self._close_in_files(layer, seeds, root, most)

    def _close_in_files(self, layer: int, seeds: tuple[Seeds, ...], root: tuple[int, ...] | None, most: int) -> None:
        """The same for a layer that is too large for a task: breadth first."""
        front, chunk = f"forward/{layer:04d}/far", max(1, most // _CHILDREN)
        turns = [name for name in self.checkpoint.names if name.startswith(f"{front}/join/")]
        turn = max((int(name.rpartition("/")[2]) for name in turns), default=0)
        if not turns:
            self.run(begin, [f"{front}/join/{0:06d}"], [(self.job, layer, seeds, root, chunk)], 0)
        while (state := self.checkpoint.facts(f"{front}/join/{turn:06d}"))["chunks"]:
            chunks = range(state["chunks"])
            names = [f"{front}/reach/{turn:06d}/{number:06d}" for number in chunks]
            self.run(reach, names, [(self.job, layer, turn, each, most) for each in chunks], state["ahead"])
            found = list(map(self.checkpoint.facts, names))
            size = Size(
                state["known"],
                state["edges"] + sum(fact["edges"] for fact in found),
                state["inside"] + sum(fact["inside"] for fact in found),
                max(state["payoff"], *(fact["payoff"] for fact in found)),
            )
            turn += 1
            self.run(join, [f"{front}/join/{turn:06d}"], [(self.job, layer, turn, len(chunks), size, chunk)], 0)
            self.checkpoint.forget(f"{front}/join/{turn - 1:06d}", *names)
            self.budget.spend(self.checkpoint.facts(f"{front}/join/{turn:06d}")["known"], f"finding layer {layer}")
        size = Size(state["known"], state["edges"], state["inside"], state["payoff"])
        name = name_of("forward", layer, "close", 0)
        self.checkpoint.forget(name)
        self.run(finish, [name], [(self.job, layer, turn, size, self.task_bytes)], 0)
        self.forget(front)

    def _seeds(self, layer: int, seeds: Iterable[Seeds]) -> int:
        """The number of a layer's states that other layers lead to."""
        return sum(self._spread(each.layer, each.part)["targets"][str(layer)] for each in seeds)

    def _plan(self, layer: int) -> dict[str, Any]:
        """The facts from closing a layer."""
        plan: dict[str, Any] = self.checkpoint.facts(name_of("forward", layer, "close", 0))
        return plan

    def _spread(self, layer: int, part: int) -> dict[str, Any]:
        """The facts from spreading a part."""
        facts: dict[str, Any] = self.checkpoint.facts(name_of("forward", layer, "spread", part))
        return facts

    def _targets(self, layer: int, part: int) -> list[int]:
        """The layers of a part's children elsewhere, including its own layer where that has other parts."""
        return list(map(int, self._spread(layer, part)["targets"]))

    # ---------------------------------------------------------------- backwards

    @cached_property
    def layers(self) -> list[int]:
        """The numbers of the rules."""
        layers: list[int] = self.checkpoint.facts("forward")["layers"]
        return layers

    @cached_property
    def measure(self) -> Measure:
        """How large the numbers of the game are."""
        return Measure(**self.checkpoint.facts("forward")["measure"])

    @property
    def scoring(self) -> Scoring:
        """The meaning of scores."""
        return Scoring("loops") if self.loops else super().scoring

    def backward(self) -> bool:
        """Find the scores of all layers, the last one first; False at a refusal."""
        scoring = self.scoring
        if self.loops and self._most_payoff >= _MOST_PAYOFF:
            raise CannotCompile("payoffs have too many digits")
        whole = sum(map(self.states, self.layers))
        for layer in reversed(self.layers):
            self.solved = (sum(self.states(other) for other in self.layers if other > layer), whole)
            if self._solved(layer) is None and not self._settle(layer, scoring):
                return False
        self.solved = None
        if self._has_forced:
            for layer in self.layers:
                self._choose(layer)
        self.forget("forward", "/spread/")
        self.checkpoint.flush()
        return True

    def _choose(self, layer: int) -> None:
        """Find the forced moves of a layer."""
        parts, sweep = range(self.parts(layer)), self._sweep(layer)
        names = names_of("backward", layer, "choose", len(parts))
        # A killed run may have finished them all, and deleted their inputs.
        if any(self.checkpoint.facts(name) is None for name in names):
            calls = [(self.job, layer, part, sweep, self._sources(layer, part, sweep)) for part in parts]
            self.run(choose, names, calls, self.states(layer))

    def _settle(self, layer: int, scoring: Scoring) -> bool:
        """Find the scores of a layer, in sweeps until they are known; False at a refusal."""
        swept = self.checkpoint.facts(f"backward/{layer:04d}/swept")
        sweep = 0 if swept is None else swept["sweep"] + 1
        parts = range(self.parts(layer))
        is_alone = not any(layer in self._targets(layer, part) for part in parts)
        while True:
            names = self._settles(layer, sweep)
            sources = [self._sources(layer, part, sweep - 1) for part in parts]
            calls = [(self.job, layer, part, sweep, sources[part], scoring) for part in parts]
            if not self.run(settle, names, calls, self.states(layer)):
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
            self.checkpoint.forget(*self._settles(layer, sweep - 1))
            sweep += 1
        self.checkpoint.note(f"backward/{layer:04d}/solved", [], {"sweep": sweep} | merged_extremes(facts))
        self.checkpoint.forget(*self._settles(layer, sweep - 1))
        return True

    def _settles(self, layer: int, sweep: int) -> list[str]:
        return names_of("backward", layer, f"settle-{sweep:06d}", self.parts(layer))

    def _sources(self, layer: int, part: int, sweep: int) -> tuple[Source, ...]:
        """The files with the scores of a part's children; those of its own layer after `sweep` sweeps."""
        return tuple(
            Source(target, self.parts(target), sweep if target == layer else self._sweep(target))
            for target in self._targets(layer, part)
        )

    def _solved(self, layer: int) -> Any:
        return self.checkpoint.facts(f"backward/{layer:04d}/solved")

    def _sweep(self, layer: int) -> int:
        """The number of sweeps that solved a layer."""
        sweep: int = self._solved(layer)["sweep"]
        return sweep

    # ---------------------------------------------------------------- what is there

    def parts(self, layer: int) -> int:
        """The number of parts of a layer."""
        parts: int = self._plan(layer)["parts"]
        return parts

    def states(self, layer: int) -> int:
        """The number of states of a layer."""
        return sum(self._plan(layer)["states"])

    def rows_path(self, layer: int, part: int) -> str:
        """The scores, with forced moves where there may be any."""
        return chosen_path(layer, part) if self._has_forced else settled_path(layer, part, self._sweep(layer))

    @property
    def _most_payoff(self) -> int:
        payoffs: list[int] = [self._plan(layer)["payoff"] for layer in self.layers]
        return max(payoffs)

    @property
    def _has_forced(self) -> bool:
        """Whether there may be forced moves: loops, and other ends than wins, draws and losses."""
        return self.loops and (self.rules.players == 1 or self._most_payoff > 1)

    @property
    def extent(self) -> Extent:
        """The solved folder in numbers."""
        plans, forced = list(map(self._plan, self.layers)), None
        if self._has_forced:
            names = (name for each in self.layers for name in names_of("backward", each, "choose", self.parts(each)))
            forced = max(self.checkpoint.facts(name)["forced"] for name in names)
        return replace(super().extent, distinct=sum(plan["distinct"] for plan in plans), forced=forced)

    def solved_facts(self) -> list[dict[str, Any]]:
        """The facts about every layer."""
        return list(map(self._solved, self.layers))
