"""The certificate format: one JSON object, read strictly into plain data.

The table at the end says which keys there are and what each holds;
`docs/reference/certificate-format.md` says what they mean. Unknown, missing and repeated
keys, other types than expected, and sizes beyond reason are refused with a `FileError`
before anything is calculated.
"""

from __future__ import annotations

import base64
import json
import re
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from html import escape
from itertools import accumulate
from pathlib import Path
from typing import Any

from endsight.exact import simplest
from endsight.faults import FileError, UsageError
from endsight.verifier.claims import Bounds, Claim, Ends, Induction, Play, Scale, Witness
from endsight.verifier.words import claim_text

__all__ = ["MOST_SCALE_BITS", "SCHEMA", "Certificate", "describe"]

SCHEMA = "endsight.certificate/2"
MOST_SCALE_BITS = 1 << 20
"""Most bits of the denominator of a table."""
LONGEST = 1 << 26
"""Most bytes of a certificate, and of each list of numbers in it once that is expanded."""
MOST_ITEMS = 1 << 22
"""Most items of JSON lists and objects together."""
MOST_NUMBERS = 1 << 24
"""Most numbers of a list."""
_WHOLE = r"\d{1,4000}|0x[0-9a-f]{1,300000}"
_NUMBER = re.compile(rf"-?(?:{_WHOLE})", re.ASCII)
_FRACTION = re.compile(rf"(-?(?:{_WHOLE}))(?:/({_WHOLE}))?", re.ASCII)

Reader = Callable[[Any], Any]
"""What makes plain data of a part of the document, or raises `_Malformed`."""


class _Malformed(Exception):
    """What is not as it must be."""


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
    version: str = ""
    text: str = field(default="", init=False, compare=False, repr=False)

    def __repr__(self) -> str:
        return f"<Certificate of {describe(self)}>"

    def _repr_html_(self) -> str:
        """The claim; checking it is `endsight.verify`'s."""
        size = f"{len(self.text.encode()):,} bytes of JSON, to be checked with endsight.verify"
        return f"<div><p><strong>Certificate</strong></p><p>{escape(describe(self))}</p><p>{size}</p></div>"

    def to_text(self) -> str:
        """The certificate as the JSON text that it was read from."""
        return self.text

    @staticmethod
    def from_text(text: str | bytes, place: str = "the certificate") -> Certificate:
        """The certificate that `text` holds; `FileError` where that is not exactly one."""
        try:
            made: Certificate = _read(_parsed(text))
        except (_Malformed, RecursionError) as error:
            raise FileError(
                f"{place} is not a certificate that can be read",
                found=str(error) if isinstance(error, _Malformed) else "lists in lists in lists ...",
                allowed=f"a file of the kind {SCHEMA}, unchanged",
                advice="endsight prove GAME -o FILE, which writes one",
            ) from None
        object.__setattr__(made, "text", text if isinstance(text, str) else text.decode())
        return made

    @staticmethod
    def read(path: str | Path) -> Certificate:
        """The certificate in a file; `FileError` where it cannot be read."""
        if not isinstance(path, str | Path):
            found = f"{path!r} ({type(path).__name__})"
            raise UsageError("Certificate.read takes a path", found=found, advice="'NAME', or pathlib.Path('NAME')")
        try:
            with Path(path).open("rb") as file:
                text = file.read(LONGEST + 1)
        except (OSError, ValueError) as error:
            raise FileError(f"{path} cannot be read", found=getattr(error, "strerror", None) or str(error)) from None
        return Certificate.from_text(text, str(path))


def describe(certificate: Certificate) -> str:
    """The claim in words."""
    return claim_text(certificate.kind, certificate.parameters, certificate.claim)


# ---------------------------------------------------------------------- JSON


def _parsed(text: str | bytes) -> Any:
    comma: Any = "," if isinstance(text, str) else b","
    if len(text) > LONGEST or text.count(comma) > MOST_ITEMS:
        raise _Malformed(f"more than {LONGEST:,} bytes, or more than {MOST_ITEMS:,} items")
    try:
        return json.loads(text, object_pairs_hook=_unique, parse_float=_no_float, parse_constant=_no_float)
    except ValueError as error:  # no JSON, no UTF-8, or a number that is too long
        raise _Malformed(f"no JSON: {error}") from None


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise _Malformed("a key that stands twice")
    return found


def _no_float(text: str) -> Any:
    raise _Malformed(f"the number {text[:20]}, which is not exact")


# ---------------------------------------------------------------------- readers


def _is(*kinds: type) -> Reader:
    """The value as it is, of one of these types."""

    def read(value: Any) -> Any:
        if type(value) not in kinds:
            raise _Malformed(f"something of another type: {value!r:.40}")
        return value

    return read


def _matches(pattern: str) -> Reader:
    def read(value: Any) -> str:
        if type(value) is not str or not re.fullmatch(pattern, value):
            raise _Malformed(f"{value!r:.60} instead of {pattern.replace('|', ', ').replace(chr(92), '')}")
        return value

    return read


def _maybe(reader: Reader) -> Reader:
    return lambda value: None if value is None else reader(value)


def _each(reader: Reader, kind: type = dict) -> Reader:
    """All values of an object or a list."""

    def read(value: Any) -> Any:
        _is(kind)(value)
        if kind is list:
            return tuple([reader(item) for item in value])
        return {key: _told(key, reader, item) for key, item in value.items()}

    return read


def _record(make: Callable[..., Any], **readers: Reader) -> Reader:
    """What `make` makes of the values of exactly these keys, in their order."""
    keys = {name.rstrip("_"): reader for name, reader in readers.items()}

    def read(value: Any) -> Any:
        for key in _is(dict)(value):
            if key not in keys:
                raise _Malformed(f"the unknown key {key[:40]!r}")
        for key in keys:
            if key not in value:
                raise _Malformed(f"no {key!r}")
        return make(*[_told(key, reader, value[key]) for key, reader in keys.items()])

    return read


def _told(key: str, reader: Reader, value: Any) -> Any:
    """The value read, or an error that says of which key."""
    try:
        return reader(value)
    except _Malformed as error:
        raise _Malformed(f"{key[:40]}: {error}") from None


def _whole(word: str) -> int:
    return int(word, 16 if "x" in word else 10)


def _number(text: Any) -> Fraction:
    found = _FRACTION.fullmatch(text) if isinstance(text, str) else None
    if found is None or (below := _whole(found[2] or "1")) == 0:
        raise _Malformed(f"{text!r:.40} instead of a number p/q")
    return Fraction(_whole(found[1]), below)


def _numbers(text: Any) -> tuple[int, ...]:
    """A list of whole numbers: separated by blanks, and compressed after `zlib:`."""
    words = _is(str)(text)
    if words.startswith("zlib:"):
        machine = zlib.decompressobj()
        try:
            words = machine.decompress(base64.b64decode(words[5:], validate=True), LONGEST).decode("ascii")
        except (ValueError, zlib.error) as error:
            raise _Malformed(f"a damaged list of numbers ({error})") from None
        if machine.unconsumed_tail or not machine.eof or machine.unused_data:
            raise _Malformed(f"a list of numbers that is cut off, goes on after its end, or passes {LONGEST:,} bytes")
    if words.count(" ") >= MOST_NUMBERS:
        raise _Malformed(f"a list of more than {MOST_NUMBERS:,} numbers")
    for word in (found := words.split(" ") if words else []):
        if not _NUMBER.fullmatch(word):
            raise _Malformed(f"{word[:20]!r} instead of a whole number")
    return tuple(map(_whole, found))


def _scale(pairs: Any) -> Scale:
    bits = 0
    for pair in pairs:
        if list(map(type, pair)) != [int, int] or pair[0] < 2 or pair[1] < 1:
            raise _Malformed("a scale that is not made of bases and exponents")
        bits += pair[0].bit_length() * pair[1]
    if bits > MOST_SCALE_BITS:
        raise _Malformed(f"a scale of more than {MOST_SCALE_BITS:,} bits")
    return pairs  # type: ignore[no-any-return]


def _play(choices: tuple[int, ...], scale: Any, gaps: tuple[int, ...], values: tuple[int, ...]) -> Play:
    if min(gaps, default=0) < 0 or 0 in gaps[1:]:
        raise _Malformed("nodes that do not increase")
    if len(values) != len(gaps):
        raise _Malformed("another number of nodes than of values")
    return Play(choices, _scale(scale), tuple(accumulate(gaps)), values)


def _pair(entry: Any) -> tuple[Fraction, Fraction]:
    if len(pair := _each(_number, list)(entry)) != 2:
        raise _Malformed("something else than a pair of numbers")
    return pair  # type: ignore[no-any-return]


def _ends(entry: Any) -> Ends:
    if type(entry) is not list:
        return (_number(entry), _number(entry))
    if len(entry) != 2:
        raise _Malformed("something else than two bounds")
    low, high = map(_maybe(_number), entry)
    if low is not None and high is not None and low > high:
        raise _Malformed("a lower bound above the upper one")
    return low, high


def _claim(*parts: Any) -> Claim:
    claim = Claim(*parts)
    if (claim.player is None) != (claim.outcomes is None):
        raise _Malformed("outcomes without a player, or a player without outcomes")
    if all(ends == (None, None) for ends in claim.value.values()):
        raise _Malformed("a claim about nobody")
    return claim


def _parameter(value: Any) -> Any:
    if type(value) is list:
        return tuple([_parameter(item) for item in value])
    return simplest(_record(_number, number=_text)(value)) if type(value) is dict else value


def _policy(rule: Any) -> Any:
    return rule if type(rule) is str else _record(_named, function=_text, sha256=_text)(rule)


def _named(function: str, sha256: str) -> dict[str, str]:
    return {"function": function, "sha256": sha256}


def _made(_: str, version: str, game: Any, claim: Claim, evidence: Any, play: Play | None) -> Certificate:
    kind: Any = Certificate
    made: Certificate = kind(*game, claim, evidence, play, version)
    return made


def _evidence(document: Any) -> Any:
    reader = _EVIDENCE.get(str(_is(dict)(document).get("kind")))
    if reader is None:
        raise _Malformed(f"evidence of the unknown kind {document.get('kind')!r:.40}")
    made = reader(document)
    if made == Bounds(None, None):
        raise _Malformed("bounds without any play")
    return made


# ---------------------------------------------------------------------- the format

_text = _is(str)
_PLAY = _record(_play, choices=_numbers, scale=_each(_each(_is(int), list), list), nodes=_numbers, values=_numbers)
_CLAIM = _record(
    _claim,
    position=_text,
    set_up=_maybe(_text),
    objective=_matches("competitive|cooperative"),
    utility=_matches("payoff|win|lead"),
    fixed=_each(_policy),
    value=_each(_ends),
    category=_matches("win|draw|loss|value"),
    notion=_maybe(_text),
    player=_maybe(_text),
    outcomes=_maybe(_each(_pair, list)),
)
_EVIDENCE: dict[str, Reader] = {
    "bounds": _record(lambda _, *plays: Bounds(*plays), kind=_text, at_least=_maybe(_PLAY), at_most=_maybe(_PLAY)),
    "induction": _record(lambda _: Induction(), kind=_text),
    "theorem": _record(lambda _, *parts: Witness(*parts), kind=_text, theorem=_text, witness=_is(dict)),
}
_GAME = _record(
    lambda *parts: parts,
    text=_text,
    class_=_text,
    own=_is(bool),
    parameters=_each(_parameter),
    rules=_matches("[0-9a-f]{64}"),
)
_read = _record(
    _made,
    schema=_matches(re.escape(SCHEMA)),
    version=_text,
    game=_GAME,
    claim=_CLAIM,
    evidence=_evidence,
    play=_maybe(_PLAY),
)
