"""Statements of the rules, as statements of the core."""

from __future__ import annotations

import ast
import sys
from typing import TypeGuard

from endsight.compiler import core
from endsight.compiler.assigning import NOT_OURS, Assigning
from endsight.compiler.refusal import Unsettled
from endsight.compiler.resolve import is_named_tuple
from endsight.compiler.results import SHARES, as_mixed, types_of, with_type
from endsight.compiler.scopes import stored_names
from endsight.compiler.syntax import constant, filled, has_jump
from endsight.compiler.values import Value, holds_sequence, why_not


class Statements(Assigning):
    """The part of the translation of a function that goes through statements."""

    def block(self, statements: list[ast.stmt]) -> None:
        """Statements in order, up to the first that leaves."""
        for statement in statements:
            if self.names is None:
                return  # what follows is never reached, and need not be compiled
            self.line = statement.lineno
            method = getattr(self, "_do_" + type(statement).__name__.lower(), None)
            if method is None:
                self.refuse(statement, why_not(statement))
            depth = len(self.jumps)
            try:
                with self.or_fault(statement) as refused:
                    own = self.pops_first(statement)
                    is_plain = isinstance(own, ast.Expr | ast.Assign | ast.Return)
                    self.alone = own.value if is_plain else None  # type: ignore[attr-defined]
                    method(own)
            except Unsettled:  # taken for a branch that never ends, until others show what the function gives
                del self.jumps[depth:]
                self.names = None
            if refused:
                self._stop_here(statement)

    def _do_pass(self, node: ast.Pass) -> None:
        return

    def _do_break(self, node: ast.Break) -> None:
        self.leave("break", node.lineno)

    def _do_continue(self, node: ast.Continue) -> None:
        self.leave("continue", node.lineno)

    def _do_functiondef(self, node: ast.FunctionDef) -> None:
        if node.decorator_list:
            self.refuse(node, "a function inside a function with a decorator cannot be compiled")
        self.here[node.name] = Value.of(self.whole.local_function(node))

    def _do_assert(self, node: ast.Assert) -> None:
        """A failed assertion is left to the plain engine, which raises the error; with -O Python drops it too."""
        if sys.flags.optimize:
            return
        test = self.truth(node.test)
        if not (test.is_known and test.known):
            failed = core.Number(True) if test.is_known else core.Not(test.expr)
            self.fault_if(failed, node, "an assertion fails")
        if test.is_known and not test.known:
            self._stop_here(node)

    def _do_raise(self, node: ast.Raise) -> None:
        """The plain engine raises it, when it gets there."""
        self.fault_if(core.Number(True), node, "the rules raise an error")
        self._stop_here(node)

    def _stop_here(self, node: ast.stmt) -> None:
        """The end of a way that leads to a fault."""
        self.add(core.Stop(), node.lineno)
        self.names = None

    # ---------------------------------------------------------------- expressions that stand alone

    def _do_expr(self, node: ast.Expr) -> None:
        value = node.value
        if isinstance(value, ast.Constant):
            return
        if isinstance(value, ast.Yield):
            if value.value is None:
                self.refuse(node, "yield without a move")
            self._give(value.value, self.value(value.value))
        elif isinstance(value, ast.YieldFrom):
            self._yield_from(value.value, node)
        elif isinstance(value, ast.Call) and self._changes_a_list(value):
            return
        else:
            found = self.value(value)
            if found.expr is not None and not isinstance(found.expr, core.Number | core.Local):
                self.add(core.Do(found.expr), node.lineno)

    def _yield_from(self, items: ast.expr, node: ast.stmt) -> None:
        if isinstance(items, ast.IfExp):  # two branches, as no value can be a range on one and a tuple on the other
            ways: list[list[ast.stmt]] = [
                [ast.copy_location(ast.Expr(ast.copy_location(ast.YieldFrom(part), part)), part)]
                for part in (items.body, items.orelse)
            ]
            self._do_if(ast.copy_location(ast.If(items.test, *ways), node))
            return
        if _is_joined(items):  # nothing else has the lists, so that they need not be made
            for part in (items.left, items.right):
                self._yield_from(part, node)
            return
        self.whole.go_through(items, lambda item: self._give(node, item), set(), node)

    def _give(self, node: ast.AST, value: Value) -> None:
        value = self.whole.as_move(node, value) if self.rule == "moves" else value
        value = self.material(self.as_row(value, node), node)
        if holds_sequence(value.type):
            self.refuse(
                node, f"{'a list' if value.type.is_sequence else 'a tuple with a list in it'} is given as a move"
            )
        expr = value.expr
        if self.rule == "moves":
            self.result = with_type(self.result, value.type)
            if len(types_of(self.result)) > 1:
                self.hints["yield"] = self.result  # the next try gives moves of all these types
            if self.move is not None:
                expr = as_mixed(expr, value.type, self.move)
        else:
            self.result = value.type if self.result is None else self.joined(node, self.result, value.type)
        self.add(core.Yield(expr), self.line_of(node))

    def _changes_a_list(self, node: ast.Call) -> bool:
        """A method that changes a list, set or dictionary that is a name of this function."""
        function = node.func
        if not isinstance(function, ast.Attribute) or not isinstance(function.value, ast.Name) or self.names is None:
            return False
        name = function.value.id
        held = self.names.get(name)
        if held is not None and held.lists is not None and function.attr == "append" and len(node.args) == 1:
            self.add_list(name, self.value(node.args[0]), node)
            return True
        if held is not None and isinstance(held.known, set | dict) and name in self.changed:
            self.refuse(node, NOT_OURS)  # what this function makes is no constant, if it changes it
        if held is None or not held.type.may_change:
            return False
        if function.attr != "pop":
            self._own_list(name, node)
        if not self._popped(None, node) and not self.whole.change(name, function.attr, node):
            self.refuse(node, f"{ast.unparse(function)} of {held.type.name} cannot be compiled")
        return True

    # ---------------------------------------------------------------- ways

    def _do_return(self, node: ast.Return) -> None:
        if self.yields:
            if self.is_moves and node.value is not None:
                if not (isinstance(node.value, ast.Tuple | ast.List) and not node.value.elts):
                    self._yield_from(node.value, node)
            elif self.is_moves:
                self.refuse(node, "moves gives nothing here: return a list, or yield")
            elif self.rule == "moves" and node.value is not None and self.whole.peek(node.value) is not None:
                self.refuse(node, "moves yields, so Python throws away what it returns")
            elif node.value is not None and not isinstance(node.value, ast.Constant):
                found = self.value(node.value)
                if found.expr is not None:
                    self.add(core.Do(found.expr), node.lineno)
            self.add(core.Return(None), node.lineno)
        else:
            self._return_value(node)
        self.names = None

    def _return_value(self, node: ast.Return) -> None:
        is_sight = self.rule.startswith("sees")
        if is_sight and node.value is not None:
            self.whole.loosen([node.value])
        value = Value.of(None) if node.value is None else self.value(node.value)
        if value.is_known and value.known is None and "return" not in self.hints:
            kind: core.Type = core.NOTHING
            self.add(core.Return(None), node.lineno)
        else:
            if value.lists is None:
                self.rows.add(0)
            else:
                value = value.lists.returned(self.whole, node)
            value = self.material(value, node)
            value = self.as_share(value, node) if self.rule in SHARES else value
            value = self.whole.as_shown(value) if is_sight else value
            if "return" in self.hints:
                value = self.fitted(value, self.wider(self.hints["return"], value.type), node)
            kind = value.type
            if value.type.is_tuple and holds_sequence(value.type):
                value = self.kept(value, node)
            self.given_keys.append(value.keys)
            if self.lists_of(value) & self.parameters:
                sort = value.type.sort if value.type.may_change else "list"
                is_renewed = self.lists_of(value) & self.parameters & self.several
                what = "under the name of one that" if is_renewed else "that"
                self.refuse(node, f"a {sort} {what} was handed over is given back: return a copy, {sort}(...)")
            self.add(core.Return(value.expr), node.lineno)
        before = kind if self.result is None else self.result
        both = [self.unit.none if each == core.NOTHING else each for each in (before, kind)]
        if before != kind and (wider := self.wider(*both)) == self.wider(both[1], both[0]):
            kind = before = self.hints["return"] = wider  # the next try gives values of that type on every branch
        self.result = self.joined(node, before, kind)

    def _do_if(self, node: ast.If) -> None:
        self.fork_on(node.test, lambda: self.block(node.body), lambda: self.block(node.orelse))

    def _do_while(self, node: ast.While) -> None:
        stored = stored_names(node)
        tests: list[Value] = []

        def turn() -> None:
            test = self.truth(node.test)
            tests.append(test)
            if not (test.is_known and test.known):
                after = self.where(node.test, True)
                stop = core.Number(True) if test.is_known else core.Not(test.expr)
                way, _ = self.branch(self.where(node.test, False), lambda: self._stop(node))
                self.add(core.If(stop, way), node.lineno)
                self.names = after
            self.block(node.body)

        self.loop(core.While(()).at(node.lineno), turn, None, stored, never_ends=True)

    def _stop(self, node: ast.While) -> None:
        """The end of a loop whose test fails: its `else`, and out."""
        if has_jump(node.orelse):
            self.refuse(node, "break and continue in the `else` of a loop cannot be compiled")
        self.block(node.orelse)
        if self.names is not None:
            self.leave("break", node.lineno)

    def _do_for(self, node: ast.For) -> None:
        def turn(item: Value) -> None:
            self.put(node.target, item, node.iter)
            self.block(node.body)

        self.whole.go_through(node.iter, turn, stored_names(node), node)

    def _do_match(self, node: ast.Match) -> None:
        name = self.fresh()
        self.store(name, self.value(node.subject), node.subject)
        self._cases(node.cases, ast.copy_location(ast.Name(name, ast.Load()), node.subject))

    def _cases(self, cases: list[ast.match_case], held: ast.expr) -> None:
        """`match` as a chain of `if`."""
        if not cases:
            return
        case, names = cases[0], dict[str, ast.expr]()
        parts = [self._pattern(case.pattern, held, names)]
        parts += [case.guard] if case.guard is not None and not names else []

        def found() -> None:
            for name, part in names.items():
                self.put(ast.copy_location(ast.Name(name, ast.Store()), part), self.value(part), part)
            if case.guard is None or not names:
                self.block(case.body)
            else:
                self.fork_on(case.guard, lambda: self.block(case.body), lambda: self._cases(cases[1:], held))

        self.fork_on(_all_of(parts, case.pattern), found, lambda: self._cases(cases[1:], held))

    def _pattern(self, pattern: ast.pattern, held: ast.expr, names: dict[str, ast.expr]) -> ast.expr:
        """Whether a pattern fits, as an expression; `names` gets what the names in it stand for then."""
        tests, parts, known = [constant(True)], list[tuple[str, ast.pattern]](), self.value(held).known
        match pattern:
            case ast.MatchValue():
                tests = [filled("held == value", pattern, held=held, value=pattern.value)]
            case ast.MatchSingleton(None):
                tests = [filled("held is None", pattern, held=held)]
            case ast.MatchOr():
                own = dict[str, ast.expr]()
                tests = [ast.BoolOp(ast.Or(), [self._pattern(part, held, own) for part in pattern.patterns])]
                if own:
                    self.refuse(pattern, "a name in one of several patterns cannot be compiled: write if and elif")
            case ast.MatchAs():
                names.update({pattern.name: held} if pattern.name is not None else {})
                parts = [("held", pattern.pattern)] if pattern.pattern is not None else []
            case ast.MatchClass() if isinstance(kind := self.whole.peek(pattern.cls), type) and is_named_tuple(kind):
                own_names = (*vars(kind)["__match_args__"][: len(pattern.patterns)], *pattern.kwd_attrs)
                inside = (*pattern.patterns, *pattern.kwd_patterns)
                if len(own_names) != len(inside):
                    self.refuse(pattern, "the pattern does not fit its class")
                parts = [(f"held.{name}", part) for name, part in zip(own_names, inside, strict=True)]
                tests = [filled("isinstance(held, kind)", pattern, held=held, kind=pattern.cls)]
            case ast.MatchSequence() if not any(isinstance(part, ast.MatchStar) for part in pattern.patterns):
                kind = self.value(held).type
                kind = kind.items[1] if kind.label == core.MAYBE else kind
                is_tuple = type(known) is tuple or (kind.is_tuple and kind.label not in core.LABELS)
                if not is_tuple:
                    self.refuse(pattern, f"a pattern of items cannot be compiled for {kind.name}: write if and elif")
                fits = len(pattern.patterns) == len(known if type(known) is tuple else kind.items)
                tests = [filled("held is not None", pattern, held=held) if fits else constant(False)]
                parts = [(f"held[{at}]", part) for at, part in enumerate(pattern.patterns)] if fits else []
            case _:
                self.refuse(pattern, "such a pattern cannot be compiled: write if and elif")
        tests += [self._pattern(part, filled(text, pattern, held=held), names) for text, part in parts]
        return _all_of(tests, pattern)


def _all_of(tests: list[ast.expr], place: ast.AST) -> ast.expr:
    """`and` of tests, without those that are constants; one test is itself, so that it says what a name is not."""
    parts = [each for each in tests if not isinstance(each, ast.Constant) or not each.value] or tests[:1]
    return parts[0] if len(parts) == 1 else ast.copy_location(ast.BoolOp(ast.And(), parts), place)


def _is_joined(node: ast.expr) -> TypeGuard[ast.BinOp]:
    """Whether an expression is the sum of new lists."""
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Add):
        return False
    return all(isinstance(each, ast.ListComp) or _is_joined(each) for each in (node.left, node.right))
