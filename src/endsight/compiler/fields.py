"""States that rules make, and what players see, as values that fit the fields of states."""

from __future__ import annotations

import ast
from typing import Any

from endsight.compiler import core
from endsight.compiler.built_in import BuiltIn
from endsight.compiler.holders import MOST_MEMBER
from endsight.compiler.values import Value, item_type
from endsight.game.codec import Coder, Problem
from endsight.game.numbers import count_text

_MOST_ITEMS = 64
"""Longer constant tuples are no moves."""


class Fields(BuiltIn):
    """The part of the translation of a function that makes states."""

    def new_state(self, node: ast.AST, values: list[Value]) -> Value:
        """A state of these values, one per field."""
        state = self.unit.state
        fields = [self._fitted(node, *each) for each in zip(self.unit.kinds, state.items, values, strict=True)]
        return Value.made(core.Row(tuple(fields), state))

    def loosen(self, nodes: list[ast.expr]) -> None:
        """Let tuples written as fields of a state, or as what is seen, hold values without a fixed length."""
        waiting = list(nodes)
        for each in waiting:
            if isinstance(each, ast.Tuple):
                self.loose.add(each)
                waiting += each.elts

    def as_shown(self, value: Value) -> Value:
        """What a player sees; fields of up to a number of items, in it or alone, are as in the state."""
        own = value.expr
        if isinstance(own, core.Listed) and own.count is not None:
            parts = [Value(core.INT, own.count), *(Value(item.type, item) for item in own.items)]
            return Value.row(parts, (str(value.type.sort),), core.UP_TO)
        if not isinstance(own, core.Row) or not own.type.is_tuple or own.type.label:
            return value
        return Value.row([self.as_shown(Value(item.type, item)) for item in own.items])

    def _fitted(self, node: ast.AST, kind: Coder, own: core.Type, value: Value) -> core.Expr:
        """A value converted to that field; a fault if its length does not fit."""
        if value.expr is None and value.is_known and self.unit.is_plain(value.known):
            problem = kind.problem(value.known)
            if problem is not None:
                return self._wrong(node, own, problem)
            self.unit.truths |= kind.truths(value.known)
            self.unit.numbered |= kind.numbered(value.known)
            for part, is_full in kind.lengths(value.known):
                if not is_full:
                    self.unit.gets_shorter(part)
            if self.unit.type_of_field(kind) != own:
                return core.none_of(own)  # all is translated again
            return self._known(kind, own, value.known)
        if kind.sort in ("whole", "one of"):
            value = self.not_none(value, node)
            if not (core.is_number(value.type) if core.is_number(own) else value.type.is_object):
                self.refuse(node, f"the field {kind.place} is {own.name}, not {value.type.name}")
            if core.is_number(own) and not core.is_whole(value.type):
                self.unit.truths.add(kind.place)
            if own.member is not None and value.type != own:
                self.unit.numbered.add(kind.place)
            return value.expr  # type: ignore[no-any-return]
        if kind.sort == "members":
            value = self.opened(value)
            most = kind.limits[0].bit_length() - 1
            return core.Row((self._bits(node, kind.place, most, self.material(value, node)),), own)
        value = value if isinstance(value.expr, core.Row) else self.kept(value, node)
        if kind.sort == "perhaps":
            there, value = self.perhaps(value, node)
            item = self._fitted(node, kind.items[0], own.items[1], value)
            if isinstance(there, core.Compare):  # one of some objects, None among them
                item = core.Choice(there, item, self._nothing(kind.items[0], own.items[1]), own.items[1])
            return core.Row((there, item), own)
        return self._tuple_fitted(node, kind, own, self.not_none(value, node))

    def _wrong(self, node: ast.AST, own: core.Type, problem: Problem) -> core.Expr:
        """Leave a value that the field cannot hold to the plain engine."""
        why = f"{problem.place} is {problem.found}: {problem.why}"
        self.fault_if(core.Number(True), node, why)
        return core.none_of(own)

    def _nothing(self, kind: Coder, own: core.Type) -> core.Expr:
        """The placeholder for a missing item."""
        return self.unit.read_field(kind, own, iter([core.Number(0)] * len(kind.limits)))

    def _known(self, kind: Coder, own: core.Type, value: Any) -> core.Expr:
        """A known value converted to that field."""
        own_numbers = iter([core.Number(int(number)) for number in kind.numbers(value)])
        return self.unit.read_field(kind, own, own_numbers)

    def _tuple_fitted(self, node: ast.AST, kind: Coder, own: core.Type, value: Value) -> core.Expr:
        """A tuple converted to a field of a number of items, or of up to that many."""
        is_full, most = own.label != core.UP_TO and kind.sort == "up to", len(kind.items)
        is_fixed = kind.sort == "items" or is_full
        types = own.items if is_fixed else own.items[1:]
        given = value.type
        text = self.as_text(value) if kind.made is str else None
        value = self.kept(text, node) if text is not None else value
        given = value.type
        if given.sort != ("str" if kind.made is str else "tuple") or core.is_number(given):
            self.refuse(node, f"the field {kind.place} is {own.name}, not {given.name}")
        if is_full and (len(given.items) != most if given.is_tuple else given.count != most):
            self.unit.gets_shorter(kind)
            return core.none_of(own)  # all is translated again
        if given.is_tuple:
            count: core.Expr = core.Number(len(given.items))
            fits = len(given.items) == most if is_fixed else len(given.items) <= most
            if given.label != (own.label if is_fixed else core.TEXT if kind.made is str else "") or not fits:
                self.refuse(node, f"the field {kind.place} has {count_text(most, 'item')}, not {given.name}")
            row = value.expr.items if isinstance(value.expr, core.Row) else None
            items = [
                self.field(value, at) if row is None else Value(given.items[at], row[at])
                for at in range(len(given.items))
            ]
        else:
            if is_fixed and own.label not in ("", core.TEXT):
                self.refuse(node, f"the field {kind.place} is {own.name}, not {given.name}")
            count = self.kept(Value.made(core.Length(value.expr)), node).expr
            wrong = core.Compare("!=" if is_fixed else ">", count, core.Number(most))
            site = self.fault_if(wrong, node, f"{kind.place} has another number of items")
            items = [self.item_at(value, core.Number(at), site) for at in range(most)]
        fitted: list[core.Expr] = []
        for at, item in enumerate(kind.items):
            if at >= len(items):
                fitted.append(self._nothing(item, types[at]))
                continue
            with self.apart() as before:
                one = self._fitted(node, item, types[at], items[at])
            if not is_fixed and not given.is_tuple:
                is_there = core.Compare("<", core.Number(at), count)
                one = core.Choice(is_there, one, self._nothing(item, types[at]), types[at])
                own_names = [each for each in before if isinstance(each, core.Assign)]
                for each in own_names:
                    self.add(core.Assign(each.name, core.none_of(each.value.type)))
                before = [core.If(is_there, tuple(before)).at(self.line)] if before else []
            self.out += before
            fitted.append(one)
        return core.Row(tuple(fitted) if is_fixed else (count, *fitted), own)

    def as_move(self, node: ast.AST, value: Value) -> Value:
        """What the rules give as a move, as a tuple where it is a tuple of a constant."""
        kind = value.type
        if value.is_known or not kind.is_table or kind.sort != "tuple":
            return self.as_members(node, value)
        count = kind.lengths[0]
        if count is None or count > _MOST_ITEMS:
            alike = "if all tuples beside it have as many items, plain whole numbers"
            self.refuse(node, f"a tuple of a constant is a move only {alike}: yield its number, and look it up in play")
        value = self.kept(value, node)
        site = self.site(node, "an index is out of range")
        items = [self.item_at(value, core.Number(at), site) for at in range(count)]
        return Value.row([self.as_move(node, item) for item in items])

    def as_members(self, node: ast.AST, value: Value) -> Value:
        """A frozenset of whole numbers as a move; other values unchanged."""
        known, kind = value.known, value.type
        if type(known) is frozenset and all(type(each) is int and 0 <= each <= MOST_MEMBER for each in known):
            return Value.row([Value.of(sum(1 << each for each in known))], (), core.MEMBERS)
        if not kind.is_sequence or kind.sort != "frozenset":
            return value
        if kind.item != core.NOTHING and not core.is_whole(kind.item):
            self.refuse(node, f"a move is a frozenset of {kind.item.name}, and whole numbers are needed")
        return Value.row([Value(core.INT, self._bits(node, "a move", MOST_MEMBER, value))], (), core.MEMBERS)

    def _bits(self, node: ast.AST, place: str, most: int, value: Value) -> core.Expr:
        """A frozenset of whole numbers up to `most` as bits."""
        if value.type.sort != "frozenset" or not value.type.is_sequence:
            self.refuse(node, f"the field {place} is a frozenset, not {value.type.name}")
        site = self.site(node, f"{place} is not within its limit")
        if value.bits is not None:
            if not core.is_whole(item_type(value.type)):
                self.unit.truths.add(place)
            self.add(core.Fault(core.Compare(">", value.bits, core.Number((2 << most) - 1)), site))
            return value.bits  # type: ignore[no-any-return]
        name = self.fresh()
        self.add(core.Assign(name, core.Number(0)))

        def turn(item: Value) -> None:
            item = self.kept(item, node)
            if not core.is_number(item.type):
                self.refuse(node, f"the members of {place} are whole numbers, not {item.type.name}")
            if not core.is_whole(item.type):
                self.unit.truths.add(place)
            outside = (core.Compare("<", item.expr, core.Number(0)), core.Compare(">", item.expr, core.Number(most)))
            self.add(core.Fault(core.Either("or", outside), site))
            bit = core.Binary("shift_left", core.Number(1), item.expr, site)
            self.add(core.Assign(name, core.Binary("or", core.Local(name, core.INT), bit, 0)))

        if not (value.type.is_sequence and value.type.item == core.NOTHING):
            self.each_item(value, turn, set(), node, unordered=True)
        return core.Local(name, core.INT)
