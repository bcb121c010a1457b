"""What translated rules and kernels call: checked arithmetic, data, scratch space, raw memory.

Imported only while something is compiled (needs numba). Whole numbers are signed 64-bit
words here. Wherever Python's unbounded numbers, or Python's exceptions, would go another
way - overflow, a shift too far, division by zero, an index out of range - the operation
writes the number of its site (a place in the rules) into the global variable FAULT and
goes on with some harmless value; kernels look at FAULT before they commit anything.
LLVM removes the checks that it can prove away, which after inlining is most of them.
"""

from __future__ import annotations

from collections import namedtuple
from typing import Any

from llvmlite import ir
from numba import njit, types
from numba.core import cgutils
from numba.extending import intrinsic

from endsight.compiler import way

WORD = ir.IntType(64)
BYTE_POINTER = ir.IntType(8).as_pointer()
LEAST = -(1 << 63)

# A list of the rules' data: where in the data array its length stands, its items after it.
# Data1 holds numbers, Data2 lists of numbers, and so on.
Data1 = namedtuple("Data1", ["at"])
Data2 = namedtuple("Data2", ["at"])
Data3 = namedtuple("Data3", ["at"])
Data4 = namedtuple("Data4", ["at"])
Scratch = namedtuple("Scratch", ["pointer", "length"])

_DATA = (Data1, Data2, Data3, Data4)
_POINTER = types.CPointer(types.int64)
_SCRATCH = types.NamedTuple((_POINTER, types.int64), Scratch)


# A function that only other compiled functions call, so that no way in from Python is made.
inner = njit(
    error_model="numpy",
    no_cpython_wrapper=True,
    no_cfunc_wrapper=True,
    no_rewrites=True,
    **way.options(),
)


def constant(value: int) -> ir.Constant:
    return ir.Constant(WORD, value)


def is_whole(kind: Any) -> bool:
    return isinstance(types.unliteral(kind), types.Integer | types.Boolean)


def _global(builder: Any, name: str, kind: Any) -> Any:
    """A variable that all functions of the object share (merged by name when they are linked)."""
    known = builder.module.globals.get(name)
    if known is not None:
        return known
    variable = ir.GlobalVariable(builder.module, kind, name)
    variable.linkage = "linkonce_odr"
    variable.initializer = ir.Constant(kind, None)
    return variable


def _fault_if(builder: Any, condition: Any, site: Any) -> None:
    with builder.if_then(condition, likely=False):
        builder.store(site, _global(builder, "endsight_fault", WORD))


# -------------------------------------------------------------------- arithmetic


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
        _fault_if(builder, builder.extract_value(pair, 1), site)
        return builder.extract_value(pair, 0)

    return emit


def _shift_left(builder: Any, a: Any, b: Any, site: Any) -> Any:
    fits = builder.icmp_unsigned("<", b, constant(63))
    shifted = builder.shl(a, builder.select(fits, b, constant(0)))
    lost = builder.icmp_signed("!=", builder.ashr(shifted, builder.select(fits, b, constant(0))), a)
    _fault_if(builder, builder.or_(lost, builder.not_(fits)), site)
    return shifted


def _shift_one(builder: Any, a: Any, b: Any, site: Any) -> Any:
    """`1 << b`: only the distance needs a look."""
    fits = builder.icmp_unsigned("<", b, constant(63))
    _fault_if(builder, builder.not_(fits), site)
    return builder.shl(constant(1), builder.select(fits, b, constant(0)))


def _shift_right(builder: Any, a: Any, b: Any, site: Any) -> Any:
    _fault_if(builder, builder.icmp_signed("<", b, constant(0)), site)
    inside = builder.icmp_unsigned("<", b, constant(64))
    return builder.ashr(a, builder.select(inside, b, constant(63)))


def _divide(builder: Any, a: Any, b: Any, site: Any) -> tuple[Any, Any]:
    """Quotient rounded down, and the remainder with the divisor's sign."""
    overflows = builder.and_(builder.icmp_signed("==", a, constant(LEAST)), builder.icmp_signed("==", b, constant(-1)))
    bad = builder.or_(builder.icmp_signed("==", b, constant(0)), overflows)
    _fault_if(builder, bad, site)
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
def es_fault_at(typing: Any, condition: Any, site: Any) -> Any:
    """Report `site` where `condition` holds."""

    def codegen(context: Any, builder: Any, signature: Any, parts: Any) -> Any:
        _fault_if(builder, builder.icmp_signed("!=", parts[0], constant(0)), parts[1])
        return context.get_dummy_value()

    return types.void(types.int64, types.int64), codegen


@intrinsic
def es_above(typing: Any, value: Any, limit: Any) -> Any:
    """1 where `value` is not within 0 .. limit, else 0."""

    def codegen(context: Any, builder: Any, signature: Any, parts: Any) -> Any:
        return builder.zext(builder.icmp_unsigned(">", *parts), WORD)

    return types.int64(types.int64, types.int64), codegen


@intrinsic
def es_fault(typing: Any) -> Any:
    """The site of the last fault, 0 for none."""

    def codegen(context: Any, builder: Any, signature: Any, parts: Any) -> Any:
        return builder.load(_global(builder, "endsight_fault", WORD))

    return types.int64(), codegen


@intrinsic
def es_clear_fault(typing: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, parts: Any) -> Any:
        builder.store(constant(0), _global(builder, "endsight_fault", WORD))
        return context.get_dummy_value()

    return types.void(), codegen


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


# -------------------------------------------------------------------- data, tuples, scratch space


def _depth(kind: Any) -> int:
    """How many lists deep the rules' data of that type are; 0 for other types."""
    if isinstance(kind, types.NamedUniTuple) and kind.instance_class in _DATA:
        return _DATA.index(kind.instance_class) + 1
    return 0


def _is_scratch(kind: Any) -> bool:
    return isinstance(kind, types.NamedTuple) and kind.instance_class is Scratch


def _data_type(depth: int) -> Any:
    return types.int64 if depth == 0 else types.NamedUniTuple(types.int64, 1, _DATA[depth - 1])


def _read_data(builder: Any, at: Any) -> Any:
    """The number at `at` in the data array, which nothing changes while a kernel runs."""
    base = builder.load(_global(builder, "endsight_data", WORD))
    item = builder.load(builder.gep(builder.inttoptr(base, WORD.as_pointer()), [at]))
    item.set_metadata("invariant.load", builder.module.add_metadata([]))
    return item


@intrinsic
def es_use_data(typing: Any, pointer: Any) -> Any:
    """Let `es_root` and `es_item` read the data array at `pointer`."""

    def codegen(context: Any, builder: Any, signature: Any, parts: Any) -> Any:
        builder.store(builder.ptrtoint(parts[0], WORD), _global(builder, "endsight_data", WORD))
        return context.get_dummy_value()

    return types.void(_POINTER), codegen


@intrinsic
def es_root(typing: Any, number: Any) -> Any:
    """Where the list with that number begins: entries 1, 2, ... of the data array say it."""

    def codegen(context: Any, builder: Any, signature: Any, parts: Any) -> Any:
        return _read_data(builder, parts[0])

    return types.int64(types.int64), codegen


def _index(builder: Any, index: Any, length: Any, site: Any) -> tuple[Any, Any]:
    """The index from the front, and whether it is one; negative ones count from the end."""
    negative = builder.icmp_signed("<", index, constant(0))
    index = builder.add(index, builder.select(negative, length, constant(0)))
    inside = builder.icmp_unsigned("<", index, length)
    _fault_if(builder, builder.not_(inside), site)
    return index, inside


@intrinsic(prefer_literal=True)
def es_item(typing: Any, items: Any, index: Any, site: Any) -> Any:
    """`items[index]` of data, scratch space or a tuple."""
    if not is_whole(index):
        return None
    site = types.unliteral(site)
    depth = _depth(items)
    if depth:
        return _data_type(depth - 1)(items, types.int64, site), _data_item
    if _is_scratch(items):
        return types.int64(items, types.int64, site), _scratch_item
    if not isinstance(items, types.BaseTuple):
        return None
    if isinstance(index, types.IntegerLiteral):
        number = index.literal_value
        if not -len(items) <= number < len(items):
            return None
        number %= len(items)
        return items[number](items, index, site), lambda _c, builder, _s, parts: builder.extract_value(parts[0], number)
    if not len(items) or any(not is_whole(kind) for kind in items.types):
        return None
    return types.int64(items, types.int64, site), _tuple_item


def _data_item(context: Any, builder: Any, signature: Any, parts: Any) -> Any:
    items, index, site = parts
    at = builder.extract_value(items, 0)
    index, inside = _index(builder, index, _read_data(builder, at), site)
    place = builder.add(builder.add(at, constant(1)), index)
    item = _read_data(builder, builder.select(inside, place, constant(0)))
    if signature.return_type == types.int64:
        return item
    return context.make_tuple(builder, signature.return_type, [item])


def _scratch_item(context: Any, builder: Any, signature: Any, parts: Any) -> Any:
    items, index, site = parts
    index, inside = _index(builder, index, builder.extract_value(items, 1), site)
    return builder.load(builder.gep(builder.extract_value(items, 0), [builder.select(inside, index, constant(0))]))


def _tuple_item(context: Any, builder: Any, signature: Any, parts: Any) -> Any:
    items, index, site = parts
    kind = signature.args[0]
    room = _room(builder, len(kind))
    for number, (item, own) in enumerate(zip(cgutils.unpack_tuple(builder, items), kind.types, strict=True)):
        word = context.cast(builder, item, own, types.int64)
        builder.store(word, builder.gep(room, [constant(number)]))
    index, inside = _index(builder, index, constant(len(kind)), site)
    return builder.load(builder.gep(room, [builder.select(inside, index, constant(0))]))


@intrinsic
def es_length(typing: Any, items: Any) -> Any:
    if _depth(items):
        return types.int64(items), lambda _c, builder, _s, parts: _read_data(
            builder, builder.extract_value(parts[0], 0)
        )
    if _is_scratch(items):
        return types.int64(items), lambda _c, builder, _s, parts: builder.extract_value(parts[0], 1)
    if isinstance(items, types.BaseTuple):
        length = len(items)
        return types.int64(items), lambda _c, _b, _s, _p: constant(length)
    return None


def _room(builder: Any, length: int) -> Any:
    """A pointer to `length` words on the stack, kept until the function returns."""
    room = cgutils.alloca_once(builder, ir.ArrayType(WORD, max(length, 1)))
    return builder.bitcast(room, WORD.as_pointer())


@intrinsic(prefer_literal=True)
def es_scratch(typing: Any, length: Any, value: Any) -> Any:
    """`[value] * length` on the stack; `length` is known when compiling."""
    if not isinstance(length, types.IntegerLiteral) or not is_whole(value):
        return None
    count = max(length.literal_value, 0)

    def codegen(context: Any, builder: Any, signature: Any, parts: Any) -> Any:
        room = _room(builder, count)
        with cgutils.for_range(builder, constant(count)) as loop:
            builder.store(parts[1], builder.gep(room, [loop.index]))
        return context.make_tuple(builder, _SCRATCH, [room, constant(count)])

    return _SCRATCH(length, types.int64), codegen


@intrinsic
def es_listed(typing: Any, items: Any) -> Any:
    """`[a, b, c]` on the stack."""
    if not isinstance(items, types.BaseTuple) or not all(map(is_whole, items.types)):
        return None

    def codegen(context: Any, builder: Any, signature: Any, parts: Any) -> Any:
        room = _room(builder, len(items))
        for number, (item, kind) in enumerate(zip(cgutils.unpack_tuple(builder, parts[0]), items.types, strict=True)):
            builder.store(context.cast(builder, item, kind, types.int64), builder.gep(room, [constant(number)]))
        return context.make_tuple(builder, _SCRATCH, [room, constant(len(items))])

    return _SCRATCH(items), codegen


@intrinsic
def es_set_item(typing: Any, items: Any, index: Any, value: Any, site: Any) -> Any:
    """`items[index] = value` in scratch space."""
    if not _is_scratch(items) or not is_whole(index) or not is_whole(value):
        return None

    def codegen(context: Any, builder: Any, signature: Any, parts: Any) -> Any:
        items, index, value, site = parts
        index, inside = _index(builder, index, builder.extract_value(items, 1), site)
        with builder.if_then(inside, likely=True):
            builder.store(value, builder.gep(builder.extract_value(items, 0), [index]))
        return context.get_dummy_value()

    return types.void(items, types.int64, types.int64, types.int64), codegen


@intrinsic
def es_returned(typing: Any, value: Any) -> Any:
    """A function's result; scratch space must not leave the function whose stack it is on."""
    if _is_scratch(value):
        return None
    return value(value), lambda _c, _b, _s, parts: parts[0]


@inner
def es_contains(items: Any, value: Any) -> Any:
    for number in range(es_length(items)):  # noqa: SIM110 - numba knows no any()
        if es_item(items, number, 0) == value:
            return True
    return False


# -------------------------------------------------------------------- raw memory, for kernels


@intrinsic
def es_load(typing: Any, pointer: Any, index: Any) -> Any:
    """`pointer[index]`, widened to a word."""
    signature = types.int64(pointer, types.int64)

    def codegen(context: Any, builder: Any, _signature: Any, parts: Any) -> Any:
        item = builder.load(_place(context, builder, pointer, parts))
        return context.cast(builder, item, pointer.dtype, types.int64)

    return signature, codegen


@intrinsic
def es_store(typing: Any, pointer: Any, index: Any, value: Any) -> Any:
    """`pointer[index] = value`, cut down to the pointer's kind."""

    def codegen(context: Any, builder: Any, _signature: Any, parts: Any) -> Any:
        item = context.cast(builder, parts[2], types.int64, pointer.dtype)
        builder.store(item, _place(context, builder, pointer, parts))
        return context.get_dummy_value()

    return types.void(pointer, types.int64, types.int64), codegen


def _place(context: Any, builder: Any, pointer: Any, parts: Any) -> Any:
    kind = context.get_value_type(pointer.dtype).as_pointer()
    return builder.gep(builder.bitcast(parts[0], kind), [parts[1]])


@intrinsic
def es_prefetch(typing: Any, pointer: Any, index: Any) -> Any:
    """Ask for the memory at `pointer[index]` before it is needed."""

    def codegen(context: Any, builder: Any, signature: Any, parts: Any) -> Any:
        place = builder.bitcast(_place(context, builder, pointer, parts), BYTE_POINTER)
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
        place = _place(context, builder, pointer, parts)
        return builder.extract_value(builder.cmpxchg(place, parts[2], parts[3], "acq_rel", "acquire"), 0)

    return types.int64(pointer, types.int64, types.int64, types.int64), codegen


@intrinsic
def es_count_up(typing: Any, pointer: Any, by: Any) -> Any:
    """Atomically add to `pointer[0]`; what it was."""

    def codegen(context: Any, builder: Any, signature: Any, parts: Any) -> Any:
        place = _place(context, builder, pointer, (parts[0], constant(0)))
        return builder.atomic_rmw("add", place, parts[1], "acq_rel")

    return types.int64(pointer, types.int64), codegen


@intrinsic
def es_load_settled(typing: Any, pointer: Any, index: Any) -> Any:
    """`pointer[index]`, and nothing that is read after it is any older."""

    def codegen(context: Any, builder: Any, signature: Any, parts: Any) -> Any:
        return builder.load_atomic(_place(context, builder, pointer, parts), "acquire", 8)

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


# -------------------------------------------------------------------- moves and shares


@intrinsic
def es_write_move(typing: Any, pointer: Any, index: Any, move: Any) -> Any:
    """Write a move's words from `pointer[index]` on."""
    if is_whole(move):

        def one(context: Any, builder: Any, signature: Any, parts: Any) -> Any:
            builder.store(parts[2], _place(context, builder, pointer, parts))
            return context.get_dummy_value()

        return types.void(pointer, types.int64, types.int64), one
    if not isinstance(move, types.BaseTuple) or not all(map(is_whole, move.types)):
        return None
    return types.void(pointer, types.int64, move), _write_tuple


def _write_tuple(context: Any, builder: Any, signature: Any, parts: Any) -> Any:
    pointer, _, items = signature.args[:3]
    for number, (item, kind) in enumerate(zip(cgutils.unpack_tuple(builder, parts[2]), items.types, strict=True)):
        place = _place(context, builder, pointer, (parts[0], builder.add(parts[1], constant(number))))
        builder.store(context.cast(builder, item, kind, types.int64), place)
    return context.get_dummy_value()


@intrinsic
def es_width(typing: Any, move: Any) -> Any:
    """How many words a move has, 0 for a plain number."""
    width = len(move) if isinstance(move, types.BaseTuple) else 0
    return types.int64(move), lambda _c, _b, _s, _p: constant(width)


@intrinsic(prefer_literal=True)
def es_write_share(typing: Any, pointer: Any, index: Any, share: Any, players: Any, site: Any) -> Any:
    """Write a payoff or reward from `pointer[index]` on; a single number fills the first word.

    The result says whether it is a tuple with one entry per player.
    """
    count = players.literal_value
    site, share = types.unliteral(site), types.unliteral(share)
    if is_whole(share):

        def one(context: Any, builder: Any, signature: Any, parts: Any) -> Any:
            builder.store(parts[2], _place(context, builder, pointer, parts))
            return constant(0)

        return types.int64(pointer, types.int64, types.int64, players, site), one
    if _depth(share) == 1:

        def listed(context: Any, builder: Any, signature: Any, parts: Any) -> Any:
            at = builder.extract_value(parts[2], 0)
            fits = builder.icmp_signed("==", _read_data(builder, at), constant(count))
            _fault_if(builder, builder.not_(fits), parts[4])
            for number in range(count):
                place = builder.select(fits, builder.add(at, constant(1 + number)), constant(0))
                target = (parts[0], builder.add(parts[1], constant(number)))
                builder.store(_read_data(builder, place), _place(context, builder, pointer, target))
            return constant(1)

        return types.int64(pointer, types.int64, share, players, site), listed
    if not isinstance(share, types.BaseTuple) or len(share) != count or not all(map(is_whole, share.types)):
        return None

    def several(context: Any, builder: Any, signature: Any, parts: Any) -> Any:
        _write_tuple(context, builder, signature, parts)
        return constant(1)

    return types.int64(pointer, types.int64, share, players, site), several
