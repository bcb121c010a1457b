"""The whole numbers in which interval iteration writes its amounts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from endsight.errors import LimitReached

Words = npt.NDArray[np.int64]
Halves = npt.NDArray[np.int32]
Bytes = npt.NDArray[np.int8]

FEWEST_BITS = 16
"""Number of binary places below which an interval would say too little."""
_WORD = 61
BITS_AT_ONCE = 4
"""Number of binary places to give up where amounts turn out too large."""


class Amounts(Protocol):
    """The size of a game's numbers, which decides how they are written."""

    @property
    def largest_total(self) -> int:
        """The largest sum of the weights of a node's edges."""

    @property
    def largest_amount(self) -> int:
        """The size of the largest payoff or gain, in units of 1 / `unit`."""

    @property
    def unit(self) -> int:
        """Payoffs and gains are whole multiples of 1 / `unit`."""


def largest(numbers: Words) -> int:
    """The largest of the numbers without their signs; numpy's own `abs` leaves the least 64-bit number negative."""
    return max(-int(numbers.min()), int(numbers.max()))


def too_long() -> LimitReached:
    """The error where the numbers of a game do not fit."""
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
        """The scale with as many binary places as the amounts leave room for."""
        limit = (1 << _WORD) // max(arena.largest_total, 1)
        bits = (limit // max(arena.largest_amount, 1)).bit_length() - 2
        return Scale(bits, 0, limit)._with(bits, arena)

    def coarser(self, arena: Amounts, bits: int = BITS_AT_ONCE) -> Scale:
        """The scale with that many fewer places, for larger amounts."""
        return self._with(self.bits - bits, arena)

    def _with(self, bits: int, arena: Amounts) -> Scale:
        if bits < FEWEST_BITS:
            raise too_long()
        return Scale(bits, arena.unit << bits, self.limit)
