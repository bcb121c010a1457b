"""What stands for lists of lists during translation, such as the rows of a board, and what may be done with them.

All items are one list, one row after the other. An inner list that has a name stays part of the whole: what is changed
under that name changes in the whole. This holds because the number of lists, and of items in each, stays what it was,
and because an inner list is replaced by another one only where none has a name.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn, TypeAlias

from endsight.compiler import core
from endsight.compiler.syntax import filled

if TYPE_CHECKING:
    from endsight.compiler.flow import Value
    from endsight.compiler.functions import Translator as To

Item: TypeAlias = "Callable[[core.Expr], Value]"


class Lists:
    """A list that holds lists, or is held by one. What a class does not define is refused."""

    like: ClassVar[Any] = []
    """An object of the same Python class."""
    refusal: ClassVar[str] = ""

    @property
    def free(self) -> list[str]:
        """Names of the function that it stands for."""
        return []

    def decline(self, to: To, node: ast.AST) -> NoReturn:
        """Refuse a use in which it might get another name."""
        to.refuse(node, self.refusal)

    def view(self, to: To, node: ast.AST) -> tuple[int, Item]:
        """How many items it has, and the item at a place."""
        self.decline(to, node)

    def at(self, to: To, node: ast.AST, index: Value) -> Value:
        """`lists[index]`."""
        count, item = self.view(to, node)
        return item(to.from_start(node, index, count))

    def put(self, to: To, node: ast.AST, index: Value, value: Value) -> None:
        """`lists[index] = value`."""
        self.decline(to, node)

    def now(self, to: To, node: ast.AST) -> Value:
        """A list by itself with the items of now, which is read at once and gets no name."""
        self.decline(to, node)

    def copied(self, to: To, node: ast.AST) -> Value:
        """`copy.deepcopy(lists)`."""
        self.decline(to, node)

    def unpacked(self, to: To, node: ast.AST) -> list[Value] | None:
        """What several names get at once; None where that is numbers."""
        return None

    def returned(self, to: To, node: ast.AST) -> Value:
        """The list of all items, for a function that gives it back."""
        self.decline(to, node)

    def gets_name(self, to: To, node: ast.AST) -> None:
        """Note that it has got a name, which may outlast its place."""


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
        return self.height, lambda at: to.as_lists(Inner(self, to.own_place(at)))

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
        held = to.named(to.as_lists(self), node)
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
    refusal = "a list inside of a tuple cannot be compiled"

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
