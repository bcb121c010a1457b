"""What is known of an expression before any state is: parameters, constants of `setup`, literals.

`Scope.value` works an expression out as far as it does not depend on the state; the
answer is UNKNOWN where it does.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from enum import Enum
from fractions import Fraction
from functools import cached_property, lru_cache
from inspect import CO_GENERATOR
from types import BuiltinFunctionType, CellType, FunctionType, MemberDescriptorType, ModuleType, NoneType
from typing import Any

from endsight.compiler.sources import function_of
from endsight.game import Game

__all__ = ["LISTS", "SELF", "STATE", "UNKNOWN", "Scope", "behaves_as", "is_list", "is_whole", "is_worked_out"]

LISTS = (tuple, list, range, bytes)
"""Kinds of data that are lists of whole numbers, or of such lists."""

_NUMBERS_OF_PYTHON = (int, bool)
_PLAIN = (int, bool, str, float, NoneType, Fraction, range, bytes)
_HOLDERS = (tuple, list, set, frozenset)
_Cached = type(lru_cache(lambda: None))
_BOUND = (FunctionType, staticmethod, classmethod, cached_property, MemberDescriptorType, _Cached)
_CALLED = (FunctionType, BuiltinFunctionType, ModuleType, type)
_SPECIAL = {
    *("__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__", "__bool__", "__index__", "__int__", "__hash__"),
    *("__add__", "__sub__", "__mul__", "__floordiv__", "__mod__", "__divmod__", "__pow__", "__neg__", "__pos__"),
    *("__radd__", "__rsub__", "__rmul__", "__rfloordiv__", "__rmod__", "__rdivmod__", "__rpow__", "__abs__"),
    *("__and__", "__or__", "__xor__", "__lshift__", "__rshift__", "__invert__", "__rand__", "__ror__", "__rxor__"),
    *("__rlshift__", "__rrshift__", "__getattribute__", "__getattr__", "__iter__", "__len__", "__getitem__"),
    *("__contains__", "__reversed__", "bit_count", "bit_length"),
}
"""What operators and loops call: the compiled rules count on it being that of the built-in type."""


def is_whole(value: Any) -> bool:
    """Whether a value is a whole number that calculates as Python's own do."""
    return type(value) in _NUMBERS_OF_PYTHON or (isinstance(value, int) and behaves_as(type(value), int))


def is_list(value: Any) -> bool:
    """Whether a value is one of `LISTS`, or a tuple with names that behaves as a tuple does."""
    return type(value) in LISTS or (isinstance(value, tuple) and behaves_as(type(value), tuple))


def behaves_as(own: type, kind: type) -> bool:
    """Whether operators and loops call for one class what they call for the other, a built-in one."""
    return all(_of_class(own, name) is _of_class(kind, name) for name in _SPECIAL)


def _of_class(kind: type, name: str) -> Any:
    """What instances of a class find under that name in classes."""
    return next((each.__dict__[name] for each in kind.__mro__ if name in each.__dict__), None)


def _is_plain(value: Any, depth: int = 0) -> bool:
    """Whether to work with a value now gives what it gives whenever the rules do so."""
    if type(value) in _PLAIN or isinstance(value, Enum):
        return True
    if type(value) is dict:
        return _is_plain(tuple(value), depth) and _is_plain(tuple(value.values()), depth)
    return (
        depth < 6 and (type(value) in _HOLDERS or is_list(value)) and all(_is_plain(each, depth + 1) for each in value)
    )


class _Mark:
    """A name for something that is not a value of the rules."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return self.name


UNKNOWN = _Mark("unknown")
SELF = _Mark("the game itself")
STATE = _Mark("the State class")

_BINARY: dict[type, Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_,
    ast.BitXor: operator.xor,
    ast.LShift: operator.lshift,
    ast.RShift: operator.rshift,
    ast.Pow: operator.pow,
}
_UNARY: dict[type, Callable[[Any], Any]] = {
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
    ast.Invert: operator.invert,
    ast.Not: operator.not_,
}
_COMPARE: dict[type, Callable[[Any, Any], Any]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.In: lambda a, b: a in b,
    ast.NotIn: lambda a, b: a not in b,
}
_PURE = (len, min, max, sum, abs, tuple, list, range, int, bool, divmod, sorted)
_LAZY = (reversed, enumerate, zip)
_CONSUMERS = (min, max, sum, tuple, list, sorted, enumerate, zip)
_HUGE = 4096


class Scope:
    """The names inside one function of the rules."""

    def __init__(self, game: Game, function: FunctionType, self_name: str | None, locals_: set[str]) -> None:
        self.game = game
        self.function = function
        self.self_name = self_name
        self.locals = locals_
        self.is_generator = bool(function.__code__.co_flags & CO_GENERATOR)
        self.fixed: dict[str, Any] = {}
        """Local names with a known value, inside a loop that is written out."""
        cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
        self.outer = {name: _content(cell) for name, cell in cells}
        self.built_in: dict[str, Any] = function.__builtins__  # type: ignore[attr-defined]
        self.plain: dict[int, tuple[Any, bool]] = {}

    def name(self, name: str) -> Any:
        """What a name stands for, UNKNOWN for ordinary local names."""
        if name in self.fixed:
            return self.fixed[name]
        if name == self.self_name:
            return SELF
        if name in self.locals:
            return UNKNOWN
        if name in self.outer:
            return self._outside(self.outer[name])
        if name in self.function.__globals__:
            return self._outside(self.function.__globals__[name])
        return self.built_in.get(name, UNKNOWN)

    def _outside(self, value: Any) -> Any:
        """A value from outside of the function: what is not plain data must be something that can be called."""
        if value is type(self.game).State:
            return STATE
        value = function_of(value) or value
        if type(value) in _PLAIN or isinstance(value, _CALLED) or value is UNKNOWN:
            return value
        known = self.plain.get(id(value))
        if known is None:
            known = self.plain[id(value)] = value, _is_plain(value)
        return value if known[1] else UNKNOWN

    def value(self, node: ast.expr | None) -> Any:
        """The value of an expression that needs no state, else UNKNOWN."""
        if node is None:
            return UNKNOWN
        visit = getattr(self, "_" + type(node).__name__.lower(), None)
        if visit is None:
            return UNKNOWN
        try:
            return visit(node)
        except Exception:  # whatever goes wrong will go wrong at its proper time too
            return UNKNOWN

    def _values(self, nodes: list[ast.expr]) -> list[Any] | None:
        values = [self.value(node) for node in nodes]
        return None if any(value is UNKNOWN for value in values) else values

    def _constant(self, node: ast.Constant) -> Any:
        return node.value

    def _name(self, node: ast.Name) -> Any:
        return self.name(node.id)

    def _attribute(self, node: ast.Attribute) -> Any:
        base = self.value(node.value)
        if base is SELF:
            # A property may give another value each time; one that keeps its first value gives that.
            if is_worked_out(self.game, node.attr):
                return UNKNOWN
            return self._outside(getattr(self.game, node.attr))
        if isinstance(base, ModuleType | type):
            return self._outside(getattr(base, node.attr))
        return UNKNOWN

    def _tuple(self, node: ast.Tuple) -> Any:
        values = self._values(node.elts)
        return UNKNOWN if values is None else tuple(values)

    def _subscript(self, node: ast.Subscript) -> Any:
        values = self._values([node.value, node.slice])
        return UNKNOWN if values is None else values[0][values[1]]

    def _binop(self, node: ast.BinOp) -> Any:
        values = self._values([node.left, node.right])
        if values is None:
            return UNKNOWN
        if isinstance(node.op, ast.Pow | ast.LShift) and abs(values[1]) > _HUGE:
            return UNKNOWN
        return _BINARY[type(node.op)](*values)

    def _unaryop(self, node: ast.UnaryOp) -> Any:
        value = self.value(node.operand)
        return UNKNOWN if value is UNKNOWN else _UNARY[type(node.op)](value)

    def _compare(self, node: ast.Compare) -> Any:
        values = self._values([node.left, *node.comparators])
        if values is None or any(type(op) not in _COMPARE for op in node.ops):
            return UNKNOWN
        pairs = zip(node.ops, values, values[1:], strict=False)
        return all(_COMPARE[type(op)](left, right) for op, left, right in pairs)

    def _boolop(self, node: ast.BoolOp) -> Any:
        stops = isinstance(node.op, ast.Or)
        value: Any = UNKNOWN
        for part in node.values:
            value = self.value(part)
            if value is UNKNOWN or bool(value) == stops:
                return value
        return value

    def _ifexp(self, node: ast.IfExp) -> Any:
        test = self.value(node.test)
        return UNKNOWN if test is UNKNOWN else self.value(node.body if test else node.orelse)

    def _call(self, node: ast.Call) -> Any:
        if node.keywords or any(isinstance(argument, ast.Starred) for argument in node.args):
            return UNKNOWN
        function = self.value(node.func)
        values = self._arguments(function, node.args)
        if any(value is UNKNOWN for value in values):
            return UNKNOWN
        if isinstance(node.func, ast.Attribute) and node.func.attr in ("bit_count", "bit_length"):
            base = self.value(node.func.value)
            return getattr(base, node.func.attr)() if isinstance(base, int) else UNKNOWN
        return function(*values) if any(function is pure for pure in _PURE) else UNKNOWN

    def iterable(self, node: ast.expr) -> Any:
        """The items of what a loop goes over, as far as they are known: those of `zip`, say, can be had only once."""
        if isinstance(node, ast.Call) and not node.keywords and any(self.value(node.func) is each for each in _LAZY):
            try:
                function = self.value(node.func)
                given = self._arguments(function, node.args)
                return UNKNOWN if any(each is UNKNOWN for each in given) else tuple(function(*given))
            except Exception:  # as above
                return UNKNOWN
        return self.value(node)

    def _arguments(self, function: Any, nodes: list[ast.expr]) -> list[Any]:
        read = self.iterable if any(function is each for each in _CONSUMERS) else self.value
        return [read(node) for node in nodes]


def is_worked_out(game: Game, name: str) -> bool:
    """Whether `game.NAME` is what a property of the author's gives, perhaps another value each time."""
    found = _of_class(type(game), name)
    if (
        found in (Game.__dict__.get(name), object.__dict__.get(name))
        or isinstance(found, _BOUND)
        or not hasattr(type(found), "__get__")
    ):
        return False
    return name not in vars(game) or hasattr(type(found), "__set__")


def _content(cell: CellType) -> Any:
    try:
        return cell.cell_contents
    except ValueError:  # nothing is in it yet
        return UNKNOWN
