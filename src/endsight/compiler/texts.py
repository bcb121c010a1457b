"""Texts that depend on the state, as their letters: sums, comparisons, slices and methods of fields that are texts."""

from __future__ import annotations

import ast

from endsight.compiler import core
from endsight.compiler.flow import Value
from endsight.compiler.sequences import Sequences


class Texts(Sequences):
    """The part of the translation of a function that deals with texts."""

    def as_text(self, value: Value) -> Value | None:
        """A text as its letters; None for other values, and for objects of more than one letter."""
        if value.type.sort == "str":
            return value
        if type(value.known) is str:
            return self.text_of(
                [Value(core.Known((self.unit.number_of(each),)), self._letter(each)) for each in value.known]
            )
        objects = self.objects_of(value)
        if not objects or any(type(each) is not str or len(each) != 1 for each in objects):
            return None
        return self.text_of([value])

    def _letter(self, letter: str) -> core.Expr:
        return core.Number(self.unit.number_of(letter))

    def text_of(self, letters: list[Value]) -> Value:
        """A text of these letters."""
        return Value.row(letters, label=core.TEXT)

    def texts_added(self, node: ast.AST, op: ast.operator, left: Value, right: Value) -> Value | None:
        """`+` and `*` of texts one of which depends on the state; None for other values."""
        if isinstance(op, ast.Mult):
            text, times = (left, right) if left.type.sort == "str" else (right, left)
            if text.type.sort != "str" or not text.type.is_tuple or type(times.known) is not int:
                return None
            return self.text_of(self.fields(self.kept(text, node)) * times.known)
        one, other = self.as_text(left), self.as_text(right)
        if not isinstance(op, ast.Add) or one is None or other is None:
            return None
        if one.type.is_tuple and other.type.is_tuple:
            one, other = self.kept(one, node), self.kept(other, node)
            return self.text_of([*self.fields(one), *self.fields(other)])
        return self.joined_items(node, [one, other], "str")

    def texts_compared(self, node: ast.AST, sign: str, one: Value, other: Value) -> Value | None:
        """Whether two texts are the same; None where neither is a text that depends on the state."""
        if "str" not in (one.type.sort, other.type.sort):
            return None
        first, second = self.as_text(one), self.as_text(other)
        if sign not in ("==", "!="):
            self.refuse(node, "the order of texts cannot be compiled")
        if first is None or second is None:
            self.evaluate(one, other)
            return Value.of(sign == "!=")
        return Value(core.BOOL, core.Compare(sign, first.expr, second.expr))

    def text_method(self, node: ast.Call, name: str, base: Value) -> Value | None:
        """`count`, `index`, `find` and `replace` of a text, and `"".join`; None for others."""
        given = node.args
        if type(base.known) is str and name == "join" and len(given) == 1:
            return self._joined(node, base, self.gathered(given[0], node, "tuple"))
        if base.type.sort != "str" or node.keywords:
            return None
        letters = [self.as_text(self.value(each)) for each in given]
        if any(each is None or not each.type.is_tuple or len(each.type.items) != 1 for each in letters):
            self.refuse(node, f"{name} of a text is compiled for single letters alone")
        own = [self.kept(self.field(each, 0), node) for each in letters if each is not None]
        if name in ("count", "index", "find") and len(own) == 1:
            return self.whole.found_at(node, name, base, own[0])
        if name == "replace" and len(own) == 2 and base.type.is_tuple:
            parts = []
            for letter in self.fields(self.kept(base, node)):
                kind = self.joined(node, letter.type, own[1].type)
                same = core.Compare("==", letter.expr, own[0].expr)
                parts.append(Value(kind, core.Choice(same, own[1].expr, letter.expr, kind)))
            return self.text_of(parts)
        return None

    def _joined(self, node: ast.Call, base: Value, items: Value) -> Value:
        """`"".join(items)`."""
        kinds = items.type.items if items.type.is_tuple else (getattr(items.type, "item", core.NOTHING),)
        if items.is_known:
            return Value.of(base.known.join(items.known))
        objects = [each for kind in kinds for each in self.objects_of(Value(kind)) or [0]]
        if base.known or any(type(each) is not str or len(each) != 1 for each in objects):
            self.refuse(node, 'a join is compiled as "".join of single letters alone')
        if items.type.is_tuple:
            return self.text_of(self.fields(self.kept(items, node)))
        return Value(core.Sequence(kinds[0], "str", items.type.count), items.expr)
