"""The page about Python that is compiled: every example gives what Python gives, or is refused as it says."""

from __future__ import annotations

import ast
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("llvmlite.binding")

from both_engines import refusal
from interpreted import interpreted
from test_compiled_meaning import rules_of

PAGE = (Path(__file__).parents[1] / "docs" / "reference" / "compiled-python.md").read_text(encoding="utf-8")
FRAME = """
import collections, functools, itertools, math, operator
from fractions import Fraction
COUNT = 0
class Rules(Steps):
    table = ((1, 2), (3, 4))
    def helper(self, x, by=1): return x * by
    def odd(self, items): return (x for x in items if x % 2)
    def again(self, x): return self.again(x - 1) if x else 0
    def walk(self, x):
        yield x
        if x: yield from self.walk(x - 1)
    def payoff(self, state):
        n, m = state.steps, state.last
        a, b = n, m
        xs = [n, m, 3]
        t = (n, m)
{lines}
        return {result}
"""
STATES = ((7, 1), (0, 0), (3, 2), (1, 5), (12, 3))
OURS = {"n", "m", "a", "b", "xs", "t"}


def rows(title: str) -> list[list[str]]:
    """The examples of a section, and what is said of them."""
    section = PAGE.split(f"## {title}\n", 1)[1].split("\n## ", 1)[0]
    lines = [line for line in section.splitlines() if line.startswith("| `")]
    return [[part.strip() for part in line.strip("|").split(" | ")] for line in lines]


def code(cell: str) -> str:
    """The lines of an example."""
    parts = re.findall(r"`([^`]+)`", cell)
    return "\n".join(f"        {part}" for part in parts)


def in_numbers(name: str, value: Any) -> list[str]:
    """Expressions for numbers that tell what a name stands for, which is a value like this one."""
    if isinstance(value, dict):
        name, value = f"sorted({name}.items())", sorted(value.items())
    if isinstance(value, set):
        name, value = f"sorted({name})", sorted(value)
    if isinstance(value, tuple):
        return [own for at, each in enumerate(value) for own in in_numbers(f"{name}[{at}]", each)]
    if isinstance(value, list):
        parts = in_numbers("x", value[0]) if value else []
        return [f"len({name})", *(f"sum([(k + 2) * {part} for k, x in enumerate({name})])" for part in parts)]
    if isinstance(value, int | Fraction):
        return [name if isinstance(value, Fraction) else f"int({name})"]
    return []


def statements(lines: str) -> list[ast.stmt]:
    return ast.parse(re.sub("^ {8}", "", lines, flags=re.MULTILINE)).body


def taken(example: str, number: int, folder: Path) -> None:
    """An example gives every name the value that Python gives it."""
    lines = code(example)
    *_, last = statements(lines)
    if isinstance(last, ast.Expr) and not isinstance(last.value, ast.Call):
        lines = lines.replace(ast.unparse(last), f"y = {ast.unparse(last)}")
    given = [each for each in statements(lines) if isinstance(each, ast.Assign | ast.AugAssign)]
    names = {each.id for part in given for each in ast.walk(part) if isinstance(each, ast.Name)} | OURS
    game = rules_of(f"seen-{number}", FRAME.format(lines=lines, result="locals()"), folder)()
    found = game.payoff(game.State(*STATES[0]))
    told = [each for name in sorted(names & set(found)) for each in in_numbers(name, found[name])]
    game = rules_of(f"page-{number}", FRAME.format(lines=lines, result=f"({', '.join(told)})"), folder)()
    core = interpreted(game)
    for state in map(game.State, *zip(*STATES, strict=True)):
        assert core.payoff(state) == game.payoff(state), example


def test_what_is_taken(tmp_path: Path) -> None:
    examples = rows("Taken")
    assert len(examples) > 30
    for number, (example, *_) in enumerate(examples):
        taken(example, number, tmp_path)


def test_what_is_not_taken_and_what_instead(tmp_path: Path) -> None:
    for number, (example, said, instead) in enumerate(rows("Not taken")):
        game = rules_of(f"refused-{number}", FRAME.format(lines=code(example), result=0), tmp_path)()
        told = refusal(game)
        assert told is not None
        assert (told.reason, told.line is None) == (said, False), example
        taken(instead, 1000 + number, tmp_path)
