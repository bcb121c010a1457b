"""The page about Python that is compiled: every example is taken, or refused with the words it says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

pytest.importorskip("llvmlite.binding")

from endsight.compiler.interpreter import Interpreter
from endsight.compiler.refusal import CannotCompile
from endsight.compiler.translator import translate
from test_compiled_meaning import rules_of

PAGE = (Path(__file__).parents[1] / "docs" / "reference" / "compiled-python.md").read_text(encoding="utf-8")
FRAME = """
import collections, functools, itertools, math, operator
from fractions import Fraction
COUNT = 0
class Rules(Steps):
    table = ((1, 2), (3, 4))
    def helper(self, x, by=1): return x * by
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
        return 0
"""


def rows(title: str) -> list[list[str]]:
    """The examples of a section, and what is said of them."""
    section = PAGE.split(f"## {title}\n", 1)[1].split("\n## ", 1)[0]
    lines = [line for line in section.splitlines() if line.startswith("| `")]
    return [[part.strip() for part in line.strip("|").split(" | ")] for line in lines]


def code(cell: str) -> str:
    """The lines of an example."""
    parts = re.findall(r"`([^`]+)`", cell)
    return "\n".join(f"        {part}" for part in parts)


def taken(example: str, number: int, folder: Path) -> None:
    game = rules_of(f"page-{number}", FRAME.format(lines=code(example)), folder)()
    interpreter = Interpreter(translate(game).program)
    state = game.State(7, 1)
    assert interpreter.call("rule_payoff", tuple(state)) == game.payoff(state)


def test_what_is_taken(tmp_path: Path) -> None:
    examples = rows("Taken")
    assert len(examples) > 30
    for number, (example, *_) in enumerate(examples):
        taken(example, number, tmp_path)


def test_what_is_not_taken_and_what_instead(tmp_path: Path) -> None:
    for number, (example, said, instead) in enumerate(rows("Not taken")):
        game = rules_of(f"refused-{number}", FRAME.format(lines=code(example)), tmp_path)()
        with pytest.raises(CannotCompile) as caught:
            translate(game)
        assert caught.value.reason == said, example
        assert caught.value.line is not None
        taken(instead, 1000 + number, tmp_path)
