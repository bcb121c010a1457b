"""The core: the small typed language that rules are translated into before anything runs.

It lies between Python's text and machine code, and each node has one meaning, which `interpreter` states in plain
Python and `writing` turns into the machine's. It has no objects, no outside names and no exceptions: where Python would
raise, there is a *fault* at a site, a place in the rules, after which the plain engine takes over from the beginning.

Values: whole numbers of 64 bits, whose arithmetic is checked; truth values; fractions, as whole numbers of parts of the
program's denominator (`program.Program.denominator`); numbers of objects; tuples of known length (a state is one with
names); sequences of numbers, or of tuples of numbers, with a largest length; tables, which are constant sequences of
sequences. Expressions have no effects and may be evaluated in any order and any number of times, with two exceptions:
of the parts of `Choice` and `Either`, only those that Python would reach are evaluated, and calls of functions that
change items of a list stand alone in a statement. A name is a variable of one function; stored sequences are copied.
"""

from __future__ import annotations

from operator import attrgetter
from typing import Any, ClassVar, Self, TypeAlias, cast, dataclass_transform


@dataclass_transform(frozen_default=True)
class Node:
    """A type or a node: its annotated attributes in order, compared by value, as of a `dataclass` (slow to make)."""

    _fields: ClassVar[tuple[str, ...]] = ()
    _values: ClassVar[attrgetter[Any]]
    """The attributes of a node, for comparing."""

    def __init_subclass__(cls) -> None:
        cls._fields = tuple(cls.__dict__.get("__annotations__", ()) or cls.__annotations__)
        cls._values = attrgetter("_fields", *cls._fields)

    def __init__(self, *values: Any, **named: Any) -> None:
        own = self.__dict__
        own.update(zip(self._fields, values, strict=False))
        if named:
            own.update(named)

    def but(self, **values: Any) -> Any:
        """A copy with other values of some attributes."""
        return type(self)(**(vars(self) | values))

    def __eq__(self, other: object) -> bool:
        return self is other or (type(self) is type(other) and self._values(self) == self._values(other))

    def __hash__(self) -> int:
        return hash((type(self), self._values(self)))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(repr(getattr(self, name)) for name in self._fields)})"


# -------------------------------------------------------------------- types


class Type(Node):
    """A type: what is asked of any of them, and what those say that it does not concern.

    `sort` is the Python type of a tuple, sequence or constant ("tuple" for others), `name` the one in messages.
    """

    is_tuple = is_sequence = is_table = is_object = is_truth = False
    items = names = numbers = kinds = lengths = label = cast("Any", ())
    item = count = name = member = cast("Any", None)
    sort = cast("Any", "tuple")
    depth = 0

    @property
    def is_long(self) -> bool:
        """Whether it has items, of which there may be any number."""
        return self.is_sequence or self.is_table

    @property
    def may_change(self) -> bool:
        """Whether items may be added."""
        return self.is_sequence and self.sort in ("list", "set", "dict")

    @property
    def is_set(self) -> bool:
        """Whether the order of items has no meaning."""
        return self.sort in ("set", "frozenset")


class Scalar(Type):
    """A whole number, a truth value, a number that may be either, nothing, or what has no value at run time."""

    name: str


INT, BOOL, EITHER = Scalar("a whole number"), Scalar("a truth value"), Scalar("a whole number or truth value")
FRACTION = Scalar("a fraction")
NOTHING, OBJECT = Scalar("nothing"), Scalar("an object")


class Member(Type):
    """A member of an IntEnum: a whole number with the attributes and methods of that class."""

    name = "a whole number"
    member: type


class Tuple(Type):
    """A tuple of known length; `names` are those of a named one, `label` the name of its class.

    A field of a state that is None or a value is a tuple of both, labelled `MAYBE`; one with up to a number of items is
    a tuple of their count and of all possible items, labelled `UP_TO`. A frozenset is the tuple of its bits as one
    number, labelled `MEMBERS`; a text is the tuple of its letters, labelled `TEXT`; `MIXED`: see `results`.
    """

    is_tuple = True
    items: tuple[Type, ...]
    names: tuple[str, ...] = ()
    label: str = ""

    @property
    def name(self) -> str:
        """The name in messages."""
        if self.label in (MEMBERS, TEXT):
            return f"a {self.label}"
        if self.label == MAYBE:
            return f"None or {self.items[1].name}"
        return f"a {self.label}" if self.label else f"a tuple of {len(self.items)}"

    @property
    def sort(self) -> str:
        """The Python type."""
        return "str" if self.label == TEXT else "tuple"


LABELS = "value or None", "sequence of up to so many", "set of small numbers", "text", "move of several types"
MAYBE, UP_TO, MEMBERS, TEXT, MIXED = LABELS


class Sequence(Type):
    """Numbers, or tuples of numbers, one after the other; `count` of them if not None.

    `sort` says what holds them in Python: `list`; `tuple`, one of unknown length; `set` and `frozenset`, each item once
    and in an order without meaning; `dict`, pairs of a key and a value; `view`, which can only be iterated over at
    once; `str`, a text as its letters; None, any of a list, a tuple and a range.
    """

    is_sequence = True
    item: Type
    sort: str | None
    count: int | None = None

    @property
    def name(self) -> str:
        """The name in messages."""
        names = {"tuple": "a tuple of any length", "dict": "a dictionary", "str": "a text"}
        names["view"] = "a view of a dictionary"
        return names.get(self.sort, f"a {self.sort}") if self.sort else "a list, tuple or range"


class TableType(Type):
    """A constant: numbers in sequences that are `depth` deep; `kinds` gives the Python type of each level.

    That is `list`, `tuple`, `range`, `bytes`, or None for several of them. `lengths` says how many items all sequences
    of a level have that are inside others; None where they differ, or are no plain tuples of plain numbers.
    """

    is_table = True
    depth: int
    item: Type
    kinds: tuple[str | None, ...]
    lengths: tuple[int | None, ...]

    @property
    def name(self) -> str:
        """The name in messages."""
        return f"a constant {self.sort or 'list or tuple'}"

    @property
    def sort(self) -> str | None:
        """The Python type of the outermost level."""
        return self.kinds[0]


class Known(Type):
    """One of a few objects that are known before any state is, by its number in a list of all of them."""

    is_object = True
    name = "a text or other object"
    numbers: tuple[int, ...]


class Truth(Type):
    """Values of kinds that no value can have at once, of which only the truth is used; it is the value at run time."""

    is_truth = True
    name: str


def is_number(kind: Type) -> bool:
    """Whether values of that type are words: whole numbers and truth values."""
    return kind in (BOOL, EITHER) or is_whole(kind)


def is_whole(kind: Type) -> bool:
    """Whether values of that type are whole numbers, and no truth values."""
    return kind == INT or kind.member is not None


def is_word(kind: Type) -> bool:
    """Whether values of that type are words ordered like the numbers they stand for."""
    return kind == FRACTION or is_number(kind)


# -------------------------------------------------------------------- expressions


class Number(Node):
    """A constant."""

    value: int

    @property
    def type(self) -> Type:
        """A truth value or a whole number."""
        return BOOL if isinstance(self.value, bool) else INT


class Parts(Node):
    """The fraction of that many parts."""

    value: Expr
    type: Type = FRACTION


class Table(Node):
    """The constant sequence with that number."""

    number: int
    type: Type


class Local(Node):
    """The value of a name of the function."""

    name: str
    type: Type


class Binary(Node):
    """`add`, `subtract`, `multiply`, `divide`, `rest`, `shift_left`, `shift_right`, `power`: a fault at `site` if there
    is no result or it needs more than 64 bits; `and`, `or`, `xor`, `least`, `largest` never fail. Fractions are added
    to and subtracted from fractions and multiplied by whole numbers; `divide` and `rest` of them are those of their
    parts.
    """

    op: str
    left: Expr
    right: Expr
    site: int
    type: Type = INT


class Unary(Node):
    """`negate` and `absolute` (a fault for -2^63), `invert`, `bit_count`, `bit_length`, `whole` (True as 1)."""

    op: str
    value: Expr
    site: int
    type: Type = INT


class Faulted(Node):
    """Whether there was a fault; functions that call themselves check it."""

    type: Type = BOOL


class Not(Node):
    """Whether a number is 0, or a sequence has no items."""

    value: Expr
    type: Type = BOOL


class Compare(Node):
    """`==`, `!=`, `<`, `<=`, `>`, `>=` of numbers, tuples or sequences."""

    op: str
    left: Expr
    right: Expr
    type: Type = BOOL


class Either(Node):
    """`and` or `or`: the first part that decides, or the last."""

    op: str
    parts: tuple[Expr, ...]
    type: Type = BOOL


class Choice(Node):
    """`yes if test else no`."""

    test: Expr
    yes: Expr
    no: Expr
    type: Type


class Row(Node):
    """A tuple; if its type has names, a state or another named tuple."""

    items: tuple[Expr, ...]
    type: Type


class Field(Node):
    """An item of a tuple, by a known number."""

    value: Expr
    number: int
    type: Type


class Item(Node):
    """`value[index]`; indices below 0 count from the end; an index outside is a fault at `site`."""

    value: Expr
    index: Expr
    site: int
    type: Type


class Length(Node):
    """`len(value)`."""

    value: Expr
    type: Type = INT


class Listed(Node):
    """A new sequence of these items, or of the first `count` of them, that may grow to `room` items."""

    items: tuple[Expr, ...]
    room: int
    type: Type
    count: Expr | None = None


class Members(Node):
    """A new sequence of the numbers of the set bits of a number that is not negative, from the lowest up."""

    bits: Expr
    type: Type


class Call(Node):
    """A call of a function of the program."""

    function: str
    arguments: tuple[Expr, ...]
    type: Type


Expr: TypeAlias = (
    "Number | Parts | Table | Local | Binary | Unary | Faulted | Not | Compare | Either | Choice | Row | Field | Item "
    "| Length | Listed | Members | Call"
)

ROOM = 256
"""Room for items of a sequence whose largest length is not known; more are a fault."""


def none_of(kind: Type) -> Expr:
    """Some value of a type."""
    if kind.is_tuple:
        return Row(tuple(map(none_of, kind.items)), kind)
    if kind.is_sequence:
        return Listed((), 0, kind)
    if kind.is_table:
        return Table(1, kind)
    return Parts(Number(0)) if kind == FRACTION else Number(kind == BOOL)


# -------------------------------------------------------------------- statements


class Stmt(Node):
    """A statement, in a line of the rules: 0 for that of the statement around it."""

    line = 0

    def at(self, line: int) -> Self:
        """The statement, which is in that line."""
        self.__dict__["line"] = line
        return self


class Assign(Stmt):
    """Assign a value to a name; with `copies` a sequence is copied, of at most ROOM items."""

    name: str
    value: Expr
    copies: bool = False
    site: int = 0


class SetItem(Stmt):
    """`name[index] = value` for a list."""

    name: str
    type: Type
    index: Expr
    value: Expr
    site: int


class Append(Stmt):
    """`name.append(value)`; a fault if there is no room left."""

    name: str
    type: Type
    value: Expr
    site: int


class Pop(Stmt):
    """Drop the last item of a list; a fault if it has none."""

    name: str
    type: Type
    site: int


class Fault(Stmt):
    """A fault at `site` where `test` holds."""

    test: Expr
    site: int


class Do(Stmt):
    """Evaluate an expression for its effects: a call that changes items of a list, or a fault."""

    value: Expr


class If(Stmt):
    """`if`."""

    test: Expr
    body: tuple[Stmt, ...]
    orelse: tuple[Stmt, ...] = ()


class While(Stmt):
    """A loop that `Break`, `Return` or a fault ends; after a fault no further turn runs, and the function ends."""

    body: tuple[Stmt, ...]


class Count(Stmt):
    """`for name in range(start, stop, step)`, with its `else`; a step of 0 is a fault at `site`."""

    name: str
    start: Expr
    stop: Expr
    step: Expr
    body: tuple[Stmt, ...]
    orelse: tuple[Stmt, ...]
    site: int


class Each(Stmt):
    """`for name in function(arguments)` for a function that yields, with its `else`."""

    name: str
    call: Call
    body: tuple[Stmt, ...]
    orelse: tuple[Stmt, ...]


class Return(Stmt):
    """The end of a function; in one that yields, without a value."""

    value: Expr | None


class Stop(Stmt):
    """A place reached only after a fault: the function ends, and its result is never used."""


class Yield(Stmt):
    """Give a value to the loop over this function, and continue after it."""

    value: Expr


class Break(Stmt):
    """Leave the innermost loop."""


class Continue(Stmt):
    """Continue with the next turn of the innermost loop."""
