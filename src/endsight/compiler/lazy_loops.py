"""Loops over `enumerate`, `zip`, `chain` and the like, whose items are made while the loop runs."""

from __future__ import annotations

import ast
import functools
import itertools
from collections.abc import Callable

from endsight.compiler import core
from endsight.compiler.iteration import Iteration, Loop, bare
from endsight.compiler.resolve import is_one_of
from endsight.compiler.syntax import has_jump
from endsight.compiler.values import Value
from endsight.compiler.views import Items


class LazyLoops(Iteration):
    """The part of the translation of a function that deals with what can be iterated over only once."""

    def lazily(self, source: ast.expr, loop: Loop) -> bool:
        """Translate loops over functions like `enumerate`; False if `source` is none of those."""
        if not isinstance(source, ast.Call):
            return False
        node, function = loop.node, self.peek(source.func)
        if function is enumerate and self.view_or_none(source.args[0]) is None:
            self._numbered(source, loop)
            return True
        if function is zip and not source.keywords:
            late = [at for at, part in enumerate(source.args) if self.is_late_only(part)]
            if len(late) == 1:
                self._zipped_late(source, late[0], loop)
                return True
        if is_one_of(function, (itertools.takewhile, itertools.dropwhile)):
            self._tested(source, loop, function is itertools.dropwhile)
            return True
        if function is itertools.chain and not source.keywords:
            if isinstance(node, ast.For) and (has_jump(node.body, (ast.Break,)) or node.orelse):
                self._at_once(source, loop)
                return True
            for part in source.args:
                self._go_through(part, loop._replace(node=bare(node, source)), unordered=False)
            return True
        return False

    def is_late_only(self, source: ast.expr) -> bool:
        """Whether something makes its items one by one, and can only be iterated over."""
        is_made = isinstance(source, ast.GeneratorExp) or self.whole.peek_generator(source)
        is_cut = self.calls(source, (itertools.islice,)) and bool(source.args) and self.is_late_only(source.args[0])
        return is_made or is_cut or self.calls(source, (itertools.takewhile, itertools.dropwhile))

    def _until(self, source: ast.expr, each: Callable[[Value, core.Stmt], None], loop: Loop) -> None:
        """A loop over `source` whose turns may say, by the statement that they are handed, that it ends after them."""
        if isinstance(loop.node, ast.For) and loop.node.orelse:
            self.refuse(source, "`else` of a loop that ends before its items do cannot be compiled: use `while`")
        stop = self.fresh()
        ended = core.Assign(stop, core.Number(True))
        self.add(core.Assign(stop, core.Number(False)))

        def turn(item: Value) -> None:
            each(self.kept(item, source), ended)
            if self.names is not None and loop.stop:
                self.add(core.If(core.Local(loop.stop, core.BOOL), (ended,)))

        inside = loop._replace(turn=turn, stored=loop.stored | {stop}, stop=stop)
        self._go_through(source, inside, unordered=False)

    def _zipped_late(self, source: ast.Call, place: int, loop: Loop) -> None:
        """`zip` of one thing that can only be iterated over, and of others whose items have numbers."""
        if place and isinstance(loop.node, ast.For) and has_jump(loop.node.body, (ast.Continue,)):
            self.refuse(source, "`continue` in a loop over zip of a generator cannot be compiled: let it come first")
        views = [None if at == place else self.view(part) for at, part in enumerate(source.args)]
        own, number = core.Local(self.fresh(), core.INT), core.Local(self.fresh(), core.INT)
        before, after = self._least(views[:place], source), self._least(views[place + 1 :], source)
        self.add(core.Assign(number.name, core.Number(0)))

        def each(item: Value, ended: core.Stmt) -> None:
            self.add(core.Assign(own.name, number))
            self.add(core.Assign(number.name, core.Binary("add", number, core.Number(1), 0)))
            is_there = core.Number(True) if after is None else core.Compare("<", own, after)
            parts = [item if view is None else view.item(own) for view in views]
            self.fork(is_there, lambda: loop.turn(self.row(source, parts)), lambda: self.add(ended), source)
            if self.names is not None and before is not None:
                self.add(core.If(core.Compare(">=", number, before), (ended,)))

        inside = loop._replace(stored=loop.stored | {own.name, number.name})
        is_empty = core.Number(False) if before is None else core.Compare("<=", before, core.Number(0))
        self.fork(is_empty, lambda: None, lambda: self._until(source.args[place], each, inside), source)

    def _tested(self, source: ast.Call, loop: Loop, is_dropped: bool) -> None:
        """`takewhile` and `dropwhile`."""
        self.require_form(source, 2, 2)
        drops = core.Local(self.fresh(), core.BOOL)
        self.add(core.Assign(drops.name, core.Number(True)))

        def each(item: Value, ended: core.Stmt) -> None:
            def test() -> None:
                found = self.as_truth(self.whole.called(source, source.args[0], [item]), source)
                holds = core.Not(core.Not(self.material(found, source).expr))
                self.add(core.Assign(drops.name, holds))

            if is_dropped:
                self.fork(drops, test, lambda: None, source)
                self.fork(drops, lambda: None, lambda: loop.turn(item), source)
            else:
                test()
                self.fork(drops, lambda: loop.turn(item), lambda: self.add(ended), source)

        self._until(source.args[1], each, loop._replace(stored=loop.stored | {drops.name}))

    def _least(self, views: list[Items | None], node: ast.AST) -> core.Expr | None:
        """The least number of items of several views; None for no view."""
        counts = [view.count for view in views if view is not None]
        least = functools.reduce(lambda one, other: core.Binary("least", one, other, 0), counts) if counts else None
        return None if least is None else self.kept(Value(core.INT, least), node).expr

    def _numbered(self, source: ast.Call, loop: Loop) -> None:
        """`enumerate` of something that can only be iterated over."""
        count, own = self.fresh(), self.fresh()
        start = self._start(source)
        self.add(core.Assign(count, start))
        site = self.site(source, "the number does not fit a machine word")

        def each(item: Value) -> None:
            item = self.kept(item, source)
            self.add(core.Assign(own, core.Local(count, core.INT)))
            after = core.Binary("add", core.Local(count, core.INT), core.Number(1), site)
            self.add(core.Assign(count, after))
            loop.turn(self.row(source, [Value.made(core.Local(own, core.INT)), item]))

        self._go_through(source.args[0], loop._replace(turn=each), unordered=False)
