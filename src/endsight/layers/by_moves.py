"""Layers by number of moves: all states that play reaches in the same number.

Each layer's children are the next one. How a layer is cut into parts is committed before the first task that depends on
it.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

import numpy as np

from endsight.base.atomic import make_folder
from endsight.layers import work
from endsight.layers.arrays import shift_for
from endsight.layers.segments import read_keys, write_keys
from endsight.layers.tasks import ByMoves, Seeds, keys_path, merge
from endsight.layers.work import Work, found_name, names_of

BYTES_PER_CHILD, BYTES_PER_STATE = 56, 48
"""Memory of a `score`, the largest of all tasks, for each child and each key of one word."""
BYTES_PER_BOUNDS = 40
"""The same for a pair of bounds, beside its key."""

_PREFIXES_PER_PART = 100
# A layer may be larger than predicted from the last two.
_CUSHION = 1.25


class WorkByMoves(Work):
    """A solve whose layers are the states that play reaches in the same number of moves."""

    first = 0
    distinct = None

    def find(self, layer: int, seeds: tuple[Seeds, ...]) -> None:
        """The position itself, or what the layer before leads to."""
        if layer == 0:
            make_folder(self.job.path(keys_path(0, 0)).parent)
            keys = np.array([self.root()], np.uint64).view(np.int64)
            files, states = [write_keys(self.job.path(""), keys_path(0, 0), keys)], [1]
        elif self.parts(layer - 1) == 1:
            files, states = [], self.expanded(layer - 1, 0)["targets"][str(layer)]
        else:
            parts = self.division(layer - 1).targets
            names = names_of("forward", layer, "merge", parts)
            calls = [(self.job, layer, part, seeds) for part in range(parts)]
            self.run(merge, names, calls, self.states(layer - 1))
            files, states = [], [self.checkpoint.facts(name)["states"] for name in names]
        self.checkpoint.note(found_name(layer), files, {"parts": len(states), "states": states, "inside": 0})

    def division(self, layer: int) -> ByMoves:
        """By the parts of the next layer, which has as many as its expected size needs."""
        name = f"forward/{layer:04d}/division"
        if self.checkpoint.facts(name) is None:
            self.checkpoint.note(name, [], self._next_parts(layer))
        return ByMoves(self.parts(layer), **self.checkpoint.facts(name))

    def _next_parts(self, layer: int) -> dict[str, int]:
        """The number of parts of the layer after `layer`, and the bits of the keys that divide it."""
        expected = self._ratio(layer) * self.states(layer) * _CUSHION
        words = self.rules.packing.words
        bounds = BYTES_PER_BOUNDS if self.may_have_chance else 0
        needed = expected * (words * BYTES_PER_STATE + bounds + (words * BYTES_PER_CHILD + bounds) * self._ratio(layer))
        parts = max(1, ceil(needed / self.task_bytes))
        if expected > work.SMALL:
            parts = max(parts, self.executor.workers)
        if parts == 1:
            return {"targets": 1, "shift": 0}
        keys = read_keys(self.job.path(""), keys_path(layer, 0), words)
        return {"targets": parts, "shift": shift_for(keys, _PREFIXES_PER_PART * parts // self.parts(layer))}

    def expansions(self, layer: int) -> list[str]:
        """The children of a single part are the next keys, so they stay."""
        task = "expand" if self.parts(layer) > 1 else "extend"
        return names_of("forward", layer, task, self.parts(layer))

    def expected(self, layer: int, _part: int) -> int:
        """As many children per state as in the layer before."""
        return ceil(self._ratio(layer) * self.states(layer) / self.parts(layer))

    def _ratio(self, layer: int) -> float:
        """The expected children per state of this layer, from the layer before; 4 at the start."""
        if layer == 0:
            return 4.0
        seeds = (Seeds(layer - 1, part) for part in range(self.parts(layer - 1)))
        return max(1.0, self.led_to(layer, seeds) / self.states(layer - 1))

    def comes_back(self, layers: Sequence[int]) -> bool:
        """Whether the last layer equals an earlier one.

        Each set of states after n moves determines the next, so if play can continue for ever, one of them recurs
        sooner or later.
        """
        own = self._fingerprint(layers[-1])
        is_back = any(own == self._fingerprint(other) for other in layers[:-1])
        if is_back:
            self.refusal = "loops"
        return is_back

    def _fingerprint(self, layer: int) -> tuple[int, int]:
        parts = range(self.parts(layer))
        return self.states(layer), sum(self.expanded(layer, part)["fingerprint"] for part in parts) % (1 << 64)
