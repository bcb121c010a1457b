"""What types and expressions of the core are like, and what kinds of syntax are called."""

from __future__ import annotations

import ast
from typing import Any

from endsight.compiler import core

__all__ = ["is_flat", "item_type", "kind_of_node", "may_fail"]


def may_fail(expr: Any) -> bool:
    """Whether to work out an expression, or one of several, may be a fault."""
    if isinstance(expr, tuple):
        return any(map(may_fail, expr))
    if not isinstance(expr, core.Node) or isinstance(expr, core.Number | core.Local | core.Table | core.Scalar):
        return False
    holders = core.Row | core.Field | core.Compare | core.Not | core.Length | core.Either | core.Choice
    if isinstance(expr, holders | core.Tuple | core.Sequence | core.TableType):
        return any(map(may_fail, vars(expr).values()))
    return True


def item_type(kind: core.Type) -> core.Type:
    """The type of items of a sequence, a constant or a tuple of numbers."""
    if isinstance(kind, core.Sequence):
        return kind.item
    if isinstance(kind, core.TableType):
        return kind.item if kind.depth == 1 else core.TableType(kind.depth - 1, kind.item, kind.kinds[1:])
    assert isinstance(kind, core.Tuple)
    items = set(kind.items)
    return items.pop() if len(items) == 1 else core.EITHER


def is_flat(kind: core.Type) -> bool:
    """Whether a value is a sequence of numbers."""
    if isinstance(kind, core.TableType):
        return kind.depth == 1
    return core.is_number(kind.item) if isinstance(kind, core.Sequence) else bool(core.width_of(kind))


def kind_of_node(node: ast.AST) -> str:
    """A node's kind as people call it."""
    names = {
        "Raise": "`raise`",
        "Try": "`try`",
        "With": "`with`",
        "Dict": "a dictionary",
        "Set": "a set",
        "NamedExpr": "`:=`",
        "JoinedStr": "a text",
        "DictComp": "a dictionary",
        "SetComp": "a set",
        "GeneratorExp": "a generator here",
        "Delete": "`del`",
        "Global": "`global`",
        "Nonlocal": "`nonlocal`",
        "Starred": "a starred item",
        "Yield": "`yield` here",
        "YieldFrom": "`yield from` here",
        "Import": "`import` inside a function",
        "ImportFrom": "`import` inside a function",
        "ClassDef": "a class inside a function",
        "Await": "`await`",
    }
    return names.get(type(node).__name__, type(node).__name__)
