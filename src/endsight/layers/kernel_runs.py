"""A kernel at work on some states: the table and the buffers that it uses, what it asks for, and what stops it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from endsight.compiler.layers import REASONS
from endsight.compiler.memory import zeros
from endsight.compiler.refusal import CannotCompile
from endsight.compiler.rules import BATCH, SET, Code, CompiledRules
from endsight.compiler.tables import KeyTable, enter_keys, scratch
from endsight.errors import LimitReached
from endsight.game.limits import Budget
from endsight.layers.arrays import Keys

__all__ = ["KernelRun"]

_ROOM = 1 << 10


class KernelRun:
    """What one run of a kernel keeps from call to call.

    `counters[0]` is the state that it has come to, `counters[3]` how much room it needs, or where
    the rules failed. `stops` says which results are exceptions of this kernel's own.
    """

    stops: ClassVar[Mapping[Code, Callable[[], Exception]]] = {}

    def __init__(self, rules: CompiledRules, budget: Budget) -> None:
        self.rules = rules
        self.budget = budget
        self.words = rules.packing.words
        self.table = KeyTable(rules.packing)
        self.counters = scratch(8)
        self.make_buffers(_ROOM)

    def make_buffers(self, room: int) -> None:
        """Room for so many children at a time."""
        self.room = room
        self.buffer = scratch(room * self.words)

    def numbered(self, keys: Keys) -> npt.NDArray[np.int32]:
        """Enter keys into the table; their numbers, by the slots that they take."""
        self.table.presize(len(keys))
        numbers = zeros(self.table.slots, np.int32)
        flat = keys.reshape(-1)
        enter_keys(self.rules.packing, self.table.words, self.table.mask, flat, len(keys), SET, numbers)
        return numbers

    def with_room(self, keys: Keys, room: int) -> Keys:
        """The keys at the beginning of a longer array."""
        longer = zeros(room * self.words).reshape(room, self.words)
        longer[: len(keys)] = keys
        return longer

    def heed(self, result: Code, keys: Keys) -> None:
        """Make the room that the kernel asks for, or raise what it stopped for; `keys` are those that it goes over."""
        at, needed = int(self.counters[0]), int(self.counters[3])
        if result == Code.BUFFER_FULL:
            self.make_buffers(2 * needed)
        elif result == Code.FAULT:
            raise self.rules.blame(needed, keys[max(0, at - BATCH) : at + BATCH])
        elif result in self.stops:
            raise self.stops[result]()
        elif result in REASONS:
            raise CannotCompile(REASONS[result])
        else:
            raise LimitReached("stopped: the list of states would not fit into memory", states=len(keys))
