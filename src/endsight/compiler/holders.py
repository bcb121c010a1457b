"""Sets that rules make, fill and query at run time, and what is asked of sets and dictionaries alike.

Sets of small numbers are the bits of a number: membership, unions, comparisons, size. The sequence of the members is
made beside it, in order, for everything that needs one; if nothing reads it, nothing of it remains in the machine code.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import Any

from endsight.compiler import core, library
from endsight.compiler.dictionaries import Dictionaries, is_dict, is_item
from endsight.compiler.syntax import constant
from endsight.compiler.values import Value, denied, joined_types

MOST_MEMBER = 62
"""The largest member of a set that is one number."""
_COMPARISONS = (library.is_same, library.is_inside, library.is_smaller, library.is_around)
_OPERATORS: dict[type, Any] = {ast.BitOr: library.united, ast.BitAnd: library.common, ast.Sub: library.lacking}
_OPERATORS |= {ast.BitXor: library.in_one}
_COMPARED = {"==": library.is_same, "!=": library.is_same, "<=": library.is_inside, "<": library.is_smaller}
_METHODS: dict[str, Any] = {"union": library.united, "intersection": library.common, "difference": library.lacking}
_METHODS |= {"issubset": library.is_inside, "issuperset": library.is_around, "isdisjoint": library.is_apart}


class Holders(Dictionaries):
    """The part of the translation of a function that deals with sets and dictionaries."""

    def by_library(self, node: ast.AST, function: Any, *given: Value) -> Value:
        """The result of a function of `library`."""
        return self.unit.call(self.whole, node, function, list(given), {})

    def as_holder(self, value: Value, node: ast.AST) -> Value:
        """A known set or dictionary in a form that exists at run time; other values as they are."""
        if value.expr is not None or type(value.known) not in (set, frozenset, dict):
            return value
        if isinstance(value.known, dict):
            return self.run_time_dict(value, node)
        sort = "set" if id(value.known) in self.made_here else type(value.known).__name__
        if not all(map(is_item, value.known)):
            self.refuse(node, f"a {sort} of anything but whole numbers cannot be changed or combined by compiled rules")
        parts = [self.material(Value.of(item), node) for item in value.known]
        return self.kept(self.new_list(node, parts, core.ROOM, sort), node)

    # ---------------------------------------------------------------- written out

    def set_of(self, node: ast.Set) -> Value:
        """A set that is written out."""
        parts = [self.kept(part, node) for part in list(map(self.value, node.elts))]
        name = self.empty("set")
        for part in parts:
            self.insert(name, part, node)
        if all(core.is_number(part.type) for part in parts):
            self.written[name] = [part.expr for part in parts]
        return self.here[name]

    def _setcomp(self, node: ast.SetComp) -> Value:
        return self.gathered(ast.copy_location(ast.GeneratorExp(node.elt, node.generators), node), node, "set")

    def _dictcomp(self, node: ast.DictComp) -> Value:
        pair = ast.copy_location(ast.Tuple([node.key, node.value], ast.Load()), node)
        return self.gathered(ast.copy_location(ast.GeneratorExp(pair, node.generators), node), node, "dict")

    def add_item(self, name: str, sort: str, item: Value, node: ast.AST) -> None:
        """Put an item into a new sequence of that sort."""
        if sort == "dict":
            self.put_pair(name, item, node)
        elif sort in ("set", "frozenset"):
            self.insert(name, item, node)
        else:
            self.append(name, item, node)

    # ---------------------------------------------------------------- sets of small numbers

    def of_bits(self, bits: core.Expr, sort: str, item: core.Type = core.INT) -> Value:
        """The set, or the sorted list, whose members are the bits of a number."""
        if not isinstance(bits, core.Number):
            name = self.fresh()
            self.add(core.Assign(name, bits))
            bits = core.Local(name, core.INT)
        name, kind = self.fresh(), core.Sequence(item, sort)
        self.fresh_lists.add(name)
        self.add(core.Assign(name, core.Members(bits, kind)))
        return Value(kind, core.Local(name, kind), bits=None if sort == "list" else bits)

    def has_bit(self, bits: core.Expr, member: core.Expr) -> core.Expr:
        """Whether a number is among the members."""
        place = core.Binary("and", member, core.Number(63), 0)
        bit = core.Binary("and", core.Binary("shift_right", bits, place, 0), core.Number(1), 0)
        inside = core.Compare("==", core.Binary("and", member, core.Number(-64), 0), core.Number(0))
        return core.Either("and", (inside, core.Compare("!=", bit, core.Number(0))))

    def bits_of(self, value: Value, node: ast.AST, *, whole: bool) -> core.Expr | None:
        """The members of a set or the items of a known sequence as bits; None if they have no such form.

        Numbers that are too large are left out, unless `whole` says that all are needed: then they are a fault.
        """
        if value.bits is not None:
            return value.bits  # type: ignore[no-any-return]
        if isinstance(value.known, set | frozenset | tuple | list | range):
            if not all(type(each) is int and (0 <= each <= MOST_MEMBER or not whole) for each in value.known):
                return None
            return core.Number(sum(1 << each for each in set(value.known) if 0 <= each <= MOST_MEMBER))
        if not self._is_written(value) and not (value.type.is_tuple and all(map(core.is_whole, value.type.items))):
            return None
        result: core.Expr = core.Number(0)
        held = self.written.get(getattr(value.expr, "name", ""))
        for item in [each.expr for each in self.fields(self.kept(value, node))] if held is None else held:
            inside = [core.Compare("<=", core.Number(0), item), core.Compare("<=", item, core.Number(MOST_MEMBER))]
            fits = core.Either("and", tuple(inside))
            site = self.site(node, f"a member of the set is not within 0 .. {MOST_MEMBER}")
            bit: core.Expr = core.Binary("shift_left", core.Number(1), item, site)
            if whole:
                self.add(core.Fault(core.Not(fits), site))
            else:
                bit = core.Choice(fits, bit, core.Number(0), core.INT)
            result = core.Binary("or", result, bit, 0)
        return result

    def _is_written(self, value: Value) -> bool:
        """Whether a set is written out at that place."""
        return isinstance(value.expr, core.Local) and value.expr.name in self.written

    def by_bits(self, function: Any, one: Value, other: Value, node: ast.AST) -> Value | None:
        """The result of a function of `library` for two sets, one of which is bits; None for others."""
        is_written = any(self._is_written(each) or (each.type.is_tuple and not each.is_known) for each in (one, other))
        if (one.bits is None and other.bits is None) or (is_written and function in _COMPARISONS):
            return None
        needs_left = function not in (library.common, library.is_apart)
        left = self.bits_of(one, node, whole=needs_left)
        right = self.bits_of(other, node, whole=needs_left and function is not library.lacking)
        if left is None or right is None:
            return None
        if function is library.is_around:
            left, right = right, left
        lacking = core.Binary("and", left, core.Unary("invert", right, 0), 0)
        is_inside = core.Compare("==", lacking, core.Number(0))
        if function is library.is_same:
            return Value.made(core.Compare("==", left, right))
        if function is library.is_smaller:
            return Value.made(core.Either("and", (is_inside, core.Compare("!=", left, right))))
        if function in _COMPARISONS:
            return Value(core.BOOL, is_inside)
        bits = core.Binary({library.united: "or", library.in_one: "xor"}.get(function, "and"), left, right, 0)
        if function is library.is_apart:
            return Value.made(core.Compare("==", bits, core.Number(0)))
        items = list({each.type.item for each in (one, other) if each.type.is_sequence})
        sort = one.type.sort if one.expr is not None else type(one.known).__name__
        item = (joined_types(items[0], items[-1]) if items else None) or core.EITHER
        return self.of_bits(lacking if function is library.lacking else bits, sort or "", item)

    def small(self, source: ast.expr, node: ast.AST, sort: str) -> Value | None:
        """A set of known small numbers, each of which may be in it or not; None for others."""
        with self.attempt():
            fits, _ = self._small(source)
        if not fits:
            return None
        _, bits = self._small(source)
        return self.of_bits(bits, sort)

    def _small(self, source: ast.expr) -> tuple[bool, core.Expr]:
        """Whether all items of `source` are such numbers, and their bits."""
        name = self.fresh()
        self.fresh("s")  # of the set that is made otherwise, so that all that `source` makes is named alike both times
        fits: bool | None = None
        bits = core.Local(name, core.INT)
        self.add(core.Assign(name, core.Number(0)))

        def turn(item: Value) -> None:
            nonlocal fits
            fits = fits is not False and type(item.known) is int and 0 <= item.known <= MOST_MEMBER
            if fits:
                bit = core.Number(1 << item.known)
                self.add(core.Assign(name, core.Binary("or", bits, bit, 0)))

        self.go_through(source, turn, set(), source, unordered=True)
        return bool(fits), bits

    # ---------------------------------------------------------------- sets

    def insert(self, name: str, value: Value, node: ast.AST) -> None:
        """Add an item to a set that does not contain it."""
        value, held = self.kept(value, node), self.here[name]
        if held.type.item == core.NOTHING:
            self.append(name, value, node)
            return
        found = self.in_sequence(node, value, held)  # type: ignore[arg-type]
        self.fork(core.Not(found.expr), lambda: self.append(name, value, node), lambda: None, node)

    def combined(self, node: ast.AST, op: ast.operator, left: Value, right: Value) -> Value | None:
        """An operator on sets or dictionaries; None for other values."""
        function = _OPERATORS.get(type(op))
        if function is library.united and is_dict(left) and is_dict(right):
            name = self.new_dict()
            self.put_all(name, left, node)
            self.put_all(name, right, node)
            return self.here[name]
        return None if function is None or not _are_sets(left, right) else self._of_sets(node, function, left, right)

    def sets_compared(self, node: ast.AST, sign: str, left: Value, right: Value) -> Value | None:
        """A comparison of sets; None for other values."""
        if not _are_sets(left, right):
            return None
        if sign[0] == ">":
            left, right, sign = right, left, sign.replace(">", "<")
        found = self._of_sets(node, _COMPARED[sign], left, right)
        return denied(found) if sign == "!=" else found

    def _of_sets(self, node: ast.AST, function: Any, one: Value, other: Value) -> Value:
        """The result of a function of `library` for a set and its other argument, by their bits where they have any."""
        if (found := self.by_bits(function, one, other, node)) is not None:
            return found
        one, other = self.as_holder(one, node), self.as_holder(other, node)
        made = self.by_library(node, function, one, other)
        if not made.type.is_sequence:
            return made
        return Value(core.Sequence(made.type.item, one.type.sort or ""), made.expr)

    # ---------------------------------------------------------------- methods

    def of_holder(self, node: ast.Call, name: str, base: Value, given: list[ast.expr]) -> Value | None:
        """A method that changes nothing; None for other methods."""
        if not base.type.is_sequence or node.keywords:
            return None
        if base.type.sort == "dict":
            return self.of_dict(node, name, base, given)
        if not base.type.is_set or name not in _METHODS or (len(given) != 1 and name[:2] == "is") or not given:
            return None
        for each in given:
            base = self._of_sets(node, _METHODS[name], base, self.taken(each))
        return base

    def change(self, name: str, method: str, node: ast.Call) -> bool:
        """A method that changes the list, set or dictionary of that name; False for other methods."""
        held = self.here[name].type
        sort, given = held.sort or "", node.args
        what = (sort, method, len(given))
        if node.keywords and method != "sort":
            return False
        if what in _CHANGES:
            if what == ("set", "remove", 1):
                found = self.in_sequence(node, self.value(given[0]), self.here[name])  # type: ignore[arg-type]
                self.fault_if(core.Not(found.expr), node, "the item is not there")
            self.replace(name, _CHANGES[what], node, given, node.keywords)
        elif what == ("list", "append", 1):
            value = self.value(given[0])
            is_list = value.type.is_sequence and value.type.sort == "list" and held.item == core.NOTHING
            (self.add_list if is_list else self.append)(name, value, node)
        elif what == ("list", "extend", 1):
            self.go_through(given[0], lambda item: self.append(name, item, node), set(), node)
        elif what == ("set", "add", 1):
            self.insert(name, self.value(given[0]), node)
        elif what == ("dict", "update", 1) and self.put_all(name, self.value(given[0]), node):
            pass
        elif what == ("set", "update", 1):
            self.go_through(given[0], lambda item: self.insert(name, item, node), {name}, node, unordered=True)
        elif what == ("dict", "setdefault", 2):
            key, value = self.kept(self.value(given[0]), node), self.value(given[1])
            self.put_key(name, key, self.value_at(node, self.here[name], key, value), node)
        elif (method, len(given)) == ("clear", 0):
            kind = core.Sequence(self.hints.get(name, held.item), held.sort)
            self.store(name, Value.made(core.Listed((), core.ROOM, kind)), node)
        else:
            return False
        return True

    def replace(
        self, name: str, function: Any, node: ast.AST, given: list[ast.expr], words: Iterable[ast.keyword] = ()
    ) -> None:
        """`name = function(name, *given)`."""
        called = ast.Call(constant(function), [ast.Name(name, ast.Load()), *given], list(words))
        self._assign([ast.Name(name, ast.Store())], ast.fix_missing_locations(ast.copy_location(called, node)))

    def drop(self, target: ast.expr) -> None:
        """`del name[place]`."""
        name = target.value.id if isinstance(target, ast.Subscript) and isinstance(target.value, ast.Name) else ""
        held = (self.names or {}).get(name)
        is_held = held is not None and held.type.may_change and not held.type.is_set
        if held is None or not isinstance(target, ast.Subscript) or not is_held or isinstance(target.slice, ast.Slice):
            self.refuse(
                target, "`del` of anything but one item of a list or dictionary cannot be compiled: make a new one"
            )
        self._own_list(name, target)
        function: Any = library.without_place
        if held.type.sort == "dict":
            function = library.without_key
            found = self.has_key(target, held, self.value(target.slice))
            self.fault_if(core.Not(found.expr), target, "the key is not there")
        self.replace(name, function, target, [target.slice])


_CHANGES: dict[tuple[str, str, int], Any] = {
    ("list", "insert", 2): library.inserted,
    ("list", "remove", 1): library.without,
    ("list", "reverse", 0): library.turned,
    ("list", "sort", 0): sorted,
    ("set", "remove", 1): library.discarded,
    ("set", "discard", 1): library.discarded,
}


def _are_sets(*values: Value) -> bool:
    return all(value.type.is_set or isinstance(value.known, set | frozenset) for value in values)
