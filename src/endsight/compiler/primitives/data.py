"""The rules' own lists and tuples, and lists on the stack: items, lengths, indices that must lie inside."""

from __future__ import annotations

from collections import namedtuple
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from endsight.compiler.primitives.words import WORD, constant, fault_if, inner, is_whole, shared

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


def data_depth(kind: Any) -> int:
    """How many lists deep the rules' data of that type are; 0 for other types."""
    if isinstance(kind, types.NamedUniTuple) and kind.instance_class in _DATA:
        return _DATA.index(kind.instance_class) + 1
    return 0


def _is_scratch(kind: Any) -> bool:
    return isinstance(kind, types.NamedTuple) and kind.instance_class is Scratch


def _data_type(depth: int) -> Any:
    return types.int64 if depth == 0 else types.NamedUniTuple(types.int64, 1, _DATA[depth - 1])


def read_data(builder: Any, at: Any) -> Any:
    """The number at `at` in the data array, which nothing changes while a kernel runs."""
    base = builder.load(shared(builder, "endsight_data", WORD))
    item = builder.load(builder.gep(builder.inttoptr(base, WORD.as_pointer()), [at]))
    item.set_metadata("invariant.load", builder.module.add_metadata([]))
    return item


@intrinsic
def es_use_data(typing: Any, pointer: Any) -> Any:
    """Let `es_root` and `es_item` read the data array at `pointer`."""

    def codegen(context: Any, builder: Any, signature: Any, parts: Any) -> Any:
        builder.store(builder.ptrtoint(parts[0], WORD), shared(builder, "endsight_data", WORD))
        return context.get_dummy_value()

    return types.void(_POINTER), codegen


@intrinsic
def es_root(typing: Any, number: Any) -> Any:
    """Where the list with that number begins: entries 1, 2, ... of the data array say it."""

    def codegen(context: Any, builder: Any, signature: Any, parts: Any) -> Any:
        return read_data(builder, parts[0])

    return types.int64(types.int64), codegen


def _index(builder: Any, index: Any, length: Any, site: Any) -> tuple[Any, Any]:
    """The index from the front, and whether it is one; negative ones count from the end."""
    negative = builder.icmp_signed("<", index, constant(0))
    index = builder.add(index, builder.select(negative, length, constant(0)))
    inside = builder.icmp_unsigned("<", index, length)
    fault_if(builder, builder.not_(inside), site)
    return index, inside


@intrinsic(prefer_literal=True)
def es_item(typing: Any, items: Any, index: Any, site: Any) -> Any:
    """`items[index]` of data, scratch space or a tuple."""
    if not is_whole(index):
        return None
    site = types.unliteral(site)
    depth = data_depth(items)
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
    index, inside = _index(builder, index, read_data(builder, at), site)
    place = builder.add(builder.add(at, constant(1)), index)
    item = read_data(builder, builder.select(inside, place, constant(0)))
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
    room = stack_room(builder, len(kind))
    for number, (item, own) in enumerate(zip(cgutils.unpack_tuple(builder, items), kind.types, strict=True)):
        word = context.cast(builder, item, own, types.int64)
        builder.store(word, builder.gep(room, [constant(number)]))
    index, inside = _index(builder, index, constant(len(kind)), site)
    return builder.load(builder.gep(room, [builder.select(inside, index, constant(0))]))


@intrinsic
def es_length(typing: Any, items: Any) -> Any:
    if data_depth(items):
        return types.int64(items), lambda _c, builder, _s, parts: read_data(builder, builder.extract_value(parts[0], 0))
    if _is_scratch(items):
        return types.int64(items), lambda _c, builder, _s, parts: builder.extract_value(parts[0], 1)
    if isinstance(items, types.BaseTuple):
        length = len(items)
        return types.int64(items), lambda _c, _b, _s, _p: constant(length)
    return None


def stack_room(builder: Any, length: int) -> Any:
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
        room = stack_room(builder, count)
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
        room = stack_room(builder, len(items))
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
