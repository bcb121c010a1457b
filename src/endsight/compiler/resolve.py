"""What names and attributes of the rules stand for before any state: live objects, in Python's order of look-up."""

from __future__ import annotations

import builtins
import itertools
import math
import operator
from collections import Counter, namedtuple
from collections.abc import Collection, Iterable, Mapping
from enum import Enum, EnumMeta, Flag, IntEnum, IntFlag
from fractions import Fraction
from functools import cached_property, lru_cache
from inspect import getattr_static
from types import (
    CellType,
    ClassMethodDescriptorType,
    CodeType,
    FunctionType,
    MemberDescriptorType,
    ModuleType,
    NoneType,
)
from typing import Any

import endsight
from endsight.compiler.sources import CACHED, function_of, is_cached, is_generator
from endsight.game import Game


class Marker:
    """A name for something that is not a value of the rules."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return self.name


UNKNOWN = Marker("unknown")
SELF = Marker("the game itself")
STATE = Marker("the State class")

_LISTS = (tuple, list, range, bytes)
_PLAIN = (int, bool, str, float, NoneType, Fraction, range, bytes)
DICTS: tuple[type, ...] = (dict, Counter)
"""Classes of constants that are looked up by keys; a Counter also has a number for others, which is a fault."""
_LOOK_UPS = (object.__getattribute__, tuple.__getattribute__, int.__getattribute__)
_HOLDERS = (tuple, list, set, frozenset)
_WITH_OPERATORS = (object, int, str, Enum, IntEnum, Flag, IntFlag)
_BOUND = (
    *(FunctionType, staticmethod, classmethod, cached_property, MemberDescriptorType, ClassMethodDescriptorType),
    CACHED,
)
_SPECIAL = {
    *("__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__", "__bool__", "__index__", "__int__", "__hash__"),
    *("__add__", "__sub__", "__mul__", "__floordiv__", "__mod__", "__divmod__", "__pow__", "__neg__", "__pos__"),
    *("__radd__", "__rsub__", "__rmul__", "__rfloordiv__", "__rmod__", "__rdivmod__", "__rpow__", "__abs__"),
    *("__and__", "__or__", "__xor__", "__lshift__", "__rshift__", "__invert__", "__rand__", "__ror__", "__rxor__"),
    *("__rlshift__", "__rrshift__", "__getattribute__", "__getattr__", "__iter__", "__len__", "__getitem__"),
    *("__contains__", "__reversed__", "bit_count", "bit_length"),
}
"""Methods that operators and loops call: compiled rules rely on these being the built-in type's."""
_OF_TUPLES = {*_SPECIAL, "__init__"}

PURE: tuple[Any, ...] = (
    *(len, min, max, sum, abs, int, bool, divmod, sorted, any, all, pow, ord, chr),
    *(tuple, list, range, set, frozenset, dict, str),
    *(math.isqrt, math.comb, math.gcd, math.lcm, math.prod, math.factorial, math.perm),
)
"""Functions that are called during translation, if all their arguments are known."""
ANY_ORDER: tuple[Any, ...] = (len, any, all, sorted, set, frozenset, bool)
"""Those of them whose result does not depend on the order of a set's items."""
LAZY: tuple[Any, ...] = (
    *(reversed, enumerate, zip),
    *(itertools.product, itertools.combinations, itertools.permutations, itertools.chain),
    *(itertools.combinations_with_replacement, itertools.pairwise, itertools.accumulate),
    *(itertools.takewhile, itertools.dropwhile),
)
"""Functions whose results can be iterated over only once."""


def is_one_of(value: Any, objects: Iterable[Any]) -> bool:
    """Whether a value is one of some objects itself."""
    return any(value is each for each in objects)


def is_whole(value: Any) -> bool:
    """Whether a value is a whole number that calculates like Python's own, or like numpy's of 64 bits."""
    own = type(value)
    if own in (int, bool) or (isinstance(value, int) and behaves_as(own, int)):
        return True
    return own.__name__ == "int64" and own.__module__ == "numpy"  # where these would wrap around is a fault


def is_itself(value: Any) -> bool:
    """Whether a value equals only itself: a text, None, or a member of an Enum that compares as Python defines it."""
    return type(value) in (str, NoneType) or (isinstance(value, Enum) and type(value).__eq__ is object.__eq__)


MOST_OF_RANGE = 1 << 16
"""A longer range is not a list for compiled rules: it may be iterated over, and tested for membership."""


def is_list(value: Any) -> bool:
    """Whether a value is a tuple, list, short range or bytes, or a tuple with names that behaves as a tuple does."""
    if type(value) is range and value[MOST_OF_RANGE:]:
        return False  # too many items to write down
    return type(value) in _LISTS or (isinstance(value, tuple) and behaves_as(type(value), tuple, _OF_TUPLES))


def behaves_as(own: type, kind: type, names: Iterable[str] = _SPECIAL) -> bool:
    """Whether operators and loops call the same for one class as for the other, a built-in one."""
    return all(_of_class(own, name) is _of_class(kind, name) for name in names)


def _of_class(kind: type, name: str) -> Any:
    """What instances of a class find under that name in classes."""
    return next((each.__dict__[name] for each in kind.__mro__ if name in each.__dict__), None)


def defined(kind: type, name: str) -> Any:
    """What the rules' own class defines under a name, if its instances find it there as Python does; None otherwise."""
    is_plain = _of_class(kind, "__getattribute__") in _LOOK_UPS
    found = _of_class(kind, name) if is_plain and _of_class(kind, "__getattr__") is None else None
    is_made = issubclass(kind, tuple) and (name in vars(_named_tuple(())) or found is vars(tuple).get(name))
    return None if is_made else found


def is_named_tuple(kind: type) -> bool:
    """Whether a class is a NamedTuple, and its fields, constructor and methods of tuples are as Python makes them."""
    if kind.__mro__[1:] != (tuple, object) or type(kind) is not type or not hasattr(kind, "_fields"):
        return False
    fields, twin = tuple(kind._fields), _named_tuple(tuple(kind._fields))
    if not behaves_as(kind, tuple, [name for name in _OF_TUPLES if name not in fields]):
        return False
    made, own = vars(twin), vars(kind)
    getters = all(_place_of(own.get(name)) == number for number, name in enumerate(fields))
    functions = all(_code_of(own.get(name)) == _code_of(made[name]) for name in ("__new__", "_make", "_replace"))
    defaults = kind._field_defaults  # type: ignore[attr-defined]
    given = kind.__new__.__defaults__ or ()
    same = len(given) == len(defaults) and all(map(operator.is_, defaults.values(), given))
    return getters and functions and same and tuple(defaults) == fields[len(fields) - len(defaults) :]


@lru_cache(maxsize=64)
def _named_tuple(fields: tuple[str, ...]) -> Any:
    return namedtuple("Twin", fields)


def _place_of(getter: Any) -> int | None:
    """The number of the item that the getter of a field reads."""
    return getter.__reduce__()[1][0] if type(getter).__name__ == "_tuplegetter" else None


def _code_of(method: Any) -> Any:
    function = method.__func__ if isinstance(method, classmethod | staticmethod) else method
    if not isinstance(function, FunctionType):
        return None
    code = function.__code__
    return type(method), code.co_code, code.co_names, code.co_varnames, function.__kwdefaults__


def _is_plain_enum(value: Any) -> bool:
    """Whether operators on a member of an enumeration are Python's own."""
    return isinstance(value, Enum) and all(
        any(_of_class(type(value), name) is kind.__dict__.get(name) for kind in _WITH_OPERATORS) for name in _SPECIAL
    )


def is_plain(value: Any, depth: int = 0) -> bool:
    """Whether working with a value during translation gives the same as whenever the rules do so."""
    if type(value) in _PLAIN or _is_plain_enum(value):
        return True
    if type(value) in DICTS:
        return is_plain(tuple(value), depth) and is_plain(tuple(value.values()), depth)
    holds = depth < 6 and (type(value) in _HOLDERS or is_list(value))
    return holds and all(is_plain(each, depth + 1) for each in value)


def is_worked_out(thing: Any, name: str) -> bool:
    """Whether a property of the author's computes `thing.NAME`, perhaps with another value each time."""
    found = _of_class(type(thing), name)
    is_ours = found in (Game.__dict__.get(name), object.__dict__.get(name)) and isinstance(thing, Game)
    is_known = (isinstance(thing, Enum) and found is Enum.__dict__.get(name)) or type(thing) is Fraction
    if is_ours or is_known or isinstance(found, _BOUND) or not hasattr(type(found), "__get__"):
        return False
    if type(found).__name__ == "_tuplegetter":
        return False
    return name not in getattr(thing, "__dict__", {}) or hasattr(type(found), "__set__")


def _of_type(kind: type, name: str) -> Any:
    """The value of `kind.NAME` for a class; UNKNOWN if a descriptor or a metaclass computes it."""
    meta = type(kind)
    if meta is EnumMeta:
        is_method = isinstance(_of_class(kind, name), staticmethod | classmethod)
        return kind.__members__.get(name, getattr(kind, name) if is_method else UNKNOWN)  # type: ignore[attr-defined]
    if meta.__getattribute__ is not type.__getattribute__ or hasattr(meta, "__getattr__"):
        return UNKNOWN
    found = _of_class(kind, name)
    is_sure = isinstance(found, _BOUND) or not hasattr(type(found), "__get__")
    return getattr(kind, name, UNKNOWN) if is_sure and _of_class(meta, name) is None else UNKNOWN


class Outside:
    """What names in one function stand for that are not its own, `own`."""

    def __init__(self, game: Game, function: FunctionType, cached: set[FunctionType], own: frozenset[str]) -> None:
        self.game = game
        self.cached = cached
        self.own = own
        self.names = _names_of(function.__code__)
        self.state = type(game).State
        self.space = function.__globals__
        self.built_in: dict[str, Any] = getattr(function, "__builtins__", vars(builtins))
        cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
        self.cells = {name: _content(cell) for name, cell in cells}

    def mangled(self, name: str) -> str:
        """A name with two leading underscores, as Python mangles it inside a class."""
        if not name.startswith("__") or name.endswith("__") or name in self.names:
            return name
        found = [
            each for each in self.names if each.startswith("_") and each.endswith(name) and not each.startswith("__")
        ]
        return found[0] if len(found) == 1 else "?"

    def name(self, name: str) -> Any:
        """The object that a name stands for; UNKNOWN for the function's own."""
        if name in self.own:
            return UNKNOWN
        name = self.mangled(name)
        for place in (self.cells, self.space, self.built_in):
            if name in place:
                return self.seen(place[name])
        return UNKNOWN

    def attribute(self, base: Any, name: str) -> Any:
        """The value of `base.NAME`, if that is sure to be the same each time."""
        name = self.mangled(name)
        if base is SELF:
            return UNKNOWN if is_worked_out(self.game, name) else self.seen(getattr(self.game, name, UNKNOWN))
        if isinstance(base, type):
            return self.seen(_of_type(base, name))
        if base is endsight:  # it loads its contents when they are first read
            return self.seen(getattr(base, name, UNKNOWN))
        if type(base) is ModuleType:  # a module's own __getattr__ may give another value each time
            return self.seen(vars(base).get(name, UNKNOWN))
        kind = type(base)
        own = _of_class(kind, "__getattribute__") in _LOOK_UPS
        if own and _of_class(kind, "__getattr__") is None and not is_worked_out(base, name):
            return self.seen(getattr(base, name, UNKNOWN))
        return UNKNOWN

    def seen(self, value: Any) -> Any:
        """A value from outside: plain data, anything callable, and anything whose attributes can be read."""
        if value is self.state:
            return STATE
        function = function_of(value)
        if function is None or not is_cached(value):
            return function or value
        if is_generator(function):
            return UNKNOWN  # it yields once, then the cache returns it used up
        self.cached.add(function)
        return function


def may_have_odd_text(functions: Collection[FunctionType], game: Game) -> bool:
    """Whether functions of the rules may read a whole number whose text is not its digits.

    Such as a member of an IntEnum that has its own `__str__`, in anything that names in the functions lead to.
    """
    names = set().union(*(_names_of(function.__code__) for function in functions))
    outside = [each.__globals__[name] for each in functions for name in names & each.__globals__.keys()]
    cells = [_content(cell) for each in functions for cell in each.__closure__ or ()]
    return _has_odd_text([*outside, *cells, game], names, set())


def _has_odd_text(values: Iterable[Any], names: set[str], known: set[int]) -> bool:
    for value in values:
        if id(value) in known:
            continue
        known.add(id(value))
        parts: Iterable[Any]
        if isinstance(value, int):
            try:
                is_odd = {str(value), f"{value}"} != {int.__repr__(value)}
            except Exception:  # of the rules' own method
                is_odd = True
            if is_odd and type(value) is not bool:
                return True
        if isinstance(value, Mapping):
            parts = [*value, *value.values()]
        elif isinstance(value, tuple | list | set | frozenset | EnumMeta):
            parts = [*value, *_read(value, names)]
        else:
            parts = _read(value, names)
        if _has_odd_text(parts, names, known):
            return True
    return False


def _read(value: Any, names: set[str]) -> list[Any]:
    """The attributes of an object with these names, without properties."""
    found = [(name, getattr_static(value, name, None)) for name in names]
    return [getattr(value, name, None) if isinstance(own, MemberDescriptorType) else own for name, own in found]


def _names_of(code: CodeType) -> set[str]:
    """Names of globals and attributes that code uses, including inner code."""
    inner = [_names_of(constant) for constant in code.co_consts if isinstance(constant, CodeType)]
    return set(code.co_names).union(*inner)


def _content(cell: CellType) -> Any:
    try:
        return cell.cell_contents
    except ValueError:  # it is still empty
        return UNKNOWN


MOST = 20_000
"""Most items of what is computed in advance."""
