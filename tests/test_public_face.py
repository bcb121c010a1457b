"""Tests ask endsight as users do; files that look inside are listed, and every place they look into has a reason."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import endsight as es

TESTS = Path(__file__).parent

PUBLIC = ("board", "charts", "errors", "games", "verifier")
"""Packages whose modules are as public as what `endsight` itself offers; tests may import kernels, too."""
PACKAGES = {path.name for path in Path(es.__file__).parent.iterdir()} - {*PUBLIC}
NAMED = {
    "game.CHANCE": "docs/how-to/is-it-good.md",
    "game.Game": "docs/how-to/is-it-good.md",
    "faces.cli.main": "the command `endsight`",
    "faces.cli.group.endsight": "the command `endsight`, as click runs it within this process",
    "layers.executors.Dask": "docs/how-to/outgrow-memory.md",
    "layers.solving.solve_layered": "docs/how-to/outgrow-memory.md",
    "interop.openspiel_states.DECIDING": "docs/how-to/coming-from-openspiel.md",
}
"""Single names of other modules that users meet, by where."""
LOOK_INSIDE = """
both_engines
censuses
doc_examples
hidden_walks
interpreted
kept_rules
kernel_runs
layer_runs
shown
stochastic
test_equilibrium
test_intervals
test_layer_arrays
test_plan
test_unfinished
thresholds
web_server
wrong_answers
"""
"""Files of tests that import anything else of the package, or name it by attributes or in texts.

This list only gets shorter; at most 20 may be in it."""
REASONS = {
    "algorithms": "algorithms that only differ in speed, or as one step of many, give users the same number",
    "answers": "which source answers, and what an unfinished answer holds, shows in nothing but speed",
    "base": "signals, memory and half-written files are made to fail at a moment that no user can choose",
    "compiler": "that rules mean the same compiled is compared step by step, also where a fault would cancel out",
    "engine": "loops of compiled rules are run step by step, and both engines are told to differ",
    "cost": "laws of growth and samples are checked on made-up measurements",
    "faces": "words and documents of cases that take no game to make, and services of the page without a server",
    "game": "numbers, texts and budgets as functions",
    "graph": "graphs of states are compared node by node, and the plan row by row",
    "identity": "what counts as the same rules is compared for every edit of them",
    "layers": "solving is interrupted, divided and resumed at every step",
    "naming": "files of the user's own rules",
    "proof": "certificates that no solver writes: false claims, and every kind of evidence",
    "reporting": "what a report counts is compared with the oracle",
    "storage": "files are damaged, locked and left unfinished at every step",
    "theorems": "a theorem is compared with the oracle where the solver would take another one",
}
"""Why tests may look into a folder of the package."""


LOADING = ("import_module", "setattr", "delattr", "setitem", "delitem")
"""Functions that take the path of a module, or of something in it, as a text."""
PROGRAM = re.compile(r"\b(?:from endsight\.([\w.]+) import (\w+(?:, \w+)*)|import endsight\.([\w.]+))")
"""What a program within a text imports."""


def _imported(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom) and node.module:
        yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _in_texts(node: ast.AST) -> Iterator[str]:
    """Paths that a text gives to `setattr` and the like, and what programs within texts import."""
    if isinstance(node, ast.Call) and getattr(node.func, "attr", getattr(node.func, "id", "")) in LOADING:
        first = node.args[0].values[0] if isinstance(node.args[0], ast.JoinedStr) else node.args[0]
        yield from (each.value for each in [first] if isinstance(each, ast.Constant) and isinstance(each.value, str))
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        for module, names, alone in PROGRAM.findall(node.value):
            yield from (f"endsight.{module or alone}.{name}" for name in names.split(", "))


def _by_attribute(nodes: list[ast.AST]) -> Iterator[str]:
    """`endsight.answers.solver`, whatever name the file gives to `endsight`."""
    imports = [alias for node in nodes if isinstance(node, ast.Import) for alias in node.names]
    names = {alias.asname or "endsight" for alias in imports if alias.name == "endsight"}
    for node in nodes:
        rest: list[str] = []
        inner = node
        while isinstance(inner, ast.Attribute):
            rest.insert(0, inner.attr)
            inner = inner.value
        if rest and isinstance(inner, ast.Name) and inner.id in names:
            yield ".".join(("endsight", *rest))


def _inside(path: Path) -> Iterator[str]:
    """What a file takes that is neither public, nor a kernel, nor named to users: without `endsight.`."""
    nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    names = [name for node in nodes for name in (*_imported(node), *_in_texts(node))]
    for name in (*names, *_by_attribute(nodes)):
        first, package, *rest = f"{name}..".split(".")
        inside = ".".join([package, *rest]).rstrip(".")
        if first == "endsight" and package in PACKAGES and inside not in NAMED and "kernels" not in name:
            yield inside


@cache
def _found() -> dict[str, set[str]]:
    """That, by file; `known` has only what older versions wrote, and how they were told to."""
    files = {path.relative_to(TESTS).as_posix(): path for path in TESTS.rglob("*.py")}
    return {name: {*_inside(path)} for name, path in files.items() if not name.startswith("known/")}


def test_other_files_ask_as_users_do() -> None:
    listed, found = {f"{name}.py" for name in LOOK_INSIDE.split()}, {path for path, names in _found().items() if names}
    assert not found - listed, "ask endsight, its command line, its documented packages or a kernel instead"
    assert not listed - found, "these no longer look inside: take them out of LOOK_INSIDE"


def test_what_is_looked_at_has_a_reason() -> None:
    assert {name.partition(".")[0] for names in _found().values() for name in names} == {*REASONS}
