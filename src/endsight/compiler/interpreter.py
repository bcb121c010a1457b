"""The meaning of the core: a plain interpreter, node by node.

It is as slow as it is simple. Tests compare it with Python on the rules' own text, and with the machine code.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from itertools import repeat
from typing import Any, NamedTuple, TypeAlias

from endsight.compiler import core
from endsight.compiler.program import Program
from endsight.compiler.syntax import CALCULATED, CHANGED, COMPARED, fits

_BINARY: dict[str, Callable[[Any, Any], Any]] = {**dict(CALCULATED.values()), "least": min, "largest": max}
_UNARY: dict[str, Callable[[int], int]] = {
    **dict(CHANGED.values()),
    "absolute": abs,
    "bit_count": int.bit_count,
    "bit_length": int.bit_length,
}
COMPARE = dict(COMPARED.values())
"""The meaning of comparisons, by how they are written."""
_DISTANCE = 63
"""Longer shifts to the left are a fault, even of 0."""


class Faulty(Exception):
    """A fault, at the site with that number."""

    def __init__(self, site: int) -> None:
        super().__init__(site)
        self.site = site


_Block: TypeAlias = "tuple[core.Stmt, ...]"


class Left(NamedTuple):
    """How a block is left before its end, by `return`, `break` or `continue`; `value` is a function's result."""

    how: str
    value: Any = None


Steps: TypeAlias = "Generator[Any, None, Left | None]"
"""What statements yield; the result is how they are left, None if the next ones follow."""


class Interpreter:
    """Runs the functions of a program."""

    def __init__(self, program: Program) -> None:
        self.program = program

    def call(self, name: str, *arguments: Any) -> Any:
        """The result of a function, or an iterator over what it yields; raises `Faulty`."""
        function = self.program.functions[name]
        names = dict(zip((name for name, _ in function.parameters), arguments, strict=True))
        steps = self._run(function.body, names)
        return steps if function.yields else self._result(steps)

    def _result(self, steps: Steps) -> Any:
        found: list[Left | None] = []

        def whole() -> Iterator[Any]:
            found.append((yield from steps))

        for _ in whole():
            raise AssertionError("a function yields that does not say so")
        return None if found[0] is None else found[0].value

    # ---------------------------------------------------------------- statements

    def _run(self, body: _Block, names: dict[str, Any]) -> Steps:
        for statement in body:
            left = yield from self._do(statement, names)
            if left is not None:
                return left
        return None

    def _do(self, node: core.Stmt, names: dict[str, Any]) -> Steps:
        match node:
            case core.Assign():
                value = self._value(node.value, names)
                if node.copies and len(value) > core.ROOM:
                    raise Faulty(node.site)
                names[node.name] = list(value) if node.copies else value
            case core.SetItem():
                items = names[node.name]
                index, value = self._value(node.index, names), self._value(node.value, names)
                if not -len(items) <= index < len(items):
                    raise Faulty(node.site)
                items[index] = value
            case core.Append():
                names[node.name].append(self._value(node.value, names))
            case core.Pop():
                if not names[node.name]:
                    raise Faulty(node.site)
                names[node.name].pop()
            case core.Fault():
                if self._value(node.test, names):
                    raise Faulty(node.site)
            case core.Do():
                self._value(node.value, names)
            case core.If():
                return (yield from self._branch(node, self._value(node.test, names), names))
            case core.While():
                return (yield from self._loop(repeat(None), None, node.body, (), names))
            case core.Count():
                turns = self._numbers(node, names)
                return (yield from self._loop(turns, node.name, node.body, node.orelse, names))
            case core.Each():
                given = (self._value(argument, names) for argument in node.call.arguments)
                turns = self.call(node.call.function, *given)
                return (yield from self._loop(turns, node.name, node.body, node.orelse, names))
            case core.Yield():
                yield self._value(node.value, names)
            case core.Return():
                return Left("return", None if node.value is None else self._value(node.value, names))
            case core.Break():
                return Left("break")
            case core.Continue():
                return Left("continue")
        return None

    def _branch(self, node: core.If, test: Any, names: dict[str, Any]) -> Steps:
        return self._run(node.body if test else node.orelse, names)

    def _numbers(self, node: core.Count, names: dict[str, Any]) -> Iterator[int]:
        start, stop, step = (self._value(part, names) for part in (node.start, node.stop, node.step))
        if step == 0:
            raise Faulty(node.site)
        return iter(range(start, stop, step))

    def _loop(
        self, turns: Iterator[Any], name: str | None, body: _Block, orelse: _Block, names: dict[str, Any]
    ) -> Steps:
        for value in turns:
            if name is not None:
                names[name] = value
            left = yield from self._run(body, names)
            if left is not None and left.how != "continue":
                return left if left.how == "return" else None
        return (yield from self._run(orelse, names))

    # ---------------------------------------------------------------- expressions

    def _value(self, node: core.Expr, names: dict[str, Any]) -> Any:
        match node:  # the most frequent ones first
            case core.Local():
                return names[node.name]
            case core.Number():
                return node.value
            case core.Binary():
                return self._calculated(node, self._value(node.left, names), self._value(node.right, names))
            case core.Field():
                return self._value(node.value, names)[node.number]

        def value(part: core.Expr) -> Any:
            return self._value(part, names)

        match node:
            case core.Table():
                return self.program.tables[node.number - 1]
            case core.Unary():
                return self._changed(node, value(node.value))
            case core.Faulted():
                return False
            case core.Not():
                return self._denied(value(node.value))
            case core.Compare():
                return COMPARE[node.op](_items(value(node.left)), _items(value(node.right)))
            case core.Either():
                stops = node.op == "or"
                result = None
                for part in node.parts:
                    result = value(part)
                    if bool(result) == stops:
                        break
                return result
            case core.Choice():
                return self._chosen(value(node.test), node, names)
            case core.Parts():
                return value(node.value)
            case core.Row():
                return tuple(map(value, node.items))
            case core.Item():
                return self._item(value(node.value), value(node.index), node.site)
            case core.Length():
                return len(value(node.value))
            case core.Listed():
                return list(map(value, node.items))[: None if node.count is None else value(node.count)]
            case core.Members():
                return self._members(value(node.bits))
            case core.Call():
                return self.call(node.function, *map(value, node.arguments))
        raise AssertionError(f"{type(node).__name__} is no expression")

    def _denied(self, value: Any) -> Any:
        return not value

    def _chosen(self, test: Any, node: core.Choice, names: dict[str, Any]) -> Any:
        return self._value(node.yes if test else node.no, names)

    def _item(self, items: Any, index: Any, site: int) -> Any:
        if not -len(items) <= index < len(items):
            raise Faulty(site)
        return items[index]

    def _members(self, bits: Any) -> list[int]:
        return [number for number in range(bits.bit_length()) if bits >> number & 1]

    def _changed(self, node: core.Unary, value: Any) -> Any:
        return self._word(_UNARY[node.op](value), node.site)

    def _calculated(self, node: core.Binary, left: int, right: int) -> int:
        if node.op == "shift_left" and not 0 <= right < _DISTANCE:
            raise Faulty(node.site)
        if node.op == "power" and (right < 0 or (abs(left) > 1 and right > _DISTANCE)):
            raise Faulty(node.site)
        try:
            return self._word(_BINARY[node.op](left, right), node.site)
        except (ZeroDivisionError, ValueError):
            raise Faulty(node.site) from None

    def _word(self, number: int, site: int) -> int:
        if not fits(number):
            raise Faulty(site)
        return number


def _items(value: Any) -> Any:
    """A sequence as a tuple: the translation of the rules decides which ones are lists."""
    return tuple(value) if isinstance(value, list) else value
