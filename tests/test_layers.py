"""The house: imports go one way, the face is listed, and light commands stay light."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import endsight
from endsight.compiler.syntax import parsed
from endsight.faces.cli.group import SECTIONS
from endsight.faces.face import NAMES

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
    "base.printable",
    "base.faults",
    "base.extras",
    "errors",
    "base.machine",
    "base.waiting",
    "base.alarm",
    "game.exact",
    "base.standard_streams",
    "base.plain_files",
    "base.atomic",
    "base.outputs",
    "game.protocol",
    "game.field_texts",
    "game",
    "game.derived",
    "game.activity",
    "game.numbers",
    "game.titles",
    "game.value_text",
    "game.markup",
    "answers.records",
    "game.position",
    "game.made_from_rules",
    "errors.rules_guard",
    "errors.complaints",
    "errors.legal_moves",
    "game.state_text",
    "game.arguments",
    "identity",
    "game.equality",
    "game.codec",
    "game.contract",
    "board",
    "game.limits",
    "game.question",
    "game.unseen",
    "answers.distribution",
    "graph.equivalence",
    "graph.kernel_numbers",
    "graph.graph_kernels",
    "graph.class_kernels",
    "graph.graph",
    "graph.remembering",
    "graph.game_tree",
    "graph.table",
    "games",
    "verifier",
    "naming",
    "interop",
    "naming.specification",
    "naming.arguments",
    "graph.plan",
    "graph.objective",
    "graph.hidden_states",
    "graph.unseen_chance",
    "graph.belief_texts",
    "graph.played_out",
    "graph.posterior",
    "graph.beliefs",
    "graph.common_view",
    "graph.discounting",
    "answers.source",
    "answers.searched",
    "theorems",
    "graph.paying_loops",
    "algorithms.linear_systems",
    "graph.mean_heights",
    "algorithms.edge_arrays",
    "algorithms.float_policy_iteration",
    "graph.falling_heights",
    "graph.heights",
    "graph.judgement",
    "graph.giving_up",
    "graph.explorer",
    "cost.sampling",
    "compiler",
    "answers.auditing",
    "answers.unfinished",
    "graph.unfolding",
    "graph.merging",
    "graph.soundness",
    "algorithms",
    "answers.amounts_by_player",
    "answers.networks",
    "answers.behaviours",
    "answers.enclosed",
    "layers.rounds",
    "graph.graph_table",
    "answers.searching",
    "graph.reachable",
    "answers.graph_values",
    "answers.options",
    "answers.seen",
    "answers.plans",
    "answers.followed",
    "answers.comparing",
    "answers.chosen_play",
    "answers.policies",
    "answers.solution",
    "faces.wording",
    "faces.advice",
    "answers.solver",
    "answers.policy_pricing",
    "answers.shortening",
    "answers.seated",
    "answers.guessing",
    "answers.exploiting",
    "answers.simulation",
    "cost",
    "answers.explanation",
    "reporting",
    "answers.reviewing",
    "charts",
    "faces.documents",
    "storage",
    "proof",
    "proof.prover",
    "layers",
    "rules_check",
    "faces.blaming",
    "faces.catalog",
    "faces.gallery",
    "faces.doctor",
    "faces.cost_documents",
    "faces.report_documents",
    "faces.seen_moves",
    "faces.solved_page",
    "faces.citing",
    "faces.interop",
    "faces.board_chart",
    "faces.verbs",
    "faces.web",
    "faces.cli",
    "faces.face",
    "__main__",
]
GAMES_MAY_IMPORT = {"base.faults", "board", "errors", "game", "games"}
TYPES = "TYPE_CHECKING"
VERIFIER_MAY_IMPORT = {"game.exact", "base.faults", "game", "games", "base.printable", "verifier"}


def room(module: str) -> str:
    """The longest name in ORDER that a module of the package begins with; "" for the package itself."""
    parts = module.split(".")[1:]
    names = (".".join(parts[:length]) for length in (2, 1) if len(parts) >= length)
    return next((name for name in names if name in ORDER), parts[0] if parts else "")


def imports(path: Path) -> set[str]:
    """Rooms of the package that a file imports when it runs, at the top or inside a function."""
    found = set()
    tree = parsed(path.read_text(encoding="utf-8"))
    for block in [node for node in ast.walk(tree) if isinstance(node, ast.If) and ast.unparse(node.test) == TYPES]:
        block.body = []  # only names for annotations
    for node in ast.walk(tree):
        names = []
        if isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module] if node.module != "endsight" else [f"endsight.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        found |= {room(name) for name in names if name.startswith("endsight.")}
    return found


FILES = sorted(path for path in SOURCE.rglob("*.py") if path != SOURCE / "__init__.py")


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_imports_go_one_way(path: Path) -> None:
    parts = path.relative_to(SOURCE).with_suffix("").parts
    here = room(".".join(["endsight", *(part for part in parts if part != "__init__")]))
    assert here in ORDER, f"{here} has no place in the order of the house yet"
    for other in imports(path) & set(ORDER):
        assert ORDER.index(other) <= ORDER.index(here), f"{here} imports {other}"
    if here == "games":
        assert imports(path) <= GAMES_MAY_IMPORT
    if here == "verifier":
        assert imports(path) <= VERIFIER_MAY_IMPORT


def test_the_face_is_exactly_what_is_listed() -> None:
    assert sorted(endsight.__all__) == list(endsight.__all__)
    for name in endsight.__all__:
        assert getattr(endsight, name) is not None
    assert set(NAMES) | {"board", "charts", "errors", "games", "__version__"} == set(endsight.__all__)
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


# Imports of our modules inside functions, by file: of what takes long to load and only some runs need, or of what
# loads numpy, whose threads must not run before a command with limits has forked. This list may only shrink.
IN_FUNCTIONS = {
    "algorithms/backward_induction.py": 2,
    "algorithms/kernel_arrays.py": 1,
    "algorithms/loops.py": 4,
    "answers/chosen_play.py": 6,
    "answers/graph_values.py": 4,
    "answers/seen.py": 1,
    "answers/solution.py": 2,
    "answers/solver.py": 10,
    "answers/unfinished.py": 2,
    "charts/figures.py": 3,
    "compiler/choice.py": 12,
    "compiler/engine.py": 8,
    "compiler/native.py": 5,
    "compiler/rules.py": 3,
    "cost/census.py": 1,
    "cost/estimate.py": 1,
    "cost/growth.py": 2,
    "errors/rules_guard.py": 3,
    "faces/blaming.py": 2,
    "faces/cli/__init__.py": 1,
    "faces/cli/export.py": 1,
    "faces/cli/growth.py": 1,
    "faces/cli/output.py": 1,
    "faces/cli/request.py": 2,
    "faces/cli/serve.py": 2,
    "faces/cli/solve.py": 3,
    "faces/cli/status.py": 1,
    "graph/falling_heights.py": 1,
    "graph/merging.py": 1,
    "rules_check/loops.py": 1,
    "storage/layout.py": 1,
    "storage/status.py": 1,
}


def test_imports_inside_functions_are_those_on_the_list() -> None:
    found = {str(path.relative_to(SOURCE)): _imports_in_functions(path) for path in FILES}
    assert {name: count for name, count in found.items() if count} == IN_FUNCTIONS


def _imports_in_functions(path: Path) -> int:
    tree = parsed(path.read_text(encoding="utf-8"))
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    inside = {node for function in functions for node in ast.walk(function) if isinstance(node, ast.ImportFrom)}
    return sum((node.module or "").partition(".")[0] == "endsight" for node in inside)


def test_commands_load_nothing_heavy_before_their_limits_hold() -> None:
    script = "import importlib, sys\nfor name in sys.argv[1:]: importlib.import_module(f'endsight.faces.cli.{name}')\n"
    script += "print(*sys.modules)"
    names = [name for section in SECTIONS.values() for name in section]
    done = subprocess.run([sys.executable, "-c", script, *names], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert {f"endsight.faces.cli.{name}" for name in names} < loaded
    assert not (HEAVY | {"numpy"}) & loaded
