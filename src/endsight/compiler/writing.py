"""The core as syntax for `lowering`, node by node."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Set
from typing import Any

from endsight.compiler import core
from endsight.compiler.program import Function
from endsight.compiler.syntax import CALCULATED, COMPARED, assign, call, constant, fits, name
from endsight.compiler.values import FEW_STEPS, holds_sequence, item_type, may_raise, nodes_in, steps

_EXTREME = {"least": "min", "largest": "max"}
_CHECKED = ("add", "subtract", "multiply", "divide", "rest", "shift_left", "shift_right", "power")
_UNCHECKED = {op: kind() for kind, (op, _) in CALCULATED.items() if op in ("and", "or", "xor")}
_COMPARED = {sign: kind() for kind, (sign, _) in COMPARED.items()}
_OUT = "es_out"
"""Where a function writes a sequence that it returns, with its number."""
_FEW_ITEMS = 16
"""Up to this many are handled one by one where one of them is changed."""


def written(function: Function, boards: Set[int]) -> ast.FunctionDef:
    """A function as syntax, with the lines of the rules; `boards` are the lengths of boards that fit in a word."""
    return _RulesWriter(function, boards).definition()


class _RulesWriter:
    def __init__(self, function: Function, boards: Set[int]) -> None:
        self.function = function
        self.tuples = _kept_as_tuples(function, boards)
        """Lists that tuples stand for."""
        self.outs = [] if function.yields else [f"{_OUT}{at}" for at, _ in enumerate(_sequences(function.result))]

    def definition(self) -> ast.FunctionDef:
        parameters = [key for key, _ in self.function.parameters] + self.outs
        arguments = ast.arguments([], [ast.arg(key) for key in parameters], None, [], [], None, [])
        body = self._block(self.function.body, self.function.line)
        nodes = nodes_in(self.function.body) if self.function.yields else ()
        if self.function.yields and not any(isinstance(node, core.Yield) for node in nodes):
            # No `yield` is left, as a parameter or a constant rules it out; it is a generator all the same.
            body += [ast.Return(None), ast.Expr(ast.Yield(ast.Constant(0)))]
        is_deep = any(key == "es_depth" for key, _ in self.function.parameters)
        # It calls itself, so its result must be known before it is written: some value of that type stands above it.
        result = self.function.result
        gives = [constant(None) if result == core.NOTHING else self._of(core.none_of(result))] if is_deep else []
        definition = ast.FunctionDef(self.function.name, arguments, body, gives, None)
        definition.lineno, definition.col_offset = self.function.line, 0
        ast.fix_missing_locations(definition)
        return definition

    # ---------------------------------------------------------------- statements

    def _block(self, statements: Iterable[core.Stmt], around: int) -> list[ast.stmt]:
        result: list[ast.stmt] = []
        for statement in statements:
            line = statement.line or around
            for new in self._statement(statement, line):
                new.lineno, new.col_offset = line, 0
                result.append(new)
        return result or [ast.Pass(lineno=self.function.line, col_offset=0)]

    def _statement(self, node: core.Stmt, line: int) -> list[ast.stmt]:
        match node:
            case core.Assign():
                return [assign(node.name, self._assigned(node))]
            case core.SetItem():
                what = [name(node.name), self._of(node.index), self._of(node.value), constant(node.site)]
                if node.name in self.tuples:
                    return [assign(node.name, call("es_replaced", *what))]
                return [ast.Expr(call("es_set_item", *what))]
            case core.Append():
                return [
                    assign(node.name, call("es_append", name(node.name), self._of(node.value), constant(node.site)))
                ]
            case core.Pop():
                return [assign(node.name, call("es_shortened", name(node.name), constant(node.site)))]
            case core.Fault():
                return [ast.Expr(call("es_fault_at", call("es_whole", self._of(node.test)), constant(node.site)))]
            case core.Do():
                return [ast.Expr(self._of(node.value))]
            case core.If():
                orelse = self._block(node.orelse, line) if node.orelse else []
                return [ast.If(self._of(node.test), self._block(node.body, line), orelse)]
            case core.While():
                # The `else` of an endless loop is where a fault leads.
                return [ast.While(constant(True), self._block(node.body, line), self._block([core.Stop()], line))]
            case core.Count() | core.Each():
                target = ast.Name(node.name, ast.Store())
                over = self._range(node) if isinstance(node, core.Count) else self._of(node.call)
                orelse = self._block(node.orelse, line) if node.orelse else []
                return [ast.For(target, over, self._block(node.body, line), orelse)]
            case core.Return():
                return [ast.Return(None if node.value is None else self._returned(node.value))]
            case core.Stop():
                nothing = self.function.yields or self.function.result == core.NOTHING
                return [ast.Return(None if nothing else self._returned(core.none_of(self.function.result)))]
            case core.Yield():
                return [ast.Expr(ast.Yield(self._of(node.value)))]
            case core.Break():
                return [ast.Break()]
        return [ast.Continue()]

    def _assigned(self, node: core.Assign) -> ast.expr:
        if isinstance(node.value, core.Listed) and node.name in self.tuples:
            return ast.Tuple([self._of(item) for item in node.value.items], ast.Load())
        value = self._of(node.value)
        if not node.copies:
            return value
        room = call("es_room", constant(core.ROOM), self._words(item_type(node.value.type)))
        return call("es_copied", room, value, constant(node.site))

    def _words(self, item: core.Type) -> ast.expr:
        """The words of an item of a list."""
        is_tuple = item.is_tuple and item.items
        return call("es_width_of", self._of(core.none_of(item))) if is_tuple else constant(1)

    def _returned(self, value: core.Expr) -> ast.expr:
        return self._copied_out(value, iter(self.outs)) if self.outs else self._of(value)

    def _copied_out(self, value: core.Expr, outs: Iterator[str]) -> ast.expr:
        """A result, whose sequences are copied to where the caller wants them."""
        kind = value.type
        if kind.is_sequence:
            return call("es_copied", name(next(outs)), self._of(value), constant(0))
        if not holds_sequence(kind):
            return self._of(value)
        parts: Iterable[Any] = (core.Field(value, at, each) for at, each in enumerate(kind.items))
        parts = value.items if isinstance(value, core.Row) else parts
        return ast.Tuple([self._copied_out(each, outs) for each in parts], ast.Load())

    def _range(self, node: core.Count) -> ast.expr:
        step = self._of(node.step)
        if not isinstance(node.step, core.Number):
            step = call("es_step", step, constant(node.site))
        return call("range", self._of(node.start), self._of(node.stop), step)

    # ---------------------------------------------------------------- expressions

    def _of(self, node: core.Expr) -> ast.expr:
        match node:
            case core.Number():
                assert fits(node.value)
                return constant(node.value)
            case core.Parts():
                return self._of(node.value)
            case core.Table():
                return call(f"Data{node.type.depth}", call("es_root", constant(node.number)))
            case core.Local():
                return name(node.name)
            case core.Binary():
                return self._binary(node)
            case core.Unary():
                return self._unary(node)
            case core.Faulted():
                return ast.Compare(call("es_fault"), [ast.NotEq()], [constant(0)])
            case core.Not():
                return ast.UnaryOp(ast.Not(), self._of(node.value))
            case core.Compare():
                return self._compare(node)
            case core.Either():
                return self._either(node)
            case core.Choice() if all(map(_is_short, (node.test, node.yes, node.no))) and core.is_number(node.type):
                return call("es_chosen", self._of(node.test), self._of(node.yes), self._of(node.no))
            case core.Choice():
                return ast.IfExp(self._of(node.test), self._of(node.yes), self._of(node.no))
            case core.Row():
                return self._row(node)
            case core.Field():
                return self._field(node)
            case core.Item():
                return self._item(node)
            case core.Length():
                return call("es_length", self._of(node.value))
            case core.Listed():
                return self._listed(node)
            case core.Members():
                return call("es_members", call("es_room", constant(core.ROOM), constant(1)), self._of(node.bits))
            case core.Call():
                return self._call(node)

    def _either(self, node: core.Either) -> ast.expr:
        parts = [self._of(part) for part in node.parts]
        is_truth = node.type == core.BOOL or (node.op == "and" and node.parts[-1].type == core.BOOL)
        if is_truth and steps(node) <= FEW_STEPS:
            # Evaluated whole: a jump that the processor cannot predict takes longer.
            return call("es_all" if node.op == "and" else "es_any", *parts)
        if core.is_number(node.type) and _is_short(node, FEW_STEPS):
            result = parts.pop()
            for part in reversed(parts):
                result = call("es_chosen", part, *((result, part) if node.op == "and" else (part, result)))
            return result
        return ast.BoolOp(ast.And() if node.op == "and" else ast.Or(), parts)

    def _binary(self, node: core.Binary) -> ast.expr:
        left, right = self._of(node.left), self._of(node.right)
        if node.op in _UNCHECKED:
            return ast.BinOp(left, _UNCHECKED[node.op], right)
        if node.op not in _CHECKED:
            return call(_EXTREME[node.op], left, right)
        return call(f"es_{node.op}", left, right, constant(node.site))

    def _unary(self, node: core.Unary) -> ast.expr:
        value = self._of(node.value)
        match node.op:
            case "negate":
                return call("es_subtract", constant(0), value, constant(node.site))
            case "absolute":
                return call("es_absolute", value, constant(node.site))
            case "invert":
                return ast.UnaryOp(ast.Invert(), call("es_whole", value))
        return call(f"es_{node.op}", value)

    def _compare(self, node: core.Compare) -> ast.expr:
        left, right = self._of(node.left), self._of(node.right)
        kinds = node.left.type, node.right.type
        if not any(kind.is_long for kind in kinds):
            return ast.Compare(left, [_COMPARED[node.op]], [right])
        same = call("es_same", left, right)
        return same if node.op == "==" else ast.UnaryOp(ast.Not(), same)

    def _row(self, node: core.Row) -> ast.expr:
        items = [self._of(item) for item in node.items]
        if node.type.label == "State":
            return call("State", *items)
        return ast.Tuple(items, ast.Load())

    def _field(self, node: core.Field) -> ast.expr:
        kind = node.value.type
        if kind.label == "State":
            return ast.Attribute(self._of(node.value), kind.names[node.number], ast.Load())
        return call("es_item", self._of(node.value), constant(node.number), constant(0))

    def _item(self, node: core.Item) -> ast.expr:
        kind = node.value.type
        what = [self._of(node.value), self._of(node.index)]
        is_tuple = isinstance(node.value, core.Local) and node.value.name in self.tuples
        if kind.is_sequence and (kind.item.is_tuple or kind.item.is_table) and not is_tuple:
            return call("es_row", *what, self._of(core.none_of(kind.item)), constant(node.site))
        return call("es_item", *what, constant(node.site))

    def _listed(self, node: core.Listed) -> ast.expr:
        result = call("es_room", constant(max(node.room, len(node.items))), self._words(node.type.item))
        if not node.items:
            return result
        filled = call("es_filled", result, ast.Tuple([self._of(item) for item in node.items], ast.Load()))
        return filled if node.count is None else call("es_put_length", filled, self._of(node.count))

    def _call(self, node: core.Call) -> ast.expr:
        arguments = [self._of(argument) for argument in node.arguments]
        for each in _sequences(node.type):
            arguments.append(call("es_room", constant(core.ROOM), self._words(each.item)))
        return call(node.function, *arguments)


def _is_short(node: core.Expr, most: int = FEW_STEPS // 4) -> bool:
    """Whether a number is calculated in so few steps, and without an error, that this is sooner done than a jump."""
    return not may_raise(node) and steps(node) <= most


def _sequences(kind: core.Type) -> list[core.Type]:
    """The types of the sequences in a value."""
    return [kind] if kind.is_sequence else [each for item in kind.items for each in _sequences(item)]


def _kept_as_tuples(function: Function, boards: Set[int]) -> set[str]:
    """Lists that are only ever made of so many items, and read and set item by item."""
    body = function.body
    bound = [node for node in nodes_in(body) if isinstance(node, core.Assign | core.Append | core.Pop)]
    counts: dict[str, set[int | None]] = {name: {None} for name, _ in function.parameters}
    for node in bound:
        counts.setdefault(node.name, set()).add(_written_items(node.value) if isinstance(node, core.Assign) else None)
    short = {
        name
        for name, (count, *more) in counts.items()
        if count and not more and (count <= _FEW_ITEMS or count in boards)
    }
    return short - set(_found_by_number(body, _set_in_loops(body)))


def _written_items(made: core.Expr) -> int | None:
    """How many items a list is written as, if all of them are there."""
    return made.type.count if isinstance(made, core.Listed) and made.count is None else None


def _set_in_loops(body: tuple[core.Stmt, ...]) -> set[str]:
    """Lists whose items are set in a loop."""
    loops = tuple(node for node in nodes_in(body) if isinstance(node, core.While | core.Count | core.Each))
    return {node.name for node in nodes_in(loops) if isinstance(node, core.SetItem)}


def _found_by_number(node: Any, changing: set[str]) -> Iterator[str]:
    """Names in other places than those of a list whose items are set or read (by known numbers if it is `changing`)."""
    if isinstance(node, tuple):
        for part in node:
            yield from _found_by_number(part, changing)
    elif isinstance(node, core.Local):
        yield node.name
    elif isinstance(node, core.Item | core.Length) and isinstance(node.value, core.Local):
        if isinstance(node, core.Item) and not _is_inside(node):
            is_number = node.value.type.is_sequence and not node.value.type.item.is_tuple
            if isinstance(node.index, core.Number) or node.value.name in changing or not is_number:
                yield node.value.name
            yield from _found_by_number(node.index, changing)
    elif isinstance(node, core.Node):
        yield from _found_by_number(tuple(vars(node).values()), changing)


def _is_inside(node: core.Item) -> bool:
    """Whether an item of a list is read by a known number, and there is one."""
    count = node.value.type.count or 0
    return isinstance(node.index, core.Number) and -count <= node.index.value < count
