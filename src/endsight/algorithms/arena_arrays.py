"""An arena as arrays of machine words, and the whole numbers in which interval iteration writes its amounts."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from math import lcm
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from endsight.algorithms.arena import Arena
from endsight.errors import LimitReached
from endsight.graph.kernel_numbers import Edges

__all__ = ["BITS_AT_ONCE", "Amounts", "Bytes", "FixedArena", "Halves", "Scale", "Words", "fixed_arena", "largest"]

Words = npt.NDArray[np.int64]
Halves = npt.NDArray[np.int32]
Bytes = npt.NDArray[np.int8]

FEWEST_BITS = 16
"""Binary places below which an interval would say too little."""
_WORD = 61
BITS_AT_ONCE = 4
"""Binary places that are given up where amounts turn out too large."""
_NOTHING = np.zeros(1, np.int64)


class Amounts(Protocol):
    """How large the numbers of a game are, which decides how they are written."""

    @property
    def largest_total(self) -> int:
        """The largest sum of the weights of a node's edges."""

    @property
    def largest_amount(self) -> int:
        """The largest payoff or gain, without its sign, in units of 1 / `unit`."""

    @property
    def unit(self) -> int:
        """What payoffs and gains are whole multiples of, as 1 / `unit`."""


@dataclass(frozen=True)
class FixedArena:
    """An `Arena` as arrays; gains and payoffs are whole multiples of 1 / `unit`."""

    offsets: Words
    successors: Halves
    weights: Words | None
    signs: Bytes
    gains: Words | None
    payoffs: Words
    unit: int

    def __len__(self) -> int:
        return len(self.signs)

    @cached_property
    def largest_total(self) -> int:
        """The largest sum of the weights of a node's edges."""
        if not len(self.successors):
            return 1
        if self.weights is None:
            return int(np.diff(self.offsets).max())
        starts = self.offsets[:-1][np.diff(self.offsets) > 0]
        return int(np.add.reduceat(self.weights, starts).max())

    def keeping(self, kept: npt.NDArray[np.bool_]) -> FixedArena:
        """The arena with only the marked edges; nodes keep their numbers."""
        before = np.concatenate(([0], np.cumsum(kept)))
        return replace(
            self,
            offsets=before[self.offsets],
            successors=self.successors[kept],
            weights=None if self.weights is None else self.weights[kept],
            gains=None if self.gains is None else self.gains[kept],
        )

    @property
    def largest_amount(self) -> int:
        """The largest payoff or gain, without its sign."""
        most = largest(self.payoffs)
        return most if self.gains is None else max(most, largest(self.gains))

    def edges(self, gains: Words | None) -> Edges:
        """What the kernels of interval iteration take first; `gains` in the units of their bounds."""
        weights = _NOTHING if self.weights is None else self.weights
        own = _NOTHING if gains is None else gains
        is_weighted, has_gains = self.weights is not None, gains is not None
        row: tuple[Any, ...] = (self.offsets, self.successors, weights, is_weighted, self.signs, own, has_gains)
        return Edges(*row)


def largest(numbers: Words) -> int:
    """The largest of the numbers without their signs; numpy's own `abs` leaves the least 64-bit number negative."""
    return max(-int(numbers.min()), int(numbers.max()))


def fixed_arena(arena: Arena) -> FixedArena:
    """The arena as arrays; `LimitReached` where its numbers do not fit into machine words."""
    gains = arena.gains
    unit = lcm(*{payoff.denominator for payoff in arena.payoffs}, *{gain.denominator for gain in gains or ()})
    try:
        return FixedArena(
            offsets=np.array(arena.offsets, np.int64),
            successors=np.array(arena.successors, np.int32),
            weights=None if arena.weights is None else np.array(arena.weights, np.int64),
            signs=np.array(arena.signs, np.int8),
            gains=None if gains is None else np.array([int(gain * unit) for gain in gains], np.int64),
            payoffs=np.array([int(payoff * unit) for payoff in arena.payoffs], np.int64),
            unit=unit,
        )
    except OverflowError:
        raise _too_long() from None


def _too_long() -> LimitReached:
    return LimitReached(
        "stopped: the payoffs, rewards or weights of this game have too many digits for proven intervals",
        advice="--exact",
    )


@dataclass(frozen=True)
class Scale:
    """How amounts are written: whole numbers over `denominator`, none beyond `limit`.

    `limit` times the largest sum of weights is at most 2^61, so that sums over the
    outcomes of a chance node, and of amounts with gains, stay below 2^62.
    """

    bits: int
    denominator: int
    limit: int

    @staticmethod
    def widest(arena: Amounts) -> Scale:
        """As many binary places as the amounts leave room for."""
        limit = (1 << _WORD) // max(arena.largest_total, 1)
        bits = (limit // max(arena.largest_amount, 1)).bit_length() - 2
        return Scale(bits, 0, limit)._with(bits, arena)

    def coarser(self, arena: Amounts, bits: int = BITS_AT_ONCE) -> Scale:
        """With so many places fewer, for larger amounts."""
        return self._with(self.bits - bits, arena)

    def _with(self, bits: int, arena: Amounts) -> Scale:
        if bits < FEWEST_BITS:
            raise _too_long()
        return Scale(bits, arena.unit << bits, self.limit)
