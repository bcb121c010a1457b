"""A table of keys that grows where it stands, and the look-up of one key from Python."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import psutil

from endsight.compiler.memory import reserved, zeros
from endsight.compiler.packing import Packing
from endsight.compiler.rules import shared_kernel
from endsight.errors import LimitReached
from endsight.limits import Budget

__all__ = ["KeyTable", "grown", "scratch"]

_FIRST_SLOTS = 1 << 16
# Up to here a table grows sixteenfold, as its memory does not matter yet; then fourfold up
# to a sixteenth of all memory, and twofold above that.
_SMALL_SLOTS = 1 << 23
_GENEROUS = 16
# Slots that are moved before limits and Ctrl-C are looked at again.
_STRIDE = 1 << 22
_WORD = (1 << 64) - 1


class KeyTable:
    """Open addressing with linear probing, at most three quarters full.

    `words` holds the slots; see `packing` for what a slot holds. `values` is an array with
    one word per slot where `has_values`, and grows with the table.
    """

    def __init__(self, packing: Packing, *, has_values: bool = False) -> None:
        self.packing = packing
        self.slots = _FIRST_SLOTS
        room = psutil.virtual_memory().total // (8 * packing.words)
        self.room = 1 << max(room.bit_length() - 1, _FIRST_SLOTS.bit_length())
        self.words: npt.NDArray[np.int64] = reserved(self.room * packing.words)
        self.room = len(self.words) // packing.words
        self.has_values = has_values
        self.values: npt.NDArray[np.int64] = reserved(self.room) if has_values else zeros(1)
        self.room = min(self.room, len(self.values)) if has_values else self.room

    @property
    def mask(self) -> int:
        """The largest slot number."""
        return self.slots - 1

    @property
    def most(self) -> int:
        """How many keys the table takes before it must grow."""
        return self.slots // 4 * 3

    def grow(self, needed: int, budget: Budget) -> None:
        """Make room for `needed` keys; raises `LimitReached` where memory is not to be had."""
        while self.most < needed:
            larger = self._larger(budget)
            if larger > self.room:
                raise LimitReached(
                    "stopped: the table of states would not fit into memory",
                    states=needed,
                    advice="ask about a later position",
                    limit="memory",
                )
            self._enlarge(larger, budget, needed)

    def _larger(self, budget: Budget) -> int:
        """The next size of the table."""
        if self.slots < _SMALL_SLOTS:
            return min(16 * self.slots, _SMALL_SLOTS)
        memory = psutil.virtual_memory().total
        if budget.limits.memory is not None:
            memory = min(memory, budget.limits.memory)
        bytes_per_slot = 8 * (self.packing.words + self.has_values)
        return (4 if 4 * self.slots * bytes_per_slot <= memory // _GENEROUS else 2) * self.slots

    def _enlarge(self, slots: int, budget: Budget, states: int) -> None:
        enlarge = shared_kernel("enlarge", self.packing.words)
        begin = self._empty_slot()
        for first in range(0, self.slots, _STRIDE):
            stop = min(first + _STRIDE, self.slots)
            code_bits = self.packing.code_bits
            enlarge(self.words, self.values, int(self.has_values), self.slots, slots, begin, first, stop, code_bits)
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
        self.words[: self.slots * self.packing.words] = 0

    def enter(self, order: npt.NDArray[np.int64], count: int, code: int) -> None:
        """Enter the first `count` keys of `order`."""
        enter = shared_kernel("enter", self.packing.words)
        numbers, code_bits = zeros(1, np.int32), self.packing.code_bits
        for first in range(0, count, _STRIDE):
            stop = min(first + _STRIDE, count)
            enter(self.words, numbers, 0, self.mask, order, first, stop, code_bits, code)

    # ---------------------------------------------------------------- one key

    def find(self, key: tuple[int, ...]) -> tuple[int, int] | None:
        """Slot and code of a key, None where it is not in the table."""
        step = self.packing.words
        slot = _mixed(key[0] ^ _mixed(key[1]) if step == 2 else key[0]) & self.mask
        bits = self.packing.code_bits
        while True:
            word = int(self.words[slot * step]) & _WORD
            code = word & ((1 << bits) - 1)
            if code == 0:
                return None
            if word >> bits == key[0] and (step == 1 or int(self.words[slot * step + 1]) == key[1]):
                return slot, code
            slot = (slot + 1) & self.mask

    def recode(self, slot: int, code: int) -> None:
        """Give the key in a slot another code."""
        at = slot * self.packing.words
        word = int(self.words[at]) & _WORD
        self.words[at] = _signed(word >> self.packing.code_bits << self.packing.code_bits | code)


def _signed(word: int) -> int:
    """An unsigned word as the signed one of the same bits."""
    return word - (1 << 64) if word >> 63 else word


def _mixed(word: int) -> int:
    """The hash of `primitives.es_mixed`."""
    word = word * 0x9E3779B97F4A7C15 & _WORD
    return word ^ word >> 32


def grown(array: npt.NDArray[Any], count: int) -> npt.NDArray[Any]:
    """A longer copy of an array."""
    longer = zeros(count, array.dtype)
    longer[: len(array)] = array
    return longer


def scratch(count: int) -> Any:
    """A small array for a kernel's own use."""
    return np.zeros(count, np.int64)
