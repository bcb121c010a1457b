"""Information sets as the loops of `regret_kernels` take them: arrays of words and floats."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from endsight.algorithms.regret_kernels import Paid, Tree
from endsight.algorithms.treeplex import InformationSets, Payoffs, Treeplex

Indices = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


def row_of(numbers: npt.NDArray[Any]) -> Sequence[int]:
    """An array as Python's own numbers, one by one; unbounded ones have no memory to view."""
    row: Sequence[int] = np.ascontiguousarray(numbers).data if numbers.dtype == np.int64 else numbers.tolist()
    return row


def tree_of(side: Treeplex) -> Tree:
    """The treeplex of one player."""
    first = np.append(np.asarray(side.first, np.int64), side.sequences)
    rows: Any = np.asarray(side.parent, np.int32), first.astype(np.int32)
    return Tree(len(side), *rows)


def widths_of(tree: Tree) -> Indices:
    """Number of moves of each set."""
    return np.diff(np.asarray(tree.h_first))


def by_set(tree: Tree, amounts: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The amounts of the sets, once for each of their sequences."""
    return np.repeat(amounts, widths_of(tree))


def amounts_in_floats(payoffs: Payoffs) -> tuple[Floats, int]:
    """The first player's payoffs of pairs in units of the largest amount, and that unit in the game's units."""
    words = np.asarray(payoffs.amounts)
    if words.dtype == np.int64:
        largest = int(max(words.max(initial=1), -words.min(initial=-1)))
        return words / largest, largest
    largest = max(map(abs, payoffs.amounts), default=1)
    # Python also divides whole numbers that are too long for a float.
    return np.array([amount / largest for amount in payoffs.amounts], np.float64), largest


def word_bits_left(payoffs: Payoffs) -> int:
    """How many bits a factor may have, so that all amounts together, times that factor, fit into a machine word."""
    amounts, largest = amounts_in_floats(payoffs)
    # The added factor of 2 is far more than the error of floats.
    return 62 - (largest * (2 * int(np.abs(amounts).sum()) + 2)).bit_length()


def paid_lists(sets: InformationSets, amounts: Floats) -> tuple[Paid, Paid]:
    """The second player's payments by sequence of the first, and the other way round."""
    first, second = (np.asarray(row, np.int32) for row in (sets.payoffs.first, sets.payoffs.second))
    sizes = [side.sequences for side in sets.sides]
    return _grouped(sizes[0], first, second, -amounts), _grouped(sizes[1], second, first, amounts)


def _grouped(sequences: int, own: npt.NDArray[Any], others: npt.NDArray[Any], amounts: Floats) -> Paid:
    order = np.argsort(own, kind="stable")
    starts = np.cumsum(np.bincount(own + 1, minlength=sequences + 1))
    rows: Any = starts.astype(np.int64), others[order], amounts[order]
    return Paid(*rows)
