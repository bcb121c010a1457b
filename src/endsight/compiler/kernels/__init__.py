"""The loops that do the work, as text, and the pasting of rules into them.

A template is a file of Python text with a function `entry`. It calls the rules as
`rule_moves(state)`, `rule_play(state, move)`, ... and the functions of `packing` and of
`glue`. A loop `for move in rule_moves(state)` is replaced by the body of the rules' own
generator with the loop's body in place of every `yield`, which makes rules as fast as a
loop written by hand.
"""

from __future__ import annotations

import ast
import copy
from functools import lru_cache
from pathlib import Path

__all__ = ["template", "text_of"]

# A generator with more places to yield than that is called instead of pasted.
MOST_YIELDS = 6


def template(name: str, moves: ast.FunctionDef | None) -> tuple[str, ast.FunctionDef]:
    """Helper functions of the template `name` as text, and its `entry` with the generator `moves` pasted in."""
    tree = ast.parse(text_of(name))
    entry = next(node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == "entry")
    tree.body.remove(entry)
    if moves is not None:
        entry = _Paste(moves).visit(entry)
    return ast.unparse(tree), ast.fix_missing_locations(entry)


@lru_cache(maxsize=16)
def text_of(name: str) -> str:
    """The file `name` of this package."""
    return Path(__file__).with_name(f"{name}.kernel").read_text(encoding="utf-8")


class _Paste(ast.NodeTransformer):
    """Puts the generator of moves in place of the loops over it."""

    def __init__(self, moves: ast.FunctionDef) -> None:
        self.moves = moves
        yields = sum(isinstance(node, ast.Yield) for node in ast.walk(moves))
        returns = any(isinstance(node, ast.Return) for node in ast.walk(moves))
        self.is_called = returns or yields > MOST_YIELDS

    def visit_For(self, node: ast.For) -> ast.AST | list[ast.stmt]:
        if not (isinstance(node.iter, ast.Call) and getattr(node.iter.func, "id", "") == "rule_moves"):
            return self.generic_visit(node)
        assert isinstance(node.target, ast.Name)
        if self.is_called:
            return node
        rename = _Rename({argument.arg for argument in self.moves.args.args} | _assigned(self.moves))
        body = [rename.visit(copy.deepcopy(statement)) for statement in self.moves.body]
        state = ast.Assign([ast.Name("m_" + self.moves.args.args[0].arg, ast.Store())], node.iter.args[0])
        return [state, *_replace(body, node.target.id, node.body)]


def _assigned(function: ast.FunctionDef) -> set[str]:
    return {node.id for node in ast.walk(function) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}


class _Rename(ast.NodeTransformer):
    """Gives local names of the rules a prefix, so that they do not meet those of the kernel."""

    def __init__(self, names: set[str]) -> None:
        self.names = names

    def visit_Name(self, node: ast.Name) -> ast.Name:
        if node.id in self.names:
            node.id = "m_" + node.id
        return node


def _replace(statements: list[ast.stmt], target: str, body: list[ast.stmt]) -> list[ast.stmt]:
    """The statements with `body` in place of every `yield`."""
    result: list[ast.stmt] = []
    for statement in statements:
        if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Yield):
            assert statement.value.value is not None
            result.append(ast.Assign([ast.Name(target, ast.Store())], statement.value.value))
            result.extend(copy.deepcopy(part) for part in body)
            continue
        for part in ("body", "orelse"):
            inner = getattr(statement, part, None)
            if inner:
                setattr(statement, part, _replace(inner, target, body))
        result.append(statement)
    return result
