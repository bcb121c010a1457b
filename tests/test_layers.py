"""The house: imports go one way, the face is listed, and light commands stay light."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import endsight
from endsight.compiler.syntax import parsed
from endsight.face import NAMES

SOURCE = Path(endsight.__file__).parent

# Each room may import from those above it, never from those below.
ORDER = [
    "collector",
    "printable",
    "faults",
    "errors",
    "machine",
    "waiting",
    "alarm",
    "exact",
    "standard_streams",
    "plain_files",
    "protocol",
    "field_texts",
    "game",
    "derived",
    "numbers",
    "titles",
    "value_text",
    "confidence",
    "markup",
    "records",
    "position",
    "rules_guard",
    "complaints",
    "legal_moves",
    "state_text",
    "arguments",
    "identity",
    "codec",
    "contract",
    "limits",
    "question",
    "distribution",
    "equivalence",
    "graph_kernels",
    "graph",
    "game_tree",
    "table",
    "games",
    "verifier",
    "plan",
    "objective",
    "source",
    "theorems",
    "judgement",
    "explorer",
    "sampling",
    "compiler",
    "auditing",
    "unfinished",
    "unfolding",
    "merging",
    "algorithms",
    "enclosed",
    "rounds",
    "graph_table",
    "searching",
    "reachable",
    "options",
    "solution",
    "wording",
    "solver",
    "policy_bounds",
    "policy_pricing",
    "shortening",
    "seated",
    "simulation",
    "cost",
    "explanation",
    "reviewing",
    "charts",
    "documents",
    "storage",
    "proving",
    "prover",
    "naming",
    "layered",
    "specification",
    "rules_check",
    "blaming",
    "catalog",
    "doctor",
    "cost_documents",
    "web",
    "cli",
    "face",
    "__main__",
]
GAMES_MAY_IMPORT = {"faults", "errors", "game", "games"}
TYPES = "TYPE_CHECKING"
VERIFIER_MAY_IMPORT = {"exact", "faults", "game", "games", "printable", "verifier"}


def room(module: str) -> str:
    return module.split(".")[1] if "." in module else ""


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
    here = path.relative_to(SOURCE).parts[0].removesuffix(".py")
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
    assert set(NAMES) | {"charts", "errors", "games", "__version__"} == set(endsight.__all__)
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
        "from endsight.cli import main\n"
        "try:\n    main()\nexcept SystemExit as stop:\n    assert not stop.code, stop.code\n"
        "print(' '.join(sys.modules), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", script, *arguments], capture_output=True, text=True, check=True)
    assert not HEAVY & {name.split(".")[0] for name in done.stderr.split()}
    assert done.stdout
