"""Loops, comprehensions and folds of the rules, over anything that can be iterated over."""

from __future__ import annotations

import ast
import itertools
import math
from collections.abc import Iterable
from enum import EnumMeta
from typing import Any, NamedTuple, TypeGuard

from endsight.compiler import core
from endsight.compiler.copies import Place, work_in
from endsight.compiler.refusal import CannotCompile
from endsight.compiler.resolve import ANY_ORDER, LAZY, MOST, PURE, UNKNOWN, is_list, is_one_of, is_whole
from endsight.compiler.scopes import stored_names
from endsight.compiler.syntax import has_jump, nodes_of
from endsight.compiler.values import FEW_STEPS, Turn, Value, holds_list, is_at_once, is_quick, steps
from endsight.compiler.views import CHOSEN, Items, ViewReading, as_generator

# Loops over known lists are written out up to this many items, folds of them and new lists and tuples up to this many
# cells, loops that yield over the items of a tuple up to this many, and all up to this many nodes.
MOST_ITEMS = 16
MOST_CELLS = 36
MOST_YIELDS = 6
MOST_NODES = 1500
_GONE_THROUGH = (tuple, list, range, bytes, str, dict)


class Loop(NamedTuple):
    """A loop during translation.

    turn    translates the work on an item
    stored  names that the loop assigns
    node    the loop of the rules, or the call or comprehension that becomes one
    stop    the name of a truth value that ends the loop, or none
    """

    turn: Turn
    stored: set[str]
    node: ast.AST
    stop: str = ""


class Iteration(ViewReading):
    """The part of the translation of a function that deals with loops."""

    # ---------------------------------------------------------------- what is known already

    def peek(self, node: ast.expr) -> Any:
        """The object that an expression stands for; UNKNOWN if it depends on the state."""
        before = self.unknown.get(node)
        if before is not None and self._stand_for_the_same(before):
            return UNKNOWN
        known = self._looked_at(node)
        if known is UNKNOWN and self.names is not None:
            read = {each.id for each in nodes_of(node) if isinstance(each, ast.Name)}
            self.unknown[node] = {name: self.names.get(name) for name in self.reached(read)}
        return known

    def _looked_at(self, node: ast.expr) -> Any:
        try:
            with self.attempt() as statements:
                value = self.value(node)
            return UNKNOWN if statements else value.known
        except CannotCompile:
            return UNKNOWN

    def _stand_for_the_same(self, before: dict[str, Value | None]) -> bool:
        """Whether names still stand for the same values: what was unknown must still be unknown."""
        if self.names is None:
            return False
        pairs = [(self.names.get(name), value) for name, value in before.items()]
        return all(one is other or (one and one.is_like(other) and one.expr == other.expr) for one, other in pairs)  # type: ignore[union-attr]

    def calls(self, node: ast.AST, functions: Iterable[Any]) -> TypeGuard[ast.Call]:
        """Whether an expression is a call of one of these functions."""
        return isinstance(node, ast.Call) and is_one_of(self.peek(node.func), functions)

    def peek_words(self, node: ast.Call) -> dict[str, Any]:
        """The same for the keywords of a call."""
        return {str(word.arg): self.peek(word.value) for word in node.keywords}

    def peek_items(self, node: ast.expr) -> Any:
        """The same for something that is iterated over once."""
        if isinstance(node, ast.Call):
            function = self.peek(node.func)
            if is_one_of(function, (*LAZY, *PURE)):
                given = [self.peek_items(part) for part in node.args]
                words = self.peek_words(node)
                if any(each is UNKNOWN or not self.unit.is_plain(each) for each in (*given, *words.values())):
                    return UNKNOWN
                return self.called_now(function, given, words)
        return self.peek(node)

    def called_now(self, function: Any, given: list[Any], words: dict[str, Any]) -> Any:
        """The result of a function for known values; UNKNOWN if it fails."""
        if not all(map(self.unit.is_in_order, given)) and (words or not is_one_of(function, ANY_ORDER)):
            return UNKNOWN
        try:
            result = self.without_order(function(*given, **words))
            if is_one_of(function, LAZY):
                result = tuple(itertools.islice(result, MOST + 1))
                return UNKNOWN if len(result) > MOST else result
            return result
        except Exception:  # whatever fails now will fail at its proper time too
            return UNKNOWN

    # ---------------------------------------------------------------- loops

    def go_through(
        self, source: ast.expr, turn: Turn, stored: set[str], node: ast.AST, stop: str = "", *, unordered: bool = False
    ) -> None:
        """A loop over `source`; `turn` translates the work on an item.

        `stored` are names that the loop assigns; `stop` is the name of a truth value that ends it; `unordered` says
        that the order makes no difference.
        """
        self._go_through(source, Loop(turn, stored, node, stop), unordered)

    def _go_through(self, source: ast.expr, loop: Loop, unordered: bool) -> None:
        self._refuse_changes(source, loop.node)
        has_names = any(isinstance(each, ast.NamedExpr) for each in nodes_of(source))
        unordered = self.is_library or (unordered and not has_names)
        known = UNKNOWN if isinstance(source, ast.GeneratorExp | ast.ListComp) else self.peek_items(source)
        if isinstance(known, EnumMeta) or (isinstance(known, set | frozenset) and self._has_order(known, unordered)):
            known = tuple(known)
        if known is not UNKNOWN and isinstance(known, _GONE_THROUGH):
            self._over_known(known, source, loop)
            return
        source = self.rewritten(self.whole.read_at_call(source, loop))
        if isinstance(source, ast.GeneratorExp):
            self._over_comprehension(source, loop, unordered)
        elif isinstance(source, ast.ListComp) and self.whole.may_be_late(source, loop):
            self._over_comprehension(source, self.whole.to_the_end(source, loop), unordered)
        elif (call := self.whole.generator_call(source)) is not None:
            self._over_generator(call, loop)
        elif self.calls(source, (range,)):
            self._count(*self.range_parts(source), loop)
        elif self.whole.lazily(source, loop):
            return
        else:
            view = self.view(source, unordered)
            at = range(view.known or 0)
            if view.known is not None and self._is_written_out(at, loop.node) and not self._is_kept(source):
                self._written_out([view.item(core.Number(each)) for each in at], loop, self._loop_place(source))
            else:
                self._over_view(view, loop)

    def _over_generator(self, call: core.Call, loop: Loop) -> None:
        """A loop over what a function of the rules yields."""
        if call.type == core.NOTHING:  # no `yield` is left, as a parameter or a constant rules it out
            loop = loop._replace(turn=lambda _: None)
        name = self.fresh()
        self._refuse_rebound(call, loop.stored, loop.node)
        header = core.Each(name, call, (), ()).at(self.line_of(loop.node))
        self._real(header, Value.made(core.Local(name, call.type)), loop)

    def _at_once(self, source: Any, loop: Loop) -> None:
        """A loop with `break` over something that takes several loops: all items are made before the first turn."""
        if not self.is_late(source, loop.node):
            self.refuse(
                source, "`break` in a loop over a generator that reads what the loop changes cannot be compiled"
            )
        self._over_view(self.view_of(self.gathered(source, source, "list"), source), loop)

    def rewritten(self, source: ast.expr) -> ast.expr:
        """`source`, or a generator expression with the same items."""
        if not isinstance(source, ast.Call):
            return source
        function: Any = self.peek(source.func)
        if function is itertools.islice and source.args and self.whole.is_late_only(source.args[0]):
            ends = [self.named(self.kept(self.value(each), each), each) for each in source.args[1:]]
            called = ast.copy_location(ast.Call(source.func, [source.args[0], *ends], source.keywords), source)
            return as_generator(function, called, 0, self.fresh) or source
        if not is_one_of(function, CHOSEN) or not 1 <= len(source.args) <= 2:
            repeat = self.peek(source.keywords[0].value) if source.keywords and function is itertools.product else 1
            return as_generator(function, source, repeat, self.fresh) or source
        held = self.kept(self.taken(source.args[0]), source)  # places are chosen among items that are all there
        count: Any = len(held.type.items) if held.type.is_tuple else held.type.count or UNKNOWN
        count = self.peek(source.args[1]) if len(source.args) == 2 else count
        named = ast.copy_location(ast.Call(source.func, [self.named(held, source), *source.args[1:]], []), source)
        return as_generator(function, named, count, self.fresh) or source

    def _has_order(self, known: Any, unordered: bool) -> bool:
        """Whether a loop may iterate over a known set: one made earlier, or one whose order does not matter."""
        return (unordered or self.unit.is_in_order(known)) and all(
            is_whole(each) or (is_list(each) and all(map(is_whole, each))) for each in known
        )

    def _real(self, header: core.Stmt, item: Value, loop: Loop, has_turns: bool = False) -> None:
        """A loop of the core."""
        node, stop = loop.node, loop.stop

        def whole_turn() -> None:
            loop.turn(item)
            if stop and self.names is not None:
                self.add(core.If(core.Local(stop, core.BOOL), (core.Break(),)))

        orelse = (lambda: self.block(node.orelse)) if isinstance(node, ast.For) and node.orelse else None
        self.loop(header, whole_turn, orelse, loop.stored, has_turns=has_turns)

    def _over_known(self, known: Any, source: ast.expr, loop: Loop) -> None:
        node = loop.node
        is_whole = not isinstance(known, range) or self._is_fold(node) or self._chooses(node)
        if is_whole and self._is_short(known, node) and not self._is_kept(source):
            self._written_out([Value.of(item) for item in known], loop, self._loop_place(source))
            return
        if isinstance(known, range):
            ends = (known.start, known.stop, known.step)
            start, stop, step = (self.material(Value.of(end), source).expr for end in ends)
            self._count(start, stop, step, loop, has_turns=bool(known))
            return
        items = Value.of(self.unit.kept(tuple(known)) if not is_list(known) else known)
        self._over_view(self.known_items(items, source), loop)

    def _is_fold(self, node: ast.AST) -> bool:
        """Whether a loop belongs to a comprehension, which has few turns in all if it has several loops."""
        if not isinstance(node, ast.GeneratorExp | ast.ListComp) or len(node.generators) == 1:
            return isinstance(node, ast.GeneratorExp | ast.ListComp)
        known = [self.peek_items(part.iter) for part in node.generators]
        return all(isinstance(each, _GONE_THROUGH) for each in known) and math.prod(map(len, known)) <= MOST_CELLS

    def _chooses(self, node: ast.AST) -> bool:
        """Whether a loop makes choices of as many items as a name says: that number has to be known."""
        calls = [each for each in nodes_of(node) if self.calls(each, CHOSEN)]
        return any(len(each.args) == 2 and isinstance(each.args[1], ast.Name) for each in calls)

    def _written_out(self, items: list[Value], loop: Loop, place: Place) -> None:
        """A loop written out as its turns, one after the other; raises `TooLong` if they become too much."""
        work = 0
        for number, item in enumerate(items):
            before, begun = self.names, len(self.out)
            if before is None:
                return
            if not loop.stop or number == 0:
                loop.turn(item)
            else:
                body, after = self.branch(before, lambda item=item: loop.turn(item))  # type: ignore[misc]
                self._unless(loop.stop, body)
                self.names = self.merged([before, after])
            work += work_in(tuple(self.out[begun:]), self.unit.program.functions)
            self.unit.copies.count(work, place)

    def _loop_place(self, source: ast.expr) -> Place:
        return self.file, self.line_of(source), getattr(source, "col_offset", 0)

    def _is_kept(self, source: ast.expr) -> bool:
        """Whether a loop over `source` stays a loop, as its turns became too much."""
        return self._loop_place(source) in self.unit.copies.kept

    def _unless(self, stop: str, body: tuple[core.Stmt, ...]) -> None:
        """Add statements that run only while a truth value does not hold; without a jump if they are a few steps."""
        if not body:
            return
        held, *given, last = core.Local(stop, core.BOOL), *body
        own = [each for each in given if isinstance(each, core.Assign) and is_at_once(each.value)]
        if len(own) == len(given) and isinstance(last, core.Assign) and last.name == stop:
            either = core.Either("or", (held, last.value))
            is_short = steps(either) + sum(steps(each.value) for each in own) <= FEW_STEPS
            if is_quick(either) and is_short and not {each.name for each in own} & (self.given_inside | {stop}):
                self.out += given
                self.add(core.Assign(stop, either))
                return
        self.add(core.If(core.Not(held), body))

    def _is_written_out(self, items: Any, node: ast.AST) -> bool:
        """The same for items of a tuple: a loop that finds moves among many is better with one place to yield."""
        yields = isinstance(node, ast.For) and any(isinstance(each, ast.Yield) for each in nodes_of(node))
        return not (yields and len(items) > MOST_YIELDS) and self._is_short(items, node)

    def _is_short(self, known: Any, node: ast.AST) -> bool:
        """Whether a loop over known items is written out."""
        most = MOST_ITEMS if isinstance(node, ast.For) else MOST_CELLS
        is_long = bool(known[most:]) if isinstance(known, range) else len(known) > most
        if is_long and not isinstance(known, str):
            return False
        if isinstance(node, ast.For):
            if node.orelse or has_jump(node.body):
                return False
            return len(known) * sum(len(nodes_of(statement)) for statement in node.body) <= MOST_NODES
        return len(known) * len(nodes_of(node)) <= MOST_NODES

    def _count(self, start: core.Expr, end: core.Expr, step: core.Expr, loop: Loop, has_turns: bool = False) -> None:
        name, has_turn = self.fresh(), isinstance(step, core.Number) and step.value != 0
        site = 0 if has_turn else self.site(loop.node, "a range with step 0")
        self.turns_of_loop = self.most(end)
        header = core.Count(name, start, end, step, (), (), site).at(self.line_of(loop.node))
        self._real(header, Value.made(core.Local(name, core.INT)), loop, has_turns)

    def count_up(self, count: core.Expr, turn: Turn, stored: set[str], node: ast.AST) -> None:
        """A loop over the numbers from 0 to `count` - 1."""
        self._count(core.Number(0), count, core.Number(1), Loop(turn, stored, node))

    def each_item(self, items: Value, turn: Turn, stored: set[str], node: ast.AST, *, unordered: bool = False) -> None:
        """A loop over the items of a value that exists at run time."""
        self._over_view(self.view_of(self.kept(items, node), node, unordered), Loop(turn, stored, node))

    def _over_view(self, view: Items, loop: Loop) -> None:
        has_turns = view.known is not None and view.known > 0
        by_place = loop._replace(turn=lambda at: loop.turn(view.item(at.expr)))
        self._count(core.Number(0), view.count, core.Number(1), by_place, has_turns)

    # ---------------------------------------------------------------- comprehensions

    def _over_comprehension(self, source: ast.GeneratorExp | ast.ListComp, loop: Loop, unordered: bool) -> None:
        """A loop over a comprehension, as the loops that it consists of."""
        node = loop.node
        if len(source.generators) > 1 and isinstance(node, ast.For) and has_jump(node.body, (ast.Break,)):
            self._at_once(source, loop)
            return
        if any(part.is_async for part in source.generators):
            self.refuse(source, "`async` cannot be compiled")
        plain: ast.AST = source
        if isinstance(node, ast.For):
            # Jumps of the loop's body leave the first of the loops, whose `else` is that of the whole.
            plain = ast.copy_location(ast.For(ast.Name("_", ast.Store()), source, node.body, node.orelse), source)
        inside = loop._replace(stored=loop.stored | stored_names(source), node=plain)
        self._part(source, 0, inside, unordered)

    def _part(self, source: ast.GeneratorExp | ast.ListComp, number: int, loop: Loop, unordered: bool) -> None:
        """The loop over one part of a comprehension, and the parts after it."""
        part = source.generators[number]

        def filtered(tests: list[ast.expr]) -> None:
            if not tests:
                if number + 1 < len(source.generators):
                    self._part(source, number + 1, loop, unordered)
                else:
                    loop.turn(self.value(source.elt))
                return
            self.fork_on(tests[0], lambda: filtered(tests[1:]), lambda: None)

        def each(item: Value) -> None:
            named = set(self.named_in)
            self.put(part.target, item, part.iter)
            self.named_in = named  # names of a comprehension end with it
            filtered(part.ifs)

        inner = loop.node if number == 0 else bare(loop.node, source)
        self._go_through(part.iter, loop._replace(turn=each, node=inner), unordered)

    def taken(self, node: ast.expr) -> Value:
        """An argument of a function that iterates over it: what can be iterated over only once becomes a tuple."""
        if self.calls(node, (itertools.cycle,)):
            self.refuse(node, "itertools.cycle can be gone through here by a loop only: it never ends")
        if self.whole.is_late_only(node) or self.whole.is_iterator(node) or self.calls(node, (range,)):
            return self.gathered(node, node, "tuple")
        return self.value(node)

    def gathered(self, source: ast.expr, node: ast.AST, sort: str, *, unordered: bool = False) -> Value:
        """A new sequence of all items of `source`."""
        known = self.peek_items(source) if not isinstance(source, ast.ListComp | ast.GeneratorExp) else UNKNOWN
        if known is not UNKNOWN and isinstance(known, _GONE_THROUGH) and sort == "tuple":
            return Value.of(tuple(known))
        is_straight = sort in ("list", "tuple")
        if is_straight and (items := self._one_by_one(source, unordered, sort == "list")) is not None:
            return self.new_list(node, items, len(items)) if sort == "list" else self.row(node, items)
        if sort in ("set", "frozenset") and (small := self.whole.small(source, node, sort)) is not None:
            return small
        name = self.whole.new_dict() if sort == "dict" else self.empty(sort)
        unordered = unordered or sort in ("set", "frozenset")
        if (
            sort == "dict"
            and isinstance(source, ast.Name | ast.Attribute)
            and self.whole.put_all(name, self.value(source), node)
        ):
            return self.here[name]
        self.go_through(source, lambda i: self.whole.add_item(name, sort, i, node), {name}, source, unordered=unordered)
        return self.here[name]

    def _one_by_one(self, source: ast.expr, unordered: bool, is_list: bool) -> list[Value] | None:
        """All items of `source`, if that takes no loop and depends on no test; else None.

        A list is made of other lists, and a tuple of what cannot be changed.
        """
        before, line = self.names, self.line
        items: list[Value] = []
        with self.apart() as statements:
            is_straight = True

            def turn(item: Value) -> None:
                nonlocal is_straight
                is_straight = is_straight and self.out is statements
                items.append(self.as_now(self.material(item, source), source) if is_straight else item)

            self.go_through(source, turn, set(), source, unordered=unordered)
        are_lists = [each.type.is_sequence for each in items]
        is_kind = all(are_lists) if is_list else not any(holds_list(each.type) for each in items)
        is_straight = is_straight and (is_kind or not any(are_lists))
        if not is_straight:
            self.names, self.line = before, line
            return None
        self.out += statements
        return items

    def empty(self, sort: str) -> str:
        """The name of a new sequence to which items will be added."""
        name = self.fresh("s")
        self.fresh_lists.add(name)
        kind = core.Sequence(self.hints.get(name, core.NOTHING), sort)
        self.bounds[name] = 0
        self.add(core.Assign(name, core.Listed((), core.ROOM, kind)))
        self.here[name] = Value.made(core.Local(name, kind))
        return name


def bare(node: ast.AST, source: ast.expr) -> ast.AST:
    """The node for an inner one of several loops: the body of the whole, without its `else`."""
    if not isinstance(node, ast.For):
        return source
    return ast.copy_location(ast.For(node.target, source, node.body, []), source)
