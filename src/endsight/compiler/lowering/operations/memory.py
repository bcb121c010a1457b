"""Raw memory, for kernels."""

from __future__ import annotations

from typing import Any

from llvmlite import ir

from endsight.compiler.lowering.emitter import Emitter, constant
from endsight.compiler.lowering.kinds import DOUBLE, NOTHING, REAL, WORD, Memory, Operand, Unsuited, whole

_BYTES = ir.IntType(8).as_pointer()


def place_of(to: Emitter, memory: Operand, index: Any) -> Any:
    """A pointer to an item of memory."""
    if not isinstance(memory.kind, Memory):
        raise Unsuited(f"{memory.kind.name} is no memory")
    return to.builder.gep(memory.part, [index])


def es_load(to: Emitter, memory: Operand, index: Operand) -> Operand:
    """`memory[index]`, widened to a word; a double as it is."""
    item = to.builder.load(place_of(to, memory, to.word(index)))
    if item.type == DOUBLE:
        return Operand(REAL, item)
    return whole(item if item.type == WORD else to.builder.sext(item, WORD))


def es_store(to: Emitter, memory: Operand, index: Operand, value: Operand) -> Operand:
    """`memory[index] = value`, cut down to the memory's size."""
    place = place_of(to, memory, to.word(index))
    kind = place.type.pointee
    if kind == DOUBLE:
        to.builder.store(to.real(value), place)
    else:
        word = to.word(value)
        to.builder.store(word if kind == WORD else to.builder.trunc(word, kind), place)
    return Operand(NOTHING)


def es_prefetch(to: Emitter, memory: Operand, index: Operand) -> Operand:
    """Ask for the memory at `memory[index]` before it is needed."""
    place = to.builder.bitcast(place_of(to, memory, to.word(index)), _BYTES)
    flag = ir.IntType(32)
    function = to.function_of("llvm.prefetch.p0", ir.FunctionType(ir.VoidType(), [_BYTES, flag, flag, flag]))
    to.builder.call(function, [place, ir.Constant(flag, 0), ir.Constant(flag, 3), ir.Constant(flag, 1)])
    return Operand(NOTHING)


def es_swap_if(to: Emitter, memory: Operand, index: Operand, old: Operand, new: Operand) -> Operand:
    """Atomically: if `memory[index]` is `old`, make it `new`; returns its previous value."""
    place = place_of(to, memory, to.word(index))
    pair = to.builder.cmpxchg(place, to.word(old), to.word(new), "acq_rel", "acquire")
    return whole(to.builder.extract_value(pair, 0))


def es_count_up(to: Emitter, memory: Operand, by: Operand) -> Operand:
    """Atomically add to `memory[0]`; returns its previous value."""
    return whole(to.builder.atomic_rmw("add", place_of(to, memory, constant(0)), to.word(by), "acq_rel"))


def es_load_acquire(to: Emitter, memory: Operand, index: Operand) -> Operand:
    """`memory[index]`; nothing that is read after it is older."""
    return whole(to.builder.load_atomic(place_of(to, memory, to.word(index)), "acquire", 8))


def es_store_release(to: Emitter, memory: Operand, index: Operand, value: Operand) -> Operand:
    """`memory[index] = value`; nothing that was written before it arrives later."""
    to.builder.store_atomic(to.word(value), place_of(to, memory, to.word(index)), "release", 8)
    return Operand(NOTHING)


def es_unsigned_shift(to: Emitter, a: Operand, b: Operand) -> Operand:
    """`a >> b` with zeros coming in from the left."""
    return whole(to.builder.lshr(to.word(a), to.word(b)))


def es_mixed(to: Emitter, a: Operand) -> Operand:
    """A word scattered over all words: Fibonacci hashing, high bits folded into the low ones."""
    product = to.builder.mul(to.word(a), constant(0x9E3779B97F4A7C15 - (1 << 64)))
    return whole(to.builder.xor(product, to.builder.lshr(product, constant(32))))
