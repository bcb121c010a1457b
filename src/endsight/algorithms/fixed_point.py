"""The whole numbers in which interval iteration writes its amounts."""

from __future__ import annotations

from dataclasses import dataclass

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
    """How amounts are written: in units of the arena's own, over 2^`bits`, none beyond `limit`.

    `limit` times the largest sum of weights is at most 2^61, so that sums over the
    outcomes of a chance node, and of amounts with gains, stay below 2^62.
    """

    bits: int
    limit: int

    def __post_init__(self) -> None:
        if self.bits < FEWEST_BITS:
            raise too_long()

    @staticmethod
    def widest(total: int, amount: int) -> Scale:
        """The scale with as many binary places as the largest sum of a node's weights and the largest amount allow."""
        limit = (1 << _WORD) // max(total, 1)
        return Scale((limit // max(amount, 1)).bit_length() - 2, limit)

    def coarser(self, bits: int = BITS_AT_ONCE) -> Scale:
        """The scale with that many fewer places, for larger amounts."""
        return Scale(self.bits - bits, self.limit)
