"""Certificates as text: what `endsight.verifier.certificate` reads."""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import is_dataclass
from fractions import Fraction
from typing import Any, get_type_hints

from endsight.errors import QuestionError
from endsight.proof.claim_text import LONG_BITS, number_text
from endsight.verifier.certificate import Certificate, Claim, Ends, Evidence, Increasing, Numbers, Whole

_PLAIN_NUMBERS = 40


def certificate_text(certificate: Certificate) -> str:
    """The certificate as one line of JSON; the same certificate always gives the same text."""
    return json.dumps(_document(certificate), separators=(",", ":"), allow_nan=False) + "\n"


def pack(numbers: Iterable[int]) -> str:
    """Whole numbers as text: separated by blanks, compressed where there are many."""
    words = [str(number) if number.bit_length() < LONG_BITS else hex(number) for number in numbers]
    text = " ".join(words)
    if len(words) <= _PLAIN_NUMBERS and len(text) < 10 * _PLAIN_NUMBERS:
        return text
    return "zlib:" + base64.b64encode(zlib.compress(text.encode(), 9)).decode()


def _document(certificate: Certificate) -> dict[str, Any]:
    parameters = {key: _parameter_document(value) for key, value in certificate.game["parameters"].items()}
    return {
        "schema": certificate.schema,
        "version": certificate.version,
        "game": certificate.game | {"parameters": parameters},
        "claim": _claim_document(certificate.claim),
        "evidence": _evidence_document(certificate.evidence),
        "play": None if certificate.play is None else _record_document(certificate.play),
    }


def _claim_document(claim: Claim) -> dict[str, Any]:
    outcomes = claim.outcomes
    return vars(claim) | {
        "fixed": dict(claim.fixed),
        "value": {name: _ends_document(ends) for name, ends in claim.value.items()},
        "outcomes": None if outcomes is None else [list(map(number_text, pair)) for pair in outcomes],
    }


def _ends_document(ends: Ends) -> str | list[str | None] | None:
    low, high = map(_end_text, ends)
    return low if low == high is not None else [low, high]


def _end_text(end: Fraction | None) -> str | None:
    return None if end is None else number_text(end)


def _evidence_document(evidence: Evidence) -> dict[str, Any]:
    """The kind, then all fields."""
    return {"kind": evidence.kind} | _record_document(evidence)


def _record_document(record: Any) -> dict[str, Any]:
    """The fields of a play, of a plan and the like, each in the form that its declaration says."""
    hints = get_type_hints(type(record), include_extras=True)
    return {name: _field_document(hint, getattr(record, name)) for name, hint in hints.items()}


def _field_document(hint: Any, value: Any) -> Any:
    return _record_document(value) if is_dataclass(value) else _FORMS.get(hint, lambda as_it_is: as_it_is)(value)


def _gaps(numbers: Sequence[int]) -> str:
    return pack(number - before for number, before in zip(numbers, (0, *numbers), strict=False))


_FORMS: Mapping[Any, Callable[[Any], Any]] = {Numbers: pack, Increasing: _gaps, Whole: number_text}
"""How fields are written, by the declarations from which the verifier knows how to read them."""


def _parameter_document(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_parameter_document(item) for item in value]
    if isinstance(value, Fraction) or (type(value) is int and value.bit_length() > LONG_BITS):
        return {"number": number_text(value) + "/1" * (isinstance(value, Fraction) and value.denominator == 1)}
    if value is None or isinstance(value, bool | int | str):
        return value
    raise QuestionError(
        "a parameter of this game has no place in a certificate",
        found=f"{value!r:.60}",
        allowed="whole numbers, Fractions, texts, yes or no, and lists of them",
    )
