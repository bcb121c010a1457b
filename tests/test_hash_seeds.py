"""`check` asks rules that use sets again in processes with other hashes of texts."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from amounts import seeds
from command_line import run

RULES = """
from typing import NamedTuple

from endsight import Game


class Rules(Game):
    players = 1

    class State(NamedTuple):
        number: int
        step: int

    def limits(self): return self.State(9, 3)
    def start(self): return self.State(0, 0)
    def moves(self, state): return {moves} if state.step < 2 else []
    def play(self, state, move): return self.State({number}, state.step + 1)
    def payoff(self, state): return {payoff}
"""
PIECES = '{"rook", "bishop", "knight", "king", "queen"}'


@pytest.mark.parametrize(
    ("rule", "parts"),
    [
        ("moves", {"moves": f"[each for each in {PIECES}]"}),
        ("play", {"number": f"list({PIECES}).index('rook')"}),
        ("payoff", {"payoff": f"list({PIECES}).index('king')"}),
    ],
)
def test_what_depends_on_the_order_of_a_set_of_texts_is_named(rule: str, parts: dict[str, str], tmp_path: Path) -> None:
    given = {"moves": "[0, 1]", "number": "1", "payoff": "state.number"} | parts
    file = tmp_path / "rules.py"
    file.write_text(RULES.format(**given))
    done = run("check", str(file))
    assert done.code == 4, done
    text = " ".join(done.out.split())
    assert f"error: {rule} gives" in text
    assert "and in another process" in text
    assert "go through sorted(...) of a set" in text
    line = next(number for number, each in enumerate(file.read_text().splitlines(), 1) if f"def {rule}(" in each)
    assert f"rules.py, line {line}" in text


def test_sets_whose_order_makes_no_difference_are_fine(tmp_path: Path) -> None:
    given = {
        "moves": f"sorted({PIECES})",
        "number": f"len({PIECES})",
        "payoff": f"int(state.number in {{1, 5}} and 'rook' in {PIECES})",
    }
    file = tmp_path / "rules.py"
    file.write_text(RULES.format(**given))
    assert run("check", str(file)).code == 0


def checked(file: Path, seed: int, *more: str) -> subprocess.CompletedProcess[str]:
    """`check` in a process with that seed."""
    command = [sys.executable, "-m", "endsight", "check", str(file), *more]
    own = {**os.environ, "PYTHONHASHSEED": str(seed)}
    return subprocess.run(command, env=own, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("seed", seeds(6, 3))
def test_a_set_of_two_texts_is_enough_under_every_hash(seed: int, tmp_path: Path) -> None:
    file = tmp_path / "rules.py"
    file.write_text(RULES.format(moves="[0, 1]", number="1", payoff="['b', 'a'].index([*{'b', 'a'}][0])"))
    done = checked(file, seed)
    assert done.returncode == 4, done
    assert "error: payoff gives" in " ".join(done.stdout.split())


def test_an_error_in_another_process_alone_is_named(tmp_path: Path) -> None:
    file = tmp_path / "rules.py"
    text = RULES.format(moves="[0, 1]", number="1", payoff="1 // [*{'b', 'a'}].index(FIRST)")
    file.write_text(text.replace("class Rules", "FIRST = [*{'b', 'a'}][1 if HERE else 0]\n\n\nclass Rules", 1))
    first = "import os\n\nHERE = os.environ.get('PYTHONHASHSEED') == '99'\n"
    file.write_text(first + file.read_text())
    done = checked(file, 99)
    assert done.returncode == 4, done
    told = " ".join(done.stdout.split())
    assert "error: payoff raises" in told
    assert "ZeroDivisionError" in told
    assert "in another process, and none here" in told


@pytest.mark.parametrize(
    ("elsewhere", "limits", "told"),
    [("os._exit(3)", (), "it ended with exit code 3"), ("time.sleep(600)", ("--time", "6"), "it took more than")],
)
def test_check_says_that_it_could_not_look(elsewhere: str, limits: tuple[str, ...], told: str, tmp_path: Path) -> None:
    file = tmp_path / "rules.py"
    first = f"import os, time\n\nif os.environ['PYTHONHASHSEED'] != '99': {elsewhere}\n"
    file.write_text(first + RULES.format(moves="[0, 1]", number="1", payoff="int('a' in {'b', 'a'})"))
    done = checked(file, 99, *limits, "--json")
    assert done.returncode == 0, done
    (warning,) = json.loads(done.stdout)["warnings"]
    assert warning["message"].startswith("could not be tried in a process with other hashes of texts: ")
    assert told in warning["message"]
    assert "sorted(...)" in warning["cure"]
