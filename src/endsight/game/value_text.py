"""Parameter values as text, as in `key=value` in a game's name.

==============================  ===============================================
annotation                      text
==============================  ===============================================
`int`                           `12`, `-3`
`bool`                          `yes`, `no` (also true, false, on, off, 1, 0)
`str`                           as it stands, without commas
`Fraction`                      `2/3`, `5`, `0.25`
`Literal["a", "b"]`             `a`
`int | None`                    as for the other kind, or `x` for None
`tuple[int, ...]`               `3-4-5`; a `-` at the start or after another is a sign
`tuple[int | None, ...]`        `8-x-4`; unknown may also be written -1
`tuple[tuple[int, ...], ...]`   rows joined by `/`: `1-2-3/4-5-6`
==============================  ===============================================

The empty text is the empty list. Reading takes time proportional to the text.
"""

from __future__ import annotations

import re
import typing
from difflib import get_close_matches
from enum import Enum
from fractions import Fraction
from typing import Any, Literal

from endsight.base.shortened import shortened
from endsight.game.field_texts import BLANK, if_any, is_list, item_kinds
from endsight.game.numbers import count_text

MOST_DIGITS = 4300
"""CPython refuses to read longer whole numbers (by default)."""

_YES = ("yes", "true", "on", "1")
_NO = ("no", "false", "off", "0")
_FRACTION = re.compile(r"-?([0-9]{1,4000}|[0-9]{1,4000}/[0-9]{1,4000}|[0-9]{0,2000}\.[0-9]{1,2000})", re.ASCII)


class Misread(Exception):
    """A text that is not a value of its kind."""

    def __init__(self, found: str, allowed: str, advice: str | None = None) -> None:
        super().__init__(found)
        self.found = found
        self.allowed = allowed
        self.advice = advice


def read_value(kind: Any, text: str) -> Any:
    """The value of the annotated `kind` that `text` describes; raises `Misread`."""
    origin = typing.get_origin(kind)
    if is_list(kind):
        items = _list(item_kinds(kind), text)
        return getattr(origin or kind, "_make", origin or kind)(items)
    if origin is Literal:
        return _choice(typing.get_args(kind), text)
    inner = if_any(kind)
    if inner is not None:
        return None if text in ("x", "none") else read_value(inner, text)
    if isinstance(kind, type) and issubclass(kind, Enum):
        return kind[_choice(tuple(kind.__members__), text)]
    if kind in _READERS:
        return _READERS[kind](text)
    name = getattr(kind, "__name__", None) or str(kind)
    raise Misread(f"a parameter of the kind {name}", "int, bool, str, Fraction, Literal and tuples of them")


def example(kind: Any) -> str:
    """An example text of that kind."""
    if is_list(kind):
        inner = (typing.get_args(kind) or (int,))[0]
        if is_list(inner):
            return "1-2-3/4-5-6"
        return "1-3-5-7" if if_any(inner) is None else "8-x-4-x"
    if typing.get_origin(kind) is Literal:
        return str(typing.get_args(kind)[0])
    return {int: "5", bool: "yes", str: "text", Fraction: "1/2"}.get(kind, "...")


# ---------------------------------------------------------------------- single values


def _whole(text: str) -> int:
    body = text.removeprefix("-")
    if not (body.isascii() and body.isdigit()):
        raise Misread(repr(shortened(text)), "a whole number")
    if len(body) > MOST_DIGITS:
        raise Misread(f"a number of {count_text(len(body), 'digit')}", f"up to {MOST_DIGITS:,} digits")
    return _converted(text)


def _converted(digits: str) -> int:
    try:
        return int(digits)
    except ValueError:  # the limit of this Python may have been set lower
        raise Misread(
            f"a number of {count_text(len(digits), 'digit')}", "fewer digits", "set PYTHONINTMAXSTRDIGITS=4300"
        ) from None


def _truth(text: str) -> bool:
    word = text.lower()
    if word not in _YES + _NO:
        raise Misread(repr(shortened(text)), "yes or no")
    return word in _YES


def _fraction(text: str) -> Fraction:
    if not _FRACTION.fullmatch(text):
        raise Misread(repr(shortened(text)), "a number like 2/3, 5 or 0.25, of up to 4,000 digits")
    try:
        return Fraction(text)
    except ZeroDivisionError:
        raise Misread(repr(shortened(text)), "a denominator other than 0") from None


def _choice(choices: tuple[Any, ...], text: str) -> Any:
    names = [str(choice).replace(" ", BLANK) for choice in choices]
    if text in names:
        return choices[names.index(text)]
    close = get_close_matches(shortened(text), names, n=1)
    raise Misread(repr(shortened(text)), ", ".join(names), close[0] if close else None)


_READERS: dict[Any, typing.Callable[[str], Any]] = {
    int: _whole,
    bool: _truth,
    str: str,
    Any: str,
    Fraction: _fraction,
}


# ---------------------------------------------------------------------- lists


def _list(kinds: tuple[Any, ...], text: str) -> tuple[Any, ...]:
    """A list of one kind (`int, ...`), or one value of each kind."""
    inner = kinds[0]
    texts = _pieces(text, "/") if any(map(is_list, kinds)) else _signed_pieces(text, are_numbers=_is_number(inner))
    if kinds[-1] is not Ellipsis:
        if len(texts) != len(kinds):
            raise Misread(f"{count_text(len(texts), 'value')} in {shortened(text)!r}", count_text(len(kinds), "value"))
        return tuple(_item(kind, item, number) for number, (kind, item) in enumerate(zip(kinds, texts, strict=True), 1))
    if inner is int and len(texts) > 1 and max(map(len, texts)) <= 600 and _ONLY_NUMBERS.fullmatch(text):
        return tuple(map(int, texts))  # by far the most common case, and lists may be huge
    return tuple(_item(inner, item, number) for number, item in enumerate(texts, 1))


_ONLY_NUMBERS = re.compile(r"[0-9-]*", re.ASCII)


def _item(kind: Any, text: str, number: int) -> Any:
    if text == "-1" and if_any(kind) is not None:
        return None
    try:
        return read_value(kind, text)
    except Misread as error:
        place = f"{'row' if is_list(kind) else 'number' if _is_number(kind) else 'item'} {number}: {error.found}"
        raise Misread(place, error.allowed, error.advice) from None


def _pieces(text: str, separator: str) -> list[str]:
    return text.split(separator) if text else []


def _signed_pieces(text: str, *, are_numbers: bool) -> list[str]:
    """The items of a list joined by `-`, where a `-` at the start or after another is a sign."""
    what = "number" if are_numbers else "item"
    form = _NUMBERS_FORM if are_numbers else "items joined by -, none of them empty"
    stray = Misread(f"a - that belongs to no {what} in {shortened(text)!r}", form)
    pieces = []
    sign = ""
    for piece in _pieces(text, "-"):
        if piece:
            pieces.append(sign + piece)
            sign = ""
        elif sign:
            raise stray
        else:
            sign = "-"
    if sign:
        raise stray
    return pieces


_NUMBERS_FORM = "numbers joined by -, as in 3-4-5; a - at the start or after another is a sign"


# ---------------------------------------------------------------------- kinds


def _is_number(kind: Any) -> bool:
    return (if_any(kind) or kind) in (int, Fraction)
