"""Fractions, stored as whole numbers of parts of one denominator that suits all fractions of the rules.

That number, the denominator of the program, is gathered while the rules are translated: the denominators of constants,
those that a call of `Fraction` can have, and once more every one that fractions are multiplied by. It may be too small:
a value that is not a whole number of parts is a fault at run time, as is a sum beyond a word.
"""

from __future__ import annotations

import ast
import functools
import operator
from collections.abc import Callable
from fractions import Fraction
from itertools import chain
from math import lcm
from typing import Any

from endsight.compiler import core
from endsight.compiler.objects import Objects
from endsight.compiler.resolve import UNKNOWN, is_whole
from endsight.compiler.syntax import CALCULATED
from endsight.compiler.values import Value, as_sequences, has_fraction, joined_types

MOST_PARTS = 1 << 30
"""Most parts in the whole; amounts are below 2^40 parts."""
_MOST_DENOMINATOR = 22
_NOW: dict[type, Callable[[Any, Any], Any]] = {
    ast.Div: operator.truediv,
    **{kind: CALCULATED[kind][1] for kind in (ast.Add, ast.Sub, ast.Mult)},
}
_ADDED = {ast.Add: ("add", "the sum does not fit a machine word"), ast.Sub: ("subtract", "the difference does not fit")}
_PLAIN_SUMS = "work with whole numbers, and make a Fraction of the result"


def is_fraction(value: Value) -> bool:
    """Whether a value is a fraction, known or not."""
    return value.type == core.FRACTION or type(value.known) is Fraction


class Amounts(Objects):
    """The part of the translation of a function that deals with fractions."""

    # ---------------------------------------------------------------- making them

    def constant_fraction(self, known: Fraction, node: ast.AST) -> Value:
        """A known fraction."""
        parts = known * self._parts_for(node, known.denominator)
        if abs(parts) >= 1 << 63:
            self.refuse(node, f"the fraction {known} does not fit a machine word")
        return Value(core.FRACTION, core.Parts(core.Number(int(parts))), known)

    def _parts_for(self, node: ast.AST, denominator: int, *, again: bool = False) -> int:
        """The denominator of the program, a multiple of this one; `again` where fractions are divided by it."""
        unit = self.unit
        unit.has_fractions = True
        if again:
            place = self.file, getattr(node, "lineno", 0), getattr(node, "col_offset", 0)
            unit.divisors[place] = lcm(unit.divisors.get(place, 1), denominator)
        else:
            unit.common = lcm(unit.common, denominator)
        if unit.needed_denominator > MOST_PARTS:
            self.refuse(node, "the fractions of these rules have no common denominator below 2^30")
        return unit.denominator

    def as_fraction(self, value: Value, node: ast.AST) -> Value:
        """A whole number as a fraction."""
        if type(value.known) is Fraction and value.expr is None:
            return self.constant_fraction(value.known, node)
        value = self.whole.not_none(value, node)
        if value.type == core.FRACTION:
            return value
        if not core.is_number(value.type):
            self.refuse(node, f"a number is needed here, not {value.type.name}")
        return self._scaled(value, Fraction(1), node)

    def _scaled(self, value: Value, factor: Fraction, node: ast.AST) -> Value:
        """A number or fraction multiplied by a known factor."""
        what = "the product does not fit a machine word"
        value = self.whole.not_none(value, node)
        if core.is_number(value.type):
            parts = core.Number(int(factor * self._parts_for(node, factor.denominator)))
            if isinstance(value.expr, core.Number):
                return self.constant_fraction(Fraction(value.expr.value) * factor, node)
            product = core.Binary("multiply", value.expr, parts, self.site(node, what))
            return Value.made(core.Parts(product))
        if value.type != core.FRACTION:
            self.refuse(node, f"a number is needed here, not {value.type.name}")
        bottom = factor.denominator
        top = core.Number(factor.numerator)
        product = core.Binary("multiply", value.expr, top, self.site(node, what), core.FRACTION)
        if bottom == 1:
            return Value(core.FRACTION, product)
        self._parts_for(node, bottom, again=True)
        return self._parts_divided(product, core.Number(bottom), node)

    def _parts_divided(self, parts: core.Expr, by: core.Expr, node: ast.AST) -> Value:
        """A number of parts divided by a whole number; a remainder is a fault."""
        site = self.site(node, "division by zero")
        parts = self.kept(Value(parts.type, parts), node).expr
        by = self.kept(Value(core.INT, by), node).expr
        rest = core.Binary("rest", parts, by, site)
        self.fault_if(rest, node, "a fraction is smaller than the denominators told")
        return Value.made(core.Parts(core.Binary("divide", parts, by, site)))

    def _call_fraction(self, node: ast.Call, function: Any) -> Value:
        self.whole.require_form(node, 1, 2, fits=not any(isinstance(each, ast.Starred) for each in node.args))
        values = [self.whole.value(part) for part in node.args]
        known = self.whole.now(Fraction, *values)
        if known is not UNKNOWN:
            return Value.of(known)
        for at, value in enumerate(values):
            if value.type.is_object and not value.is_known:
                self.refuse(node.args[at], "a Fraction of a text or object cannot be compiled")
        if len(values) == 1:
            return self.as_fraction(values[0], node)
        top, bottom = values[0], values[1]
        if (is_whole(bottom.known) or type(bottom.known) is Fraction) and bottom.known:
            return self._scaled(top, 1 / Fraction(bottom.known), node)
        top, bottom = self.whole.not_none(top, node), self.whole.not_none(bottom, node)
        if not all(core.is_number(each.type) for each in (top, bottom)):
            self.refuse(node, f"a Fraction of such values cannot be compiled: {_PLAIN_SUMS}")
        most = self.most(bottom.expr)
        if most is None or not 1 <= most <= _MOST_DENOMINATOR:
            self.refuse(
                node,
                f"the denominator may be any number: let it be at most {_MOST_DENOMINATOR}, as in min(n, 12), or take "
                "the fraction from a table",
            )
        self._parts_for(node, lcm(*range(1, most + 1)))
        return self._parts_divided(self.as_fraction(top, node).expr, bottom.expr, node)

    # ---------------------------------------------------------------- what a number can be at most

    def most(self, expr: Any) -> int | None:
        """The expected upper bound of a whole number; None where it is not known."""
        match expr:
            case core.Number():
                return abs(int(expr.value))
            case core.Local():
                return self.bounds.get(expr.name)
            case core.Length():
                return self.most(expr.value)
            case core.Listed():
                return len(expr.items) if expr.count is None else None
            case core.Unary() if expr.op in ("whole", "absolute", "negate"):
                return self.most(expr.value)
            case core.Field() if expr.value.type == self.unit.state:
                kind = self.unit.kinds[expr.number]
                return int(kind.limits[0]) if core.is_number(expr.type) and kind.is_word else None
            case core.Choice():
                return _both(self.most(expr.yes), self.most(expr.no), max)
            case core.Binary():
                one, other = self.most(expr.left), self.most(expr.right)
                if expr.op in ("add", "subtract", "multiply"):
                    return _both(one, other, operator.mul if expr.op == "multiply" else operator.add)
                if expr.op == "rest":
                    return None if other is None else max(1, other - 1)
                if expr.op == "least":
                    return min((each for each in (one, other) if each is not None), default=None)
                return _both(one, other, max) if expr.op == "largest" else one if expr.op == "divide" else None
        return 1 if getattr(expr, "type", None) == core.BOOL else None

    # ---------------------------------------------------------------- working with them

    def fraction_of_two(self, node: ast.BinOp | ast.AugAssign, left: Value, right: Value) -> Value | None:
        """An operator on two values, one of which is a fraction; None for others."""
        is_now = left.is_known and right.is_known and type(node.op) not in _NOW
        if is_now or not (is_fraction(left) or is_fraction(right)):
            return None
        if type(node.op) in _NOW and (known := self.whole.now(_NOW[type(node.op)], left, right)) is not UNKNOWN:
            return Value.of(known)
        for one in (left, right):
            if not is_fraction(one) and not core.is_number(self.whole.not_none(one, node).type):
                self.refuse(node, f"a number is needed here, not {self.whole.not_none(one, node).type.name}")
        if type(node.op) in _ADDED:
            op, what = _ADDED[type(node.op)]
            one, other = self.as_fraction(left, node), self.as_fraction(right, node)
            return Value.made(core.Binary(op, one.expr, other.expr, self.site(node, what), core.FRACTION))
        if isinstance(node.op, ast.Mult):
            return self._fraction_product(node, left, right)
        if isinstance(node.op, ast.Div) and right.is_known and right.known and not is_fraction(left):
            return self._scaled(left, 1 / Fraction(right.known), node)
        if isinstance(node.op, ast.Div):
            self.refuse(node, "division of a fraction cannot be compiled: write * Fraction(1, n)")
        raise self.refusal(node, f"this operator cannot be compiled for fractions: {_PLAIN_SUMS}")

    def _fraction_product(self, node: ast.BinOp | ast.AugAssign, left: Value, right: Value) -> Value:
        for one, other in ((left, right), (right, left)):
            if type(one.known) is Fraction or (is_whole(one.known) and is_fraction(other)):
                return self._scaled(other, Fraction(one.known), node)
        if is_fraction(left) and is_fraction(right):
            self.refuse(node, f"a product of two fractions cannot be compiled: {_PLAIN_SUMS}")
        one, other = (self.whole.not_none(each, node) for each in (left, right))
        site = self.site(node, "the product does not fit a machine word")
        return Value.made(core.Binary("multiply", one.expr, other.expr, site, core.FRACTION))

    # ---------------------------------------------------------------- where whole numbers and fractions meet

    def fitted(self, value: Value, kind: core.Type, node: ast.AST) -> Value:
        """A value converted to that type; whole numbers may become fractions, and anything what may be None."""
        if value.type == kind:
            return value
        if kind == core.FRACTION:
            if value.type in (core.BOOL, core.EITHER) or type(value.known) is bool:
                self.refuse(node, "a truth value stands where others are fractions: write int(...) around it")
            return self.as_fraction(value, node)
        if kind.label == core.MAYBE and value.type.label != core.MAYBE:
            if value.type == self.unit.none:
                return Value(kind, core.Row((core.Number(False), core.none_of(kind.items[1])), kind))
            own = self.fitted(value, kind.items[1], node)
            is_fit = joined_types(own.type, kind.items[1]) == kind.items[1]
            return Value(kind, core.Row((core.Number(True), own.expr), kind)) if is_fit else value
        if kind.is_sequence:
            if self.wider(value.type, kind) != kind:
                return value
            value = self.whole.opened(value)
            made = value if value.type.is_sequence else self.whole.joined_items(node, [value], kind.sort)
            return Value(kind, made.expr)
        if kind.is_tuple and value.type.is_tuple and len(kind.items) == len(value.type.items):
            value = self.kept(value, node) if not isinstance(value.expr, core.Row) else value
            items = [self.fitted(self.whole.field(value, at), each, node) for at, each in enumerate(kind.items)]
            return Value.row(items, kind.names, kind.label)
        return value

    def alike(self, values: list[Value], node: ast.AST) -> list[Value]:
        """Values converted to one type: whole numbers become fractions where others are fractions."""
        kind = self.common([value.type for value in values])
        return values if kind is None else [self.fitted(value, kind, node) for value in values]

    def common(self, kinds: list[core.Type]) -> core.Type | None:
        """The type that values of these types are converted to; None where they stay as they are."""
        if core.FRACTION in kinds and all(core.is_number(kind) or kind == core.FRACTION for kind in kinds):
            return core.FRACTION
        is_converted = any(has_fraction(kind) or self._may_be_none(kind) for kind in kinds)
        is_converted = is_converted or any(joined_types(kinds[0], kind) is None for kind in kinds)
        return functools.reduce(self.wider, kinds) if is_converted else None

    def _may_be_none(self, kind: core.Type) -> bool:
        """Whether a value of that type is None, or holds it."""
        return kind.label == core.MAYBE or kind == self.unit.none or any(map(self._may_be_none, kind.items))

    def wider(self, one: core.Type, other: core.Type) -> core.Type:
        """The type of both, if one of them is rewritten; `one` if there is none.

        Whole numbers become fractions, None what may be None, and tuples and constants sequences of any length.
        """
        if core.FRACTION in (one, other) and any(map(core.is_whole, (one, other))):
            return core.FRACTION
        if joined_types(one, other) is None and (both := as_sequences(one, other)) is not None:
            return both
        if one.label == other.label and one.is_tuple and other.is_tuple and len(one.items) == len(other.items):
            return core.Tuple(tuple(map(self.wider, one.items, other.items)), one.names, one.label)
        if one.is_object and other.is_object:
            return joined_types(one, other) or one
        kinds = {kind.items[1] if kind.label == core.MAYBE else kind for kind in (one, other)} - {self.unit.none}
        inner = joined_types(*kinds) if len(kinds) == 2 else kinds.pop()
        is_one = inner is not None and (core.is_number(inner) or (inner.is_tuple and inner.label not in core.LABELS))
        if inner is None or not is_one or not (self._may_be_none(one) or self._may_be_none(other)):
            return one
        return core.Tuple((core.BOOL, inner), (), core.MAYBE)

    def as_share(self, value: Value, node: ast.AST) -> Value:
        """The result of `payoff` or `reward`, item by item, and in parts if there are fractions anywhere."""
        players = self.unit.game.player_count
        objects = self.whole.objects_of(value)
        is_tuple = bool(objects) and all(isinstance(each, tuple) and len(each) == players for each in objects)
        has_fractions = self.unit.has_fractions or (is_tuple and Fraction in map(type, chain.from_iterable(objects)))
        if (is_tuple and has_fractions) or (value.type.is_table and value.type.kinds == ("tuple",)):
            items = self.whole.items_of(value, node, node, players)
            return Value.row([self.fitted(item, core.FRACTION, node) if has_fractions else item for item in items])
        if not has_fractions:
            return value
        if core.is_whole(value.type):
            return self.as_fraction(value, node)
        if value.type.is_tuple and not value.type.label:
            kind = core.Tuple(tuple(core.FRACTION if core.is_whole(each) else each for each in value.type.items))
            return self.fitted(value, kind, node)
        return value


def _both(one: int | None, other: int | None, work: Callable[[int, int], int]) -> int | None:
    return None if one is None or other is None else work(one, other)
