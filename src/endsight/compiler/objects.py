"""Texts, members of an Enum, constants of any shape: values that are one of a few objects known before any state.

Such a value is the number of the object in a list of all of them. Whatever the rules ask of it is asked of each object
at compile time, and the answers lie in a table by that number; if there is no answer yet, as an index depends on the
state, the rules branch for each object.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from enum import EnumMeta, IntEnum
from fractions import Fraction
from typing import Any

from endsight.compiler import core
from endsight.compiler.branches import Branches
from endsight.compiler.refusal import CannotCompile
from endsight.compiler.resolve import UNKNOWN, is_itself, is_list, is_named_tuple, is_whole
from endsight.compiler.values import Value, item_type, why_not


class Objects(Branches):
    """The part of the translation of a function that deals with known objects of any kind, and with texts."""

    def picked(self, node: ast.AST, objects: tuple[Any, ...], index: core.Expr, site: int) -> Value:
        """The object at an index, as a number or list of numbers if all of them are such."""
        if Fraction in map(type, objects) and all(is_whole(each) or type(each) is Fraction for each in objects):
            parts = [self.whole.constant_fraction(Fraction(each), node).expr.value.value for each in objects]
            scaled = self.unit.table(self.unit.kept(tuple(parts)), CannotCompile)
            return Value.made(core.Parts(core.Item(scaled, index, site, core.INT)))
        table = self._as_table(objects)
        if table is not None:
            return self.with_names(node, objects, Value.made(core.Item(table, index, site, item_type(table.type))))
        numbers = tuple(map(self.unit.number_of, objects))
        kind = core.Known(tuple(sorted(set(numbers))))
        return Value.made(core.Item(self.unit.table(self.unit.kept(numbers), CannotCompile), index, site, kind))

    def with_names(self, node: ast.AST, objects: Any, item: Value) -> Value:
        """An item of a constant; with its class if all of them are members of one, or named tuples with its fields."""
        own: set[Any] = set(map(type, objects)) if is_list(objects) else set()
        if core.is_whole(item.type) and len(own) == 1 and issubclass(kind := own.pop(), IntEnum):
            return Value.made(item.expr.but(type=core.Member(kind)))
        kinds = own if item.type.depth == 1 else set()
        if len(kinds) != 1 or not is_named_tuple(kind := kinds.pop()):
            return item
        held = self.kept(item, node)
        parts = [self.whole.item_at(held, core.Number(at), 0) for at in range(len(kind._fields))]
        return Value.row(parts, *self.unit.named(kind, self.file, self.line_of(node)))

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
        common = self.whole.common([each.type for each in found])
        for at, (number, statements, *_) in enumerate(ways):
            with self.apart() as more:
                result = found[at] = found[at] if common is None else self.whole.fitted(found[at], common, node)
            kind = result.type if kind == core.NOTHING else self.whole.joined(node, kind, result.type)
            body = (*statements, *more, core.Assign(name, result.expr))
            self.add(core.If(core.Compare("==", word, core.Number(number)), body))
        self.met(name, found)
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

    def class_of(self, value: Value) -> Any:
        """The class of a named tuple, a member of an IntEnum or an object that is known; None for other values."""
        if value.type.member is not None:
            return value.type.member
        if value.is_known:
            return type(value.known) if self.unit.is_object(value.known) else None
        return self.unit.classes.get(value.type.label) if value.type.names else None

    def of_member(self, node: ast.Attribute, base: Value) -> Value | None:
        """An attribute of a member of an IntEnum, from a table of those of all members; None for other values."""
        if base.type.member is None or base.is_known:
            return None
        parts = {int(each): self.outside.attribute(each, node.attr) for each in base.type.member}
        if UNKNOWN in parts.values():
            return None
        return self.whole.item(node, Value.of(self.unit.kept(parts)), base)

    def at_key(self, node: ast.AST, table: dict[Any, Any], key: Value, default: Value | None) -> Value:
        """`table[key]`, or `table.get(key, default)`, for a constant dictionary by numbers or tuples of numbers."""
        keys, values = self.keys_like(node, self.kept(key, node), tuple(table)), tuple(table.values())
        if keys is None:
            self.refuse(node, "a dictionary by such keys cannot be compiled here")
        if not keys[1]:  # none is like this one
            self.fault_if(core.Number(default is None), node, "the key is not there")
            return default or Value.of(0)
        place: core.Expr = self.place_of_key(node, *keys)
        values = tuple(values[at] for at in keys[1].values())
        missing = core.Compare("<", place, core.Number(0))
        if default is None:
            self.fault_if(missing, node, "the key is not there")
            return self.picked(node, values, place, 0)
        if default.is_known:
            place = core.Choice(missing, core.Number(len(values)), place, core.INT)
            return self.picked(node, (*values, default.known), place, 0)
        found = self.picked(node, values, place, 0)
        return self.instead(node, self.material(default, node), lambda _: core.Not(missing), (), found)

    def keys_like(self, node: ast.AST, wanted: Value, known: tuple[Any, ...]) -> tuple[list[Any], Any] | None:
        """The words of a value, and the places of those known objects that may equal it, by their words.

        None where values of such types have no words, or may be equal although their words differ.
        """
        if wanted.type.sort == "str" and wanted.type.is_tuple:
            known, wanted = (
                tuple(tuple(each) if type(each) is str else () for each in known),
                Value.row(self.whole.fields(wanted)),
            )
        (shape, words), rows = self._key(wanted, node), dict[tuple[int, ...], int]()
        for at, each in enumerate(known):
            own, numbers = self._key(Value.of(each), node)
            if None in (own, shape):
                return None
            if own == shape:
                rows.setdefault(tuple(int(number.value) for number in numbers), at)
        return words, rows

    def place_of_key(self, node: ast.AST, words: list[Any], rows: dict[tuple[int, ...], int]) -> core.Expr:
        """The number of the row that has those words; -1 if none has."""
        keys = self.unit.table(self.unit.kept(tuple(rows)), CannotCompile)
        wanted = Value.row([Value(core.INT, each) for each in words])
        return self.whole.place_of(node, wanted, Value(keys.type, keys))

    def _key(self, key: Value, node: ast.AST) -> tuple[Any, list[Any]]:
        """The words of a value, and their shape: values of two shapes are never equal. None for other values."""
        if type(key.known) is not tuple and key.expr is None and not self.unit.is_object(key.known):
            return None, []
        key = self.material(self.whole.as_row(key, node), node)
        kind = key.type
        if kind.is_tuple and kind.label not in core.LABELS:
            parts = [self._key(part, node) for part in self.whole.fields(key)]
            shape = tuple(shape for shape, _ in parts)
            return None if None in shape else shape, [each for _, own in parts for each in own]
        if core.is_number(kind):
            return "number", [key.expr]
        if not kind.is_object or not all(map(is_itself, self.whole.objects_of(key))):
            return None, []
        return "object", [key.expr if isinstance(key.expr, core.Number) else key.expr.but(type=core.INT)]

    # ---------------------------------------------------------------- texts that depend on the state, as their letters

    def as_text(self, value: Value) -> Value | None:
        """A text as its letters; None for other values, and for objects of more than one letter."""
        if value.type.sort == "str":
            return value
        if type(value.known) is str:
            numbers = map(self.unit.number_of, value.known)
            return _text(Value(core.Known((each,)), core.Number(each)) for each in numbers)
        objects = self.whole.objects_of(value)
        if not objects or any(type(each) is not str or len(each) != 1 for each in objects):
            return None
        return _text([value])

    def text_of(self, letters: list[Value]) -> Value:
        """A text of these letters; one letter is an object."""
        return letters[0] if len(letters) == 1 else _text(letters)

    def _joinedstr(self, node: ast.JoinedStr) -> Value:
        letters: list[Value] = []
        for part in node.values:
            own = part.value if isinstance(part, ast.FormattedValue) else part
            if getattr(part, "format_spec", None) is not None or getattr(part, "conversion", -1) not in (-1, 115):
                self.refuse(node, why_not(node))
            letters += self._letters(node, self.whole.value(own))
        return self.text_of(letters)

    def _letters(self, node: ast.AST, value: Value) -> list[Value]:
        """The letters of a text, or the digit of a number; more digits are a fault."""
        text = self.as_text(Value.of(str(value.known)) if type(value.known) in (int, bool) else value)
        if text is not None and text.type.is_tuple:
            return self.whole.fields(self.kept(text, node))
        number = self.whole.not_none(value, node)
        most = self.whole.most(number.expr)
        if not core.is_whole(number.type) or (most is not None and most > 9):
            self.refuse(node, why_not(ast.JoinedStr([])))
        self.unit.digits = self.unit.digits or (self.file, self.line_of(node))
        place = self.kept(number, node).expr
        outside = core.Compare("<", place, core.Number(0)), core.Compare(">", place, core.Number(9))
        site = self.fault_if(core.Either("or", outside), node, "a number in a text has several digits")
        return [self.picked(node, tuple("0123456789"), place, site)]

    def _call_str(self, node: ast.Call, function: Any) -> Value:
        self.whole.require_form(node, 1, 1)
        return self.text_of(self._letters(node, self.whole.value(node.args[0])))

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


def _text(letters: Iterable[Value]) -> Value:
    """A text as the tuple of its letters."""
    return Value.row(letters, label=core.TEXT)
