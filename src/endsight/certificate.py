"""Certificates: a claim about a game and the evidence for it, as plain data in one JSON text.

Nothing here knows how to solve or how to check. A certificate holds all that is needed
beside the rules: the game with its parameters in full, a SHA-256 of the text of the
rules, the claim, and the evidence (see `endsight.verifier` for what each kind proves).
It is read strictly: unknown, missing or repeated keys, other types than expected, and
sizes beyond reason are refused with a `FileError`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

from endsight.claim_words import claim_text
from endsight.claims import MOST_SCALE_BITS, Bounds, Claim, Ends, Induction, Play, Scale, Witness
from endsight.errors import FileError, QuestionError, UsageError
from endsight.markup import joined, paragraph
from endsight.number_lists import LONG_BITS, LONGEST_TEXT, number_of, number_text, pack, unpack
from endsight.numbers import simplest

__all__ = ["SCHEMA", "Certificate", "describe"]

SCHEMA = "endsight.certificate/1"


@dataclass(frozen=True)
class Certificate:
    """A claim, its evidence, and the game they are about.

    game        as the user wrote it, for people only; `kind` is the class's name,
                `own` says that it is not a built-in one
    parameters  all parameters of the game, in full
    rules       SHA-256 of the text of the rules
    evidence    `Bounds`, `Induction` or `Witness`
    play        for a distribution: the moves whose outcomes are counted
    """

    game: str
    kind: str
    own: bool
    parameters: Mapping[str, Any]
    rules: str
    claim: Claim
    evidence: Bounds | Induction | Witness
    play: Play | None = None
    version: str = field(default="")

    def __repr__(self) -> str:
        return f"<Certificate of {describe(self)}>"

    def _repr_html_(self) -> str:
        """The claim, and how it is proven; checking it is `endsight.verify`'s."""
        kind = _evidence_document(self.evidence)["kind"]
        kept = f"proven by {kind} ({len(self.to_text()):,} bytes of JSON), to be checked with endsight.verify"
        return joined(paragraph("Certificate", strong=True), paragraph(describe(self)), paragraph(kept))

    def to_text(self) -> str:
        """The certificate as one line of JSON; the same certificate always gives the same text."""
        return json.dumps(_document(self), separators=(",", ":"), ensure_ascii=False, allow_nan=False) + "\n"

    @staticmethod
    def from_text(text: str | bytes, place: str = "the certificate") -> Certificate:
        """The certificate that `text` holds; `FileError` where that is not exactly one."""
        try:
            return _certificate(_parsed(text))
        except _Malformed as error:
            raise FileError(
                f"{place} is not a certificate that can be read",
                found=str(error),
                allowed=f"a file of the kind {SCHEMA}, unchanged",
                advice="endsight prove GAME -o FILE, which writes one",
            ) from None

    @staticmethod
    def read(path: str | Path) -> Certificate:
        """The certificate in a file; `FileError` where it cannot be read."""
        if not isinstance(path, str | Path):  # the verifier does without `arguments`
            found = f"{path!r} ({type(path).__name__})"
            raise UsageError("Certificate.read takes a path", found=found, advice="'NAME', or pathlib.Path('NAME')")
        try:
            with Path(path).open("rb") as file:
                text = file.read(LONGEST_TEXT + 1)
        except (OSError, ValueError) as error:
            raise FileError(f"{path} cannot be read", found=getattr(error, "strerror", None) or str(error)) from None
        return Certificate.from_text(text, str(path))


def describe(certificate: Certificate) -> str:
    """The claim in words."""
    return claim_text(certificate.kind, certificate.parameters, certificate.claim)


# ---------------------------------------------------------------------- to JSON


def _document(certificate: Certificate) -> dict[str, Any]:
    return {
        "schema": SCHEMA,
        "version": certificate.version,
        "game": {
            "text": certificate.game,
            "class": certificate.kind,
            "own": certificate.own,
            "parameters": {key: _parameter_document(value) for key, value in certificate.parameters.items()},
            "rules": certificate.rules,
        },
        "claim": _claim_document(certificate.claim),
        "evidence": _evidence_document(certificate.evidence),
        "play": None if certificate.play is None else _play_document(certificate.play),
    }


def _claim_document(claim: Claim) -> dict[str, Any]:
    outcomes = claim.outcomes
    return {
        "position": claim.position,
        "set_up": claim.set_up,
        "objective": claim.objective,
        "utility": claim.utility,
        "fixed": dict(claim.fixed),
        "value": {
            name: _end_text(low) if low == high else [_end_text(low), _end_text(high)]
            for name, (low, high) in claim.value.items()
        },
        "category": claim.category,
        "notion": claim.notion,
        "player": claim.player,
        "outcomes": None if outcomes is None else [list(map(number_text, pair)) for pair in outcomes],
    }


def _end_text(end: Fraction | None) -> str | None:
    return None if end is None else number_text(end)


def _evidence_document(evidence: Bounds | Induction | Witness) -> dict[str, Any]:
    if isinstance(evidence, Bounds):
        sides = {"at_least": evidence.at_least, "at_most": evidence.at_most}
        return {"kind": "bounds"} | {
            name: None if play is None else _play_document(play) for name, play in sides.items()
        }
    if isinstance(evidence, Induction):
        return {"kind": "induction"}
    return {"kind": "theorem", "theorem": evidence.theorem, "witness": evidence.witness}


def _play_document(play: Play) -> dict[str, Any]:
    gaps = [number - before for number, before in zip(play.nodes, (0, *play.nodes), strict=False)]
    return {
        "choices": pack(play.choices),
        "scale": [list(pair) for pair in play.scale],
        "nodes": pack(gaps),
        "values": pack(play.values),
    }


def _parameter_document(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_parameter_document(item) for item in value]
    if isinstance(value, Fraction) or (type(value) is int and value.bit_length() > LONG_BITS):
        return {"number": number_text(value)}
    if value is None or isinstance(value, bool | int | str):
        return value
    raise QuestionError(
        "a parameter of this game has no place in a certificate",
        found=f"{value!r:.60}",
        allowed="whole numbers, Fractions, texts, yes or no, and lists of them",
    )


# ---------------------------------------------------------------------- from JSON


class _Malformed(Exception):
    """What is not as it must be."""


def _parsed(text: str | bytes) -> Any:
    if len(text) > LONGEST_TEXT:
        raise _Malformed(f"more than {LONGEST_TEXT:,} bytes")
    try:
        return json.loads(text, object_pairs_hook=_unique, parse_float=_no_float, parse_constant=_no_float)
    except RecursionError:
        raise _Malformed("lists in lists in lists ...") from None
    except json.JSONDecodeError as error:
        raise _Malformed(_no_json(error)) from None
    except UnicodeDecodeError:
        raise _Malformed("bytes that are no text in UTF-8") from None
    except ValueError as error:  # of a number that is too long
        raise _Malformed(str(error)) from None


def _no_json(error: json.JSONDecodeError) -> str:
    """Where a text stops being JSON."""
    if not error.doc.strip():
        return "an empty file"
    if error.pos >= len(error.doc.rstrip()) or error.msg.startswith("Unterminated"):
        return f"JSON that breaks off at character {error.pos:,}"
    near = error.doc[error.pos : error.pos + 20].split("\n")[0]
    return f"no JSON: {near!r} in line {error.lineno}, column {error.colno}"


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise _Malformed("a key that stands twice")
    return found


def _no_float(text: str) -> Any:
    raise _Malformed(f"the number {text[:20]}, which is not exact")


def _fields(value: Any, place: str, **kinds: type | tuple[type, ...]) -> list[Any]:
    """The values of exactly these keys, of these types."""
    if not isinstance(value, dict):
        raise _Malformed(f"{place} is not an object")
    keys = [name.rstrip("_") for name in kinds]
    for key in value:
        if key not in keys:
            raise _Malformed(f"the unknown key {key[:40]!r} in {place}")
    for key, kind in zip(keys, kinds.values(), strict=True):
        if key not in value:
            raise _Malformed(f"no {key!r} in {place}")
        allowed = kind if isinstance(kind, tuple) else (kind,)
        if type(value[key]) not in allowed:
            raise _Malformed(f"{key!r} in {place} is of another type")
    return [value[key] for key in keys]


_NONE = type(None)


def _number(text: Any) -> Fraction:
    try:
        return number_of(text)
    except ValueError as error:
        raise _Malformed(str(error)) from None


def _certificate(document: Any) -> Certificate:
    schema, version, game, claim, evidence, play = _fields(
        document, "the document", schema=str, version=str, game=dict, claim=dict, evidence=dict, play=(dict, _NONE)
    )
    if schema != SCHEMA:
        raise _Malformed(f"the schema {schema[:60]!r}")
    text, kind, own, parameters, rules = _fields(
        game, "game", text=str, class_=str, own=bool, parameters=dict, rules=str
    )
    if not re.fullmatch("[0-9a-f]{64}", rules):
        raise _Malformed("'rules' that are not a SHA-256")
    return Certificate(
        game=text,
        kind=kind,
        own=own,
        parameters={key: _parameter(value) for key, value in parameters.items()},
        rules=rules,
        claim=_claim(claim),
        evidence=_evidence(evidence),
        play=None if play is None else _play(play),
        version=version,
    )


def _claim(document: Any) -> Claim:
    position, set_up, objective, utility, fixed, value, category, notion, player, outcomes = _fields(
        document,
        "claim",
        position=str,
        set_up=(str, _NONE),
        objective=str,
        utility=str,
        fixed=dict,
        value_=dict,
        category=str,
        notion=(str, _NONE),
        player=(str, _NONE),
        outcomes=(list, _NONE),
    )
    for name, allowed in (
        (objective, ("competitive", "cooperative")),
        (utility, ("payoff", "win", "lead")),
        (category, ("win", "draw", "loss", "value")),
    ):
        if name not in allowed:
            raise _Malformed(f"{name[:40]!r} instead of one of {', '.join(allowed)}")
    if (player is None) != (outcomes is None):
        raise _Malformed("outcomes without a player, or a player without outcomes")
    if not value:
        raise _Malformed("a claim about nobody")
    rows = None if outcomes is None else tuple(map(_pair, outcomes))
    policies = {name: _policy(rule) for name, rule in fixed.items()}
    ends = {name: _ends(entry) for name, entry in value.items()}
    return Claim(position, set_up, objective, utility, policies, ends, category, notion, player, rows)


def _pair(entry: Any) -> tuple[Fraction, Fraction]:
    if not isinstance(entry, list) or len(entry) != 2:
        raise _Malformed("something else than a pair of numbers")
    return _number(entry[0]), _number(entry[1])


def _ends(entry: Any) -> Ends:
    if not isinstance(entry, list):
        return (_number(entry), _number(entry))
    if len(entry) != 2 or entry == [None, None]:
        raise _Malformed("something else than two ends")
    low, high = (None if end is None else _number(end) for end in entry)
    if low is not None and high is not None and low > high:
        raise _Malformed("a lower end above the upper one")
    return low, high


def _policy(rule: Any) -> str | dict[str, str]:
    if isinstance(rule, str):
        return rule
    name, text = _fields(rule, "a fixed policy", function=str, sha256=str)
    return {"function": name, "sha256": text}


def _evidence(document: Any) -> Bounds | Induction | Witness:
    kind = document.get("kind")
    if kind == "bounds":
        sides = (dict, _NONE)
        plays = _fields(document, "evidence", kind=str, at_least=sides, at_most=sides)[1:]
        if plays == [None, None]:
            raise _Malformed("bounds without any play")
        return Bounds(*(None if play is None else _play(play) for play in plays))
    if kind == "induction":
        _fields(document, "evidence", kind=str)
        return Induction()
    if kind == "theorem":
        _, name, witness = _fields(document, "evidence", kind=str, theorem=str, witness=dict)
        return Witness(name, witness)
    raise _Malformed(f"evidence of the unknown kind {str(kind)[:40]!r}")


def _play(document: Any) -> Play:
    choices, scale, gaps, values = _fields(document, "a play", choices=str, scale=list, nodes=str, values=str)
    nodes: list[int] = []
    number = 0
    for gap in _numbers(gaps):
        if gap < (1 if nodes else 0):
            raise _Malformed("nodes that do not increase")
        number += gap
        nodes.append(number)
    claimed = _numbers(values)
    if len(claimed) != len(nodes):
        raise _Malformed("another number of nodes than of values")
    return Play(_numbers(choices), _scale(scale), tuple(nodes), claimed)


def _numbers(text: str) -> tuple[int, ...]:
    try:
        return unpack(text)
    except ValueError as error:
        raise _Malformed(str(error)) from None


def _scale(pairs: list[Any]) -> Scale:
    bits = 0
    for pair in pairs:
        if not isinstance(pair, list) or list(map(type, pair)) != [int, int] or pair[0] < 2 or pair[1] < 1:
            raise _Malformed("a scale that is not made of bases and exponents")
        bits += pair[0].bit_length() * pair[1]
    if bits > MOST_SCALE_BITS:
        raise _Malformed(f"a scale of more than {MOST_SCALE_BITS:,} bits")
    return tuple((base, exponent) for base, exponent in pairs)


def _parameter(value: Any) -> Any:
    if isinstance(value, list):
        return tuple([_parameter(item) for item in value])
    if isinstance(value, dict):
        return simplest(_number(_fields(value, "a parameter", number=str)[0]))
    return value
