"""What loops of the rules iterate over by number: ranges, tuples, lists, constants, and `zip` and the like of these.

None of these may grow, shrink or be replaced while the loop runs.
"""

from __future__ import annotations

import ast
import itertools
import sys
from collections.abc import Callable
from dataclasses import dataclass
from types import BuiltinFunctionType
from typing import Any

from endsight.compiler import core, library
from endsight.compiler.refusal import CannotCompile
from endsight.compiler.resolve import LAZY, PURE, UNKNOWN, is_list, is_one_of
from endsight.compiler.scopes import stored_names
from endsight.compiler.statements import Statements
from endsight.compiler.syntax import constant, filled, grown, items_set, nodes_of
from endsight.compiler.values import Value, holds_list, item_type, width_of

CHOSEN = (itertools.combinations, itertools.permutations, itertools.combinations_with_replacement)
_MOST_CHOSEN = 8
_OTHER_TIME = (
    *(itertools.product, itertools.accumulate, itertools.pairwise, itertools.islice, itertools.starmap, *CHOSEN),
    *(itertools.chain.from_iterable, itertools.repeat, itertools.takewhile, itertools.dropwhile, itertools.cycle),
)
"""Functions that take their items at another time than the loops that they become."""
_PURE = (*PURE, *LAZY)


@dataclass(frozen=True)
class Items:
    """Something to loop over by number: its length, the item at a number, and its least and largest length."""

    count: core.Expr
    item: Callable[[core.Expr], Value]
    known: int | None = None


class ViewReading(Statements):
    """The part of the translation of a function that examines what loops iterate over."""

    def _start(self, source: ast.Call) -> core.Expr:
        given = [*source.args[1:], *(word.value for word in source.keywords if word.arg == "start")]
        self.require_form(source, 1, 2 - len(source.keywords), ("start",))
        return self.number(given[0]) if given else core.Number(0)

    def view_or_none(self, node: ast.expr) -> Items | None:
        """A view; None for something that can only be iterated over."""
        if isinstance(node, ast.GeneratorExp) or self.whole.peek_generator(node):
            return None
        try:
            with self.attempt():
                return self.view(node)
        except CannotCompile:
            return None

    def view(self, node: ast.expr, unordered: bool = False) -> Items:
        """The items of `node` by number; statements that are needed first are added."""
        if isinstance(node, ast.Call):
            function = self.whole.peek(node.func)
            if function is range:
                return self._ranged(node)
            if function is enumerate:
                return self._enumerated(node)
            if function is zip:
                return self._zipped(node)
            if function is reversed:
                return self._reversed(node)
        known = self.whole.peek_items(node)
        value = Value.of(known) if known is not UNKNOWN else self.value(node)
        if value.is_known and is_list(value.known) and value.expr is None:
            return self.known_items(value, node)
        if value.lists is not None:
            count, item = value.lists.view(self.whole, node)
            return Items(core.Number(count), item, count)
        if isinstance(value.known, set | frozenset):
            self.refuse(node, "the order of a set cannot be compiled: go through sorted(...)")
        value = self.not_none(value, node)
        value = self.as_now(value, node) if not value.type.is_sequence else self.kept(value, node)
        return self.view_of(value, node, unordered)

    def known_items(self, value: Value, node: ast.AST) -> Items:
        """The items of a known tuple or list."""
        count, own = len(value.known), self.table(value, node) if self.unit.is_value(value.known) else value
        return Items(core.Number(count), lambda at: self.item(node, own, self._known_place(at)), count)

    def view_of(self, value: Value, node: ast.AST, unordered: bool = False) -> Items:
        """A value as a view of its items."""
        kind = value.type
        is_set = isinstance(value.known, set | frozenset) or (kind.is_set)
        if is_set and not unordered and not self.is_library:
            self.refuse(node, "the order of a set cannot be compiled: go through sorted(...)")
        keys = value.keys
        if kind.sort in ("dict", "view") and keys is not None and keys.are_there and keys.are_all:
            return self._pairs_of(node, value, keys.first)
        if kind.is_sequence and kind.sort == "dict" and kind.item.is_tuple:
            pairs = core.Length(value.expr)
            return Items(pairs, lambda at: self.field(Value.made(core.Item(value.expr, at, 0, kind.item)), 0))
        if kind.is_tuple:
            return Items(core.Number(len(kind.items)), lambda at: self._item_of_tuple(node, value, at), len(kind.items))
        if kind.is_object:
            if not all(
                isinstance(self.unit.pool[number], tuple | list | str | range | bytes) for number in kind.numbers
            ):
                self.refuse(node, "the order of a set or dictionary cannot be compiled here: go through sorted(...)")
            length = self.each(value, node, lambda each: Value.of(len(each.known)))
            return Items(length.expr, lambda at: self.item(node, value, Value(core.INT, at)))
        if not kind.is_long:
            self.refuse(node, f"a loop over {kind.name} cannot be compiled")
        known = kind.count
        count = core.Length(value.expr) if known is None else core.Number(known)
        return Items(count, lambda at: Value.made(core.Item(value.expr, at, 0, item_type(kind))), known)

    def _pairs_of(self, node: ast.AST, value: Value, keys: tuple[Any, ...]) -> Items:
        """The keys of a dictionary that has just these, or the pairs that it holds."""
        is_whole = value.type.sort == "view"

        def item(at: core.Expr) -> Value:
            pair = Value.made(core.Item(value.expr, at, 0, value.type.item))
            key = own = self.field(pair, 0)
            if isinstance(at, core.Number) and self.material(Value.of(keys[at.value]), node).type == own.type:
                key = Value.of(keys[at.value])  # and no equal one of another class
            return self.row(node, [key, self.field(pair, 1)]) if is_whole else key

        return Items(core.Number(len(keys)), item, len(keys))

    def _item_of_tuple(self, node: ast.AST, value: Value, at: core.Expr) -> Value:
        kind = value.type
        if isinstance(at, core.Number):
            return self.field(value, at.value)
        if kind.items and (not width_of(kind) or item_type(kind) == core.OBJECT):
            self.refuse(node, f"a loop over {kind.name} of such items cannot be compiled")
        return self.item_at(value, at, 0)

    def _ranged(self, node: ast.Call) -> Items:
        start, stop, step = self.range_parts(node)
        site = self.site(node, "the range does not fit a machine word")
        if not isinstance(step, core.Number) or step.value == 0:
            self.refuse(node, "a range whose step is not known cannot be compiled here")
        first = self.as_now(Value(core.INT, start), node).expr
        low, high = (first, stop) if step.value > 0 else (stop, first)
        span = core.Binary("subtract", high, low, site)
        up = core.Binary("add", span, core.Number(abs(step.value) - 1), site)
        turns = core.Binary("divide", up, core.Number(abs(step.value)), site)
        count = self.kept(Value.made(core.Binary("largest", core.Number(0), turns, 0)), node).expr

        def number(at: core.Expr) -> Value:
            return Value(core.INT, core.Binary("add", first, core.Binary("multiply", at, step, site), site))

        return Items(count, number)

    def range_parts(self, node: ast.Call) -> tuple[core.Expr, core.Expr, core.Expr]:
        """Start, stop and step of a call of `range`."""
        self.require_form(node, 1, 3)
        parts = [self.number(part) for part in node.args]
        if len(parts) == 1:
            return core.Number(0), parts[0], core.Number(1)
        return parts[0], parts[1], parts[2] if len(parts) == 3 else core.Number(1)

    def _enumerated(self, node: ast.Call) -> Items:
        first = self.as_now(Value(core.INT, self._start(node)), node).expr
        inner = self.view(node.args[0])
        site = self.site(node, "the number does not fit a machine word")

        def add(at: core.Expr) -> core.Expr:
            if isinstance(at, core.Number) and isinstance(first, core.Number):
                return core.Number(at.value + first.value)
            return at if first == core.Number(0) else core.Binary("add", at, first, site)

        return Items(inner.count, lambda at: self.row(node, [self._known_place(add(at)), inner.item(at)]), inner.known)

    def _known_place(self, at: core.Expr) -> Value:
        """The number of an item, which is known if a loop is written out."""
        return Value.of(at.value) if isinstance(at, core.Number) else Value(core.INT, at)

    def _zipped(self, node: ast.Call) -> Items:
        strict = list(self.whole.peek_words(node).values())
        self.require_form(node, 1, sys.maxsize, ("strict",), fits=strict in ([], [False], [True]))
        inner = [view for part in node.args for view in self._views_of(part)]
        if not inner:
            return Items(core.Number(0), lambda _: self.row(node, []), 0)
        count = inner[0].count
        for other in inner[1:]:
            if strict == [True]:
                self.fault_if(core.Compare("!=", inner[0].count, other.count), node, "zip meets different lengths")
            count = core.Binary("least", count, other.count, 0)
        known = [each.known for each in inner if each.known is not None]
        least = min(known) if len(known) == len(inner) else None
        return Items(count, lambda at: self.row(node, [part.item(at) for part in inner]), least)

    def _views_of(self, part: ast.expr) -> list[Items]:
        """The views of an argument of `zip`: with a star, of each item of a tuple or list of known length."""
        if not isinstance(part, ast.Starred):
            return [self.view(part)]
        whole = self.view(part.value)
        if whole.known is None:
            self.refuse(part, "a starred item here cannot be compiled: write the items, or hand over the list")
        items = [whole.item(core.Number(at)) for at in range(whole.known)]
        return [self.view(self.named(item, part)) for item in items]

    def _reversed(self, node: ast.Call) -> Items:
        self.require_form(node, 1, 1, fits=not any(self.whole.calls(each, LAZY) for each in node.args))
        inner = self.view(node.args[0])
        site = self.site(node, "the number does not fit a machine word")
        last = self.kept(Value.made(core.Binary("subtract", inner.count, core.Number(1), site)), node).expr
        return Items(inner.count, lambda at: inner.item(core.Binary("subtract", last, at, site)), inner.known)

    # ---------------------------------------------------------------- what changes under a loop

    def _refuse_changes(self, source: ast.expr, node: ast.AST) -> None:
        """A list must not grow, shrink or be replaced in a loop over it."""
        if not isinstance(node, ast.For) or self.names is None:
            return
        if self.whole.calls(source, (list, sorted)):
            return  # the loop is over a list of its own
        read = {each.id for each in nodes_of(source) if isinstance(each, ast.Name)}
        lists = {name for name in read if name in self.names and self.names[name].type.is_sequence}
        nested = {name for name in read if name in self.names and self.names[name].lists is not None}
        inside = [each for statement in node.body for each in nodes_of(statement)]
        stored = set().union(*map(stored_names, node.body))
        is_late = any(self.whole.calls(each, _OTHER_TIME) for each in nodes_of(source))
        target = node.target.elts[0] if isinstance(node.target, ast.Tuple) and node.target.elts else node.target
        is_values = isinstance(source, ast.Call) and getattr(source.func, "attr", "") == "values"
        keys = {target.id} - stored if isinstance(target, ast.Name) and not is_values else set()
        filled = {
            each.value.id
            for each in inside
            if isinstance(each, ast.Subscript)
            and isinstance(each.value, ast.Name)
            and not isinstance(each.ctx, ast.Load)
            if isinstance(each.ctx, ast.Del) or not isinstance(each.slice, ast.Name) or each.slice.id not in keys
        }
        filled = {name for name in filled & lists if self.names[name].type.sort == "dict"}
        if is_late:
            filled |= {name for name in lists if self.names[name].type.may_change}
            filled &= self._changed(inside) | self._parameters_while(inside)
        is_nested = is_late and self.may_change_nested(read, self._changed(inside) | self._parameters_while(inside))
        if is_nested or lists & (stored | grown(inside)) | nested & grown(inside) | filled:
            self.refuse(node, "what changes in a loop over it cannot be compiled: go through a copy, list(...)")

    def _parameters_while(self, inside: list[ast.AST]) -> set[str]:
        """The parameters, which the consumer of a generator may change at each `yield` inside."""
        if not any(isinstance(each, ast.Yield | ast.YieldFrom) for each in inside):
            return set()
        return {each.arg for each in nodes_of(self.definition.args) if isinstance(each, ast.arg)}

    def _refuse_rebound(self, call: core.Call, stored: set[str], node: ast.AST) -> None:
        """The arguments of a generator must stay what they are while the loop runs."""
        inside = [each for part in getattr(node, "body", []) for each in nodes_of(part)]
        given = [each for each in call.arguments if isinstance(each, core.Local)]
        lists = {each.name for each in given if each.type.is_sequence}
        if lists & (stored | grown(inside)):
            self.refuse(node, "a list that changes in a loop over it cannot be compiled")

    def is_late(self, source: ast.expr, node: ast.AST) -> bool:
        """Whether a list made for a loop may as well be made item by item."""
        read = {each.id for each in nodes_of(source) if isinstance(each, ast.Name)}
        changed = {each.target.id for each in nodes_of(node) if isinstance(each, ast.NamedExpr)}
        if isinstance(node, ast.For):
            inside = [each for statement in node.body for each in nodes_of(statement)]
            changed = changed.union(*map(stored_names, (node.target, *node.body)))
            changed |= set(filter(self._may_be_list, self._changed(inside)))
        return read.isdisjoint(changed) and not self.may_change_nested(read, changed)

    def _may_be_list(self, name: str) -> bool:
        """Whether a name may stand for something that can be changed."""
        known = (self.names or {}).get(name)
        return known is None or known.lists is not None or holds_list(known.type)

    def _changed(self, inside: list[ast.AST]) -> set[str]:
        """Names of lists that may change: by methods, items, and functions that get them or are made here."""
        own = [each for each in nodes_of(self.definition) if isinstance(each, ast.FunctionDef)]
        inside = [*inside, *(part for each in own if each is not self.definition for part in nodes_of(each))]
        calls = [each for each in inside if isinstance(each, ast.Call) and not self.whole.calls(each, _PURE)]
        given = [part for each in calls for part in (*each.args, *(word.value for word in each.keywords))]
        return grown(inside) | items_set(inside) | {each.id for each in given if isinstance(each, ast.Name)}


# Functions that produce their items one by one, as equivalent generator expressions.


def as_generator(function: Any, node: ast.Call, repeat: Any, fresh: Callable[[], str]) -> ast.expr | None:
    """A call as a generator expression with names of ours; None for other functions.

    `repeat` is the known value of the keyword of that name, or how many items `combinations` and the like choose.
    """
    given = node.args
    if any(isinstance(part, ast.Starred) for part in given) or (node.keywords and function is not itertools.product):
        return None
    text = _text_of(function, given, repeat if isinstance(repeat, int) else 0)
    parts = {f"a{at}": part for at, part in enumerate(given)}
    return None if text is None else filled(text, node, fresh, end=constant(library.place_of_end), **parts)


def _text_of(function: Any, given: list[ast.expr], repeat: int) -> str | None:
    """The generator expression as text, in which `a0`, `a1`, ... stand for the arguments."""
    count = len(given)
    if function is map and count > 1:
        items = ", ".join(f"x{at}" for at in range(1, count))
        sources = ", ".join(f"a{at}" for at in range(1, count))
        return f"(a0({items}) for {items} in {sources if count == 2 else f'zip({sources})'})"
    if is_one_of(function, (filter, itertools.filterfalse)) and count == 2:
        is_none = isinstance(given[0], ast.Constant) and given[0].value is None
        return f"(x for x in a1 if {'' if function is filter else 'not '}{'x' if is_none else 'a0(x)'})"
    if function is itertools.compress and count == 2:
        return "(x for x, keep in zip(a0, a1) if keep)"
    if function is itertools.islice and count == 2:
        return "(x for at, x in zip(range(end(a1)), a0))"
    if function is itertools.islice and count == 3:
        return "(x for at, x in zip(range(max(end(a1), end(a2))), a0) if a1 <= at < a2)"
    if function is itertools.starmap and count == 2:
        return "(a0(*x) for x in a1)"
    if isinstance(function, BuiltinFunctionType) and function == itertools.chain.from_iterable and count == 1:
        return "(x for part in a0 for x in part)"
    if function is itertools.product and 0 < repeat * count <= _MOST_CHOSEN:
        return _tuples("x{}", [f"for x{at} in a{at % count}" for at in range(repeat * count)])
    if is_one_of(function, CHOSEN) and 0 < repeat <= _MOST_CHOSEN:
        return _tuples("a0[x{}]", [_places(function, at) for at in range(repeat)])
    return None


def _places(function: Any, at: int) -> str:
    """The loop over the places of one item, each after the one before, or different from all before."""
    if function is itertools.permutations:
        return " ".join([f"for x{at} in range(len(a0))", *(f"if x{at} != x{before}" for before in range(at))])
    first = f"x{at - 1}{' + 1' * (function is itertools.combinations)}, " if at else ""
    return f"for x{at} in range({first}len(a0))"


def _tuples(item: str, loops: list[str]) -> str:
    items = "".join(f"{item.format(at)}, " for at in range(len(loops)))
    return f"(({items}) {' '.join(loops)})"
