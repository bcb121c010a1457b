"""Numbers, claims and verdicts in words: each on one line, with nothing raw from a file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Decimal
from fractions import Fraction
from hashlib import sha256
from typing import Any

from endsight.exact import Number, is_exact
from endsight.printable import printable
from endsight.verifier.claims import SECURED, Claim, Ends

__all__ = ["claim_text", "ends_text", "number_text", "verdict_document", "verdict_text"]

LONGEST = 60
"""Characters of a number, or of a parameter, that are shown in full."""
LONG_BITS = 1 << 12
"""Whole numbers from so many bits on are written in hexadecimal, which takes no time."""


def quoted(text: str) -> str:
    """The text as it is where it is one plain word, else in quotes."""
    return text if text.isidentifier() and text.isascii() else printable(repr(text))


def number_text(number: Number) -> str:
    """`p/q`, or `p` where it is whole, each in decimal where that is short, else in hexadecimal."""
    parts = (number.numerator, number.denominator)
    words = [str(part) if part.bit_length() < LONG_BITS else hex(part) for part in parts]
    return words[0] if parts[1] == 1 else "/".join(words)


def ends_text(ends: Ends) -> str:
    """Bounds for people, long numbers shortened."""
    low, high = (None if end is None else _number_for_people(end) for end in ends)
    if low is None or high is None:
        return "(not claimed)" if low == high else f"at least {low}" if high is None else f"at most {high}"
    return low if low == high else f"between {low} and {high}"


def _number_for_people(end: Fraction) -> str:
    """The exact number, or a decimal beside its length where it is long."""
    text = number_text(end)
    if len(text) <= LONGEST:
        return text
    return f"≈ {Decimal(end.numerator) / Decimal(end.denominator):.6g} (exact in {len(text):,} characters)"


def _parameter(value: Any) -> str:
    """A parameter in full, or by length and SHA-256 where it is long."""
    text = _in_full(value)
    if len(text) <= LONGEST:
        return text
    length = f"{len(value):,} items" if isinstance(value, tuple) else f"{len(text):,} characters"
    return f"({length}, SHA-256 {sha256(text.encode()).hexdigest()})"


def _in_full(value: Any) -> str:
    if isinstance(value, tuple):
        return f"({', '.join(map(_in_full, value))})"
    return number_text(value) if is_exact(value) else printable(repr(value))


def claim_text(kind: str, parameters: Mapping[str, Any], claim: Claim) -> str:
    """The claim about a game of that class and those parameters."""
    place = f"after {printable(repr(claim.position))}" if claim.position else "at the start"
    if claim.set_up is not None:
        place = f"set up as {printable(repr(claim.set_up))}" + (f", {place}" if claim.position else "")
    asked = [claim.objective] * (claim.objective != "competitive")
    asked += [f"utility {claim.utility}"] * (claim.utility != "payoff")
    for name, rule in claim.fixed.items():
        asked.append(f"{quoted(name)} plays {quoted(rule if isinstance(rule, str) else rule['function'])}")
    shown = ", ".join(f"{quoted(key)}={_parameter(value)}" for key, value in parameters.items())
    text = ", ".join([f"{quoted(kind)}({shown}) {place}", *asked]) + ": "
    verb = "secures " if claim.notion == SECURED else ""
    text += ", ".join(f"{quoted(name)} {verb}{ends_text(ends)}" for name, ends in claim.value.items())
    text += "" if claim.category == "value" else f" ({claim.category} for the player to move)"
    text += f", by {printable(claim.notion)}" if claim.notion and not verb else ""
    text += "; no exact value is claimed" if any(low != high for low, high in claim.value.values()) else ""
    if claim.player is not None and claim.outcomes is not None:
        text += f"; {quoted(claim.player)} gets {len(claim.outcomes)} amounts with their chances, by best play"
    return text


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
