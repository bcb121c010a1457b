"""What names and attributes of the rules stand for before any state is: live objects, in Python's order of look-up."""

from __future__ import annotations

import builtins
import itertools
import math
from enum import Enum
from fractions import Fraction
from functools import cached_property, lru_cache
from inspect import isgeneratorfunction
from types import BuiltinFunctionType, CellType, FunctionType, MemberDescriptorType, ModuleType, NoneType
from typing import Any

from endsight.compiler.sources import function_of, is_cached
from endsight.game import Game

__all__ = [
    *("LAZY", "PURE", "SELF", "STATE", "UNKNOWN", "Outside", "behaves_as", "is_list", "is_plain", "is_whole"),
    "is_worked_out",
]


class _Mark:
    """A name for something that is not a value of the rules."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return self.name


UNKNOWN = _Mark("unknown")
SELF = _Mark("the game itself")
STATE = _Mark("the State class")

_LISTS = (tuple, list, range, bytes)
_PLAIN = (int, bool, str, float, NoneType, Fraction, range, bytes)
_HOLDERS = (tuple, list, set, frozenset)
_CALLED = (FunctionType, BuiltinFunctionType, ModuleType, type)
_Cached = type(lru_cache(lambda: None))
_BOUND = (FunctionType, staticmethod, classmethod, cached_property, MemberDescriptorType, _Cached)
_SPECIAL = {
    *("__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__", "__bool__", "__index__", "__int__", "__hash__"),
    *("__add__", "__sub__", "__mul__", "__floordiv__", "__mod__", "__divmod__", "__pow__", "__neg__", "__pos__"),
    *("__radd__", "__rsub__", "__rmul__", "__rfloordiv__", "__rmod__", "__rdivmod__", "__rpow__", "__abs__"),
    *("__and__", "__or__", "__xor__", "__lshift__", "__rshift__", "__invert__", "__rand__", "__ror__", "__rxor__"),
    *("__rlshift__", "__rrshift__", "__getattribute__", "__getattr__", "__iter__", "__len__", "__getitem__"),
    *("__contains__", "__reversed__", "bit_count", "bit_length"),
}
"""What operators and loops call: the compiled rules count on it being that of the built-in type."""

PURE: tuple[Any, ...] = (
    *(len, min, max, sum, abs, tuple, list, range, int, bool, divmod, sorted, any, all, pow, set, frozenset, dict),
    *(math.isqrt, math.comb, math.gcd, math.lcm, math.prod, math.factorial, math.perm),
)
"""Functions that are called now, where all that they are given is known."""
LAZY: tuple[Any, ...] = (
    *(reversed, enumerate, zip),
    *(itertools.product, itertools.combinations, itertools.permutations, itertools.chain),
    *(itertools.combinations_with_replacement, itertools.pairwise, itertools.accumulate),
)
"""Functions whose results can be gone through once."""


def is_whole(value: Any) -> bool:
    """Whether a value is a whole number that calculates as Python's own do."""
    return type(value) in (int, bool) or (isinstance(value, int) and behaves_as(type(value), int))


def is_list(value: Any) -> bool:
    """Whether a value is a tuple, list, range or bytes, or a tuple with names that behaves as a tuple does."""
    return type(value) in _LISTS or (isinstance(value, tuple) and behaves_as(type(value), tuple))


def behaves_as(own: type, kind: type) -> bool:
    """Whether operators and loops call for one class what they call for the other, a built-in one."""
    return all(_of_class(own, name) is _of_class(kind, name) for name in _SPECIAL)


def _of_class(kind: type, name: str) -> Any:
    """What instances of a class find under that name in classes."""
    return next((each.__dict__[name] for each in kind.__mro__ if name in each.__dict__), None)


def is_plain(value: Any, depth: int = 0) -> bool:
    """Whether to work with a value now gives what it gives whenever the rules do so."""
    if type(value) in _PLAIN or isinstance(value, Enum):
        return True
    if type(value) is dict:
        return is_plain(tuple(value), depth) and is_plain(tuple(value.values()), depth)
    holds = depth < 6 and (type(value) in _HOLDERS or is_list(value))
    return holds and all(is_plain(each, depth + 1) for each in value)


def is_worked_out(thing: Any, name: str) -> bool:
    """Whether `thing.NAME` is what a property of the author's gives, perhaps another value each time."""
    found = _of_class(type(thing), name)
    is_ours = found in (Game.__dict__.get(name), object.__dict__.get(name)) and isinstance(thing, Game)
    if is_ours or isinstance(found, _BOUND) or not hasattr(type(found), "__get__"):
        return False
    if type(found).__name__ == "_tuplegetter":
        return False
    return name not in getattr(thing, "__dict__", {}) or hasattr(type(found), "__set__")


class Outside:
    """What the names that are not its own stand for in one function."""

    def __init__(self, game: Game, function: FunctionType, cached: set[FunctionType]) -> None:
        self.game = game
        self.cached = cached
        self.state = type(game).State
        self.space = function.__globals__
        self.built_in: dict[str, Any] = getattr(function, "__builtins__", vars(builtins))
        cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
        self.cells = {name: _content(cell) for name, cell in cells}

    def name(self, name: str) -> Any:
        """The object, or UNKNOWN."""
        for place in (self.cells, self.space, self.built_in):
            if name in place:
                return self.seen(place[name])
        return UNKNOWN

    def attribute(self, base: Any, name: str) -> Any:
        """What `base.NAME` is, where that is sure to be the same each time."""
        if base is SELF:
            return UNKNOWN if is_worked_out(self.game, name) else self.seen(getattr(self.game, name, UNKNOWN))
        if isinstance(base, ModuleType | type):
            return self.seen(getattr(base, name, UNKNOWN))
        kind = type(base)
        own = _of_class(kind, "__getattribute__") in (object.__getattribute__, tuple.__getattribute__)
        if own and not hasattr(kind, "__getattr__") and not is_worked_out(base, name):
            return self.seen(getattr(base, name, UNKNOWN))
        return UNKNOWN

    def seen(self, value: Any) -> Any:
        """A value from outside; plain data, what can be called, and what attributes can be read of."""
        if value is self.state:
            return STATE
        function = function_of(value)
        if function is None or not is_cached(value):
            return function or value
        if isgeneratorfunction(function):
            return UNKNOWN  # it yields once, then the cache gives it used up
        self.cached.add(function)
        return function


def _content(cell: CellType) -> Any:
    try:
        return cell.cell_contents
    except ValueError:  # nothing is in it yet
        return UNKNOWN


MOST = 20_000
"""Items of what is worked out before."""
