"""A table of keys that grows in place, and the look-up of one key from Python."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import compress
from typing import TYPE_CHECKING, Any, TypeVar, cast

from endsight.base.machine import all_memory
from endsight.base.waiting import patiently
from endsight.compiler.kernels.core import UNSET, Keys
from endsight.compiler.memory import View, copied, emptied, reserved_words, words, zeros
from endsight.compiler.packing import Packing
from endsight.compiler.rules import shared_kernel
from endsight.engine.kernels.slots import enlarge, enter
from endsight.errors import LimitReached
from endsight.game.limits import Budget

if TYPE_CHECKING:
    import numpy.typing as npt

Numbers = TypeVar("Numbers", View, "npt.NDArray[Any]")

_FIRST_SLOTS = 1 << 20
# Up to here a table grows sixteenfold, as its memory does not matter yet; then fourfold up to a sixteenth of all
# memory, and twofold above that. While it may grow fourfold it does so when half full, since searches get long in a
# fuller table.
_SMALL_SLOTS = 1 << 23
_GENEROUS = 16
# Slots moved between two checks of limits and Ctrl-C.
_STRIDE = 1 << 19
_WORD = (1 << 64) - 1


class KeyTable:
    """Open addressing with linear probing, at most three quarters full.

    `memory` is the most bytes that may be used, by default all there are; address space is taken for at most `most`
    keys. `words` holds the slots, initially `slots` of them (a power of 2); see `packing` for the content of a slot.
    """

    def __init__(
        self,
        packing: Packing,
        *,
        memory: int | None = None,
        most: int | None = None,
    ) -> None:
        self.packing = packing
        self.slots = _FIRST_SLOTS
        total = all_memory()
        self.memory: int = total if memory is None else min(memory, total)
        room = total // (8 * packing.words)
        room = room if most is None else min(room, 2 * most)
        self.room = 1 << max(room.bit_length() - 1, _FIRST_SLOTS.bit_length())
        self.words = reserved_words(self.room * packing.words, halves=True)
        self.room = len(self.words) // packing.words

    @property
    def mask(self) -> int:
        """The largest slot number."""
        return self.slots - 1

    @property
    def most(self) -> int:
        """How many keys the table takes before it must grow."""
        return self.slots // 2 if self._grows_fourfold and self.slots < self.room else self.slots // 4 * 3

    @property
    def _grows_fourfold(self) -> bool:
        return 4 * self.slots * 8 * self.packing.words <= self.memory // _GENEROUS

    def presize(self, expected: int) -> None:
        """Make room for that many keys at once, while the table is still empty."""
        while self.most < expected and 2 * self.slots <= self.room:
            self.slots *= 2

    def grow(self, needed: int, budget: Budget) -> None:
        """Make room for `needed` keys; raises `LimitReached` if there is not enough memory."""
        while self.most < needed:
            larger = min(self._larger(), self.room)
            if larger == self.slots:
                raise LimitReached(
                    "stopped: the table of states would not fit into memory",
                    states=needed,
                    advice="ask about a later position",
                    limit="memory",
                )
            budget.reserve((larger - self.slots) * 8 * self.packing.words, needed, "growing the table")
            self._enlarge(larger, budget, needed)

    def _larger(self) -> int:
        """The next size of the table."""
        if self.slots < _SMALL_SLOTS:
            return min(16 * self.slots, _SMALL_SLOTS)
        return (4 if self._grows_fourfold else 2) * self.slots

    def _enlarge(self, slots: int, budget: Budget, states: int) -> None:
        kernel = shared_kernel(enlarge, self.packing.words)
        begin = self._empty_slot()
        for first in range(0, self.slots, _STRIDE):
            stop = min(first + _STRIDE, self.slots)
            kernel(self.words, self.slots, slots, begin, first, stop, self.packing.code_bits)
            if stop < self.slots:
                budget.glance(states, "growing the table")
        self.slots = slots

    def _empty_slot(self) -> int:
        """Any empty slot; a quarter of them are."""
        slot = 0
        while self.words[slot * self.packing.words] != 0:
            slot += 1
        return slot

    def clear(self) -> None:
        """Forget all keys."""
        emptied(self.words[: self.slots * self.packing.words])

    def enter(self, order: View | npt.NDArray[Any], count: int, code: int) -> None:
        """Enter the first `count` keys of `order`."""
        enter_keys(self.packing, Keys(self.words, self.mask, order, count), code)

    # ---------------------------------------------------------------- one key

    def find(self, key: tuple[int, ...]) -> tuple[int, int] | None:
        """Slot and code of a key; None if it is not in the table."""
        step = self.packing.words
        slot = _home(key) & self.mask
        bits = self.packing.code_bits
        while True:
            word = self.words[slot * step] & _WORD
            code = word & ((1 << bits) - 1)
            if code == 0:
                return None
            if word >> bits == key[0] and (step == 1 or self.words[slot * step + 1] == key[1]):
                return slot, code
            slot = (slot + 1) & self.mask

    def keys(self, first: int, stop: int) -> Iterator[tuple[int, ...]]:
        """The keys in these slots that have a value."""
        step, bits = self.packing.words, self.packing.code_bits
        mask = (1 << bits) - 1
        row = self.words[first * step : min(stop, self.slots) * step].tolist()
        places = compress(range(0, len(row), step), row[::step])
        return (((row[at] & _WORD) >> bits, *row[at + 1 : at + step]) for at in places if row[at] & mask > UNSET)


def signed(word: int) -> int:
    """An unsigned word as the signed one of the same bits."""
    return word - (1 << 64) if word >> 63 else word


def enter_keys(packing: Packing, keys: Keys, code: int, numbers: View | npt.NDArray[Any] | None = None) -> None:
    """Enter as many keys of a list as it says into their table, with their numbers if there is room for them."""
    if keys.most_nodes == 1:  # every table begins like this: not worth a kernel, which may have to be compiled
        key, table = tuple(int(keys.p_order[word]) for word in range(packing.words)), cast(Any, keys.p_table)
        slot = _home(key) & keys.mask
        put(table, slot * packing.words, (signed(key[0] << packing.code_bits | code), *key[1:]))
        return
    kernel = shared_kernel(enter, packing.words)
    is_numbered, places = int(numbers is not None), words(1, "i") if numbers is None else numbers
    for first in range(0, keys.most_nodes, _STRIDE):
        stop = min(first + _STRIDE, keys.most_nodes)
        kernel(keys, places, is_numbered, first, stop, packing.code_bits, code)


def _home(key: tuple[int, ...]) -> int:
    """Where the search for a key begins, in a table of all slots."""
    return mixed(key[0] ^ mixed(key[1])) if len(key) == 2 else mixed(key[0])


def mixed(word: int) -> int:
    """The hash of `lowering.operations.memory.es_mixed`."""
    word = word * 0x9E3779B97F4A7C15 & _WORD
    return word ^ word >> 32


def grown(numbers: Numbers, count: int) -> Numbers:
    """A longer copy."""
    if isinstance(numbers, memoryview):
        longer = words(count, numbers.format)  # type: ignore[arg-type]
        copy, arguments = copied, (longer, numbers)
    else:
        longer = zeros(count, numbers.dtype)
        copy, arguments = longer.__setitem__, (slice(0, len(numbers)), numbers)
    if len(numbers) < _STRIDE:
        copy(*arguments)
    else:  # copying takes long enough for somebody to press Ctrl-C
        patiently(copy, *arguments)
    return longer


def put(place: View | npt.NDArray[Any], at: int, numbers: Iterable[int]) -> None:
    """Write some numbers one after the other, from place `at` on."""
    for number in numbers:
        place[at] = number
        at += 1


def numbered_table(packing: Packing, most: int, *held: tuple[View | npt.NDArray[Any], int, int]) -> tuple[View, View]:
    """A table with room for `most` keys and for their numbers: entered are, of each keys, so many with that code."""
    slots = 1 << max(4, (most * 4 // 3).bit_length())
    table, numbers = words(slots * packing.words), words(slots, "i")
    for keys, count, code in held:
        if count:
            enter_keys(packing, Keys(table, slots - 1, keys, count), code, numbers)
    return table, numbers
