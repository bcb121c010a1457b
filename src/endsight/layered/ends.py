"""Lower and upper ends of one part of a layer from those of its children, in memory.

The lower ends are rounded down and the upper up at every state, in whole numbers of one
machine word: by the very function that backs up the nodes of a whole graph (see
`algorithms.interval_kernels.backed_up`), so the numbers are the same ones.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from endsight.algorithms.loops import loop_text
from endsight.compiler.layers import REASONS
from endsight.compiler.memory import zeros
from endsight.compiler.rules import BATCH, SET, Code, CompiledRules
from endsight.compiler.tables import KeyTable, enter_keys, scratch
from endsight.errors import FileError, LimitReached
from endsight.layered.arrays import Keys
from endsight.layered.scoring import Scoring
from endsight.limits import Budget

__all__ = ["Ends", "TooLarge", "ends_of"]

Ends = npt.NDArray[np.int64]
"""Two columns: lower and upper end of what is to come for the first player, in units of the scoring."""

_STRIDE = 1 << 18
_ROOM = 1 << 10


class TooLarge(Exception):
    """An amount is too large for the scale: a coarser one is needed."""


def ends_of(rules: CompiledRules, keys: Keys, children: Keys, known: Ends, scoring: Scoring, budget: Budget) -> Ends:
    """Ends of `keys` in their order, where `known` are those of all their children; raises `TooLarge`.

    `children` are distinct, in any order. Backward induction with outward rounding: R. E.
    Moore, *Interval analysis* (1966).
    """
    run = _Run(rules, children, budget)
    return run.solve(keys, known, scoring)


class _Run:
    """Children in a table by number, and buffers for the moves of some states at a time."""

    def __init__(self, rules: CompiledRules, children: Keys, budget: Budget) -> None:
        self.rules = rules
        self.budget = budget
        self.table = KeyTable(rules.packing)
        self.table.presize(len(children))
        self.numbers = zeros(self.table.slots, np.int32)
        words = self.table.words
        enter_keys(rules.packing, words, self.table.mask, children.reshape(-1), len(children), SET, self.numbers)
        self.counters = scratch(8)
        self._buffers(_ROOM)

    def _buffers(self, room: int) -> None:
        self.room = room
        self.buffer = zeros(room * self.rules.packing.words)
        self.places, self.signs = zeros(room, np.int32), zeros(room, np.int8)
        self.weights, self.gains = zeros(room), zeros(room)

    def solve(self, keys: Keys, known: Ends, scoring: Scoring) -> Ends:
        """The ends of all keys."""
        kernel = self.rules.kernel("ends", loop_text("backed_up"))
        ends = np.empty((len(keys), 2), np.int64)
        known = known if len(known) else np.zeros((1, 2), np.int64)
        offsets, share = zeros(BATCH + 1), scratch(2)
        self.counters[1] = len(keys)
        while True:
            self.budget.glance(len(keys), "solving")
            result = kernel(
                self.table.words, self.numbers, self.table.mask, keys, known, ends,
                self.buffer, offsets, self.places, self.weights, self.signs, self.gains, self.room, share,
                scoring.bits, scoring.limit, self.rules.data, self.counters, int(self.counters[0]) + _STRIDE,
            )  # fmt: skip
            if result == Code.DONE:
                return ends
            if result != Code.STOPPED:
                self._make_room(Code(result), keys)

    def _make_room(self, result: Code, keys: Keys) -> None:
        if result == Code.BUFFER_FULL:
            self._buffers(2 * int(self.counters[3]))
        elif result == Code.FAULT:
            first = int(self.counters[0])
            raise self.rules.blame(int(self.counters[3]), keys[first : first + BATCH])
        elif result == Code.TOO_LONG:
            raise TooLarge
        elif result == Code.NOT_LAYERED:
            raise FileError("a move leads to a state that the files of the next layer lack")
        else:
            raise LimitReached(f"stopped: {REASONS.get(result, result.name)}", states=len(keys))
