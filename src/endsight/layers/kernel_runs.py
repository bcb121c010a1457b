"""A kernel at work on some states: the table and the buffers that it uses, what it asks for, and what stops it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from endsight.compiler.driver import Rooms, drive
from endsight.compiler.kernels import core
from endsight.compiler.kernels.core import BATCH, HEAD, SET, TAIL, Code
from endsight.compiler.memory import zeros
from endsight.compiler.rules import CompiledRules
from endsight.compiler.tables import KeyTable, enter_keys, scratch
from endsight.game.limits import Budget
from endsight.layers.arrays import Keys

_ROOM = 1 << 10


class KernelRun:
    """What one run of a kernel over some keys keeps from call to call.

    `order` begins with those keys; others that are found may follow. `counters[0]` is the key that the kernel
    has come to, `counters[1]` how many there are, `counters[3]` how much room it needs, or where the rules
    failed. `rooms` says what grows, `stops` which results are exceptions of this kernel's own.
    """

    stops: ClassVar[Mapping[Code, Callable[[], Exception]]] = {}

    def __init__(self, rules: CompiledRules, keys: Keys, budget: Budget) -> None:
        self.rules = rules
        self.budget = budget
        self.words = rules.packing.words
        self.table = KeyTable(rules.packing)
        self.order = keys
        self.counters = scratch(8)
        self.counters[TAIL] = len(keys)
        self.make_buffers(_ROOM)

    @property
    def rooms(self) -> Rooms:
        """What makes room; made anew each time, as a run that refers to itself would keep its memory for long."""
        return {Code.BUFFER_FULL: lambda needed: self.make_buffers(2 * needed)}

    def make_buffers(self, room: int) -> None:
        """Room for so many children at a time."""
        self.room = room
        self.buffer = scratch(room * self.words)

    def keys(self, most: int = 0) -> core.Keys:
        """The table and the keys, with room for so many at the most."""
        return core.Keys(self.table.words, self.table.mask, self.order, min(most, len(self.order)))

    @property
    def children(self) -> core.Children:
        """The room for children."""
        return core.Children(self.buffer, self.room)

    def work(self, stride: int, stop: int = 1 << 62) -> core.Work:
        """The next so many keys, or fewer up to `stop`; backwards, and not beyond the first, where it is negative."""
        return core.Work(self.rules.data, self.counters, max(0, min(stop, int(self.counters[HEAD]) + stride)))

    def make_order(self, room: int) -> None:
        """Room for so many keys, those met so far among them."""
        longer = zeros(room * self.words).reshape(room, self.words)
        longer[: len(self.met)] = self.met
        self.order = longer

    @property
    def met(self) -> Keys:
        """The keys that there are so far."""
        return self.order[: int(self.counters[TAIL])]

    def numbered(self, keys: Keys) -> npt.NDArray[np.int32]:
        """Enter keys into the table; their numbers, by the slots that they take."""
        self.table.presize(len(keys))
        numbers = zeros(self.table.slots, np.int32)
        flat = keys.reshape(-1)
        enter_keys(self.rules.packing, self.table.words, self.table.mask, flat, len(keys), SET, numbers)
        return numbers

    def more_keys(self, needed: int, in_table: int) -> None:
        """Room for so many keys in the order, and for so many of them in the table."""
        self.table.grow(in_table, self.budget)
        if needed > len(self.order):
            self.make_order(2 * needed)

    def drive(self, call: Callable[[], int], doing: str, *answers: Code) -> Code:
        """Run the kernel until it is done or gives one of the `answers`; see `compiler.driver.drive`."""
        answers = (*answers, *self.stops)
        result = drive(call, self.counters, self.rooms, self._blame, lambda: self._glance(doing), answers)
        if result in self.stops:
            raise self.stops[result]()
        return result

    def _glance(self, doing: str) -> None:
        self.budget.glance(int(self.counters[TAIL]), doing)

    def _blame(self, number: int) -> Exception:
        at = int(self.counters[HEAD])
        return self.rules.blame(number, self.met[max(0, at - BATCH) : at + BATCH])
