"""The contents of classes and their objects: declared types, attributes that Python adds, and content kept in C."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator
from types import FunctionType, MemberDescriptorType
from typing import Any

from endsight.game import Game
from endsight.game.derived import DERIVED
from endsight.game.field_texts import field_types, item_types
from endsight.identity.origin import library_of

_PYTHON = {"__dict__", "__slots__"}
"""Entries that a class written in Python has, unless a base class has them."""


def types_in_order(kind: Any, game: Game | None = None) -> list[Any]:
    """The declared types of the fields of a NamedTuple, the state of a game or any; none if they cannot be resolved."""
    try:
        return list(item_types(kind) if game is None else field_types(kind, *type(game).__mro__).values())
    except Exception:  # names bound elsewhere, and whatever else an annotation may do
        return []


def own_attributes(thing: Any, left_out: Iterable[str] = ()) -> Iterator[tuple[str, Any]]:
    """The attributes of an object, those of slots last; without what is computed from others on first use."""
    entries = [each for base in type(thing).__mro__ for each in vars(base).items()]
    cached = (name for name, entry in entries if isinstance(entry, functools.cached_property))
    not_own = {*DERIVED, *cached, *left_out}
    yield from (entry for entry in getattr(thing, "__dict__", {}).items() if entry[0] not in not_own)
    for name, entry in entries:
        if isinstance(entry, MemberDescriptorType) and hasattr(thing, name):
            yield name, getattr(thing, name)


_NAMEDTUPLE = frozenset(
    {"__slots__", "_make", "_replace", "__replace__", "_asdict", "__repr__", "__getnewargs__", "__match_args__"}
    | {"__new__", "__orig_bases__", "__annotations__", "__annotate_func__", "__annotations_cache__"}
    | {"_fields", "_field_defaults"}
)


def made_by_namedtuple(kind: type) -> frozenset[str]:
    """Entries that Python gives a NamedTuple; they follow from its fields and defaults."""
    names = _NAMEDTUPLE.union(getattr(kind, "_fields"))  # noqa: B009
    return frozenset(name for name in names if _is_made_by_namedtuple(vars(kind).get(name)))


def _is_made_by_namedtuple(entry: Any) -> bool:
    """Whether an entry of that name is unchanged since the class was made."""
    function = getattr(entry, "__func__", entry)
    if isinstance(function, FunctionType):
        made_in = str(function.__globals__.get("__name__"))
        return made_in == "collections" or made_in.startswith("namedtuple_")
    return not callable(entry) and not isinstance(entry, property)


def as_plain(plain: Any, thing: Any) -> Any:
    """The content of an object whose class derives from a built-in data type."""
    if plain is dict:
        return dict(dict.items(thing))
    if plain in (list, tuple, set, frozenset):
        return plain(plain.__iter__(thing))
    return plain.__int__(thing) if plain is int else plain(thing)


def shows_all(kind: type, plain: tuple[type, ...]) -> bool:
    """Whether an object of an author's class holds only attributes and `plain` data: no base class keeps more in C."""
    return all(_is_written_in_python(base) for base in kind.__mro__ if base not in (object, *plain))


def _is_written_in_python(kind: type) -> bool:
    library = library_of(kind.__module__)
    inherits = any(base is not object for base in kind.__bases__)
    return library == "endsight" or (library is None and (inherits or not _PYTHON.isdisjoint(vars(kind))))
