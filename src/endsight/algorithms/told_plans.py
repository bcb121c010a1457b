"""Plans as certificates print them: only the masses of the information sets at which something is decided."""

from __future__ import annotations

from collections.abc import Mapping
from math import gcd
from typing import Any

from endsight.algorithms.best_reply import Plan
from endsight.algorithms.treeplex import InformationSets, Treeplex


def told_plans(sets: InformationSets, plans: tuple[Plan, Plan]) -> Mapping[str, Any]:
    """The total and the masses of both players' plans, by `first` and `second`, without a common factor.

    Masses are those of all moves of the information sets that the plan reaches and that have several moves, in the
    order in which the walk found the sets.
    """
    names = ("first", "second")
    return {name: _told(side, plan) for name, side, plan in zip(names, sets.sides, plans, strict=True)}


def _told(side: Treeplex, plan: Plan) -> dict[str, Any]:
    masses = list(map(int, plan.masses))
    asked = [number for number in range(len(side)) if side.count[number] > 1 and masses[side.parent[number]]]
    told = [masses[sequence] for number in asked for sequence in side.after(number)]
    common = gcd(plan.total, *told)
    return {"total": plan.total // common, "masses": [mass // common for mass in told]}
