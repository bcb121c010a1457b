"""A program of the core: functions by name, and the constants that they share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from endsight.compiler.core import Stmt, Type


@dataclass(eq=False)
class Function:
    """A function; `result` is the type that it returns or yields; `changes` are lists whose items it changes.

    Where it returns a list of lists, `rows` is how many these are, and the result has the items of all.
    """

    name: str
    parameters: tuple[tuple[str, Type], ...]
    body: tuple[Stmt, ...]
    result: Type
    file: str
    line: int
    yields: bool = False
    changes: frozenset[str] = frozenset()
    rows: int = 0


class Program:
    """Functions by name, the constant sequences by number, from 1, and how many parts of fractions make the whole."""

    def __init__(self) -> None:
        self.functions: dict[str, Function] = {}
        self.tables: list[Any] = []
        self.denominator = 1
