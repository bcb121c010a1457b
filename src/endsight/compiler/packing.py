"""States as machine words: bit fields, mixed radix where that is shorter, one word or two.

The largest values come from the rules' `limits()`. A table keeps a key and a small code
in the same words, so that a look-up touches one line of memory: the code (0 for an empty
slot) stands in the low bits of the first word, the key above it and in the second word.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any, NamedTuple

from endsight.compiler.refusal import CannotCompile
from endsight.game import Game
from endsight.game.codec import Codec

LEAST_CODE_BITS = 3
"""Enough for the seven ranges of values that a search keeps."""

_FIRST = 64 - LEAST_CODE_BITS
MOST_BITS = 63 + _FIRST
_MANY = 4
"""From this many fields on whose limit is not all ones, these are checked together."""
_WORD = 64


class FieldBits(NamedTuple):
    """`width` bits of field `field` from bit `low` of it on, at bit `at` of word `word`."""

    field: int
    low: int
    width: int
    word: int
    at: int


@dataclass(frozen=True)
class Packing:
    """How fields (those of the state, then the mover where keys hold it) become words.

    names   of the fields
    limits  largest value of each
    """

    names: tuple[str, ...]
    limits: tuple[int, ...]

    @staticmethod
    def of(game: Game, movers: int = 0) -> Packing:
        """The packing of a game's states, with a field for one of `movers` if there are any.

        Raises `CannotCompile` without `limits()`, and beyond 124 bits.
        """
        if not game.gives("limits"):
            raise CannotCompile("the rules give no limits()")
        codec = Codec(game)
        names, limits = codec.names, codec.limits
        if movers:
            names, limits = (*names, "es_mover"), (*limits, movers - 1)
        packing = Packing(names, limits)
        if max(limits, default=0) >= 1 << 63:
            raise CannotCompile("a field needs more than 63 bits")
        if packing.bits > MOST_BITS:
            raise CannotCompile(f"a state needs {packing.bits} bits, and {MOST_BITS} fit into two machine words")
        return packing

    # ---------------------------------------------------------------- layout

    @cached_property
    def widths(self) -> tuple[int, ...]:
        """Bits of each field."""
        return tuple(limit.bit_length() for limit in self.limits)

    @cached_property
    def is_radix(self) -> bool:
        """Whether fields are digits of one number, as that saves the second word."""
        product = math.prod(limit + 1 for limit in self.limits)
        fits = _FIRST
        return sum(self.widths) > fits and (product - 1).bit_length() <= fits

    @cached_property
    def bits(self) -> int:
        """Bits of a key."""
        if self.is_radix:
            return (math.prod(limit + 1 for limit in self.limits) - 1).bit_length()
        return sum(self.widths)

    @cached_property
    def words(self) -> int:
        """Words of a key."""
        return 1 if self.bits <= _FIRST else 2

    @cached_property
    def code_bits(self) -> int:
        """Bits of the code beside the key in the first word."""
        return _WORD - (max(1, self.bits) if self.words == 1 else _FIRST)

    @cached_property
    def pieces(self) -> tuple[FieldBits, ...]:
        """Bit fields: the last field lowest; a field may be cut where the first word is full."""
        pieces = []
        place = 0
        for field in reversed(range(len(self.names))):
            low, left = 0, self.widths[field]
            while left:
                word, at = (0, place) if self.words == 1 or place < _FIRST else (1, place - _FIRST)
                width = min(left, _FIRST - at) if word == 0 and self.words == 2 else left
                pieces.append(FieldBits(field, low, width, word, at))
                low, left, place = low + width, left - width, place + width
        return tuple(pieces)

    # ---------------------------------------------------------------- text for kernels

    def text(self, site: int, checked: Set[int]) -> str:
        """Functions like `es_pack(field, ...)` and `es_field(key, ...)`; values out of range are reported at `site`.

        The numbers of fields in `checked` are known to be within their limits.
        """
        return f"{self._pack_text(site, checked)}\n\n{self.unpacking}"

    @property
    def arguments(self) -> list[str]:
        """What the fields are called there."""
        return [f"f{number}" for number in range(len(self.names))]

    def _pack_text(self, site: int, checked: Set[int]) -> str:
        arguments, spare = self.arguments, self._spare(checked)
        lines, packed = [f"def es_pack({', '.join(arguments)}):"], self.packed(arguments)
        limits = [(1 << width) - 1 for width in self.widths] if spare else self.limits
        pairs = enumerate(zip(arguments, limits, strict=True))
        tests = [f"es_above({each}, {limit})" for number, (each, limit) in pairs if number not in checked]
        if spare:
            lines.append(f"    word = {packed}")
            over = f"(word & {spare} | (word | {spare}) & ~(word + {spare})) & {self._tops}"
            tests.append(f"es_above({over}, 0)")
            packed = "word"
        lines.append(f"    es_fault_at({' | '.join(tests) or 0}, {site})")
        lines.append(f"    return {packed}")
        return "\n".join(lines)

    # All fields of one word are checked against their limits at once: adding `_spare` makes a field carry out of its
    # bits if it is too large. A carry comes in only where the field below is too large, which is reported anyway.

    def _spare(self, checked: Set[int]) -> int:
        """By how much limits fall short of their bits, each at its place; 0 if fields are checked one by one."""
        pairs = enumerate(zip(self.widths, self.limits, strict=True))
        short = [0 if number in checked else (1 << width) - 1 - limit for number, (width, limit) in pairs]
        if self.is_radix or self.words > 1 or sum(map(bool, short)) < _MANY:
            return 0
        return sum(short[field] << at for field, at in self._places)

    @cached_property
    def _tops(self) -> int:
        """The highest bit of each field."""
        return sum(1 << at + self.widths[field] - 1 for field, at in self._places)

    def packed(self, arguments: Sequence[str]) -> str:
        """A key of fields within their limits."""
        if self.is_radix:
            text = arguments[0]
            for argument, limit in zip(arguments[1:], self.limits[1:], strict=True):
                text = f"({text}) * {limit + 1} + {argument}"
            return text
        words = [self._word(word, arguments) for word in range(self.words)]
        return words[0] if len(words) == 1 else f"({', '.join(words)})"

    def _word(self, word: int, arguments: Sequence[str]) -> str:
        parts = []
        for piece in self.pieces:
            if piece.word == word:
                part = arguments[piece.field]
                if piece.low or piece.width < self.widths[piece.field]:
                    part = f"(({part} >> {piece.low}) & {(1 << piece.width) - 1})"
                parts.append(f"({part} << {piece.at})" if piece.at else part)
        return " | ".join(parts) or " & ".join([*arguments[:1], "0"])

    @property
    def unpacking(self) -> str:
        """A function that gives the fields of a key."""
        lines = ["def es_fields(key):", *(self._digits() if self.is_radix else self._slices())]
        return "\n".join([*lines, f"    return ({''.join(f'{each}, ' for each in self.arguments)})"])

    def _digits(self) -> list[str]:
        lines = []
        for number in reversed(range(1, len(self.names))):
            base = self.limits[number] + 1
            lines += [f"    rest = key // {base}", f"    f{number} = key - rest * {base}", "    key = rest"]
        return [*lines, "    f0 = key"]

    def _slices(self) -> list[str]:
        lines = []
        for field in range(len(self.names)):
            parts = []
            for piece in self.pieces:
                if piece.field == field:
                    part = f"({self._in_key(piece.word)} >> {piece.at} & {(1 << piece.width) - 1})"
                    parts.append(f"{part} << {piece.low}" if piece.low else part)
            lines.append(f"    f{field} = {' | '.join(parts) or f'{self._in_key(0)} & 0'}")
        return lines

    def place(self, first: int, last: int) -> tuple[int, str]:
        """The lowest bit of some fields and the text of all their bits; 0 and none if these are not in one word."""
        own = [piece for piece in self.pieces if first <= piece.field <= last]
        if self.is_radix or len(own) != last + 1 - first or len({piece.word for piece in own}) > 1:
            return 0, ""
        mask = (1 << sum(piece.width for piece in own)) - 1 << own[0].at
        return own[0].at, f"{self._in_key(own[0].word)} & {mask}"

    def _in_key(self, word: int) -> str:
        return "key" if self.words == 1 else f"key[{word}]"

    # ---------------------------------------------------------------- the same in Python

    @cached_property
    def _places(self) -> tuple[tuple[int, int], ...]:
        """Number and place of every field that has bits, in keys of one word."""
        return tuple((piece.field, piece.at) for piece in self.pieces)

    def key(self, fields: Sequence[int]) -> tuple[int, ...] | None:
        """The words of a key, or None for fields out of range."""
        for value, limit in zip(fields, self.limits, strict=True):
            if not 0 <= value <= limit:
                return None
        return self.joined(fields)

    # Both work on numbers, and on arrays of them.

    def joined(self, fields: Sequence[Any]) -> tuple[Any, ...]:
        """The words of a key, of fields within their limits."""
        pack, _ = _in_python(self)
        words = pack(*fields)
        return (words,) if self.words == 1 else words

    def fields(self, key: Sequence[Any]) -> list[Any]:
        """The fields of a key."""
        _, unpack = _in_python(self)
        return list(unpack(key[0] if self.words == 1 else key))


@cache
def _in_python(packing: Packing) -> tuple[Callable[..., Any], Callable[..., Any]]:
    """What kernels do to pack fields within limits, and to unpack them."""
    made: dict[str, Any] = {}
    arguments = packing.arguments
    exec(f"def pack({', '.join(arguments)}):\n    return {packing.packed(arguments)}\n{packing.unpacking}", made)
    return made["pack"], made["es_fields"]
