"""What expressions of the rules stand for, and properties of types and expressions of the core."""

from __future__ import annotations

import ast
import functools
import itertools
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, NoReturn, TypeAlias, cast

from endsight.compiler import core
from endsight.compiler.resolve import SELF, UNKNOWN, is_whole
from endsight.compiler.syntax import fits

if TYPE_CHECKING:
    from endsight.compiler.functions import Translator as To


@dataclass(frozen=True, eq=False)
class Value:
    """What an expression of the rules stands for.

    type   OBJECT if it has no value at run time
    expr   None if it is known and not written down yet
    known  the object, UNKNOWN where it depends on the state
    bits   of a set whose members are at most 62: the members as bits of a number, which is a constant or a name of
           ours that is assigned only once; None where that is not known
    cut    of a tuple that is part of another one: which part, if that is known
    keys   of a dictionary: those that it has from its first item on, in order, as far as they are known
    there  of a tuple: the parts that are known not to be None, each by the numbers of the fields that lead to it
    version  of what a name stands for: another one after each assignment, and where branches with different ones meet
    """

    type: core.Type
    expr: Any = None
    known: Any = UNKNOWN
    bits: Any = None
    cut: Cut | None = None
    keys: KnownKeys | None = None
    there: frozenset[tuple[int, ...]] = frozenset()
    version: int = field(default_factory=itertools.count().__next__)

    @property
    def is_known(self) -> bool:
        """Whether the object is known."""
        return self.known is not UNKNOWN

    @property
    def lists(self) -> Lists | None:
        """Lists of lists, if it stands for such."""
        return self.known if isinstance(self.known, Lists) else None

    def is_like(self, other: Value | None) -> bool:
        """Whether both are of one type, and the same is known of them."""
        if self is other or other is None:
            return self is other
        own, others = ((each.type, each.bits, each.cut, each.keys, each.there) for each in (self, other))
        return own == others and self.known is other.known

    @staticmethod
    def of(known: Any) -> Value:
        """A known object."""
        if is_whole(known) and fits(known):
            number = core.Number(known if isinstance(known, bool) else int(known))
            kind = core.Member(type(known)) if isinstance(known, IntEnum) else number.type
            return Value(kind, number, known)
        return Value(core.OBJECT, None, known)

    @staticmethod
    def made(expr: core.Expr) -> Value:
        """What an expression of the core gives at run time."""
        return Value(expr.type, expr)

    @staticmethod
    def row(parts: Iterable[Value], names: tuple[str, ...] = (), label: str = "", known: Any = UNKNOWN) -> Value:
        """A tuple of values that exist at run time; see `core.Tuple`."""
        own = tuple(parts)
        kind = core.Tuple(tuple(part.type for part in own), names, label)
        return Value(kind, core.Row(tuple(part.expr for part in own), kind), known)


class KnownKeys(NamedTuple):
    """What is known of the keys of a dictionary.

    first      keys of which it has some or all as its first items, in this order
    which      the name of a number whose bits say which of these it has; None if it has all, and gets no more of them
    are_there  whether it has all of these
    are_all    whether it has no others
    """

    first: tuple[Any, ...]
    which: str | None
    are_there: bool = True
    are_all: bool = True

    def met(self, other: KnownKeys | None) -> KnownKeys | None:
        """What holds of a dictionary that may be either of two."""
        if other is None:
            return None
        shorter, longer = sorted((self.first, other.first), key=len)
        which = self.which if self.which == other.which else None
        are_there = self.are_there and other.are_there and shorter == longer
        if longer[: len(shorter)] != shorter or (which is None and not are_there):
            return None
        return KnownKeys(longer, which, are_there, self.are_all and other.are_all)

    def fixed(self) -> KnownKeys | None:
        """What is known under another name, whatever happens under the first."""
        return self._replace(which=None) if self.are_there else None


class Cut(NamedTuple):
    """The items of a tuple before a place, with one more in its place or not, or all after that place.

    `source` says how the tuple is found, the name of the place, and the versions of all names in these: equal ones are
    the same tuple and the same place.
    """

    source: tuple[Any, ...]
    items: Value
    place: Value
    is_rest: bool
    item: Value | None = None


def denied(value: Value) -> Value:
    """`not value` for a truth value."""
    return Value.of(not value.known) if value.is_known else Value.made(core.Not(value.expr))


Names: TypeAlias = dict[str, Value]
Turn: TypeAlias = Callable[[Value], None]
"""Translates the work on one item of a loop."""
ITSELF = Value.of(SELF)
"""The game, as an argument."""
SEVERAL = Value(core.OBJECT)
"""What a name stands for after branches that give it values of kinds which no value can have at once."""


Item: TypeAlias = Callable[[core.Expr], Value]


class Lists:
    """A list that holds lists, or is held by one: see `nested`. What a class does not define is refused."""

    like: ClassVar[Any] = []
    """An object of the same Python class."""
    refusal: ClassVar[str] = ""

    @property
    def free(self) -> list[str]:
        """Names of the function that it stands for."""
        return []

    def decline(self, to: To, node: ast.AST, *_: Value) -> NoReturn:
        """Refuse a use in which it might get another name."""
        to.refuse(node, self.refusal)

    view = put = now = copied = returned = cast("Any", decline)
    """`view` gives how many items it has, and the item at a place; `put` is `lists[index] = value`; `now` a list by
    itself with the items of now, which is read at once and gets no name; `copied` is `copy.deepcopy(lists)`; `returned`
    the list of all items, for a function that gives it back.
    """

    def at(self, to: To, node: ast.AST, index: Value) -> Value:
        """`lists[index]`."""
        count, item = self.view(to, node)
        found: Value = item(to.from_start(node, index, count))
        return found

    def unpacked(self, to: To, node: ast.AST) -> list[Value] | None:
        """What several names get at once; None where that is numbers."""
        return None

    def gets_name(self, to: To, node: ast.AST) -> None:
        """Note that it has got a name, which may outlast its place."""


def nodes_in(part: Any) -> list[Any]:
    """All statements and expressions in a node, or in a tuple of them, each before those inside it."""
    found, waiting = [], [part]
    while waiting:
        each = waiting.pop()
        if isinstance(each, tuple):
            waiting += reversed(each)
        elif isinstance(each, core.Node) and not isinstance(each, core.Type):
            found.append(each)
            waiting += reversed(vars(each).values())
    return found


def may_fail(expr: Any) -> bool:
    """Whether evaluating an expression, or one of several, may be a fault: what cannot has no site."""
    return any(getattr(each, "site", 0) or isinstance(each, core.Call) for each in nodes_in(expr))


def is_quick(expr: core.Expr) -> bool:
    """Whether a truth value is evaluated in a few steps that cannot fail."""
    return expr.type == core.BOOL and not may_fail(expr) and steps(expr) <= FEW_STEPS


def is_at_once(expr: core.Expr) -> bool:
    """Whether a number is calculated in so few steps that it is sooner done than a jump around it."""
    return not may_fail(expr) and steps(expr) <= FEW_STEPS // 4


def are_plain_copies(statements: Iterable[core.Stmt], *names: Mapping[str, Value]) -> bool:
    """Whether statements only give parts of values names of ours, which costs nothing where nobody reads them.

    Values that have a name in all of `names` are there.
    """
    known = [{each.expr.name for each in own.values() if isinstance(each.expr, core.Local)} for own in names]
    given = set.intersection(*known)
    for each in statements:
        if not isinstance(each, core.Assign) or not each.name.startswith("es_") or each.site:
            return False
        own = each.value
        while isinstance(own, core.Field) or (isinstance(own, core.Item) and _is_within(own)):
            own = own.value
        if not isinstance(own, core.Local) or own.name not in given or holds_sequence(each.value.type):
            return False
        given.add(each.name)
    return True


def _is_within(item: core.Item) -> bool:
    count, index = item.value.type.count, item.index
    return count is not None and isinstance(index, core.Number) and 0 <= index.value < count


def may_raise(part: Any) -> bool:
    """Whether Python may raise an error there; its sums and products never fail, so faults in these are ours alone."""
    sums = "add", "subtract", "multiply"
    sites = [getattr(each, "op", "") not in sums for each in nodes_in(part) if getattr(each, "site", 0)]
    return any(sites) or any(isinstance(each, core.Call) for each in nodes_in(part))


def is_below(expr: core.Expr, count: int) -> bool:
    """Whether a number is a remainder or part of the bits of another, and so from 0 on and below a count."""
    if not isinstance(expr, core.Binary) or not isinstance(expr.right, core.Number):
        return False
    most = expr.right.value - (expr.op == "rest")
    return expr.op in ("rest", "and") and 0 <= most < count


def steps(expr: Any) -> int:
    """The steps to evaluate a number without calls and looks into lists; more than few with them."""
    if isinstance(expr, tuple):
        return sum(map(steps, expr))
    if isinstance(expr, core.Compare | core.Either | core.Choice):
        return 1 + sum(map(steps, vars(expr).values())) if core.is_number(expr.type) else FEW_STEPS
    if isinstance(expr, core.Not | core.Field):
        return 1 + steps(expr.value)
    if isinstance(expr, core.Binary) and (not expr.site or expr.op in ("add", "subtract", "multiply")):
        return (4 if expr.site or expr.op in ("divide", "rest") else 1) + steps(expr.left) + steps(expr.right)
    if isinstance(expr, core.Item) and isinstance(expr.value, core.Table) and core.is_number(expr.type):
        return 4 + steps(expr.index)
    return 0 if isinstance(expr, core.Number | core.Local | core.Table | str | core.Scalar) else FEW_STEPS + 1


FEW_STEPS = 64
"""Up to this many steps are evaluated whole, as a jump that the processor cannot predict takes longer."""


def joined_types(one: core.Type, other: core.Type) -> core.Type | None:
    """The common type of two alternatives; None for two types that no value can have at once."""
    if one == other:
        return one
    if (one.is_truth or core.is_number(one)) and (other.is_truth or core.is_number(other)):
        number = core.INT if core.is_whole(one) and core.is_whole(other) else core.EITHER
        return one if one.is_truth else other if other.is_truth else number
    if one.is_object and other.is_object:
        return core.Known(tuple(sorted({*one.numbers, *other.numbers})))
    if one.is_sequence and other.is_sequence and one.sort == other.sort:
        if core.NOTHING in (one.item, other.item):
            return core.Sequence(one.item if other.item == core.NOTHING else other.item, one.sort)
        count, item = one.count if one.count == other.count else None, joined_types(one.item, other.item)
        return None if item is None else core.Sequence(item, one.sort, count)
    both = one.is_tuple and other.is_tuple
    if both and (len(one.items), one.names, one.label) == (len(other.items), other.names, other.label):
        items = list(map(joined_types, one.items, other.items))
        return None if None in items else core.Tuple(tuple(items), one.names, one.label)  # type: ignore[arg-type]
    if one.is_table and other.is_table and one.depth == other.depth:
        kinds = tuple(a if a == b else None for a, b in zip(one.kinds, other.kinds, strict=True))
        item = joined_types(one.item, other.item)
        lengths = tuple(a if a == b else None for a, b in zip(one.lengths, other.lengths, strict=True))
        return None if item is None else core.TableType(one.depth, item, kinds, lengths)
    return None


def told_apart(one: core.Type, other: core.Type) -> str:
    """Names of two types, with those of what they hold if they are called alike."""
    if one.name != other.name:
        return f"{one.name} and {other.name}"
    return " and ".join(f"{kind.name} ({_inside(kind)})" for kind in (one, other))


def _inside(kind: core.Type) -> str:
    parts = kind.items or ((kind.item,) if kind.item is not None else ())
    whole = [f"{part.name} ({_inside(part)})" if part.is_tuple and not part.label else part.name for part in parts]
    return ", ".join(whole) or "nothing inside"


def item_type(kind: core.Type) -> core.Type:
    """The type of items of a sequence, a constant or a tuple of numbers."""
    if kind.is_tuple:
        kinds: Any = kind.items or (core.EITHER,)
        return functools.reduce(lambda one, other: joined_types(one, other) or core.OBJECT, kinds)  # type: ignore[no-any-return]
    item: core.Type = kind.item
    return core.TableType(kind.depth - 1, item, kind.kinds[1:], kind.lengths[1:]) if kind.depth > 1 else item


def class_of(kind: core.Type) -> type | None:
    """The Python class of values of that type, or a base of it; None where that is open."""
    if core.is_number(kind):
        return bool if kind == core.BOOL else kind.member or int
    if kind.label in core.LABELS:
        up_to = kind.names[0] if kind.label == core.UP_TO else ""
        return _CLASSES.get({core.TEXT: "str", core.MEMBERS: "frozenset"}.get(kind.label, up_to))
    return _CLASSES.get(kind.sort) if kind.is_tuple or kind.is_long else None


_CLASSES: dict[str, type] = {each.__name__: each for each in (tuple, str, list, set, frozenset, dict, range, bytes)}


def has_fraction(kind: core.Type) -> bool:
    """Whether a value of that type is a fraction, or holds some."""
    if kind.is_long:
        return has_fraction(kind.item)
    return any(map(has_fraction, kind.items)) if kind.is_tuple else kind == core.FRACTION


def holds_sequence(kind: core.Type) -> bool:
    """Whether a value is a sequence, or a tuple that holds one."""
    return kind.is_sequence or any(map(holds_sequence, kind.items))


def holds_list(kind: core.Type) -> bool:
    """Whether a value is or may be a list, set or dictionary, or a tuple that holds one."""
    return kind.may_change or (kind.is_sequence and kind.sort is None) or any(map(holds_list, kind.items))


def as_sequences(one: core.Type, other: core.Type) -> core.Type | None:
    """The type of both where tuples, lists, ranges and constants of them meet; None where no value can be of both."""
    items, sorts = [], []
    for kind in (one, other):
        kind = core.Sequence(item_type(kind), "frozenset") if kind.label == core.MEMBERS else kind
        is_plain = kind.is_sequence or kind.is_table or (kind.is_tuple and not kind.label and not kind.names)
        if not is_plain or kind.sort not in ("tuple", "list", "range", "frozenset", None):
            return None
        items.append(core.NOTHING if kind.items == () and kind.is_tuple else item_type(kind))
        sorts.append(None if kind.is_table and kind.sort == "list" else kind.sort)  # which nothing may change
    item = joined_types(*items) if core.NOTHING not in items else items[items[0] == core.NOTHING]
    is_one = sorts[0] == sorts[1] or "frozenset" not in sorts
    if item is None or not is_one or not (width_of(item) or item == core.NOTHING):
        return None
    return core.Sequence(item, sorts[0] if sorts[0] == sorts[1] else None)


def has_order(kind: core.Type) -> bool:
    """Whether Python orders such values like their words: numbers, and tuples of them."""
    return core.is_word(kind) or (kind.is_tuple and kind.label not in core.LABELS and all(map(has_order, kind.items)))


def width_of(kind: core.Type) -> int:
    """Words of an item of a sequence; 0 if there cannot be such items."""
    if kind.is_tuple:
        widths = [width_of(item) for item in kind.items]
        return sum(widths) if all(widths) else 0
    return 1 if core.is_word(kind) or kind.is_object or kind.is_table else 0


def is_flat(kind: core.Type) -> bool:
    """Whether a value is a sequence of numbers."""
    if kind.is_tuple:
        return all(map(core.is_number, kind.items))
    return kind.depth == 1 or (kind.is_sequence and core.is_number(kind.item))


def is_part_of_name(expr: core.Expr) -> bool:
    """Whether an expression is a name, a constant, or an item of such a tuple."""
    while isinstance(expr, core.Field | core.Parts):
        expr = expr.value
    return isinstance(expr, core.Number | core.Local | core.Table)


def known_in(expr: Any) -> Any:
    """The number, or the tuple of known numbers, that an expression is; None for others."""
    if isinstance(expr, core.Number):
        return expr.value
    if not isinstance(expr, core.Row) or expr.type.label or None in (parts := tuple(map(known_in, expr.items))):
        return None
    return parts


def why_not(node: ast.AST) -> str:
    """Why a node cannot be compiled, and what to write instead."""
    names = {
        "Try": "`try` cannot be compiled: ask before, as in `if k in table`",
        "With": "`with` cannot be compiled: leave it out",
        "JoinedStr": "a text that depends on the state cannot be compiled: keep to numbers",
        "GeneratorExp": "a generator here cannot be compiled: make it a list, [...]",
        "MatMult": "`@` cannot be compiled: write what it does",
        "Global": "`global` cannot be compiled: give it as an argument, and give it back",
        "Nonlocal": "`nonlocal` cannot be compiled: give it as an argument, and give it back",
        "Starred": "a starred item here cannot be compiled: write the items, or hand over the list",
        "Yield": "`yield` here cannot be compiled: let it stand alone",
        "YieldFrom": "`yield from` here cannot be compiled: let it stand alone",
        "Import": "`import` inside a function cannot be compiled: import at the top of the file",
        "ImportFrom": "`import` inside a function cannot be compiled: import at the top of the file",
        "ClassDef": "a class inside a function cannot be compiled: put it at the top of the file",
    }
    return names.get(type(node).__name__, f"{type(node).__name__} cannot be compiled: write it another way")
