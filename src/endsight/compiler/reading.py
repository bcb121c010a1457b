"""Expressions of the rules, as values of the core."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import replace
from enum import EnumMeta
from types import FunctionType
from typing import Any

from endsight.compiler import core
from endsight.compiler.nested import NestedLists, Together
from endsight.compiler.refusal import Unsettled
from endsight.compiler.resolve import DICTS, SELF, UNKNOWN, defined, is_list, is_plain, is_whole
from endsight.compiler.syntax import constant, filled
from endsight.compiler.values import (
    SEVERAL,
    Value,
    are_plain_copies,
    denied,
    holds_sequence,
    is_below,
    is_flat,
    item_type,
    joined_types,
    known_in,
    may_fail,
    told_apart,
    why_not,
    width_of,
)

_FEW = 16
"""Tuples of up to so many items that are no words are taken apart to find one by its number."""


class ExpressionReading(NestedLists):
    """The part of the translation of a function that reads expressions."""

    def value(self, node: ast.expr) -> Value:
        """The value of an expression."""
        self.line = getattr(node, "lineno", self.line)
        method = getattr(self, "_" + type(node).__name__.lower(), None)
        if method is None:
            self.refuse(node, why_not(node))
        value: Value = method(node)
        return value

    def read(self, node: ast.expr) -> Value:
        """The value of an expression that is read at once, and gets no name."""
        return self.read_now(self.value(node), node)

    def number(self, node: ast.expr) -> core.Expr:
        """A whole number or truth value."""
        value = self.as_number(self.not_none(self.value(node), node), node)
        return value.expr  # type: ignore[no-any-return]

    def require_form(
        self, node: ast.Call, least: int, most: int, words: tuple[str, ...] = (), *, fits: bool = True
    ) -> None:
        """Refuse a call with fewer or more arguments, or with other keywords."""
        if not (fits and least <= len(node.args) <= most and {word.arg for word in node.keywords} <= set(words)):
            self.refuse(node, f"this form of {ast.unparse(node.func).rpartition('.')[2]} cannot be compiled")

    def truth(self, node: ast.expr) -> Value:
        """A value of which only the truth is used: a number or BOOL."""
        self.tested = node
        return self.as_truth(self.value(node), node)

    def as_truth(self, value: Value, node: ast.AST) -> Value:
        """The same for a value."""
        if value.is_known and is_plain(value.known):
            return Value.of(bool(value.known))
        if value.type.is_object:
            return self.each(value, node, lambda each: Value.of(bool(each.known)))
        value = self.material(value, node)
        if core.is_number(value.type):
            return value
        if value.type.is_truth:
            return Value.made(value.expr)
        if value.type == core.FRACTION:
            return Value.made(core.Compare("!=", value.expr, core.none_of(core.FRACTION)))
        if value.type.label == core.MAYBE:
            kept = self.kept(value, node)
            own = self.as_truth(self.field(kept, 1), node).expr
            parts = self.field(kept, 0).expr, core.Not(core.Not(own))
            return Value.made(core.Either("and", parts))
        if value.type.is_tuple:
            self.evaluate(value)
            return Value.of(len(value.type.items) > 0)
        if value.type.is_object:
            self.refuse(node, "the truth of an object of this class cannot be compiled")
        count = core.Length(value.expr) if value.bits is None else value.bits
        return Value.made(core.Compare("!=", count, core.Number(0)))

    def now(self, function: Callable[..., Any], *given: Value) -> Any:
        """The result of a function for known plain values; UNKNOWN otherwise, and if it fails."""
        if not all(value.is_known and self.unit.is_plain(value.known) for value in given):
            return UNKNOWN
        try:
            return self.without_order(function(*(value.known for value in given)))
        except Exception:  # whatever fails now will fail at its proper time too
            return UNKNOWN

    def without_order(self, made: Any) -> Any:
        """An object that was made during translation; the order of its items stays unknown if it is a set."""
        if isinstance(made, set | frozenset):
            self.unit.unordered[id(made)] = made
        return made

    # ---------------------------------------------------------------- names and constants

    def _constant(self, node: ast.Constant) -> Value:
        return Value.of(node.value)

    def _name(self, node: ast.Name) -> Value:
        if self.here.get(node.id) is SEVERAL:
            kinds = self.unlike.get(node.id, "different kinds of values")
            self.refuse(node, f"cannot unify {kinds}, which {node.id} may be by the way that led here")
        if node.id in self.here:
            return self.as_read(node.id, node)
        known = self.outside.name(node.id)
        if known is UNKNOWN:
            self.refuse(node, f"{node.id} may have no value here: give it one first")
        return Value.of(known)

    def as_read(self, name: str, node: ast.AST) -> Value:
        """What a name stands for now, even if `:=` assigns it in the same statement."""
        value = self.here[name]
        if name not in self.given_inside or value.expr is None or isinstance(value.expr, core.Number):
            return value
        if holds_sequence(value.type):
            self.refuse(node, f"a list that `:=` names {name} cannot be compiled: name it in a statement")
        return self.as_now(value, node)

    def _attribute(self, node: ast.Attribute) -> Value:
        base = self.value(node.value)
        if node.attr in base.type.names:
            return self.field(base, base.type.names.index(node.attr))
        if base.type.is_object:

            def again(part: ast.expr) -> ast.expr:
                return ast.copy_location(ast.Attribute(part, node.attr, ast.Load()), node)

            found = self.by_case(node, node.value, again)
            assert found is not None
            return found
        if base.known is SELF and (getter := self.unit.getter(self.outside.mangled(node.attr))) is not None:
            return self.unit.call(self.whole, node, getter, [base], {})
        own = self.class_of(base)
        found = None if own is None else defined(own, self.outside.mangled(node.attr))
        if isinstance(found, property) and isinstance(found.fget, FunctionType):
            return self.unit.call(self.whole, node, found.fget, [base], {})
        if (own_value := self.of_member(node, base)) is not None:
            return own_value
        is_method = isinstance(found, FunctionType | staticmethod | classmethod)
        of = base.known if base.is_known else own if not is_method else None
        known = UNKNOWN if of is None else self.outside.attribute(of, node.attr)
        if known is UNKNOWN:
            self.refuse(node, f"{ast.unparse(node)} does not stand for whole numbers")
        return Value.of(known)

    def field(self, base: Value, number: int) -> Value:
        """An item of a tuple, by a known number."""
        kind = base.type.items[number]
        if isinstance(base.expr, core.Row):
            item = base.expr.items[number]
            self.evaluate(*(Value(other.type, other) for other in base.expr.items if other is not item))
            return self.parts_of(base.expr)[number]
        there = frozenset(path[1:] for path in base.there if path[0] == number)
        found = self.opened(Value.made(core.Field(base.expr, number, kind)))
        found = self.unless_none(found) or found if () in there else found
        return replace(found, there=there - {()}) if there else found

    def parts_of(self, row: core.Row) -> list[Value]:
        """All items of a tuple that is just written."""
        parts = zip(row.type.items, row.items, strict=True)
        known = [
            known_in(item) if core.is_number(kind) or (kind.is_tuple and is_flat(kind)) else None
            for kind, item in parts
        ]
        found = [UNKNOWN if each is None else each for each in known]
        return [self.opened(Value(*each)) for each in zip(row.type.items, row.items, found, strict=True)]

    def fields(self, value: Value) -> list[Value]:
        """All items of a tuple."""
        return [self.field(value, number) for number in range(len(value.type.items))]

    def opened(self, value: Value) -> Value:
        """A part of a state, or a move, as rules see it: one of up to a number of items is a tuple of any length."""
        own = value.type
        if own.label == core.MEMBERS:
            return self.whole.of_bits(core.Field(value.expr, 0, core.INT), "frozenset", item_type(own))
        if own.label == core.TEXT and len(own.items) == 1:  # a letter
            return Value.made(core.Field(value.expr, 0, own.items[0]))
        if own.label != core.UP_TO:
            return value
        parts = [core.Field(value.expr, number, kind) for number, kind in enumerate(own.items)]
        kind = core.Sequence(item_type(core.Tuple(own.items[1:])), own.names[0])
        return Value.made(core.Listed(tuple(parts[1:]), len(parts) - 1, kind, parts[0]))

    def not_none(self, value: Value, node: ast.AST) -> Value:
        """A value that exists at run time; one that may be None must not be None there."""
        value = self.material(value, node)
        if value.type.label != core.MAYBE:
            return value
        value = self.kept(value, node)
        self.fault_if(core.Not(self.field(value, 0).expr), node, "a value is None")
        return self.field(value, 1)

    def evaluate(self, *values: Value) -> None:
        """Make sure that values that are not needed fail where Python fails."""
        for value in values:
            if value.expr is not None and may_fail(value.expr):
                self.add(core.Do(value.expr))

    def _namedexpr(self, node: ast.NamedExpr) -> Value:
        if node not in self.given_once:
            self.refuse(node, "`:=` in this place cannot be compiled: give the name its value in a statement before")
        value = self.value(node.value)
        self.whole.bind(node.target, value, node.value)
        return self.as_read(node.target.id, node)

    # ---------------------------------------------------------------- truth and choice

    def _boolop(self, node: ast.BoolOp) -> Value:
        op = "and" if isinstance(node.op, ast.And) else "or"
        self.after_all.pop(node, None)
        part_of = self.truth if node is self.tested else self.value  # parts of a test need no common type
        result = part_of(node.values[0])
        reached = self.where(node.values[0], op == "and")
        for other in node.values[1:]:
            result = self.or_zero(result, node) if op == "or" else result
            if result.is_known and is_plain(result.known):
                if bool(result.known) == (op == "or"):
                    return result
                result = part_of(other)
                reached = self.where(other, op == "and")
                continue
            before, self.names = self.names, reached
            try:
                statements, value, names = self.part(lambda: self.material(part_of(other), other))  # noqa: B023
            except Unsettled:  # its value is taken to be like the one before it
                self.names = before
                continue
            reached, self.names = self.where(other, op == "and"), before
            left, right = self.material(result, node), value
            if (kind := self.common([left.type, right.type])) is not None:
                left = self.fitted(left, kind, node)
                with self.apart() as more:
                    right = self.fitted(right, kind, node)
                statements = (*statements, *more)
            only = None
            if joined_types(left.type, right.type) is None:
                only, left = core.Truth(f"{left.type.name} and {right.type.name}"), self.as_truth(left, node)
                with self.apart() as more:
                    right = self.material(self.as_truth(right, other), node)
                statements = (*statements, *more)
            # What may be None or empty is true or not by what it holds.
            if statements or left.type.label or holds_sequence(left.type):
                is_needed = self.as_truth if op == "and" else lambda each, node: denied(self.as_truth(each, node))
                result = self.instead(node, left, lambda each: is_needed(each, node).expr, statements, right)  # noqa: B023
            else:
                kind = self.joined(node, left.type, right.type)
                parts = left.expr.parts if isinstance(left.expr, core.Either) and left.expr.op == op else (left.expr,)
                result = Value.made(core.Either(op, (*parts, right.expr), kind))
            result = result if only is None else Value(only, result.expr)
            self.names = self.merged([before, names])
        self.after_all[node] = reached
        return result

    def joined(self, node: ast.AST, one: core.Type, other: core.Type) -> core.Type:
        """The common type of two alternatives."""
        kind = joined_types(one, other)
        if kind is None:
            self.refuse(node, f"cannot unify {told_apart(one, other)}: give one kind of value on every way")
        return kind

    def _ifexp(self, node: ast.IfExp) -> Value:
        test = self.truth(node.test)
        if test.is_known:
            return self.value(node.body if test.known else node.orelse)
        before = self.where(node.test, True), self.where(node.test, False)
        ways = self._same_type(self._branches(node, before), node)
        self.names = self.merged([ways[0][2], ways[1][2]])
        kind = self.joined(node, ways[0][1].type, ways[1][1].type)
        before_both = [each for statements, *_ in ways for each in statements]
        if are_plain_copies(before_both, *before) and not holds_sequence(kind):
            self.out += before_both
            return Value.made(core.Choice(test.expr, ways[0][1].expr, ways[1][1].expr, kind))
        name = self.fresh()
        then, otherwise = ((*each[0], core.Assign(name, each[1].expr)) for each in ways)
        self.add(core.If(test.expr, then, otherwise))
        self.met(name, [each[1] for each in ways])
        return Value.made(core.Local(name, kind))

    def _branches(self, node: ast.IfExp, names: Any) -> list[tuple[Any, Value, Any]]:
        """Both branches, with their statements and the names after them."""
        ways: list[Any] = []
        unsettled = None
        for each, own in zip((node.body, node.orelse), names, strict=True):
            self.names = dict(own)
            try:
                with self.apart() as statements, self.or_fault(each) as refused:
                    value = self.material(self.value(each), each)
            except Unsettled as reason:
                unsettled = reason
                continue
            ways.append((tuple(statements), None if refused else value, self.names))
        known = next((way for way in ways if way[1] is not None), None)
        if known is None:
            raise unsettled or self.unit.refusals[-1]
        ways = [((*way[0], *known[0]), *known[1:]) if way[1] is None else way for way in ways]
        return ways * 2 if unsettled is not None else ways  # what is still unknown is like what is known

    def _same_type(self, ways: list[tuple[Any, Value, Any]], node: ast.AST) -> list[tuple[Any, Value, Any]]:
        """Both branches with values of one type, see `wider`."""
        kind = self.common([value.type for _, value, _ in ways])
        if kind is None:
            return ways
        found = []
        for statements, value, names in ways:
            self.names = names
            with self.apart() as more:
                value = self.fitted(value, kind, node)
            found.append(((*statements, *more), value, self.names))
        return found

    # ---------------------------------------------------------------- tuples and items

    def _tuple(self, node: ast.Tuple) -> Value:
        if any(isinstance(part, ast.Starred) for part in node.elts):
            return self.value(_summed(node, tuple, ast.Add()))
        return self.row(node, [self.value(part) for part in node.elts], loose=node in self.loose)

    def row(self, node: ast.AST, values: list[Value], *, loose: bool = False) -> Value:
        """A tuple of these values; a `loose` one, which goes into a state at once, may hold sequences."""
        if any(value.lists is not None for value in values) and not loose:
            kept = [value if value.expr is None else self.kept(value, node) for value in values]
            return Value.of(Together(tuple(kept)))
        if all(value.is_known and value.lists is None for value in values):
            return Value.of(tuple(value.known for value in values))
        return Value.row([self.material(value, node) if loose else self.closed(value, node) for value in values])

    def closed(self, value: Value, node: ast.AST) -> Value:
        """A value as a part of a tuple, the opposite of `opened`; a sequence is a part that has its own place."""
        value = self.whole.as_members(node, value) if type(value.known) is frozenset else value
        value = self.whole.as_holder(value, node) if id(value.known) in self.made_here else value
        kind = value.type
        if value.expr is not None and type(value.known) in (int, tuple):  # which stays known without its name
            again = self.material(Value.of(value.known), node)
            value = again if again.type == kind else value
        if kind.is_sequence and kind.sort == "frozenset" and value.bits is not None:
            return Value.row([Value(kind.item, value.bits)], (), core.MEMBERS)
        if kind.is_sequence and kind.sort == "view":
            self.refuse(node, "a view of a dictionary inside of a tuple cannot be compiled: write list(...)")
        return self.not_only_truth(self.material(value, node), node)

    def _list(self, node: ast.List) -> Value:
        if any(isinstance(part, ast.Starred) for part in node.elts):
            return self.value(_summed(node, list, ast.Add()))
        values = [self.material(self.value(part), part) for part in node.elts]
        return self.new_list(node, values, 0)  # lists that are appended to get room later

    def require_words(self, item: core.Type, node: ast.AST) -> None:
        """Refuse a list whose items are anything but numbers and tuples of them."""
        if not width_of(item):
            is_open = item.is_sequence and item.sort == "tuple"
            rest = (
                "make a tuple at once, tuple(tuple(...) for ...)" if is_open else "only numbers and tuples of numbers"
            )
            self.refuse(node, f"a list of such items ({item.name}) cannot be compiled: {rest}")

    def new_list(self, node: ast.AST, values: list[Value], room: int, sort: str = "list") -> Value:
        """A new sequence of these items."""
        if values and sort == "list" and all(value.type.is_sequence and value.type.sort == "list" for value in values):
            return self.nested(node, values)
        item: core.Type = core.NOTHING
        values = self.alike(values, node)
        for value in values:
            item = value.type if item == core.NOTHING else self.joined(node, item, value.type)
        if values:
            self.require_words(item, node)
        if len(values) > core.ROOM:
            self.refuse(node, f"a list of more than {core.ROOM} items cannot be compiled")
        kind = core.Sequence(item, sort, len(values))
        return Value.made(core.Listed(tuple(value.expr for value in values), max(room, len(values)), kind))

    def _call(self, node: ast.Call) -> Value:
        return self.whole.call(node)

    def _dict(self, node: ast.Dict) -> Value:
        pairs = [
            (self.whole.peek(key) if key else UNKNOWN, self.whole.peek(value))
            for key, value in zip(node.keys, node.values, strict=True)
        ]
        if any(part is UNKNOWN or not self.unit.is_plain(part) for pair in pairs for part in pair):
            return self.whole.dict_of(node)
        return self._display(dict, pairs, node)

    def _set(self, node: ast.Set) -> Value:
        if any(isinstance(part, ast.Starred) for part in node.elts):
            return self.value(_summed(node, set, ast.BitOr()))
        items = [self.whole.peek(item) for item in node.elts]
        if any(item is UNKNOWN or not self.unit.is_plain(item) for item in items):
            return self.whole.set_of(node)
        return self._display(set, items, node)

    def _display(self, kind: Callable[[Any], Any], parts: list[Any], node: ast.AST) -> Value:
        try:
            made = self.without_order(kind(parts))
            self.made_here[id(made)] = made
            return Value.of(made)
        except TypeError:
            self.refuse(node, "this has no hash")

    def _listcomp(self, node: ast.ListComp) -> Value:
        return self.whole.gathered(node, node, "list")

    def _subscript(self, node: ast.Subscript) -> Value:
        if isinstance(node.slice, ast.Slice):
            return self.whole.sliced(node)
        return self.item(node, self.value(node.value), self.value(node.slice))

    def item(self, node: ast.AST, base: Value, index: Value) -> Value:
        """`base[index]`."""
        if base.lists is not None:
            return base.lists.at(self.whole, node, index)
        if base.type.is_object and not base.is_known:
            return self.each(base, node, lambda each: self.item(node, each, index))
        if index.type.is_object and not index.is_known:
            return self.each(index, node, lambda each: self.item(node, base, each))
        is_there = is_list(base.known) or type(base.known) in (*DICTS, str, EnumMeta)
        if is_there and self.unit.is_plain(index.known) and index.is_known:
            if isinstance(base.known, dict) and index.known not in base.known and base.known:
                self.fault_if(core.Number(True), node, "the key is not there")
                return Value.of(next(iter(base.known.values())))
            known = self.whole.called_now(lambda: base.known[index.known], [], {})
            if known is not UNKNOWN:
                return Value.of(known)
        if type(base.known) in DICTS and base.expr is None:
            return self.at_key(node, base.known, self.material(index, node), None)
        if is_there and not self.unit.is_value(base.known):
            place, site = self.material(index, node).expr, self.site(node, "an index is out of range")
            return self.picked(node, tuple(base.known), place, site)
        if base.type.is_sequence and base.type.sort not in ("list", "tuple", "str", None):
            if base.type.sort != "dict":
                self.refuse(node, f"an item of {base.type.name} by number cannot be compiled: Python has none")
            return self.whole.value_at(node, base, index)
        if base.is_known and is_list(base.known) and base.expr is None:
            base = self.table(base, node)
        base = self.not_none(base, node)
        number = self.not_none(index, node)
        if not core.is_number(number.type):
            self.refuse(node, f"an index is a whole number, not {number.type.name}")
        if base.type.is_tuple:
            count = len(base.type.items)
            if not count:
                self.fault_if(core.Number(True), node, "an index is out of range")
                return Value.of(0)
            if is_whole(number.known):
                if not -count <= number.known < count:  # tests that know so may lie between this and any state
                    self.fault_if(core.Number(True), node, f"a tuple of {count} has no item {number.known}")
                return self.field(base, number.known % count)
            if not width_of(base.type) or item_type(base.type) == core.OBJECT:
                if count > _FEW or not all(each.is_tuple or each.is_sequence for each in base.type.items):
                    self.refuse(node, "which item of a tuple is not known when compiling")
                return self._one_of(base, number, node)
        count = len(base.known) if is_there else len(base.type.items)
        site = 0 if is_below(number.expr, count) else self.site(node, "an index is out of range")
        return self.with_names(node, base.known, self.item_at(base, number.expr, site))

    def _one_of(self, base: Value, number: Value, node: ast.AST) -> Value:
        """An item of a tuple of sequences, by an index that exists at run time."""
        place = self.from_start(node, number, len(base.type.items))
        held, at = self.named(self.kept(base, node), node), self.named(Value.made(place), node)
        first, *others = range(len(base.type.items))
        text = "".join(f"held[{each}] if at == {each} else " for each in others)
        return self.value(filled(f"{text}held[{first}]", node, held=held, at=at))

    def item_at(self, base: Value, index: core.Expr, site: int) -> Value:
        """The same for an index that exists at run time."""
        if not (base.type.is_long or base.type.is_tuple):
            self.refuse(None, f"{base.type.name} has no items that can be compiled")
        kind = item_type(base.type)
        return self.opened(Value.made(core.Item(base.expr, index, site, kind)))


def _summed(node: ast.Tuple | ast.List | ast.Set, kind: type, op: ast.operator) -> ast.expr:
    """A tuple, list or set with starred items as a sum."""
    result: ast.expr | None = None
    for part in node.elts:
        items: ast.expr = ast.Set([part]) if isinstance(node, ast.Set) else type(node)([part], ast.Load())
        if isinstance(part, ast.Starred):
            items = ast.Call(constant(kind), [part.value], [])
        result = items if result is None else ast.BinOp(result, op, items)
    assert result is not None
    return ast.fix_missing_locations(ast.copy_location(result, node))
