"""Dictionaries that rules make, fill and query at run time.

A dictionary is a sequence of pairs, in which a key is searched. Where its first keys are known during translation, as
in one that is made of a board, a key's place comes from a table: it is the number of the keys before it, less those
that this dictionary lacks, which the bits of a number tell.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from endsight.compiler import core
from endsight.compiler.resolve import is_itself, is_list, is_whole
from endsight.compiler.sequences import Sequences
from endsight.compiler.syntax import filled
from endsight.compiler.values import KnownKeys, Value, is_flat, known_in

_MOST_KEYS = 62
_NONE, _ZERO = core.Number(-1), core.Number(0)


class Dictionaries(Sequences):
    """The part of the translation of a function that deals with dictionaries."""

    def new_dict(self) -> str:
        """The name of a new dictionary without items."""
        name = self.empty("dict")
        self._know(name, KnownKeys((), self._no_bits()))
        return name

    def _no_bits(self) -> str:
        """The name of a number that says that a dictionary has none of its known keys yet."""
        which = self.whole.own_name("keys")
        self.add(core.Assign(which, _ZERO))
        self.here[which] = Value.made(core.Local(which, core.INT))
        return which

    def with_keys(self, result: Value, keys: KnownKeys, node: ast.AST) -> Value:
        """A dictionary that a function returns, of whose keys so much is known; it has no others."""
        if keys.are_there:
            return replace(result, keys=keys)
        name = self.fresh("s")
        self.fresh_lists.add(name)
        self.add(core.Assign(name, result.expr))
        held, which = Value.made(core.Local(name, result.type)), self._no_bits()

        def turn(pair: Value) -> None:
            place = self._place_of_first(keys._replace(which=None), self.field(pair, 0), node)
            assert place is not None
            bit = core.Binary("shift_left", core.Number(1), core.Binary("and", place, core.Number(63), 0), 0)
            self.add(core.Assign(which, core.Binary("or", core.Local(which, core.INT), bit, 0)))

        self._each_pair(held, turn, which, node)
        return replace(held, keys=keys._replace(which=which))

    def dict_of(self, node: ast.Dict) -> Value:
        """A dictionary that is written out."""
        name = self.new_dict()
        for key, value in zip(node.keys, node.values, strict=True):
            if key is not None:
                self.put_key(name, self.value(key), self.value(value), node)
            elif not self.put_all(name, self.value(value), node):
                self.refuse(value, "`**` of anything but a dictionary cannot be compiled")
        return self.here[name]

    def put_pair(self, name: str, pair: Value, node: ast.AST) -> None:
        """Put a pair of a key and a value into a dictionary."""
        if type(pair.known) is tuple and len(pair.known) == 2:
            if id(pair.known[1]) in self.made_here:
                self.refuse(node, "a dictionary of sets or dictionaries cannot be compiled: keep tuples in it")
            self.put_key(name, Value.of(pair.known[0]), Value.of(pair.known[1]), node)
            return
        held = self.kept(pair, node)
        if not held.type.is_tuple or len(held.type.items) != 2:
            self.refuse(node, "a dictionary is made of pairs")
        key = self.field(held, 0)
        if isinstance(pair.expr, core.Row):
            key = replace(key, known=self.parts_of(pair.expr)[0].known)
        if len(key.type.numbers) == 1:  # one object of only one kind
            key = replace(key, known=self.unit.pool[key.type.numbers[0]])
        self.put_key(name, key, self.field(held, 1), node)

    def run_time_dict(self, value: Value, node: ast.AST) -> Value:
        """A known dictionary in a form that exists at run time."""
        name = self.new_dict()
        for key, each in value.known.items():
            self.put_key(name, Value.of(key), Value.of(each), node)
        return self.here[name]

    # ---------------------------------------------------------------- the place of a key

    def _place(self, held: Value, key: Value, node: ast.AST) -> core.Expr:
        """The number of a key's pair; -1 if there is none."""
        key = self.kept(key, node)
        is_tuple = key.type.is_tuple and not key.type.label and is_flat(key.type)
        objects = self.whole.objects_of(key)
        if not core.is_number(key.type) and not is_tuple and not (objects and all(map(is_itself, objects))):
            only = "only by whole numbers, tuples of them, texts and members of an Enum"
            name = "a tuple of other things" if any(map(is_list, objects)) else key.type.name
            self.refuse(node, f"a dictionary by {name} cannot be compiled: {only}")
        if held.type.item == core.NOTHING:
            return _NONE
        if held.keys is None or (found := self._place_of_first(held.keys, key, node)) is None:
            return self.place_of(node, key, held)
        if held.keys.are_all or (isinstance(found, core.Number) and found != _NONE):
            return found
        place, before = self._stored(found), _count_of_first(held.keys)

        def search() -> None:
            self.add(core.Assign(place.name, self.place_of(node, key, held, first=before)))

        self.fork(core.Compare("<", place, _ZERO), search, lambda: None, node)
        return place

    def _place_of_first(self, keys: KnownKeys, key: Value, node: ast.AST) -> core.Expr | None:
        """The place of a key among the known ones, -1 if it is none of these; None where a table cannot tell."""
        if (known := _known_key(key)) is not None:
            place: core.Expr = core.Number(keys.first.index(known) if known in keys.first else -1)
        elif not keys.first:
            place = _NONE
        else:
            like = self.whole.keys_like(node, key, keys.first)
            if like is None or len(like[1]) < len(keys.first):
                return None
            place = self.whole.place_of_key(node, *like)
        if keys.which is None or keys.are_there or place == _NONE:
            return place
        which = core.Local(keys.which, core.INT)
        bit = core.Binary("shift_left", core.Number(1), core.Binary("and", place, core.Number(63), 0), 0)
        before = core.Binary("and", which, core.Binary("subtract", bit, core.Number(1), 0), 0)
        rank = core.Unary("bit_count", before, 0)
        return self._stored(core.Choice(self.whole.has_bit(which, place), rank, _NONE, core.INT))

    def _stored(self, place: core.Expr) -> core.Local:
        """A place under a name of its own."""
        name = self.fresh()
        self.add(core.Assign(name, place))
        return core.Local(name, core.INT)

    def has_key(self, node: ast.AST, table: Value, key: Value) -> Value:
        """`key in table`."""
        return Value.made(core.Compare(">=", self._place(table, key, node), _ZERO))

    def value_at(self, node: ast.AST, table: Value, key: Value, default: Value | None = None) -> Value:
        """`table[key]`, or `table.get(key, default)`."""
        at = self._place(table, key, node)
        pair = table.type.item
        missing = core.Compare("<", at, _ZERO)
        if default is None:
            self.fault_if(missing, node, "the key is not there")
        if not pair.is_tuple:  # nothing was put in yet
            return Value(core.INT, _ZERO) if default is None else self.as_now(default, node)
        found = self.field(Value.made(core.Item(table.expr, at, 0, pair)), 1)
        if default is None:
            return self.kept(found, node)
        return self.instead(node, self.material(default, node), lambda _: core.Not(missing), (), found)

    # ---------------------------------------------------------------- changes

    def put_key(self, name: str, key: Value, value: Value, node: ast.AST) -> None:
        """`name[key] = value`."""
        key, value, held = self.kept(key, node), self.kept(value, node), self.here[name]
        at, pair = self._place(held, key, node), Value.row((key, value))
        if at == _NONE:
            self.append(name, pair, node)
            self._know(name, held.keys and self._with_new(held.keys, _known_key(key)))
            return
        body, after = self.branch(self.here, lambda: self.append(name, pair, node))
        assert after is not None
        self.names, kind = after, after[name].type
        is_there = isinstance(at, core.Number)
        self._know(name, held.keys and held.keys._replace(are_all=held.keys.are_all and is_there))
        own = self.field(Value.made(core.Item(core.Local(name, kind), at, 0, kind.item)), 0)
        again = core.SetItem(name, kind, at, self.row(node, [own, value]).expr, 0)
        self.add(core.If(core.Compare("<", at, _ZERO), body, (again,)))

    def _with_new(self, keys: KnownKeys, new: Any) -> KnownKeys:
        """What is known of the keys after a new one was put in behind all others."""
        if new is None or keys.which is None or len(keys.first) == _MOST_KEYS:
            return keys._replace(are_all=False)
        which, bit = core.Local(keys.which, core.INT), core.Number(1 << len(keys.first))
        self.add(core.Assign(keys.which, core.Binary("or", which, bit, 0)))
        return keys._replace(first=(*keys.first, new))

    def _know(self, name: str, keys: KnownKeys | None) -> None:
        self.here[name] = replace(self.here[name], keys=keys)

    def put_all(self, name: str, other: Value, node: ast.AST) -> bool:
        """Put all pairs of another dictionary into that of this name; False for other values."""
        if not is_dict(other):
            return False
        other = self.kept(self.whole.as_holder(other, node), node)
        kind, keys, own = other.type, other.keys, self.here[name].keys
        if kind.item == core.NOTHING:  # nothing was put in yet
            return True
        if keys is not None and keys.are_all and keys.are_there:
            for at, key in enumerate(keys.first):
                pair = Value.made(core.Item(other.expr, core.Number(at), 0, kind.item))
                self.put_key(name, Value.of(key), self.field(pair, 1), node)
            return True
        empty = own if own is not None and own.are_all and not own.first else None

        def turn(pair: Value) -> None:
            if empty is not None:
                self.append(name, pair, node)
            else:
                self.put_key(name, self.field(pair, 0), self.field(pair, 1), node)

        self._each_pair(other, turn, name, node)
        if empty is not None and keys is not None and keys.which is not None and empty.which is not None:
            self.add(core.Assign(empty.which, core.Local(keys.which, core.INT)))
            self._know(name, keys._replace(which=empty.which))
        return True

    def _each_pair(self, held: Value, turn: Callable[[Value], None], stored: str, node: ast.AST) -> None:
        pairs = Value(core.Sequence(held.type.item, "tuple"), held.expr)
        self.each_item(pairs, turn, {stored}, node)

    # ---------------------------------------------------------------- methods

    def of_dict(self, node: ast.Call, name: str, base: Value, given: list[ast.expr]) -> Value | None:
        """A method of a dictionary that changes nothing; None for other methods."""
        if name == "get" and len(given) == 2:
            return self.value_at(node, base, self.value(given[0]), self.value(given[1]))
        if name == "get" and len(given) == 1:
            table, key = self.named(base, node), self.named(self.value(given[0]), node)
            return self.value(filled("table[key] if key in table else None", node, table=table, key=key))
        if name not in ("items", "keys", "values") or given:
            return None
        if name == "items" or base.type.item == core.NOTHING:
            keys = base.keys and base.keys.fixed()
            return Value(core.Sequence(base.type.item, "view"), base.expr, keys=keys)
        made, number = self.empty("list"), ("keys", "values").index(name)
        self._each_pair(base, lambda pair: self.append(made, self.field(pair, number), node), made, node)
        kind = self.here[made].type
        return Value(core.Sequence(kind.item, "view"), self.here[made].expr)


def _count_of_first(keys: KnownKeys) -> core.Expr:
    """How many of the known keys a dictionary has: its other items come after these."""
    if keys.are_there or keys.which is None:
        return core.Number(len(keys.first) if keys.are_there else 0)
    return core.Unary("bit_count", core.Local(keys.which, core.INT), 0)


def is_dict(value: Value) -> bool:
    """Whether a value is a dictionary."""
    return value.type.sort == "dict" or type(value.known) is dict


def is_item(item: Any) -> bool:
    """Whether an object is a whole number, or a tuple of such."""
    return is_whole(item) or (is_list(item) and len(item) > 0 and all(map(is_whole, item)))


def _known_key(key: Value) -> Any:
    """A key that is known: a whole number, a tuple of such, a text or a member of an Enum; None for others."""
    is_told = is_item(key.known) or (key.is_known and is_itself(key.known))
    return key.known if is_told else known_in(key.expr) if core.is_number(key.type) or key.type.is_tuple else None
