"""What stands for lists of lists during translation, such as the rows of a board, and what may be done with them.

All items are one list, one row after the other. An inner list that has a name stays part of the whole: what is changed
under that name changes in the whole. This holds because the number of lists, and of items in each, stays what it was,
and because an inner list is replaced by another one only where none has a name.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING

from endsight.compiler import core
from endsight.compiler.operators import Operators
from endsight.compiler.resolve import is_whole
from endsight.compiler.syntax import filled
from endsight.compiler.values import Item, Lists, Value

if TYPE_CHECKING:
    from endsight.compiler.functions import Translator as To


@dataclass(frozen=True)
class Outer(Lists):
    """A list of `height` lists of `width` items each; `held` is the name of the list of all items."""

    held: str
    height: int
    width: int
    refusal = "a list of lists cannot be compiled here: write a loop over it, or tuple(map(tuple, ...))"

    @property
    def free(self) -> list[str]:
        """The list of all items."""
        return [self.held]

    def view(self, to: To, node: ast.AST) -> tuple[int, Item]:
        """The inner lists."""
        return self.height, lambda at: Value.of(Inner(self, to.own_place(at)))

    def put(self, to: To, node: ast.AST, index: Value, value: Value) -> None:
        """An inner list is replaced by a new one of as many items; `Function` refuses it where one has a name."""
        kind = value.type
        if not kind.is_sequence or kind.sort != "list" or not to.is_fresh(value):
            to.refuse(node, "a list in a list that is replaced by anything but a new list cannot be compiled")
        if self.held in to.parameters:
            to.refuse(node, "a list in a list that was handed over cannot be replaced here: set its items")
        inner, new = Inner(self, to.own_place(to.from_start(node, index, self.height))), to.as_now(value, node)
        if kind.count != self.width:
            wrong = core.Compare("!=", core.Length(new.expr), core.Number(self.width))
            to.fault_if(wrong, node, "a list in a list gets another length")
        to.replaced.setdefault(self.held, node)
        for at in map(core.Number, range(self.width)):
            to.set_at(node, self.held, inner.flat(at), to.item_at(new, at, 0))

    def copied(self, to: To, node: ast.AST) -> Value:
        """A list of copies of the inner lists."""
        held = to.named(Value.of(self), node)
        return to.value(filled("[list(row) for row in held]", node, to.fresh, held=held))

    def unpacked(self, to: To, node: ast.AST) -> list[Value]:
        """The inner lists, of which each gets a name."""
        count, row = self.view(to, node)
        return [row(core.Number(at)) for at in range(count)]

    def returned(self, to: To, node: ast.AST) -> Value:
        """The list of all items, which the caller divides into as many lists again."""
        to.rows.add(self.height)
        return to.here[self.held]


@dataclass(frozen=True)
class Inner(Lists):
    """One of the lists in a list, by its number, which is known or has a name that is assigned once."""

    outer: Outer
    place: core.Expr
    refusal = "a list that goes under two names cannot be compiled"

    @property
    def free(self) -> list[str]:
        """The list of all items, and the name of the number."""
        return [*self.outer.free, *([self.place.name] if isinstance(self.place, core.Local) else [])]

    def flat(self, place: core.Expr) -> core.Expr:
        """The place of an item in the list of all items."""
        width = self.outer.width
        if isinstance(self.place, core.Number) and isinstance(place, core.Number):
            return core.Number(self.place.value * width + place.value)
        return core.Binary("add", core.Binary("multiply", self.place, core.Number(width), 0), place, 0)

    def view(self, to: To, node: ast.AST) -> tuple[int, Item]:
        """Items as they are whenever they are read."""
        return self.outer.width, lambda at: to.item_at(to.here[self.outer.held], self.flat(at), 0)

    def put(self, to: To, node: ast.AST, index: Value, value: Value) -> None:
        """An item of the whole changes."""
        to.set_at(node, self.outer.held, self.flat(to.from_start(node, index, self.outer.width)), value)

    def now(self, to: To, node: ast.AST) -> Value:
        """A copy."""
        width, item = self.view(to, node)
        return to.as_now(to.new_list(node, [item(core.Number(at)) for at in range(width)], 0), node)

    def copied(self, to: To, node: ast.AST) -> Value:
        """A copy."""
        return self.now(to, node)

    def gets_name(self, to: To, node: ast.AST) -> None:
        """An inner list with a name must not be replaced."""
        to.named_in.add(self.outer.held)


@dataclass(frozen=True)
class Together(Lists):
    """A tuple of values, some of which are such lists: it is taken apart where it is made."""

    values: tuple[Value, ...]
    like = ()
    refusal = "a list of lists, or a list in one, inside of a tuple cannot be compiled: give each a name"

    @property
    def free(self) -> list[str]:
        """Those of the lists in it."""
        return [name for value in self.values if value.lists is not None for name in value.lists.free]

    def unpacked(self, to: To, node: ast.AST) -> list[Value]:
        """The values."""
        return list(self.values)

    def gets_name(self, to: To, node: ast.AST) -> None:
        """Refused: nothing but its parts gets names."""
        self.decline(to, node)


class NestedLists(Operators):
    """The part of the translation of a function that deals with lists of lists."""

    def nested(self, node: ast.AST, lists: list[Value]) -> Value:
        """A new list of these lists, each of which must be new, too, and of one known length."""
        counts = {each.type.count for each in lists}
        if len(counts) != 1 or not (width := counts.pop()):
            self.refuse(node, "lists in a list are compiled if all have one length, which is known")
        if not all(map(self.is_fresh, lists)):
            self.refuse(node, "a list that goes under two names cannot be compiled")
        items = [self.whole.item_at(each, core.Number(at), 0) for each in lists for at in range(width)]
        return self.in_rows(node, self.whole.new_list(node, items, 0), len(lists))

    def in_rows(self, node: ast.AST, items: Value, count: int) -> Value:
        """A list of so many lists with those items, which are new."""
        if items.type.count is None:
            self.refuse(node, "lists in a list are compiled if all have one length, which is known")
        name = self.own_name("rows")
        self.store(name, items, node)
        return Value.of(Outer(name, count, items.type.count // count))

    def add_list(self, name: str, value: Value, node: ast.AST) -> None:
        """Append a new list to a list of lists of that name, or to an empty list: all of it is made anew."""
        outer, rows = self.here[name].lists, []
        if isinstance(outer, Outer):
            others = [each.lists.free for key, each in self.here.items() if key != name and each.lists is not None]
            if any(outer.held in each for each in others) or outer.held in self.parameters:
                self.refuse(node, "a list of lists that grows and has another name cannot be compiled")
            self.replaced.setdefault(outer.held, node)
            rows = [self.read_now(each, node) for each in outer.unpacked(self.whole, node)]
        self.here[name] = self.nested(node, [*rows, self.as_now(value, node)])

    def own_name(self, what: str) -> str:
        """A name that no function has which this one is called by, so that these may hand such lists over."""
        return f"es_{what}{len(self.unit.open)}_{self.fresh()}"

    def own_place(self, place: core.Expr) -> core.Expr:
        """A number of a list in a list, under a name that is assigned once."""
        if isinstance(place, core.Number):
            return place
        name = self.own_name("place")
        self.add(core.Assign(name, place))
        self.here[name] = Value.made(core.Local(name, core.INT))
        return core.Local(name, core.INT)

    def from_start(self, node: ast.AST, index: Value, count: int) -> core.Expr:
        """An index as the number of an item, from 0; a fault where there is none."""
        number = self.whole.not_none(index, node)
        if not core.is_number(number.type):
            self.refuse(node, f"an index is a whole number, not {number.type.name}")
        if is_whole(number.known):
            if not -count <= number.known < count:
                self.fault_if(core.Number(True), node, "an index is out of range")
            return core.Number(int(number.known) % count)
        own, zero, most = self.kept(number, node).expr, core.Number(0), core.Number(count)
        own = own if number.type == core.INT else core.Unary("whole", own, 0)
        outside = core.Compare("<", own, core.Number(-count)), core.Compare(">=", own, most)
        self.fault_if(core.Either("or", outside), node, "an index is out of range")
        return core.Choice(core.Compare("<", own, zero), core.Binary("add", own, most, 0), own, core.INT)

    def read_now(self, value: Value, node: ast.AST) -> Value:
        """A value that is read at once, and gets no name: an inner list as it is now; other values unchanged."""
        return value if value.lists is None else value.lists.now(self.whole, node)

    def handed_over(self, bound: dict[str, Value], node: ast.AST) -> dict[str, Value]:
        """What a function must be handed beside such lists, and dictionaries of known keys, among its arguments."""
        free = [name for value in bound.values() if value.lists is not None for name in value.lists.free]
        keys = [value.keys for value in bound.values() if value.keys is not None and not value.keys.are_there]
        free += [each.which for each in keys if each.which is not None]
        return {name: self.whole.as_read(name, node) for name in free}

    def may_change_nested(self, read: set[str], changed: set[str]) -> bool:
        """Whether one of the names read is such a list, and a change of one of the others may change it."""
        names = self.names or {}
        held = {name for name in read if name in names and names[name].lists is not None}
        return bool(held) and any(name not in names or names[name].lists is not None for name in changed)
