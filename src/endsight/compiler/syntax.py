"""Short hands for making syntax trees."""

from __future__ import annotations

import ast

__all__ = ["assign", "call", "is_temporary", "name", "number"]


def name(identifier: str) -> ast.Name:
    """A name that is read."""
    return ast.Name(identifier, ast.Load())


def number(value: int) -> ast.expr:
    """A whole number, or a truth value."""
    return ast.Constant(value)


def call(function: str, *arguments: ast.expr) -> ast.Call:
    """A call with positional arguments."""
    return ast.Call(name(function), list(arguments), [])


def assign(identifier: str, value: ast.expr) -> ast.Assign:
    """`identifier = value`."""
    return ast.Assign([ast.Name(identifier, ast.Store())], value)


def is_temporary(node: ast.AST) -> bool:
    """Whether `node` is a name that the translator made itself."""
    return isinstance(node, ast.Name) and node.id.startswith("es_t")
