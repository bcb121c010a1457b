"""Python's built-ins, where rules call them with arguments that depend on the state."""

from __future__ import annotations

import ast
import copy
import functools
import sys
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from endsight.compiler import core, library
from endsight.compiler.holders import Holders
from endsight.compiler.syntax import filled
from endsight.compiler.values import Value, class_of, has_order, item_type


class BuiltIn(Holders):
    """The part of the translation of a function that deals with `len`, `sum`, `sorted` and the like."""

    def _only(self, node: ast.Call) -> Value:
        """The value of the only argument."""
        self.require_form(node, 1, 1)
        return self.material(self.value(node.args[0]), node.args[0])

    def _call_len(self, node: ast.Call, function: Any) -> Value:
        if len(node.args) == 1 and self.calls(node.args[0], (range,)):
            return Value(core.INT, self.view(node.args[0]).count)
        self.require_form(node, 1, 1)
        given = self.value(node.args[0])
        if given.lists is not None:
            return Value.of(given.lists.view(self.whole, node)[0])
        value = self.material(given, node.args[0])
        if value.type.is_tuple:
            self.evaluate(value)
            return Value.of(len(value.type.items))
        if value.type.is_object and all(isinstance(each, str | tuple) for each in self.objects_of(value)):
            return self.whole.each(value, node, lambda each: Value.of(len(each.known)))
        if not value.type.is_long:
            self.refuse(node, f"{value.type.name} has no length")
        if value.bits is not None:
            return Value.made(core.Unary("bit_count", value.bits, 0))
        return Value.made(core.Length(value.expr))

    def _call_abs(self, node: ast.Call, function: Any) -> Value:
        value = self._only(node)
        if not core.is_word(value.type):
            self.refuse(node.args[0], f"a whole number is needed here, not {value.type.name}")
        kind = core.FRACTION if value.type == core.FRACTION else core.INT
        return Value.made(core.Unary("absolute", value.expr, self.site(node, "the number does not fit a word"), kind))

    def _call_int(self, node: ast.Call, function: Any) -> Value:
        value = self.as_number(self._only(node), node.args[0])
        return Value.made(core.Unary("whole", value.expr, 0))

    def _call_bool(self, node: ast.Call, function: Any) -> Value:
        truth = self.as_truth(self._only(node), node)
        if truth.type == core.BOOL:
            return truth
        return Value.made(core.Compare("!=", truth.expr, core.Number(0)))

    def _call_isinstance(self, node: ast.Call, function: Any) -> Value:
        """Known for all values but objects, and those are asked one by one."""
        self.require_form(node, 2, 2)
        value, known = self.value(node.args[0]), self.peek(node.args[1])
        classes = known if isinstance(known, tuple) else (known,)
        kinds = {type(each) for each in classes}
        if not all(issubclass(each, type) and each.__instancecheck__ is type.__instancecheck__ for each in kinds):
            self.refuse(node, "isinstance is compiled for plain classes alone: decide by a number")
        if value.type.is_object and not value.is_known:
            return self.whole.each(value, node, lambda each: Value.of(isinstance(each.known, classes)))
        if value.is_known:
            return Value.of(isinstance(value.known if value.lists is None else value.lists.like, classes))
        self.evaluate(value)
        return Value.of(any(self._is_of(node, value.type, each) for each in classes))

    def _is_of(self, node: ast.Call, kind: core.Type, one: type) -> bool:
        """Whether values of a type are instances of a class."""
        named = self.unit.classes.get(kind.label) if kind.is_tuple else None
        own = named or class_of(kind)
        if own is not None and issubclass(own, one):
            return True
        may_be = own is None or issubclass(one, own)  # an IntEnum's member is a number here
        is_tuple_alone = named is not None or (kind.is_tuple and not kind.label)
        if may_be and not is_tuple_alone and not (kind == core.INT and one is bool):
            self.refuse(node, f"isinstance of {kind.name} cannot be compiled: decide by a number")
        return False

    def _sequence(self, node: ast.Call, kind: type) -> Value:
        """`list`, `tuple`, `set`, `frozenset` or `dict`."""
        sort = kind.__name__
        self.require_form(node, 0, 1)
        if not node.args:
            return self.new_list(node, [], core.ROOM, sort) if sort != "tuple" else Value.of(())
        if sort == "tuple" and not isinstance(node.args[0], ast.GeneratorExp | ast.Call):
            value = self.value(node.args[0])
            is_constant = value.type.is_table and value.type.lengths[0] is not None
            if is_constant or (value.type.is_tuple and not value.type.names and not value.type.label):
                return value
        source = node.args[0]
        if sort in ("set", "frozenset"):
            if isinstance(source, ast.List | ast.Tuple) and any(isinstance(each, ast.Starred) for each in source.elts):
                source = ast.copy_location(ast.Set(source.elts), source)
            is_held = isinstance(source, ast.Name | ast.Attribute | ast.Set)
            if is_held and (value := self.value(source)).bits is not None:
                return self.of_bits(value.bits, sort, item_type(value.type))
        return self.gathered(source, node.args[0], sort)

    def _call_deepcopy(self, node: ast.Call, function: Any) -> Value:
        self.require_form(node, 1, 1)
        value = self.value(node.args[0])
        if value.lists is not None:
            return value.lists.copied(self.whole, node)  # type: ignore[no-any-return]
        if value.type.sort != "list":
            self.refuse(node, "deepcopy of anything but a list cannot be compiled: leave it out for tuples and numbers")
        return self.value(filled("[item for item in held]", node, self.fresh, held=self.named(value, node)))

    def _call_next(self, node: ast.Call, function: Any) -> Value:
        """The first item, which ends the loop."""
        is_made = bool(node.args) and (self.whole.is_late_only(node.args[0]) or self.calls(node.args[0], (filter, map)))
        if node.keywords or not is_made or len(node.args) > 2:
            self.refuse(node, "`next` of anything but a generator written there cannot be compiled")
        given = [self.value(each) for each in node.args[1:]]
        default = [self.named(each if each.expr is None else self.kept(each, node), node) for each in given]
        first, found = self.fresh(), self.fresh()
        kind: core.Type = core.NOTHING
        self.add(core.Assign(found, core.Number(False)))
        before = len(self.out)

        def turn(item: Value) -> None:
            nonlocal kind
            item = self.material(item, node)
            kind = item.type if kind == core.NOTHING else self.joined(node, kind, item.type)
            self.require_words(kind, node)
            self.add(core.Assign(found, core.Number(True)))
            self.add(core.Assign(first, item.expr))  # what comes before the end of a loop may run again

        self.go_through(node.args[0], turn, set(), node.args[0], stop=found)
        there: core.Expr = core.Local(found, core.BOOL)
        own = Value.made(core.Local(first, kind))
        if kind == core.NOTHING:
            there, own = core.Number(False), Value(core.INT, core.Number(0))
        else:
            self.out.insert(before, core.Assign(first, core.none_of(kind)))  # a name has one type from the beginning on
        if not default:
            self.fault_if(core.Not(there), node, "nothing comes next")
            return own
        self.here[found], self.here[first] = Value.made(there), own
        names = [ast.copy_location(ast.Name(name, ast.Load()), node) for name in (found, first)]
        return self.value(filled("own if there else other", node, there=names[0], own=names[1], other=default[0]))

    def _call_reduce(self, node: ast.Call, function: Any) -> Value:
        self.require_form(node, 2, 3)
        items, name = node.args[1], self.fresh("s")
        if len(node.args) == 3:
            self.store(name, self.value(node.args[2]), node)
        else:
            held = self.kept(self.taken(items), node)
            first = self.item(node, held, Value.of(0))
            self.store(name, first, node)
            items = filled("held[1:]", node, held=self.named(held, node))

        def turn(item: Value) -> None:
            self.store(name, self.whole.called(node, node.args[0], [self.here[name], item]), node)

        self.go_through(items, turn, {name}, items)
        return self.here[name]

    def _call_sorted(self, node: ast.Call, function: Any) -> Value:
        self.require_form(node, 1, 1, ("key", "reverse"))
        words = {word.arg: word.value for word in node.keywords}
        reverse = self.peek(words["reverse"]) if "reverse" in words else False
        if reverse is not True and reverse is not False:
            self.refuse(node, "sorted with a reverse= that depends on the state cannot be compiled: write two calls")
        source = node.args[0]
        if isinstance(source, ast.Name | ast.Attribute | ast.Subscript | ast.BinOp) and not words:
            value = self.value(source)
            if value.bits is not None:
                return self.of_bits(value.bits, "list", item_type(value.type))
            source = self.named(value, source)
        items = self.kept(self.gathered(source, node.args[0], "list", unordered="key" not in words), node)
        name = self.empty("list")

        def turn(item: Value) -> None:
            key = self.whole.called(node, words["key"], [self.kept(item, node)]) if "key" in words else item
            self.append(name, self.material(key, node), node)

        self.each_item(items, turn, {name}, node)
        keys = self.here[name]
        own = keys.type.item
        if own == core.NOTHING:
            return items
        if not has_order(own):
            self.refuse(node, f"the order of texts and objects cannot be compiled (here {own.name})")
        self.alone = node
        self.by_library(node, library.put_in_order, items, keys, Value.of(reverse or None))
        return items

    # ---------------------------------------------------------------- folds

    def _call_sum(self, node: ast.Call, function: Any) -> Value:
        self.require_form(node, 1, 2 - len(node.keywords), ("start",))
        start = next(iter([*node.args[1:], *(word.value for word in node.keywords)]), None)
        name = self.fresh()
        first = Value.of(0) if start is None else self.not_none(self.value(start), node)
        if not core.is_word(first.type):
            return self.summed(node, first)
        site, turns = self.site(node, "the sum does not fit a machine word"), self.turns
        kinds: list[core.Type] = [first.type]
        terms: list[int | None] = [self.most(first.expr)]
        with self.apart() as statements:

            def turn(item: Value) -> None:
                item = self.material(item, node)
                if not core.is_word(item.type):
                    self.refuse(node, f"a sum of {item.type.name} cannot be compiled")
                kinds.append(item.type)
                most = self.most(item.expr)
                terms.append(None if most is None or not self.turns or not turns else most * (self.turns // turns))
                kind: core.Type = core.FRACTION if core.FRACTION in kinds else core.INT
                total = core.Binary("add", core.Local(name, kind), item.expr, site, kind)
                self.add(core.Assign(name, total))

            self.go_through(node.args[0], turn, set(), node.args[0], unordered=True)
        kind = core.FRACTION if core.FRACTION in kinds else core.INT
        if kind == core.FRACTION and not set(kinds[1:]) <= {core.FRACTION}:
            self.refuse(node, "a sum of fractions and whole numbers cannot be compiled: let all be Fraction(...)")
        first = self.fitted(first, core.FRACTION, node) if kind == core.FRACTION else first
        self.add(core.Assign(name, first.expr))
        self.out += statements
        self.bounds[name] = None if None in terms else sum(each for each in terms if each is not None)
        return Value.made(core.Local(name, kind))

    def _some(self, node: ast.Call, function: Any) -> Value:
        """`any`, and `all` as its opposite."""
        self.require_form(node, 1, 1)
        name = self.fresh()
        self.add(core.Assign(name, core.Number(False)))

        def turn(item: Value) -> None:
            truth = self.as_truth(item, node)
            found = core.Compare("!=", truth.expr, core.Number(0)) if truth.type != core.BOOL else truth.expr
            self.add(core.Assign(name, found if function is any else core.Not(truth.expr)))

        self.go_through(node.args[0], turn, set(), node.args[0], stop=name, unordered=True)
        result = core.Local(name, core.BOOL)
        return Value(core.BOOL, result if function is any else core.Not(result))

    def _extreme(self, node: ast.Call, function: Any) -> Value:
        """`min` or `max`."""
        op, sign = ("least", "<") if function is min else ("largest", ">")
        words = {word.arg: word.value for word in node.keywords}
        self.require_form(node, 1, 1 if "default" in words else sys.maxsize, ("key", "default"))
        if len(node.args) > 1 and not words:
            parts = [self.material(self.value(part), part) for part in node.args]
            if all(core.is_word(part.type) for part in parts):
                parts = self.alike(parts, node)
                result, *others = parts
                for other in others:
                    kind = self.joined(node, result.type, other.type)
                    result = Value.made(core.Binary(op, result.expr, other.expr, 0, kind))
                return result
        source = node.args[0] if len(node.args) == 1 else ast.copy_location(ast.Tuple(node.args, ast.Load()), node)
        return self._best(node, source, sign, words.get("key"), words.get("default"))

    def _best(
        self, node: ast.Call, source: ast.expr, sign: str, key: ast.expr | None, default: ast.expr | None
    ) -> Value:
        best, worth, found = self.fresh(), self.fresh(), self.fresh()
        kinds: list[tuple[core.Type, core.Type]] = []
        first = None if default is None else self.material(self.value(default), node)
        self.add(core.Assign(found, core.Number(False)))
        before = len(self.out)

        def turn(item: Value) -> None:
            item = self.kept(item, node)
            own = item if key is None else self.kept(self.whole.called(node, key, [item]), node)
            if kinds:
                kinds[0] = self.joined(node, kinds[0][0], item.type), self.joined(node, kinds[0][1], own.type)
            else:
                kinds.append((item.type, own.type))
            better = self.comparison(node, sign, own, Value.made(core.Local(worth, own.type)))
            test = core.Either("or", (core.Not(core.Local(found, core.BOOL)), better.expr))
            taken = [core.Assign(best, item.expr), core.Assign(found, core.Number(True))]
            self.add(core.If(test, (*taken, core.Assign(worth, own.expr))))

        self.go_through(source, turn, set(), source, unordered=key is None)
        if not kinds:
            if first is None:
                self.refuse(node, "nothing to choose from")
            return first
        kind = kinds[0][0]
        begun = core.Assign(best, core.none_of(kind)), core.Assign(worth, core.none_of(kinds[0][1]))
        self.out[before:before] = begun  # a name has one type, even before it gets its first real value
        is_empty = core.Not(core.Local(found, core.BOOL))
        if first is None:
            self.fault_if(is_empty, node, "nothing to choose from")
        else:
            kind = self.joined(node, kind, first.type)
            self.add(core.If(is_empty, (core.Assign(best, first.expr),)))
        if kind.is_sequence:
            self.refuse(node, "the best of several lists cannot be compiled")
        return Value.made(core.Local(best, kind))


BUILT_IN: tuple[tuple[Any, Callable[..., Value]], ...] = (
    *((kind, BuiltIn._sequence) for kind in (list, tuple, set, frozenset, dict)),
    *((fold, BuiltIn._some) for fold in (any, all)),
    *((fold, BuiltIn._extreme) for fold in (min, max)),
    (len, BuiltIn._call_len),
    (abs, BuiltIn._call_abs),
    (int, BuiltIn._call_int),
    (bool, BuiltIn._call_bool),
    (str, BuiltIn._call_str),
    (isinstance, BuiltIn._call_isinstance),
    (next, BuiltIn._call_next),
    (functools.reduce, BuiltIn._call_reduce),
    (sorted, BuiltIn._call_sorted),
    (sum, BuiltIn._call_sum),
    (Fraction, BuiltIn._call_fraction),
    (copy.deepcopy, BuiltIn._call_deepcopy),
)
"""Python functions, and what translates a call of them."""
