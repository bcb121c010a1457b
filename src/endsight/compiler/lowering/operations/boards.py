"""Tuples and lists as long as a board of a state, with their items side by side in one word, as keys hold them.

Keys give the same number of bits to each item of a board; in one word, finding an item by a number takes a shift, and
replacing it a mask. Where an item needs more bits, items are handled one by one. That no item of a state is larger than
`limits()` says is checked where a state is made, and known from there on.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from llvmlite import ir

from endsight.compiler.lowering.emitter import Emitter, constant
from endsight.compiler.lowering.kinds import WORD, BoardCell, BoardPlace, Kind, Operand, Packed, RowKind
from endsight.compiler.lowering.operations.alike import alike
from endsight.compiler.lowering.operations.spans import span_of

_MOST_TOLD = 7
"""Up to this number it is told what a word is for each value of a number of a board."""


def packed(to: Emitter, words: Sequence[Any], layout: Packed) -> Any:
    """Numbers that fit in one word, the first highest; LLVM sees where they came out of such a word."""
    if (made := alike(to, words, layout.bits)) is not None:
        return to.builder.shl(made, constant(layout.at))
    word = constant(0)
    for number, each in enumerate(words):
        at = layout.at + (len(words) - 1 - number) * layout.bits
        part = to.builder.and_(to.builder.shl(each, constant(at)), constant(_mask(layout.bits) << at))
        word = to.builder.or_(word, part)
    return word


def unpacked(to: Emitter, word: Any, count: int, layout: Packed) -> list[Any]:
    """The last `count` numbers in a word."""
    places = [layout.at + (count - 1 - number) * layout.bits for number in range(count)]
    mask, most = constant(_mask(layout.bits)), layout.most or _mask(layout.bits)
    words = [to.builder.and_(to.builder.lshr(word, constant(place)), mask) for place in places]
    if most <= _MOST_TOLD and not isinstance(word, ir.Constant):
        table = tuple(range(most + 1))
        to.cells |= {part: BoardCell(word, layout.bits, at, table) for part, at in zip(words, places, strict=True)}
    return words


def too_large(to: Emitter, words: Sequence[Any], layout: Packed) -> Any:
    """Whether any of some numbers does not fit."""
    suspects = [each for each in words if not fits(most_of(to, [each]), layout)]
    if not suspects:
        return to.bit(0)
    return to.builder.icmp_unsigned(">", functools.reduce(to.builder.or_, suspects), constant(_mask(layout.bits)))


def most_of(to: Emitter, words: Sequence[Any]) -> int | None:
    """The largest number that any of some words may be; None if one may be below 0."""
    spans = [span_of(to, each) for each in words]
    return max(span[1] for span in spans) if min(span[0] for span in spans) >= 0 else None


def fits(most: int | None, layout: Packed) -> bool:
    """Whether numbers up to one are known to fit."""
    return most is not None and most <= _mask(layout.bits)


def over(to: Emitter, word: Any, count: int, layout: Packed) -> Any:
    """Whether any of `count` numbers in a word is larger than `most`: then it carries out of its bits."""
    builder, lows = to.builder, sum(1 << layout.at + number * layout.bits for number in range(count))
    spare, tops = (constant(lows * each) for each in (_mask(layout.bits) - layout.most, 1 << layout.bits - 1))
    carried = builder.and_(builder.or_(word, spare), builder.not_(builder.add(word, spare)))
    found = builder.and_(builder.or_(builder.and_(word, spare), carried), tops)
    return builder.icmp_signed("!=", found, constant(0))


def shift_of(to: Emitter, first: Any, count: int, total: int, layout: Packed) -> Any:
    """The bit at which `count` numbers from the one at `first` on end, in a word that holds `total`."""
    left = to.builder.sub(constant(total - count), first)
    return to.builder.add(to.builder.mul(left, constant(layout.bits)), constant(layout.at))


def cut_out(to: Emitter, board: Operand, kind: Kind, first: Any) -> Operand:
    """The item of a board that is at hand in one word, from the number at `first` on."""
    count, total = (len(each.types()) for each in (kind, board.kind))
    assert board.layout is not None
    shift = shift_of(to, first, count, total, board.layout)
    word = to.builder.lshr(board.packed, shift)
    layout = board.layout._replace(at=0)
    words = unpacked(to, word, count, layout)
    to.places[word if count > 1 else words[0]] = _place(to, board.packed, shift, total, board.layout)
    item = kind.built(iter(words))
    return item._replace(layout=layout, packed=word) if isinstance(kind, RowKind) else item


def _place(to: Emitter, word: Any, shift: Any, total: int, layout: Packed) -> BoardPlace:
    """Where numbers of a board of `total` are that begin at a bit of a word, which may itself be a row of a board."""
    outer = to.places.get(word)
    if outer is None:
        lows = sum(1 << layout.at + number * layout.bits for number in range(total))
        return BoardPlace(word, shift, layout.bits, lows)
    return outer._replace(shift=to.builder.add(outer.shift, shift))


def rejoined(to: Emitter, items: Operand) -> Operand:
    """A tuple whose items are one row of a board, in order: at hand in one word, too."""
    words = items.leaves()
    layout, first = to.lengths.get(len(words)), to.cells.get(words[0]) if words else None
    if layout is None or first is None or first.bits != layout.bits or not items.kind.is_of_words:
        return items
    row = [first._replace(at=first.at - number * layout.bits) for number in range(len(words))]
    if first.table != tuple(range(len(first.table))) or row != [to.cells.get(word) for word in words]:
        return items
    word = to.once("lshr", first.board, row[-1].at, make=lambda: to.builder.lshr(first.board, constant(row[-1].at)))
    return items._replace(layout=Packed(layout.bits, 0, len(first.table) - 1), packed=word)


def at_hand(to: Emitter, board: Operand, layout: Packed | None, word: Any) -> Operand:
    """A board whose numbers come out of one word."""
    if layout is None:
        return board
    words = unpacked(to, word, len(board.kind.types()), layout)
    return board.kind.built(iter(words))._replace(layout=layout, packed=word)


class Passing(NamedTuple):
    """How values of one kind go from one place to another: a board at hand in one word as that word, others in words.

    layout  that of a board
    is_one  whether it is at hand in one word
    items   those of the items of a row that is no such board
    """

    kind: Kind
    layout: Packed | None = None
    is_one: bool = False
    items: tuple[Passing, ...] = ()

    @staticmethod
    def of(*values: Operand) -> Passing:
        """That of values of one kind, any of which may come."""
        kind, layout = values[0].kind, values[0].layout
        layout = layout if all(each.layout == layout for each in values) else None
        if layout is not None and all(each.packed is not None for each in values):
            return Passing(kind, layout, is_one=True)
        parts = zip(*(each.part for each in values), strict=True) if isinstance(kind, RowKind) else ()
        return Passing(kind, layout, items=tuple(Passing.of(*each) for each in parts))

    def types(self) -> list[Any]:
        """Those of the words."""
        if self.is_one:
            return [WORD]
        return [part for each in self.items for part in each.types()] if self.items else self.kind.types()

    def words(self, value: Operand) -> list[Any]:
        """The words that a value goes in."""
        if self.is_one:
            return [value.packed]
        if not self.items:
            return value.leaves()
        return [word for each, part in zip(self.items, value.part, strict=True) for word in each.words(part)]

    def value(self, to: Emitter, words: Iterator[Any]) -> Operand:
        """The value that came in these words."""
        if self.is_one:
            return at_hand(to, Operand(self.kind), self.layout, next(words))
        if not self.items:
            return self.kind.built(words)
        return Operand(self.kind, tuple(each.value(to, words) for each in self.items), layout=self.layout)


def es_with_boards(to: Emitter, state: Operand, *words: Operand) -> Operand:
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
    return to.met(ends)
