"""Plans in whole numbers near masses that are no exact plan: floats, or numbers that do not quite add up."""

from __future__ import annotations

from collections.abc import Sequence

from endsight.algorithms.best_reply import Plan
from endsight.algorithms.treeplex import Treeplex

__all__ = ["rounded_plan"]

# Floats are taken as whole numbers over two to this.
_FLOAT_BITS = 60


def rounded_plan(side: Treeplex, weights: Sequence[float] | Sequence[int], bits: int = 50) -> Plan:
    """A plan over 2^bits: every set splits the mass before it in proportion to its weights, negative ones taken as 0.

    What rounding leaves goes to the largest weight; sets without weights split evenly. So it is a plan exactly,
    whatever the weights are.
    """
    total = 1 << bits
    masses = [total] + [0] * (side.sequences - 1)
    whole = [_whole(weight) for weight in weights]
    for number, parent in enumerate(side.parent):
        if masses[parent]:
            own = side.after(number)
            masses[own.start : own.stop] = _split(masses[parent], whole[own.start : own.stop])
    return Plan(masses, total)


def _whole(weight: float) -> int:
    if weight <= 0:
        return 0
    return weight if isinstance(weight, int) else int(weight * (1 << _FLOAT_BITS))


def _split(mass: int, weights: Sequence[int]) -> list[int]:
    """The mass in whole parts in proportion to the weights."""
    total = sum(weights)
    weights, total = (weights, total) if total else ([1] * len(weights), len(weights))
    parts = [mass * weight // total for weight in weights]
    parts[weights.index(max(weights))] += mass - sum(parts)
    return parts
