"""The format of certificates: a claim about a game and the evidence for it, as plain data, read strictly, and in words.

A certificate is one JSON object. The annotations of the shapes are the format: every field is a key,
and what a reader makes of a value stands beside its type. Unknown, missing and repeated keys, other types
than expected, and sizes beyond reason are refused before anything is calculated.
`docs/reference/certificate-format.md` says what the fields mean. In words, claims are one line each, and nothing
of a file is raw.
"""

from __future__ import annotations

import base64
import json
import re
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, is_dataclass
from decimal import Decimal
from fractions import Fraction
from functools import partial
from hashlib import sha256
from html import escape
from itertools import accumulate, islice
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, TypeAlias, TypedDict, Union, get_args, get_origin, get_type_hints, is_typeddict

from endsight.base.faults import FileError, UsageError
from endsight.base.printable import printable
from endsight.game.exact import Number, is_exact

__all__ = ["SCHEMA", "Bounds", "Certificate", "Claim", "Ends", "Evidence", "Induction", "Plans", "Play", "Witness"]

SECURED = "secured"
"""The notion of values that each of two players can secure, whatever the other does."""
FIRST_BEST = "backward induction, each player taking the first of their best moves"
"""The notion of values that depend on how ties are broken."""
SIGHT = "every player sees what `sees` gives"
"""What the notion says besides where the rules have `sees`, after `; ` where it says something else too."""
SCHEMA = "endsight.certificate/2"
MOST_BYTES = 1 << 26
"""Most bytes of a certificate, and of each list of numbers in it once that is expanded."""
MOST_ITEMS = 1 << 22
"""Most items of JSON lists and objects together."""
MOST_NUMBERS = 1 << 24
"""Most numbers of a list."""
BLOCK = 1 << 20
"""Bytes that are read at a time."""
MOST_SCALE_BITS = 1 << 20
"""Most bits of the denominator of a play."""

# ---------------------------------------------------------------------- readers of single values

_INTEGER = re.compile(r"-?(?:\d{1,4000}|0x[0-9a-f]{1,300000})", re.ASCII)


def _text(pattern: str, value: Any) -> str:
    """A text of that form."""
    if type(value) is not str or not re.fullmatch(pattern, value):
        raise ValueError(f"{value!r:.60} instead of {pattern.replace(chr(92), '')}")
    return value


def _integer(word: str) -> int:
    if not _INTEGER.fullmatch(word):
        raise ValueError(f"{word[:20]!r} instead of a whole number")
    return int(word, 16 if "x" in word else 10)


def _whole(text: Any) -> int:
    return _integer(_text(".*", text))


def _amount(text: Any) -> Fraction:
    over, slash, under = _text("(?s).*", text).partition("/")
    if (below := _integer(under) if slash else 1) < 1:
        raise ValueError(f"{text!r:.40} instead of a number p/q")
    return Fraction(_integer(over), below)


def _ends(entry: Any) -> Ends:
    if type(entry) is list and len(entry) == 2:
        low, high = (None if end is None else _amount(end) for end in entry)
        return low, high
    return (_amount(entry),) * 2


def _numbers(value: Any) -> tuple[int, ...]:
    """Whole numbers separated by blanks, compressed after `zlib:`."""
    words = _text("(?s).*", value)
    if words.startswith("zlib:"):
        machine = zlib.decompressobj()
        words = machine.decompress(base64.b64decode(words[5:], validate=True), MOST_BYTES).decode("ascii")
        if machine.unconsumed_tail or not machine.eof or machine.unused_data:
            raise ValueError(f"a list of numbers that is cut off, or goes on, or passes {MOST_BYTES:,} bytes")
    if words.count(" ") >= MOST_NUMBERS:
        raise ValueError(f"a list of more than {MOST_NUMBERS:,} numbers")
    return tuple(map(_integer, words.split(" "))) if words else ()


def _increasing(value: Any) -> tuple[int, ...]:
    """Numbers of which the first is given as it is, the others by how much more they are than the one before."""
    return tuple(accumulate(_numbers(value)))


def _parameter(value: Any, deep: int = 0) -> Any:
    if deep > 50:  # or describing it would end in a RecursionError
        raise ValueError("lists that are nested more than 50 deep")
    if type(value) is list:
        return tuple(_parameter(item, deep + 1) for item in value)
    if type(value) is not dict:
        return value
    if value.keys() != {"number"}:
        raise ValueError("an object that is no number")
    number = _amount(value["number"])
    return number if "/" in value["number"] else number.numerator


# ---------------------------------------------------------------------- shapes

Amount: TypeAlias = Annotated[Fraction, _amount]
Ends: TypeAlias = Annotated[tuple[Fraction | None, Fraction | None], _ends]
"""Proven bounds of a number, lower and upper; None where nothing is said on that side."""
Numbers: TypeAlias = Annotated[tuple[int, ...], _numbers]


class Function(TypedDict):
    function: str
    sha256: str


"""A policy from a file: its name, and the SHA-256 of the file."""
_Parameters: TypeAlias = Mapping[str, Annotated[Any, _parameter]]
_Hash: TypeAlias = Annotated[str, partial(_text, "[0-9a-f]{64}")]
About = TypedDict("About", {"text": str, "class": str, "own": bool, "parameters": _Parameters, "rules": _Hash})
"""The game: as its user wrote it (for people), the name of its class, whether that is not a built-in
one, all parameters, and the SHA-256 of the text of the rules."""


@dataclass(frozen=True)
class Claim:
    """What is claimed about one position.

    position   the moves so far as text; `set_up` the text of the state they began at, None for the start
    fixed      by player's name the policy, or for one from a file its name and a SHA-256 of the file
    value      by name, of every player, proven bounds of the value of the whole game, equal where
               it is exact; None for a bound of which nothing is claimed
    category   win, draw or loss of the player to move where the evidence met nothing else, or `value`
    notion     `SECURED` or `FIRST_BEST` where the values are that, else None
    player, outcomes  for a distribution: whose, and (amount, chance) in increasing order of amounts
    """

    position: str
    set_up: str | None
    objective: Annotated[str, partial(_text, "competitive|cooperative")]
    utility: Annotated[str, partial(_text, "payoff|win|lead")]
    fixed: Mapping[str, str | Function]
    value: Mapping[str, Ends]
    category: Annotated[str, partial(_text, "win|draw|loss|value")]
    notion: str | None
    player: str | None = None
    outcomes: tuple[tuple[Amount, Amount], ...] | None = None


@dataclass(frozen=True)
class Play:
    """Choices for one side, in the order in which a walk from the position needs them.

    choices  number of the move (from 0, in the rules' order) at every decision of that side with
             more than one move
    scale    the denominator of all numbers, as (base, exponent) pairs
    nodes    where play comes back: numbers of the walk's nodes, in increasing order
    values   what is claimed of those nodes, over the scale
    """

    choices: Numbers
    scale: tuple[tuple[int, int], ...] = ()
    nodes: Annotated[tuple[int, ...], _increasing] = ()
    values: Numbers = ()

    def __post_init__(self) -> None:
        nodes = list(self.nodes)
        if len(nodes) != len(self.values) or nodes != sorted(set(nodes)) or min(nodes, default=0) < 0:
            raise ValueError("nodes that do not increase, or another number of values")
        is_scale = all(base >= 2 and power >= 1 for base, power in self.scale)
        if not is_scale or sum(base.bit_length() * power for base, power in self.scale) > MOST_SCALE_BITS:
            raise ValueError(f"a scale that is not made of bases and exponents, or has over {MOST_SCALE_BITS:,} bits")


@dataclass(frozen=True)
class Bounds:
    """A play that secures the value from below, and one that secures it from above; one may be lacking."""

    at_least: Play | None
    at_most: Play | None
    kind: Annotated[str, partial(_text, "bounds")] = "bounds"


@dataclass(frozen=True)
class Induction:
    """Nothing: the verifier does the backward induction itself."""

    kind: Annotated[str, partial(_text, "induction")] = "induction"


@dataclass(frozen=True)
class Witness:
    """A theorem by name, with what its checker needs."""

    theorem: str
    witness: Mapping[str, Any]
    kind: Annotated[str, partial(_text, "theorem")] = "theorem"


@dataclass(frozen=True)
class Plan:
    """Masses of one player's moves, of all that may be done together.

    masses  of the moves of every information set that the plan comes to and that has several moves, set by set in
            the order in which a walk of the rules meets them; together as much as comes there
    """

    total: Annotated[int, _whole]
    masses: Numbers

    def __post_init__(self) -> None:
        if not 0 < self.total < 1 << MOST_SCALE_BITS:
            raise ValueError(f"a plan whose total is not from 1 up, or has over {MOST_SCALE_BITS:,} bits")


@dataclass(frozen=True)
class Plans:
    """A plan of each of two players who see different things, or move at once."""

    first: Plan
    second: Plan
    kind: Annotated[str, partial(_text, "plans")] = "plans"


Evidence: TypeAlias = Bounds | Induction | Witness | Plans


@dataclass(frozen=True)
class Certificate:
    """A claim, its evidence, and the game they are about.

    evidence   `Bounds`, `Induction`, `Witness` or `Plans`
    play       for a distribution: the moves whose outcomes are counted
    text       the JSON text that it was read from
    """

    schema: Annotated[str, partial(_text, re.escape(SCHEMA))]
    version: str
    game: About
    claim: Claim
    evidence: Evidence
    play: Play | None = None
    text = ""

    def __repr__(self) -> str:
        return f"<Certificate of {describe(self)}>"

    def _repr_html_(self) -> str:
        size = f"{len(self.text.encode()):,} bytes of JSON, to be checked with endsight.verify"
        return f"<p><strong>Certificate</strong></p><p>{escape(describe(self))}</p><p>{size}</p>"

    def to_text(self) -> str:
        """The certificate as the JSON text that it was read from."""
        return self.text

    @staticmethod
    def from_text(text: str | bytes, place: str = "the certificate") -> Certificate:
        """The certificate that `text` holds; `FileError` where that is not exactly one."""
        try:
            whole = text if isinstance(text, str) else text.decode()
            made: Certificate = _shaped(Certificate, _parsed(whole))
        except (ValueError, RecursionError, zlib.error) as error:
            message, advice = f"{place} is not a certificate that can be read", "endsight prove GAME -o FILE"
            raise FileError(message, found=str(error), allowed=f"a file of the kind {SCHEMA}", advice=advice) from None
        object.__setattr__(made, "text", whole)
        return made

    @staticmethod
    def read(path: str | Path) -> Certificate:
        """The certificate in a file; `FileError` where it cannot be read."""
        if not isinstance(path, str | Path):
            raise UsageError("Certificate.read takes a path", found=f"{path!r} ({type(path).__name__})")
        try:
            with Path(path).open("rb") as file:
                text = b"".join(islice(iter(partial(file.read, BLOCK), b""), MOST_BYTES // BLOCK + 1))
        except (OSError, ValueError) as error:
            raise FileError(f"{path} cannot be read", found=getattr(error, "strerror", None) or str(error)) from None
        return Certificate.from_text(text, str(path))


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


# ---------------------------------------------------------------------- in words

LONGEST = 60
"""Characters of a number, or of a parameter, that are shown in full."""
LONG_BITS = 1 << 12
"""Whole numbers from so many bits on are written in hexadecimal, which takes no time."""


def quoted(text: str) -> str:
    """The text as it is where it is one plain word, else in quotes."""
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
    """A number or a parameter as JSON, or by length and SHA-256 where that is long, so that two never read the same.

    A fraction that is hard to read has a decimal beside it, rounded and marked so.
    """
    text = _json(value)
    about = f"≈ {Decimal(value.numerator) / Decimal(value.denominator):.6g}" if is_exact(value) else ""
    if len(text) <= LONGEST:
        return f"{text} ({about})" if is_exact(value) and value.denominator > 99 else text
    length = f"{len(value):,} items" if isinstance(value, tuple) else f"{len(text):,} characters"
    return f"{about} ({length}, SHA-256 {sha256(text.encode()).hexdigest()})".lstrip()


def _json(value: Any) -> str:
    """Without blanks, and fractions as p/q."""
    if isinstance(value, tuple):
        return f"[{','.join(map(_json, value))}]"
    return number_text(value) if is_exact(value) else json.dumps(value)


def verdict_text(claim: str, checked: Iterable[str], reason: str | None) -> str:
    """What is claimed, what was checked, and why it is wrong (None: it is proven)."""
    verdict = f"verdict: {'proven' if reason is None else f'wrong: {reason}'}"
    return "\n".join([f"claim: {claim}", *(f"checked: {line}" for line in checked), verdict])


# ---------------------------------------------------------------------- JSON


def _parsed(text: str) -> Any:
    if len(text) > MOST_BYTES or text.count(",") > MOST_ITEMS:
        raise ValueError(f"more than {MOST_BYTES:,} bytes, or more than {MOST_ITEMS:,} items")
    return json.loads(text, object_pairs_hook=_unique, parse_float=_no_float, parse_constant=_no_float)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key that stands twice")
    return found


def _no_float(text: str) -> Any:
    raise ValueError(f"the number {text[:20]}, which is not exact")


# ---------------------------------------------------------------------- shapes


def _shaped(shape: Any, value: Any) -> Any:
    """What a value of that shape stands for; `ValueError` where it has another shape."""
    kind, parts = get_origin(shape), get_args(shape)
    if kind is Annotated:
        return shape.__metadata__[0](value)
    if kind in (Union, UnionType):
        meant = [part for part in parts if _is_meant(part, value)]
        return _shaped(meant[0] if meant else parts[0], value)
    if is_dataclass(shape) or is_typeddict(shape):
        return _record(shape, value)
    if shape is Any:
        return value
    if type(value) is not {tuple: list, Mapping: dict}.get(kind, shape):
        raise ValueError(f"something of another type: {value!r:.40}")
    if kind is Mapping:
        return {key: _shaped(parts[1], item) for key, item in value.items()}
    if kind is tuple:
        items = parts[:1] * len(value) if parts[1] is Ellipsis else parts
        if len(items) != len(value):
            raise ValueError(f"{len(value)} numbers instead of {len(items)}")
        return tuple(map(_shaped, items, value))
    return value


def _is_meant(shape: Any, value: Any) -> bool:
    """Whether that one of several shapes is the one of the value: by its type, of objects by their kind."""
    if shape in (str, NoneType) or value is None:
        return shape is type(value)
    return type(value) is not dict or value.get("kind") == getattr(shape, "kind", None)


def _record(shape: Any, value: Any) -> Any:
    """The object of exactly the keys that the shape declares."""
    hints = get_type_hints(shape, include_extras=True)
    if type(value) is not dict or value.keys() != hints.keys():
        raise ValueError(f"{value!r:.60} instead of an object with exactly the keys {', '.join(hints)}")
    return shape(**{key: _shaped(hint, value[key]) for key, hint in hints.items()})
