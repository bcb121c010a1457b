"""Texts of states and moves of natural fields, such as tuples and Enums: `cells=1-0-2 turn=CROSS second=no`.

`endsight.game` loads this file for such states and moves, and only for them. What `show_fields` writes,
`read_fields` reads, and nothing else; other texts are read by `endsight.state_text`, which is more lenient.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from enum import Enum, EnumType
from functools import cache
from importlib import import_module
from types import NoneType
from typing import TYPE_CHECKING, Any, Literal, get_args, get_origin, get_type_hints

if TYPE_CHECKING:
    from endsight.game import Game

__all__ = ["BLANK", "field_text", "field_types", "is_list", "read_fields", "show_fields", "value_text"]

BLANK = "_"
"""Stands for a blank inside of a text: blanks part what stands beside each other."""


def show_fields(game: Game, state: Any) -> str:
    """The state as one line."""
    kinds = field_types(state.__class__, *type(game).__mro__)
    return " ".join(f"{name}={field_text(kinds[name], value)}" for name, value in state._asdict().items())


def read_fields(game: Game, text: str) -> Any:
    """The state that is shown so; other texts are read leniently, with `PositionError` for no state."""
    kinds = field_types(game.State, *type(game).__mro__)
    with suppress(KeyError, TypeError, ValueError):
        given = [item.partition("=") for item in text.split()]
        state = game.State(**{name: _read(kinds[name], value) for name, _, value in given})
        if show_fields(game, state) == text:
            return state
    return import_module("endsight.state_text").read_state(game, text)


@cache
def field_types(state: Any, *kinds: type) -> Mapping[str, Any]:
    """The declared type of every field of a `State`, else whole numbers; `kinds` are the classes of its rules."""
    # Classes that stand inside of the rules' class are seen from there alone.
    inside = {name: value for base in reversed(kinds) for name, value in vars(base).items()}
    return dict.fromkeys(state._fields, int) | get_type_hints(state, localns=inside)


def value_text(value: Any) -> str:
    """As commands have it: `yes`, `x` for unknown, `3-4-5`, `1-2-3/4-5-6`, an Enum by name, else as it is printed."""
    if isinstance(value, tuple | list | frozenset):
        items = sorted(value) if isinstance(value, frozenset) else value
        has_lists = any(isinstance(item, tuple | list | frozenset) for item in items)
        return ("/" if has_lists else "-").join(map(value_text, items))
    if isinstance(value, Enum):
        return value.name
    return {None: "x", True: "yes", False: "no"}[value] if value is None or isinstance(value, bool) else str(value)


def is_list(kind: Any) -> bool:
    """Whether a type is a tuple's or a frozenset's."""
    own = get_origin(kind) or kind
    return isinstance(own, type) and issubclass(own, tuple | frozenset)


def field_text(kind: Any, value: Any) -> str:
    """A value of a field of that type, without blanks."""
    return value_text(_declared(kind, value)).replace(" ", BLANK)


def _declared(kind: Any, value: Any) -> Any:
    """The value as its type has it: `True` counts as 1 where a whole number is declared, and 1 as `True` for a bool."""
    own, inner = get_origin(kind) or kind, get_args(kind)
    if value is None or own is str:
        return value
    if isinstance(value, int):
        choices = (
            (False, True) if own is bool else inner if own is Literal else own if isinstance(own, EnumType) else ()
        )
        return next((each for each in choices if each == value), int(value))
    if isinstance(value, frozenset):
        return frozenset(map(int, value))
    if isinstance(value, tuple):
        kinds = tuple(get_type_hints(own).values()) if hasattr(own, "_fields") else inner or (int, ...)
        if NoneType in kinds:
            return _declared(kinds[kinds[0] is NoneType], value)
        return tuple(map(_declared, kinds[:1] * len(value) if ... in kinds else kinds, value))
    return value


def _read(kind: Any, text: str) -> Any:
    """What a text in the form of `show` stands for in a field of that type; `KeyError` or `ValueError` for nothing."""
    own: Any = get_origin(kind) or kind
    inner = get_args(kind)
    if NoneType in inner:
        return None if text == "x" else _read(inner[inner[0] is NoneType], text)
    if own is Literal or own is bool or isinstance(own, EnumType):
        choices: Any = (False, True) if own is bool else inner or own
        return {field_text(own, each): each for each in choices}[text]
    if not is_list(kind):
        return int(text) if own is int else text.replace(BLANK, " ")
    kinds = tuple(get_type_hints(own).values()) if hasattr(own, "_fields") else inner or (int, ...)
    items = text.split("/" if any(map(is_list, kinds)) else "-") if text else []
    kinds = kinds[:1] * len(items) if own is frozenset or ... in kinds else kinds
    made = [_read(each, item) for each, item in zip(kinds, items, strict=True)]
    return own(*made) if hasattr(own, "_fields") else own(made)
