"""Loops of the rules: over ranges, lists of data, `zip`, `enumerate`, generators; folds like `sum`.

Loops over ranges are all that is left. A loop over anything else becomes a loop over the
numbers of its items; a loop over a short list that is known when compiling is written
out item by item.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NoReturn

from endsight.compiler.assigned import mark_turns
from endsight.compiler.known import SELF, UNKNOWN, Scope, is_list
from endsight.compiler.syntax import assign, call, copied, name, nodes_of, number

if TYPE_CHECKING:
    from endsight.compiler.translator import _Translator

__all__ = ["Loops"]

# Loops over known lists are written out up to that many items, and that many nodes in all.
MOST_ITEMS = 16
MOST_NODES = 1500


@dataclass(frozen=True)
class _Sequence:
    """Something to loop over: statements to run first, how many items, and the item at a number."""

    setup: list[ast.stmt]
    count: ast.expr
    item: Callable[[ast.expr], ast.expr]


class Loops:
    """The part of `Rewriter` that deals with loops."""

    translator: _Translator
    scope: Scope
    file: str
    visit: Callable[[ast.AST], Any]
    block: Callable[[list[ast.stmt]], list[ast.stmt]]
    body: Callable[[list[ast.stmt]], list[ast.stmt]]
    put: Callable[[ast.expr, ast.expr], list[ast.stmt]]
    site: Callable[[ast.AST, str], ast.expr]
    temporary: Callable[[], str]
    define: Callable[[str, list[str], list[ast.stmt], ast.AST], None]

    def refuse(self, node: ast.AST, reason: str) -> NoReturn:
        """Leave these rules to the plain engine."""
        raise NotImplementedError

    # ---------------------------------------------------------------- statements

    def visit_For(self, node: ast.For) -> list[ast.stmt]:
        over = self.scope.iterable(node.iter)
        if (is_list(over) and not isinstance(over, range)) and self._is_short(node, over):
            return self._written_out(node, over)
        if isinstance(node.iter, ast.GeneratorExp | ast.ListComp):
            return self._nested(node.iter, node.target, node.body, node.orelse)
        if self._is_range(node.iter) and isinstance(node.target, ast.Name):
            self._bind(node.target)
            return [ast.For(node.target, self.visit_range(node.iter), self.body(node.body), self.block(node.orelse))]
        if self._generator(node.iter) is not None:
            self._bind(node.target)
            return [ast.For(node.target, self.visit(node.iter), self.body(node.body), self.block(node.orelse))]
        return self._counted(node)

    def visit_range(self, node: ast.expr) -> ast.expr:
        """A range, also where it is known already."""
        over = self.scope.value(node)
        if isinstance(over, range):
            return call("range", number(over.start), number(over.stop), number(over.step))
        result: ast.expr = self.visit(node)
        return result

    def _counted(self, node: ast.For) -> list[ast.stmt]:
        sequence = self._sequence(node.iter)
        counter = self.temporary()
        self._bind(node.target)
        inside = [*self.put(node.target, sequence.item(name(counter))), *self.block(node.body)]
        loop = ast.For(ast.Name(counter, ast.Store()), call("range", sequence.count), inside, self.block(node.orelse))
        known = self.scope.iterable(node.iter)
        mark_turns(loop, known is not UNKNOWN and len(known) > 0)
        return [*sequence.setup, loop]

    def _is_short(self, node: ast.For, over: Any) -> bool:
        """Whether a loop over a known list can be written out."""
        if len(over) > MOST_ITEMS or node.orelse or _has_jump(node.body):
            return False
        if isinstance(node.target, ast.Name) and node.target.id in _stored(node.body):
            return False
        if not isinstance(node.target, ast.Name) and _stored([ast.Expr(node.target)]) & _stored(node.body):
            return False
        return len(over) * sum(1 for statement in node.body for _ in nodes_of(statement)) <= MOST_NODES

    def _written_out(self, node: ast.For, over: Any) -> list[ast.stmt]:
        """The body once for every item, with the loop's names known."""
        result: list[ast.stmt] = []
        before = dict(self.scope.fixed)
        for item in over:
            names = _matched(node.target, item)
            if names is None:
                self.refuse(node, "the items do not fit the names of the loop")
            # The names keep their last value after the loop, as in Python.
            result += [assign(key, number(value)) for key, value in names.items() if isinstance(value, int)]
            self.scope.fixed.update(names)
            result += self.block(copied(node.body))
        self.scope.fixed = before
        self._bind(node.target)
        return result

    def _bind(self, target: ast.expr) -> None:
        for key in _stored([ast.Expr(target)]):
            self.scope.locals.add(key)
            self.scope.fixed.pop(key, None)

    def _nested(
        self, source: ast.GeneratorExp | ast.ListComp, target: ast.expr, body: list[ast.stmt], orelse: list[ast.stmt]
    ) -> list[ast.stmt]:
        """`for target in (element for ... if ...): body` as plain loops."""
        if _has_jump(body) and len(source.generators) > 1:
            self.refuse(source, "break and continue in a loop over a generator cannot be compiled")
        if any(part.is_async for part in source.generators):
            self.refuse(source, "`async` cannot be compiled")
        inner: list[ast.stmt] = [ast.Assign([target], source.elt), *body]
        for part in reversed(source.generators):
            for test in reversed(part.ifs):
                inner = [ast.If(test, inner, [])]
            inner = [ast.For(part.target, part.iter, inner, orelse if part is source.generators[0] else [])]
        for statement in inner:
            ast.copy_location(statement, source)
            ast.fix_missing_locations(statement)
        return self.block(inner)

    # ---------------------------------------------------------------- what is looped over

    def _is_range(self, node: ast.expr) -> bool:
        if isinstance(self.scope.value(node), range):
            return True
        return isinstance(node, ast.Call) and self.scope.value(node.func) is range

    def _generator(self, node: ast.expr) -> str | None:
        """The method's name where `node` calls a method that yields."""
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            is_own = self.scope.value(node.func.value) is SELF
            if is_own and self.translator.is_generator(node.func.attr):
                return node.func.attr
        return None

    def _sequence(self, node: ast.expr) -> _Sequence:
        function = self.scope.value(node.func) if isinstance(node, ast.Call) else None
        if isinstance(node, ast.Call) and self.scope.value(node) is UNKNOWN:
            if function is enumerate:
                return self._enumerated(node)
            if function is zip:
                return self._zipped(node)
            if function is reversed and node.args:
                return self._reversed(node)
            if function in (tuple, list) and len(node.args) == 1 and not node.keywords:
                return self._sequence(node.args[0])
        if self._is_range(node):
            return self._ranged(node)
        whole = self.temporary()
        site = self.site(node, "an index is out of range")
        return _Sequence(
            [assign(whole, self.visit(node))],
            call("es_length", name(whole)),
            lambda at: call("es_item", name(whole), at, site),
        )

    def _ranged(self, node: ast.expr) -> _Sequence:
        over = self.visit_range(node)
        assert isinstance(over, ast.Call)
        start, stop, step = [number(0), over.args[0], number(1)] if len(over.args) == 1 else [*over.args, number(1)][:3]
        site = self.site(node, "the range does not fit a machine word")
        names = [self.temporary() for _ in range(3)]
        setup: list[ast.stmt] = [assign(key, value) for key, value in zip(names, (start, stop, step), strict=True)]
        return _Sequence(
            setup,
            call("es_range_length", *map(name, names), site),
            lambda at: call("es_add", name(names[0]), call("es_multiply", at, name(names[2]), site), site),
        )

    def _enumerated(self, node: ast.Call) -> _Sequence:
        if not 1 <= len(node.args) + len(node.keywords) <= 2 or any(word.arg != "start" for word in node.keywords):
            self.refuse(node, "this form of enumerate cannot be compiled")
        given = [*node.args[1:], *(word.value for word in node.keywords)]
        first = self.temporary()
        inner = self._sequence(node.args[0])
        site = self.site(node, "the number does not fit a machine word")
        return _Sequence(
            [*inner.setup, assign(first, self.visit(given[0]) if given else number(0))],
            inner.count,
            lambda at: ast.Tuple([call("es_add", at, name(first), site), inner.item(at)], ast.Load()),
        )

    def _zipped(self, node: ast.Call) -> _Sequence:
        strict = [self.scope.value(word.value) for word in node.keywords if word.arg == "strict"]
        if len(strict) < len(node.keywords) or not node.args or strict not in ([], [False], [True]):
            self.refuse(node, "this form of zip cannot be compiled")
        inner = [self._sequence(part) for part in node.args]
        setup = [statement for part in inner for statement in part.setup]
        count = inner[0].count
        for other in inner[1:]:
            if strict == [True]:
                differ = call("es_whole", ast.Compare(inner[0].count, [ast.NotEq()], [other.count]))
                setup.append(ast.Expr(call("es_fault_at", differ, self.site(node, "zip meets different lengths"))))
            count = call("es_least", count, other.count)
        return _Sequence(
            setup,
            count,
            lambda at: ast.Tuple([part.item(at) for part in inner], ast.Load()),
        )

    def _reversed(self, node: ast.Call) -> _Sequence:
        lazy = isinstance(node.args[0], ast.Call) and self.scope.value(node.args[0].func) in (enumerate, zip, reversed)
        if len(node.args) != 1 or node.keywords or lazy:
            self.refuse(node, "this form of reversed cannot be compiled")
        inner = self._sequence(node.args[0])
        last = self.temporary()
        site = self.site(node, "the number does not fit a machine word")
        return _Sequence(
            [*inner.setup, assign(last, call("es_subtract", inner.count, number(1), site))],
            inner.count,
            lambda at: inner.item(call("es_subtract", name(last), at, site)),
        )

    # ---------------------------------------------------------------- generators of moves

    def yield_from(self, node: ast.YieldFrom) -> list[ast.stmt]:
        """`yield from items` as a loop."""
        move = self.temporary()
        self.scope.locals.add(move)
        loop = ast.For(ast.Name(move, ast.Store()), node.value, [ast.Expr(ast.Yield(name(move)))], [])
        ast.copy_location(loop, node)
        ast.fix_missing_locations(loop)
        return self.visit_For(loop)

    def yielding(self, statements: list[ast.stmt]) -> list[ast.stmt]:
        """`return items` as `yield from items`, in a `moves` that does not yield."""
        rewriter = self

        class Returns(ast.NodeTransformer):
            def visit_Return(self, node: ast.Return) -> list[ast.stmt]:
                stop = ast.copy_location(ast.Return(None), node)
                if isinstance(node.value, ast.Tuple | ast.List) and not node.value.elts:
                    return [stop]
                if node.value is None:
                    rewriter.refuse(node, "moves gives nothing here: return a list, or yield")
                give = ast.Expr(ast.copy_location(ast.YieldFrom(node.value), node))
                return [ast.copy_location(give, node), stop]

        changed = [Returns().visit(statement) for statement in statements]
        return [new for part in changed for new in (part if isinstance(part, list) else [part])]

    # ---------------------------------------------------------------- folds

    def folded(self, node: ast.Call, operation: str) -> ast.expr:
        """`sum`, `min`, `max`, `any` or `all` over something, by a helper function with a loop."""
        second = {"es_add": "start", "es_least": "default", "es_largest": "default"}.get(operation)
        extra = [*(word.value for word in node.keywords if word.arg == second), *node.args[1:]]
        by_place = len(node.args) == 2 and operation == "es_add"
        if len(extra) > 1 or not (len(node.args) == 1 or by_place) or len(extra) < len(node.keywords):
            self.refuse(node, f"this form of {ast.unparse(node.func)} cannot be compiled")
        source = node.args[0]
        default = extra[0] if extra else None
        if isinstance(source, ast.GeneratorExp | ast.ListComp):
            element, generators = source.elt, source.generators
        else:
            element = ast.Name("es_x", ast.Load())
            generators = [ast.comprehension(ast.Name("es_x", ast.Store()), source, [], 0)]
        return self._fold(node, operation, element, generators, default)

    def _fold(
        self,
        node: ast.Call,
        operation: str,
        element: ast.expr,
        generators: list[ast.comprehension],
        default: ast.expr | None,
    ) -> ast.expr:
        """Call of a helper `def fold(free names): for ...: ...`."""
        inner: list[ast.stmt] = self._step(node, operation, element)
        for part in reversed(generators):
            for test in reversed(part.ifs):
                inner = [ast.If(test, inner, [])]
            inner = [ast.For(part.target, part.iter, inner, [])]
        used = {part.id for statement in inner for part in nodes_of(statement) if isinstance(part, ast.Name)}
        bound = _stored(inner)
        used -= bound | {"es_total", "es_met", "es_y", self.scope.self_name or ""}
        free = sorted(key for key in used if key in self.scope.locals and key not in self.scope.fixed)
        for statement in inner:
            ast.copy_location(statement, node)
            ast.fix_missing_locations(statement)
        outside, yields = set(self.scope.locals), self.scope.is_generator
        self.scope.is_generator = False
        self.scope.locals |= bound
        middle = self.block(inner)
        self.scope.locals, self.scope.is_generator = outside, yields
        helper = self.translator.fresh("fold")
        first = None if default is None else self.visit(default)
        begin, end = self._frame(node, operation, first)
        self.define(helper, [*free, *(["es_first"] if first is not None else [])], [*begin, *middle, *end], node)
        return call(helper, *map(name, free), *([first] if first is not None else []))

    def _step(self, node: ast.Call, operation: str, element: ast.expr) -> list[ast.stmt]:
        """What is done with every element, as plain Python that is rewritten afterwards."""
        if operation in ("any", "all"):
            test = element if operation == "any" else ast.UnaryOp(ast.Not(), element)
            return [ast.If(test, [ast.Return(ast.Constant(operation == "any"))], [])]
        self.scope.locals |= {"es_total", "es_met"}
        if operation == "es_add":
            total = ast.BinOp(ast.Name("es_total", ast.Load()), ast.Add(), element)
            return [ast.Assign([ast.Name("es_total", ast.Store())], total)]
        which = ast.Name("min" if operation == "es_least" else "max", ast.Load())
        better = ast.Call(which, [ast.Name("es_total", ast.Load()), ast.Name("es_y", ast.Load())], [])
        self.scope.locals.add("es_y")
        return [
            ast.Assign([ast.Name("es_y", ast.Store())], element),
            ast.Assign(
                [ast.Name("es_total", ast.Store())],
                ast.IfExp(ast.Name("es_met", ast.Load()), better, ast.Name("es_y", ast.Load())),
            ),
            ast.Assign([ast.Name("es_met", ast.Store())], ast.Constant(True)),
        ]

    def _frame(self, node: ast.Call, operation: str, first: ast.expr | None) -> tuple[list[ast.stmt], list[ast.stmt]]:
        """Statements before and after the loop of a fold."""
        if operation in ("any", "all"):
            return [], [ast.Return(number(operation != "any"))]
        start = name("es_first") if first is not None else number(0)
        begin: list[ast.stmt] = [assign("es_total", call("es_whole", start))]
        end: list[ast.stmt] = [ast.Return(name("es_total"))]
        if operation != "es_add":
            begin.append(assign("es_met", number(False)))
            if first is None:
                missing = call("es_whole", ast.UnaryOp(ast.Not(), name("es_met")))
                end.insert(0, ast.Expr(call("es_fault_at", missing, self.site(node, "nothing to choose from"))))
        return begin, end


def _has_jump(statements: list[ast.stmt]) -> bool:
    """Whether `break` or `continue` of this loop occurs (those of inner loops are theirs)."""
    for statement in statements:
        if isinstance(statement, ast.Break | ast.Continue):
            return True
        if isinstance(statement, ast.For | ast.While):
            if _has_jump(statement.orelse):
                return True
            continue
        for part in ("body", "orelse"):
            if _has_jump(getattr(statement, part, [])):
                return True
        if isinstance(statement, ast.Match) and any(_has_jump(case.body) for case in statement.cases):
            return True
    return False


def _stored(statements: list[Any]) -> set[str]:
    """Names that are given a value."""
    return {
        part.id
        for statement in statements
        for part in nodes_of(statement)
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)
    }


def _matched(target: ast.expr, item: Any) -> dict[str, Any] | None:
    """Names of a loop's target with their values for one item."""
    if isinstance(target, ast.Name):
        return {target.id: item}
    if isinstance(target, ast.Tuple) and isinstance(item, tuple | list) and len(item) == len(target.elts):
        names: dict[str, Any] = {}
        for part, value in zip(target.elts, item, strict=True):
            inner = _matched(part, value)
            if inner is None:
                return None
            names |= inner
        return names
    return None
