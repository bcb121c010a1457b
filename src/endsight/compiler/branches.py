"""Blocks, branches and loops of one function during translation: what names stand for in each, and where they meet."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, TypeVar

from endsight.compiler import core
from endsight.compiler.flow import Flow
from endsight.compiler.refusal import CannotCompile, Unsettled
from endsight.compiler.resolve import UNKNOWN, is_whole
from endsight.compiler.values import SEVERAL, Names, Value, joined_types, told_apart

_Made = TypeVar("_Made")


class Branches(Flow):
    """The part of the translation of a function that follows names through branches and loops."""

    # ---------------------------------------------------------------- blocks

    @contextmanager
    def apart(self) -> Iterator[list[core.Stmt]]:
        """Gather statements in a list of their own."""
        before, self.out = self.out, []
        try:
            yield self.out
        finally:
            self.out = before

    @contextmanager
    def attempt(self) -> Iterator[list[core.Stmt]]:
        """Try to translate something, gathering its statements; names, lists and loops are restored afterwards.

        An attempt may end in `CannotCompile` in the middle of a loop.
        """
        names, line, depth = self.names, self.line, len(self.jumps)
        kept = dict(self.temporaries), self.hints, self.bounds, self.turns
        self.bounds = dict(self.bounds)
        self.names, self.hints = None if names is None else dict(names), dict(self.hints)
        try:
            with self.apart() as statements:
                yield statements
        finally:
            self.names, self.line = names, line
            self.temporaries, self.hints, self.bounds, self.turns = kept
            del self.jumps[depth:]

    @contextmanager
    def or_fault(self, node: ast.AST) -> Iterator[list[CannotCompile]]:
        """Translate something, of which a fault is left if it cannot be compiled for moves of one type among several.

        The list has the reason then. In all other functions the reason is raised.
        """
        refused: list[CannotCompile] = []
        depth, begun, kept = len(self.jumps), len(self.out), (self.bounds, self.turns, self.turns_of_loop)
        try:
            yield refused
        except Unsettled:
            raise
        except CannotCompile as refusal:
            if not self.is_for_one_type:
                raise
            del self.jumps[depth:], self.out[begun:]
            self.bounds, self.turns, self.turns_of_loop = kept
            refused.append(refusal)
            self.unit.refusals.append(refusal)
            self.fault_if(core.Number(True), node, f"for such a move this cannot be compiled: {refusal.reason}")

    def branch(self, names: Names, do: Callable[[], None]) -> tuple[tuple[core.Stmt, ...], Names | None]:
        """The statements of a branch that begins with `names`, and the names at its end."""
        self.names = dict(names)
        with self.apart() as statements:
            do()
        return tuple(statements), self.names

    def part(self, work: Callable[[], _Made]) -> tuple[tuple[core.Stmt, ...], _Made, Names | None]:
        """What may not be reached: its statements, what the work gives, and the names after it."""
        found: list[_Made] = []
        statements, names = self.branch(self.here, lambda: found.append(work()))
        return statements, found[0], names

    def fork(self, test: core.Expr, yes: Callable[[], None], no: Callable[[], None], node: ast.AST) -> None:
        """An `if` on something that is not known; `node` may be the expression, just evaluated."""
        holds, fails = self.where(node, True), self.where(node, False)
        then, after = self.branch(holds, yes)
        otherwise, other = self.branch(fails, no)
        self.names = self.merged([after, other])
        self.add(core.If(test, then, otherwise), self.line_of(node))

    def fork_on(self, node: ast.expr, yes: Callable[[], None], no: Callable[[], None]) -> None:
        """An `if` on an expression of the rules."""
        test = self.whole.truth(node)
        if test.is_known:
            (yes if test.known else no)()
        else:
            self.fork(test.expr, yes, no, node)

    def where(self, node: ast.AST | None, holds: bool) -> Names:
        """The names after an expression was evaluated and holds, or not: `and` that holds has evaluated all parts."""
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            return self.where(node.operand, not holds)
        if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.And) == holds:
            return self.after_all.get(node, self.here)
        target: Any = node
        if isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.Is | ast.IsNot):
            is_test = [ast.unparse(each) for each in node.comparators] == ["None"]
            target, holds = node.left, is_test and isinstance(node.ops[0], ast.IsNot) == holds
        target = getattr(target, "target", target)  # of `:=`
        name, path = self._path(target) if holds else ("", ())
        held = self.here.get(name)
        if held is None or held is SEVERAL or held.expr != core.Local(name, held.type):
            return self.here
        narrower = replace(held, there=held.there | {path}) if path else self.unless_none(held)
        return self.here if narrower is None else self.here | {name: narrower}

    def unless_none(self, value: Value) -> Value | None:
        """The same value where it is known not to be None; None for one that says nothing new."""
        if value.type.label == core.MAYBE and value.type.items[1].label not in core.LABELS:
            return self.whole.field(value, 1)
        numbers = tuple(each for each in value.type.numbers if self.unit.pool[each] is not None)
        is_new = numbers and numbers != value.type.numbers
        return Value(core.Known(numbers), value.expr) if is_new else None

    def _path(self, node: ast.AST) -> tuple[str, tuple[int, ...]]:
        """The name that an expression begins with, and the numbers of the fields of tuples that lead to its value.

        Tuples never change, so what holds of their fields holds until the name stands for another value.
        """
        if isinstance(node, ast.Name):
            return node.id, ()
        if not isinstance(node, ast.Attribute | ast.Subscript):
            return "", ()
        name, path = self._path(node.value)
        kind = self.here[name].type if name in self.here else core.NOTHING
        for each in path:
            kind = kind.items[each]
            kind = kind.items[1] if kind.label == core.MAYBE else kind
        number: Any = UNKNOWN
        if isinstance(node, ast.Subscript):
            number = self.whole.peek(node.slice)
        elif node.attr in kind.names:
            number = kind.names.index(node.attr)
        count = len(kind.items) if kind.is_tuple and kind.label not in core.LABELS else 0
        if type(number) is not int or not -count <= number < count:
            return "", ()
        return name, (*path, number % count)

    def instead(
        self, node: ast.AST, first: Value, test: Callable[[Value], core.Expr], statements: Any, second: Value
    ) -> Value:
        """`first`; or, where a test of it holds, `second`, after those statements."""
        name, kind = self.fresh(), self.whole.joined(node, first.type, second.type)
        self.aliases[name] = self.lists_of(first) | self.lists_of(second) | {name}
        self.add(core.Assign(name, first.expr))
        own = test(Value.made(core.Local(name, first.type)))
        self.add(core.If(own, (*statements, core.Assign(name, second.expr))))
        return Value.made(core.Local(name, kind))

    def merged(self, ways: list[Names | None]) -> Names | None:
        """The names where several branches meet."""
        gone = [way for way in ways if way is not None]
        if not gone:
            return None
        result = gone[0]
        for other in gone[1:]:
            result = {name: self._merged(value, other[name], name) for name, value in result.items() if name in other}
        return dict(result)

    def _merged(self, one: Value, other: Value, name: str) -> Value:
        """What a name stands for after either of two branches."""
        if one is other or (one.type == other.type and one.known is other.known and one.is_known):
            return one
        # The same value, of which more is known on one of the ways.
        if (one.version, one.expr, one.keys) == (other.version, other.expr, other.keys):
            return replace(one, there=one.there & other.there)
        if one.type == other.type and is_whole(one.known) and is_whole(other.known) and one.known == other.known:
            return one
        kinds = self._stored_type(one, name), self._stored_type(other, name)
        self.unlike[name] = told_apart(*kinds)
        if core.OBJECT in kinds:
            return SEVERAL
        kind = joined_types(*kinds)
        if kind is None:
            kind = self.whole.wider(*kinds)
            if kind != self.whole.wider(kinds[1], kinds[0]):
                return SEVERAL
            self.hints[name] = kind  # the next try writes values of that type under that name
        is_too_much = kind.is_object and len(kind.numbers) > MOST_OBJECTS
        if is_too_much:
            return SEVERAL
        return Value(kind, core.Local(name, kind), keys=one.keys and one.keys.met(other.keys))

    def _stored_type(self, value: Value, name: str) -> core.Type:
        """The type of what is stored under a name; of an object, if its number was written there."""
        if isinstance(value.expr, core.Field) and value.expr.value == core.Local(name, value.expr.value.type):
            return value.expr.value.type  # of a name that is known not to be None
        if value.type != core.OBJECT or name not in self.several or not self.unit.is_object(value.known):
            return value.type
        return core.Known((self.unit.number_of(value.known),))

    # ---------------------------------------------------------------- loops

    def loop(
        self,
        header: core.Stmt,
        turn: Callable[[], None],
        orelse: Callable[[], None] | None,
        stored: set[str],
        *,
        has_turns: bool = False,
        never_ends: bool = False,
    ) -> None:
        """A loop: `turn` translates its body, repeatedly until what is known of all names holds for each turn.

        A name that it assigns has a version of its own in the loop, whether or not `stored` has the name.
        """
        outside = self.here
        before = {name: _widened(name, value) if name in stored else value for name, value in outside.items()}
        begun = dict(self.temporaries)
        bounds, turns, own = self.bounds, self.turns, self.turns_of_loop
        self.turns, self.turns_of_loop = None if turns is None or own is None else turns * own, None
        while True:
            self.temporaries, self.bounds = dict(begun), dict(bounds)
            jumps: dict[str, list[Names]] = {"break": [], "continue": []}
            self.jumps.append(jumps)
            body, end = self.branch(before, turn)
            self.jumps.pop()
            ways = [*jumps["continue"], end]
            after = self.merged([before, *ways])
            assert after is not None
            assigned = [name for name, value in after.items() if value.version != before[name].version]
            is_widened = all(before[name].version != outside[name].version for name in assigned)
            if is_widened and all(value.is_like(after.get(name)) for name, value in before.items()):
                break
            before = after
        self.turns = turns
        done = self.merged(list(ways)) if has_turns else None if never_ends else before
        otherwise: tuple[core.Stmt, ...] = ()
        if orelse is not None and done is not None:
            otherwise, done = self.branch(done, orelse)
        self.names = self.merged([done, *jumps["break"]])
        self.add(header.but(body=body, **({"orelse": otherwise} if otherwise else {})))

    def leave(self, how: str, line: int) -> None:
        """`break` or `continue`."""
        self.jumps[-1][how].append(self.here)
        self.add(core.Break() if how == "break" else core.Continue(), line)
        self.names = None


def _widened(name: str, value: Value) -> Value:
    """A name that a loop assigns again: its first value says nothing about later turns."""
    if value is SEVERAL or value.type == core.OBJECT:
        return value
    keys = value.keys and value.keys._replace(are_all=False)
    return Value(value.type, core.Local(name, value.type) if value.is_known else value.expr, keys=keys)


MOST_OBJECTS = 64
"""Most objects that a name may stand for."""
