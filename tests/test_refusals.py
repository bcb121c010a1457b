"""Every place of the compiler that refuses rules is met, at its line, and what is to be written instead compiles."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest

pytest.importorskip("llvmlite.binding")

import endsight as es
from both_engines import Refused, fraction_taken_for_a_number, name_of_another_scope, refusal
from interpreted import COMPILER, RAISERS
from refusals import BODIES, CLASSES, FRAME, HEAD, NATURAL, NATURAL_FRAME, Case
from test_compiled_meaning import HEAD as FIRST
from test_compiled_meaning import rules_of

OTHER_STAGES = {"driver", "native", "packing", "rules"}
"""Modules that run compiled rules, or ask whether a question can be put to them."""
GUARDS = {
    "a fraction meets a whole number here": "a second look at the program; see the test below",
    "which scope a name belongs to cannot be told here": "a second look at names; see the test below",
    (
        "a loop over such items is written out turn by turn, and is too long for that: loop over numbers, or move what "
        "it does into a function"
    ): "see test_compiled_copies",
    "the graph has more than 2^31 nodes": "so many do not fit into the memory of a test",
    "both engines were compared, and sees says something else": "see test_alike",
    "before does not yield its states one by one": "see test_deepening; translated for a search of a puzzle alone",
    "what lists hold cannot be told here": "types of lists get wider at most a few times",
    "functions call each other more than 30 deep: write some of them in one": "see the test of chains below",
    "the rules nest calls and expressions too deep: give parts names of their own": "see the test of chains below",
}
"""Places that no rules are known to reach: they are there in case that the rest is wrong."""
SAYS_AGAIN = {"flow.py", "specialising.py", "translator.py"}
"""Where a reason is handed on."""


def frame_of(case: Case) -> tuple[str, str]:
    """The texts of both classes of a case."""
    if case in CLASSES:
        return HEAD + case.lines, HEAD + case.instead
    frame = HEAD + (NATURAL_FRAME if case in NATURAL else FRAME)
    lines = case.lines if "# no" in case.lines or case.blamed else case.lines.replace("\n", "  # no\n", 1) + "  # no"
    return frame.replace("{lines}", indented(lines)), frame.replace("{lines}", indented(case.instead))


def indented(lines: str) -> str:
    return "\n".join(f"        {line}" for line in lines.split("\n"))


@pytest.fixture(scope="module")
def refused(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Case], Refused]:
    """What is said of the rules of a case, which are translated once."""

    @cache
    def told(case: Case) -> Refused:
        found = refusal(rules_of("refused", frame_of(case)[0], tmp_path_factory.mktemp("rules"))())
        assert found is not None
        return found

    return told


def places() -> Iterator[tuple[str, int, int, str]]:
    """All places that refuse rules: file, first and last line, and what they say as it is written."""
    for file in sorted(COMPILER.glob("*.py")):
        if file.stem in OTHER_STAGES:
            continue
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if (
                isinstance(node, ast.Call)
                and (getattr(node.func, "attr", "") or getattr(node.func, "id", "")) in RAISERS
            ):
                says = ast.unparse(node.args[-1 if isinstance(node.func, ast.Attribute) else 0])
                yield file.name, node.lineno, node.end_lineno or 0, says


@pytest.mark.parametrize("case", [*BODIES, *CLASSES, *NATURAL], ids=lambda case: case.said[:60])
def test_a_refusal_says_what_was_met_and_where_and_the_rewrite_compiles(
    case: Case, refused: Callable[[Case], Refused], tmp_path: Path
) -> None:
    text, instead = frame_of(case)
    told = refused(case)
    assert told.reason == case.said
    marked = [number for number, line in enumerate((FIRST + text).split("\n"), 1) if (case.blamed or "# no") in line]
    if marked:
        assert told.line == marked[0]
        assert Path(str(told.file)).name == "meaning_refused.py"
    if case.instead:
        assert refusal(rules_of("instead", instead, tmp_path)()) is None


def test_every_place_that_refuses_rules_is_met(refused: Callable[[Case], Refused]) -> None:
    met = [refused(case).told_at for case in [*BODIES, *CLASSES, *NATURAL]]
    for file, first, last, says in places():
        is_met = any(name == file and first <= line <= last for name, line in met)
        is_told = file in SAYS_AGAIN and says in ("reason", "reason.reason")
        assert is_met or is_told or says.strip("'") in GUARDS, (file, first, says)


def test_a_program_that_takes_a_fraction_for_a_number_is_refused() -> None:
    assert str(fraction_taken_for_a_number()) == "a fraction meets a whole number here (rules.py, line 9)"


def test_names_that_python_has_in_other_scopes_are_refused() -> None:
    assert str(name_of_another_scope()) == "which scope a name belongs to cannot be told here (rules.py, line 1)"


@pytest.mark.parametrize(
    ("deep", "nested", "said"),
    [
        (25, 1, None),
        (70, 1, "functions call each other more than 30 deep: write some of them in one"),
        (400, 1, "functions call each other more than 30 deep: write some of them in one"),
        (28, 80, "the rules nest calls and expressions too deep: give parts names of their own"),
    ],
)
def test_chains_of_functions_compile_or_are_refused(deep: int, nested: int, said: str | None, tmp_path: Path) -> None:
    called = lambda name: f"{'-(' * nested}{name}(n) + 1{')' * nested}"  # noqa: E731
    chain = "\n".join(f"def f{at}(n):\n    return {called(f'f{at + 1}')}" for at in range(deep))
    text = CHAIN.replace("CHAIN", f"{chain}\ndef f{deep}(n):\n    return n")
    rules = tmp_path / "chain.py"
    rules.write_text(text, encoding="utf-8")
    told = refusal(es.load(f"{rules}:Chain"))
    assert (None if told is None else told.reason) == said


CHAIN = """
from typing import NamedTuple
from endsight import Game

CHAIN

class Chain(Game):
    players = 1
    class State(NamedTuple):
        n: int
    def limits(self): return self.State(3)
    def start(self): return self.State(0)
    def moves(self, state): return (1,) if state.n < 3 else ()
    def play(self, state, move): return self.State(state.n + move)
    def payoff(self, state): return f0(state.n)
"""
