"""Certificates: a claim about a game and the evidence for it, as plain data in one JSON text.

Nothing here knows how to solve or how to check. A certificate holds all that is needed
beside the rules: the game with its parameters in full, a SHA-256 of the text of the
rules, the claim, and the evidence (see `endsight.verifier` for what each kind proves).
It is read strictly: unknown, missing or repeated keys, other types than expected, and
sizes beyond reason are refused with a `FileError`.
"""

from __future__ import annotations

import base64
import binascii
import json
import re
import zlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from hashlib import sha256
from math import prod
from pathlib import Path
from typing import Any

from endsight.errors import FileError, QuestionError
from endsight.markup import joined, paragraph
from endsight.numbers import Number, exact_text, hex_text, short_decimal, simplest

__all__ = [
    "SCHEMA",
    "Bounds",
    "Certificate",
    "Claim",
    "Ends",
    "Induction",
    "Play",
    "Scale",
    "Witness",
    "describe",
    "ends_text",
    "pack",
    "policy_entry",
    "unpack",
    "verdict_document",
    "verdict_text",
]

SCHEMA = "endsight.certificate/1"
LONGEST_TEXT = 1 << 28
"""Most bytes of a certificate, and of a list of numbers in it."""
MOST_SCALE_BITS = 1 << 20
"""Most bits of the denominator of a table."""
_PLAIN_NUMBERS = 40
_LONG_BITS = 1 << 12
_LONGEST_NUMBER = 60
_NUMBER = re.compile(r"-?(\d+|0x[0-9a-f]+)", re.ASCII)
_FRACTION = re.compile(r"(-?(?:\d+|0x[0-9a-f]+))(?:/(\d+|0x[0-9a-f]+))?", re.ASCII)


Ends = tuple[Fraction | None, Fraction | None]
"""Proven ends of a number; None where nothing is said on that side."""
Scale = tuple[tuple[int, int], ...]
"""A denominator as (base, exponent) pairs."""


@dataclass(frozen=True)
class Claim:
    """What is claimed about one position.

    position   the moves so far as text; `set_up` the text of the state they began at, None for the start
    fixed      by player's name the policy, or for one from a file its name and a SHA-256 of the file
    value      by player's name proven ends of the value of the whole game, equal where it is exact;
               None for an end of which nothing is claimed
    category   win, draw or loss of the player to move where the evidence met nothing else; else `value`
    notion     the tie rule where several players' values depend on one, else None
    player, outcomes  for a distribution: whose, and (amount, chance) in increasing order of amounts
    """

    position: str
    set_up: str | None
    objective: str
    utility: str
    fixed: Mapping[str, str | Mapping[str, str]]
    value: Mapping[str, Ends]
    category: str
    notion: str | None
    player: str | None = None
    outcomes: tuple[tuple[Fraction, Fraction], ...] | None = None


@dataclass(frozen=True)
class Play:
    """Choices for one side, in the order in which a walk from the position needs them.

    choices  number of the move (from 0, in the rules' order) at every decision of that side with
             more than one move
    scale    the denominator of all numbers, as (base, exponent) pairs
    nodes    where play comes back: numbers of the walk's nodes, in increasing order
    values   what is claimed of those nodes, over the scale
    """

    choices: tuple[int, ...]
    scale: Scale = ()
    nodes: tuple[int, ...] = ()
    values: tuple[int, ...] = ()

    @property
    def denominator(self) -> int:
        """The scale as a number."""
        return prod(base**power for base, power in self.scale)


@dataclass(frozen=True)
class Bounds:
    """A play that secures the value from below, and one that secures it from above; one may be lacking."""

    at_least: Play | None
    at_most: Play | None


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
        try:
            with Path(path).open("rb") as file:
                text = file.read(LONGEST_TEXT + 1)
        except (OSError, ValueError) as error:
            raise FileError(f"{path} cannot be read", found=getattr(error, "strerror", None) or str(error)) from None
        return Certificate.from_text(text, str(path))


@dataclass(frozen=True)
class Induction:
    """Nothing: the verifier does the backward induction itself."""


@dataclass(frozen=True)
class Witness:
    """A theorem by name, with what its checker needs."""

    theorem: str
    witness: Mapping[str, Any]


def policy_entry(function: Callable[..., Any]) -> dict[str, str]:
    """A policy from a file as a claim names it: its name and a SHA-256 of the file.

    Raises `QuestionError` where there is no file.
    """
    file = Path(getattr(getattr(function, "__code__", None), "co_filename", ""))
    if not file.is_file():
        raise QuestionError("a policy that is in no file has no place in a certificate", advice="write it into a file")
    text = file.read_bytes().replace(b"\r\n", b"\n")
    return {"function": function.__name__, "sha256": sha256(text).hexdigest()}


# ---------------------------------------------------------------------- in words


def describe(certificate: Certificate) -> str:
    """The claim in words."""
    claim = certificate.claim
    place = f"after {claim.position!r}" if claim.position else "at the start"
    if claim.set_up is not None:
        place = f"set up as {claim.set_up!r}" + (f", {place}" if claim.position else "")
    question = "" if claim.objective == "competitive" else f", {claim.objective}"
    question += "" if claim.utility == "payoff" else f", utility {claim.utility}"
    for name, rule in claim.fixed.items():
        question += f", {name} plays {rule if isinstance(rule, str) else rule['function']}"
    shown = ", ".join(f"{key}={_shortened(str(value))}" for key, value in certificate.parameters.items())
    text = f"{certificate.kind}({shown}) {place}{question}: "
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
    return text if len(text) <= _LONGEST_NUMBER else f"{short_decimal(end)} (exact in {len(text):,} signs)"


def _shortened(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:28]}...{text[-28:]}"


def verdict_document(certificate: Certificate, checked: Iterable[str], reason: str | None) -> dict[str, Any]:
    """`endsight.verdict/1`: what is claimed, what was checked, and why it is wrong (None: proven)."""
    verdict = "proven" if reason is None else "wrong"
    entries = {"schema": "endsight.verdict/1", "claim": describe(certificate), "checked": list(checked)}
    return entries | {"verdict": verdict, "reason": reason}


def verdict_text(document: Mapping[str, Any]) -> str:
    """The same for people."""
    lines = [f"claim: {document['claim']}", *(f"checked: {line}" for line in document["checked"])]
    reason = document["reason"]
    return "\n".join([*lines, f"verdict: {document['verdict']}" + (f": {reason}" if reason else "")])


# ---------------------------------------------------------------------- numbers as text


def pack(numbers: Iterable[int]) -> str:
    """Whole numbers as text: separated by blanks, compressed where there are many."""
    words = [str(number) if number.bit_length() < _LONG_BITS else hex(number) for number in numbers]
    text = " ".join(words)
    if len(words) <= _PLAIN_NUMBERS and len(text) < 10 * _PLAIN_NUMBERS:
        return text
    return "zlib:" + base64.b64encode(zlib.compress(text.encode(), 9)).decode()


def unpack(text: str) -> tuple[int, ...]:
    """The numbers that `pack` wrote; `ValueError` for anything else."""
    if text.startswith("zlib:"):
        text = _expanded(text.removeprefix("zlib:"))
    return tuple(map(_whole, text.split(" "))) if text else ()


def _expanded(text: str) -> str:
    try:
        squeezed = base64.b64decode(text, validate=True)
        machine = zlib.decompressobj()
        plain = machine.decompress(squeezed, LONGEST_TEXT)
    except (binascii.Error, zlib.error) as error:
        raise ValueError(f"a damaged list of numbers ({error})") from None
    if machine.unconsumed_tail:
        raise ValueError(f"a list of numbers of more than {LONGEST_TEXT:,} bytes")
    if not machine.eof or machine.unused_data:
        raise ValueError("a list of numbers that is cut off, or goes on after its end")
    return plain.decode("ascii")


def _whole(word: str) -> int:
    if not _NUMBER.fullmatch(word):
        raise ValueError(f"{word[:20]!r} instead of a whole number")
    return int(word, 16 if "x" in word else 10)


def number_text(number: Number) -> str:
    """`p/q` in decimal where that is short, else in hexadecimal."""
    number = simplest(number)
    return exact_text(number) or hex_text(number)


def _number(text: Any) -> Fraction:
    found = _FRACTION.fullmatch(text) if isinstance(text, str) else None
    if found is None:
        raise _Malformed(f"{str(text)[:40]!r} instead of a number p/q")
    try:
        return Fraction(_whole(found[1]), _whole(found[2] or "1"))
    except (ValueError, ZeroDivisionError) as error:
        raise _Malformed(f"{text[:40]!r}: {error}") from None


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
    if isinstance(value, Fraction) or (type(value) is int and value.bit_length() > _LONG_BITS):
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
