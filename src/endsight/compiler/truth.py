"""Which results of translated rules may be True or False, where Python wants a number and is told so.

In compiled rules truth values are words. Almost everywhere that is Python's own meaning
(True is 1), but a payoff, a reward, a weight or a move that is True is not one to the plain
engine. So what may be a truth value is followed through names, results, arguments and fields.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import Any

from endsight.compiler.known import LISTS
from endsight.compiler.refusal import CannotCompile
from endsight.compiler.syntax import nodes_of

__all__ = ["refuse_truth"]

_SOME, _ITEMS, _STATE = "a truth value", "with truth values as items", "a state"
_NUMBERS = ("payoff", "reward", "weight", "moves")
_Kinds = frozenset[str]
_NONE: _Kinds = frozenset()


def _has_truth(value: Any) -> bool:
    """Whether there is a truth value in a list of the rules' data."""
    return isinstance(value, bool) or (
        isinstance(value, LISTS) and not isinstance(value, range | bytes) and any(map(_has_truth, value))
    )


def refuse_truth(
    functions: Mapping[str, tuple[ast.FunctionDef, str]], state: tuple[str, ...], start: Any, lists: list[Any]
) -> None:
    """Raise `CannotCompile` where a payoff, reward, weight or move may be True or False.

    `functions` are all translated ones, `state` the names of a state's fields, `start` the
    first state, `lists` the rules' data by number.
    """
    _Reader(functions, state, start, lists).refuse()


class _Reader:
    """What may be a truth value, as far as it is known; looked at again until nothing is added."""

    def __init__(
        self, functions: Mapping[str, tuple[ast.FunctionDef, str]], state: tuple[str, ...], start: Any, lists: list[Any]
    ) -> None:
        self.functions = functions
        self.fields = state
        self.lists = lists
        self.known: dict[tuple[str, str], _Kinds] = {}
        self.grew = True
        self.parts = {name: _parts(definition) for name, (definition, _) in functions.items()}
        for field, value in zip(state, start, strict=False):
            self._add("State", field, frozenset([_SOME]) if isinstance(value, bool) else _NONE)
        for name, (definition, _) in functions.items():
            if name.startswith("rule_") and definition.args.args:
                self._add(name, definition.args.args[0].arg, frozenset([_STATE]))

    @staticmethod
    def _of(value: Any) -> _Kinds:
        return frozenset([_SOME]) if isinstance(value, bool) else _NONE

    def refuse(self) -> None:
        """Follow everything, then look at the rules that must give numbers."""
        while self.grew:
            self.grew = False
            for name, parts in self.parts.items():
                self._follow(name, parts)
        for rule in _NUMBERS:
            name = f"rule_{rule}"
            if name not in self.functions:
                continue
            definition, file = self.functions[name]
            for value in _results(self.parts[name]):
                if self._kinds(name, value) & {_SOME, _ITEMS}:
                    what = "a move" if rule == "moves" else f"a {rule}"
                    line = getattr(value, "lineno", definition.lineno)
                    raise CannotCompile(f"{what} may be True or False here: wrap it in int()", file, line)

    def _add(self, function: str, name: str, kinds: _Kinds) -> None:
        before = self.known.get((function, name), _NONE)
        if not kinds <= before:
            self.known[function, name] = before | kinds
            self.grew = True

    def _follow(self, function: str, parts: list[ast.AST]) -> None:
        for node in parts:
            if isinstance(node, ast.Assign):
                for target in node.targets:
                    self._store(function, target, self._given(function, target, node.value))
            elif isinstance(node, ast.For):
                self._store(function, node.target, self._kinds(function, node.iter))
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                self._pass(function, node, node.func.id)
        for value in _results(parts):
            self._add(function, "return", self._kinds(function, value))

    def _given(self, function: str, target: ast.expr, value: ast.expr) -> _Kinds:
        kinds = self._kinds(function, value)
        # Whatever names of a tuple stand for, it is one of the tuple's items.
        return self._item(kinds) if isinstance(target, ast.Tuple) else kinds

    def _store(self, function: str, target: ast.expr, kinds: _Kinds) -> None:
        for node in nodes_of(target):
            if isinstance(node, ast.Name):
                self._add(function, node.id, kinds)

    def _pass(self, function: str, node: ast.Call, called: str) -> None:
        """Arguments of a call become the parameters, those of `State` the fields, items set those of a list."""
        if called == "State":
            names = list(self.fields)
        elif called in self.functions:
            names = [argument.arg for argument in self.functions[called][0].args.args]
        elif called == "es_set_item":
            if isinstance(node.args[0], ast.Name) and self._kinds(function, node.args[2]):
                self._add(function, node.args[0].id, frozenset([_ITEMS]))
            return
        else:
            return
        given = [*zip(names, node.args, strict=False), *((str(word.arg), word.value) for word in node.keywords)]
        for name, value in given:
            inner = value.args[0] if called == "State" and isinstance(value, ast.Call) and value.args else value
            self._add(called, name, self._kinds(function, inner))

    # ---------------------------------------------------------------- expressions

    def _item(self, kinds: _Kinds) -> _Kinds:
        """What an item of something with those kinds may be."""
        fields = [self.known.get(("State", field), _NONE) for field in self.fields] if _STATE in kinds else []
        return frozenset().union(kinds & {_ITEMS, _STATE}, [_SOME] if _ITEMS in kinds else [], *fields)

    def _kinds(self, function: str, node: ast.expr) -> _Kinds:
        match node:
            case ast.Constant():
                return self._of(node.value)
            case ast.Compare() | ast.UnaryOp(op=ast.Not()):
                return frozenset([_SOME])
            case ast.Name():
                return self.known.get((function, node.id), _NONE)
            case ast.Attribute():
                return self.known.get(("State", node.attr), _NONE)
            case ast.BoolOp():
                return self._any(function, node.values)
            case ast.IfExp():
                return self._any(function, [node.body, node.orelse])
            case ast.BinOp(op=ast.BitAnd() | ast.BitOr() | ast.BitXor()):
                return self._kinds(function, node.left) & self._kinds(function, node.right)
            case ast.Tuple():
                inner = self._any(function, node.elts)
                return frozenset([*(inner & {_STATE}), *([_ITEMS] if inner & {_SOME, _ITEMS} else [])])
            case ast.Call(func=ast.Name(id=called)):
                return self._called(function, node, called)
        return _NONE

    def _any(self, function: str, nodes: list[ast.expr]) -> _Kinds:
        return _NONE.union(*(self._kinds(function, node) for node in nodes))

    def _called(self, function: str, node: ast.Call, called: str) -> _Kinds:
        if called in self.functions:
            return self.known.get((called, "return"), _NONE)
        match called:
            case "State":
                return frozenset([_STATE])
            case "es_returned" | "es_listed" | "es_scratch" | "es_least" | "es_largest":
                kinds = self._any(function, node.args)
                return frozenset([_ITEMS]) if called == "es_scratch" and _SOME in kinds else kinds
            case "es_item":
                return self._item(self._kinds(function, node.args[0]))
            case "es_add":
                return self._any(function, node.args) & {_ITEMS}
            case "es_contains":
                return frozenset([_SOME])
        if called.startswith("Data"):
            return self._data(node.args[0])
        return _NONE

    def _data(self, root: ast.expr) -> _Kinds:
        """A list of the rules' data, by the `es_root(number)` that says which."""
        match root:
            case ast.Call(args=[ast.Constant(value=int(number))]) if _has_truth(self.lists[number - 1]):
                return frozenset([_ITEMS])
        return _NONE


def _parts(definition: ast.FunctionDef) -> list[ast.AST]:
    """What moves values about in a function."""
    return [
        node
        for node in nodes_of(definition)
        if isinstance(node, ast.Assign | ast.For | ast.Call | ast.Return | ast.Yield)
    ]


def _results(parts: list[ast.AST]) -> Iterator[ast.expr]:
    """What a function gives: its results, or what it yields."""
    for node in parts:
        if isinstance(node, ast.Return | ast.Yield) and node.value is not None:
            yield node.value
