"""Loops over `enumerate`, `zip`, `chain` and the like, whose items are made while the loop runs."""

from __future__ import annotations

import ast
import functools
import itertools
from collections.abc import Callable
from types import BuiltinFunctionType
from typing import TypeGuard

from endsight.compiler import core
from endsight.compiler.iteration import Iteration, Loop, bare
from endsight.compiler.refusal import CannotCompile
from endsight.compiler.resolve import LAZY, is_one_of
from endsight.compiler.syntax import has_jump, nodes_of
from endsight.compiler.values import Value, may_fail
from endsight.compiler.views import CHOSEN, Items

_ONE_BY_ONE = (
    *(enumerate, zip, map, filter, itertools.filterfalse, itertools.starmap),
    *(itertools.takewhile, itertools.dropwhile, itertools.islice),
)
"""Functions that take an item of what they are handed when the loop over them needs it, and no sooner."""
_WHOLE = (itertools.product, *CHOSEN)
"""Functions that take all that they are handed when they are called."""
_ITERATORS = (*LAZY, *_ONE_BY_ONE, itertools.compress, itertools.repeat, itertools.cycle)


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
            self._one_after_the_other(source, loop)
            return True
        return False

    def read_at_call(self, source: ast.expr, loop: Loop) -> ast.expr:
        """A call with names of ours for arguments that are not the same, or do not fail, where the loop reads them.

        Python reads them when it calls. Refused where items are made while the loop runs, and the function takes them
        at another time than our loop.
        """
        if not self.is_iterator(source):
            return source
        function = self.peek(source.func)
        is_whole = is_one_of(function, _WHOLE)
        late = [] if is_whole else [part for part in source.args if self._makes_items(part)]
        is_in_step = is_one_of(function, _ONE_BY_ONE) and len(late) == 1 and not self.is_iterator(late[0])
        given = list[ast.expr]()
        for number, part in enumerate(source.args):
            is_made = function is itertools.chain and not (self.is_iterator(part) or self.is_late_only(part))
            may_wait = number == 0 or not (is_whole or is_made)
            is_late = self.is_late(part, loop.node)
            if part in late and not (is_late or is_in_step):
                self.refuse(part, "items that read what their loop changes cannot be compiled here: make a list first")
            stays = part in late or (is_late and (may_wait or not self._fails_at_once(part)))
            given.append(part if stays else self._read_now(part))
        return ast.copy_location(ast.Call(source.func, given, source.keywords), source)

    def _fails_at_once(self, part: ast.expr) -> bool:
        """Whether reading an argument may fail; True if that is not known."""
        try:
            with self.attempt() as statements:
                self.evaluate(self.taken(part))
        except CannotCompile:
            return True
        return may_fail(tuple(statements))

    def is_iterator(self, source: ast.expr) -> TypeGuard[ast.Call]:
        """Whether a call makes items that can be gone through only once."""
        if not isinstance(source, ast.Call):
            return False
        function = self.peek(source.func)
        return is_one_of(function, _ITERATORS) or (
            isinstance(function, BuiltinFunctionType) and function == itertools.chain.from_iterable
        )

    def _makes_items(self, part: ast.expr) -> bool:
        """Whether an argument makes its items, or a function makes them, while a loop runs."""
        if self.is_iterator(part):
            return any(map(self._makes_items, part.args))
        return isinstance(part, ast.GeneratorExp | ast.Lambda) or bool(self.whole.peek_generator(part))

    def _read_now(self, part: ast.expr) -> ast.expr:
        """A name for the value that an argument has now; a list that has a name is the same list later."""
        known = self.here.get(part.id) if isinstance(part, ast.Name) else None
        if known is not None and (known.type.is_sequence or known.lists is not None):
            return part
        return self.named(self.kept(self.taken(part), part), part)

    def may_be_late(self, source: ast.ListComp, loop: Loop) -> bool:
        """Whether a list made for a loop may be made item by item: all that fails in it must fail."""
        return self.is_late(source, loop.node) and not (self._may_leave(loop.node) and self._can_fail(source))

    def _may_leave(self, node: ast.AST) -> bool:
        """Whether a loop of the rules may end before its items do."""
        if not isinstance(node, ast.For):
            return False
        inside = [each for statement in node.body for each in nodes_of(statement)]
        return has_jump(node.body, (ast.Break,)) or any(isinstance(each, ast.Return | ast.Raise) for each in inside)

    def _can_fail(self, source: ast.ListComp) -> bool:
        """Whether making a list may fail; True if that is not known."""
        loop = Loop(lambda item: self.evaluate(item), set(), source)
        try:
            with self.attempt() as statements:
                self._over_comprehension(source, loop, unordered=False)
        except CannotCompile:
            return True
        return may_fail(tuple(statements))

    def to_the_end(self, source: ast.ListComp, loop: Loop) -> Loop:
        """The loop with all items made, also after it has ended: Python makes the whole list first."""
        if not loop.stop:
            return loop
        ended = core.Local(loop.stop, core.BOOL)

        def turn(item: Value) -> None:
            item = self.kept(item, source)
            self.fork(ended, lambda: None, lambda: loop.turn(item), source)

        return loop._replace(turn=turn, stop="")

    def is_late_only(self, source: ast.expr) -> bool:
        """Whether something makes its items one by one, and can only be iterated over."""
        is_made = isinstance(source, ast.GeneratorExp) or self.whole.peek_generator(source)
        is_cut = self.calls(source, (itertools.islice,)) and bool(source.args) and self.is_late_only(source.args[0])
        return is_made or is_cut or self.calls(source, (itertools.takewhile, itertools.dropwhile))

    def _one_after_the_other(self, source: ast.Call, loop: Loop) -> None:
        """`chain`: the loops over its parts, each only if those before have not ended the whole."""
        for part in source.args:
            inside = loop._replace(node=bare(loop.node, source))
            if self.names is None:  # the loops before leave on every way
                return
            if not loop.stop:
                self._go_through(part, inside, unordered=False)
                continue
            ended = core.Local(loop.stop, core.BOOL)
            self.fork(ended, lambda: None, functools.partial(self._go_through, part, inside, unordered=False), source)

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
