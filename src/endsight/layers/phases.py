"""The forward and backward passes by number of moves: the tasks and their order.

How a layer is cut into parts is committed before the first task that depends on it.
"""

from __future__ import annotations

from functools import cached_property
from math import ceil
from typing import Any

import numpy as np

from endsight.base.atomic import make_folder
from endsight.compiler.refusal import CannotCompile
from endsight.layers import work
from endsight.layers.arrays import shift_for
from endsight.layers.scoring import Measure
from endsight.layers.segments import read_keys, write_keys
from endsight.layers.tasks import Cut, expand, fingerprint, gather, keys_path, merge, reply, scores_path
from endsight.layers.work import NOT_EXACT, Work, name_of, names_of

BYTES_PER_CHILD, BYTES_PER_STATE = 56, 48
"""Memory of a `gather`, the largest of all tasks, for each child and each key of one word."""
BYTES_PER_ENDS = 40
"""The same for a pair of ends, beside its key."""

_PREFIXES_PER_PART = 100
# A layer may be larger than predicted from the last two.
_CUSHION = 1.25


class Phases(Work):
    """A solve whose layers are the states that play reaches in the same number of moves."""

    # ---------------------------------------------------------------- forwards

    def find_keys(self) -> bool:
        """Find the keys of all layers; False at a refusal."""
        if self.may_have_chance and not self.ends_will_do:
            raise CannotCompile(NOT_EXACT)
        self._begin()
        layer = 0
        while self.states(layer):
            self.budget.frontier = self.states(layer)
            self.budget.spend(sum(map(self.states, range(layer + 1))), f"expanding layer {layer}")
            comes_back = self._comes_back(layer)
            if comes_back:
                self.refusal = "loops"
            if comes_back or not self._expand(layer):
                self.budget.frontier = 0
                return False
            layer += 1
        self.budget.frontier = 0
        measures = [self._measured(each).document() for each in range(layer)]
        parts = [self.parts(each) for each in range(layer)]
        self.checkpoint.commit("forward", [], {"parts": parts, "measures": measures})
        return True

    def _measured(self, layer: int) -> Measure:
        """The size of a layer's numbers."""
        return Measure.over(fact["measure"] for fact in self._expanded(layer) if "measure" in fact)

    def _begin(self) -> None:
        """Layer 0: the position itself."""
        if self.checkpoint.facts(_plan(0)) is not None:
            return
        keys = np.array([self.root()], np.uint64).view(np.int64)
        make_folder(self.job.path(keys_path(0, 0)).parent)
        file = write_keys(self.job.path(""), keys_path(0, 0), keys)
        self.checkpoint.note(name_of("forward", 0, "merge", 0), [file], {"states": 1, "fingerprint": fingerprint(keys)})
        self.checkpoint.note(_plan(0), [], {"parts": 1, "shift": 0})

    def _expand(self, layer: int) -> bool:
        """From the keys of a layer to those of the next; False at a refusal."""
        if self.checkpoint.facts(_plan(layer + 1)) is None:
            self.checkpoint.note(_plan(layer + 1), [], self._plan_after(layer))
        cut = self._cut(layer)
        expected = ceil(self._ratio(layer) * self.states(layer) / cut.sources)
        calls = [(self.job, layer, part, cut, expected, self.may_have_chance) for part in range(cut.sources)]
        if cut.is_whole:
            return self.run(expand, [name_of("forward", layer + 1, "merge", 0)], calls, self.states(layer))
        if not self.run(expand, names_of("forward", layer, "expand", cut.sources), calls, self.states(layer)):
            return False
        joins = [(self.job, layer + 1, part, cut.sources) for part in range(cut.targets)]
        return self.run(merge, names_of("forward", layer + 1, "merge", cut.targets), joins, self.states(layer))

    def _cut(self, layer: int) -> Cut:
        """How a layer and the next one are divided; the last layer has no next one."""
        plan = self.checkpoint.facts(_plan(layer + 1))
        return Cut(self.parts(layer), plan["parts"], plan["shift"])

    def _plan_after(self, layer: int) -> dict[str, int]:
        """The number of parts of the layer after `layer`, and the bits of the keys that divide it."""
        expected = self._ratio(layer) * self.states(layer) * _CUSHION
        words = self.rules.packing.words
        ends = BYTES_PER_ENDS if self.may_have_chance else 0
        needed = expected * (words * BYTES_PER_STATE + ends + (words * BYTES_PER_CHILD + ends) * self._ratio(layer))
        parts = max(1, ceil(needed / self.task_bytes))
        if expected > work.SMALL:
            parts = max(parts, self.executor.workers)
        if parts == 1:
            return {"parts": 1, "shift": 0}
        keys = read_keys(self.job.path(""), keys_path(layer, 0), words)
        return {"parts": parts, "shift": shift_for(keys, _PREFIXES_PER_PART * parts // self.parts(layer))}

    def _ratio(self, layer: int) -> float:
        """The expected children per state of this layer, from the layer before; 4 at the start."""
        if layer == 0:
            return 4.0
        children: int = sum(fact["children"] for fact in self._expanded(layer - 1))
        return max(1.0, children / self.states(layer - 1))

    def _expanded(self, layer: int) -> list[dict[str, Any]]:
        """The facts from the tasks that expanded a layer."""
        cut = self._cut(layer)
        task, at = ("merge", layer + 1) if cut.is_whole else ("expand", layer)
        return [self.checkpoint.facts(name) for name in names_of("forward", at, task, cut.sources)]

    def _comes_back(self, layer: int) -> bool:
        """Whether a layer equals an earlier one: play loops.

        Each set of states after n moves determines the next, so if play can continue for ever, one of them recurs
        sooner or later.
        """
        own = self._fingerprint(layer)
        return any(own == self._fingerprint(other) for other in range(layer))

    def _fingerprint(self, layer: int) -> tuple[int, int]:
        names = names_of("forward", layer, "merge", self.parts(layer))
        return self.states(layer), sum(self.checkpoint.facts(name)["fingerprint"] for name in names) % (1 << 64)

    # ---------------------------------------------------------------- backwards

    @property
    def layers(self) -> range:
        """By number of moves."""
        return range(self._layers)

    @cached_property
    def _layers(self) -> int:
        return len(self.checkpoint.facts("forward")["parts"])

    @cached_property
    def measure(self) -> Measure:
        """How large the numbers of the game are."""
        return Measure.over(self.checkpoint.facts("forward")["measures"])

    def backward(self) -> bool:
        """Find the scores of all layers, the last one first; False at a refusal."""
        scoring = self.scoring
        whole = sum(map(self.states, self.layers))
        for layer in reversed(range(self._layers)):
            self.solved = (whole - sum(map(self.states, range(layer + 1))), whole)
            is_last = layer + 1 == self._layers
            cut = Cut(self.parts(layer), 0, 0) if is_last else self._cut(layer)
            names = names_of("backward", layer, "gather", cut.sources)
            if any(self.checkpoint.facts(name) is None for name in names):
                if not cut.is_whole:
                    replies = [(self.job, layer + 1, part, cut.sources, scoring.columns) for part in range(cut.targets)]
                    self.run(reply, names_of("backward", layer + 1, "reply", cut.targets), replies, self.states(layer))
                calls = [(self.job, layer, part, cut, scoring) for part in range(cut.sources)]
                if not self.run(gather, names, calls, self.states(layer)):
                    return False
            self.forget(f"backward/{layer + 1:04d}/reply")
        self.solved = None
        self.forget("forward", "/expand/")
        self.checkpoint.flush()
        return True

    # ---------------------------------------------------------------- what is there

    def parts(self, layer: int) -> int:
        """The number of parts of a layer."""
        parts: int = self.checkpoint.facts(_plan(layer))["parts"]
        return parts

    def states(self, layer: int) -> int:
        """The number of states of a layer."""
        names = names_of("forward", layer, "merge", self.parts(layer))
        return sum(self.checkpoint.facts(name)["states"] for name in names)

    def rows_path(self, layer: int, part: int) -> str:
        """The scores of a part."""
        return scores_path(layer, part)

    def solved_facts(self) -> list[dict[str, Any]]:
        """The facts of every `gather`."""
        names = (name for each in self.layers for name in names_of("backward", each, "gather", self.parts(each)))
        return list(map(self.checkpoint.facts, names))


def _plan(layer: int) -> str:
    return f"forward/{layer:04d}/plan"
