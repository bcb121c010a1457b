"""A program of the core: functions by name, and the constants that they share."""

from __future__ import annotations

from typing import Any

from endsight.compiler.core import Stmt, Type


class Function:
    """A function; `result` is the type that it returns or yields; `changes` are lists whose items it changes."""

    def __init__(
        self,
        name: str,
        parameters: tuple[tuple[str, Type], ...],
        body: tuple[Stmt, ...],
        result: Type,
        place: tuple[str, int],
        *,
        yields: bool,
        changes: frozenset[str],
    ) -> None:
        self.name = name
        self.parameters = parameters
        self.body = body
        self.result = result
        self.file, self.line = place
        self.yields = yields
        self.changes = changes


class Program:
    """Functions by name, the constant sequences by number, from 1, and how many parts of fractions make the whole."""

    def __init__(self) -> None:
        self.functions: dict[str, Function] = {}
        self.tables: list[Any] = []
        self.denominator = 1
