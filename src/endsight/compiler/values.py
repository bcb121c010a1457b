"""Properties of types and expressions of the core, and names for kinds of syntax."""

from __future__ import annotations

import ast
import functools
from typing import Any

from endsight.compiler import core


def nodes_in(part: Any) -> list[Any]:
    """All statements and expressions in a node, or in a tuple of them, each before those inside it."""
    found, waiting = [], [part]
    while waiting:
        each = waiting.pop()
        if isinstance(each, tuple):
            waiting += reversed(each)
        elif isinstance(each, core.Node) and not isinstance(each, core.Type):
            found.append(each)
            waiting += reversed(vars(each).values())
    return found


def may_fail(expr: Any) -> bool:
    """Whether evaluating an expression, or one of several, may be a fault."""
    return any(not isinstance(each, _SURE) and not _never_fails(each) for each in nodes_in(expr))


_SURE = (
    *(core.Number, core.Local, core.Table, core.Row, core.Parts, core.Field, core.Compare, core.Not, core.Length),
    *(core.Either, core.Choice, core.Members),
)
"""Nodes that never fail if nothing in them does."""


def _never_fails(expr: core.Node) -> bool:
    """Whether an operation always gives a number: then it has no site."""
    if isinstance(expr, core.Binary):
        return not expr.site
    return isinstance(expr, core.Unary) and expr.op in ("invert", "bit_count", "bit_length", "whole")


def is_quick(expr: core.Expr) -> bool:
    """Whether a truth value is evaluated in a few steps that cannot fail."""
    return expr.type == core.BOOL and not may_fail(expr) and steps(expr) <= FEW_STEPS


def steps(expr: Any) -> int:
    """The steps to evaluate a number without calls and looks into lists; more than few with them."""
    if isinstance(expr, tuple):
        return sum(map(steps, expr))
    if isinstance(expr, core.Compare | core.Either):
        return 1 + sum(map(steps, vars(expr).values())) if core.is_number(expr.type) else FEW_STEPS
    if isinstance(expr, core.Not | core.Field):
        return 1 + steps(expr.value)
    if isinstance(expr, core.Binary) and (not expr.site or expr.op in ("add", "subtract", "multiply")):
        return (4 if expr.site else 1) + steps(expr.left) + steps(expr.right)
    return 0 if isinstance(expr, core.Number | core.Local | str | core.Scalar) else FEW_STEPS + 1


FEW_STEPS = 64
"""Up to this many steps are evaluated whole, as a jump that the processor cannot predict takes longer."""


def joined_types(one: core.Type, other: core.Type) -> core.Type | None:
    """The common type of two alternatives; None for two types that no value can have at once."""
    if one == other:
        return one
    if one.is_object and other.is_object:
        return core.Known(tuple(sorted({*one.numbers, *other.numbers})))
    if core.is_number(one) and core.is_number(other):
        return core.EITHER
    if one.is_sequence and other.is_sequence and one.sort == other.sort:
        if core.NOTHING in (one.item, other.item):
            return core.Sequence(one.item if other.item == core.NOTHING else other.item, one.sort)
        count, item = one.count if one.count == other.count else None, joined_types(one.item, other.item)
        return None if item is None else core.Sequence(item, one.sort, count)
    both = one.is_tuple and other.is_tuple
    if both and (len(one.items), one.names, one.label) == (len(other.items), other.names, other.label):
        items = list(map(joined_types, one.items, other.items))
        return None if None in items else core.Tuple(tuple(items), one.names, one.label)  # type: ignore[arg-type]
    if one.is_table and other.is_table and one.depth == other.depth:
        kinds = tuple(a if a == b else None for a, b in zip(one.kinds, other.kinds, strict=True))
        item = joined_types(one.item, other.item)
        return None if item is None else core.TableType(one.depth, item, kinds)
    return None


def item_type(kind: core.Type) -> core.Type:
    """The type of items of a sequence, a constant or a tuple of numbers."""
    if kind.is_tuple:
        join = lambda one, other: joined_types(one, other) or core.OBJECT  # noqa: E731
        return functools.reduce(join, kind.items) if kind.items else core.EITHER
    item: core.Type = kind.item
    return core.TableType(kind.depth - 1, item, kind.kinds[1:]) if kind.depth > 1 else item


def class_of(kind: core.Type) -> type | None:
    """The Python class of values of that type, or a base of it; None where that is open."""
    if core.is_number(kind):
        return bool if kind == core.BOOL else int
    if kind.label in core.LABELS:
        up_to = kind.names[0] if kind.label == core.UP_TO else ""
        return _CLASSES.get({core.TEXT: "str", core.MEMBERS: "frozenset"}.get(kind.label, up_to))
    return _CLASSES.get(kind.sort) if kind.is_tuple or kind.is_long else None


_CLASSES: dict[str, type] = {each.__name__: each for each in (tuple, str, list, set, frozenset, dict, range, bytes)}


def has_fraction(kind: core.Type) -> bool:
    """Whether a value of that type is a fraction, or holds some."""
    if kind.is_long:
        return has_fraction(kind.item)
    return any(map(has_fraction, kind.items)) if kind.is_tuple else kind == core.FRACTION


def has_order(kind: core.Type) -> bool:
    """Whether Python orders such values like their words: numbers, and tuples of them."""
    return core.is_word(kind) or (kind.is_tuple and kind.label not in core.LABELS and all(map(has_order, kind.items)))


def width_of(kind: core.Type) -> int:
    """Words of an item of a sequence; 0 if there cannot be such items."""
    if kind.is_tuple:
        widths = [width_of(item) for item in kind.items]
        return sum(widths) if all(widths) else 0
    return 1 if core.is_word(kind) or kind.is_object else 0


def is_flat(kind: core.Type) -> bool:
    """Whether a value is a sequence of numbers."""
    if kind.is_tuple:
        return all(map(core.is_number, kind.items))
    return kind.depth == 1 or (kind.is_sequence and core.is_number(kind.item))


def is_part_of_name(expr: core.Expr) -> bool:
    """Whether an expression is a name, a constant, or an item of such a tuple."""
    while isinstance(expr, core.Field | core.Parts):
        expr = expr.value
    return isinstance(expr, core.Number | core.Local | core.Table)


def why_not(node: ast.AST) -> str:
    """Why a node cannot be compiled, and what to write instead."""
    names = {
        "Try": "`try` cannot be compiled: ask before, as in `if k in table`",
        "With": "`with` cannot be compiled: leave it out",
        "JoinedStr": "a text that depends on the state cannot be compiled: keep to numbers",
        "GeneratorExp": "a generator here cannot be compiled: make it a list, [...]",
        "MatMult": "`@` cannot be compiled: write what it does",
        "Global": "`global` cannot be compiled: give it as an argument, and give it back",
        "Nonlocal": "`nonlocal` cannot be compiled: give it as an argument, and give it back",
        "Starred": "a starred item here cannot be compiled: write the items, or hand over the list",
        "Yield": "`yield` here cannot be compiled: let it stand alone",
        "YieldFrom": "`yield from` here cannot be compiled: let it stand alone",
        "Import": "`import` inside a function cannot be compiled: import at the top of the file",
        "ImportFrom": "`import` inside a function cannot be compiled: import at the top of the file",
        "ClassDef": "a class inside a function cannot be compiled: put it at the top of the file",
    }
    return names.get(type(node).__name__, f"{type(node).__name__} cannot be compiled: write it another way")
