r"""Texts of states and moves of natural fields, such as tuples and Enums: `cells=1-0-2 turn=CROSS second=no`.

`endsight.game` loads this file for such states and moves, and only for them. What `field_text` writes, `read_field`
reads: no two values of a type have the same text. `game.state_text` reads other texts leniently.

=====================  ===================================================================================
of type                text
=====================  ===================================================================================
`int`, `bool`          `12`; `yes`, `no`
`Enum`, `Literal`      the name; the value, or its `repr` where two values would have the same text
`str`                  as it stands, `_` for a blank
`tuple`, `frozenset`   `3-4-5`; `1-2/3-4` for rows; `[1/2]/[3]` for rows of rows; sets in order
or None                `x`
=====================  ===================================================================================

A backslash precedes a character that would have another meaning: `\_` in texts, `\-`, `\/`, `\[` and `\]` in lists.
`\x` is the text `x` where None is possible, `\e` the one item of a list that is empty. Other kinds of blanks, and
unprintable characters, are written by number: `\u3000`.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from enum import Enum, EnumType
from functools import cache
from types import NoneType
from typing import TYPE_CHECKING, Any, Literal, get_args, get_origin, get_type_hints

from endsight.game.exact import late

if TYPE_CHECKING:
    from endsight.game import Game

BLANK = "_"
"""Replaces a blank inside a text, because blanks separate neighbours."""
_NONE, _EMPTY_ITEM, _NO_ITEMS = "x", r"\e", r"\0"
_TOKEN = re.compile(r"\\(?:u[0-9a-f]{4}|U[0-9a-f]{8}|.)|.", re.DOTALL)
_IN_LISTS = "-/[]"


def show_fields(game: Game, state: Any) -> str:
    """The state as one line."""
    kinds = field_types(state.__class__, *type(game).__mro__)
    return " ".join(f"{name}={field_text(kinds[name], value)}" for name, value in state._asdict().items())


def read_fields(game: Game, text: str) -> Any:
    """The state that `show_fields` wrote; None for any other text."""
    kinds = field_types(game.State, *type(game).__mro__)
    given = [item.partition("=") for item in text.split(" ")]
    with suppress(KeyError, TypeError, ValueError):
        if [name for name, _, _ in given] == list(game.State._fields):
            return game.State(*[read_field(kinds[name], value) for name, _, value in given])
    return None


@cache
def field_types(state: Any, *kinds: type) -> Mapping[str, Any]:
    """The declared types of a `State`'s fields, in rules of these classes; `RulesError` for what is no NamedTuple."""
    if not hasattr(state, "_fields"):
        raise late("errors.complaints").no_state(state)
    # Classes inside the rules' class are visible only from there.
    inside = {name: value for base in reversed(kinds) for name, value in vars(base).items()}
    return dict.fromkeys(state._fields, int) | get_type_hints(state, localns=inside)


@cache
def item_types(kind: Any) -> tuple[Any, ...]:
    """The declared types of the fields of a NamedTuple; `RulesError` for a name that cannot be resolved there."""
    inside: dict[str, Any] = {}
    place: Any = sys.modules.get(kind.__module__)
    # Classes beside it, inside the rules' class, are visible only from there.
    for name in kind.__qualname__.split(".")[:-1]:
        place = getattr(place, name, None)
        inside |= getattr(place, "__dict__", {})
    try:
        return tuple(get_type_hints(kind, localns=inside).values())
    except NameError as error:
        raise late("errors.complaints").no_type(kind, error) from None


def value_text(value: Any) -> str:
    """A value as in commands: `yes`, `x` for unknown, `3-4-5`, `1-2-3/4-5-6`, an Enum by name, else as printed."""
    if isinstance(value, tuple | list | frozenset):
        items = _in_order(value)
        has_lists = any(isinstance(item, tuple | list | frozenset) for item in items)
        return ("/" if has_lists else "-").join(map(value_text, items))
    if isinstance(value, Enum):
        return str(value.name)
    return {None: "x", True: "yes", False: "no"}[value] if value is None or isinstance(value, bool) else str(value)


def _in_order(values: Collection[Any]) -> Collection[Any]:
    """The items; those of a set in the same order in every process."""
    key = None if all(isinstance(each, int) for each in values) else value_text
    return sorted(values, key=key) if isinstance(values, frozenset) else values


def is_list(kind: Any) -> bool:
    """Whether a type is a tuple or a frozenset."""
    return isinstance(own := get_origin(kind) or kind, type) and issubclass(own, tuple | frozenset)


def move_text(move: Any) -> str:
    """The text of a move without one of its own; blanks separate moves, so it contains none."""
    if type(move) is str:
        signs = {" ": r"\u0020", "\\": r"\\"}
        return "".join(signs.get(sign) or _seen(sign) for sign in move) or _EMPTY_ITEM
    return field_text(_own_kind(move), move) or _NO_ITEMS


def read_field(kind: Any, text: str) -> Any:
    """The value with that `field_text`; `KeyError`, `TypeError` or `ValueError` where there is none."""
    value = _read(kind, text, "")
    if field_text(kind, value) != text:
        raise ValueError(text)
    return value


def field_text(kind: Any, value: Any, marks: str = "") -> str:
    """A value of a field of that type, without blanks; the characters `marks` have a meaning there."""
    if kind is NoneType:  # in moves, which may also be the text `x`
        return "\\" + _NONE
    inner = if_any(kind)
    if inner is not None:
        text = _NONE if value is None else field_text(inner, value, marks)
        return "\\" + text if text == _NONE and value is not None else text
    if isinstance(value, tuple | frozenset) and is_list(kind):
        return _written_list(kind, value)
    if kind is int and isinstance(value, int):
        return str(int(value))
    if kind is str and isinstance(value, str):
        return _escaped(str.__str__(value), f"\\{BLANK}{marks}")
    equal = [pair for pair in _choices(kind, marks) if pair[1] == value]
    other = (_escaped(value_text(value), marks), value)
    # 1 and True are equal, and may both be among the values.
    return max(equal, key=lambda pair: type(pair[1]) is type(value), default=other)[0]


def _written_list(kind: Any, values: Any) -> str:
    kinds = _item_kinds(kind, len(values))
    values = _in_order(values)
    if len(kinds) != len(values):  # rules that break their contract need a text, too
        kinds = tuple(map(_own_kind, values))
    texts = [field_text(own, each, _IN_LISTS) for own, each in zip(kinds, values, strict=True)]
    depth = max(map(_depth, kinds), default=0)
    joined = ("/" if depth else "-").join([f"[{text}]" for text in texts] if depth > 1 else texts)
    return _EMPTY_ITEM + joined if len(texts) == 1 and joined in ("", _EMPTY_ITEM) else joined


def _read(kind: Any, text: str, marks: str) -> Any:
    """The value of a text in a field of that type, or `KeyError`, `TypeError`, `ValueError`, or any other error."""
    inner = if_any(kind)
    if inner is not None:
        return None if text == _NONE else _read(inner, _NONE if text == "\\" + _NONE else text, marks)
    if is_list(kind):
        return _read_list(kind, text)
    choices = dict(_choices(kind, marks))
    if choices:
        return choices[text]
    return int(text) if kind is int else "".join(_meant(token) for token in _TOKEN.findall(text))


def _read_list(kind: Any, text: str) -> Any:
    depth = _depth(kind) - 1
    texts = list(_parts(text, "/" if depth else "-")) if text else []
    if text and not text.replace(_EMPTY_ITEM, ""):
        texts = [text.removeprefix(_EMPTY_ITEM)]
    elif depth > 1:
        texts = [each[1:-1] for each in texts]
    own: Any = get_origin(kind) or kind
    items = [_read(*each, _IN_LISTS) for each in zip(_item_kinds(kind, len(texts)), texts, strict=True)]
    return own(*items) if hasattr(own, "_fields") else own(items)


def _parts(text: str, mark: str) -> Iterator[str]:
    """The text split at a mark, except where it is escaped or in brackets."""
    part, depth = "", 0
    for token in _TOKEN.findall(text):
        depth += (token == "[") - (token == "]")
        if token == mark and not depth:
            yield part
            part, token = "", ""
        part += token
    yield part


# ---------------------------------------------------------------------- signs


def _escaped(text: str, marks: str) -> str:
    """The text without blanks and unprintable characters, and with a backslash before each of `marks`."""
    return "".join(BLANK if sign == " " else f"\\{sign}" if sign in marks else _seen(sign) for sign in text)


def _seen(sign: str) -> str:
    return sign if sign.isprintable() else f"\\u{ord(sign):04x}" if ord(sign) < 0x10000 else f"\\U{ord(sign):08x}"


def _meant(token: str) -> str:
    """The character that was escaped this way."""
    return " " if token == BLANK else chr(int(token[2:], 16)) if len(token) > 2 else token[-1]


# ---------------------------------------------------------------------- types


@cache
def _choices(kind: Any, marks: str) -> tuple[tuple[str, Any], ...]:
    """The few values of a type with their distinct texts; nothing for a type with many values."""
    if get_origin(kind) is not Literal and kind is not bool and not isinstance(kind, EnumType):
        return ()
    values = (False, True) if kind is bool else get_args(kind) or tuple(kind)
    strict = f"\\{BLANK}{marks}"
    ways = ((value_text, marks), (value_text, strict), (repr, strict))
    texts = max(([_escaped(tell(one), signs) for one in values] for tell, signs in ways), key=lambda own: len(set(own)))
    return tuple(zip(texts, values, strict=True))


def if_any(kind: Any) -> Any:
    """The type beside None, where a value is optional; else None."""
    inner = get_args(kind)
    return inner[inner[0] is NoneType] if NoneType in inner and len(inner) == 2 and not is_list(kind) else None


def item_kinds(kind: Any) -> tuple[Any, ...]:
    """The kinds of a list's items: `(int, ...)` for any number of one kind, else one for each."""
    own = get_origin(kind) or kind
    inner = item_types(own) if hasattr(own, "_fields") else get_args(kind) or (int, ...)
    # `tuple[int]` has one item, `frozenset[int]` any number.
    return (*inner, ...) if own is frozenset and ... not in inner else inner


def _item_kinds(kind: Any, count: int) -> tuple[Any, ...]:
    """The types of `count` items of a list, as far as its type specifies them."""
    kinds = item_kinds(kind)
    return kinds[:1] * count if ... in kinds else kinds


def _own_kind(value: Any) -> Any:
    """The type of a value itself."""
    return tuple[tuple(map(_own_kind, value))] if isinstance(value, tuple) else type(value)  # type: ignore[misc]


def _depth(kind: Any) -> int:
    """How deeply lists are nested in values of that type."""
    kind = if_any(kind) or kind
    return 1 + max(map(_depth, _item_kinds(kind, 1)), default=0) if is_list(kind) else 0
