"""One part of a layer in memory: its children, and its scores from theirs.

Both passes use the kernels of `compiler.layers`, on a table that holds this part and its
children only.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from endsight.compiler.driver import Rooms
from endsight.compiler.layers import OUTSIDE_TOP
from endsight.compiler.memory import zeros
from endsight.compiler.rules import SET, UNSET, Code, CompiledRules, shared_kernel
from endsight.compiler.tables import scratch
from endsight.game.limits import Budget
from endsight.layers.arrays import Keys, sorted_keys
from endsight.layers.kernel_runs import KernelRun
from endsight.layers.scoring import Measure

__all__ = ["Expanded", "Scores", "children_of", "scores_of"]

Scores = npt.NDArray[np.int64]
"""As the mover sees them: OUTSIDE_TOP - distance for a win, distance - OUTSIDE_TOP for a loss, else the payoff."""

_STRIDE = 1 << 19


@dataclass(frozen=True)
class Expanded:
    """The children of a part, sorted, how many moves lead to them, and what was measured on the way."""

    children: Keys
    edges: int
    measure: Measure | None


def children_of(
    rules: CompiledRules, keys: Keys, budget: Budget, expected: int = 0, *, measures: bool = False
) -> Expanded | None:
    """All states one move after those of `keys`, each once; about so many are `expected`.

    Chance may have a part where `measures`: then it is found how large the numbers of the
    game are. None where it has a part otherwise.
    """
    run = _Run(rules, keys, budget)
    run.table.presize(expected)
    return run.expand(measures)


def scores_of(
    rules: CompiledRules, keys: Keys, children: Keys, answers: Scores, budget: Budget, *, is_win_loss: bool
) -> Scores | None:
    """Scores of `keys`, where those of all their children are known; None where a payoff is no win, draw or loss."""
    run = _Run(rules, keys, budget)
    return run.solve(children, answers, is_win_loss)


class _Run(KernelRun):
    """Table and buffers of one part."""

    def __init__(self, rules: CompiledRules, keys: Keys, budget: Budget) -> None:
        super().__init__(rules, keys, budget)
        self.keys = keys

    def make_buffers(self, room: int) -> None:
        """Room for so many children at a time, and what they bring."""
        super().make_buffers(room)
        self.signs = scratch(room)
        self.gains = scratch(room)

    # ---------------------------------------------------------------- children

    def expand(self, measures: bool) -> Expanded | None:
        """The children, sorted; None at chance that nobody expected."""
        count = len(self.keys)
        kernel = self.rules.kernel("measured_forward") if measures else self.rules.kernel("forward", SHARED=0, COUNTS=0)
        measured = scratch(8)
        beside = (measured, scratch(2)) if measures else (scratch(1),)
        self.make_order(4 * count + (1 << 12))

        def run() -> int:
            if int(self.counters[0]) == count:
                return Code.DONE
            return kernel(
                self.table.words, self.table.mask, min(self.table.most + count, len(self.order)), self.order,
                self.buffer, self.room, self.rules.data, self.counters,
                min(count, int(self.counters[0]) + _STRIDE), *beside,
            )  # fmt: skip

        if self.drive(run, "expanding", Code.HAS_CHANCE) == Code.HAS_CHANCE:
            return None
        children = self.met[count:].copy()
        measure = Measure.of(measured) if measures else None
        return Expanded(sorted_keys(children), int(self.counters[2]), measure)

    @property
    def rooms(self) -> Rooms:
        """What makes room for children too."""
        return {**super().rooms, Code.NODES_FULL: self._more_children}

    def _more_children(self, count: int) -> None:
        needed = len(self.met) + count
        self.more_keys(needed, needed - len(self.keys))

    # ---------------------------------------------------------------- scores

    def solve(self, children: Keys, answers: Scores, is_win_loss: bool) -> Scores | None:
        """The best of the children's scores for every key, in their order; None where they have another form."""
        count = len(self.keys)
        self.table.presize(count + len(children))
        self.table.grow(count + len(children), self.budget)
        self.table.enter(children.reshape(-1), len(children), SET)
        self.table.enter(self.keys.reshape(-1), count, UNSET)
        narrow = zeros(self.table.slots if is_win_loss else 1, np.int32)
        wide = zeros(1 if is_win_loss else self.table.slots)
        self._place(narrow, wide, children, answers, is_win_loss, fetches=False)
        kernel = self.rules.kernel("backward", WIN_LOSS=int(is_win_loss), IN_WORD=0)
        self.counters[0] = count
        counts, share = scratch(64), scratch(2)
        result = self.drive(
            lambda: kernel(
                self.table.words, self.table.mask, self.keys, narrow, wide,
                self.buffer, self.signs, self.gains, self.room, counts, share,
                OUTSIDE_TOP, self.rules.data, self.counters, max(0, int(self.counters[0]) - _STRIDE),
            ),
            "solving", Code.NOT_WIN_LOSS,
        )  # fmt: skip
        if result == Code.NOT_WIN_LOSS:
            return None
        scores = np.empty(count, np.int64)
        self._place(narrow, wide, self.keys, scores, is_win_loss, fetches=True)
        return scores

    def _place(
        self,
        narrow: npt.NDArray[np.int32],
        wide: Scores,
        keys: Keys,
        scores: Scores,
        is_win_loss: bool,
        *,
        fetches: bool,
    ) -> None:
        place = shared_kernel("place", self.words)
        code_bits = self.rules.packing.code_bits
        place(
            self.table.words, self.table.mask, narrow, wide, keys, scores, 0, len(keys), code_bits,
            int(not is_win_loss), int(fetches),
        )  # fmt: skip
