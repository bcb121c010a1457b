"""Lists that rules make: refused where Python would need two of them and compiled rules have one.

A list lies on the stack, in the place of the expression that makes it, and what is looped
over is not copied first. So a list must not go under two names, nor change under a loop
that began with a copy of it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable

from endsight.compiler.refusal import CannotCompile
from endsight.compiler.syntax import nodes_of

__all__ = ["refuse_shared_lists"]


def refuse_shared_lists(definition: ast.FunctionDef, file: str) -> None:
    """Raise `CannotCompile` where a function of the rules would need a copy of a list."""
    made = _made(definition)
    for node in nodes_of(definition):
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None and _handed_on(node.value) & made:
            raise CannotCompile("a list that goes under two names cannot be compiled", file, node.lineno)
        if isinstance(node, ast.For) and _looped_over(node, made):
            raise CannotCompile("a list that changes in a loop over it cannot be compiled", file, node.lineno)


def _made(definition: ast.FunctionDef) -> set[str]:
    """Names that stand for lists which the function makes."""
    return {
        target.id
        for node in nodes_of(definition)
        if isinstance(node, ast.Assign | ast.AnnAssign) and _makes(node.value)
        for given in (node.targets if isinstance(node, ast.Assign) else [node.target])
        for target in nodes_of(given)
        if isinstance(target, ast.Name) and isinstance(target.ctx, ast.Store)
    }


def _makes(value: ast.expr | None) -> bool:
    if isinstance(value, ast.BinOp):
        return _makes(value.left) or _makes(value.right)
    if isinstance(value, ast.IfExp):
        return _makes(value.body) or _makes(value.orelse)
    if isinstance(value, ast.Tuple | ast.BoolOp):
        return any(map(_makes, value.elts if isinstance(value, ast.Tuple) else value.values))
    return isinstance(value, ast.List | ast.ListComp)


def _handed_on(value: ast.expr) -> set[str]:
    """Names whose very values an expression may give."""
    if isinstance(value, ast.Name):
        return {value.id}
    if isinstance(value, ast.Tuple):
        return _all(map(_handed_on, value.elts))
    if isinstance(value, ast.IfExp):
        return _handed_on(value.body) | _handed_on(value.orelse)
    return _all(map(_handed_on, value.values)) if isinstance(value, ast.BoolOp) else set()


def _looped_over(node: ast.For, made: set[str]) -> bool:
    """Whether the turns of a loop change what Python would have kept as it was."""
    inside = [part for statement in node.body for part in nodes_of(statement)]
    given = {part.id for part in inside if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)}
    lists = _changed_items(inside) | (_passed_on(inside) & made)
    if isinstance(node.iter, ast.ListComp) and _names(node.iter) & (given | lists):
        return True
    return bool(_names(node.iter) & made & given) or bool(_copied(node.iter) & lists)


def _changed_items(inside: Iterable[ast.AST]) -> set[str]:
    """Names of lists whose items are given values."""
    return {
        part.value.id
        for part in inside
        if isinstance(part, ast.Subscript) and isinstance(part.ctx, ast.Store) and isinstance(part.value, ast.Name)
    }


def _passed_on(inside: Iterable[ast.AST]) -> set[str]:
    """Names whose values go to other functions, which may change them."""
    calls = [part for part in inside if isinstance(part, ast.Call)]
    given = [value for part in calls for value in (*part.args, *(word.value for word in part.keywords))]
    return {value.id for value in given if isinstance(value, ast.Name)}


def _copied(node: ast.expr) -> set[str]:
    """Names inside of `list(...)` and `tuple(...)`."""
    return _all(
        _names(argument)
        for part in nodes_of(node)
        if isinstance(part, ast.Call) and isinstance(part.func, ast.Name) and part.func.id in ("list", "tuple")
        for argument in part.args
    )


def _names(node: ast.expr) -> set[str]:
    return {part.id for part in nodes_of(node) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load)}


def _all(parts: Iterable[set[str]]) -> set[str]:
    return set().union(*parts)
