"""One function of the rules, translated for the types of its arguments."""

from __future__ import annotations

import ast
import functools
from contextlib import suppress
from types import FunctionType

from endsight.compiler import core
from endsight.compiler.calls import Calls, LocalFunction
from endsight.compiler.library import STANDS_FOR
from endsight.compiler.program import Function
from endsight.compiler.refusal import CannotCompile
from endsight.compiler.sources import is_generator
from endsight.compiler.syntax import nodes_of
from endsight.compiler.values import Value, holds_sequence

KEPT = "es_d"
"""Prefix of the names of default values."""


class Translator(Calls):
    """One function, translated once."""

    def run(self, name: str, parameters: tuple[tuple[str, core.Type], ...]) -> Function:
        """The function in the core."""
        if "es_depth" in dict(parameters):
            too_deep = core.Compare(">", core.Local("es_depth", core.INT), core.Number(self.unit.deepest))
            what = f"a function calls itself more than {self.unit.deepest} times deep"
            self.names["es_depth"] = Value.made(core.Local("es_depth", core.INT))  # type: ignore[index]
            self.fault_if(too_deep, self.definition, what)
            self.add(core.If(core.Faulted(), (core.Stop(),)))
        self.names = {parameter: self.opened(value) for parameter, value in (self.names or {}).items()}
        self.block(self.definition.body)
        if self.names is not None:
            if self.is_moves:
                self.refuse(self.definition, "moves may give nothing at all: return a list everywhere")
            if self.rule and self.result is not None and not self.yields:
                self.fault_if(core.Number(True), self.definition, "the rules give nothing back")
                self.add(core.Stop())
            elif not self.yields:
                self.block([ast.copy_location(ast.Return(None), self.definition)])
        for shared, node in self.shared.items():
            if shared in self.mutated:
                self.refuse(node, "a list that goes under two names cannot be compiled")
        for replaced, node in self.replaced.items():
            if replaced in self.named_in:
                self.refuse(node, "a list in a list that is replaced and has a name cannot be compiled: set its items")
        if len(self.rows) > 1 or (self.request.rule and self.rows - {0}):
            self.refuse(
                self.definition, "lists of lists of different lengths are given back: give back tuples of tuples"
            )
        body, result, line = tuple(self.out), self.result or core.NOTHING, self.definition.lineno
        changes, rows = frozenset(self.changes), next(iter(self.rows), 0)
        keys = functools.reduce(lambda one, other: one and one.met(other), self.given_keys) if self.given_keys else None
        if keys is not None:
            keys = keys if keys.are_all and not keys.are_there else keys.fixed()
        return Function(name, parameters, body, result, self.file, line, self.yields, changes, rows, keys)

    def local_function(self, node: ast.FunctionDef | ast.Lambda) -> LocalFunction:
        """A function or lambda defined here."""
        if isinstance(node, ast.Lambda):
            body: list[ast.stmt] = [ast.copy_location(ast.Return(node.body), node)]
            definition = ast.FunctionDef("lambda_", node.args, body, [], None)
            node = ast.copy_location(definition, node)
        own = {each.arg for each in nodes_of(node.args) if isinstance(each, ast.arg)}
        read = {each.id for part in node.body for each in nodes_of(part) if isinstance(each, ast.Name)}
        defaults = self._defaults(node.args)
        read |= {value.expr.name for value in defaults.values() if isinstance(value.expr, core.Local)}
        function = LocalFunction(self, node, sorted(read - own), defaults)
        self.unit.keep.append(function)
        return function

    def _defaults(self, arguments: ast.arguments) -> dict[str, Value]:
        """Default values as they are now, under names that inner functions read like others."""
        places = [*arguments.posonlyargs, *arguments.args]
        pairs = [*zip(reversed(places), reversed(arguments.defaults), strict=False)]
        by_name = zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
        found = {}
        for each, node in [*pairs, *((each, value) for each, value in by_name if value)]:
            value = self.value(node)
            if holds_sequence(value.type):
                self.refuse(node, "a list as a default value cannot be compiled")
            if value.lists is not None:
                value.lists.gets_name(self, node)
                self.named_in.update(value.lists.free)
            if value.expr is not None and not isinstance(value.expr, core.Number):
                name = f"{KEPT}{node.lineno}_{node.col_offset}_{self.fresh()}"
                self.add(core.Assign(name, value.expr), node.lineno)
                value = self.here[name] = Value.made(core.Local(name, value.type))
            found[each.arg] = value
        return found

    def _lambda(self, node: ast.Lambda) -> Value:
        return Value.of(self.local_function(node))

    # ---------------------------------------------------------------- generators

    def _generating(self, node: ast.expr) -> tuple[FunctionType, list[Value]] | None:
        if not isinstance(node, ast.Call):
            return None
        found = None
        if isinstance(node.func, ast.Attribute):
            with suppress(CannotCompile), self.attempt():
                found = self.bound(node.func, self.value(node.func.value))
        if found is None:
            function = self.peek(node.func)
            own = next((own for known, own in STANDS_FOR.items() if known is function), function)
            found = (own, []) if isinstance(own, FunctionType) else None
        return found if found is not None and is_generator(found[0]) else None

    def peek_generator(self, node: ast.expr) -> bool:
        """Whether an expression is a call of a function that yields."""
        return self._generating(node) is not None

    def generator_call(self, node: ast.expr) -> core.Call | None:
        """The same as a call."""
        found = self._generating(node)
        if found is None:
            return None
        assert isinstance(node, ast.Call)
        first = found[1]
        if first and isinstance(node.func, ast.Attribute) and first[0].expr is not None:  # what was found is discarded
            first = [self.kept(self.value(node.func.value), node)]
        given, words = self._arguments(node)
        return self.unit.generator(self, node, found[0], [*first, *given], words)
