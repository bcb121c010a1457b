"""A check of rules that a limit or Ctrl-C stops tells what it had checked by then."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from command_line import run
from test_schemas import validate

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="alarms, and limits of memory for a process")

PROGRAM = "from endsight.faces.cli import main; main()"
RULES = """
import sys, time
from typing import NamedTuple
from endsight import Game

class Doubling(Game):
    deed: str = "none"

    class State(NamedTuple):
        count: int

    def limits(self): return self.State(2**21)
    def moves(self, state): return (0, 1) if state.count < 2**20 else ()
    def payoff(self, state): return 1

    def start(self):
        if self.deed == "hang first":
            time.sleep(60)
        return self.State(1)

    def play(self, state, move):
        if state.count == 300 and self.deed == "hang":
            time.sleep(60)
        if state.count == 300 and self.deed == "tell":
            print("there", file=sys.stderr, flush=True)
            time.sleep(60)
        if state.count == 7 and self.deed == "err":
            raise ValueError("seven")
        if state.count == 300 and self.deed == "err":
            time.sleep(60)
        return self.State(2 * state.count + move)

    def canonical(self, state):
        if self.deed == "hang later":
            time.sleep(60)
        return state
"""


@pytest.fixture
def rules(tmp_path: Path) -> str:
    file = tmp_path / "doubling.py"
    file.write_text(RULES, encoding="utf-8")
    return f"{file}:Doubling"


def test_time(rules: str) -> None:
    ended = run("check", f"{rules}:deed=hang", "--time", "2s")
    assert ended.code == 5
    assert "checked 299 states of more\n" in ended.out
    assert "field count  1 to 299" in ended.out
    assert ended.out.endswith("\nNo problems found by then: the check was not done.\n")
    assert ended.err.startswith("error: stopped: more than 2 s while working\n  found:   299 states met, in the rule")
    assert ended.err.endswith("  allowed: 2 s\n  try:     raise --time\n")


def test_time_in_json(rules: str) -> None:
    ended = run("check", f"{rules}:deed=hang", "--time", "2s", "--json")
    document = json.loads(ended.out)
    assert validate(document) == "check"
    assert ended.code == 5
    assert document["stopped"] == "stopped: more than 2 s while working"
    assert (document["states"], document["complete"], document["faults"]) == (299, False, [])
    assert (document["facts"]["cyclic"], document["facts"]["positions"], document["value"]) == (None, None, None)


def test_what_was_broken_by_then_is_told(rules: str) -> None:
    ended = run("check", f"{rules}:deed=err", "--time", "2s")
    assert ended.code == 5
    assert "error: play raises ValueError: seven" in ended.out
    assert ended.out.endswith("\n1 error found by then: the check was not done.\n")
    rows = run("check", f"{rules}:deed=err", "--time", "2s", "--plain").out.splitlines()
    assert [row.split("\t")[0] for row in rows] == ["rule", "play"]


@pytest.mark.parametrize(("deed", "is_begun"), [("hang first", False), ("hang later", True)])
def test_a_stop_before_the_first_state_and_after_the_last(rules: str, deed: str, is_begun: bool) -> None:
    ended = run("check", f"{rules}:deed={deed}", "--time", "1s", "--json")
    document = json.loads(ended.out)
    assert validate(document) == "check"
    assert (ended.code, document["states"] > 0, document["complete"]) == (5, is_begun, False)
    assert document["facts"]["symmetry"] is None


@pytest.mark.parametrize("game", ["{rules}", "connectfour"])
def test_memory(rules: str, game: str) -> None:
    command = ["check", game.format(rules=rules), "--states", "1e7", "--memory", "90MB", "--json"]
    ended = subprocess.run([sys.executable, "-c", PROGRAM, *command], capture_output=True, text=True, check=False)
    document = json.loads(ended.stdout)
    assert validate(document) == "check"
    assert ended.returncode == 5
    assert document["stopped"] == "stopped: more than 90 MB of memory while checking the rules"
    assert document["states"] > 1_000
    assert ended.stderr == (
        f"error: {document['stopped']}\n  found:   {document['states']:,} states met\n  allowed: 90 MB\n"
        "  try:     raise --memory, or check less of the game: --states\n"
    )


@pytest.mark.parametrize("options", [(), ("--time", "50s")])
def test_ctrl_c(rules: str, options: tuple[str, ...]) -> None:
    command = [sys.executable, "-c", PROGRAM, "check", f"{rules}:deed=tell", *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        assert process.stderr.readline() == "there\n"
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
    assert process.returncode == 130, (out, err)
    assert "checked 299 states of more" in out
    assert out.endswith("\nNo problems found by then: the check was not done.\n")
    assert err.startswith("stopped by Ctrl-C after 299 states in the rule 'play' (doubling.py, line ")
