"""Certificates of two plans: of games in which players see different things."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from endsight.errors import QuestionError
from endsight.game.numbers import Amount, as_interval
from endsight.proof.agreeing import agreed
from endsight.verifier.certificate import Claim, Plan, Plans
from endsight.verifier.plans import by_plans
from endsight.verifier.walk import View

__all__ = ["PLANS", "planned"]

PLANS = "plans"
"""What a source names as its checker whose witness is two plans."""


def planned(view: View, witness: Mapping[str, Any], values: Sequence[Amount]) -> tuple[Claim, Plans]:
    """The claim that two plans prove of the start of a game, held against the `values` that were solved.

    `witness` has the total and the masses of each plan, as `told_plans` gives them. Raises `QuestionError` for a
    position after the start.
    """
    if view.claim.position or view.claim.set_up is not None:
        raise QuestionError(
            "where players see different things, only the start of the game has a certificate",
            found=view.claim.position or view.claim.set_up,
            allowed="no --at and no --position",
        )
    plans = Plans(_plan(witness["first"]), _plan(witness["second"]))
    proven = by_plans(view, plans)
    known = dict(zip(view.names, values, strict=True))
    value = {name: agreed(name, ends, as_interval(known[name])) for name, ends in proven.value.items()}
    return replace(view.claim, value=value, notion=view.meant(proven.notion)), plans


def _plan(told: Mapping[str, Any]) -> Plan:
    return Plan(told["total"], tuple(told["masses"]))
