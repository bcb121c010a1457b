"""The house: imports go one way, the face is listed, and light commands stay light."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterable
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import endsight
from endsight.faces.cli.group import endsight as command

SOURCE = Path(endsight.__file__).parent

# Each room may import from those above it, never from those below.
ORDER = [
    # Folders: what is in them has places of its own.
    "base",
    "graph",
    "answers",
    "faces",
    # Modules and whole folders.
    "base.collector",
    "base.deferred",
    "base.printable",
    "base.faults",
    "base.extras",
    "errors",
    "base.machine",
    "base.waiting",
    "base.alarm",
    "game.kinds",
    "game.exact",
    "base.standard_streams",
    "base.plain_files",
    "base.atomic",
    "base.outputs",
    "game.protocol",
    "game.infinite",
    "game.numbers",
    "errors.rules_guard",
    "errors.complaints",
    "game.results",
    "game.rule_texts",
    "game.field_texts",
    "game.value_text",
    "game.state_text",
    "game.titles",
    "game.markup",
    "game.players",
    "game.derived",
    "game.codec",
    "game.unseen",
    "board",
    "answers.records",
    "game.position",
    "game",
    "errors.legal_moves",
    "game.arguments",
    "identity",
    "game.equality",
    "game.contract",
    "game.limits",
    "game.question",
    "compiler.refusal",
    "compiler.syntax",
    "compiler.sources",
    "compiler.payoffs",
    "answers.distribution",
    "graph.equivalence",
    "graph.kernel_numbers",
    "graph.graph_kernels",
    "graph.class_kernels",
    "graph.components",
    "graph.ways",
    "graph.graph",
    "graph.game_tree",
    "graph.table",
    "games",
    "naming.input_files",
    "naming.rules_files",
    "naming.class_names",
    "verifier.words",
    "proof.claim_text",
    "proof.refusals",
    "verifier",
    "identity.watch",
    "naming",
    "interop",
    "naming.specification",
    "naming.arguments",
    "graph.plan",
    "graph.objective",
    "graph.hidden_states",
    "graph.belief_texts",
    "graph.played_out",
    "graph.beliefs",
    "graph.common_view",
    "graph.discounting",
    "answers.source",
    "answers.searched",
    "graph.paying_loops",
    "algorithms.linear_systems",
    "algorithms.matrix_game",
    "algorithms.edge_arrays",
    "algorithms.float_policy_iteration",
    "graph.heights",
    "graph.judgement",
    "graph.giving_up",
    "graph.explorer",
    "cost.sampling",
    "compiler",
    "engine",
    "theorems",
    "engine.choice",
    "answers.auditing",
    "answers.unfinished",
    "graph.unfolding",
    "graph.soundness",
    "algorithms",
    "answers.enclosed",
    "layers.rounds",
    "graph.graph_table",
    "answers.searching",
    "graph.reachable",
    "answers.graph_values",
    "answers.options",
    "answers.seen",
    "answers.plans",
    "answers.replies",
    "answers.chosen_play",
    "answers.policies",
    "answers.later",
    "answers.solution",
    "faces.wording",
    "faces.advice",
    "answers.paths",
    "answers.solver",
    "answers.policy_pricing",
    "answers.shortening",
    "answers.seated",
    "answers.exploiting",
    "answers.simulation",
    "cost",
    "answers.explanation",
    "reporting",
    "answers.reviewing",
    "charts",
    "faces.documents",
    "faces.answer_rows",
    "storage",
    "proof",
    "proof.prover",
    "layers",
    "rules_check",
    "faces.blaming",
    "faces.catalog",
    "faces.gallery",
    "faces.seen_moves",
    "faces.solved_page",
    "faces.interop",
    "faces.board_chart",
    "faces.verbs",
    "faces.web",
    "faces.cli",
    "__main__",
]
GAMES_MAY_IMPORT = {"base.faults", "board", "errors", "game", "games"}
TYPES = "TYPE_CHECKING"
VERIFIER_MAY_IMPORT = {
    "base.faults", "base.printable", "game", "game.exact", "game.results", "games", "verifier", "verifier.words",
}  # fmt: skip
VERIFIER_MAY_DEFER = {"errors", "proof.claim_text", "proof.refusals", *VERIFIER_MAY_IMPORT}
"""Errors, and the texts of certificates and refusals: no verdict depends on them."""


def room(module: str) -> str:
    """The longest name in ORDER that a module of the package begins with; "" for the package itself."""
    parts = module.split(".")[1:]
    names = (".".join(parts[:length]) for length in (2, 1) if len(parts) >= length)
    return next((name for name in names if name in ORDER), parts[0] if parts else "")


def imports(path: Path) -> set[str]:
    """Rooms of the package that a file imports when it runs, at the top, inside a function or later."""
    return _rooms(_running(path)) | imported_by_name(path)


def imported_by_name(path: Path) -> set[str]:
    """Rooms that a file imports where it needs them, by name: what a verdict rests on has to be short."""
    return {room(f"endsight.{name}") for name in _named_imports(path)}


def _named_imports(path: Path) -> set[str]:
    calls = [node for node in _running(path) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)]
    calls = [call for call in calls if call.func.id in ("late", "import_module")]
    named = [re.match(r"(late\('|import_module\('endsight\.)([a-z_.]+)'", ast.unparse(call)) for call in calls]
    return {call[2] for call in named if call is not None}


def deferred_imports(path: Path) -> list[ast.ImportFrom]:
    """The imports of a file that wait until they are needed."""
    blocks = [node for node in _running(path) if isinstance(node, ast.With)]
    blocks = [block for block in blocks if ast.unparse(block.items[0].context_expr) == "deferred(__name__)"]
    return [node for block in blocks for node in block.body if isinstance(node, ast.ImportFrom)]


@cache
def _tree(path: Path) -> ast.Module:
    """The syntax of a file, without imports of names for annotations alone."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for block in [node for node in ast.walk(tree) if isinstance(node, ast.If) and ast.unparse(node.test) == TYPES]:
        block.body = []
    return tree


@cache
def _running(path: Path) -> list[ast.AST]:
    """All nodes of that."""
    return list(ast.walk(_tree(path)))


def _rooms(nodes: Iterable[ast.AST]) -> set[str]:
    names = []
    for node in nodes:
        if isinstance(node, ast.ImportFrom):
            names += [f"{node.module}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
    return {room(name) for name in names if name.startswith("endsight.")}


FILES = sorted(path for path in SOURCE.rglob("*.py") if path != SOURCE / "__init__.py")


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_imports_go_one_way(path: Path) -> None:
    parts = path.relative_to(SOURCE).with_suffix("").parts
    here = room(".".join(["endsight", *(part for part in parts if part != "__init__")]))
    assert here in ORDER, f"{here} has no place in the order of the house yet"
    rooms = imports(path)
    assert {other for other in rooms & set(ORDER) if ORDER.index(other) > ORDER.index(here)} == set()
    later = _rooms(deferred_imports(path)) | imported_by_name(path)
    if here == "games":
        assert rooms <= GAMES_MAY_IMPORT
    if here == "verifier":
        assert rooms - later <= VERIFIER_MAY_IMPORT
        assert later <= VERIFIER_MAY_DEFER


def test_no_module_needs_itself() -> None:
    """Not even through imports that wait, and those by name."""
    needs = {_module(path): _modules_needed(path) for path in FILES}
    assert sum(map(len, needs.values())) > 3_000
    TopologicalSorter(needs).prepare()


def _module(path: Path) -> str:
    parts = path.relative_to(SOURCE).with_suffix("").parts
    return ".".join(["endsight", *(part for part in parts if part != "__init__")])


def _modules_needed(path: Path) -> set[str]:
    named = {f"endsight.{name}" for name in _named_imports(path)}
    for node in _running(path):
        if isinstance(node, ast.ImportFrom) and node.module:
            named |= {f"{node.module}.{alias.name}" for alias in node.names} | {node.module}
    modules = named & set(map(_module, FILES))
    # `from package import module` needs the module, and the package only if it gives something else, too.
    return modules - {_module(path)}


def test_the_face_is_exactly_what_is_listed() -> None:
    assert sorted(endsight.__all__) == list(endsight.__all__)
    for name in endsight.__all__:
        assert getattr(endsight, name) is not None
    stub = ast.parse((SOURCE / "__init__.pyi").read_text(encoding="utf-8"))
    named = {alias.name for node in stub.body if isinstance(node, ast.ImportFrom) for alias in node.names}
    assert named | {"__version__"} == set(endsight.__all__)
    with pytest.raises(AttributeError):
        endsight.nothing_of_that_name  # noqa: B018


HEAVY = {"llvmlite", "scipy", "fastapi", "starlette", "uvicorn", "matplotlib", "pandas", "pyarrow"}


@pytest.mark.parametrize(
    "arguments", [["--help"], ["games"], ["value", "tictactoe"], ["value", "pots:4-9-2-7", "--json"]]
)
def test_light_commands_load_nothing_heavy(
    arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A game that a busy machine once took for large is known as that from then on.
    monkeypatch.setenv("ENDSIGHT_CACHE_DIR", str(tmp_path))
    script = (
        "import sys; sys.argv = ['endsight', *sys.argv[1:]]\n"
        "from endsight.faces.cli import main\n"
        "try:\n    main()\nexcept SystemExit as stop:\n    assert not stop.code, stop.code\n"
        "print(' '.join(sys.modules), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", script, *arguments], capture_output=True, text=True, check=True)
    assert not HEAVY & {name.split(".")[0] for name in done.stderr.split()}
    assert done.stdout


# Imports of our modules inside functions, by file: this list may only shrink. What takes long to load and only some
# runs need, or loads numpy, whose threads must not run before a command with limits has forked, is imported `deferred`.
IN_FUNCTIONS = {"faces/cli/__init__.py": 1}


def test_imports_inside_functions_are_those_on_the_list() -> None:
    found = {str(path.relative_to(SOURCE)): _imports_in_functions(path) for path in FILES}
    assert {name: count for name, count in found.items() if count} == IN_FUNCTIONS


def _imports_in_functions(path: Path) -> int:
    functions = [node for node in _running(path) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    inside = {node for function in functions for node in ast.walk(function) if isinstance(node, ast.ImportFrom)}
    return sum((node.module or "").partition(".")[0] == "endsight" for node in inside)


def test_deferred_imports_name_modules_and_what_is_called() -> None:
    names = {(node.module, alias.name) for path in FILES for node in deferred_imports(path) for alias in node.names}
    assert len(names) > 60
    for module, name in names:
        assert module is not None
        thing = getattr(__import__(module, fromlist=[name]), name)
        assert callable(thing) or isinstance(thing, ModuleType), (module, name)


def test_only_imports_of_the_block_and_its_module_are_deferred() -> None:
    """A module of the house runs anew, with more imports in its block, during which another module imports something.

    That is what happens where threads import at the same time.
    """
    assert "this" not in sys.modules

    def elsewhere() -> Any:
        from colorsys import rgb_to_hsv

        return rgb_to_hsv

    path = SOURCE / "faces" / "interop" / "environments.py"
    tree = ast.parse(path.read_text(encoding="utf-8"))
    block = next(node for node in tree.body if isinstance(node, ast.With))
    block.body += ast.parse("from colorsys import rgb_to_hsv as later\nfrom this import s\nat_once = elsewhere()").body
    tree.body += ast.parse("from colorsys import rgb_to_hsv as after").body
    names: dict[str, Any] = {"__name__": "endsight.faces.interop.environments", "elsewhere": elsewhere}
    exec(compile(tree, path, "exec"), names)
    at_once, later = names["at_once"], names["later"]
    assert at_once(1, 1, 1) == later(1, 1, 1) == (0, 0, 1)
    assert names["after"] is at_once
    assert not isinstance(later, type(at_once))
    assert "this" not in sys.modules
    assert names["s"] is not None


def test_commands_load_nothing_heavy_before_their_limits_hold() -> None:
    script = "import importlib, sys\nfor name in sys.argv[1:]: importlib.import_module(f'endsight.faces.cli.{name}')\n"
    script += "print(*sys.modules)"
    names = command.list_commands(None)  # type: ignore[arg-type]
    done = subprocess.run([sys.executable, "-c", script, *names], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert {f"endsight.faces.cli.{name}" for name in names} < loaded
    assert not (HEAVY | {"numpy"}) & loaded


# ------------------------------------------------------------------ names


RULES_NAMES = {"State"}
"""Every game has a class of that name: the protocol asks for it."""
TREE = "compiler/core.py"
"""Nodes of the core language are named through their module (`core.Row`), as those of Python's own trees are."""


def test_no_two_classes_have_one_name() -> None:
    """A name that stands for one thing can be looked for."""
    where: dict[str, list[str]] = {}
    for path in sorted(SOURCE.rglob("*.py")):
        if path.relative_to(SOURCE).as_posix() != TREE:
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.ClassDef) and node.name not in RULES_NAMES:
                    where.setdefault(node.name, []).append(f"{path.relative_to(SOURCE)}:{node.lineno}")
    assert {name: places for name, places in where.items() if len(places) > 1} == {}
