"""The kernels over moves, and what they work on: as they are on lists, or compiled on arrays where a graph is large."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from endsight.algorithms import retrograde_kernels

LARGE = 20_000
"""Edges of a graph from which arrays are worth the time that they take to load."""
Kernels: TypeAlias = Mapping[str, Callable[..., int]]
Room: TypeAlias = Callable[[str, Any], Any]
"""Makes numbers of a kind (see `kernel_numbers`): so many zeros, or those given, which may be the same array."""


def kernels_for(edges: int) -> tuple[Kernels, Room]:
    """The kernels for a graph with so many edges, and what makes numbers for them."""
    if edges >= LARGE:
        return _compiled()
    return vars(retrograde_kernels), lambda _, given: [0] * given if isinstance(given, int) else list(given)


def _compiled() -> tuple[Kernels, Room]:
    import numpy as np

    from endsight.algorithms.loops import loops_for

    kinds = {"p": np.int64, "h": np.int32, "b": np.int8}

    def room(kind: str, given: Any) -> Any:
        return np.zeros(given, kinds[kind]) if isinstance(given, int) else np.asarray(given, kinds[kind])

    return loops_for(LARGE, names=retrograde_kernels.__all__, most_plain=0), room


def shown(numbers: Any) -> Any:
    """A sequence of numbers of Python, whatever holds them."""
    return getattr(numbers, "data", numbers)
