"""The rules' own lists and tuples, and lists on the stack: items, lengths, indices that must lie inside.

And moves and players' shares, written to memory in words.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from llvmlite import ir

from endsight.compiler.lowering.emitter import Emitter, constant
from endsight.compiler.lowering.kinds import (
    BIT,
    DATA,
    NOTHING,
    SCRATCH,
    TRUTH,
    WHOLE,
    WORD,
    WORDS,
    Kind,
    Operand,
    Packed,
    RowKind,
    Unsuited,
    fixed,
    whole,
)
from endsight.compiler.lowering.operations.boards import (
    at_hand,
    cut_out,
    either,
    fits,
    most_of,
    packed,
    shift_of,
    too_large,
    unpacked,
)
from endsight.compiler.lowering.operations.memory import place_of
from endsight.compiler.lowering.operations.spans import span_of
from endsight.game.numbers import count_text

_MOST = 1 << 40
"""Amounts of that size: kernels add up millions of them, and have larger numbers for "no value yet"."""


def read_data(to: Emitter, at: Any) -> Any:
    """The number at `at` in the data array, which nothing changes while a kernel runs."""
    known = to.known_data
    if known is not None:
        if isinstance(at, ir.Constant):
            return known.initializer.constant[at.constant]
        return to.builder.load(to.builder.gep(known, [constant(0), at]))
    base = to.builder.load(to.shared("endsight_data"))
    item = to.builder.load(to.builder.gep(to.builder.inttoptr(base, WORD.as_pointer()), [at]))
    item.set_metadata("invariant.load", to.function.module.add_metadata([]))
    return item


def es_use_data(to: Emitter, memory: Operand) -> Operand:
    """Let `es_root` and `es_item` read the data array there."""
    to.builder.store(to.builder.ptrtoint(memory.part, WORD), to.shared("endsight_data"))
    return Operand(NOTHING)


def es_root(to: Emitter, number: Operand) -> Operand:
    """Where the list with that number begins, from entries 1, 2, ... of the data array."""
    return whole(read_data(to, to.word(number)))


def _index(to: Emitter, index: Any, length: Any, site: Any) -> tuple[Any, Any]:
    """The index from the front, and whether it is valid; negative ones count from the end."""
    builder, (least, most) = to.builder, span_of(to, index)
    if isinstance(length, ir.Constant) and 0 <= least <= most < length.constant:
        return index, to.bit(1)
    negative = builder.icmp_signed("<", index, constant(0))
    index = builder.add(index, builder.select(negative, length, constant(0)))
    inside = builder.icmp_unsigned("<", index, length)
    to.fault_if(builder.not_(inside), site)
    return index, inside


def es_item(to: Emitter, items: Operand, index: Operand, site: Operand) -> Operand:
    """`items[index]` of data, scratch space or a tuple."""
    if not isinstance(items.kind, RowKind):
        raise Unsuited(f"a {items.kind.name} has no items")
    if items.kind.depth:
        return _data_item(to, items, to.word(index), site.part)
    if items.kind == SCRATCH:
        return _scratch_item(to, items, to.word(index), site.part)
    known = index.known
    if isinstance(known, int):
        if not -len(items.part) <= known < len(items.part):
            raise Unsuited(f"a tuple of {len(items.part)} has no item {known}")
        item: Operand = items.part[known]
        if items.packed is not None and isinstance(item.kind, RowKind):
            # The items before it may have other lengths.
            before = items.part[: known % len(items.part)]
            return cut_out(to, items, item.kind, constant(sum(1 for each in before for _ in each.leaves())))
        return item
    items = to.settled(items)
    if not items.part:  # code that is never reached may compare with an empty tuple
        to.fault_if(to.bit(1), site.part)
        return whole(constant(0))
    if not items.kind.is_of_words or len({item.kind for item in items.part}) > 1:
        raise Unsuited(f"which item of a {items.kind.name} is not known when compiling")
    return _tuple_item(to, items, to.word(index), site.part)


def _data_item(to: Emitter, items: Operand, index: Any, site: Any) -> Operand:
    at = items.part[0].part
    given, cell = index, to.cells.get(index)
    index, inside = _index(to, index, read_data(to, at), site)
    if items.kind.depth == 1 and to.known_data is not None and isinstance(at, ir.Constant):
        numbers = [number.constant for number in to.known_data.initializer.constant]
        few = numbers[at.constant + 1 : at.constant + 1 + numbers[at.constant]]
        if (shifted := _shifted(to, few, to.builder.select(inside, index, constant(0)))) is not None:
            is_short = cell is not None and all(-len(few) <= each < len(few) for each in cell.table)
            return whole(to.as_cell(shifted, to.cell_of(few.__getitem__, given) if is_short else None))
    place = to.builder.add(to.builder.add(at, constant(1)), index)
    item = whole(read_data(to, to.builder.select(inside, place, constant(0))))
    depth = items.kind.depth
    return item if depth == 1 else DATA[depth - 2].of([item])


def _shifted(to: Emitter, numbers: list[int], index: Any) -> Any:
    """One of some known numbers, out of a word that holds them all; None if they do not fit."""
    least = min(numbers, default=0)
    width = (max(numbers, default=0) - least).bit_length()
    if not numbers or width * len(numbers) >= 64:
        return None
    word = sum((number - least) << at * width for at, number in enumerate(numbers))
    part = to.builder.lshr(constant(word), to.builder.mul(index, constant(width)))
    return to.builder.add(to.builder.and_(part, constant((1 << width) - 1)), constant(least))


def _scratch_item(to: Emitter, items: Operand, index: Any, site: Any) -> Operand:
    memory, length, *_ = items.part
    index, inside = _index(to, index, length.part, site)
    return whole(to.builder.load(place_of(to, memory, to.builder.select(inside, index, constant(0)))))


def _tuple_item(to: Emitter, items: Operand, index: Any, site: Any) -> Operand:
    words, kind = items.leaves(), items.part[0].kind
    width = len(words) // len(items.part)
    to.finds_in_loop = to.finds_in_loop or to.escape is not None
    index, inside = _index(to, index, constant(len(items.part)), site)
    first = to.builder.mul(to.builder.select(inside, index, constant(0)), constant(width))
    layout = to.lengths.get(len(words))
    if items.packed is None and layout is not None and fits(most_of(to, words), layout):
        items = items._replace(layout=layout, packed=packed(to, words, layout))
    if items.packed is not None:
        return cut_out(to, items, kind, first)
    room = items.place
    if room is None:
        room = to.words_room(len(words))
        for number, word in enumerate(words):
            to.builder.store(word, to.builder.gep(room, [constant(number)]))
    return loaded(to, kind, to.builder.gep(room, [first]))


def loaded(to: Emitter, kind: Kind, place: Any) -> Operand:
    """A value of words that lie side by side."""
    places = [to.builder.gep(place, [constant(number)]) for number in range(len(kind.types()))]
    return kind.built((to.builder.load(each) for each in places), places.__getitem__)


def es_length(to: Emitter, items: Operand) -> Operand:
    """The number of items."""
    if not isinstance(items.kind, RowKind):
        raise Unsuited(f"a {items.kind.name} has no length")
    if items.kind.depth:
        return whole(read_data(to, items.part[0].part))
    length: Operand = items.part[1] if items.kind == SCRATCH else whole(constant(len(items.part)))
    return length


def es_room(to: Emitter, room: Operand, width: Operand) -> Operand:
    """An empty list on the stack with room for `room` items of `width` words, both known at compile time."""
    items, words = room.known, width.known
    if not isinstance(items, int) or not isinstance(words, int):
        raise Unsuited("the room of a list is not known when compiling")
    memory = to.words_room(items * words)
    for number in range(words):  # what an index out of range reads until the fault is told
        to.rooms.store(constant(0), to.rooms.gep(memory, [constant(number)]))
    return _list(memory, constant(0), room.part, width.part)


def _list(place: Any, length: Any, room: Any, width: Any) -> Operand:
    return SCRATCH.of([Operand(WORDS, place), whole(length), whole(room), whole(width)])


def _longer(items: Operand, length: Any) -> Operand:
    """The list with another length; its words are there already."""
    memory, _, room, width = items.part
    return _list(memory.part, length, room.part, width.part)


def es_width_of(to: Emitter, shape: Operand) -> Operand:
    """The number of words of a value."""
    return fixed(len(words_of(to.settled(shape))))


def es_filled(to: Emitter, items: Operand, values: Operand) -> Operand:
    """A new list with these items."""
    words = [to.word(word) for value in values.part for word in words_of(value)]
    for number, word in enumerate(words):
        to.builder.store(word, place_of(to, items.part[0], constant(number)))
    return _longer(items, constant(len(values.part)))


def words_of(value: Operand) -> list[Operand]:
    """The numbers that a value consists of."""
    if not value.kind.is_of_words and not value.kind.depth:
        raise Unsuited(f"a {value.kind.name} does not consist of numbers")
    return [Operand(TRUTH if part.type == BIT else WHOLE, part) for part in value.leaves()]


def es_append(to: Emitter, items: Operand, value: Operand, site: Operand) -> Operand:
    """The list with one more item; a fault if there is no room."""
    memory, length, room, _ = items.part
    words = words_of(value)
    fits = to.builder.icmp_signed("<", length.part, room.part)
    to.fault_if(to.builder.not_(fits), site.part)
    at = to.builder.mul(to.builder.select(fits, length.part, constant(0)), constant(len(words)))
    with to.builder.if_then(fits, likely=True):
        _write(to, memory, at, words)
    return _longer(items, to.builder.select(fits, to.builder.add(length.part, constant(1)), length.part))


def es_row(to: Emitter, items: Operand, index: Operand, shape: Operand, site: Operand) -> Operand:
    """`items[index]` of a list whose items are tuples like `shape`."""
    memory, length, *_ = items.part
    shape = to.settled(shape)
    words = len(words_of(shape))
    at, inside = _index(to, to.word(index), length.part, site.part)
    first = to.builder.mul(to.builder.select(inside, at, constant(0)), constant(words))
    return loaded(to, shape.kind, place_of(to, memory, first))


def es_put_length(to: Emitter, items: Operand, length: Operand) -> Operand:
    """The list with another length; its words are there already."""
    return _longer(items, to.word(length))


def es_set_item(to: Emitter, items: Operand, index: Operand, value: Operand, site: Operand) -> Operand:
    """`items[index] = value` in a list."""
    if items.kind != SCRATCH:
        raise Unsuited(f"the items of a {items.kind.name} cannot be changed")
    memory, length, *_ = items.part
    words = words_of(value)
    place, inside = _index(to, to.word(index), length.part, site.part)
    first = to.builder.mul(place, constant(len(words)))
    with to.builder.if_then(inside, likely=True):
        _write(to, memory, first, words)
    return Operand(NOTHING)


def es_replaced(to: Emitter, items: Operand, index: Operand, value: Operand, site: Operand) -> Operand:
    """A tuple with another item at a place; none needs to lie in memory if there are as many numbers as in a board."""
    old, new = items.leaves(), [to.word(word) for word in words_of(value)]
    total, width, number = len(items.part), len(new), len(old)
    if total * width != number:
        raise Unsuited(f"a {value.kind.name} does not stand in a {items.kind.name}")
    at, inside = _index(to, to.word(index), constant(total), site.part)
    layout, most = to.lengths.get(number) if items.layout is None else items.layout, most_of(to, [*old, *new])

    def one_by_one() -> list[Any]:
        here = [to.builder.icmp_signed("==", at, constant(each)) for each in range(total)]
        return [to.builder.select(here[each // width], new[each % width], old[each]) for each in range(number)]

    def at_once() -> Any:
        assert layout is not None
        first = to.builder.mul(to.builder.select(inside, at, constant(0)), constant(width))
        shift = shift_of(to, first, width, number, layout)
        hole = to.builder.not_(to.builder.shl(constant((1 << width * layout.bits) - 1), shift))
        filled = to.builder.shl(packed(to, new, Packed(layout.bits, 0)), shift)
        word = packed(to, old, layout) if items.packed is None else items.packed
        return to.builder.or_(to.builder.and_(word, hole), filled)

    if layout is not None and fits(most, layout):
        return at_hand(to, items, layout._replace(most=most or 0), at_once())
    if layout is None:
        words = one_by_one()
    else:
        suspects = new if items.packed is not None else [*old, *new]
        words = either(to, too_large(to, suspects, layout), one_by_one, lambda: unpacked(to, at_once(), number, layout))
    return items.kind.built(iter(words))


# -------------------------------------------------------------------- moves and shares


def _write(to: Emitter, memory: Operand, index: Any, items: Sequence[Operand]) -> None:
    for number, item in enumerate(items):
        to.builder.store(to.word(item), place_of(to, memory, to.builder.add(index, constant(number))))


def es_write_move(to: Emitter, memory: Operand, index: Operand, move: Operand) -> Operand:
    """Write a move's words from `memory[index]` on."""
    _write(to, memory, to.word(index), words_of(move))
    return Operand(NOTHING)


def es_width(to: Emitter, move: Operand) -> Operand:
    """The number of words of a move, 0 for a plain number."""
    return whole(constant(len(words_of(move)) if isinstance(move.kind, RowKind) else 0))


def es_write_share(
    to: Emitter, memory: Operand, index: Operand, share: Operand, players: Operand, site: Operand
) -> Operand:
    """Write a payoff or reward from `memory[index]` on; a single number fills the first word.

    The result says whether it is a tuple with one entry per player.
    """
    count, at = players.known, to.word(index)
    assert isinstance(count, int)
    is_tuple = not share.kind.is_whole  # see `results.require_result`
    items = share.part if is_tuple else (share,)
    if is_tuple and len(items) != count:
        raise Unsuited(f"a payoff or reward has {count_text(len(items), 'entry')} for {count_text(count, 'player')}")
    for item in items:
        _check(to, to.word(item), site.part)
    _write(to, memory, at, items)
    return whole(constant(int(is_tuple)))


def _check(to: Emitter, amount: Any, site: Any) -> None:
    """Leave amounts beyond `_MOST` to Python's own whole numbers."""
    from_least = to.builder.add(amount, constant(_MOST))
    to.fault_if(to.builder.icmp_unsigned(">", from_least, constant(2 * _MOST)), site)
