"""Raw memory, for kernels."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from endsight.compiler.primitives.words import constant

BYTE_POINTER = ir.IntType(8).as_pointer()


@intrinsic
def es_load(typing: Any, pointer: Any, index: Any) -> Any:
    """`pointer[index]`, widened to a word."""
    signature = types.int64(pointer, types.int64)

    def codegen(context: Any, builder: Any, _signature: Any, parts: Any) -> Any:
        item = builder.load(place_of(context, builder, pointer, parts))
        return context.cast(builder, item, pointer.dtype, types.int64)

    return signature, codegen


@intrinsic
def es_store(typing: Any, pointer: Any, index: Any, value: Any) -> Any:
    """`pointer[index] = value`, cut down to the pointer's kind."""

    def codegen(context: Any, builder: Any, _signature: Any, parts: Any) -> Any:
        item = context.cast(builder, parts[2], types.int64, pointer.dtype)
        builder.store(item, place_of(context, builder, pointer, parts))
        return context.get_dummy_value()

    return types.void(pointer, types.int64, types.int64), codegen


def place_of(context: Any, builder: Any, pointer: Any, parts: Any) -> Any:
    kind = context.get_value_type(pointer.dtype).as_pointer()
    return builder.gep(builder.bitcast(parts[0], kind), [parts[1]])


@intrinsic
def es_prefetch(typing: Any, pointer: Any, index: Any) -> Any:
    """Ask for the memory at `pointer[index]` before it is needed."""

    def codegen(context: Any, builder: Any, signature: Any, parts: Any) -> Any:
        place = builder.bitcast(place_of(context, builder, pointer, parts), BYTE_POINTER)
        flag = ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [BYTE_POINTER, flag, flag, flag])
        function = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
        builder.call(function, [place, ir.Constant(flag, 0), ir.Constant(flag, 3), ir.Constant(flag, 1)])
        return context.get_dummy_value()

    return types.void(pointer, types.int64), codegen


@intrinsic
def es_swap_if(typing: Any, pointer: Any, index: Any, old: Any, new: Any) -> Any:
    """Atomically: where `pointer[index]` is `old`, make it `new`; what it was."""

    def codegen(context: Any, builder: Any, signature: Any, parts: Any) -> Any:
        place = place_of(context, builder, pointer, parts)
        return builder.extract_value(builder.cmpxchg(place, parts[2], parts[3], "acq_rel", "acquire"), 0)

    return types.int64(pointer, types.int64, types.int64, types.int64), codegen


@intrinsic
def es_count_up(typing: Any, pointer: Any, by: Any) -> Any:
    """Atomically add to `pointer[0]`; what it was."""

    def codegen(context: Any, builder: Any, signature: Any, parts: Any) -> Any:
        place = place_of(context, builder, pointer, (parts[0], constant(0)))
        return builder.atomic_rmw("add", place, parts[1], "acq_rel")

    return types.int64(pointer, types.int64), codegen


@intrinsic
def es_load_settled(typing: Any, pointer: Any, index: Any) -> Any:
    """`pointer[index]`, and nothing that is read after it is any older."""

    def codegen(context: Any, builder: Any, signature: Any, parts: Any) -> Any:
        return builder.load_atomic(place_of(context, builder, pointer, parts), "acquire", 8)

    return types.int64(pointer, types.int64), codegen


@intrinsic
def es_unsigned_shift(typing: Any, a: Any, b: Any) -> Any:
    """`a >> b` with zeros coming in from the left."""
    return types.int64(types.int64, types.int64), lambda _c, builder, _s, parts: builder.lshr(*parts)


@intrinsic
def es_mixed(typing: Any, a: Any) -> Any:
    """A word scattered over all words: Fibonacci hashing, high bits folded into the low ones."""

    def codegen(context: Any, builder: Any, signature: Any, parts: Any) -> Any:
        product = builder.mul(parts[0], constant(0x9E3779B97F4A7C15 - (1 << 64)))
        return builder.xor(product, builder.lshr(product, constant(32)))

    return types.int64(types.int64), codegen
