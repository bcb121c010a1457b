"""Lists of lists in the rules, such as the rows of a board: one list of all their items, one row after the other.

An inner list that has a name stays part of the whole: what is changed under that name changes in the whole. This holds
as the number of lists, and of items in each, stays what it was, and as no inner list is replaced by another one.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any, NoReturn

from endsight.compiler import core
from endsight.compiler.flow import Value
from endsight.compiler.nested import NESTED, Inner, Outer, Together
from endsight.compiler.operators import Operators
from endsight.compiler.resolve import is_whole
from endsight.compiler.values import item_type


class Nested(Operators):
    """The part of the translation of a function that deals with lists of lists."""

    parameters: set[str]
    replaced: dict[str, ast.AST]
    """Lists of which a list in them is replaced, by their names, and where."""
    named_in: set[str]
    """Lists of which a list in them has a name of its own."""

    def nested(self, node: ast.AST, lists: list[Value]) -> Value:
        """A new list of these lists, each of which must be new, too, and of one known length."""
        counts = {each.type.count for each in lists}  # type: ignore[union-attr]
        if not all(map(self.is_fresh, lists)):
            self.refuse(node, "a list that goes under two names cannot be compiled")
        if len(counts) != 1 or not (width := counts.pop()):
            self.refuse(node, "lists in a list are compiled if all have one length, which is known")
        items = [self.whole.item_at(each, core.Number(at), 0) for each in lists for at in range(width)]
        return self.in_rows(node, self.whole.new_list(node, items, 0), len(lists))

    def in_rows(self, node: ast.AST, items: Value, count: int) -> Value:
        """A list of so many lists with those items, which are new."""
        assert isinstance(items.type, core.Sequence)
        if items.type.count is None:
            self.refuse(node, "lists in a list are compiled if all have one length, which is known")
        name = self._own_name("rows")
        self.store(name, items, node)
        return Value.of(Outer(name, count, items.type.count // count))

    def _own_name(self, what: str) -> str:
        """A name that no function has which this one is called by, so that these may hand such lists over."""
        return f"es_{what}{len(self.unit.open)}_{self.fresh()}"

    def of_nested(self, node: ast.AST, base: Value, index: Value) -> Value:
        """An item of such a list."""
        lists = base.known
        if isinstance(lists, Outer):
            return self._inner(lists, self._from_start(node, index, lists.height))
        if isinstance(lists, Inner):
            return self._cell(lists, self._from_start(node, index, lists.outer.width))
        return self.refuse_nested(node, lists)

    def set_in(self, node: ast.AST, lists: Inner, index: Value, value: Value) -> None:
        """`row[index] = value`."""
        self.whole.set_at(node, lists.outer.held, _flat(lists, self._from_start(node, index, lists.outer.width)), value)

    def replace_in(self, node: ast.AST, outer: Outer, index: Value, value: Value) -> None:
        """`rows[index] = value` for a new list of as many items, where no list in `rows` has a name of its own."""
        kind = value.type
        if not isinstance(kind, core.Sequence) or kind.sort != "list" or not self.is_fresh(value):
            self.refuse(node, "a list in a list that is replaced by anything but a new list cannot be compiled")
        if outer.held in self.parameters:
            self.refuse(node, "a list in a list that was handed over cannot be replaced here: set its items")
        inner = Inner(outer, self._inner_place(self._from_start(node, index, outer.height)))
        new = self.as_now(value, node)
        if kind.count != outer.width:
            wrong = core.Compare("!=", core.Length(new.expr), core.Number(outer.width))
            self.fault_if(wrong, node, "a list in a list gets another length")
        self.replaced.setdefault(outer.held, node)
        for at in map(core.Number, range(outer.width)):
            self.whole.set_at(node, outer.held, _flat(inner, at), self.whole.item_at(new, at, 0))

    def name_in(self, value: Value) -> None:
        """Note that a list in a list has got a name, which may outlast its place there."""
        if isinstance(value.known, Inner):
            self.named_in.add(value.known.outer.held)

    def view_of_nested(self, node: ast.AST, value: Value) -> tuple[int, Callable[[core.Expr], Value]]:
        """How many items such a list has, and the item at a place."""
        lists = value.known
        if isinstance(lists, Outer):
            return lists.height, lambda at: self._inner(lists, at)
        if isinstance(lists, Inner):
            return lists.outer.width, lambda at: self._cell(lists, at)
        return self.refuse_nested(node, lists)

    def read_now(self, value: Value, node: ast.AST) -> Value:
        """A value that is read at once, and gets no name: an inner list as it is now; other values unchanged."""
        if not isinstance(value.known, NESTED):
            return value
        if not isinstance(value.known, Inner):
            self.refuse_nested(node, value.known)
        width, item = self.view_of_nested(node, value)
        return self.as_now(self.whole.new_list(node, [item(core.Number(at)) for at in range(width)], 0), node)

    def handed_over(self, bound: dict[str, Value], node: ast.AST) -> dict[str, Value]:
        """What a function must be handed beside such lists among its arguments."""
        lists = [value.known for value in bound.values() if isinstance(value.known, NESTED)]
        return {name: self.whole.as_read(name, node) for each in lists for name in each.free}

    def may_change_nested(self, read: set[str], changed: set[str]) -> bool:
        """Whether one of the names read is such a list, and a change of one of the others may change it."""
        names = self.names or {}
        held = {name for name in read if name in names and isinstance(names[name].known, NESTED)}
        return bool(held) and any(name not in names or isinstance(names[name].known, NESTED) for name in changed)

    def _inner(self, outer: Outer, place: core.Expr) -> Value:
        return Value.of(Inner(outer, self._inner_place(place)))

    def _inner_place(self, place: core.Expr) -> core.Expr:
        """A number of a list in a list, under a name that is assigned once."""
        if isinstance(place, core.Number):
            return place
        name = self._own_name("place")
        self.add(core.Assign(name, place, self.line))
        self.here[name] = Value(core.INT, core.Local(name, core.INT))
        return core.Local(name, core.INT)

    def _cell(self, inner: Inner, place: core.Expr) -> Value:
        held = self.here[inner.outer.held]
        kind = item_type(held.type)
        return self.whole.opened(Value(kind, core.Item(held.expr, _flat(inner, place), 0, kind)))

    def _from_start(self, node: ast.AST, index: Value, count: int) -> core.Expr:
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
        self.fault_if(core.Either("or", outside, core.BOOL), node, "an index is out of range")
        return core.Choice(core.Compare("<", own, zero), core.Binary("add", own, most, 0), own, core.INT)

    def refuse_nested(self, node: ast.AST, lists: Any) -> NoReturn:
        """Refuse a use of such lists in which they might get another name."""
        if isinstance(lists, Together):
            self.refuse(node, "a list inside of a tuple cannot be compiled")
        if isinstance(lists, Inner):
            self.refuse(node, "a list that goes under two names cannot be compiled")
        self.refuse(node, "a list of lists cannot be compiled here: write a loop over it, or tuple(map(tuple, ...))")


def _flat(inner: Inner, place: core.Expr) -> core.Expr:
    """The place of an item in the list of all items."""
    width = inner.outer.width
    if isinstance(inner.place, core.Number) and isinstance(place, core.Number):
        return core.Number(inner.place.value * width + place.value)
    return core.Binary("add", core.Binary("multiply", inner.place, core.Number(width), 0), place, 0)
