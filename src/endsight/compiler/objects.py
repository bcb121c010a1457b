"""Texts, members of an Enum, constants of any shape: values that are one of a few objects known before any state.

Such a value is the number of the object in a list of all of them. Whatever the rules ask of it is asked of each object
at compile time, and the answers lie in a table by that number; if there is no answer yet, as an index depends on the
state, the rules branch for each object.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from enum import EnumMeta
from fractions import Fraction
from typing import Any

from endsight.compiler import core
from endsight.compiler.flow import Flow
from endsight.compiler.refusal import CannotCompile
from endsight.compiler.resolve import is_whole
from endsight.compiler.values import Value, item_type


class Objects(Flow):
    """The part of the translation of a function that deals with known objects of any kind, and with texts."""

    def picked(self, node: ast.AST, objects: tuple[Any, ...], index: core.Expr, site: int) -> Value:
        """The object at an index, as a number or list of numbers if all of them are such."""
        if Fraction in map(type, objects) and all(is_whole(each) or type(each) is Fraction for each in objects):
            parts = [self.whole.constant_fraction(Fraction(each), node).expr.value.value for each in objects]
            scaled = self.unit.table(self.unit.kept(tuple(parts)), CannotCompile)
            return Value.made(core.Parts(core.Item(scaled, index, site, core.INT)))
        table = self._as_table(objects)
        if table is not None:
            return Value.made(core.Item(table, index, site, item_type(table.type)))
        numbers = tuple(map(self.unit.number_of, objects))
        kind = core.Known(tuple(sorted(set(numbers))))
        return Value.made(core.Item(self.unit.table(self.unit.kept(numbers), CannotCompile), index, site, kind))

    def _as_table(self, objects: tuple[Any, ...]) -> core.Table | None:
        """Objects that are numbers, or lists of them, as a constant."""
        if not self.unit.is_value(self.unit.kept(objects)):
            return None
        table = self.unit.table(self.unit.kept(objects), CannotCompile)
        return table if None not in table.type.kinds else None

    def each(self, value: Value, node: ast.AST, ask: Callable[[Value], Value]) -> Value:
        """The result of `ask` for a value that is one of a few objects."""
        numbers, before = value.type.numbers, self.here
        ways = []
        for number in numbers:
            self.names = dict(before)
            with self.apart() as statements:
                result = ask(Value.of(self.unit.pool[number]))
            ways.append((number, tuple(statements), result, self.names))
        self.names = self.merged([names for *_, names in ways])
        if not any(statements or not result.is_known for _, statements, result, _ in ways):
            results: dict[int, Any] = {number: result.known for number, _, result, _ in ways}
            if all(known is ways[0][2].known for known in results.values()):
                return ways[0][2]
            if all(map(self.unit.is_object, results.values())):
                first, last = numbers[0], numbers[-1]
                dense = tuple(results.get(number, results[first]) for number in range(first, last + 1))
                place = core.Binary("subtract", self._word(value, node), core.Number(first), 0)
                return self.picked(node, dense, place, 0)
        return self._one_way(value, node, ways)

    def _one_way(self, value: Value, node: ast.AST, ways: list[Any]) -> Value:
        """A branch for each object."""
        word, name = self._word(value, node), self.fresh()
        kind: core.Type = core.NOTHING
        found = [self.material(result, node) for *_, result, _ in ways]
        if any(each.type == core.FRACTION for each in found):
            found = self.whole.alike(found, node)
        for (number, statements, *_), result in zip(ways, found, strict=True):
            if result.type.is_sequence:
                self.refuse(node, "a list that depends on a text or object cannot be compiled")
            kind = result.type if kind == core.NOTHING else self.whole.joined(node, kind, result.type)
            body = (*statements, core.Assign(name, result.expr))
            self.add(core.If(core.Compare("==", word, core.Number(number)), body))
        return Value.made(core.Local(name, kind))

    def _word(self, value: Value, node: ast.AST) -> core.Expr:
        kept = self.kept(value, node).expr
        return kept if isinstance(kept, core.Number) else kept.but(type=core.INT)

    def by_case(self, node: ast.AST, part: ast.expr, again: Callable[[ast.expr], ast.expr]) -> Value | None:
        """The result of `again` for each object that `part` may be; None if it is no such value."""
        value = self.whole.value(part)
        if not value.type.is_object:
            return None

        return self.each(value, node, lambda known: self.whole.value(again(self.named(known, part))))

    def member(self, node: ast.AST, kind: EnumMeta, value: Value) -> Value:
        """`Enum(value)`."""
        members: dict[Any, Any] = {each.value: each for each in list(kind)}  # type: ignore[var-annotated]
        return self.whole.item(node, Value.of(self.unit.kept(members)), value)

    def at_key(self, node: ast.AST, table: dict[Any, Any], key: Value, default: Value | None) -> Value:
        """`table[key]`, or `table.get(key, default)`, for a constant dictionary by numbers or tuples of numbers."""
        keys = self._as_table(tuple(table))
        if keys is None or not table:
            self.refuse(node, "a dictionary by anything but whole numbers or tuples of them cannot be compiled here")
        place: core.Expr = self.whole.place_of(node, self.kept(key, node), Value(keys.type, keys))
        missing = core.Compare("<", place, core.Number(0))
        if default is None:
            self.fault_if(missing, node, "the key is not there")
            return self.picked(node, tuple(table.values()), place, 0)
        if default.is_known:
            place = core.Choice(missing, core.Number(len(table)), place, core.INT)
            return self.picked(node, (*table.values(), default.known), place, 0)
        found = self.picked(node, tuple(table.values()), place, 0)
        return self.instead(node, self.material(default, node), lambda _: core.Not(missing), (), found)

    # ---------------------------------------------------------------- texts that depend on the state, as their letters

    def as_text(self, value: Value) -> Value | None:
        """A text as its letters; None for other values, and for objects of more than one letter."""
        if value.type.sort == "str":
            return value
        if type(value.known) is str:
            numbers = map(self.unit.number_of, value.known)
            return self.text_of([Value(core.Known((each,)), core.Number(each)) for each in numbers])
        objects = self.whole.objects_of(value)
        if not objects or any(type(each) is not str or len(each) != 1 for each in objects):
            return None
        return self.text_of([value])

    def text_of(self, letters: list[Value]) -> Value:
        """A text of these letters."""
        return Value.row(letters, label=core.TEXT)

    def texts_compared(self, node: ast.AST, sign: str, one: Value, other: Value) -> Value | None:
        """Whether two texts are the same; None where neither is a text that depends on the state."""
        if "str" not in (one.type.sort, other.type.sort):
            return None
        first, second = self.as_text(one), self.as_text(other)
        if sign not in ("==", "!="):
            self.refuse(node, "the order of texts cannot be compiled")
        if first is None or second is None:
            self.whole.evaluate(one, other)
            return Value.of(sign == "!=")
        return Value.made(core.Compare(sign, first.expr, second.expr))

    def text_method(self, node: ast.Call, name: str, base: Value) -> Value | None:
        """`count`, `index`, `find` and `replace` of a text, and `"".join`; None for others."""
        given = node.args
        if type(base.known) is str and name == "join" and len(given) == 1:
            return self._joined(node, base, self.whole.gathered(given[0], node, "tuple"))
        if base.type.sort != "str" or node.keywords:
            return None
        letters = [self.as_text(self.whole.value(each)) for each in given]
        if any(each is None or not each.type.is_tuple or len(each.type.items) != 1 for each in letters):
            self.refuse(node, f"{name} of a text is compiled for single letters alone")
        own = [self.kept(self.whole.field(each, 0), node) for each in letters if each is not None]
        if name in ("count", "index", "find") and len(own) == 1:
            return self.whole.found_at(node, name, base, own[0])
        if name == "replace" and len(own) == 2 and base.type.is_tuple:
            parts = []
            for letter in self.whole.fields(self.kept(base, node)):
                kind = self.whole.joined(node, letter.type, own[1].type)
                same = core.Compare("==", letter.expr, own[0].expr)
                parts.append(Value.made(core.Choice(same, own[1].expr, letter.expr, kind)))
            return self.text_of(parts)
        return None

    def _joined(self, node: ast.Call, base: Value, items: Value) -> Value:
        """`"".join(items)`."""
        kinds = items.type.items if items.type.is_tuple else (getattr(items.type, "item", core.NOTHING),)
        if items.is_known:
            return Value.of(base.known.join(items.known))
        objects = [each for kind in kinds for each in self.whole.objects_of(Value(kind)) or [0]]
        if base.known or any(type(each) is not str or len(each) != 1 for each in objects):
            self.refuse(node, 'a join is compiled as "".join of single letters alone')
        if items.type.is_tuple:
            return self.text_of(self.whole.fields(self.kept(items, node)))
        return Value(core.Sequence(kinds[0], "str", items.type.count), items.expr)
