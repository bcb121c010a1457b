"""The format of certificates: a claim about a game and the evidence for it, as plain data, read strictly.

A certificate is one JSON object. The annotations of the shapes are the format: every field is a key,
with the reader of its value beside its type. Unknown, missing and repeated keys, unexpected types,
and unreasonable sizes are refused before anything is calculated.
`docs/reference/certificate-format.md` explains the fields.
"""

from __future__ import annotations

import base64
import json
import re
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import accumulate
from pathlib import Path
from typing import Annotated, Any, TypeAlias, TypedDict, get_type_hints

from endsight.base.faults import FileError, UsageError
from endsight.game.exact import late

SCHEMA = "endsight.certificate/2"
MOST_BYTES = 1 << 26
"""The maximum size of a certificate in bytes, and of each list of numbers in it after expansion."""
MOST_ITEMS = 1 << 22
"""The maximum number of items in all JSON lists and objects together."""
MOST_NUMBERS = 1 << 24
"""The maximum length of a list of numbers."""
MOST_SCALE_BITS = 1 << 20
"""The maximum bits of the denominator of a play."""

# ---------------------------------------------------------------------- readers of single values

Reader: TypeAlias = Callable[[Any], Any]
"""Reads the value of a field from JSON; raises `ValueError` where the JSON does not fit."""
_INTEGER = re.compile(r"-?(?:\d{1,4000}|0x[0-9a-f]{1,300000})", re.ASCII)


def _of(kind: type, value: Any) -> Any:
    """The value, which must be of exactly that type."""
    if type(value) is not kind:
        raise ValueError(f"something of another type: {value!r:.40}")
    return value


_text = partial(_of, str)


def _form(pattern: str, value: Any) -> Any:
    """A text that matches the pattern."""
    if not re.fullmatch(pattern, _text(value)):
        raise ValueError(f"{value!r:.60} instead of {pattern.replace(chr(92), '')}")
    return value


def _integer(word: str) -> int:
    if not _INTEGER.fullmatch(word):
        raise ValueError(f"{word[:20]!r} instead of a whole number")
    return int(word, 16 if "x" in word else 10)


def _amount(value: Any) -> Fraction:
    over, slash, under = _text(value).partition("/")
    if (below := _integer(under) if slash else 1) < 1:
        raise ValueError(f"{value!r:.40} instead of a number p/q")
    return Fraction(_integer(over), below)


def _ends(value: Any) -> Ends:
    low, high = value if type(value) is list else (value, _text(value))
    return _optional(_amount)(low), _optional(_amount)(high)


def _numbers(value: Any) -> tuple[int, ...]:
    """Whole numbers separated by blanks, compressed after `zlib:`."""
    words = _text(value)
    if words.startswith("zlib:"):
        machine = zlib.decompressobj()
        words = machine.decompress(base64.b64decode(words[5:], validate=True), MOST_BYTES).decode("ascii")
        if machine.unconsumed_tail or not machine.eof or machine.unused_data:
            raise ValueError(f"a list of numbers that is cut off, goes on, or passes {MOST_BYTES:,} bytes")
    if words.count(" ") >= MOST_NUMBERS:
        raise ValueError(f"a list of more than {MOST_NUMBERS:,} numbers")
    return tuple(map(_integer, words.split(" "))) if words else ()


def _parameter(value: Any, deep: int = 0) -> Any:
    # Deeper ones would cause a RecursionError in messages.
    if deep > 50:
        raise ValueError("lists that are nested more than 50 deep")
    if type(value) is list:
        return tuple(_parameter(item, deep + 1) for item in value)
    if type(value) is not dict:
        return value
    if value.keys() != {"number"}:
        raise ValueError("an object that is no number")
    number = _amount(value["number"])
    return number if "/" in value["number"] else number.numerator


def _optional(reader: Reader) -> Reader:
    return lambda value: None if value is None else reader(value)


def _mapping(reader: Reader) -> Reader:
    return lambda value: {key: reader(item) for key, item in _of(dict, value).items()}


def _pairs(reader: Reader) -> Reader:
    """A list of lists of two."""
    return lambda value: tuple((reader(one), reader(two)) for one, two in map(partial(_of, list), _of(list, value)))


def _record(shape: Any, value: Any) -> Any:
    """An object with exactly the keys that the shape declares."""
    hints = get_type_hints(shape, include_extras=True)
    if type(value) is not dict or value.keys() != hints.keys():
        raise ValueError(f"{value!r:.60} instead of an object with the keys {', '.join(hints)}")
    return shape(**{key: hint.__metadata__[0](value[key]) for key, hint in hints.items()})


def _policy(value: Any) -> Any:
    """A policy's name, or what identifies one from a file."""
    return _record(Fixed, value) if type(value) is dict else _text(value)


def _evidence(value: Any) -> Any:
    """Evidence of the kind that it names."""
    return _record(_EVIDENCE[_form("|".join(_EVIDENCE), _of(dict, value).get("kind"))], value)


# ---------------------------------------------------------------------- shapes

Text: TypeAlias = Annotated[str, _text]
TextOrNone: TypeAlias = Annotated[str | None, _optional(_text)]
Hash: TypeAlias = Annotated[str, partial(_form, "[0-9a-f]{64}")]
Ends: TypeAlias = Annotated[tuple[Fraction | None, Fraction | None], _ends]
"""Proven bounds of a number, lower and upper; None on a side without a bound."""
Numbers: TypeAlias = Annotated[tuple[int, ...], _numbers]

Increasing: TypeAlias = Annotated[tuple[int, ...], lambda text: tuple(accumulate(_numbers(text)))]
"""The first number is given as it is, and each other by its difference to the one before."""

Whole: TypeAlias = Annotated[int, lambda text: _integer(_text(text))]


class Fixed(TypedDict):
    """A policy from a file: its name, and the SHA-256 of the file."""

    function: Text
    sha256: Text


_Parameters: TypeAlias = Annotated[Mapping[str, Any], _mapping(_parameter)]
_YesNo: TypeAlias = Annotated[bool, partial(_of, bool)]
About = TypedDict("About", {"text": Text, "class": Text, "own": _YesNo, "parameters": _Parameters, "rules": Hash})
"""The game: as its user wrote it (for people), the name of its class, whether that is not a built-in
one, all parameters, and the SHA-256 of the text of the rules."""


@dataclass(frozen=True)
class Claim:
    """What is claimed about one position.

    position   the moves so far as text; `set_up` the text of the state they began at, None for the start
    fixed      by player's name the policy, or for one from a file its name and a SHA-256 of the file
    value      by name, of every player, proven bounds of the value of the whole game, equal where
               it is exact; None for a bound on which nothing is claimed
    category   win, draw or loss of the player to move where the evidence met nothing else, or `value`
    notion     `SECURED` or `FIRST_BEST` where the values are that, else None
    player, outcomes  for a distribution: whose, and (amount, chance) in increasing order of amounts
    """

    position: Text
    set_up: TextOrNone
    objective: Annotated[str, partial(_form, "competitive|cooperative")]
    utility: Annotated[str, partial(_form, "payoff|win|lead")]
    fixed: Annotated[Mapping[str, str | Fixed], _mapping(_policy)]
    value: Annotated[Mapping[str, Ends], _mapping(_ends)]
    category: Annotated[str, partial(_form, "win|draw|loss|value")]
    notion: TextOrNone
    player: TextOrNone = None
    outcomes: Annotated[tuple[tuple[Fraction, Fraction], ...] | None, _optional(_pairs(_amount))] = None


@dataclass(frozen=True)
class Play:
    """Choices for one side, in the order in which a walk from the position needs them.

    choices  number of the move (from 0, in the rules' order) at every decision of that side with
             more than one move
    scale    the denominator of all numbers, as (base, exponent) pairs
    nodes    nodes that play returns to: numbers of the walk's nodes, in increasing order
    values   the claims about those nodes, over the scale
    """

    choices: Numbers
    scale: Annotated[tuple[tuple[int, int], ...], _pairs(partial(_of, int))] = ()
    nodes: Increasing = ()
    values: Numbers = ()

    def __post_init__(self) -> None:
        nodes = list(self.nodes)
        if len(nodes) != len(self.values) or nodes != sorted(set(nodes)) or min(nodes, default=0) < 0:
            raise ValueError("nodes that do not increase, or another number of values")
        is_scale = all(base >= 2 and power >= 1 for base, power in self.scale)
        if not is_scale or sum(base.bit_length() * power for base, power in self.scale) > MOST_SCALE_BITS:
            raise ValueError(f"a scale that is not made of bases and exponents, or has over {MOST_SCALE_BITS:,} bits")


PlayOrNone: TypeAlias = Annotated[Play | None, _optional(partial(_record, Play))]


@dataclass(frozen=True)
class Bounds:
    """A play that secures the value from below, and one that secures it from above; one may be missing."""

    at_least: PlayOrNone
    at_most: PlayOrNone
    kind: Text = "bounds"


@dataclass(frozen=True)
class Induction:
    """No data: the verifier does the backward induction itself."""

    kind: Text = "induction"


@dataclass(frozen=True)
class Witness:
    """A theorem by name, with the input that its checker needs."""

    theorem: Text
    witness: Annotated[Mapping[str, Any], partial(_of, dict)]
    kind: Text = "theorem"


@dataclass(frozen=True)
class Plan:
    """The masses of one player's moves; that of a move is the mass of all ways to play that make it.

    masses  of the moves of every information set that the plan reaches and that has several moves, set by set in the
            order in which a walk of the rules meets them; together they equal the mass that reaches the set
    """

    total: Whole
    masses: Numbers

    def __post_init__(self) -> None:
        if not 0 < self.total < 1 << MOST_SCALE_BITS:
            raise ValueError(f"a plan whose total is not from 1 up, or has over {MOST_SCALE_BITS:,} bits")


@dataclass(frozen=True)
class Plans:
    """One plan for each of two players who see different things or move at once."""

    first: Annotated[Plan, partial(_record, Plan)]
    second: Annotated[Plan, partial(_record, Plan)]
    kind: Text = "plans"


Evidence: TypeAlias = Bounds | Induction | Witness | Plans
_EVIDENCE: Mapping[str, Any] = {"bounds": Bounds, "induction": Induction, "theorem": Witness, "plans": Plans}


@dataclass(frozen=True)
class Certificate:
    """A claim, its evidence, and the game they are about.

    evidence   `Bounds`, `Induction`, `Witness` or `Plans`
    play       for a distribution: the moves whose outcomes are counted
    text       the JSON text that it was read from
    file       the path of the file that it was read from, for messages; empty where it was in none
    """

    schema: Annotated[str, partial(_form, re.escape(SCHEMA))]
    version: Text
    game: Annotated[About, partial(_record, About)]
    claim: Annotated[Claim, partial(_record, Claim)]
    evidence: Annotated[Evidence, _evidence]
    play: PlayOrNone = None
    text = file = ""

    def __repr__(self) -> str:
        return f"<Certificate of {late('proof.claim_text').describe(self)}>"

    def _repr_html_(self) -> str:
        return str(late("proof.claim_text").claim_html(self))

    def to_text(self) -> str:
        """The certificate as the JSON text that it was read from."""
        return self.text

    @staticmethod
    def from_text(text: str | bytes, file: str = "") -> Certificate:
        """The certificate that `text` holds; raises `FileError` unless the text is exactly one certificate."""
        try:
            whole = text if isinstance(text, str) else text.decode()
            made: Certificate = _record(Certificate, _parsed(whole))
        except (ValueError, RecursionError, zlib.error) as error:
            raise late("proof.refusals").unreadable(file, str(error), SCHEMA) from None
        vars(made).update(text=whole, file=file)
        return made

    @staticmethod
    def read(path: str | Path) -> Certificate:
        """The certificate in a file; raises `FileError` where it cannot be read."""
        if not isinstance(path, str | Path):
            raise UsageError("Certificate.read takes a path", found=f"{path!r} ({type(path).__name__})")
        try:
            with Path(path).open("rb") as file:
                text = file.read(MOST_BYTES + 1)
        except (OSError, ValueError) as error:
            raise FileError(f"{path} cannot be read", found=getattr(error, "strerror", None) or str(error)) from None
        return Certificate.from_text(text, str(path))


# ---------------------------------------------------------------------- JSON


def _parsed(text: str) -> Any:
    if len(text) > MOST_BYTES or text.count(",") > MOST_ITEMS:
        raise ValueError(f"more than {MOST_BYTES:,} bytes, or more than {MOST_ITEMS:,} items")
    return json.loads(text, object_pairs_hook=_unique, parse_float=_integer, parse_constant=_integer)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key that stands twice")
    return found
