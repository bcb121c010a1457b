"""Lower and upper ends of one part of a layer from those of its children, in memory.

The lower ends are rounded down and the upper up at every state, in whole numbers of one
machine word: by the very function that backs up the nodes of a whole graph (see
`algorithms.interval_kernels.backed_up`), so the numbers are the same ones.
"""

from __future__ import annotations

from functools import partial
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from endsight.algorithms.loops import loop_text
from endsight.compiler.kernels.core import BATCH, Code
from endsight.compiler.kernels.ends import Arena, Known, find_bounds
from endsight.compiler.memory import zeros
from endsight.compiler.rules import CompiledRules
from endsight.compiler.tables import scratch
from endsight.errors import FileError
from endsight.game.limits import Budget
from endsight.layers.arrays import Keys
from endsight.layers.kernel_runs import KernelRun
from endsight.layers.scoring import Scoring

Ends = npt.NDArray[np.int64]
"""Two columns: lower and upper end of what is to come for the first player, in units of the scoring."""

_STRIDE = 1 << 18
_ROOM = 1 << 10


def ends_of(
    rules: CompiledRules, keys: Keys, children: Keys, known: Ends, scoring: Scoring, budget: Budget
) -> Ends | None:
    """Ends of `keys` in their order, where `known` are those of all their children.

    None at an amount that is too large for the scale.
    `children` are distinct, in any order. Backward induction with outward rounding: R. E.
    Moore, *Interval analysis* (1966).
    """
    return _Run(rules, keys, children, budget).solve(known, scoring)


class _Run(KernelRun):
    """Children in a table by number, and buffers for the moves of some states at a time."""

    stops: ClassVar = {
        Code.NOT_LAYERED: partial(FileError, "a move leads to a state that the files of the next layer lack"),
    }

    def __init__(self, rules: CompiledRules, keys: Keys, children: Keys, budget: Budget) -> None:
        super().__init__(rules, keys, budget)
        self.numbers = self.numbered(children)

    def make_buffers(self, room: int) -> None:
        """Room for so many children at a time, and for the moves to them."""
        super().make_buffers(room)
        self.places, self.signs = zeros(room, np.int32), zeros(room, np.int8)
        self.weights, self.gains = zeros(room), zeros(room)

    def solve(self, known: Ends, scoring: Scoring) -> Ends | None:
        """The ends of all keys; None where a coarser scale is needed."""
        kernel = self.rules.kernel(find_bounds, loop_text("backed_up"))
        ends = np.empty((len(self.order), 2), np.int64)
        known = known if len(known) else np.zeros((1, 2), np.int64)
        offsets, share = zeros(BATCH + 1), scratch(2)
        result = self.drive(
            lambda: kernel(
                self.keys(), Known(self.numbers, known, ends, scoring.bits, scoring.limit),
                Arena(offsets, self.places, self.weights, self.signs, self.gains),
                self.children, self.work(_STRIDE), share,
            ),
            "solving", Code.TOO_LONG,
        )  # fmt: skip
        return ends if result == Code.DONE else None
