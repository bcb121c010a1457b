"""The kernels over moves, and their data: lists as they are, or compiled on arrays where a graph is large."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from endsight.algorithms import retrograde_kernels
from endsight.base.deferred import deferred

with deferred(__name__):
    from endsight.algorithms.loops import loops_for

LARGE = 20_000
"""Edges of a graph from which arrays pay for the time to load them."""
Kernels: TypeAlias = Mapping[str, Callable[..., int]]
Room: TypeAlias = Callable[[str, Any], Any]
"""Makes numbers of a kind (see `kernel_numbers`): that many zeros, or the given ones, which may be the same array."""


def kernels_for(edges: int) -> tuple[Kernels, Room]:
    """The kernels for a graph with that many edges, and the function that makes numbers for them."""
    if edges >= LARGE:
        return _compiled()
    return vars(retrograde_kernels), lambda _, given: [0] * given if isinstance(given, int) else list(given)


def _compiled() -> tuple[Kernels, Room]:
    import numpy as np

    kinds = {"p": np.int64, "h": np.int32, "b": np.int8}

    def room(kind: str, given: Any) -> Any:
        return np.zeros(given, kinds[kind]) if isinstance(given, int) else np.asarray(given, kinds[kind])

    kernels = [getattr(retrograde_kernels, name) for name in retrograde_kernels.__all__]
    return loops_for(LARGE, kernels=kernels, most_plain=0), room


def shown(numbers: Any) -> Any:
    """A sequence of Python's numbers, whatever holds them."""
    return getattr(numbers, "data", numbers)
