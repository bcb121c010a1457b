"""What classes and their objects hold: declared types, what Python makes by itself, and what is kept in C."""

from __future__ import annotations

import functools
from types import FunctionType
from typing import Any

from endsight.game import Game
from endsight.game.field_texts import field_types, item_types
from endsight.identity.origin import library_of

_PYTHON = {"__dict__", "__slots__"}
"""Entries of which a class that is written in Python has one, unless a base class has it."""


def types_in_order(kind: type) -> list[Any]:
    """The declared types of the fields of a NamedTuple; none where its module alone does not tell them."""
    try:
        return list(item_types(kind))
    except Exception:  # names that are bound elsewhere, and whatever else an annotation may do
        return []


def types_of_fields(game: Game) -> list[Any]:
    """The declared types of the fields of the states; none where they cannot be told."""
    try:
        return list(field_types(game.State, *type(game).__mro__).values())
    except Exception:  # as above
        return []


def cached_names(kind: type) -> list[str]:
    """Attributes that are worked out from the others when they are first asked for."""
    entries = [each for base in kind.__mro__ for each in vars(base).items()]
    return [name for name, entry in entries if isinstance(entry, functools.cached_property)]


_NAMEDTUPLE = frozenset(
    {"__slots__", "_make", "_replace", "__replace__", "_asdict", "__repr__", "__getnewargs__", "__match_args__"}
    | {"__new__", "__orig_bases__", "__annotations__", "__annotate_func__", "__annotations_cache__"}
    | {"_fields", "_field_defaults"}
)


def made_by_namedtuple(kind: type) -> frozenset[str]:
    """Entries that a NamedTuple is given, which follow from its fields and defaults."""
    names = _NAMEDTUPLE.union(getattr(kind, "_fields"))  # noqa: B009
    return frozenset(name for name in names if _is_made_by_namedtuple(vars(kind).get(name)))


def _is_made_by_namedtuple(entry: Any) -> bool:
    """Whether an entry of that name is as it was made, and was not put there later."""
    function = getattr(entry, "__func__", entry)
    if isinstance(function, FunctionType):
        made_in = str(function.__globals__.get("__name__"))
        return made_in == "collections" or made_in.startswith("namedtuple_")
    return not callable(entry) and not isinstance(entry, property)


def as_plain(plain: Any, thing: Any) -> Any:
    """The content of an object of a class derived from a kind of data."""
    if plain is dict:
        return dict(dict.items(thing))
    return plain.__int__(thing) if plain is int else plain(plain.__iter__(thing)) if _is_list(plain) else plain(thing)


def _is_list(plain: type) -> bool:
    return plain in (list, tuple, set, frozenset)


def shows_all(kind: type) -> bool:
    """Whether attributes are all that an object of an author's class holds: no base class keeps content in C."""
    return all(_is_written_in_python(base) for base in kind.__mro__ if base is not object)


def _is_written_in_python(kind: type) -> bool:
    library = library_of(kind.__module__)
    inherits = any(base is not object for base in kind.__bases__)
    return library == "endsight" or (library is None and (inherits or not _PYTHON.isdisjoint(vars(kind))))
