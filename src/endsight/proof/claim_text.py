"""Claims and verdicts in words, for commands and pages: one line each, with all text from files escaped.

The verifier does not rely on this module: `python -m endsight.verifier` prints the fields of a claim as they stand in
the file.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from decimal import Decimal
from hashlib import sha256
from html import escape
from typing import TYPE_CHECKING, Any

from endsight.base.printable import printable
from endsight.game.exact import Number, is_exact
from endsight.verifier.words import SECURED, SIGHT

if TYPE_CHECKING:
    from endsight.verifier.certificate import Certificate, Ends

LONGEST = 60
"""Characters of a number, or of a parameter, that are shown in full."""
LONG_BITS = 1 << 12
"""Whole numbers with at least this many bits are written in hexadecimal, which takes no time."""


def describe(certificate: Certificate) -> str:
    """The claim in words."""
    claim = certificate.claim
    place = f"after {printable(repr(claim.position))}" if claim.position else "at the start"
    if claim.set_up is not None:
        place = f"set up as {printable(repr(claim.set_up))}" + (f", {place}" if claim.position else "")
    asked = [claim.objective] * (claim.objective != "competitive")
    asked += [f"utility {claim.utility}"] * (claim.utility != "payoff")
    policies = {name: rule if isinstance(rule, str) else rule["function"] for name, rule in claim.fixed.items()}
    asked += [f"{quoted(name)} plays {quoted(rule)}" for name, rule in policies.items()]
    shown = ", ".join(f"{quoted(key)}={_shown(value)}" for key, value in certificate.game["parameters"].items())
    text = ", ".join([f"{quoted(certificate.game['class'])}({shown}) {place}", *asked]) + ": "
    meant = [part for part in (claim.notion or "").split("; ") if part]
    verb = "secures " if SECURED in meant else ""
    text += ", ".join(f"{quoted(name)} {verb}{ends_text(ends)}" for name, ends in claim.value.items())
    text += "" if claim.category == "value" else f" ({claim.category} for the player to move)"
    text += "".join(("; " if part == SIGHT else ", by ") + printable(part) for part in meant if part != SECURED)
    text += "; no exact value is claimed" if any(low != high for low, high in claim.value.values()) else ""
    if claim.player is not None and claim.outcomes is not None:
        count = len(claim.outcomes)
        amounts = "one amount for sure" if count == 1 else f"{count:,} amounts with their chances"
        text += f"; {quoted(claim.player)} gets {amounts} along one best play"
    return text


def quoted(text: str) -> str:
    """The text itself where it is one plain word, else in quotes."""
    return text if text.isidentifier() and text.isascii() else printable(repr(text))


def number_text(number: Number) -> str:
    """`p/q`, or `p` where it is whole, each in decimal where that is short, else in hexadecimal."""
    over, under = (str(n) if n.bit_length() < LONG_BITS else hex(n) for n in (number.numerator, number.denominator))
    return over if under == "1" else f"{over}/{under}"


def ends_text(ends: Ends) -> str:
    """Bounds for people, long numbers shortened."""
    low, high = (None if end is None else _shown(end) for end in ends)
    if low is None or high is None:
        return "(not claimed)" if low == high else f"at least {low}" if high is None else f"at most {high}"
    return low if low == high else f"between {low} and {high}"


def _shown(value: Any) -> str:
    """A number or a parameter as JSON, or by length and SHA-256 where it is long, so that no two read the same.

    A fraction that is hard to read is followed by a decimal, marked as rounded.
    """
    text = _json(value)
    about = f"≈ {Decimal(value.numerator) / Decimal(value.denominator):.6g}" if is_exact(value) else ""
    if len(text) <= LONGEST:
        return f"{text} ({about})" if is_exact(value) and value.denominator > 99 else text
    length = _counted(len(value), "item") if isinstance(value, tuple) else _counted(len(text), "character")
    return f"{about} ({length}, SHA-256 {sha256(text.encode()).hexdigest()})".lstrip()


def _counted(count: int, noun: str) -> str:
    """Like `endsight.game.numbers.count_text`, which would load more than refusals need."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def _json(value: Any) -> str:
    """JSON without blanks, and with fractions as p/q."""
    if isinstance(value, tuple):
        return f"[{','.join(map(_json, value))}]"
    return number_text(value) if is_exact(value) else json.dumps(value)


def verdict_text(claim: str, checked: Iterable[str], reason: str | None) -> str:
    """The claim, what was checked, and why it is wrong (None: it is proven)."""
    verdict = f"verdict: {'proven' if reason is None else f'wrong: {reason}'}"
    return "\n".join([f"claim: {claim}", *(f"checked: {line}" for line in checked), verdict])


def claim_html(certificate: Certificate) -> str:
    """The certificate as HTML for a notebook."""
    size = f"{_counted(len(certificate.text.encode()), 'byte')} of JSON, to be checked with endsight.verify"
    return f"<p><strong>Certificate</strong></p><p>{escape(describe(certificate))}</p><p>{size}</p>"
