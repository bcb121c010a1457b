"""Parts of the core that mean the same with less work: constants are worked out, and what nothing reads is left out."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from endsight.compiler import core
from endsight.compiler.syntax import CALCULATED, fits
from endsight.compiler.values import may_raise, nodes_in

_WORK = dict(CALCULATED.values())
_DISTANCE = 63


def simpler(node: core.Expr) -> core.Expr:
    """An operation on whole numbers, worked out if both are constants; division by one above 0 never fails."""
    if not isinstance(node, core.Binary) or node.type != core.INT or not isinstance(node.right, core.Number):
        return node
    inner, right, divides = node.left, int(node.right.value), node.op in ("divide", "rest")
    if isinstance(inner, core.Number) and node.op in _WORK and int(divides) <= right < _DISTANCE:
        value = int(_WORK[node.op](inner.value, right))
        return core.Number(value) if fits(value) else node
    if not divides or right < 1:
        return node
    if isinstance(inner, core.Binary) and inner.op == node.op == "divide" and not inner.site:
        before: Any = inner.right  # without a site, this is a number above 0
        if fits(before.value * right):
            return core.Binary("divide", inner.left, core.Number(before.value * right), 0)
    return core.Binary(node.op, inner, core.Number(right), 0)


def with_values(part: Any, values: dict[str, core.Expr]) -> Any:
    """An expression with others in place of its names."""
    if isinstance(part, tuple):
        return tuple(with_values(each, values) for each in part)
    if isinstance(part, core.Local):
        return values[part.name]
    if not isinstance(part, core.Node) or isinstance(part, core.Type):
        return part
    return simpler(part.but(**{name: with_values(each, values) for name, each in vars(part).items()}))


def without_unread(body: tuple[core.Stmt, ...], parameters: set[str]) -> tuple[core.Stmt, ...]:
    """Statements without those that do nothing but give names values that nothing reads.

    A list that is left out cannot run out of room: that fault would be ours alone, since Python's lists have room.
    """
    after: tuple[core.Stmt, ...] = ()
    while after != body:
        after, nodes = body, nodes_in(body)
        given = {each.name for each in nodes if isinstance(each, core.Assign | core.Append)}
        needed = [each for each in nodes if not isinstance(each, core.Append) or may_raise(each.value)]
        body = _without(body, frozenset(given - parameters - _read(needed)))
    return body


def _read(nodes: Iterable[core.Node]) -> set[str]:
    """Names that must have a value there."""
    return {each.name for each in nodes if isinstance(each, core.Local | core.SetItem | core.Pop | core.Append)}


def _without(body: tuple[core.Stmt, ...], unread: frozenset[str]) -> tuple[core.Stmt, ...]:
    """A block without statements for names that are `unread`, or get another value before they are read."""
    found: list[core.Stmt] = []
    dead = unread
    for node in reversed(body):
        match node:
            case core.Assign() | core.Append() if node.name in dead and not may_raise(node.value):
                continue
            case core.If() | core.Count() | core.While() | core.Each():
                parts = {part: _without(vars(node)[part], unread) for part in ("body", "orelse") if part in vars(node)}
                header = tuple(each for part, each in vars(node).items() if part in ("test", "start", "stop", "call"))
                step = getattr(node, "step", core.Number(1))
                is_sure = getattr(step, "value", False) and not may_raise(header)
                if is_sure and not any(parts.values()) and not isinstance(node, core.While):  # it may never end
                    continue
                node = node.but(**parts)
        found.append(node)
        inside = nodes_in(node)
        if any(isinstance(each, core.Break | core.Continue) for each in inside):
            dead = unread
        dead = (dead | {node.name} if isinstance(node, core.Assign) else dead) - (_read(inside) - unread)
    return tuple(reversed(found))
