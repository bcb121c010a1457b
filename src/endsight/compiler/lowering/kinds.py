"""The kinds of values while rules become machine code: words, truth values, doubles, memory, rows of these.

A row is a tuple, with or without names: its items stay single values and are combined only where a function returns
them. Truth values become words wherever they are stored.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from llvmlite import ir

from endsight.compiler.refusal import CannotCompile

WORD, BIT, DOUBLE = ir.IntType(64), ir.IntType(1), ir.DoubleType()


class Unsuited(CannotCompile):
    """Values that an operation does not accept, or text that has no machine code; the message says which."""


@dataclass(frozen=True, eq=False)
class Scalar:
    """One of the four kinds below, each of which equals only itself."""

    name: str
    type: Any = None


@dataclass(frozen=True, eq=False)
class Memory:
    """A place where numbers of one size lie side by side; what is read is widened to a word, or is a double."""

    name: str
    item: Any


@dataclass(frozen=True)
class Row:
    """Several values; `label` and `names` are those of a named tuple."""

    items: tuple[Kind, ...]
    label: str = ""
    names: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The name in messages."""
        inside = ", ".join(item.name for item in self.items)
        return self.label or f"tuple ({inside})"


Kind = Scalar | Memory | Row

WHOLE = Scalar("whole number", WORD)
TRUTH = Scalar("truth value", BIT)
REAL = Scalar("floating number", DOUBLE)
NOTHING = Scalar("nothing")
WORDS = Memory("memory of words", WORD)
MEMORY = {
    "p_": WORDS,
    "h_": Memory("memory of 32-bit numbers", ir.IntType(32)),
    "b_": Memory("memory of bytes", ir.IntType(8)),
    "d_": Memory("memory of doubles", DOUBLE),
}
"""By the first letters of a parameter of an entry."""

# Lists of the rules' data: where in the data array the length stands, the items after it.
# Data1 holds numbers, Data2 lists of numbers, and so on.
DATA = tuple(Row((WHOLE,), f"Data{depth}", ("at",)) for depth in range(1, 5))
SCRATCH = Row((WORDS, WHOLE, WHOLE, WHOLE), "list", ("pointer", "length", "room", "width"))
"""A list on the stack: how many items there are and may be, and the words of each."""


class Layout(NamedTuple):
    """How the numbers of a board lie in one word: the bits of each, and the bit `at` where the last one begins.

    No number is larger than `most`, if that is not 0.
    """

    bits: int
    at: int
    most: int = 0


class Cell(NamedTuple):
    """What a word is for each value of one number of a board, whose bits begin at bit `at` of the word `board`."""

    board: Any
    bits: int
    at: int
    table: tuple[int, ...]


class Value(NamedTuple):
    """A kind and its LLVM value; for a row the values of its items.

    `place` is where the words of a row also lie side by side, so that an item can be found by a number. `layout` says
    that no word of a board needs more bits, and `packed` is the one word that holds them side by side, if that is at
    hand.
    """

    kind: Kind
    part: Any = None
    place: Any = None
    layout: Layout | None = None
    packed: Any = None


def whole(part: Any) -> Value:
    """A word."""
    return Value(WHOLE, part)


def fixed(number: int) -> Value:
    """A whole number that is already known."""
    return Value(WHOLE, ir.Constant(WORD, number))


def fixed_value(value: Value) -> int | float | None:
    """The number, if it is already known."""
    if isinstance(value.part, ir.Constant) and isinstance(value.part.constant, int | float):
        return value.part.constant
    return None


def row(items: list[Value] | tuple[Value, ...]) -> Value:
    """A plain tuple of values."""
    return Value(Row(tuple(item.kind for item in items)), tuple(items))


def named(kind: Row, items: list[Value]) -> Value:
    """A row of that kind."""
    if tuple(item.kind for item in items) != kind.items:
        raise Unsuited(f"{kind.name} holds something else than {', '.join(each.name for each in kind.items)}")
    return Value(kind, tuple(items))


def is_whole(kind: Kind) -> bool:
    """Whether values of that kind are whole numbers, truth values among them."""
    return kind is WHOLE or kind is TRUTH


def is_of_words(kind: Kind) -> bool:
    """Whether values of that kind are words, or rows of such."""
    if not isinstance(kind, Row):
        return is_whole(kind)
    return kind != SCRATCH and kind not in DATA and all(map(is_of_words, kind.items))


def data_depth(kind: Kind) -> int:
    """How many lists deep the rules' data of that kind is; 0 for other kinds."""
    return DATA.index(kind) + 1 if isinstance(kind, Row) and kind in DATA else 0


def leaves(value: Value) -> Iterator[Any]:
    """The LLVM values that a value consists of."""
    if isinstance(value.kind, Row):
        for item in value.part:
            yield from leaves(item)
    elif value.kind is not NOTHING:
        yield value.part


def types_of(kind: Kind) -> Iterator[Any]:
    """The LLVM types of the same."""
    if isinstance(kind, Row):
        for item in kind.items:
            yield from types_of(item)
    elif isinstance(kind, Memory):
        yield kind.item.as_pointer()
    elif kind is not NOTHING:
        yield kind.type


def rebuilt(kind: Kind, take: Callable[[], Any], place: Callable[[int], Any] | None = None, first: int = 0) -> Value:
    """A value of that kind from its LLVM values in order; `place` gives where the words of a row of words begin."""
    if isinstance(kind, Row):
        items, at = [], first
        for item in kind.items:
            items.append(rebuilt(item, take, place, at))
            at += sum(1 for _ in types_of(item))
        return Value(kind, tuple(items), place and place(first))
    return Value(kind, None if kind is NOTHING else take())
