"""Edges that lie node by node in arrays: edges offsets[i] .. offsets[i + 1] - 1 are those of node i."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Numbers = npt.NDArray[np.int64]


def edges_of(offsets: Numbers, nodes: npt.NDArray[Any]) -> Numbers:
    """All edges of some nodes, node after node."""
    starts, counts = offsets[nodes], offsets[nodes + 1] - offsets[nodes]
    edges: Numbers = np.repeat(starts - (np.cumsum(counts) - counts), counts)
    return edges + np.arange(len(edges))


def first_largest(offsets: Numbers, worth: npt.NDArray[Any]) -> Numbers:
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
