"""Object code is kept by content: no edit is ever answered from a stale cache, and a warm run writes no code."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

RULES = """
    from typing import NamedTuple

    from endsight.game import Game
    from helper import STEP, further


    class Steps(Game):
        class State(NamedTuple):
            at: int

        def setup(self):
            self.weights = tuple(range(self.long))

        long: int = 40

        def limits(self): return self.State(200)
        def start(self): return self.State(0)
        def moves(self, state):
            if state.at < 100:
                yield STEP
        def play(self, state, move): return self.State(further(state.at, move))
        def payoff(self, state): return -1
"""
HELPER = """
    STEP = 10
    def further(at, move): return at + move
"""
# Prints states, and whether what writes code was imported.
ASK = """
    import sys
    sys.path.insert(0, sys.argv[1])
    import endsight
    if len(sys.argv) > 2:
        endsight.__version__ = sys.argv[2]
    from rules import Steps
    solution = endsight.solve(Steps(), method="layers", engine="compiled")
    print(solution.states, "endsight.compiler.lowering" in sys.modules)
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("rules")
    write(folder, RULES, HELPER)
    assert ask(folder) == "11 True True"
    return folder


def write(folder: Path, rules: str, helper: str) -> None:
    (folder / "rules.py").write_text(textwrap.dedent(rules), encoding="utf-8")
    (folder / "helper.py").write_text(textwrap.dedent(helper), encoding="utf-8")


def ask(folder: Path, *arguments: str) -> str:
    """How many states there are, whether what writes code was imported, and whether anything was compiled."""
    environment = {**os.environ, "ENDSIGHT_CACHE_DIR": str(folder / "cache"), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-c", textwrap.dedent(ASK), str(folder), *arguments]
    before = object_code(folder)
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 0, done.stderr
    return f"{done.stdout.strip()} {object_code(folder) != before}"


def object_code(folder: Path) -> dict[Path, bytes]:
    """What is kept of compiled rules."""
    return {file: file.read_bytes() for file in (folder / "cache").glob("*.object")}


def test_a_warm_run_compiles_nothing_and_imports_nothing_for_it(folder: Path) -> None:
    write(folder, RULES, HELPER)
    assert ask(folder) == "11 False False"


@pytest.mark.parametrize(
    ("rules", "helper", "states"),
    [
        pytest.param((), ("at + move", "at + move + 10"), 6, id="a helper in another file"),
        pytest.param((), ("STEP = 10", "STEP = 25"), 5, id="a constant in another file", marks=pytest.mark.slow),
        pytest.param(("< 100", "< 50"), (), 6, id="the rules themselves", marks=pytest.mark.slow),
        pytest.param(("yield STEP", "yield STEP * 2"), (), 6, id="the moves", marks=pytest.mark.slow),
    ],
)
def test_an_edit_is_never_answered_from_the_cache(
    folder: Path, rules: tuple[str, ...], helper: tuple[str, ...], states: int
) -> None:
    changed_rules = RULES.replace(*rules) if rules else RULES
    changed_helper = HELPER.replace(*helper) if helper else HELPER
    write(folder, changed_rules, changed_helper)
    assert ask(folder) == f"{states} True True"


def test_another_version_of_the_package_compiles_anew(folder: Path) -> None:
    write(folder, RULES, HELPER)
    assert ask(folder, "9.9.9") == "11 True True"


def test_damaged_object_code_is_not_run(folder: Path) -> None:
    write(folder, RULES, HELPER)
    for file in (folder / "cache").glob("*.object"):
        content = bytearray(file.read_bytes())
        content[-100] ^= 255
        file.write_bytes(bytes(content))
    assert ask(folder) == "11 True True"
