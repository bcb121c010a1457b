"""Lists of lists in the rules: where they are made, and what they need of the function; see `nested`."""

from __future__ import annotations

import ast

from endsight.compiler import core
from endsight.compiler.flow import Value
from endsight.compiler.nested import Lists, Outer
from endsight.compiler.operators import Operators
from endsight.compiler.resolve import is_whole


class NestedLists(Operators):
    """The part of the translation of a function that deals with lists of lists."""

    rows: set[int]
    """How many lists there are in each list that is returned; 0 for other values."""
    replaced: dict[str, ast.AST]
    """Lists of which a list in them is replaced, by their names, and where."""
    named_in: set[str]
    """Lists of which a list in them has a name of its own."""

    def nested(self, node: ast.AST, lists: list[Value]) -> Value:
        """A new list of these lists, each of which must be new, too, and of one known length."""
        counts = {each.type.count for each in lists}
        if not all(map(self.is_fresh, lists)):
            self.refuse(node, "a list that goes under two names cannot be compiled")
        if len(counts) != 1 or not (width := counts.pop()):
            self.refuse(node, "lists in a list are compiled if all have one length, which is known")
        items = [self.whole.item_at(each, core.Number(at), 0) for each in lists for at in range(width)]
        return self.in_rows(node, self.whole.new_list(node, items, 0), len(lists))

    def in_rows(self, node: ast.AST, items: Value, count: int) -> Value:
        """A list of so many lists with those items, which are new."""
        if items.type.count is None:
            self.refuse(node, "lists in a list are compiled if all have one length, which is known")
        name = self._own_name("rows")
        self.store(name, items, node)
        return self.as_lists(Outer(name, count, items.type.count // count))

    def as_lists(self, lists: Lists) -> Value:
        """The value that stands for such lists."""
        return Value.of(lists)

    def _own_name(self, what: str) -> str:
        """A name that no function has which this one is called by, so that these may hand such lists over."""
        return f"es_{what}{len(self.unit.open)}_{self.fresh()}"

    def own_place(self, place: core.Expr) -> core.Expr:
        """A number of a list in a list, under a name that is assigned once."""
        if isinstance(place, core.Number):
            return place
        name = self._own_name("place")
        self.add(core.Assign(name, place))
        self.here[name] = Value(core.INT, core.Local(name, core.INT))
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
        """What a function must be handed beside such lists among its arguments."""
        free = [name for value in bound.values() if value.lists is not None for name in value.lists.free]
        return {name: self.whole.as_read(name, node) for name in free}

    def may_change_nested(self, read: set[str], changed: set[str]) -> bool:
        """Whether one of the names read is such a list, and a change of one of the others may change it."""
        names = self.names or {}
        held = {name for name in read if name in names and names[name].lists is not None}
        return bool(held) and any(name not in names or names[name].lists is not None for name in changed)
