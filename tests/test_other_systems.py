"""Commands on systems without timer signals, `fork`, `fcntl` and `resource`, as far as Linux can play them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parent / "other_systems.py"
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="it is Linux that is disguised")


def run(kind: str, *words: str, folder: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(SCRIPT), kind, *words]
    return subprocess.run(
        command, cwd=folder, text=True, capture_output=True, check=False, timeout=120, stdin=subprocess.DEVNULL
    )


@pytest.mark.parametrize("kind", ["win32", "darwin"])
def test_commands_answer(tmp_path: Path, kind: str) -> None:
    """On Windows every command ended in a missing module, `fcntl`, and was called a bug."""
    lines = {
        "value nim --time 20s --memory 2GB": "first wins",
        "solve nim:heaps=1-2 -o solved --time 20s": "value: first 1, second -1",
        "value nim:heaps=1-2 --from solved": "first wins in 3",
        "prove nim:heaps=1-2 -o proof.json": "proven in proof.json",
        "verify proof.json": "verdict: proven",
        "doctor": "No problems found.",
    }
    for line, told in lines.items():
        ended = run(kind, *line.split(), folder=tmp_path)
        assert (ended.returncode, told in ended.stdout) == (0, True), (line, ended.stdout[-500:], ended.stderr[-1000:])


@pytest.mark.parametrize("kind", ["win32", "darwin"])
def test_work_that_does_not_stop_by_itself_is_ended(tmp_path: Path, kind: str) -> None:
    (tmp_path / "rules.py").write_text(
        "from typing import NamedTuple\nfrom endsight import Game\n\n\nclass Hangs(Game):\n"
        "    class State(NamedTuple):\n        left: int\n\n"
        "    def limits(self): return self.State(3)\n    def start(self): return self.State(3)\n"
        "    def moves(self, state):\n        while True: pass\n"
        "    def play(self, state, move): return state\n    def payoff(self, state): return 0\n",
        encoding="utf-8",
    )
    ended = run(kind, "value", "rules.py", "--time", "1s", folder=tmp_path)
    assert (ended.returncode, "more than 1 s" in ended.stderr) == (5, True), ended.stderr
