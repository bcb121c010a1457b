"""Mistakes of translators, as changes of the syntax tree of rules: `fuzz_rules.py` must find each of them.

A translator that makes a mistake gives what Python gives for the changed text, with the line
numbers of the text as it was. So no compiler takes part, and the mistakes stay the same
whatever the compiler looks like.
"""

from __future__ import annotations

import ast
from collections.abc import Callable

__all__ = ["MISTAKES"]

_RULES = ("moves", "play", "payoff", "reward", "weight", "to_move")


def _functions(tree: ast.Module) -> list[ast.FunctionDef]:
    return [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]


def _loop_in_function(tree: ast.Module) -> None:
    """A comprehension in the header of a `for` binds the function's own name."""

    class Written(ast.NodeTransformer):
        def visit_For(self, node: ast.For) -> ast.AST:
            self.generic_visit(node)
            over = node.iter
            if not isinstance(over, ast.GeneratorExp | ast.ListComp) or node.orelse or _jumps(node.body):
                return node
            inner: list[ast.stmt] = [ast.copy_location(ast.Assign([node.target], over.elt), node), *node.body]
            for part in reversed(over.generators):
                for test in reversed(part.ifs):
                    inner = [ast.copy_location(ast.If(test, inner, []), node)]
                inner = [ast.copy_location(ast.For(part.target, part.iter, inner, []), node)]
            return inner[0]

    Written().visit(tree)


def _jumps(body: list[ast.stmt]) -> bool:
    return any(isinstance(node, ast.Break | ast.Continue) for statement in body for node in ast.walk(statement))


def _first_iterable_inside(tree: ast.Module) -> None:
    """The first iterable is read in the scope of the comprehension, where its names are still 0."""

    class Inside(ast.NodeTransformer):
        def visit_GeneratorExp(self, node: ast.GeneratorExp) -> ast.AST:
            self.generic_visit(node)
            bound = {
                name.id for part in node.generators for name in ast.walk(part.target) if isinstance(name, ast.Name)
            }

            class Zero(ast.NodeTransformer):
                def visit_Name(self, name: ast.Name) -> ast.AST:
                    return ast.copy_location(ast.Constant(0), name) if name.id in bound else name

            node.generators[0].iter = Zero().visit(node.generators[0].iter)
            return node

        visit_ListComp = visit_GeneratorExp  # type: ignore[assignment]  # noqa: N815

    Inside().visit(tree)


def _decorators_dropped(tree: ast.Module) -> None:
    for function in _functions(tree):
        keeps = ("staticmethod", "classmethod", "property")
        function.decorator_list = [
            each for each in function.decorator_list if isinstance(each, ast.Name) and each.id in keeps
        ]


def _choice_dropped(tree: ast.Module) -> None:
    """Methods that `setup` puts on the instance are those of the class."""
    for function in _functions(tree):
        if function.name == "setup":
            function.body = [node for node in function.body if not _chooses(node)] or [
                ast.copy_location(ast.Pass(), function)
            ]


def _chooses(node: ast.stmt) -> bool:
    if isinstance(node, ast.If):
        return any(map(_chooses, node.body))
    value = node.value if isinstance(node, ast.Assign) else None
    named = ("fewest", "another")
    return isinstance(value, ast.Lambda) or (isinstance(value, ast.Attribute) and value.attr.startswith(named))


def _class_read_from_instance(tree: ast.Module) -> None:
    """A class method gets the instance."""
    for function in _functions(tree):
        function.decorator_list = [each for each in function.decorator_list if ast.unparse(each) != "classmethod"]


def _unbound_is_zero(tree: ast.Module) -> None:
    for function in _functions(tree):
        given = {each.arg for each in ast.walk(function.args) if isinstance(each, ast.arg)}
        inside = {id(node) for inner in _functions(ast.Module(function.body, [])) for node in ast.walk(inner)}
        stored = {
            node.id
            for node in ast.walk(function)
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and id(node) not in inside
        }
        of_comprehensions = {
            node.id
            for part in ast.walk(function)
            if isinstance(part, ast.comprehension)
            for node in ast.walk(part.target)
            if isinstance(node, ast.Name)
        }
        names = sorted(stored - given - of_comprehensions)
        function.body[:0] = [
            ast.copy_location(ast.Assign([ast.Name(name, ast.Store())], ast.Constant(0)), function) for name in names
        ]


def _asserts_dropped(tree: ast.Module) -> None:
    class Dropped(ast.NodeTransformer):
        def visit_Assert(self, node: ast.Assert) -> ast.AST:
            return ast.copy_location(ast.Pass(), node)

    Dropped().visit(tree)


def _zip_unchecked(tree: ast.Module) -> None:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "zip":
            node.keywords = []


def _truth_is_paid(tree: ast.Module) -> None:
    """A payoff of True is taken for 1."""
    for function in _functions(tree):
        if function.name in ("payoff", "reward"):
            for node in ast.walk(function):
                if isinstance(node, ast.Return) and node.value is not None:
                    parts = node.value.elts if isinstance(node.value, ast.Tuple) else [node.value]
                    whole = [ast.BinOp(part, ast.Add(), ast.Constant(0)) for part in parts]
                    node.value = ast.Tuple(whole, ast.Load()) if isinstance(node.value, ast.Tuple) else whole[0]


def _imports_by_name(tree: ast.Module) -> None:
    """A name that is also a built-in one, or means something in the translator, is taken for that."""
    known = {"pow", "abs", "min", "max", "gcd", "lcm"}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and any((part.asname or part.name) in known for part in node.names):
            names = [part.asname or part.name for part in node.names]
            node.module = "math" if {"gcd", "lcm"} & {*names} else "builtins"
            node.names = [ast.alias("gcd" if name == "lcm" else name, name) for name in names]


def _parameters_forgotten(tree: ast.Module) -> None:
    """What was compiled for another parameter is used."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            for statement in node.body:
                if isinstance(statement, ast.AnnAssign) and isinstance(statement.value, ast.Constant):
                    statement.value = ast.copy_location(ast.Constant(0), statement)


def _early_loop_name(tree: ast.Module) -> None:
    """The name of a loop is bound even where it never ran."""
    for function in _functions(tree):
        loops = [node for node in ast.walk(function) if isinstance(node, ast.For)]
        names = {node.target.id for node in loops if isinstance(node.target, ast.Name)}
        function.body[:0] = [
            ast.copy_location(ast.Assign([ast.Name(name, ast.Store())], ast.Constant(0)), function)
            for name in sorted(names - {each.arg for each in function.args.args})
        ]


def _rounded_to_zero(tree: ast.Module) -> None:
    """Division as in C."""

    class Cut(ast.NodeTransformer):
        def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
            self.generic_visit(node)
            if not isinstance(node.op, ast.FloorDiv):
                return node
            text = "(lambda a, b: abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1))"
            call = ast.Call(ast.parse(text, mode="eval").body, [node.left, node.right], [])
            return ast.copy_location(call, node)

    Cut().visit(tree)


def _else_always(tree: ast.Module) -> None:
    """The `else` of a loop runs after `break` too."""

    class After(ast.NodeTransformer):
        def visit_For(self, node: ast.For | ast.While) -> ast.AST | list[ast.AST]:
            self.generic_visit(node)
            after, node.orelse = node.orelse, []
            return [node, *after]

        visit_While = visit_For  # type: ignore[assignment]  # noqa: N815

    After().visit(tree)


def _wraps(tree: ast.Module) -> None:
    """Sums wrap around at 64 bits."""

    class Wrapped(ast.NodeTransformer):
        def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
            self.generic_visit(node)
            if not isinstance(node.op, ast.Add | ast.Sub | ast.Mult | ast.LShift):
                return node
            text = "(lambda a: (a + (1 << 63)) % (1 << 64) - (1 << 63) if type(a) is int else a)"
            call = ast.Call(ast.parse(text, mode="eval").body, [node], [])
            return ast.copy_location(call, node)

    Wrapped().visit(tree)


def _same_list(tree: ast.Module) -> None:
    """A copy of a list is the list."""

    class Uncopied(ast.NodeTransformer):
        def visit_Assign(self, node: ast.Assign) -> ast.AST:
            if ast.unparse(node.targets[0]) == "twin":
                names = [part for part in ast.walk(node.value) if isinstance(part, ast.Name)]
                lists = [part for part in names if part.id in ("items", "cells", "row", "twin", "out")]
                node.value = lists[0] if lists else node.value
            return node

    Uncopied().visit(tree)


MISTAKES: dict[str, Callable[[ast.Module], None]] = {
    "a comprehension in a loop's header binds the function's own name": _loop_in_function,
    "the first iterable of a comprehension is read inside": _first_iterable_inside,
    "a decorator is dropped": _decorators_dropped,
    "a method chosen in setup is that of the class": _choice_dropped,
    "a class method reads the instance": _class_read_from_instance,
    "an unbound name reads 0": _unbound_is_zero,
    "assert is dropped": _asserts_dropped,
    "zip(strict=True) is not checked": _zip_unchecked,
    "a truth value is paid": _truth_is_paid,
    "a global is taken by its name": _imports_by_name,
    "parameters are forgotten": _parameters_forgotten,
    "a loop's name is bound where it never ran": _early_loop_name,
    "division rounds to zero": _rounded_to_zero,
    "the else of a loop runs after break": _else_always,
    "sums wrap around": _wraps,
    "a copy of a list is the list": _same_list,
}
"""What a translator may get wrong -> the change of the tree that has the same effect."""
