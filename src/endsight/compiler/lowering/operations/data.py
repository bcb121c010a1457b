"""The rules' own lists and tuples, and lists on the stack: items, lengths, indices that must lie inside."""

from __future__ import annotations

from typing import Any

from endsight.compiler.lowering.emitter import Emitter, constant
from endsight.compiler.lowering.kinds import (
    DATA,
    NOTHING,
    SCRATCH,
    WORD,
    WORDS,
    Row,
    Unsuited,
    Value,
    data_depth,
    fixed_value,
    is_whole,
    named,
    whole,
)
from endsight.compiler.lowering.operations.memory import place_of

Data1, Data2, Data3, Data4 = DATA


def read_data(to: Emitter, at: Any) -> Any:
    """The number at `at` in the data array, which nothing changes while a kernel runs."""
    base = to.builder.load(to.shared("endsight_data"))
    item = to.builder.load(to.builder.gep(to.builder.inttoptr(base, WORD.as_pointer()), [at]))
    item.set_metadata("invariant.load", to.function.module.add_metadata([]))
    return item


def es_use_data(to: Emitter, memory: Value) -> Value:
    """Let `es_root` and `es_item` read the data array there."""
    to.builder.store(to.builder.ptrtoint(memory.part, WORD), to.shared("endsight_data"))
    return Value(NOTHING)


def es_root(to: Emitter, number: Value) -> Value:
    """Where the list with that number begins: entries 1, 2, ... of the data array say it."""
    return whole(read_data(to, to.word(number)))


def _index(to: Emitter, index: Any, length: Any, site: Any) -> tuple[Any, Any]:
    """The index from the front, and whether it is one; negative ones count from the end."""
    builder = to.builder
    negative = builder.icmp_signed("<", index, constant(0))
    index = builder.add(index, builder.select(negative, length, constant(0)))
    inside = builder.icmp_unsigned("<", index, length)
    to.fault_if(builder.not_(inside), site)
    return index, inside


def es_item(to: Emitter, items: Value, index: Value, site: Value) -> Value:
    """`items[index]` of data, scratch space or a tuple."""
    if not isinstance(items.kind, Row):
        raise Unsuited(f"a {items.kind.name} has no items")
    if data_depth(items.kind):
        return _data_item(to, items, to.word(index), site.part)
    if items.kind == SCRATCH:
        return _scratch_item(to, items, to.word(index), site.part)
    known = fixed_value(index)
    if isinstance(known, int):
        if not -len(items.part) <= known < len(items.part):
            raise Unsuited(f"a tuple of {len(items.part)} has no item {known}")
        item: Value = items.part[known]
        return item
    if not items.part or not all(map(is_whole, items.kind.items)):
        raise Unsuited(f"which item of a {items.kind.name} is not known when compiling")
    return _tuple_item(to, items, to.word(index), site.part)


def _data_item(to: Emitter, items: Value, index: Any, site: Any) -> Value:
    at = items.part[0].part
    index, inside = _index(to, index, read_data(to, at), site)
    place = to.builder.add(to.builder.add(at, constant(1)), index)
    item = whole(read_data(to, to.builder.select(inside, place, constant(0))))
    depth = data_depth(items.kind)
    return item if depth == 1 else named(DATA[depth - 2], [item])


def _scratch_item(to: Emitter, items: Value, index: Any, site: Any) -> Value:
    memory, length = items.part
    index, inside = _index(to, index, length.part, site)
    return whole(to.builder.load(place_of(to, memory, to.builder.select(inside, index, constant(0)))))


def _tuple_item(to: Emitter, items: Value, index: Any, site: Any) -> Value:
    room = to.words_room(len(items.part))
    for number, item in enumerate(items.part):
        to.builder.store(to.word(item), to.builder.gep(room, [constant(number)]))
    index, inside = _index(to, index, constant(len(items.part)), site)
    return whole(to.builder.load(to.builder.gep(room, [to.builder.select(inside, index, constant(0))])))


def es_length(to: Emitter, items: Value) -> Value:
    """How many items there are."""
    if not isinstance(items.kind, Row):
        raise Unsuited(f"a {items.kind.name} has no length")
    if data_depth(items.kind):
        return whole(read_data(to, items.part[0].part))
    length: Value = items.part[1] if items.kind == SCRATCH else whole(constant(len(items.part)))
    return length


def es_scratch(to: Emitter, length: Value, value: Value) -> Value:
    """`[value] * length` on the stack; `length` is known when compiling."""
    known = fixed_value(length)
    if not isinstance(known, int):
        raise Unsuited("the length of a list is not known when compiling")
    count, word = max(known, 0), to.word(value)
    room = to.words_room(count)
    if count:
        _fill(to, room, count, word)
    return named(SCRATCH, [Value(WORDS, room), whole(constant(count))])


def _fill(to: Emitter, room: Any, count: int, word: Any) -> None:
    """Write the word `count` times."""
    builder = to.builder
    before, loop, after = builder.block, builder.append_basic_block("fill"), builder.append_basic_block("filled")
    builder.branch(loop)
    builder.position_at_end(loop)
    number = builder.phi(WORD)
    number.add_incoming(constant(0), before)
    builder.store(word, builder.gep(room, [number]))
    following = builder.add(number, constant(1))
    number.add_incoming(following, loop)
    builder.cbranch(builder.icmp_signed("<", following, constant(count)), loop, after)
    builder.position_at_end(after)


def es_listed(to: Emitter, items: Value) -> Value:
    """`[a, b, c]` on the stack."""
    room = to.words_room(len(items.part))
    for number, item in enumerate(items.part):
        to.builder.store(to.word(item), to.builder.gep(room, [constant(number)]))
    return named(SCRATCH, [Value(WORDS, room), whole(constant(len(items.part)))])


def es_set_item(to: Emitter, items: Value, index: Value, value: Value, site: Value) -> Value:
    """`items[index] = value` in scratch space."""
    if items.kind != SCRATCH:
        raise Unsuited(f"the items of a {items.kind.name} cannot be changed")
    memory, length = items.part
    word = to.word(value)
    place, inside = _index(to, to.word(index), length.part, site.part)
    with to.builder.if_then(inside, likely=True):
        to.builder.store(word, place_of(to, memory, place))
    return Value(NOTHING)


def es_returned(to: Emitter, value: Value) -> Value:
    """A function's result; scratch space must not leave the function whose stack it is on."""
    if _holds_scratch(value):
        raise Unsuited("a list that was made here is returned")
    return value


def _holds_scratch(value: Value) -> bool:
    return isinstance(value.kind, Row) and (value.kind == SCRATCH or any(map(_holds_scratch, value.part)))
