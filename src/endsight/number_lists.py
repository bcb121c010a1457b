"""Exact numbers and lists of them as text, in few bytes and read strictly."""

from __future__ import annotations

import base64
import binascii
import re
import zlib
from collections.abc import Iterable
from fractions import Fraction

from endsight.numbers import Number, exact_text, hex_text, simplest

__all__ = ["LONGEST_TEXT", "LONG_BITS", "number_of", "number_text", "pack", "unpack"]

LONGEST_TEXT = 1 << 28
"""Most bytes of a list of numbers."""
LONG_BITS = 1 << 12
"""Whole numbers from so many bits on are written in hexadecimal, which takes no time."""
_PLAIN_NUMBERS = 40
_NUMBER = re.compile(r"-?(\d+|0x[0-9a-f]+)", re.ASCII)
_FRACTION = re.compile(r"(-?(?:\d+|0x[0-9a-f]+))(?:/(\d+|0x[0-9a-f]+))?", re.ASCII)


def pack(numbers: Iterable[int]) -> str:
    """Whole numbers as text: separated by blanks, compressed where there are many."""
    words = [str(number) if number.bit_length() < LONG_BITS else hex(number) for number in numbers]
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


def number_of(text: object) -> Fraction:
    """The number that `number_text` wrote; `ValueError` for anything else."""
    found = _FRACTION.fullmatch(text) if isinstance(text, str) else None
    if found is None:
        raise ValueError(f"{str(text)[:40]!r} instead of a number p/q")
    try:
        return Fraction(_whole(found[1]), _whole(found[2] or "1"))
    except (ValueError, ZeroDivisionError) as error:
        raise ValueError(f"{found[0][:40]!r}: {error}") from None
