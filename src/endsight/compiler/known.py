"""What is known of an expression before any state is: parameters, constants of `setup`, literals.

`Scope.value` works an expression out as far as it does not depend on the state; the
answer is UNKNOWN where it does.
"""

from __future__ import annotations

import ast
import builtins
import inspect
import operator
from collections.abc import Callable
from types import FunctionType, ModuleType
from typing import Any

from endsight.game import Game

__all__ = ["LISTS", "SELF", "STATE", "UNKNOWN", "Scope"]

LISTS = (tuple, list, range, bytes)
"""Kinds of data that are lists of whole numbers, or of such lists."""


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
    ast.Is: operator.is_,
    ast.IsNot: operator.is_not,
    ast.In: lambda a, b: a in b,
    ast.NotIn: lambda a, b: a not in b,
}
_PURE = (len, min, max, sum, abs, tuple, list, range, int, bool, divmod, sorted, reversed, enumerate, zip)
_HUGE = 4096


class Scope:
    """The names inside one function of the rules."""

    def __init__(self, game: Game, function: FunctionType, self_name: str | None, locals_: set[str]) -> None:
        self.game = game
        self.function = function
        self.self_name = self_name
        self.locals = locals_
        self.fixed: dict[str, Any] = {}
        """Local names with a known value, inside a loop that is written out."""
        closure = inspect.getclosurevars(function)
        self.outer = {**closure.globals, **closure.nonlocals}

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
        return getattr(builtins, name, UNKNOWN)

    def _outside(self, value: Any) -> Any:
        return STATE if value is type(self.game).State else value

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
            if node.attr == "State":
                return STATE
            return getattr(self.game, node.attr)
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
        if values is None:
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
        values = self._values(node.args)
        if values is None:
            return UNKNOWN
        if isinstance(node.func, ast.Attribute) and node.func.attr in ("bit_count", "bit_length"):
            base = self.value(node.func.value)
            return getattr(base, node.func.attr)() if isinstance(base, int) else UNKNOWN
        function = self.value(node.func)
        if any(function is pure for pure in _PURE):
            result = function(*values)
            return tuple(result) if function in (list, sorted, reversed, enumerate, zip) else result
        return UNKNOWN
