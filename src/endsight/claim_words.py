"""Claims and verdicts in words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

from endsight.claims import Claim, Ends
from endsight.number_lists import number_text
from endsight.numbers import short_decimal

__all__ = ["claim_text", "ends_text", "verdict_document", "verdict_text"]

LONGEST_NUMBER = 60
"""Signs of a number, or of a parameter, that are shown in full."""


def claim_text(kind: str, parameters: Mapping[str, Any], claim: Claim) -> str:
    """The claim about a game of that class and those parameters."""
    place = f"after {claim.position!r}" if claim.position else "at the start"
    if claim.set_up is not None:
        place = f"set up as {claim.set_up!r}" + (f", {place}" if claim.position else "")
    question = "" if claim.objective == "competitive" else f", {claim.objective}"
    question += "" if claim.utility == "payoff" else f", utility {claim.utility}"
    for name, rule in claim.fixed.items():
        question += f", {name} plays {rule if isinstance(rule, str) else rule['function']}"
    shown = ", ".join(f"{key}={_shortened(str(value))}" for key, value in parameters.items())
    text = f"{kind}({shown}) {place}{question}: "
    text += ", ".join(f"{name} {ends_text(ends)}" for name, ends in claim.value.items())
    text += "" if claim.category == "value" else f" ({claim.category} for the player to move)"
    text += f", by {claim.notion}" if claim.notion else ""
    if claim.outcomes is not None:
        text += f"; {claim.player} gets {len(claim.outcomes)} amounts with their chances"
    return text


def ends_text(ends: Ends) -> str:
    """Ends for people, long numbers shortened."""
    low, high = (None if end is None else _number_for_people(end) for end in ends)
    if low is None or high is None:
        return "unknown" if low == high else f"at least {low}" if high is None else f"at most {high}"
    return low if low == high else f"[{low}, {high}]"


def _number_for_people(end: Fraction) -> str:
    """The exact number, or a decimal beside its length where it is long."""
    text = number_text(end)
    return text if len(text) <= LONGEST_NUMBER else f"{short_decimal(end)} (exact in {len(text):,} signs)"


def _shortened(text: str) -> str:
    return text if len(text) <= LONGEST_NUMBER else f"{text[:28]}...{text[-28:]}"


def verdict_document(claim: str, checked: Iterable[str], reason: str | None) -> dict[str, Any]:
    """`endsight.verdict/1`: what is claimed, what was checked, and why it is wrong (None: proven)."""
    verdict = "proven" if reason is None else "wrong"
    entries = {"schema": "endsight.verdict/1", "claim": claim, "checked": list(checked)}
    return entries | {"verdict": verdict, "reason": reason}


def verdict_text(document: Mapping[str, Any]) -> str:
    """The same for people."""
    lines = [f"claim: {document['claim']}", *(f"checked: {line}" for line in document["checked"])]
    reason = document["reason"]
    return "\n".join([*lines, f"verdict: {document['verdict']}" + (f": {reason}" if reason else "")])
