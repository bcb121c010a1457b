"""Arrays of machine words, and edges in them node by node: offsets[i] .. offsets[i + 1] - 1 are those of node i."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Words = npt.NDArray[np.int64]
Halves = npt.NDArray[np.int32]
Bytes = npt.NDArray[np.int8]


def edges_of(offsets: Words, nodes: npt.NDArray[Any]) -> Words:
    """All edges of some nodes, node after node."""
    starts, counts = offsets[nodes], offsets[nodes + 1] - offsets[nodes]
    edges: Words = np.repeat(starts - (np.cumsum(counts) - counts), counts)
    return edges + np.arange(len(edges))


def first_largest(offsets: Words, worth: npt.NDArray[Any]) -> Words:
    """For each node the first of its edges with the largest worth; -1 without edges."""
    counts = np.diff(offsets)
    chosen = np.full(len(counts), -1, np.int64)
    going = np.flatnonzero(counts)
    if len(going):
        starts = offsets[going]
        best = np.maximum.reduceat(worth, starts)
        is_best = np.flatnonzero(worth == np.repeat(best, counts[going]))
        chosen[going] = is_best[np.searchsorted(is_best, starts)]
    return chosen


def largest(numbers: npt.NDArray[Any]) -> int:
    """The largest of the numbers without their signs; numpy's own `abs` leaves the least 64-bit number negative."""
    return max(-int(numbers.min(initial=0)), int(numbers.max(initial=0)))
