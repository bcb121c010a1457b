"""Arithmetic on words that reports where Python's unbounded numbers would go another way."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from endsight.compiler.primitives.words import WORD, constant, es_fault_at, fault_if, inner, is_whole

LEAST = -(1 << 63)


def _checked(emit: Any) -> Any:
    """An intrinsic on two whole numbers and a site; tuples are joined where `emit` is addition."""

    @intrinsic
    def operation(typing: Any, a: Any, b: Any, site: Any) -> Any:
        if not (is_whole(a) and is_whole(b)):
            return None

        def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return emit(builder, *arguments)

        return types.int64(types.int64, types.int64, types.int64), codegen

    return operation


def _with_overflow(name: str) -> Any:
    def emit(builder: Any, a: Any, b: Any, site: Any) -> Any:
        pair = getattr(builder, name)(a, b)
        fault_if(builder, builder.extract_value(pair, 1), site)
        return builder.extract_value(pair, 0)

    return emit


def _shift_left(builder: Any, a: Any, b: Any, site: Any) -> Any:
    fits = builder.icmp_unsigned("<", b, constant(63))
    shifted = builder.shl(a, builder.select(fits, b, constant(0)))
    lost = builder.icmp_signed("!=", builder.ashr(shifted, builder.select(fits, b, constant(0))), a)
    fault_if(builder, builder.or_(lost, builder.not_(fits)), site)
    return shifted


def _shift_one(builder: Any, a: Any, b: Any, site: Any) -> Any:
    """`1 << b`: only the distance needs a look."""
    fits = builder.icmp_unsigned("<", b, constant(63))
    fault_if(builder, builder.not_(fits), site)
    return builder.shl(constant(1), builder.select(fits, b, constant(0)))


def _shift_right(builder: Any, a: Any, b: Any, site: Any) -> Any:
    fault_if(builder, builder.icmp_signed("<", b, constant(0)), site)
    inside = builder.icmp_unsigned("<", b, constant(64))
    return builder.ashr(a, builder.select(inside, b, constant(63)))


def _divide(builder: Any, a: Any, b: Any, site: Any) -> tuple[Any, Any]:
    """Quotient rounded down, and the remainder with the divisor's sign."""
    overflows = builder.and_(builder.icmp_signed("==", a, constant(LEAST)), builder.icmp_signed("==", b, constant(-1)))
    bad = builder.or_(builder.icmp_signed("==", b, constant(0)), overflows)
    fault_if(builder, bad, site)
    b = builder.select(bad, constant(1), b)
    quotient, rest = builder.sdiv(a, b), builder.srem(a, b)
    crossed = builder.and_(
        builder.icmp_signed("!=", rest, constant(0)), builder.icmp_signed("<", builder.xor(rest, b), constant(0))
    )
    quotient = builder.sub(quotient, builder.zext(crossed, WORD))
    return quotient, builder.add(rest, builder.select(crossed, b, constant(0)))


es_subtract = _checked(_with_overflow("ssub_with_overflow"))
es_multiply = _checked(_with_overflow("smul_with_overflow"))
es_shift_left = _checked(_shift_left)
es_shift_one = _checked(_shift_one)
es_shift_right = _checked(_shift_right)
es_divide = _checked(lambda *parts: _divide(*parts)[0])
es_rest = _checked(lambda *parts: _divide(*parts)[1])
_add = _with_overflow("sadd_with_overflow")


@intrinsic
def es_add(typing: Any, a: Any, b: Any, site: Any) -> Any:
    """Sum of whole numbers, or one tuple after another."""
    if is_whole(a) and is_whole(b):
        return types.int64(types.int64, types.int64, types.int64), lambda _c, builder, _s, parts: _add(builder, *parts)
    if not (isinstance(a, types.BaseTuple) and isinstance(b, types.BaseTuple)):
        return None
    joined = types.BaseTuple.from_types(tuple(a.types) + tuple(b.types))

    def join(context: Any, builder: Any, signature: Any, parts: Any) -> Any:
        items = cgutils.unpack_tuple(builder, parts[0]) + cgutils.unpack_tuple(builder, parts[1])
        return context.make_tuple(builder, signature.return_type, items)

    return joined(a, b, site), join


@intrinsic
def es_above(typing: Any, value: Any, limit: Any) -> Any:
    """1 where `value` is not within 0 .. limit, else 0."""

    def codegen(context: Any, builder: Any, signature: Any, parts: Any) -> Any:
        return builder.zext(builder.icmp_unsigned(">", *parts), WORD)

    return types.int64(types.int64, types.int64), codegen


def _counted(name: str) -> Any:
    """An intrinsic on the absolute value of a whole number."""

    @intrinsic
    def operation(typing: Any, a: Any) -> Any:
        if not is_whole(a):
            return None

        def codegen(context: Any, builder: Any, signature: Any, parts: Any) -> Any:
            (a,) = parts
            a = builder.select(builder.icmp_signed("<", a, constant(0)), builder.neg(a), a)
            if name == "ctpop":
                return builder.ctpop(a)
            return builder.sub(constant(64), builder.ctlz(a, ir.Constant(ir.IntType(1), 0)))

        return types.int64(types.int64), codegen

    return operation


es_bit_count = _counted("ctpop")
es_bit_length = _counted("ctlz")


@intrinsic
def es_whole(typing: Any, a: Any) -> Any:
    """A truth value as 0 or 1; whole numbers as they are."""
    if not is_whole(a):
        return None
    return types.int64(types.int64), lambda _c, _b, _s, parts: parts[0]


@inner
def es_power(a: Any, b: Any, site: Any) -> Any:
    es_fault_at(es_whole(b < 0), site)
    result = 1
    for _ in range(b):
        result = es_multiply(result, a, site)
    return result


@inner
def es_absolute(a: Any, site: Any) -> Any:
    return es_subtract(0, a, site) if a < 0 else es_whole(a)


@inner
def es_gcd(a: Any, b: Any, site: Any) -> Any:
    a = es_absolute(a, site)
    b = es_absolute(b, site)
    while b != 0:
        a, b = b, es_rest(a, b, site)
    return a


@inner
def es_least(a: Any, b: Any) -> Any:
    return b if b < a else a


@inner
def es_largest(a: Any, b: Any) -> Any:
    return b if b > a else a


@inner
def es_range_length(start: Any, stop: Any, step: Any, site: Any) -> Any:
    if step > 0:
        return es_largest(0, es_divide(es_add(es_subtract(stop, start, site), step - 1, site), step, site))
    return es_largest(0, es_divide(es_add(es_subtract(start, stop, site), -step - 1, site), -step, site))
