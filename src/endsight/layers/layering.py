"""What a layer is: all states that play reaches in the same number of moves, or those to which the rules give a number.

By number of moves, each layer's children are the next one. How a layer is cut into parts is committed before the first
task that depends on it. By the rules, each position is in one layer, and play may stay in it, or loop there.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

import numpy as np

from endsight.compiler.refusal import CannotCompile
from endsight.layers import work
from endsight.layers.arrays import shift_for
from endsight.layers.close_tasks import BYTES_PER_CLOSED, begin, close, finish, join, reach, with_moves
from endsight.layers.parts import Size
from endsight.layers.segments import read_keys, write_keys
from endsight.layers.tasks import ByMoves, ByRules, Seeds, keys_path, merge
from endsight.layers.work import SolveWork, found_name, names_of

BYTES_PER_CHILD, BYTES_PER_STATE = 56, 48
"""Memory of a `score`, the largest of all tasks, for each child and each key of one word."""
BYTES_PER_BOUNDS = 40
"""The same for a pair of bounds, beside its key."""

_PREFIXES_PER_PART = 100
# A layer may be larger than predicted from the last two.
_CUSHION = 1.25


class WorkByMoves(SolveWork):
    """A solve whose layers are the states that play reaches in the same number of moves."""

    first = 0
    distinct = None

    def find(self, layer: int, seeds: tuple[Seeds, ...]) -> None:
        """The position itself, or what the layer before leads to."""
        if layer == 0:
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


_FEWEST, _CHILDREN = 1 << 6, 8
"""The smallest limit of a layer's states in memory, and the room for children per state of a chunk."""


class WorkByRules(SolveWork):
    """A solve whose layers are those of the rules' `layer`, or a single one without it."""

    @property
    def first(self) -> int:
        """As the rules say."""
        game, state = self.rules.game, self.position.state
        if not self.rules.translation.gives("layer"):
            return 0
        first: int = game.layer(game.canonical(state) if self.rules.has_symmetry else state)  # type: ignore[attr-defined]
        if first < 0:
            raise CannotCompile("a layer is below 0")
        return first

    def find(self, layer: int, seeds: tuple[Seeds, ...]) -> None:
        """In memory, or else in files."""
        root = None if seeds else self.root()
        most = max(_FEWEST, self.task_bytes // (BYTES_PER_CLOSED * self.rules.packing.words))
        name = found_name(layer)
        self.run(close, [name], [(self.job, layer, seeds, root, self.task_bytes, most)], self.led_to(layer, seeds))
        if self.parts(layer) == 0:
            self._find_in_files(layer, seeds, root, most)

    def _find_in_files(self, layer: int, seeds: tuple[Seeds, ...], root: tuple[int, ...] | None, most: int) -> None:
        """The same for a layer that is too large for a task: breadth first."""
        front, chunk = f"forward/{layer:04d}/frontier", max(1, most // _CHILDREN)
        rounds = [name for name in self.checkpoint.names if name.startswith(f"{front}/join/")]
        number = max((int(name.rpartition("/")[2]) for name in rounds), default=0)
        if not rounds:
            self.run(begin, [f"{front}/join/{0:06d}"], [(self.job, layer, seeds, root, chunk)], 0)
        while (state := self.checkpoint.facts(f"{front}/join/{number:06d}"))["chunks"]:
            chunks = range(state["chunks"])
            names = [f"{front}/reach/{number:06d}/{each:06d}" for each in chunks]
            self.run(reach, names, [(self.job, layer, number, each, most) for each in chunks], state["ahead"])
            size = with_moves(Size(**state["size"]), map(self.checkpoint.facts, names))
            number += 1
            self.run(join, [f"{front}/join/{number:06d}"], [(self.job, layer, number, len(chunks), size, chunk)], 0)
            self.checkpoint.forget(f"{front}/join/{number - 1:06d}", *names)
            self.budget.spend(
                self.checkpoint.facts(f"{front}/join/{number:06d}")["size"]["states"], f"finding layer {layer}"
            )
        self.checkpoint.forget(found_name(layer))
        self.run(finish, [found_name(layer)], [(self.job, layer, number, Size(**state["size"]), self.task_bytes)], 0)
        self.forget(front)

    def division(self, layer: int) -> ByRules:
        """By layers."""
        found = self.found(layer)
        return ByRules(found["parts"], found["shift"])

    def expansions(self, layer: int) -> list[str]:
        """One for each part."""
        return names_of("forward", layer, "expand", self.parts(layer))

    def expected(self, layer: int, part: int) -> int:
        """Twice as many as the part has states."""
        states: list[int] = self.found(layer)["states"]
        return 2 * states[part]

    def comes_back(self, _layers: Sequence[int]) -> bool:
        """Loops inside a layer are noticed when it is scored."""
        return False

    @property
    def distinct(self) -> int:
        """The number of states, where those that differ only by the mover count once."""
        return sum(self.found(layer)["distinct"] for layer in self.layers)
