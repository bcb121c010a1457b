"""Whether equal states are identical, and are their fields: everything known about a state is looked up by these."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import fields, is_dataclass, make_dataclass
from functools import cache
from itertools import chain, compress
from typing import Any

from endsight.errors.rules_guard import pass_on_limit

_SAFE = ("builtins", "enum", "fractions", "endsight")
"""Modules or packages whose classes compare everything that a value holds."""
_OF_ITEMS = {tuple: ("__iter__", "__getitem__", "__len__"), frozenset: ("__iter__", "__contains__", "__len__")}
"""By class of values, what gives their items."""


def equal(one: Any, other: Any) -> bool:
    """Equality that never raises: incomparable objects (arrays) are different unless identical."""
    try:
        return one is other or bool(one == other)
    except Exception as error:
        pass_on_limit(error)
        return False


def own_reading(kinds: Iterable[type]) -> tuple[type, str] | None:
    """The first by name of the classes that compare values or give their items in a way of their own, and that method.

    None where no class does.
    """
    found = ((kind, method) for kind in kinds for method in _own_methods(kind))
    return min(found, key=lambda each: each[0].__name__, default=None)


def kinds_inside(value: Any) -> set[type]:
    """The classes of a state and of all values inside it."""
    kinds: set[type] = set()
    level: Iterable[Any] = (value,)
    while here := set(map(type, level)):
        kinds |= here
        holders = set(filter(holds_others, here))
        if not holders:
            break
        held = level if holders == here else compress(level, map(holders.__contains__, map(type, level)))
        level = list(chain.from_iterable(map(_inside, held) if any(map(_is_dataclass, holders)) else held))
    return kinds


def records_inside(value: Any, place: tuple[int, ...] = ()) -> Iterator[tuple[Any, type]]:
    """The NamedTuples inside a value, each with its place, which members of a set share, and then its class."""
    for number, each in enumerate(_inside(value)):
        kind: Any = type(each)
        if holds_others(kind):
            there = (*place, 0 if isinstance(value, frozenset) else number)
            if is_record(kind):
                yield (there, each), kind
            yield from records_inside(each, there)


def _inside(value: Any) -> Iterable[Any]:
    return value if isinstance(value, tuple | frozenset) else [getattr(value, each.name) for each in fields(value)]


_is_dataclass = cache(is_dataclass)


@cache
def is_record(kind: type) -> bool:
    """Whether a class is a NamedTuple, or another tuple of its own."""
    return issubclass(kind, tuple) and kind is not tuple


@cache
def holds_others(kind: type) -> bool:
    """Whether values of a class hold values."""
    return issubclass(kind, tuple | frozenset) or is_dataclass(kind)


@cache
def _own_methods(kind: type) -> list[str]:
    """The methods by which values of a class compare, or give their items, if they are of its own."""
    plain = [(base, name) for base, names in _OF_ITEMS.items() if issubclass(kind, base) for name in names]
    own = [name for base, name in plain if getattr(kind, name) is not getattr(base, name)]
    return ["__eq__"] * _compares_apart(kind) + own


def _compares_apart(kind: type) -> bool:
    """Whether two values of a class may be equal that do not hold the same."""
    home = next(base for base in kind.__mro__ if "__eq__" in vars(base))
    if is_dataclass(home):
        # Methods that somebody wrote, that leave fields out, or that a class with fewer fields has differ from this.
        plain = make_dataclass(kind.__name__, [each.name for each in fields(kind)])
        return _steps(home) != _steps(plain)
    return home.__module__.partition(".")[0] not in _SAFE


def _steps(kind: type) -> list[Any]:
    """What the `__eq__` of a class does, wherever its text stands."""
    code = getattr(vars(kind)["__eq__"], "__code__", None)
    return [getattr(code, each, None) for each in ("co_code", "co_names", "co_consts")]
