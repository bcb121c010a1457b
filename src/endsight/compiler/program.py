"""A program of the core: functions by name, and the constants that they share.

Fractions and whole numbers are both words: a program that confuses them is refused. The translation turns whole numbers
into fractions wherever the two meet; here is a second check of the whole program, so that a forgotten place causes a
refusal instead of a wrong number.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from endsight.compiler import core
from endsight.compiler.refusal import CannotCompile
from endsight.compiler.values import item_type, nodes_in


@dataclass(eq=False)
class Function:
    """A function; `result` is the type that it returns or yields; `changes` are lists whose items it changes.

    Where it returns a list of lists, `rows` is how many these are, and the result has the items of all; `keys` are what
    is known of the keys of a dictionary that it returns.
    """

    name: str
    parameters: tuple[tuple[str, core.Type], ...]
    body: tuple[core.Stmt, ...]
    result: core.Type
    file: str
    line: int
    yields: bool = False
    changes: frozenset[str] = frozenset()
    rows: int = 0
    keys: Any = None


class Program:
    """Functions by name, the constant sequences by number, from 1, and how many parts of fractions make the whole."""

    def __init__(self) -> None:
        self.functions: dict[str, Function] = {}
        self.tables: list[Any] = []
        self.denominator = 1


def require_like_fractions(program: Program) -> None:
    """Raise `CannotCompile` where a fraction is used as a whole number, or a whole number as a fraction."""
    for function in program.functions.values():
        _Look(program, function).check()


class _Look:
    """One function, with the types of its names."""

    def __init__(self, program: Program, function: Function) -> None:
        self.program = program
        self.function = function
        self.names: dict[str, Any] = {name: _shape(kind) for name, kind in function.parameters}
        self.line = function.line

    def check(self) -> None:
        """Raise `CannotCompile` at the first place where the two meet."""
        for node in nodes_in(self.function.body):
            self.line = getattr(node, "line", 0) or self.line
            self._at(node)

    def _same(self, one: Any, other: Any) -> None:
        if one is not None and other is not None and one != other and (_holds(one) or _holds(other)):
            raise CannotCompile("a fraction meets a whole number here", self.function.file, self.line)

    def _named(self, name: str, shape: Any) -> None:
        if name.startswith("es_"):  # what rules call so may be another thing later
            self._same(self.names.get(name), shape)
            self.names[name] = shape

    def _at(self, node: Any) -> None:
        match node:
            case core.Local():
                self._named(node.name, _shape(node.type))
            case core.Assign():
                self._named(node.name, _shape(node.value.type))
            case core.Each():
                self._named(node.name, _shape(node.call.type))
            case core.Append() | core.SetItem():
                self._named(node.name, _shape(node.type))
                self._same(_shape(node.type.item), _shape(node.value.type))
            case core.Compare():
                self._same(_shape(node.left.type), _shape(node.right.type))
            case core.Item():
                self._same(_shape(item_type(node.value.type)), _shape(node.type))
            case core.Choice():
                self._same(_shape(node.yes.type), _shape(node.type))
                self._same(_shape(node.no.type), _shape(node.type))
            case core.Either():
                for part in node.parts if node.type != core.BOOL else ():
                    self._same(_shape(part.type), _shape(node.type))
            case core.Listed():
                for part in node.items:
                    self._same(_shape(part.type), _shape(node.type.item))
            case core.Row():
                for part, kind in zip(node.items, getattr(node.type, "items", ()), strict=False):
                    self._same(_shape(part.type), _shape(kind))
            case core.Call():
                for part, (_, kind) in zip(
                    node.arguments, self.program.functions[node.function].parameters, strict=False
                ):
                    self._same(_shape(part.type), _shape(kind))
            case core.Return() | core.Yield() if node.value is not None:
                self._same(_shape(node.value.type), _shape(self.function.result))
            case core.Parts():
                self._same(_shape(node.value.type), False)
            case core.Unary():
                self._same(_shape(node.value.type), _shape(node.type))
            case core.Binary():
                self._calculated(node)

    def _calculated(self, node: core.Binary) -> None:
        kinds = [_shape(node.left.type), _shape(node.right.type)]
        if node.op == "multiply" and _shape(node.type):
            self._same(kinds.count(True) == 1, True)
        elif node.op in ("divide", "rest"):
            self._same(kinds[1], False)
            self._same(_shape(node.type), False)
        else:
            for kind in kinds:
                self._same(kind, _shape(node.type))


def _holds(shape: Any) -> bool:
    """Whether there is a fraction in a shape."""
    return any(map(_holds, shape)) if isinstance(shape, tuple) else shape is True


def _shape(kind: Any) -> Any:
    """Where there are fractions in a type: True for one, False for a number, None for what is neither."""
    if kind.is_tuple:
        return tuple(map(_shape, kind.items))
    if kind.is_long:
        inside = _shape(kind.item)
        return None if inside is None else ("of", inside)
    if kind == core.FRACTION:
        return True
    return None if kind in (core.NOTHING, core.OBJECT) else False
