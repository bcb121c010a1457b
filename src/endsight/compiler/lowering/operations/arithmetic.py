"""Arithmetic on words that reports where Python's unbounded numbers would behave differently."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from llvmlite import ir

from endsight.compiler.lowering.emitter import Emitter, constant
from endsight.compiler.lowering.kinds import BIT, NOTHING, WORD, Operand, RowKind, row, whole
from endsight.compiler.lowering.operations.alike import alike
from endsight.compiler.lowering.operations.spans import result_span, span_of

LEAST = -(1 << 63)

_Emit = Callable[[Emitter, Any, Any, Any], Any]


def _checked(
    emit: _Emit, function: Callable[[int, int], int]
) -> Callable[[Emitter, Operand, Operand, Operand], Operand]:
    """An operation on two whole numbers and a site; `function` is its meaning."""

    def operation(to: Emitter, a: Operand, b: Operand, site: Operand) -> Operand:
        left, right = to.word(a), to.word(b)
        cell = to.cell_of(function, left, right)
        return whole(to.as_cell(emit(to, left, right, constant(0) if cell else site.part), cell))

    return operation


def _with_overflow(name: str, function: Callable[[int, int], int]) -> _Emit:
    def emit(to: Emitter, a: Any, b: Any, site: Any) -> Any:
        # A sum that is too large even where Python does not reach it is so rare that one check is enough for all.
        is_rare = name != "mul" or any(
            isinstance(each, ir.Constant) and abs(each.constant) < 1 << 16 for each in (a, b)
        )
        outer, to.reached = to.reached, None if is_rare else to.reached
        result = to.once(name, a, b, to.reached, site == constant(0), make=lambda: checked(to, a, b, site))
        to.reached = outer
        return result

    def checked(to: Emitter, a: Any, b: Any, site: Any) -> Any:
        if result_span(function, span_of(to, a), span_of(to, b)) is not None:
            return getattr(to.builder, name)(a, b)
        pair = getattr(to.builder, f"s{name}_with_overflow")(a, b)
        to.fault_if(to.builder.extract_value(pair, 1), site)
        return to.builder.extract_value(pair, 0)

    return emit


def _shift_left(to: Emitter, a: Any, b: Any, site: Any) -> Any:
    builder = to.builder
    fits = builder.icmp_unsigned("<", b, constant(63))
    distance = builder.select(fits, b, constant(0))
    shifted, bad = builder.shl(a, distance), builder.not_(fits)
    if a != constant(1):  # of which only the distance needs a check
        bad = builder.or_(builder.icmp_signed("!=", builder.ashr(shifted, distance), a), bad)
    to.fault_if(bad, site)
    return shifted


def _shift_right(to: Emitter, a: Any, b: Any, site: Any) -> Any:
    to.fault_if(to.builder.icmp_signed("<", b, constant(0)), site)
    inside = to.builder.icmp_unsigned("<", b, constant(64))
    return to.builder.ashr(a, to.builder.select(inside, b, constant(63)))


def divided(to: Emitter, a: Any, b: Any) -> tuple[Any, Any]:
    """Quotient rounded down, and the remainder with the divisor's sign."""
    builder = to.builder
    quotient, rest = builder.sdiv(a, b), builder.srem(a, b)
    crossed = builder.and_(
        builder.icmp_signed("!=", rest, constant(0)), builder.icmp_signed("<", builder.xor(rest, b), constant(0))
    )
    quotient = builder.sub(quotient, builder.zext(crossed, WORD))
    return quotient, builder.add(rest, builder.select(crossed, b, constant(0)))


def _divide(to: Emitter, a: Any, b: Any, site: Any) -> tuple[Any, Any]:
    builder = to.builder
    overflows = builder.and_(builder.icmp_signed("==", a, constant(LEAST)), builder.icmp_signed("==", b, constant(-1)))
    bad = builder.or_(builder.icmp_signed("==", b, constant(0)), overflows)
    to.fault_if(bad, site)
    quotient, rest = divided(to, a, builder.select(bad, constant(1), b))
    if isinstance(b, ir.Constant) and b.constant > 0:
        to.spans[rest] = 0, b.constant - 1
    return quotient, rest


_sum = _checked(_with_overflow("add", operator.add), operator.add)
es_subtract = _checked(_with_overflow("sub", operator.sub), operator.sub)
_product = _checked(_with_overflow("mul", operator.mul), operator.mul)
es_shift_left = _checked(_shift_left, operator.lshift)
es_shift_right = _checked(_shift_right, operator.rshift)
es_divide = _checked(lambda *parts: _divide(*parts)[0], operator.floordiv)
es_rest = _checked(lambda *parts: _divide(*parts)[1], operator.mod)


def es_add(to: Emitter, a: Operand, b: Operand, site: Operand) -> Operand:
    """Sum of whole numbers, or concatenation of tuples."""
    if isinstance(a.kind, RowKind) and isinstance(b.kind, RowKind) and not (a.kind.label or b.kind.label):
        return row([*a.part, *b.part])
    left, right = to.word(a), to.word(b)
    bits = (*(() if a.known == 0 else to.counted.get(left, (None,))), right)
    if set(getattr(to.cells.get(right), "table", ())) <= {0, 1} and None not in bits:
        many = alike(to, bits, to.cells[right].bits) if right in to.cells else None
        if many is not None:
            count = to.builder.ctpop(many)
            to.counted[count] = bits
            return whole(count)
    return _sum(to, a, b, site)


def es_multiply(to: Emitter, a: Operand, b: Operand, site: Operand) -> Operand:
    """Product of whole numbers; of a choice by a constant, the choice of products, as one of them is often known."""
    chosen = a.part
    is_choice = isinstance(chosen, ir.SelectInstr) and chosen not in to.cells and isinstance(b.known, int)
    if not is_choice or not any(isinstance(each, ir.Constant) for each in chosen.operands[1:]):
        return _product(to, a, b, site)
    yes, no = (_product(to, whole(each), b, site).part for each in chosen.operands[1:])
    return whole(to.chosen(chosen.operands[0], yes, no))


def es_above(to: Emitter, value: Operand, limit: Operand) -> Operand:
    """1 where `value` is not within 0 .. limit, else 0."""
    return whole(to.builder.zext(to.builder.icmp_unsigned(">", to.word(value), to.word(limit)), WORD))


def _magnitude(to: Emitter, a: Operand) -> Any:
    word = to.word(a)
    return to.builder.select(to.builder.icmp_signed("<", word, constant(0)), to.builder.neg(word), word)


def es_bit_count(to: Emitter, a: Operand) -> Operand:
    """The number of ones in the absolute value of a whole number."""
    return whole(to.builder.ctpop(_magnitude(to, a)))


def es_bit_length(to: Emitter, a: Operand) -> Operand:
    """The number of binary digits of the same."""
    return whole(to.builder.sub(constant(64), to.builder.ctlz(_magnitude(to, a), ir.Constant(BIT, 0))))


def es_lowest_bit(to: Emitter, a: Operand) -> Operand:
    """The number of the lowest set bit."""
    return whole(to.builder.cttz(to.word(a), ir.Constant(BIT, 0)))


def es_whole(to: Emitter, a: Operand) -> Operand:
    """A truth value as 0 or 1; whole numbers as they are."""
    return whole(to.word(a))


def es_fault_at(to: Emitter, condition: Operand, site: Operand) -> Operand:
    """Report `site` where `condition` holds."""
    to.fault_if(to.builder.icmp_signed("!=", to.word(condition), constant(0)), site.part)
    return Operand(NOTHING)


def es_fault(to: Emitter) -> Operand:
    """The site of the last fault, 0 for none."""
    return whole(to.builder.load(to.shared("endsight_fault")))


def es_clear_fault(to: Emitter) -> Operand:
    """Forget the last fault."""
    to.builder.store(constant(0), to.shared("endsight_fault"))
    return Operand(NOTHING)
