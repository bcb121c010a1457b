"""Calls in the rules: functions and methods of the rules, states, and Python's built-ins."""

from __future__ import annotations

import ast
import builtins
import collections
import functools
import itertools
import math
import operator
from enum import EnumMeta
from types import FunctionType, MethodType
from typing import Any

from endsight.compiler import core, library, resolve
from endsight.compiler.built_in import BUILT_IN
from endsight.compiler.fields import Fields
from endsight.compiler.resolve import LAZY, PURE, SELF, STATE, UNKNOWN, is_list, is_one_of, is_whole
from endsight.compiler.syntax import CALCULATED, filled
from endsight.compiler.values import ITSELF, Names, Value
from endsight.game.numbers import count_text

_METHODS = {"get", "items", "keys", "values", "index", "count", "bit_count", "bit_length", "find", "copy"}
"""Methods of plain objects that are called during translation, if everything is known."""


_INSTEAD: tuple[tuple[Any, str], ...] = (
    (float, "use whole numbers"),
    (round, "use // for whole numbers"),
    (math.floor, "use //"),
    (math.ceil, "use -(-a // b)"),
    (bin, "use n.bit_count(), n >> k & 1"),
    (print, "leave it out"),
    (type, "write isinstance"),
    (getattr, "write the attribute"),
    (hasattr, "write the attribute"),
    (iter, "use a loop"),
    (collections.Counter, "use d[k] = d.get(k, 0) + 1"),
    (collections.defaultdict, "use d[k] = d.get(k, 0) + 1"),
    (collections.deque, "use a list"),
    (itertools.count, "use `while`"),
    (itertools.groupby, "use a loop"),
    (itertools.zip_longest, "use zip and a loop over the rest"),
    (functools.partial, "use a lambda"),
    (operator.itemgetter, "use a lambda"),
)
"""What to write instead of some functions."""

_MOST_WRITTEN = 64
"""Known lists of at most so many numbers are written out: then their length is known, too."""


class LocalFunction:
    """A function or lambda made inside a function.

    maker     the translation of the function that makes it, in which its names have their meaning
    free      names of the outer function that it reads
    defaults  default values at the time it was made
    """

    def __init__(self, maker: Calls, node: ast.FunctionDef, free: list[str], defaults: Names) -> None:
        self.maker = maker
        self.node = node
        self.free = free
        self.defaults = defaults


class SuperOf:
    """The result of `super()` in a method of that class."""

    def __init__(self, kind: type) -> None:
        self.kind = kind


class Calls(Fields):
    """The part of the translation of a function that deals with calls."""

    def call(self, node: ast.Call) -> Value:
        """The result of a call."""
        if isinstance(node.func, ast.Attribute):
            found = self._method(node, node.func)
            if found is not None:
                return found
            if node.func.attr == "fromkeys" and len(node.args) == 2 and self.peek(node.func.value) is dict:
                same = self.named(self.kept(self.value(node.args[1]), node), node)
                return self.value(filled("{key: same for key in keys}", node, self.fresh, keys=node.args[0], same=same))
        function = self.value(node.func).known
        if function is UNKNOWN:
            self.refuse(node, f"the call of {ast.unparse(node.func)} cannot be compiled")
        if function is builtins.super and not node.args:
            return Value.of(SuperOf(self.outside.name("__class__")))
        if function is builtins.super and len(node.args) == 2 and self.peek(node.args[1]) is SELF:
            return Value.of(SuperOf(self.peek(node.args[0])))
        if is_one_of(function, PURE):
            found = self._by_argument(node, (ast.Name, ast.Subscript, ast.Attribute)) if len(node.args) < 3 else None
            if found is not None:
                return found
            given = [self.peek_items(part) for part in node.args]
            words = self.peek_words(node)
            if all(each is not UNKNOWN and self.unit.is_plain(each) for each in (*given, *words.values())):
                known = self.called_now(function, given, words)
                if known is not UNKNOWN:
                    return self.of_new(known, node)
        if is_one_of(function, LAZY):
            message = f"{ast.unparse(node.func)} can be gone through here by a loop only"
            self.refuse(node, f"{message}, for a number of items that is known: write list(...)")
        return self._called(node, function)

    def _called(self, node: ast.Call, function: Any) -> Value:
        method = next((method for known, method in BUILT_IN if known is function), None)
        if method is not None:
            return method(self, node, function)
        if function is STATE:
            return self._state(node)
        if isinstance(function, FunctionType | LocalFunction | MethodType):
            return self._function_called(node, function)
        if isinstance(function, EnumMeta) and len(node.args) == 1:
            return self.member(node, function, self.value(node.args[0]))
        if isinstance(function, type) and issubclass(function, tuple) and hasattr(function, "_fields"):
            return self._named(node, function)
        own = next((own for known, own in library.STANDS_FOR.items() if known is function), None)
        if own is not None:
            return self._run(node, own)
        op = next((kind for kind, (_, known) in CALCULATED.items() if known is function), None)
        if op is not None and len(node.args) == 2 and not node.keywords:
            binary = ast.copy_location(ast.BinOp(node.args[0], op(), node.args[1]), node)
            return self.calculated(binary, *map(self.value, node.args))
        advice = next((text for known, text in _INSTEAD if known is function), "write what it does")
        raise self.refusal(node, f"the call of {ast.unparse(node.func)} cannot be compiled: {advice}")

    def called(self, node: ast.Call, function: ast.expr, items: list[Value]) -> Value:
        """A call of a function with these arguments."""
        given: list[ast.expr] = [
            self.named(item if item.expr is None else self.kept(item, node), node) for item in items
        ]
        if isinstance(function, ast.Attribute) and function.attr == "get" and len(given) == 1:
            return self.value(filled("table[key]", node, table=function.value, key=given[0]))
        return self.call(ast.copy_location(ast.Call(function, given, []), node))

    def _run(self, node: ast.Call, function: FunctionType, *first: Value) -> Value:
        """A call of a function of the rules, with these values before the arguments that stand there."""
        given, words = self._arguments(node)
        return self.unit.call(self, node, function, [*first, *given], words)

    def _function_called(self, node: ast.Call, target: Any) -> Value:
        if isinstance(target, LocalFunction):
            return self.unit.call_local(self, node, target, *self._arguments(node))
        if isinstance(target, FunctionType):
            return self._run(node, target)
        owner = target.__self__
        if isinstance(target.__func__, FunctionType) and (owner is self.unit.game or isinstance(owner, type)):
            return self._run(node, target.__func__, ITSELF if owner is self.unit.game else Value.of(owner))
        raise self.refusal(node, f"the call of {ast.unparse(node.func)} cannot be compiled")

    def _arguments(self, node: ast.Call) -> tuple[list[Value], Names]:
        given: list[Value] = []
        for part in node.args:
            if isinstance(part, ast.Starred):
                value = self.value(part.value)
                value = value if value.is_known else self.not_none(value, part)
                if value.is_known and is_list(value.known):
                    given += [Value.of(item) for item in value.known]
                elif value.type.is_tuple:
                    given += self.fields(self.kept(value, part))
                else:
                    self.refuse(node, "starred arguments of unknown number cannot be compiled: write them out")
            else:
                given.append(self.taken(part))
        words = {}
        for word in node.keywords:
            if word.arg is None:
                self.refuse(node, "starred arguments cannot be compiled")
            words[word.arg] = self.value(word.value)
        return given, words

    # ---------------------------------------------------------------- methods

    def _method(self, node: ast.Call, function: ast.Attribute) -> Value | None:
        if function.attr == "count" and self.calls(function.value, (bin,)) and ast.unparse(node).endswith("count('1')"):
            return self.value(filled("number.bit_count()", node, number=function.value.args[0]))
        base = self.read(function.value)
        if type(base.known) is str and function.attr == "join" and self.peek_items(node.args[0]) is UNKNOWN:
            return self.text_method(node, "join", base)
        if base.type.is_object and not base.is_known:
            return self.by_case(node, function.value, lambda part: _of_part(node, part, function.attr))
        if (found := self.bound(function, base)) is not None:
            return self._run(node, found[0], *found[1])
        if base.known is SELF:
            return None
        if base.is_known and self.unit.is_plain(base.known) and function.attr in _METHODS:
            words = self.peek_words(node)
            given_now = [self.peek(part) for part in node.args]
            if all(each is not UNKNOWN for each in (*given_now, *words.values())):
                known: Any = self.called_now(getattr(base.known, function.attr, None), given_now, words)
                if known is not UNKNOWN:
                    is_view = function.attr in ("items", "keys", "values")
                    return self.of_new(tuple(known) if is_view else known, node)
            if (chosen := self._by_argument(node, (ast.expr,))) is not None:
                return chosen
            base = self.as_text(base) or base  # of letters
            if function.attr == "get" and isinstance(base.known, dict) and 1 <= len(node.args) <= 2 and not words:
                default = self.value(node.args[1]) if len(node.args) == 2 else Value.of(None)
                return self.at_key(node, base.known, self.material(self.value(node.args[0]), node), default)
        if isinstance(base.known, set | frozenset):
            base = self.as_holder(base, node)
        if base.is_known and base.expr is None and not is_list(base.known):
            return None
        return self._of_value(node, function, base)

    def bound(self, node: ast.Attribute, base: Value) -> tuple[FunctionType, list[Value]] | None:
        """The function of the rules that `base.NAME` calls, and what it is handed first; None for other methods."""
        name = self.outside.mangled(node.attr)
        if base.known is SELF:
            method = self.unit.method(name)
            return None if method is None else (method[0], [base] if method[1] else [])
        if isinstance(base.known, SuperOf):
            return self.unit.above(self, node, base.known.kind, name), [ITSELF]
        kind = self.class_of(base)
        found = None if kind is None or name in getattr(base.known, "__dict__", ()) else resolve.defined(kind, name)
        if isinstance(found, FunctionType):
            return found, [base]
        if isinstance(found, property):
            self.refuse(node, f"what the property {name} gives is called")
        if not isinstance(found, staticmethod | classmethod) or not isinstance(found.__func__, FunctionType):
            return None
        return found.__func__, [Value.of(self.outside.seen(kind))] if isinstance(found, classmethod) else []

    def _by_argument(self, node: ast.Call, kinds: tuple[type, ...]) -> Value | None:
        """A call translated for each object that an argument of one of these kinds may be; None if there is none."""
        for at, each in enumerate(node.args):

            def again(part: ast.expr, at: int = at) -> ast.expr:
                given = [*node.args[:at], part, *node.args[at + 1 :]]
                return ast.copy_location(ast.Call(node.func, given, node.keywords), node)

            if isinstance(each, kinds) and self.peek_items(each) is UNKNOWN:
                found = self.by_case(node, each, again)
                if found is not None:
                    return found
        return None

    def of_new(self, known: Any, node: ast.AST) -> Value:
        """A known object that was made just now: a list of numbers may still be changed."""
        if isinstance(known, set | dict):
            self.made_here[id(known)] = known
        if not isinstance(known, list) or not all(map(is_whole, known)) or len(known) > core.ROOM:
            return Value.of(known)
        if len(known) <= _MOST_WRITTEN:
            return self.new_list(node, [self.material(Value.of(each), node) for each in known], 0)
        return self.joined_items(node, [self.table(Value.of(known), node)], "list")

    def _of_value(self, node: ast.Call, function: ast.Attribute, base: Value) -> Value | None:
        """A method of a number, a state, or a sequence."""
        if function.attr in ("bit_count", "bit_length") and not node.args and not node.keywords:
            value = self.material(base, node)
            if core.is_number(value.type):
                return Value.made(core.Unary(function.attr, value.expr, 0))
        if function.attr == "_replace" and base.type.names:
            return self._replaced(node, base)
        if function.attr in base.type.names:
            self.refuse(node, f"the field {function.attr} is called")
        found = self.text_method(node, function.attr, base) or self.of_holder(node, function.attr, base, node.args)
        if found is not None:
            return found
        if function.attr == "copy" and not node.args and base.type.sort in ("list", "set", "frozenset", "dict"):
            return self.gathered(function.value, node, base.type.sort)
        if function.attr in ("count", "index") and len(node.args) == 1 and not node.keywords:
            return self.found_at(node, function.attr, base, self.kept(self.value(node.args[0]), node))
        is_pop = function.attr == "pop"
        instead = "give its value to a name, in a statement of its own" if is_pop else "write what it does"
        raise self.refusal(node, f"the call of {ast.unparse(function)} cannot be compiled: {instead}")

    def found_at(self, node: ast.Call, how: str, base: Value, wanted: Value) -> Value:
        """`items.count(x)`, `items.index(x)` and `text.find(x)`."""
        base = self.kept(self.table(base, node) if base.expr is None else base, node)
        if how == "count":
            given = {"items": self.named(base, node), "wanted": self.named(wanted, node)}
            return self.value(filled("sum(each == wanted for each in items)", node, self.fresh, **given))
        place = self.place_of(node, wanted, base)
        if how == "index":
            self.fault_if(core.Compare("<", place, core.Number(0)), node, "the item is not there")
        return Value(core.INT, place)

    # ---------------------------------------------------------------- states and named tuples

    def _state(self, node: ast.Call) -> Value:
        """A new state: all fields in order, each a whole number."""
        kind = self.unit.state
        self.loosen([*node.args, *(word.value for word in node.keywords)])
        if len(node.args) == 1 and isinstance(node.args[0], ast.Starred) and not node.keywords:
            values = self._starred_fields(node.args[0].value, kind)
        else:
            values = self._fields(node, kind, self.unit.kind.State._field_defaults)
        return self.new_state(node, values)

    def _starred_fields(self, items: ast.expr, kind: core.Type) -> list[Value]:
        value = self.value(items) if not isinstance(items, ast.GeneratorExp) else self.gathered(items, items, "tuple")
        found = self.items_of(value, items, items, len(kind.items))
        if len(found) != len(kind.items):
            self.refuse(items, f"{count_text(len(found), 'item')} for {count_text(len(kind.items), 'field')}")
        return found

    def _fields(self, node: ast.Call, kind: core.Type, defaults: dict[str, Any]) -> list[Value]:
        given, words = self._arguments(node)
        if len(given) > len(kind.names):
            self.refuse(node, "too many fields")
        values = dict(zip(kind.names, given, strict=False))
        for word, value in words.items():
            if word not in kind.names or word in values:
                self.refuse(node, f"there is no field {word!r} to be set here")
            values[word] = value
        for field, default in defaults.items():
            values.setdefault(field, Value.of(default))
        lacking = [field for field in kind.names if field not in values]
        if lacking:
            self.refuse(node, f"the state lacks {', '.join(lacking)}")
        return [values[field] for field in kind.names]

    def _named(self, node: ast.Call, made: Any) -> Value:
        """A named tuple other than the state."""
        if not resolve.is_named_tuple(made):
            self.refuse(node, f"{made.__name__} is not a plain NamedTuple")
        fields = core.Tuple((core.INT,) * len(made._fields), *self.unit.named(made, self.file, self.line_of(node)))
        values = self._fields(node, fields, made._field_defaults)
        return Value.row([self.material(value, node) for value in values], fields.names, fields.label)

    def _replaced(self, node: ast.Call, base: Value) -> Value:
        kind = base.type
        if node.args or any(word.arg not in kind.names for word in node.keywords):
            self.refuse(node, "_replace needs names of fields")
        base = self.kept(base, node)
        if kind.label == "State":
            self.loosen([*node.args, *(word.value for word in node.keywords)])
        given = {str(word.arg): self.value(word.value) for word in node.keywords}
        values = [given.get(field) or self.field(base, number) for number, field in enumerate(kind.names)]
        if kind.label == "State":
            return self.new_state(node, values)
        return Value.row([self.material(value, node) for value in values], kind.names, kind.label)


def _of_part(node: ast.Call, part: ast.expr, name: str) -> ast.Call:
    """The same call of a method, of another object."""
    method = ast.copy_location(ast.Attribute(part, name, ast.Load()), node)
    return ast.copy_location(ast.Call(method, node.args, node.keywords), node)
