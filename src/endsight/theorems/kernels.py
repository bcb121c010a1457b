"""Finding even kernels and growing kernels among unused tiles (defined in `even_kernel`).

An even kernel starts as {tail}. A value outside with an odd number of tiles into it must
get one more neighbour in it (it cannot join itself, having a tile into it), so the search
branches on its neighbours that could join: every choice settles parities. The search for a
growing kernel covers all sets without a tile inside. Both stop after a fixed effort.
"""

from __future__ import annotations

from endsight.theorems.unused_tiles import Tiles, bits, compact, reordered

__all__ = ["even_kernel", "growing", "growing_kernel"]

# A search for one kernel is given up after this many steps (soundly: the position is then searched).
_MOST_STEPS = 20_000
_MOST_SETS = 2_000


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


def growing(tiles: Tiles) -> int | None:
    """A growing kernel with the tail, as a bit set; fresh values are never in one."""
    rows, named = tiles.rows, len(tiles.rows)
    spent = sum(1 << value for value in range(named) if not rows[value] >> value & 1)
    if not spent & 1:
        return None
    fresh = 1 << named if tiles.fresh else 0
    stack = [(1, rows[0] | fresh, spent & ~rows[0] & ~1)]
    for _ in range(_MOST_SETS):
        if not stack:
            return None
        kernel, odd, joinable = stack.pop()
        if not _spreads_to(tiles, odd, ~kernel) & spent:
            return kernel
        while joinable:
            last = joinable & -joinable
            joinable ^= last
            row = rows[last.bit_length() - 1]
            stack.append((kernel | last, odd ^ row ^ fresh, joinable & ~row))
    return None


def _spreads_to(tiles: Tiles, start: int, outside: int) -> int:
    """The outside parts that contain values of `start`."""
    named = len(tiles.rows)
    fresh = 1 << named if tiles.fresh else 0
    reached, todo = 0, start
    while todo:
        last = todo & -todo
        reached |= last
        value = last.bit_length() - 1
        row = tiles.rows[value] | fresh if value < named else (2 << named) - 1
        todo = (todo | row) & outside & ~reached
    return reached


def growing_kernel(rows: list[int], tail: int) -> int | None:
    """A growing kernel that holds the tail, as a bit set; None where there is none (or none was found in time)."""
    kept, place, fresh, named = compact(rows, tail)
    order = [place, *(number for number in range(len(kept)) if number != place)]
    kernel = growing(Tiles(reordered(kept, order), fresh))
    return None if kernel is None else sum(1 << named[order[number]] for number in bits(kernel))
