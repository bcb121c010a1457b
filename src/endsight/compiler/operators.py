"""Operators and comparisons of the rules, as values of the core."""

from __future__ import annotations

import ast
import itertools
from enum import Enum
from typing import Any

from endsight.compiler import core
from endsight.compiler.amounts import Amounts
from endsight.compiler.resolve import UNKNOWN, is_itself, is_whole
from endsight.compiler.simpler import simpler
from endsight.compiler.syntax import CALCULATED, CHANGED, COMPARED
from endsight.compiler.values import Value, class_of, denied, has_order, is_at_once, is_flat, why_not

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
"""What is wrong if an operator gives no number; the others always give one."""
_HUGE = 4096


class Operators(Amounts):
    """The part of the translation of a function that calculates and compares."""

    def _binop(self, node: ast.BinOp) -> Value:
        left, right = self.whole.read(node.left), self.whole.read(node.right)
        return self.calculated(node, left, right)

    def calculated(self, node: ast.BinOp | ast.AugAssign, left: Value, right: Value) -> Value:
        """An operator on two values."""
        if (fraction := self.fraction_of_two(node, left, right)) is not None:
            return fraction
        if type(node.op) not in CALCULATED:
            is_division = isinstance(node.op, ast.Div)
            message = "true division gives no whole numbers: write //" if is_division else why_not(node.op)
            self.refuse(node, message)
        op, function = CALCULATED[type(node.op)]
        is_huge = op in ("power", "shift_left") and isinstance(right.known, int) and abs(right.known) > _HUGE
        is_short = type(left.known) is str and type(right.known) is int and right.known <= core.ROOM
        is_long = op == "multiply" and not is_short and not (is_whole(left.known) and is_whole(right.known))
        known = UNKNOWN if is_huge or is_long else self.whole.now(function, left, right)
        if known is not UNKNOWN:
            return Value.of(known)
        left, right = (self.whole.not_none(each, node) if each.type.label else each for each in (left, right))
        if (chained := self.whole.chained(node, left, right)) is not None:  # type: ignore[arg-type]
            return chained
        for one, again in (
            (left, lambda each: self.calculated(node, each, right)),
            (right, lambda each: self.calculated(node, left, each)),
        ):
            if one.type.is_object and one.expr is not None and not one.is_known:
                return self.each(one, node, again)
        if (combined := self.whole.combined(node, node.op, left, right)) is not None:
            return combined
        parts = [self.as_number(self.whole.not_none(part, node), node) for part in (left, right)]
        kind: core.Type = core.INT
        if op in ("and", "or", "xor") and not any(core.is_whole(part.type) for part in parts):
            kind = core.BOOL if parts[0].type == parts[1].type == core.BOOL else core.EITHER
        site = self.site(node, _FAULTS[op]) if op in _FAULTS else 0
        return Value.made(simpler(core.Binary(op, parts[0].expr, parts[1].expr, site, kind)))

    def _unaryop(self, node: ast.UnaryOp) -> Value:
        if isinstance(node.op, ast.Not):
            return denied(self.whole.truth(node.operand))
        value = self.whole.value(node.operand)
        op, function = CHANGED[type(node.op)]
        known = self.whole.now(function, value)
        if known is not UNKNOWN:
            return Value.of(known)
        value = self.material(value, node)
        if value.type == core.FRACTION and op in ("negate", "whole"):
            site = self.site(node, "the number does not fit a machine word")
            return value if op == "whole" else Value.made(core.Unary(op, value.expr, site, value.type))
        value = self.as_number(value, node)
        site = self.site(node, "the number does not fit a machine word") if op == "negate" else 0
        return Value.made(core.Unary(op, value.expr, site))

    def _compare(self, node: ast.Compare) -> Value:
        left = self.whole.value(node.left)
        first = node.comparators[0]
        if len(node.ops) == 1:
            is_in = isinstance(node.ops[0], ast.In | ast.NotIn)
            if is_in and self.whole.calls(first, (range,)) and self.whole.peek_items(first) is UNKNOWN:
                found = self.whole.between(node, left, *self.whole.range_parts(first))
                return found if isinstance(node.ops[0], ast.In) else denied(found)
            return self.compared(node, node.ops[0], left, self.whole.value(first))
        right = self._again(self.whole.value(node.comparators[0]), node)
        result = self.compared(node, node.ops[0], left, right)
        for op, part in zip(node.ops[1:], node.comparators[1:], strict=True):
            result, right = self._further(node, op, result, right, part)
        return result

    def _further(
        self, node: ast.Compare, op: ast.cmpop, result: Value, left: Value, part: ast.expr
    ) -> tuple[Value, Value]:
        """One more part of a chain, evaluated only if all before hold; the result, and that part."""
        before = self.here

        def compare() -> tuple[Value, Value]:
            right = self.whole.value(part)
            right = self._again(right, part) if part is not node.comparators[-1] and right.expr is not None else right
            return right, self.compared(node, op, left, right)

        statements, (right, own), names = self.part(compare)
        self.names = self.merged([before, names])
        if not statements:
            is_chain = isinstance(result.expr, core.Either) and result.expr.op == "and"
            parts = result.expr.parts if is_chain else (result.expr,)
            return Value.made(core.Either("and", _with_number((*parts, own.expr)))), right
        return self.instead(node, result, lambda each: each.expr, statements, own), right

    def _again(self, value: Value, node: ast.AST) -> Value:
        """A value that is needed twice: under a name, unless it is calculated in a few steps."""
        return value if value.expr is not None and is_at_once(value.expr) else self.kept(value, node)

    def compared(self, node: ast.Compare, op: ast.cmpop, left: Value, right: Value) -> Value:
        """One comparison."""
        left, right = self.not_only_truth(left, node), self.not_only_truth(right, node)
        if (same := self._same_object(op, left, right)) is not None:
            return same
        if left.type.is_object and not left.is_known:
            return self.each(left, node, lambda each: self.compared(node, op, each, right))
        if right.type.is_object and not right.is_known:
            return self.each(right, node, lambda each: self.compared(node, op, left, each))
        if isinstance(op, ast.In | ast.NotIn):
            known = self.whole.now(lambda a, b: a in b, left, right)
            items = self.whole.read_now(right, node)
            found = Value.of(known) if known is not UNKNOWN else self.whole.in_sequence(node, left, items)
            return found if isinstance(op, ast.In) else denied(found)
        if isinstance(op, ast.Is | ast.IsNot):
            return self._identity(node, op, left, right)
        sign, function = COMPARED[type(op)]
        known = self.whole.now(function, left, right)
        if known is not UNKNOWN:
            return Value.of(known)
        sets = self.whole.sets_compared(node, sign, left, right)
        if sets is not None:
            return sets
        one, other = (self.material(self.whole.read_now(each, node), node) for each in (left, right))
        return self.comparison(node, sign, one, other)

    def _same_object(self, op: ast.cmpop, left: Value, right: Value) -> Value | None:
        """Whether two values are the same text, member of an Enum or None, by their numbers; None for others."""
        sign = {ast.Eq: "==", ast.Is: "==", ast.NotEq: "!=", ast.IsNot: "!="}.get(type(op))
        objects = [*self.objects_of(left), *self.objects_of(right)]
        is_text = isinstance(op, ast.Is | ast.IsNot) and str in map(type, objects)
        if sign is None or is_text or not self.objects_of(left) or not self.objects_of(right):
            return None
        if (left.is_known and right.is_known) or not all(map(is_itself, objects)):
            return None
        one, other = self.material(left, self.definition), self.material(right, self.definition)
        return Value.made(core.Compare(sign, one.expr, other.expr))

    def objects_of(self, value: Value) -> list[Any]:
        """The objects that a value may be; none for other values."""
        if value.is_known:
            return [value.known] if self.unit.is_object(value.known) else []
        return [self.unit.pool[number] for number in getattr(value.type, "numbers", ())]

    def comparison(self, node: ast.AST, sign: str, one: Value, other: Value) -> Value:
        """A comparison of two values that exist at run time."""
        kinds = one.type, other.type
        if any(kind.label == core.MAYBE for kind in kinds):
            return self._perhaps_compared(node, sign, one, other)
        if all(map(core.is_number, kinds)):
            return Value.made(core.Compare(sign, one.expr, other.expr))
        if all(map(core.is_word, kinds)):
            one, other = self.as_fraction(one, node), self.as_fraction(other, node)
            return Value.made(core.Compare(sign, one.expr, other.expr))
        if (same := self.whole.texts_compared(node, sign, one, other)) is not None:
            return same
        objects = [*self.objects_of(one), *self.objects_of(other)]
        if sign in ("==", "!="):
            if all(kind.is_object for kind in kinds) and all(map(is_itself, objects)):
                return Value.made(core.Compare(sign, one.expr, other.expr))
            classes = self._classes(one), self._classes(other)
            if None not in classes[0] | classes[1] and classes[0].isdisjoint(classes[1]):
                self.whole.evaluate(one, other)
                return Value.of(sign == "!=")
        if any(kind.is_tuple for kind in kinds):
            one, other = self.as_row(one, node), self.as_row(other, node)
            kinds = one.type, other.type
        if all(kind.is_tuple for kind in kinds):
            if self._are_alike(*kinds, sign):
                return Value.made(core.Compare(sign, one.expr, other.expr))
        elif sign in ("==", "!=") and (all(map(is_flat, kinds)) or all(map(self._is_of_objects, kinds))):
            sorts = [kind.sort for kind in kinds]
            if sorts[0] == sorts[1] and sorts[0] in ("dict", "view"):
                self.refuse(node, "dictionaries cannot be compared by compiled rules")
            if None not in sorts and sorts[0] != sorts[1]:
                self.whole.evaluate(one, other)
                return Value.of(sign == "!=")
            if None in sorts:
                self.refuse(node, "lists and tuples in one constant cannot be compared")
            return Value.made(core.Compare(sign, one.expr, other.expr))
        raise self.refusal(node, f"{kinds[0].name} cannot be compared with {kinds[1].name}")

    def _is_of_objects(self, kind: core.Type) -> bool:
        """Whether a value is a sequence of objects that equal only themselves."""
        kinds = kind.items if kind.is_tuple else (kind.item,) if kind.is_sequence else (core.OBJECT,)
        return all(each.is_object and all(map(is_itself, self.objects_of(Value(each)))) for each in kinds)

    def _classes(self, value: Value) -> set[type | None]:
        """Classes that the value may be of, where no value of one equals one of another; None for any other class."""
        objects = self.objects_of(value)
        if not objects:
            return {_CLASSES.get(int if core.is_number(value.type) else class_of(value.type))}
        return {type(each) if is_itself(each) else _CLASSES.get(type(each)) for each in objects}

    def as_row(self, value: Value, node: ast.AST) -> Value:
        """A known tuple as one of known length; other values unchanged."""
        if type(value.known) is not tuple or value.type.is_tuple or len(value.known) > 64:
            return value
        parts = [self.as_row(self.material(Value.of(each), node), node) for each in value.known]
        return Value.row(parts, known=value.known)

    def _are_alike(self, one: core.Type, other: core.Type, sign: str) -> bool:
        """Whether values of both types compare as their words do."""
        if one.is_tuple and other.is_tuple:
            if one.label != other.label and not {one.label, other.label}.isdisjoint(core.LABELS):
                return False
            if sign not in ("==", "!=") and not (has_order(one) and has_order(other)):
                return False
            return all(self._are_alike(*pair, sign) for pair in zip(one.items, other.items, strict=False))
        kinds = one, other
        if all(kind.is_object for kind in kinds) and sign in ("==", "!="):
            objects = [self.unit.pool[number] for kind in kinds for number in kind.numbers]
            return all(map(is_itself, objects))
        return all(map(core.is_number, kinds)) or kinds == (core.FRACTION, core.FRACTION)

    def _perhaps_compared(self, node: ast.AST, sign: str, one: Value, other: Value) -> Value:
        """The same where one or both may be None, which equals only itself."""
        if sign not in ("==", "!="):
            return self.comparison(node, sign, self.whole.not_none(one, node), self.whole.not_none(other, node))
        for value, by in ((one, other), (other, one)):
            if value.is_known and value.known is None:
                return self._is_none(ast.Is() if sign == "==" else ast.IsNot(), by)
        (here, own), (there, others) = (self.perhaps(each, node) for each in (one, other))
        same = self.comparison(node, "==", own, others)
        equal = core.Either("or", (core.Not(here), same.expr))
        both = core.Either("and", (core.Compare("==", here, there), equal))
        return Value(core.BOOL, both if sign == "==" else core.Not(both))

    def or_zero(self, value: Value, node: ast.AST) -> Value:
        """A number that may be None, as 0 in that case: both are false; other values unchanged."""
        kind = value.type
        if kind.label != core.MAYBE or not core.is_number(kind.items[1]):
            return value
        value = self.kept(value, node)
        there, own = self.whole.field(value, 0), self.whole.field(value, 1)
        return Value.made(core.Choice(there.expr, own.expr, core.Number(False), own.type))

    def perhaps(self, value: Value, node: ast.AST) -> tuple[core.Expr, Value]:
        """Whether a value is there, and the value."""
        value = self.kept(value, node)
        if value.type.label == core.MAYBE:
            return self.whole.field(value, 0).expr, self.whole.field(value, 1)
        if None in self.objects_of(value):
            return core.Compare("!=", value.expr, core.Number(self.unit.number_of(None))), value
        return core.Number(True), value

    def _identity(self, node: ast.Compare, op: ast.cmpop, left: Value, right: Value) -> Value:
        for one, other in ((left, right), (right, left)):
            if one.is_known and one.known is None:
                return self._is_none(op, other)
        if all(isinstance(each.known, Enum) for each in (left, right)):
            return Value.of((left.known is right.known) == isinstance(op, ast.Is))
        if left.type == right.type and _are_told_apart(left.type.member):
            return self.comparison(node, "==" if isinstance(op, ast.Is) else "!=", left, right)
        members = [each.known for each in (left, right) if isinstance(each.known, Enum) and is_itself(each.known)]
        if members and any(class_of(each.type) for each in (left, right)):
            self.whole.evaluate(left, right)
            return Value.of(isinstance(op, ast.IsNot))
        raise self.refusal(node, "`is` cannot be compiled: write ==")

    def _is_none(self, op: ast.cmpop, value: Value) -> Value:
        if value.type.label == core.MAYBE:
            there = self.whole.field(value, 0).expr
            found = Value.made(core.Compare("!=", there, core.Number(0)))
            return denied(found) if isinstance(op, ast.Is) else found
        self.whole.evaluate(value)
        return Value.of((value.known is None) == isinstance(op, ast.Is))


def _are_told_apart(kind: Any) -> bool:
    """Whether members of an IntEnum are different numbers; False for no class."""
    return kind is not None and len(set(map(int, kind))) == len(list(kind))


_CLASSES: dict[type | None, type] = {
    **{each: each for each in (str, tuple, list, dict, range, bytes)},
    **dict.fromkeys((int, bool), int),
    **dict.fromkeys((set, frozenset), set),
}


def _with_number(parts: tuple[core.Expr, ...]) -> tuple[core.Expr, ...]:
    """The parts of a chain like `a == b == 2` as `a == 2`, `b == 2`: of one board, these are one test for the machine.

    Other parts stay as they are, such as those that may fail.
    """
    ends = [(part.left, part.right) for part in parts if isinstance(part, core.Compare) and part.op == "=="]
    last = ends[-1][1] if ends else None
    is_chain = len(ends) == len(parts) and all(one[1] == other[0] for one, other in itertools.pairwise(ends))
    if not is_chain or not isinstance(last, core.Number) or not all(is_at_once(left) for left, _ in ends):
        return parts
    return tuple(core.Compare("==", left, last) for left, _ in ends)
