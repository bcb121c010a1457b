"""Operators of the rules between numbers, and what else they join, as values of the core."""

from __future__ import annotations

import ast

from endsight.compiler import core
from endsight.compiler.comparisons import Comparisons
from endsight.compiler.flow import ROOM, Value
from endsight.compiler.resolve import UNKNOWN, is_whole
from endsight.compiler.syntax import CALCULATED, CHANGED
from endsight.compiler.values import why_not

_FAULTS = {
    "add": "the sum does not fit a machine word",
    "subtract": "the difference does not fit a machine word",
    "multiply": "the product does not fit a machine word",
    "divide": "division by zero",
    "rest": "division by zero",
    "shift_left": "a bit is shifted out of the machine word",
    "shift_right": "a shift by a negative number",
    "power": "the power does not fit a machine word",
}
"""What is wrong where an operator gives no number; the others always give one."""
_HUGE = 4096


class Arithmetic(Comparisons):
    """The part of the translation of a function that calculates."""

    def _binop(self, node: ast.BinOp) -> Value:
        exchanged = self.whole.exchanged(node)
        if exchanged is not None:
            return exchanged
        left, right = self.whole.value(node.left), self.whole.value(node.right)
        return self.calculated(node, left, right)

    def calculated(self, node: ast.BinOp | ast.AugAssign, left: Value, right: Value) -> Value:
        """An operator between two values."""
        if (fraction := self.fraction_of_two(node, left, right)) is not None:
            return fraction
        if type(node.op) not in CALCULATED:
            is_division = isinstance(node.op, ast.Div)
            told = "true division gives no whole numbers: write //" if is_division else why_not(node.op)
            self.refuse(node, told)
        op, function = CALCULATED[type(node.op)]
        is_huge = op in ("power", "shift_left") and isinstance(right.known, int) and abs(right.known) > _HUGE
        is_short = type(left.known) is str and type(right.known) is int and right.known <= ROOM
        is_long = op == "multiply" and not is_short and not (is_whole(left.known) and is_whole(right.known))
        known = UNKNOWN if is_huge or is_long else self.whole.now(function, left, right)
        if known is not UNKNOWN:
            return self.whole.of(known)
        if (text := self.whole.texts_added(node, node.op, left, right)) is not None:
            return text
        for one, again in (
            (left, lambda each: self.calculated(node, each, right)),
            (right, lambda each: self.calculated(node, left, each)),
        ):
            if isinstance(one.type, core.Known) and one.expr is not None and not one.is_known:
                return self.each(one, node, again)
        chained = self.whole.combined(node, node.op, left, right) or self.whole.chained(node, left, right)  # type: ignore[arg-type]
        if chained is not None:
            return chained
        parts = [self.whole.there(part, node) for part in (left, right)]
        for part in parts:
            if not core.is_number(part.type):
                self.refuse(node, f"a whole number is needed here, not {part.type.name}")
        kind: core.Type = core.INT
        if op in ("and", "or", "xor") and core.INT not in (parts[0].type, parts[1].type):
            kind = core.BOOL if parts[0].type == parts[1].type == core.BOOL else core.EITHER
        site = self.site(node, _FAULTS[op]) if op in _FAULTS else 0
        return Value(kind, core.Binary(op, parts[0].expr, parts[1].expr, site, kind))

    def _unaryop(self, node: ast.UnaryOp) -> Value:
        if isinstance(node.op, ast.Not):
            truth = self.whole.truth(node.operand)
            if truth.is_known:
                return self.whole.of(not truth.known)
            return Value(core.BOOL, core.Not(truth.expr))
        value = self.whole.value(node.operand)
        op, function = CHANGED[type(node.op)]
        known = self.whole.now(function, value)
        if known is not UNKNOWN:
            return self.whole.of(known)
        value = self.material(value, node)
        if value.type == core.FRACTION and op in ("negate", "whole"):
            site = self.site(node, "the number does not fit a machine word")
            return value if op == "whole" else Value(value.type, core.Unary(op, value.expr, site, value.type))
        if not core.is_number(value.type):
            self.refuse(node, f"a whole number is needed here, not {value.type.name}")
        return Value(core.INT, core.Unary(op, value.expr, self.site(node, "the number does not fit a machine word")))
