"""Fields of states in the core: what their natural types become there, how they are made of numbers, and back."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from endsight.codec import Kind, Problem
from endsight.compiler import core
from endsight.compiler.built_in import BuiltIn
from endsight.compiler.flow import Value
from endsight.compiler.refusal import CannotCompile
from endsight.compiler.resolve import is_whole

__all__ = ["Fields", "numbers_of", "read_field", "type_of_field"]


def type_of_field(kind: Kind, truths: set[str]) -> core.Type:
    """The type of a field in the core; `truths` are places of whole numbers that may hold truth values."""
    if kind.sort == "whole":
        return core.EITHER if kind.place in truths else core.INT
    if kind.sort == "one of":
        if not all(map(is_whole, kind.values)):
            raise CannotCompile(f"the field {kind.place} is one of {kind.values!r}, which cannot be compiled yet")
        return core.EITHER if bool in map(type, kind.values) else core.INT
    if kind.sort == "members":
        raise CannotCompile(f"the field {kind.place} is a set, which cannot be compiled yet")
    items = tuple(type_of_field(item, truths) for item in kind.items)
    if kind.sort == "items":
        if kind.made is str:
            raise CannotCompile(f"the field {kind.place} is a text, which cannot be compiled yet")
        is_named = hasattr(kind.made, "_fields")
        return core.Tuple(items, *((kind.made._fields, kind.made.__name__) if is_named else ()))  # type: ignore[attr-defined]
    if kind.sort == "up to":
        return core.Tuple((core.INT, *items), (), core.UP_TO)
    return core.Tuple((core.BOOL, *items), (), core.MAYBE)


def read_field(kind: Kind, own: core.Type, rest: Iterator[core.Expr]) -> core.Expr:
    """A field of type `own` of the next numbers that the codec makes of it."""
    if kind.sort == "whole":
        return next(rest)
    if kind.sort == "one of":
        return _chosen(next(rest), [(place, core.Number(each)) for place, each in enumerate(kind.values)])
    assert isinstance(own, core.Tuple)
    first = () if kind.sort == "items" else (next(rest),)
    types = own.items[len(first) :]
    return core.Row((*first, *map(read_field, kind.items, types, [rest] * len(types))), own)


def numbers_of(kind: Kind, value: core.Expr) -> Iterator[core.Expr]:
    """The numbers that the codec makes of a field; what lies outside of its limits becomes one that does, too."""
    if kind.sort == "whole":
        yield value
    elif kind.sort == "one of":
        beyond = core.Number(len(kind.values))
        yield _chosen(value, [(int(each), core.Number(place)) for place, each in enumerate(kind.values)], beyond)
    else:
        own = value.type
        assert isinstance(own, core.Tuple)
        parts = [core.Field(value, number, each) for number, each in enumerate(own.items)]
        if kind.sort != "items":
            yield parts.pop(0)
        for item, part in zip(kind.items, parts, strict=True):
            yield from numbers_of(item, part)


def _chosen(value: core.Expr, pairs: list[tuple[int, core.Number]], otherwise: core.Number | None = None) -> core.Expr:
    """The second of the pair whose first is the value."""
    if all(int(one) == int(other.value) for one, other in pairs):
        return value
    result: core.Expr = otherwise or pairs[-1][1]
    for one, other in reversed(pairs):
        result = core.Choice(core.Compare("==", value, core.Number(one)), other, result, core.INT)
    return result


class Fields(BuiltIn):
    """The part of the translation of a function that makes states."""

    def new_state(self, node: ast.AST, values: list[Value]) -> Value:
        """A state of these values, one a field."""
        state = self.unit.state
        fields = [self._fitted(node, *each) for each in zip(self.unit.kinds, state.items, values, strict=True)]
        return Value(state, core.Row(tuple(fields), state))

    def _fitted(self, node: ast.AST, kind: Kind, own: core.Type, value: Value) -> core.Expr:
        """A value as one of that field; a fault where its length does not fit."""
        if value.expr is None and value.is_known and self.unit.is_plain(value.known):
            problem = kind.problem(value.known)
            return self._wrong(node, own, problem) if problem is not None else self._known(kind, own, value.known)
        if kind.sort in ("whole", "one of"):
            value = self.there(value, node)
            if not core.is_number(value.type):
                self.refuse(node, f"the field {kind.place} is a whole number, not {value.type.name}")
            if value.type != core.INT and kind.sort == "whole":
                self.unit.truths.add(kind.place)
            return value.expr  # type: ignore[no-any-return]
        assert isinstance(own, core.Tuple)
        value = self.kept(value, node)
        if kind.sort == "perhaps":
            there, value = self.perhaps(value, node)
            return core.Row((there, self._fitted(node, kind.items[0], own.items[1], value)), own)
        return self._tuple_fitted(node, kind, own, self.there(value, node))

    def _wrong(self, node: ast.AST, own: core.Type, problem: Problem) -> core.Expr:
        """What a field is given that it cannot hold is left to the plain engine."""
        why = f"{problem.place} is {problem.found}: {problem.why}"
        self.add(core.Fault(core.Number(True), self.site(node, why), self.line))
        return core.none_of(own)

    def _known(self, kind: Kind, own: core.Type, value: Any) -> core.Expr:
        """A value that is known, as one of that field."""
        own_numbers = iter([core.Number(int(number)) for number in kind.numbers(value)])
        return read_field(kind, own, own_numbers)

    def _tuple_fitted(self, node: ast.AST, kind: Kind, own: core.Tuple, value: Value) -> core.Expr:
        """A tuple as one of a field of so many items, or up to so many."""
        is_fixed, most = kind.sort == "items", len(kind.items)
        types = own.items if is_fixed else own.items[1:]
        given = value.type
        if core.kind_of(given) != "tuple" or core.is_number(given):
            self.refuse(node, f"the field {kind.place} is a tuple, not {given.name}")
        if isinstance(given, core.Tuple):
            count: core.Expr = core.Number(len(given.items))
            fits = len(given.items) == most if is_fixed else len(given.items) <= most
            if given.label != (own.label if is_fixed else "") or not fits:
                self.refuse(node, f"the field {kind.place} has {most} items, not {given.name}")
            items = [self.field(value, at) for at in range(len(given.items))]
        else:
            if is_fixed and own.label:
                self.refuse(node, f"the field {kind.place} is {own.name}, not {given.name}")
            count = self.kept(Value(core.INT, core.Length(value.expr)), node).expr
            wrong = core.Compare("!=" if is_fixed else ">", count, core.Number(most))
            site = self.site(node, f"{kind.place} has another number of items")
            self.add(core.Fault(wrong, site, self.line))
            items = [self.item_at(value, core.Number(at), site) for at in range(most)]
        fitted: list[core.Expr] = []
        for at, item in enumerate(kind.items):
            if at >= len(items):
                fitted.append(core.none_of(types[at]))
                continue
            with self.apart() as before:
                one = self._fitted(node, item, types[at], items[at])
            if before and not is_fixed:
                self.refuse(node, f"the items of the field {kind.place} cannot be told apart here")
            self.out += before
            if not is_fixed and not isinstance(given, core.Tuple):
                is_there = core.Compare("<", core.Number(at), count)
                one = core.Choice(is_there, one, core.none_of(types[at]), types[at])
            fitted.append(one)
        return core.Row(tuple(fitted) if is_fixed else (count, *fitted), own)
