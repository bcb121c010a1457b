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


class Kind:
    """What a value is; it consists of single LLVM values of these types."""

    name: str
    type: Any = None
    """That of the only one, if there is one."""

    @property
    def is_whole(self) -> bool:
        """Whether values are whole numbers, truth values among them."""
        return self.type in (WORD, BIT)

    @property
    def is_of_words(self) -> bool:
        """Whether values are words, or rows of such."""
        return self.is_whole

    @property
    def depth(self) -> int:
        """How many lists deep the rules' data of that kind is; 0 for other kinds."""
        return 0

    def types(self) -> list[Any]:
        """The LLVM types of all that a value consists of."""
        return [] if self.type is None else [self.type]

    def built(self, take: Iterator[Any], place: Callable[[int], Any] | None = None, first: int = 0) -> Operand:
        """A value from its LLVM values in order; `place` gives where the words of a row of words begin."""
        return Operand(self, None if self.type is None else next(take))


@dataclass(frozen=True, eq=False)
class ScalarKind(Kind):
    """One of the four kinds below, each of which equals only itself."""

    name: str
    type: Any = None


@dataclass(frozen=True, eq=False)
class Memory(Kind):
    """A place where numbers of one size lie side by side; what is read is widened to a word, or is a double."""

    name: str
    item: Any

    @property
    def type(self) -> Any:
        """A pointer to the first of them."""
        return self.item.as_pointer()


@dataclass(frozen=True)
class RowKind(Kind):
    """Several values; `label` and `names` are those of a named tuple."""

    items: tuple[Kind, ...]
    label: str = ""
    names: tuple[str, ...] = ()

    @property
    def name(self) -> str:  # type: ignore[override]
        """The name in messages."""
        inside = ", ".join(item.name for item in self.items)
        return self.label or f"tuple ({inside})"

    @property
    def is_of_words(self) -> bool:
        """Whether all items are such: those of lists stand for something else."""
        return self != SCRATCH and self not in DATA and all(item.is_of_words for item in self.items)

    @property
    def depth(self) -> int:
        """See `DATA`."""
        return DATA.index(self) + 1 if self in DATA else 0

    def types(self) -> list[Any]:
        """Those of all items."""
        return [part for item in self.items for part in item.types()]

    def built(self, take: Iterator[Any], place: Callable[[int], Any] | None = None, first: int = 0) -> Operand:
        """Item by item."""
        items, at = [], first
        for item in self.items:
            items.append(item.built(take, place, at))
            at += len(item.types())
        return Operand(self, tuple(items), place(first) if place and at > first else None)

    def of(self, items: list[Operand]) -> Operand:
        """A value with these items."""
        if tuple(item.kind for item in items) != self.items:
            raise Unsuited(f"{self.name} holds something else than {', '.join(each.name for each in self.items)}")
        return Operand(self, tuple(items))


WHOLE = ScalarKind("whole number", WORD)
TRUTH = ScalarKind("truth value", BIT)
REAL = ScalarKind("floating number", DOUBLE)
NOTHING = ScalarKind("nothing")
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
DATA = tuple(RowKind((WHOLE,), f"Data{depth}", ("at",)) for depth in range(1, 5))
SCRATCH = RowKind((WORDS, WHOLE, WHOLE, WHOLE), "list", ("pointer", "length", "room", "width"))
"""A list on the stack: how many items there are and may be, and the words of each."""


class Packed(NamedTuple):
    """How the numbers of a board lie in one word: the bits of each, and the bit `at` where the last one begins.

    No number is larger than `most`, if that is not 0.
    """

    bits: int
    at: int
    most: int = 0


class BoardCell(NamedTuple):
    """What a word is for each value of one number of a board, whose bits begin at bit `at` of the word `board`."""

    board: Any
    bits: int
    at: int
    table: tuple[int, ...]


class BoardPlace(NamedTuple):
    """Where a number of a board is: in the word `board`, from bit `shift` on; `lows` has the lowest bits of all."""

    board: Any
    shift: Any
    bits: int
    lows: int


class Operand(NamedTuple):
    """A kind and its LLVM value; for a row the values of its items.

    `place` is where the words of a row also lie side by side, so that an item can be found by a number. `layout` says
    that no word of a board needs more bits, and `packed` is the one word that holds them side by side, if that is at
    hand.
    """

    kind: Kind
    part: Any = None
    place: Any = None
    layout: Packed | None = None
    packed: Any = None

    @property
    def known(self) -> int | float | None:
        """The number, if it is already known."""
        if isinstance(self.part, ir.Constant) and isinstance(self.part.constant, int | float):
            return self.part.constant
        return None

    def lying(self, place: Callable[[int], Any], first: int = 0) -> Operand:
        """The same, whose words also lie side by side from where `place` says."""
        if not isinstance(self.kind, RowKind):
            return self
        items, at = [], first
        for item in self.part:
            items.append(item.lying(place, at))
            at += len(item.kind.types())
        return self._replace(part=tuple(items), place=place(first) if at > first else None)

    def leaves(self) -> list[Any]:
        """The LLVM values that it consists of."""
        if isinstance(self.kind, RowKind):
            return [part for item in self.part for part in item.leaves()]
        return [] if self.kind is NOTHING else [self.part]


def whole(part: Any) -> Operand:
    """A word."""
    return Operand(WHOLE, part)


def fixed(number: int) -> Operand:
    """A whole number that is already known."""
    return Operand(WHOLE, ir.Constant(WORD, number))


def row(items: list[Operand] | tuple[Operand, ...]) -> Operand:
    """A plain tuple of values."""
    return Operand(RowKind(tuple(item.kind for item in items)), tuple(items))
