"""Certificates of two plans, for games in which players see different things."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from endsight.errors import QuestionError, Wrong
from endsight.game.numbers import Amount, as_interval
from endsight.proof.agreeing import agreed
from endsight.verifier.certificate import Claim, Plan, Plans
from endsight.verifier.plans import by_plans
from endsight.verifier.walk import View

PLANS = "plans"
"""The checker that a source names when its witness is two plans."""


def planned(view: View, witness: Mapping[str, Any], values: Sequence[Amount]) -> tuple[Claim, Plans]:
    """The claim that two plans prove about the start of a game, checked against the `values` that were solved.

    After moves, the claim is about the game that begins there, valued on its own. `witness` has the total and the
    masses of each plan, as `plan_certificates` gives them. Raises `QuestionError` for a position that starts no
    subgame: some player cannot distinguish histories after it from others.
    """
    plans = Plans(_plan(witness["first"]), _plan(witness["second"]))
    try:
        proven = by_plans(view, plans)
    except Wrong as reason:
        raise _unproven(view.claim, reason) from None
    known = dict(zip(view.names, values, strict=True))
    value = proven.value
    if not view.claim.position:
        value = {name: agreed(name, ends, as_interval(known[name])) for name, ends in value.items()}
    return replace(view.claim, value=value, notion=view.meant(proven.notion)), plans


def _unproven(claim: Claim, reason: Wrong) -> QuestionError:
    return QuestionError(
        f"this answer has no certificate: {reason.message}",
        found=claim.position or None,
        allowed="the start, and positions after which no player takes what comes for what comes elsewhere",
    )


def _plan(document: Mapping[str, Any]) -> Plan:
    return Plan(document["total"], tuple(document["masses"]))
