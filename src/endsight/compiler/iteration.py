"""Loops, comprehensions and folds of the rules, over whatever they go through."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Callable
from typing import Any

from endsight.compiler import core
from endsight.compiler.flow import ROOM, Value
from endsight.compiler.refusal import CannotCompile
from endsight.compiler.resolve import ANY_ORDER, LAZY, MOST, PURE, UNKNOWN, is_list
from endsight.compiler.scopes import stored_names
from endsight.compiler.syntax import grown, has_jump, nodes_of
from endsight.compiler.values import is_quick
from endsight.compiler.views import View, Views

__all__ = ["Iteration"]

# Loops over known lists are written out up to that many items, and that many nodes in all.
MOST_ITEMS = 16
MOST_NODES = 1500
_GONE_THROUGH = (tuple, list, range, bytes, str, dict)


class Iteration(Views):
    """The part of the translation of a function that deals with loops."""

    generator_call: Callable[[ast.expr], core.Call | None]

    # ---------------------------------------------------------------- what is known already

    def peek(self, node: ast.expr) -> Any:
        """The object that an expression stands for, UNKNOWN where it depends on the state."""
        try:
            with self.attempt() as statements:
                value = self.value(node)
            return UNKNOWN if statements else value.known
        except CannotCompile:
            return UNKNOWN

    def peek_items(self, node: ast.expr) -> Any:
        """The same of what is gone through once."""
        if isinstance(node, ast.Call):
            function = self.peek(node.func)
            if any(function is each for each in (*LAZY, *PURE)):
                given = [self.peek_items(part) for part in node.args]
                words = {str(word.arg): self.peek(word.value) for word in node.keywords}
                if any(each is UNKNOWN or not self.unit.is_plain(each) for each in (*given, *words.values())):
                    return UNKNOWN
                return self.called_now(function, given, words)
        return self.peek(node)

    def called_now(self, function: Any, given: list[Any], words: dict[str, Any]) -> Any:
        """What a function gives for known values, UNKNOWN where it fails."""
        if not all(map(self.unit.is_in_order, given)) and (words or not any(function is each for each in ANY_ORDER)):
            return UNKNOWN
        try:
            result = self.without_order(function(*given, **words))
            if any(function is each for each in LAZY):
                result = tuple(itertools.islice(result, MOST + 1))
                return UNKNOWN if len(result) > MOST else result
            return result
        except Exception:  # whatever goes wrong will go wrong at its proper time too
            return UNKNOWN

    # ---------------------------------------------------------------- loops

    def go_through(
        self, source: ast.expr, turn: Callable[[Value], None], stored: set[str], node: ast.AST, stop: str | None = None
    ) -> None:
        """A loop over `source`; `turn` translates what is done with an item.

        `stored` are names that the loop gives values; `stop` is a truth value that ends it.
        """
        self._refuse_changes(source, node)
        if isinstance(source, ast.GeneratorExp) or (isinstance(source, ast.ListComp) and self._is_late(source, node)):
            self._nested(source, turn, stored, node, stop)
            return
        known = self.peek_items(source)
        if known is not UNKNOWN and isinstance(known, _GONE_THROUGH):
            self._over_known(known, source, turn, stored, node, stop)
            return
        if (call := self.generator_call(source)) is not None:
            if call.type == core.NOTHING:  # every `yield` fell away, as a parameter or a constant decides it
                self.block(node.orelse if isinstance(node, ast.For) else [])
                return
            name = self.fresh()
            self._refuse_rebound(call, stored, node)
            build: Any = lambda body, orelse: core.Each(name, call, body, orelse, self._line(node))  # noqa: E731
            self._real(build, lambda: turn(Value(call.type, core.Local(name, call.type))), stored, node, stop)
            return
        if isinstance(source, ast.Call) and self.peek(source.func) is range:
            self._count(*self.range_parts(source), turn, stored, node, stop)
            return
        if self._lazily(source, turn, stored, node, stop):
            return
        if isinstance(source, ast.Name | ast.Tuple | ast.Attribute | ast.Subscript):
            self._over_value(self.material(self.value(source), source), source, turn, stored, node, stop)
            return
        self._over_view(self.view(source), turn, stored, node, stop)

    def _real(
        self,
        build: Callable[..., core.Stmt],
        turn: Callable[[], None],
        stored: set[str],
        node: ast.AST,
        stop: str | None,
        has_turns: bool = False,
    ) -> None:
        """A loop of the core."""

        def whole_turn() -> None:
            turn()
            if stop is not None and self.names is not None:
                self.add(core.If(core.Local(stop, core.BOOL), (core.Break(self.line),), (), self.line))

        orelse = (lambda: self.block(node.orelse)) if isinstance(node, ast.For) and node.orelse else None
        self.loop(build, whole_turn, orelse, stored, has_turns=has_turns)

    def _over_known(
        self,
        known: Any,
        source: ast.expr,
        turn: Callable[[Value], None],
        stored: set[str],
        node: ast.AST,
        stop: str | None,
    ) -> None:
        is_fold = isinstance(node, ast.GeneratorExp | ast.ListComp) and len(node.generators) == 1
        if (is_fold or not isinstance(known, range)) and self._is_short(known, node):
            self._written_out([self.of(item) for item in known], turn, stop)
            return
        if isinstance(known, range):
            start, stop_at, step = (core.Number(part) for part in (known.start, known.stop, known.step))
            self._count(start, stop_at, step, turn, stored, node, stop, has_turns=len(known) > 0)
            return
        if not is_list(known):
            self.refuse(source, "a loop over this many texts cannot be compiled")
        table = self.table(Value(core.OBJECT, None, known), source)
        view = View(core.Length(table.expr), lambda at: self.item_at(table, at, 0), len(known))
        self._over_view(view, turn, stored, node, stop)

    def _over_value(
        self,
        value: Value,
        source: ast.expr,
        turn: Callable[[Value], None],
        stored: set[str],
        node: ast.AST,
        stop: str | None,
    ) -> None:
        """A loop over the items of a value, written out where these are few."""
        value = self.there(value, source)
        if isinstance(value.type, core.Tuple) and self._is_short(value.type.items, node):
            count, value = len(value.type.items), self.as_now(value, source)
            self._written_out([self.field(value, at) for at in range(count)], turn, stop)
            return
        value = self._held(value, source) if isinstance(value.type, core.Sequence) else self.as_now(value, source)
        view = self.seen(value, source)
        if view.known is not None and isinstance(value.type, core.Sequence) and self._is_short(range(view.known), node):
            self._written_out([view.item(core.Number(at)) for at in range(view.known)], turn, stop)
            return
        self._over_view(view, turn, stored, node, stop)

    def _written_out(self, items: list[Value], turn: Callable[[Value], None], stop: str | None) -> None:
        """A loop as its turns, one after the other."""
        for number, item in enumerate(items):
            before = self.names
            if before is None:
                return
            if stop is None or number == 0:
                turn(item)
                continue
            body, after = self.branch(before, lambda item=item: turn(item))  # type: ignore[misc]
            self.out += self._unless(stop, body)
            self.names = self.met([before, after])

    def _unless(self, stop: str, body: tuple[core.Stmt, ...]) -> list[core.Stmt]:
        """What is done where a truth value does not hold yet; without a jump where that is a few steps."""
        held, *given, last = core.Local(stop, core.BOOL), *body
        own = [each for each in given if isinstance(each, core.Assign) and isinstance(each.value, core.Number)]
        if len(own) == len(given) and isinstance(last, core.Assign) and last.name == stop:
            either = core.Either("or", (held, last.value), core.BOOL)
            if is_quick(either) and not {each.name for each in own} & (self.given_inside | {stop}):
                return [*given, core.Assign(stop, either, self.line)]
        return [core.If(core.Not(held), body, (), self.line)]

    def _is_short(self, known: Any, node: ast.AST) -> bool:
        """Whether a loop over known items is written out."""
        if len(known) > MOST_ITEMS and not isinstance(known, str):
            return False
        if isinstance(node, ast.For):
            if node.orelse or has_jump(node.body):
                return False
            return len(known) * sum(len(nodes_of(statement)) for statement in node.body) <= MOST_NODES
        return len(known) * len(nodes_of(node)) <= MOST_NODES

    def _count(
        self,
        start: core.Expr,
        end: core.Expr,
        step: core.Expr,
        turn: Callable[[Value], None],
        stored: set[str],
        node: ast.AST,
        stop: str | None,
        has_turns: bool = False,
    ) -> None:
        name, site = self.fresh(), self.site(node, "a range with step 0")
        build: Any = lambda body, orelse: core.Count(name, start, end, step, body, orelse, site, self._line(node))  # noqa: E731
        self._real(build, lambda: turn(Value(core.INT, core.Local(name, core.INT))), stored, node, stop, has_turns)

    def _over_view(
        self, view: View, turn: Callable[[Value], None], stored: set[str], node: ast.AST, stop: str | None
    ) -> None:
        zero, one = core.Number(0), core.Number(1)
        has_turns = view.known is not None and view.known > 0
        each = lambda at: turn(view.item(at.expr))  # noqa: E731
        self._count(zero, view.count, one, each, stored, node, stop, has_turns)

    # ---------------------------------------------------------------- what changes under a loop

    def _refuse_changes(self, source: ast.expr, node: ast.AST) -> None:
        """A list must not grow, shrink or be another one in a loop over it."""
        if not isinstance(node, ast.For) or self.names is None:
            return
        read = {each.id for each in nodes_of(source) if isinstance(each, ast.Name)}
        lists = {name for name in read if name in self.names and isinstance(self.names[name].type, core.Sequence)}
        inside = [each for statement in node.body for each in nodes_of(statement)]
        if lists & (set().union(*map(stored_names, node.body)) | grown(inside)):
            self.refuse(node, "a list that changes in a loop over it cannot be compiled")

    def _refuse_rebound(self, call: core.Call, stored: set[str], node: ast.AST) -> None:
        """What a generator was given must stay what it is while the loop goes on."""
        for argument in call.arguments:
            if isinstance(argument.type, core.Sequence):
                name = argument.name if isinstance(argument, core.Local) else ""
                inside = [each for part in getattr(node, "body", []) for each in nodes_of(part)]
                if not isinstance(argument, core.Local) or name in stored or name in grown(inside):
                    self.refuse(node, "a list that changes in a loop over it cannot be compiled")

    def _is_late(self, source: ast.ListComp, node: ast.AST) -> bool:
        """Whether a list made for a loop may as well be made item by item."""
        if not isinstance(node, ast.For):
            return True
        read = {each.id for each in nodes_of(source) if isinstance(each, ast.Name)}
        inside = [each for statement in node.body for each in nodes_of(statement)]
        held = {
            each.value.id for each in inside if isinstance(each, ast.Subscript) and isinstance(each.value, ast.Name)
        }
        given = {
            part.id for each in inside if isinstance(each, ast.Call) for part in each.args if isinstance(part, ast.Name)
        }
        return not read & (stored_names(node) | grown(inside) | held | given)

    # ---------------------------------------------------------------- comprehensions

    def _nested(
        self,
        source: ast.GeneratorExp | ast.ListComp,
        turn: Callable[[Value], None],
        stored: set[str],
        node: ast.AST,
        stop: str | None,
    ) -> None:
        """A loop over a comprehension, as the loops that it consists of."""
        orelse = node.orelse if isinstance(node, ast.For) else []
        if isinstance(node, ast.For) and has_jump(node.body) and len(source.generators) > 1:
            self.refuse(source, "break and continue in a loop over a generator cannot be compiled")
        if any(part.is_async for part in source.generators):
            self.refuse(source, "`async` cannot be compiled")
        inside = stored | stored_names(source)
        plain: ast.AST = source
        if isinstance(node, ast.For):
            # Jumps of the loop's body leave the first of the loops, whose `else` is that of the whole.
            plain = ast.copy_location(ast.For(ast.Name("_", ast.Store()), source, node.body, orelse), source)
        self._part(source, 0, turn, inside, plain, stop)

    def _part(
        self,
        source: ast.GeneratorExp | ast.ListComp,
        number: int,
        turn: Callable[[Value], None],
        stored: set[str],
        node: ast.AST,
        stop: str | None,
    ) -> None:
        part = source.generators[number]

        def filtered(tests: list[ast.expr]) -> None:
            if not tests:
                if number + 1 < len(source.generators):
                    self._part(source, number + 1, turn, stored, node, stop)
                else:
                    turn(self.value(source.elt))
                return
            test = self.truth(tests[0])
            if test.is_known:
                if test.known:
                    filtered(tests[1:])
                return
            before = self.names
            assert before is not None
            body, after = self.branch(before, lambda: filtered(tests[1:]))
            self.add(core.If(test.expr, body, (), self.line))
            self.names = self.met([before, after])

        def each(item: Value) -> None:
            self.put(part.target, item, part.iter)
            filtered(part.ifs)

        self.go_through(part.iter, each, stored, node if number == 0 else source, stop)

    def listed(self, node: ast.ListComp) -> Value:
        """A list made by a loop."""
        return self.gathered(node, node, is_list=True)

    def gathered(self, source: ast.expr, node: ast.AST, *, is_list: bool) -> Value:
        """A new sequence of all that `source` gives."""
        known = self.peek_items(source) if not isinstance(source, ast.ListComp | ast.GeneratorExp) else UNKNOWN
        if known is not UNKNOWN and isinstance(known, _GONE_THROUGH) and not is_list:
            return self.of(tuple(known))
        if (items := self._one_by_one(source)) is not None:
            return self.new_list(node, items, len(items)) if is_list else self.row(node, items)
        name = self.empty(is_list=is_list)
        self.go_through(source, lambda item: self.append(name, item, node), {name}, source)
        return self.names[name]  # type: ignore[index]

    def _one_by_one(self, source: ast.expr) -> list[Value] | None:
        """All that `source` gives, where that takes no loop and depends on no test; else None."""
        before, line = self.names, self.line
        items: list[Value] = []
        with self.apart() as statements:
            is_straight = True

            def turn(item: Value) -> None:
                nonlocal is_straight
                is_straight = is_straight and self.out is statements
                items.append(self.as_now(self.material(item, source), source) if is_straight else item)

            self.go_through(source, turn, set(), source)
        is_straight = is_straight and not any(isinstance(each.type, core.Sequence) for each in items)
        if not is_straight:
            self.names, self.line = before, line
            return None
        self.out += statements
        return items

    def empty(self, *, is_list: bool) -> str:
        """The name of a new sequence, to which items are going to be added."""
        assert self.names is not None
        name = self.fresh()
        self.fresh_lists.add(name)
        kind = core.Sequence(self.hints.get(name, core.NOTHING), is_list)
        self.add(core.Assign(name, core.Listed((), ROOM, kind), self.line))
        self.names[name] = Value(kind, core.Local(name, kind))
        return name

    # ---------------------------------------------------------------- zip, enumerate and the like

    def _lazily(
        self, source: ast.expr, turn: Callable[[Value], None], stored: set[str], node: ast.AST, stop: str | None
    ) -> bool:
        """Loops over functions of loops; False where `source` is none of those."""
        if not isinstance(source, ast.Call):
            return False
        function = self.peek(source.func)
        if function is enumerate and self.view_or_none(source.args[0]) is None:
            self._numbered(source, turn, stored, node, stop)
            return True
        if function is map and len(source.args) == 2:
            call: Callable[[Value], None] = lambda item: turn(self.called(source, source.args[0], [item]))  # noqa: E731
            self.go_through(source.args[1], call, stored, node, stop)
            return True
        is_left = isinstance(node, ast.For) and (has_jump(node.body) or bool(node.orelse))
        if function is itertools.product and not source.keywords and not is_left:
            self._product(source.args, [], turn, stored, source, stop)
            return True
        if function is itertools.chain and not source.keywords and not is_left:
            for part in source.args:
                self.go_through(part, turn, stored, source, stop)
            return True
        return False

    called: Callable[[ast.Call, ast.expr, list[Value]], Value]

    def _numbered(
        self, source: ast.Call, turn: Callable[[Value], None], stored: set[str], node: ast.AST, stop: str | None
    ) -> None:
        """`enumerate` of what can only be gone through."""
        count, own = self.fresh(), self.fresh()
        start = self._start(source)
        self.add(core.Assign(count, start, self.line))
        site = self.site(source, "the number does not fit a machine word")

        def each(item: Value) -> None:
            item = self.kept(item, source)
            self.add(core.Assign(own, core.Local(count, core.INT), self.line))
            after = core.Binary("add", core.Local(count, core.INT), core.Number(1), site)
            self.add(core.Assign(count, after, self.line))
            turn(self.row(source, [Value(core.INT, core.Local(own, core.INT)), item]))

        self.go_through(source.args[0], each, stored, node, stop)

    def _product(
        self,
        parts: list[ast.expr],
        items: list[Value],
        turn: Callable[[Value], None],
        stored: set[str],
        node: ast.AST,
        stop: str | None,
    ) -> None:
        if not parts:
            turn(self.row(node, items))
            return

        def each(item: Value) -> None:
            kept = item if item.is_known else self.as_now(self.material(item, node), node)
            self._product(parts[1:], [*items, kept], turn, stored, node, stop)

        self.go_through(parts[0], each, stored, node, stop)
