"""Functions that only say which of some numbers it is, such as whether a move is allowed, without a jump.

`if taken: return False` is what a processor cannot predict. A function whose tests are short is evaluated whole, and
its result chosen; a fault counts only where Python would reach it.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from endsight.compiler.lowering.kinds import Operand, whole

if TYPE_CHECKING:
    from endsight.compiler.lowering.frames import Frame

_MOST_SYNTAX = 600
"""Up to so many parts of syntax are evaluated whole."""
_SHORT = frozenset({"es_item", "es_add", "es_subtract", "es_whole", "es_all", "es_any", "es_chosen"})
"""Operations that take a few instructions, and change nothing."""


def is_straight(statements: list[ast.stmt]) -> bool:
    """Whether statements leave with numbers, after tests in between, and do nothing else."""
    *before, last = statements
    nodes = [node for statement in statements for node in ast.walk(statement)]
    called = {ast.unparse(node.func) for node in nodes if isinstance(node, ast.Call)}
    has_tests = any(isinstance(each, ast.If) for each in before)
    return (
        has_tests
        and _leaves([last])
        and all(_is_step(each) for each in before)
        and called <= _SHORT
        and len(nodes) <= _MOST_SYNTAX
        and not any(isinstance(node, ast.IfExp | ast.Yield | ast.Subscript) for node in nodes)
    )


def _is_step(statement: ast.stmt) -> bool:
    if isinstance(statement, ast.If):
        return not statement.orelse and _leaves(statement.body)
    return isinstance(statement, ast.Assign)


def _leaves(statements: list[ast.stmt]) -> bool:
    first = statements[0]
    return len(statements) == 1 and isinstance(first, ast.Return) and isinstance(first.value, ast.Constant)


def straight(to: Frame, statements: list[ast.stmt]) -> Operand:
    """What the function gives."""
    found: list[tuple[Any, Any]] = []
    for node in statements:
        match node:
            case ast.If(test=test, body=[ast.Return(value=ast.expr() as value)]):
                bit = to.as_bit(to.truth(_at_once(test)))
                found.append((bit, to.word(to.expression(value))))
                left = to.builder.not_(bit)
                to.reached = left if to.reached is None else to.builder.and_(to.reached, left)
            case ast.Return(value=ast.expr() as value):
                found.append((None, to.word(to.expression(value))))
            case _:
                to.statement(node)
    to.reached = None
    (_, result), *others = reversed(found)
    for bit, word in others:
        result = to.builder.select(bit, word, result)
    return whole(result)


def _at_once(test: ast.expr) -> ast.expr:
    """The same test with all parts evaluated, without a jump."""
    match test:
        case ast.BoolOp(op=op, values=parts):
            return _called("es_any" if isinstance(op, ast.Or) else "es_all", parts)
        case ast.Call(func=ast.Name(id="es_all" | "es_any" as name), args=parts):
            return _called(name, parts)
        case ast.UnaryOp(op=ast.Not(), operand=part):
            return ast.UnaryOp(ast.Not(), _at_once(part))
    return test


def _called(name: str, tests: list[ast.expr]) -> ast.expr:
    return ast.Call(ast.Name(name), [_at_once(each) for each in tests], [])
