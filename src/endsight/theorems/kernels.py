"""Finding even kernels and growing kernels among unused tiles (defined in `even_kernel`).

An even kernel starts as {tail}. A value outside with an odd number of tiles into it must
get one more neighbour in it (it cannot join itself, having a tile into it), so the search
branches on its neighbours that could join: every choice settles parities. The search for a
growing kernel covers all sets without a tile inside. Both stop after a fixed effort.
"""

from __future__ import annotations

from endsight.compiler.kernels import plain
from endsight.engine.kernels import growing_kernels
from endsight.theorems.unused_tiles import bits, compact


# A search for one kernel is given up after this many steps (soundly: the position is then searched).
_MOST_STEPS = 20_000

_growing = plain(growing_kernels.growing_kernel, es_bit_length=int.bit_length)


def even_kernel(rows: list[int], tail: int) -> int | None:
    """An even kernel that holds the tail, as a bit set; None where there is none (or none was found in time)."""
    if (rows[tail] >> tail) & 1:
        return None
    joinable = sum(1 << value for value in range(len(rows)) if not (rows[value] >> value) & 1)
    return _Kernels(rows).grow(1 << tail, joinable & ~rows[tail] & ~(1 << tail), rows[tail])


class _Kernels:
    """The search for one kernel."""

    def __init__(self, rows: list[int]) -> None:
        self.rows = rows
        self.steps = 0

    def grow(self, kernel: int, joinable: int, odd: int) -> int | None:
        """A kernel that contains `kernel` and otherwise only values of `joinable`.

        `odd` are the values with an odd number of unused tiles into `kernel`.
        """
        self.steps += 1
        outside = odd & ~kernel
        if not outside:
            return kernel
        helpers = self._fewest_helpers(outside, joinable)
        while helpers and self.steps < _MOST_STEPS:
            last = helpers & -helpers
            helpers ^= last
            value = last.bit_length() - 1
            joinable &= ~last
            found = self.grow(kernel | last, joinable & ~self.rows[value], odd ^ self.rows[value])
            if found is not None:
                return found
        return None

    def _fewest_helpers(self, outside: int, joinable: int) -> int:
        """The joinable neighbours of the odd value that has the fewest of them."""
        fewest, count = 0, len(self.rows) + 1
        while outside:
            last = outside & -outside
            outside ^= last
            helpers = self.rows[last.bit_length() - 1] & joinable
            if helpers.bit_count() < count:
                fewest, count = helpers, helpers.bit_count()
                if count <= 1:
                    break
        return fewest


def growing_kernel(rows: list[int], tail: int) -> int | None:
    """A growing kernel that holds the tail, as a bit set; None where there is none (or none was found in time).

    All fresh values together are one more, which is never in a kernel.
    """
    kept, place, fresh, named = compact(rows, tail)
    if fresh:
        new = len(kept)
        kept = [*(row | 1 << new for row in kept), (2 << new) - 1]
    kernel = _growing(kept, 0, len(kept), place, [0] * (growing_kernels.LEVEL * (len(kept) + 1)), 0)
    return sum(1 << named[number] for number in bits(kernel)) if kernel else None
