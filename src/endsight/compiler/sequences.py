"""Sums, repeats and slices of tuples and lists in the rules, and membership among their items."""

from __future__ import annotations

import ast
import functools
import itertools
import math
from dataclasses import replace
from typing import Any

from endsight.compiler import core
from endsight.compiler.iteration import Loop
from endsight.compiler.lazy_loops import LazyLoops
from endsight.compiler.refusal import CannotCompile
from endsight.compiler.resolve import DICTS, UNKNOWN, is_list, is_whole
from endsight.compiler.syntax import filled, nodes_of
from endsight.compiler.values import Cut, Value, width_of

_MOST_PLACES = 256
_FRONT = core.Number(0)
_HELD = (ast.Name, ast.Attribute, ast.Subscript, ast.Constant)


class Sequences(LazyLoops):
    """The part of the translation of a function that deals with whole tuples and lists."""

    def chained(self, node: ast.BinOp, left: Value, right: Value) -> Value | None:
        """`+` and `*` of texts, tuples and lists; None for other values."""
        if isinstance(node.op, ast.Mult):
            return self._repeated(node, left, right)
        texts = [text for text in map(self.whole.as_text, (left, right)) if text is not None]
        one, other = texts if len(texts) == 2 else (left, right)
        if not isinstance(node.op, ast.Add) or not all(map(_may_be_items, (one, other))):
            return None
        cut, rest = one.cut, other.cut
        if cut is not None and cut.item is not None and rest is not None and rest.is_rest and cut.source == rest.source:
            replaced = self._with_item(node, cut.items, cut.place, cut.item)
            if replaced is not None:
                return replaced
        one, other = self.material(one, node), self.material(other, node)
        if one.type.is_tuple and other.type.is_tuple:
            one, other = self.kept(one, node), self.kept(other, node)
            return self._like(one, node, self.fields(one) + self.fields(other))
        if self._sort_of(one, node) != self._sort_of(other, node):
            self.refuse(node, "the sum of a list and a tuple is an error")
        result = self.joined_items(node, [one, other], self._sort_of(one, node))
        if cut is not None and not cut.is_rest and cut.item is None and other.type.is_tuple:
            return replace(result, cut=cut._replace(item=self.as_now(other, node)))
        return result

    def _like(self, value: Value, node: ast.AST, parts: list[Value]) -> Value:
        """A text or tuple of these parts."""
        return self.whole.text_of(parts) if value.type.sort == "str" else self.row(node, parts)

    def _with_item(self, node: ast.AST, items: Value, index: Value, middle: Value) -> Value | None:
        """A tuple with the only item of `middle` in place of one of its own; None if that is no such tuple."""
        kinds = items.type.items
        if not middle.type.is_tuple or len(middle.type.items) != 1 or middle.type.sort != items.type.sort:
            return None
        parts = self.alike(self.fields(items) + self.fields(middle), node)
        item = parts.pop()
        own = functools.reduce(lambda one, other: self.joined(node, one, other), kinds, item.type)
        if not width_of(own):
            return None
        last = core.Number(len(kinds) - 1)
        outside = (core.Compare("<", index.expr, core.Number(0)), core.Compare(">", index.expr, last))
        site = self.fault_if(core.Either("or", outside), node, "an index is out of range")
        name, kind = self.fresh(), core.Sequence(own, "list", len(kinds))
        self.add(core.Assign(name, core.Listed(tuple(part.expr for part in parts), len(kinds), kind)))
        self.add(core.SetItem(name, kind, index.expr, item.expr, site))
        held = core.Local(name, kind)
        parts = [Value.made(core.Item(held, core.Number(number), site, own)) for number in range(len(kinds))]
        return self._like(items, node, parts)

    def _sort_of(self, value: Value, node: ast.AST) -> str:
        """Whether something made of parts of a value is a `list` in Python, or a `tuple`."""
        kind: str = value.type.sort
        if kind not in ("list", "tuple", "str") or (value.type.is_object and self._may_be_text(value)):
            self.refuse(node, f"parts of {value.type.name} cannot be compiled")
        return kind

    def joined_items(self, node: ast.AST, values: list[Value], sort: str) -> Value:
        """A new sequence of the items of all of these."""
        name = self.empty(sort)
        for value in values:
            self._append_all(name, value, node)
        return self.here[name]

    def _append_all(self, name: str, value: Value, node: ast.AST) -> None:
        """Add all items of a value to a sequence."""
        if value.type.is_tuple:
            for item in self.fields(self.kept(value, node)):
                self.append(name, item, node)
            return
        self.each_item(value, lambda item: self.append(name, item, node), {name}, node)

    def summed(self, node: ast.Call, first: Value) -> Value:
        """`sum` of tuples or lists, beginning with one."""
        sort = self._sort_of(first, node)
        name = self.empty(sort)
        self._append_all(name, first, node)

        def turn(item: Value) -> None:
            item = self.not_none(self.read_now(item, node), node)
            if self._sort_of(item, node) != sort or sort == "str":
                self.refuse(node, "the sum of a list and a tuple is an error")
            self._append_all(name, item, node)

        self.go_through(node.args[0], turn, {name}, node.args[0])
        return self.here[name]

    def _repeated(self, node: ast.BinOp, left: Value, right: Value) -> Value | None:
        items, times = (left, right) if _may_be_items(left) else (right, left)
        if not _may_be_items(items) or (times.type.is_object and not times.is_known):
            return None
        count = self.material(times, node)
        items = self.material(items, node)
        if not core.is_number(count.type):
            self.refuse(node, "a list is repeated a whole number of times")
        if isinstance(count.known, int) and items.type.is_tuple:
            parts = self.fields(self.kept(items, node)) * count.known
            if len(parts) <= 64:
                return self._like(items, node, parts)
        if isinstance(count.known, int) and (own := self._items_of_list(items, node, 64 // max(1, count.known))):
            return self.new_list(node, own * count.known, 0)
        name = self.empty(self._sort_of(items, node))
        if isinstance(items.expr, core.Listed) and len(items.expr.items) == 1:
            items = Value.row([self.kept(Value(items.type.item, items.expr.items[0]), node)])
        items = self.kept(items, node)
        self.count_up(count.expr, lambda _: self._append_all(name, items, node), {name}, node)
        return self.here[name]

    def _items_of_list(self, value: Value, node: ast.AST, most: int) -> list[Value]:
        """The items of a list of known length; none for other values, and of a list of more items than that."""
        kind = value.type
        if not kind.is_sequence or kind.sort != "list" or not 0 < (kind.count or 0) <= most:
            return []
        held = self.kept(value, node)
        return [self.item_at(held, core.Number(at), 0) for at in range(kind.count or 0)]

    def sliced(self, node: ast.Subscript) -> Value:
        """`items[a:b:c]`."""
        parts = node.slice
        assert isinstance(parts, ast.Slice)
        if isinstance(parts.step, ast.IfExp):  # a step that is known on either way
            ends = parts.lower, parts.upper
            ways = [
                ast.copy_location(ast.Subscript(node.value, ast.Slice(*ends, each), node.ctx), node)
                for each in (parts.step.body, parts.step.orelse)
            ]
            return self.value(ast.copy_location(ast.IfExp(parts.step.test, *ways), node))
        base = self.read(node.value)
        if base.type.is_object and not base.is_known and self._may_be_text(base):
            return self.whole.each(base, node, lambda each: self.sliced(self._slice_of(each, node)))
        bounds = [None if part is None else self.value(part) for part in (parts.lower, parts.upper, parts.step)]
        if all(end is None or end.is_known for end in bounds):
            known = slice(*(None if end is None else end.known for end in bounds))
            if base.is_known and self.unit.is_plain(base.known):
                found = self.now(lambda items: items[known], base)
                if found is not UNKNOWN:
                    return self.whole.of_new(found, node)
            if base.type.is_tuple and not base.type.names:
                cut = self.fields(self.kept(base, node))[known]
                return self._like(base, node, cut)
            if items := self._items_of_list(base, node, 64)[known]:
                return self.new_list(node, items, 0)
        step = Value.of(1) if bounds[2] is None else bounds[2]
        if not isinstance(step.known, int) or step.known == 0:
            self.refuse(node, "a slice whose step depends on the state cannot be compiled")
        value = self.table(base, node) if base.is_known and base.expr is None else self.material(base, node)
        view = self.view_of(self.kept(value, node), node)
        name = self.empty(self._sort_of(value, node))
        start, stop = self._ends(node, view.count, bounds, step.known)
        loop = Loop(lambda at: self.append(name, view.item(at.expr), node), {name}, node)
        self._count(start, stop, core.Number(step.known), loop)
        return replace(self.here[name], cut=self._cut(node, base))

    def _may_be_text(self, value: Value) -> bool:
        return any(isinstance(each, str) for each in self.whole.objects_of(value))

    def _slice_of(self, base: Value, node: ast.Subscript) -> ast.Subscript:
        """The same slice of another value."""
        return ast.copy_location(ast.Subscript(self.named(base, node), node.slice, node.ctx), node)

    def _cut(self, node: ast.Subscript, base: Value) -> Cut | None:
        """What `x[:i]` and `x[i + 1:]` are of a tuple `x`; None for other slices."""
        parts, held = node.slice, nodes_of(node.value)
        assert isinstance(parts, ast.Slice)
        end, is_rest = parts.upper, parts.upper is None
        if is_rest and isinstance(parts.lower, ast.BinOp) and ast.unparse(parts.lower).endswith(" + 1"):
            end = parts.lower.left
        is_plain = base.type.is_tuple and base.type.items and base.type.label in ("", core.TEXT)
        if not is_plain or not all(isinstance(each, _HELD) for each in held) or parts.step is not None:
            return None
        if not isinstance(end, ast.Name) or not (is_rest or parts.lower is None):
            return None
        place = self.value(end)
        if not core.is_number(place.type):
            return None
        names = sorted({each.id for each in (*held, end) if isinstance(each, ast.Name)} & set(self.here))
        versions = tuple((name, self.here[name].version) for name in names)
        source = ast.unparse(node.value), end.id, versions
        return Cut(source, self.as_now(base, node), self.as_now(place, node), is_rest)

    def _ends(self, node: ast.AST, length: core.Expr, bounds: list[Value | None], step: int) -> list[core.Expr]:
        """Where a slice begins, and where it ends."""
        length = self.kept(Value(core.INT, length), node).expr
        zero = core.Number(0)
        last = core.Binary("subtract", length, core.Number(1), 0)
        low, high = (zero, length) if step > 0 else (core.Number(-1), last)

        def inside(end: Value | None, default: core.Expr) -> Any:
            if end is None or (end.is_known and end.known is None):
                return self.kept(Value(core.INT, default), node).expr
            at = self.kept(end, node)
            if not core.is_number(at.type):
                self.refuse(node, "the bounds of a slice are whole numbers")
            from_end = core.Binary("add", at.expr, length, self.site(node, "the number does not fit a word"))
            front = core.Choice(core.Compare("<", at.expr, zero), from_end, at.expr, core.INT)
            bounded = core.Binary("least", core.Binary("largest", front, low, 0), high, 0)
            return self.kept(Value(core.INT, bounded), node).expr

        return [inside(bounds[0], low if step > 0 else high), inside(bounds[1], high if step > 0 else low)]

    def between(self, node: ast.Compare, item: Value, start: core.Expr, stop: core.Expr, step: core.Expr) -> Value:
        """`item in range(start, stop, step)`."""
        item = self.kept(item, node)
        if not isinstance(step, core.Number) or step.value == 0 or not core.is_number(item.type):
            self.refuse(node, "`in` such a range cannot be compiled")
        test = "start <= item < stop" if step.value > 0 else "start >= item > stop"
        test += "" if abs(step.value) == 1 else " and (item - start) % step == 0"
        given = zip(("start", "stop", "step"), (start, stop, step), strict=True)
        parts = {name: self.named(self.kept(Value(core.INT, each), node), node) for name, each in given}
        return self.value(filled(test, node, self.fresh, item=self.named(item, node), **parts))

    def in_sequence(self, node: ast.Compare, item: Value, items: Value) -> Value:
        """`item in items`."""
        if items.bits is not None and core.is_number((wanted := self.kept(item, node)).type):
            return Value(core.BOOL, self.whole.has_bit(items.bits, wanted.expr))
        known: Any = items.known if items.expr is None else UNKNOWN
        if isinstance(known, range):
            bounds = (known.start, known.stop, known.step)
            return self.between(node, item, *(self.material(Value.of(end), node).expr for end in bounds))
        if isinstance(known, bytes | str):
            self.refuse(node, "`in` a bytes object or a text cannot be compiled")
        if isinstance(known, set | frozenset | dict) and type(known) not in (set, frozenset, *DICTS):
            self.refuse(node, "`in` such a set cannot be compiled")  # its class may say otherwise what is in it
        if isinstance(known, set | frozenset | dict) or is_list(known):
            return self._among(node, self.kept(item, node), tuple(known))
        wanted = self.kept(item, node)
        kind = items.type
        if not (kind.is_long or kind.is_tuple):
            self.refuse(node, f"`in` {kind.name} cannot be compiled")
        if kind.is_sequence and kind.sort == "dict":
            return self.whole.has_key(node, items, wanted)
        if kind.is_sequence and kind.item == core.NOTHING:  # nothing was put in yet
            return self.as_now(Value(core.BOOL, core.Number(False)), node)
        if kind.is_tuple:
            if kind.label == core.TEXT and (text := self.whole.as_text(wanted)) is not None:
                if not text.type.is_tuple or len(text.type.items) != 1:
                    self.refuse(node, "`in` a text is compiled for single letters alone")
                wanted = self.kept(self.field(text, 0), node)
            if kind.items and self._are_few(kind, wanted.type):
                letters = self.fields(self.kept(items, node))
                same = [self.comparison(node, "==", each, wanted).expr for each in letters]
                return Value(core.BOOL, same[0] if len(same) == 1 else core.Either("or", tuple(same)))
            if not kind.items:
                self.evaluate(wanted)
                return Value.of(False)
        if kind.is_table and kind.sort not in ("list", "tuple", "range"):
            self.refuse(node, "`in` a bytes object or a text cannot be compiled")
        place = self.place_of(node, wanted, items, unordered=True)
        return Value.made(core.Compare(">=", place, core.Number(0)))

    def _among(self, node: ast.Compare, wanted: Value, known: tuple[Any, ...]) -> Value:
        """Whether a value equals one of some known objects."""
        if (keys := self.whole.keys_like(node, wanted, known)) is None:
            tests = [self.material(self.compared(node, ast.Eq(), wanted, Value.of(each)), node) for each in known]
            return Value.made(core.Either("or", (core.Number(False), *(test.expr for test in tests))))
        words, rows = keys
        if not rows:
            self.evaluate(wanted)
            return Value.of(False)
        if len(words) == 1 and len(rows) <= 16:
            same = tuple(core.Compare("==", words[0], core.Number(number)) for (number,) in rows)
            return Value(core.BOOL, same[0] if len(same) == 1 else core.Either("or", same))
        place = self.whole.place_of_key(node, words, rows)
        return Value.made(core.Compare(">=", place, core.Number(0)))

    def _are_few(self, kind: core.Type, wanted: core.Type) -> bool:
        """Whether comparing with each item is quick."""
        each = (*kind.items, wanted)
        return len(kind.items) <= 16 and (all(map(core.is_number, each)) or all(one.is_object for one in each))

    def place_of(
        self, node: ast.AST, wanted: Value, items: Value, *, unordered: bool = False, first: core.Expr = _FRONT
    ) -> core.Local:
        """The number of the first item (of a dictionary, key), from `first` on, that equals a value; -1 for none."""
        items, wanted = self.kept(items, node), self.kept(wanted, node)
        view, name = self.view_of(items, node, unordered), self.fresh()
        known = self.unit.program.tables[items.expr.number - 1] if isinstance(items.expr, core.Table) else ()
        if (place := self._place_in(wanted, known)) is not None:
            self.add(core.Assign(name, place))
        else:
            self.add(core.Assign(name, core.Number(-1)))

            def turn(at: Value) -> None:
                same = self.comparison(node, "==", self.material(view.item(at.expr), node), wanted)
                found = (core.Assign(name, at.expr), core.Break())
                self.add(core.If(same.expr, found))

            self._count(first, view.count, core.Number(1), Loop(turn, set(), node))
        self.bounds[name] = self.most(view.count)
        return core.Local(name, core.INT)

    def _place_in(self, wanted: Value, known: Any) -> core.Expr | None:
        """The number of a number, or of a tuple of numbers, among constant ones, from a table; -1 if there is none.

        None where the table would be large.
        """
        parts = [each.expr for each in self.fields(wanted)] if wanted.type.is_tuple else [wanted.expr]
        rows = [each if isinstance(each, tuple) else (each,) for each in known]
        is_flat = all(map(is_whole, itertools.chain(*rows))) and set(map(len, rows)) == {len(parts)} != {0}
        if not is_flat or not all(core.is_number(part.type) for part in parts) or wanted.type.label in core.LABELS:
            return None
        ends = [(int(min(column)), int(max(column))) for column in zip(*rows, strict=True)]
        if math.prod(high - low + 1 for low, high in ends) > _MOST_PLACES:
            return None
        every = itertools.product(*(range(low, high + 1) for low, high in ends))
        table = tuple(rows.index(each) if each in rows else -1 for each in every)
        place: core.Expr = core.Number(0)
        inside: list[core.Expr] = []
        for part, (low, high) in zip(parts, ends, strict=True):
            inside += core.Compare("<=", core.Number(low), part), core.Compare("<=", part, core.Number(high))
            before = core.Binary("multiply", place, core.Number(high - low + 1), 0)
            place = core.Binary("add", before, core.Binary("subtract", part, core.Number(low), 0), 0)
        if table != tuple(range(len(table))):
            place = core.Item(self.unit.table(self.unit.kept(table), CannotCompile), place, 0, core.INT)
        return core.Choice(core.Either("and", tuple(inside)), place, core.Number(-1), core.INT)


def _may_be_items(value: Value) -> bool:
    if value.type.is_long or value.type.is_tuple:
        return True
    return value.is_known and value.expr is None and is_list(value.known) and not isinstance(value.known, range | bytes)
