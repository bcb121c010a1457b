"""How much a newcomer reads who follows one call: the lines of all functions of the package that it enters.

Every function entered counts once, from its `def` to its end; what runs while a module of the
command is loaded is no part of the trip. Run this file to see the list: `python tests/test_trip.py`.
"""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import endsight

SOURCE = Path(endsight.__file__).parent

IN_PYTHON = "endsight.solve(endsight.games.TicTacToe(), engine='plain').value()"
ON_THE_COMMAND_LINE = "main()"
TRIPS = {
    "in Python": (IN_PYTHON, [], 1000),
    "on the command line": (ON_THE_COMMAND_LINE, ["value", "tictactoe", "--engine", "plain"], 1500),
}

_SCRIPT = """
import atexit, json, sys, threading
import endsight, endsight.answers.graph_values, endsight.faces.cli.value, endsight.games, endsight.graph.graph_table
from endsight.faces.cli import main
endsight.solve

entered = set()

def note(frame, event, _):
    if event == "call":
        entered.add((frame.f_code.co_filename, frame.f_code.co_firstlineno))

def tell():
    sys.setprofile(None)
    print(json.dumps(sorted(entered)), file=sys.stderr)

sys.argv = ["endsight", *sys.argv[1:]]
atexit.register(tell)
threading.setprofile(note)
sys.setprofile(note)
{call}
"""


def entered_by(call: str, arguments: list[str]) -> dict[str, range]:
    """Lines of every function of the package that the call enters, by file and name, longest first."""
    command = [sys.executable, "-c", _SCRIPT.replace("{call}", call), *arguments]
    surroundings = {name: value for name, value in os.environ.items() if not name.startswith("COV_")}
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=surroundings)
    calls = json.loads(done.stderr.splitlines()[-1])
    found = {}
    for file in sorted({file for file, _ in calls}):
        if not Path(file).is_relative_to(SOURCE):
            continue
        for node in ast.walk(ast.parse(Path(file).read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
                if [file, first] in calls:
                    name = f"{Path(file).relative_to(SOURCE)}:{node.lineno} {node.name}"
                    found[name] = range(node.lineno, (node.end_lineno or node.lineno) + 1)
    return dict(sorted(found.items(), key=lambda item: -len(item[1])))


def lines_of(trip: dict[str, range]) -> int:
    """Lines in all; those of a function inside of another count once."""
    return len({(name.partition(":")[0], line) for name, lines in trip.items() for line in lines})


def listed(trip: dict[str, range]) -> str:
    """The functions with their lines, and the sum."""
    files = len({name.partition(":")[0] for name in trip})
    rows = [f"{len(lines):5} {name}" for name, lines in trip.items()]
    return "\n".join([*rows, f"{lines_of(trip):5} lines of {len(trip)} functions in {files} files"])


@pytest.mark.parametrize("name", TRIPS)
def test_the_trip_is_short(name: str) -> None:
    call, arguments, most = TRIPS[name]
    trip = entered_by(call, arguments)
    assert any(entry.endswith(" solve") for entry in trip)
    assert lines_of(trip) < most, listed(trip)


if __name__ == "__main__":
    for name, (call, arguments, _) in TRIPS.items():
        print(f"{name}\n{listed(entered_by(call, arguments))}\n")
