"""Lower and upper bounds of one part of a layer from those of its children, in memory.

The lower bounds are rounded down and the upper up at every state, in whole numbers of one machine word: by the same
function as for a whole graph (see `algorithms.interval_kernels.backed_up`), so the numbers are equal.
"""

from __future__ import annotations

from functools import partial
from inspect import getsource
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from endsight.algorithms.interval_kernels import backed_up
from endsight.compiler.kernels.core import BATCH, Code
from endsight.compiler.memory import words, zeros
from endsight.compiler.rules import CompiledRules
from endsight.engine.kernels.bounds import Arena, Known, find_bounds
from endsight.errors import FileError
from endsight.layers.arrays import Keys
from endsight.layers.kernel_runs import KernelRun
from endsight.layers.scoring import Scoring

Bounds = npt.NDArray[np.int64]
"""Two columns: lower and upper bound of the first player's future payoff, in units of the scoring."""

_STRIDE = 1 << 18


def bounds_of(rules: CompiledRules, keys: Keys, children: Keys, known: Bounds, scoring: Scoring) -> Bounds | None:
    """Bounds of `keys` in their order, where `known` are those of all their children.

    None at an amount that is too large for the scale.
    `children` are distinct, in any order. Backward induction with outward rounding: R. E.
    Moore, *Interval analysis* (1966).
    """
    return _Run(rules, keys, children).solve(known, scoring)


class _Run(KernelRun):
    """Children in a table by number, and buffers for the moves of a few states at a time."""

    stops: ClassVar = {
        Code.NOT_LAYERED: partial(FileError, "a move leads to a state that the files of the next layer lack"),
    }

    def __init__(self, rules: CompiledRules, keys: Keys, children: Keys) -> None:
        super().__init__(rules, keys)
        self.numbers = self.numbered(children)

    def make_buffers(self, room: int) -> None:
        """Make room for `room` children at a time, and for the moves to them."""
        super().make_buffers(room)
        self.places, self.signs = zeros(room, np.int32), zeros(room, np.int8)
        self.weights, self.gains = zeros(room), zeros(room)

    def solve(self, known: Bounds, scoring: Scoring) -> Bounds | None:
        """The bounds of all keys; None where a coarser scale is needed."""
        kernel = self.rules.kernel(find_bounds, getsource(backed_up))
        bounds = np.empty((len(self.order), 2), np.int64)
        known = known if len(known) else np.zeros((1, 2), np.int64)
        offsets, share = zeros(BATCH + 1), words(2)
        result = self.drive(
            lambda: kernel(
                self.keys(), Known(self.numbers, known, bounds, scoring.bits, scoring.limit),
                Arena(offsets, self.places, self.weights, self.signs, self.gains, share),
                self.children, self.work(_STRIDE),
            ),
            "solving", Code.TOO_LONG,
        )  # fmt: skip
        return bounds if result == Code.DONE else None
