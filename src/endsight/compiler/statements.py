"""Statements of the rules, as statements of the core."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable
from typing import Any

from endsight.compiler import core
from endsight.compiler.amounts import wider_type
from endsight.compiler.flow import ROOM, Value
from endsight.compiler.reading import Reading
from endsight.compiler.refusal import Unsettled
from endsight.compiler.resolve import is_list
from endsight.compiler.scopes import stored_names
from endsight.compiler.syntax import constant, has_jump, nodes_of
from endsight.compiler.values import why_not
from endsight.game.numbers import count_text

__all__ = ["Statements"]


class Statements(Reading):
    """The part of the translation of a function that goes through statements."""

    yields: bool
    result: core.Type | None
    parameters: set[str]
    changes: set[str]
    mutated: dict[str, ast.AST]
    shared: dict[str, ast.AST]
    fresh_lists: set[str]
    hints: dict[str, core.Type]
    is_moves: bool
    gives_shares: bool
    """Whether these are payoffs or rewards."""
    gives_sight: bool
    """Whether this is what a player sees."""
    throws_away: bool
    """Whether these are the rules' moves, and yield: to return a value as well is a mistake, which Python tells."""
    alone: ast.AST | None
    """The call that a statement consists of: only there may it change a list."""
    go_through: Callable[..., None]
    loosen: Callable[[list[ast.expr]], None]
    as_seen: Callable[[Value], Value]
    gives: Callable[[ast.expr], bool]
    local_function: Callable[[ast.FunctionDef | ast.Lambda], Any]

    def block(self, statements: list[ast.stmt]) -> None:
        """Statements in order, up to the first that leaves."""
        for statement in statements:
            if self.names is None:
                return  # what follows is never reached, and need not be compiled
            self.line = statement.lineno
            is_plain = isinstance(statement, ast.Expr | ast.Assign | ast.Return)
            self.alone = statement.value if is_plain else None  # type: ignore[attr-defined]
            method = getattr(self, "_do_" + type(statement).__name__.lower(), None)
            if method is None:
                self.refuse(statement, why_not(statement))
            depth = len(self.jumps)
            try:
                method(statement)
            except Unsettled:  # taken for a way that never ends, until others say what the function gives
                del self.jumps[depth:]
                self.names = None

    def _do_pass(self, node: ast.Pass) -> None:
        return

    def _do_break(self, node: ast.Break) -> None:
        self.leave("break", node.lineno)

    def _do_continue(self, node: ast.Continue) -> None:
        self.leave("continue", node.lineno)

    def _do_functiondef(self, node: ast.FunctionDef) -> None:
        assert self.names is not None
        if node.decorator_list:
            self.refuse(node, "a function inside a function with a decorator cannot be compiled")
        self.names[node.name] = Value(core.OBJECT, None, self.local_function(node))

    def _do_assert(self, node: ast.Assert) -> None:
        """What is not so is left to the plain engine, which raises the error; with -O Python drops it too."""
        if sys.flags.optimize:
            return
        test = self.truth(node.test)
        if not (test.is_known and test.known):
            failed = core.Number(True) if test.is_known else core.Not(test.expr)
            self.add(core.Fault(failed, self.site(node, "an assertion fails"), node.lineno))

    def _do_raise(self, node: ast.Raise) -> None:
        """The plain engine raises it, when it gets there."""
        self.add(core.Fault(core.Number(True), self.site(node, "the rules raise an error"), node.lineno))
        self.add(core.Stop(node.lineno))
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
                self.add(core.Do(found.expr, node.lineno))

    def _yield_from(self, items: ast.expr, node: ast.stmt) -> None:
        if isinstance(items, ast.IfExp):  # two ways, as no value can be a range on one and a tuple on the other
            ways: list[list[ast.stmt]] = [
                [ast.copy_location(ast.Expr(ast.copy_location(ast.YieldFrom(part), part)), part)]
                for part in (items.body, items.orelse)
            ]
            self._do_if(ast.copy_location(ast.If(items.test, *ways), node))
            return
        self.go_through(items, lambda item: self._give(node, item), set(), node)

    def _give(self, node: ast.AST, value: Value) -> None:
        value = self.material(self._as_row(value, node), node)
        if isinstance(value.type, core.Sequence):
            self.refuse(node, "a list is given as a move")
        self.result = value.type if self.result is None else self.joined(node, self.result, value.type)
        self.add(core.Yield(value.expr, getattr(node, "lineno", self.line)))

    def _changes_a_list(self, node: ast.Call) -> bool:
        """A method that changes a list, set or dictionary that is a name of this function."""
        function = node.func
        if not isinstance(function, ast.Attribute) or not isinstance(function.value, ast.Name) or self.names is None:
            return False
        name = function.value.id
        held = self.names.get(name)
        if held is None or not isinstance(held.type, core.Sequence) or not held.type.may_change:
            return False
        if function.attr != "pop":
            self._own_list(name, node)
        if function.attr == "append" and len(node.args) == 1 and not node.keywords and held.type.is_list:
            self.append(name, self.value(node.args[0]), node)
        elif function.attr == "extend" and len(node.args) == 1 and not node.keywords and held.type.is_list:
            self.go_through(node.args[0], lambda item: self.append(name, item, node), set(), node)
        elif not self._popped(None, node) and not self.change(name, function.attr, node):
            self.refuse(node, f"{ast.unparse(function)} of {held.type.name} cannot be compiled")
        return True

    def _own_list(self, name: str, node: ast.AST) -> None:
        if name in self.parameters:
            self.refuse(
                node, "a list, set or dictionary that was handed over cannot grow or shrink here: return a new one"
            )
        self.mutated.setdefault(name, node)

    def drop_last(self, name: str, node: ast.AST) -> None:
        """Drop the last item of a list."""
        assert self.names is not None
        self._own_list(name, node)
        kind = self.names[name].type
        assert isinstance(kind, core.Sequence)
        self.add(core.Pop(name, kind, self.site(node, "pop from an empty list"), self.line))
        shorter = core.Sequence(kind.item, kind.is_list)
        self.names[name] = Value(shorter, core.Local(name, shorter))

    def append(self, name: str, value: Value, node: ast.AST) -> None:
        """Add an item to a list, whose items may get a wider type."""
        assert self.names is not None
        value = self.material(value, node)
        held = self.names[name].type
        assert isinstance(held, core.Sequence)
        if value.type == core.NOTHING and isinstance(value.expr, core.Item):
            return  # an item of what never has any
        item = value.type if held.item == core.NOTHING else self.joined(node, held.item, value.type)
        if not core.width_of(item):
            self.refuse(
                node, f"a list of such items ({item.name}) cannot be compiled: only numbers and tuples of numbers"
            )
        self.hints[name] = item
        before, more = self.bounds.get(name, 0), self.turns
        self.bounds[name] = None if before is None or more is None else before + more
        kind = core.Sequence(item, held.is_list, held.label)
        site = self.site(node, f"a list has more than {ROOM} items")
        self.add(core.Append(name, kind, value.expr, site, getattr(node, "lineno", self.line)))
        self.names[name] = Value(kind, core.Local(name, kind))

    # ---------------------------------------------------------------- giving names a value

    def _do_annassign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self._assign([node.target], node.value)

    def _do_assign(self, node: ast.Assign) -> None:
        self._assign(node.targets, node.value)

    def _assign(self, targets: list[ast.expr], source: ast.expr) -> None:
        target = targets[0]
        if len(targets) == 1 and isinstance(target, ast.Name) and self._popped(target, source):
            return
        is_pair = isinstance(target, ast.Tuple | ast.List) and isinstance(source, ast.Tuple | ast.List)
        if len(targets) == 1 and is_pair and len(target.elts) == len(source.elts):  # type: ignore[attr-defined]
            self._assign_all(target.elts, source.elts)  # type: ignore[attr-defined]
            return
        value = self.value(source)
        if len(targets) > 1:
            if isinstance(value.type, core.Sequence):
                self.refuse(source, "a list that goes under two names cannot be compiled")
            if value.expr is not None:
                value = self.kept(value, source)
        for each in targets:
            self.put(each, value, source)

    def _assign_all(self, targets: list[ast.expr], sources: list[ast.expr]) -> None:
        """`a, b = x, y`: all values first."""
        stored = set().union(*(stored_names(target) for target in targets))
        changes = bool(stored) or not all(isinstance(target, ast.Name) for target in targets)
        values = []
        for source in sources:
            if isinstance(source, ast.Starred):
                self.refuse(source, "a starred item cannot be compiled: write the sum of two tuples or lists")
            value = self.value(source)
            read = self._read_by(source)
            if isinstance(value.type, core.Sequence) and (read & stored or not self._is_fresh(value)):
                self.refuse(source, "a list that goes under two names cannot be compiled")
            values.append(self.as_now(value, source) if changes and value.expr is not None else value)
        for target, source, value in zip(targets, sources, values, strict=True):
            self.put(target, value, source)

    def as_now(self, value: Value, node: ast.AST) -> Value:
        """The value as it is now, whatever names get afterwards."""
        if isinstance(value.expr, core.Number | core.Table):
            return value
        name = self.fresh()
        if isinstance(value.type, core.Sequence):
            self.fresh_lists.add(name)
        self.add(core.Assign(name, value.expr, getattr(node, "lineno", self.line)))
        return Value(value.type, core.Local(name, value.type), value.known, value.bits)

    def _popped(self, target: ast.Name | None, source: ast.expr) -> bool:
        """`x = items.pop()`, or without a name for it."""
        if not isinstance(source, ast.Call) or not isinstance(source.func, ast.Attribute) or source.func.attr != "pop":
            return False
        name = source.func.value.id if isinstance(source.func.value, ast.Name) else ""
        held, given = None if self.names is None else self.names.get(name), source.args
        if held is None or not isinstance(held.type, core.Sequence) or source.keywords or held.type.is_set:
            return False
        if held.type.label == "dict" and len(given) in (1, 2):
            default = self.value(given[1]) if len(given) == 2 else None
            kept = self.kept(self.value_at(source, held, self.value(given[0]), default), source)
            self.change(name, "pop", source)
        elif held.type.is_list and len(given) == 1:
            kept = self.kept(
                self.item_at(held, self.number(given[0]), self.site(source, "pop index out of range")), source
            )
            self.drop(ast.copy_location(ast.Subscript(source.func.value, given[0], ast.Store()), source))
        elif held.type.is_list and not given:
            kept = self.kept(self.item_at(held, core.Number(-1), self.site(source, "pop from an empty list")), source)
            self.drop_last(name, source)
        else:
            return False
        if target is not None:
            self.store(target.id, kept, source)
        return True

    drop: Callable[[ast.expr], None]
    change: Callable[[str, str, ast.Call], bool]
    put_key: Callable[[str, Value, Value, ast.AST], None]

    def _do_delete(self, node: ast.Delete) -> None:
        for target in node.targets:
            self.drop(target)

    def put(self, target: ast.expr, value: Value, source: ast.AST) -> None:
        """Give a value to a target."""
        if isinstance(target, ast.Name):
            self.bind(target, value, source)
        elif isinstance(target, ast.Tuple | ast.List):
            self._unpack(target, value, source)
        elif isinstance(target, ast.Subscript) and not isinstance(target.slice, ast.Slice):
            self._set_item(target, value)
        else:
            self.refuse(target, "the rules must not change anything but local names: keep it in the state")

    def bind(self, target: ast.Name, value: Value, source: ast.AST) -> None:
        """Give a name a value."""
        if id(value.known) in self.made_here:
            names = self.names_of_known.setdefault(id(value.known), set())
            names.add(target.id)
            if len(names) > 1 and names & self.changed:
                self.refuse(source, "a set or dictionary that goes under two names cannot be compiled")
            if target.id in self.changed:
                value = self.as_holder(value, source)
        held = self.lists_of(value)
        for name in (*held, target.id) if held else ():
            self.shared.setdefault(name, source)
        self.aliases.setdefault(target.id, set()).update(held)
        read = self._read_by(source)
        if isinstance(value.expr, core.Listed):
            value = self._roomy(target.id, value)
        self.store(target.id, value, source, fresh=self._is_fresh(value) and target.id not in read)

    def _read_by(self, node: ast.AST) -> set[str]:
        """Names that an expression reads, also by functions made here that it may call."""
        return set(self.reached({each.id for each in nodes_of(node) if isinstance(each, ast.Name)}))

    def _roomy(self, name: str, value: Value) -> Value:
        """A list that is written out, with room for what is appended to it under its name."""
        listed = value.expr
        item = self.hints.get(name)
        if item is None:
            return value
        kind = core.Sequence(item, listed.type.is_list, listed.type.label)
        return Value(kind, core.Listed(listed.items, ROOM, kind))

    def _is_fresh(self, value: Value) -> bool:
        return isinstance(value.expr, core.Listed | core.Sorted | core.Call) or (
            isinstance(value.expr, core.Local) and value.expr.name in self.fresh_lists
        )

    def _unpack(self, target: ast.Tuple | ast.List, value: Value, source: ast.AST) -> None:
        parts = target.elts
        stars = [number for number, part in enumerate(parts) if isinstance(part, ast.Starred)]
        if value.is_known and self.unit.is_plain(value.known) and isinstance(value.known, tuple | list | range | bytes):
            items = [self.of(item) for item in value.known]
        else:
            value = self.as_now(self.material(value, source), source)
            if stars and not isinstance(value.type, core.Tuple):
                self._unpack_rest(target, value, stars, source)
                return
            items = self.items_of(value, target, len(parts))
        if stars:
            first, after = stars[0], len(parts) - stars[0] - 1
            if len(stars) > 1 or len(items) < len(parts) - 1:
                self.refuse(target, "the items do not fit the names")
            middle = items[first : len(items) - after]
            star = parts[first]
            assert isinstance(star, ast.Starred)
            rest = self.new_list(star, [self.material(item, star) for item in middle], ROOM)
            items = [*items[:first], rest, *items[len(items) - after :]]
            parts = [star.value if part is star else part for part in parts]
        if not all(isinstance(part, ast.Name) for part in parts):  # an item that is set may be one that is read
            items = [item if item.expr is None else self.as_now(item, source) for item in items]
        if len(items) != len(parts):
            self.refuse(target, f"{count_text(len(items), 'item')} for {count_text(len(parts), 'name')}")
        for part, item in zip(parts, items, strict=True):
            self.put(part, item, source)

    def _unpack_rest(self, target: ast.Tuple | ast.List, value: Value, stars: list[int], source: ast.AST) -> None:
        """`a, *b, c = items` for a sequence whose length is not known."""
        assert self.names is not None
        name, first, after = self.fresh(), stars[0], len(target.elts) - stars[0] - 1
        self.names[name] = value
        held = ast.copy_location(ast.Name(name, ast.Load()), target)
        few = core.Compare("<", core.Length(value.expr), core.Number(first + after))
        self.add(core.Fault(few, self.site(target, "the items do not fit the names"), self.line))
        places: list[ast.expr] = [ast.Constant(number) for number in (*range(first), *range(-after, 0))]
        end = ast.Constant(-after) if after else None
        rest: ast.expr = ast.Subscript(held, ast.Slice(ast.Constant(first), end), ast.Load())
        parts = [ast.copy_location(ast.Subscript(held, place, ast.Load()), target) for place in places]
        rest = ast.copy_location(ast.Call(constant(list), [ast.copy_location(rest, target)], []), target)
        parts.insert(first, rest)  # type: ignore[arg-type]
        names = [part.value if isinstance(part, ast.Starred) else part for part in target.elts]
        for part, item in zip(names, [self.as_now(self.value(each), source) for each in parts], strict=True):
            self.put(part, item, source)

    def items_of(self, value: Value, node: ast.AST, count: int) -> list[Value]:
        """The items of a value that must be so many."""
        if isinstance(value.type, core.Known):
            return [self.item(node, value, self.of(number)) for number in range(self._length(value, node, count))]
        if isinstance(value.type, core.Tuple):
            return [self.field(value, number) for number in range(len(value.type.items))]
        is_held = isinstance(value.type, core.Sequence) and value.type.label
        if is_held or core.is_word(value.type) or value.type == core.NOTHING:
            self.refuse(node, f"{value.type.name} has no items by number")
        site = self.site(node, "the number of items is not that of the names")
        wrong = core.Compare("!=", core.Length(value.expr), core.Number(count))
        self.add(core.Fault(wrong, site, self.line))
        return [self.item_at(value, core.Number(number), site) for number in range(count)]

    def _length(self, value: Value, node: ast.AST, count: int) -> int:
        """`count`, which the number of items of each object must be."""
        assert isinstance(value.type, core.Known)
        objects = [self.unit.pool[number] for number in value.type.numbers]
        if not all(is_list(each) and len(each) == count for each in objects):
            self.refuse(node, "the items do not fit the names")
        return count

    def _set_item(self, target: ast.Subscript, value: Value) -> None:
        assert self.names is not None
        name = target.value.id if isinstance(target.value, ast.Name) else ""
        held = self.names.get(name)
        if (
            held is None
            or not isinstance(held.type, core.Sequence)
            or not (held.type.is_list or held.type.label == "dict")
        ):
            self.refuse(
                target, "the rules must not change anything but local names and what they made: keep it in the state"
            )
        if held.type.label == "dict":
            self._own_list(name, target)
            self.put_key(name, self.value(target.slice), value, target)
            return
        index = self.number(target.slice)
        value = self.material(value, target)
        item = self.joined(target, held.type.item, value.type) if held.type.item != core.NOTHING else value.type
        if name in self.parameters:
            self.changes.add(name)
        self.mutated.setdefault(name, target)
        kind = core.Sequence(item, True, count=held.type.count)
        site = self.site(target, "an index is out of range")
        self.add(core.SetItem(name, kind, index, value.expr, site, self.line))
        self.names[name] = Value(kind, core.Local(name, kind))

    def _do_augassign(self, node: ast.AugAssign) -> None:
        read: ast.expr
        if isinstance(node.target, ast.Name):
            read = ast.copy_location(ast.Name(node.target.id, ast.Load()), node)
        elif isinstance(node.target, ast.Subscript):
            read = ast.copy_location(ast.Subscript(node.target.value, node.target.slice, ast.Load()), node)
        else:
            self.refuse(node, "the rules must not change anything but local names: keep it in the state")
        left = self.value(read)
        kept = isinstance(left.type, core.TableType) and left.type.kinds[0] not in ("tuple", "range", "bytes")
        if kept or (left.is_known and isinstance(left.known, list | set | dict)):
            self.refuse(node, "the rules must not change anything but local names: keep it in the state")
        if isinstance(left.type, core.Sequence) and left.type.is_set and isinstance(node.target, ast.Name):
            self._own_list(node.target.id, node)
        if isinstance(left.type, core.Sequence) and left.type.is_list:
            if not isinstance(node.op, ast.Add) or not isinstance(node.target, ast.Name):
                self.refuse(node, "this operator on a list cannot be compiled")
            name = node.target.id
            self._own_list(name, node)
            if any(isinstance(part, ast.Name) and part.id == name for part in nodes_of(node.value)):
                self.refuse(node, "a list that changes in a loop over it cannot be compiled")
            self.go_through(node.value, lambda item: self.append(name, item, node), set(), node)
            return
        self.put(node.target, self.calculated(node, left, self.value(node.value)), node.value)

    # ---------------------------------------------------------------- ways

    def _do_return(self, node: ast.Return) -> None:
        if self.yields:
            if self.is_moves and node.value is not None:
                if not (isinstance(node.value, ast.Tuple | ast.List) and not node.value.elts):
                    self._yield_from(node.value, node)
            elif self.is_moves:
                self.refuse(node, "moves gives nothing here: return a list, or yield")
            elif self.throws_away and node.value is not None and self.peek(node.value) is not None:
                self.refuse(node, "moves yields, so Python throws away what it returns")
            elif node.value is not None and not isinstance(node.value, ast.Constant):
                found = self.value(node.value)
                if found.expr is not None:
                    self.add(core.Do(found.expr, node.lineno))
            self.add(core.Return(None, node.lineno))
        else:
            self._return_value(node)
        self.names = None

    def _return_value(self, node: ast.Return) -> None:
        if self.gives_sight and node.value is not None:
            self.loosen([node.value])
        value = Value(core.NOTHING) if node.value is None else self.value(node.value)
        if node.value is None or (value.is_known and value.known is None):
            kind: core.Type = core.NOTHING
            self.add(core.Return(None, node.lineno))
        else:
            value = self.material(value, node.value)
            value = self.as_share(value, node.value) if self.gives_shares else value
            value = self.as_seen(value) if self.gives_sight else value
            if "return" in self.hints:
                value = self.fitted(value, wider_type(self.hints["return"], value.type), node.value)
            kind = value.type
            if self.lists_of(value) & self.parameters:
                self.refuse(node, "a list that was handed over is given back: return a copy, list(...)")
            self.add(core.Return(value.expr, node.lineno))
        before = kind if self.result is None else self.result
        if before != kind and (wider := wider_type(before, kind)) == wider_type(kind, before):
            kind = before = self.hints["return"] = wider  # the next try gives fractions on every way
        self.result = self.joined(node, before, kind)

    def _do_if(self, node: ast.If) -> None:
        test = self.truth(node.test)
        if test.is_known:
            self.block(node.body if test.known else node.orelse)
            return
        names = self.names
        assert names is not None
        then, after = self.branch(names, lambda: self.block(node.body))
        otherwise, other = self.branch(names, lambda: self.block(node.orelse))
        self.names = self.met([after, other])
        self.add(core.If(test.expr, then, otherwise, node.lineno))

    def _do_while(self, node: ast.While) -> None:
        stored = stored_names(node)
        tests: list[Value] = []

        def turn() -> None:
            test = self.truth(node.test)
            tests.append(test)
            if not (test.is_known and test.known):
                before = self.names
                assert before is not None
                stop = core.Number(True) if test.is_known else core.Not(test.expr)
                way, _ = self.branch(before, lambda: self._stop(node))
                self.add(core.If(stop, way, (), node.lineno))
                self.names = before
            self.block(node.body)

        self.loop(lambda body, _: core.While(body, node.lineno), turn, None, stored, never_ends=True)

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

        self.go_through(node.iter, turn, stored_names(node), node)

    def _do_match(self, node: ast.Match) -> None:
        """`match` on numbers is a chain of `if`."""
        subject = self.value(node.subject)
        if subject.expr is not None:
            subject = self.as_now(subject, node.subject)
        self._cases(node.cases, subject)

    def _cases(self, cases: list[ast.match_case], subject: Value) -> None:
        if not cases:
            return
        case = cases[0]
        test = self._pattern(case.pattern, subject)
        names = self.names
        assert names is not None
        if case.guard is not None and not (test.is_known and not test.known):
            test = self._guarded(test, case.guard, case.pattern)
            names = self.names
            assert names is not None
        if not test.is_known:
            then, after = self.branch(names, lambda: self.block(case.body))
            otherwise, other = self.branch(names, lambda: self._cases(cases[1:], subject))
            self.names = self.met([after, other])
            self.add(core.If(test.expr, then, otherwise, self.line))
        elif test.known:
            self.block(case.body)
        else:
            self._cases(cases[1:], subject)

    def _guarded(self, test: Value, guard: ast.expr, node: ast.AST) -> Value:
        """Whether a pattern fits and its `if` holds, which is asked only then."""
        before = self.names
        assert before is not None
        found: list[Value] = []
        statements, names = self.branch(before, lambda: found.append(self.truth(guard)))
        name = self.fresh()
        self.add(core.Assign(name, core.Number(False), self.line))
        own = self.material(found[0], guard).expr
        both = core.Compare("!=", own, core.Number(0)) if found[0].type != core.BOOL else own
        self.add(
            core.If(self.as_truth(test, node).expr, (*statements, core.Assign(name, both, self.line)), (), self.line)
        )
        self.names = self.met([before, names])
        return Value(core.BOOL, core.Local(name, core.BOOL))

    def _pattern(self, pattern: ast.pattern, subject: Value) -> Value:
        if isinstance(pattern, ast.MatchValue):
            value = self.value(pattern.value)
            known = self.now(lambda a, b: a == b, subject, value)
            if known is not True and known is not False:
                one, other = self.material(subject, pattern), self.material(value, pattern)
                return self.comparison(pattern, "==", one, other)
            return self.of(known)
        if isinstance(pattern, ast.MatchOr):
            found = [self._pattern(part, subject) for part in pattern.patterns]
            if any(test.is_known and test.known for test in found):
                return self.of(True)
            parts = tuple(test.expr for test in found if not test.is_known)
            if not parts:
                return self.of(False)
            return Value(core.BOOL, parts[0] if len(parts) == 1 else core.Either("or", parts, core.BOOL))
        if isinstance(pattern, ast.MatchAs) and pattern.pattern is None and pattern.name is None:
            return self.of(True)
        raise self.refusal(pattern, "only numbers, | and _ can be compiled as patterns: write if and elif")
