"""One run of a kernel over some states: its table and buffers, how they grow, and what stops it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from endsight.compiler.driver import Rooms, drive
from endsight.compiler.kernels import core
from endsight.compiler.kernels.core import BATCH, HEAD, SET, TAIL, Code
from endsight.compiler.memory import words, zeros
from endsight.compiler.rules import CompiledRules
from endsight.engine.tables import KeyTable, enter_keys
from endsight.game.limits import Budget
from endsight.layers.arrays import Keys

_ROOM = 1 << 10


class KernelRun:
    """The data that one run of a kernel over some keys keeps between calls.

    `order` begins with those keys; others that are found may follow. `counters[0]` is the kernel's current key,
    `counters[1]` the number of keys, `counters[3]` the room it needs, or where the rules failed. `rooms` names what
    grows, `stops` the results that are exceptions of this kernel.
    """

    stops: ClassVar[Mapping[Code, Callable[[], Exception]]] = {}

    def __init__(self, rules: CompiledRules, keys: Keys) -> None:
        self.rules = rules
        self.budget = Budget()
        self.words = rules.packing.words
        self.table = KeyTable(rules.packing)
        self.order = keys
        self.counters = words(16)
        self.counters[TAIL] = len(keys)
        self.make_buffers(_ROOM)

    @property
    def rooms(self) -> Rooms:
        """The functions that make room; not stored, as a run that refers to itself would keep its memory long."""
        return {Code.BUFFER_FULL: lambda needed: self.make_buffers(2 * needed)}

    def make_buffers(self, room: int) -> None:
        """Make room for `room` children at a time."""
        self.room = room
        self.buffer = words(room * self.words)

    def keys(self, most: int = 0) -> core.Keys:
        """The table and the keys, with room for at most `most` of them."""
        return core.Keys(self.table.words, self.table.mask, self.order, min(most, len(self.order)))

    @property
    def children(self) -> core.Children:
        """The room for children."""
        return core.Children(self.buffer, self.room)

    def work(self, stride: int, stop: int = 1 << 62) -> core.Work:
        """The next `stride` keys, or fewer up to `stop`; a negative stride goes backwards, at most to the first key."""
        return core.Work(self.rules.data, self.counters, max(0, min(stop, int(self.counters[HEAD]) + stride)))

    def make_order(self, room: int) -> None:
        """Make room for `room` keys, the present ones included."""
        longer = zeros(room * self.words).reshape(room, self.words)
        longer[: len(self.known)] = self.known
        self.order = longer

    @property
    def known(self) -> Keys:
        """The keys so far."""
        return self.order[: int(self.counters[TAIL])]

    def numbered(self, keys: Keys) -> npt.NDArray[np.int32]:
        """Enter keys into the table; returns their numbers by table slot."""
        self.table.presize(len(keys))
        numbers = zeros(self.table.slots, np.int32)
        flat = keys.reshape(-1)
        enter_keys(self.rules.packing, self.table.words, self.table.mask, flat, len(keys), SET, numbers)
        return numbers

    def more_keys(self, needed: int, in_table: int) -> None:
        """Make room for `needed` keys in the order, and for `in_table` of them in the table."""
        self.table.grow(in_table, self.budget)
        if needed > len(self.order):
            self.make_order(2 * needed)

    def drive(self, call: Callable[[], int], doing: str, *answers: Code) -> Code:
        """Run the kernel until it is done or returns one of the `answers`; see `compiler.driver.drive`."""
        answers = (*answers, *self.stops)
        result = drive(call, self.counters, self.rooms, self._blame, lambda: self._glance(doing), answers)
        if result in self.stops:
            raise self.stops[result]()
        return result

    def _glance(self, doing: str) -> None:
        self.budget.glance(int(self.counters[TAIL]), doing)

    def _blame(self, number: int) -> Exception:
        at = int(self.counters[HEAD])
        return self.rules.blame(number, self.known[max(0, at - BATCH) : at + BATCH])
