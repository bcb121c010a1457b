"""Tuples and lists as long as a board of a state, with their items side by side in one word, as keys hold them.

Keys give the same number of bits to each item of a board; in one word, finding an item by a number takes a shift, and
replacing it a mask. Nothing is taken on trust: where an item needs more bits (LLVM mostly sees that none does), items
are handled one by one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from endsight.compiler.lowering.emitter import Emitter, constant
from endsight.compiler.lowering.kinds import WORD, Kind, Layout, Row, Value, rebuilt, types_of


def packed(to: Emitter, words: Sequence[Any], layout: Layout) -> Any:
    """Numbers that fit in one word, the first highest; LLVM sees where they came out of such a word."""
    word = constant(0)
    for number, each in enumerate(words):
        at = layout.at + (len(words) - 1 - number) * layout.bits
        part = to.builder.and_(to.builder.shl(each, constant(at)), constant(_mask(layout.bits) << at))
        word = to.builder.or_(word, part)
    return word


def unpacked(to: Emitter, word: Any, count: int, layout: Layout) -> list[Any]:
    """The last `count` numbers in a word."""
    places = [constant(layout.at + (count - 1 - number) * layout.bits) for number in range(count)]
    return [to.builder.and_(to.builder.lshr(word, place), constant(_mask(layout.bits))) for place in places]


def too_large(to: Emitter, words: Sequence[Any], layout: Layout) -> Any:
    """Whether any of some numbers does not fit."""
    every = words[0]
    for each in words[1:]:
        every = to.builder.or_(every, each)
    return to.builder.icmp_unsigned(">", every, constant(_mask(layout.bits)))


def shift_of(to: Emitter, first: Any, count: int, total: int, layout: Layout) -> Any:
    """The bit at which `count` numbers from the one at `first` on end, in a word that holds `total`."""
    left = to.builder.sub(constant(total - count), first)
    return to.builder.add(to.builder.mul(left, constant(layout.bits)), constant(layout.at))


def cut_out(to: Emitter, board: Value, kind: Kind, first: Any) -> Value:
    """The item of a board that is at hand in one word, from the number at `first` on."""
    count, total = (sum(1 for _ in types_of(each)) for each in (kind, board.kind))
    assert board.layout is not None
    word = to.builder.lshr(board.packed, shift_of(to, first, count, total, board.layout))
    layout = Layout(board.layout.bits, 0)
    item = rebuilt(kind, iter(unpacked(to, word, count, layout)).__next__)
    return item._replace(layout=layout, packed=word) if isinstance(kind, Row) else item


def at_hand(to: Emitter, board: Value, layout: Layout | None, word: Any) -> Value:
    """A board whose numbers come out of one word."""
    if layout is None:
        return board
    words = unpacked(to, word, sum(1 for _ in types_of(board.kind)), layout)
    return rebuilt(board.kind, iter(words).__next__)._replace(layout=layout, packed=word)


def es_with_boards(to: Emitter, state: Value, *words: Value) -> Value:
    """A state whose boards are at hand in these words."""
    return state._replace(part=(*state.part[: len(state.part) - len(words)], *words))


def _mask(bits: int) -> int:
    return (1 << bits) - 1


def either(to: Emitter, test: Any, yes: Callable[[], list[Any]], no: Callable[[], list[Any]]) -> list[Any]:
    """Words that are computed in one of two ways."""
    ends = []
    with to.builder.if_else(test) as ways:
        for way, words in zip(ways, (yes, no), strict=True):
            with way:
                ends.append((words(), to.builder.block))
    joins = []
    for parts in zip(*(words for words, _ in ends), strict=True):
        join = to.builder.phi(WORD)
        for part, (_, block) in zip(parts, ends, strict=True):
            join.add_incoming(part, block)
        joins.append(join)
    return joins
