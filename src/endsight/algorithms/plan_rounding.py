"""Plans in whole numbers near masses that are no exact plan: floats, or numbers that do not quite add up."""

from __future__ import annotations

from collections.abc import Sequence

from endsight.algorithms.best_reply import Plan
from endsight.algorithms.treeplex import Treeplex

# Floats are taken as whole numbers over two to this power.
_FLOAT_BITS = 60


def rounded_plan(side: Treeplex, weights: Sequence[float] | Sequence[int], bits: int = 50) -> Plan:
    """A plan over 2^bits: every set splits the mass before it in proportion to its weights, negative ones taken as 0.

    The rest from rounding goes to the largest weight; sets without weights split evenly. So it is a plan exactly,
    whatever the weights are.
    """
    total = 1 << bits
    masses = [total] + [0] * (side.sequences - 1)
    for number, parent in enumerate(side.parent):
        if masses[parent]:
            own = side.after(number)
            masses[own.start : own.stop] = split(masses[parent], weights[own.start : own.stop])
    return Plan(masses, total)


def split(mass: int, weights: Sequence[float] | Sequence[int]) -> list[int]:
    """The mass in whole parts in proportion to the weights."""
    whole = [_whole(weight) for weight in weights]
    total = sum(whole)
    whole, total = (whole, total) if total else ([1] * len(whole), len(whole))
    parts = [mass * weight // total for weight in whole]
    parts[whole.index(max(whole))] += mass - sum(parts)
    return parts


def _whole(weight: float) -> int:
    if weight <= 0:
        return 0
    return weight if isinstance(weight, int) else int(weight * (1 << _FLOAT_BITS))
