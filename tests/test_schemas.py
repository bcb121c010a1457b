"""What commands print with --json fits the schemas that ship with the package."""

from __future__ import annotations

import json
from importlib import resources
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from command_line import ask, run

EDITIONS = {"certificate": 2, "tablebase": 2}
"""Those that have changed since their first edition."""
SCHEMAS = sorted(
    path.name.removesuffix(".json")
    for path in resources.files("endsight").joinpath("schemas").iterdir()
    if path.name.endswith(".json")
)
BROKEN_RULES = """
from typing import NamedTuple
from fractions import Fraction
from endsight import Game

class Broken(Game):
    share: Fraction = Fraction(1, 2)

    class State(NamedTuple):
        left: int

    def start(self): return self.State(2)
    def limits(self): return self.State(1)
    def moves(self, state): return range(1, state.left + 1)
    def play(self, state, count): return self.State(state.left - count)
    def payoff(self, state): return 0.5
"""


def schema(name: str) -> dict[str, Any]:
    text = resources.files("endsight").joinpath("schemas", f"{name}.json").read_text(encoding="utf-8")
    return json.loads(text)


def validate(document: dict[str, Any]) -> str:
    name, _, edition = document["schema"].removeprefix("endsight.").partition("/")
    assert edition == str(EDITIONS.get(name, 1))
    jsonschema.Draft202012Validator(schema(name)).validate(document)
    return name


@pytest.mark.parametrize("name", SCHEMAS)
def test_schemas_are_schemas_and_name_their_document(name: str) -> None:
    jsonschema.Draft202012Validator.check_schema(schema(name))
    assert schema(name)["properties"]["schema"]["const"] == f"endsight.{name}/{EDITIONS.get(name, 1)}"


@pytest.mark.parametrize(
    ("command", "name"),
    [
        (["value", "chomp"], "position"),
        (["analyze", "pigturn", "--at", "roll"], "position"),
        (["line", "pots:4-9-2-7"], "line"),
        (["table", "repeatbust:sides=3"], "table"),
        (["dist", "pigturn", "--at-least", "--at-most"], "distribution"),
        (["dist", "pigturn", "--length", "--at-least"], "length"),
        (["analyze", "pots:4-9-2-7", "--policy", "first=bigger"], "position"),
        (["sweep", "nim", "--vary", "heaps=1-2,3-4"], "sweep"),
        (["fair", "tictactoe"], "fair"),
        (["report", "pots:4-9-2-7"], "report"),
        (["report", "kuhn", "--against", "pigturn"], "report"),
        (["exploit", "pots:4-9-2-7", "random"], "exploit"),
        (["exploit", "rps", "random"], "exploit"),
        (["analyze", "goofspiel:cards=3", "--as", "first", "--at", "2"], "position"),
        (["review", "rps", "rock-paper"], "review"),
        (["review", "hiddenpots:count=3,max=2", "1 2 L 2 L L"], "review"),
        (["games"], "games"),
        (["games", "pots"], "game"),
        (["games", "rpsbag"], "game"),
        (["games", "repeatbust"], "game"),
        (["check", "tictactoe"], "check"),
        (["check", "pigturn"], "check"),
    ],
)
def test_commands_print_what_the_schemas_say(command: list[str], name: str) -> None:
    assert validate(ask(*command)) == name


def test_broken_rules_have_a_document_too(tmp_path: Path) -> None:
    file = tmp_path / "broken.py"
    file.write_text(BROKEN_RULES, encoding="utf-8")
    ending = run("check", f"{file}:Broken", "--json")
    assert ending.code == 4
    document = json.loads(ending.out)
    assert validate(document) == "check"
    assert document["faults"]


TRAP = """
from typing import NamedTuple
from endsight.game import Game

class Trap(Game):
    '''Three points, or a room that nobody leaves and that costs a point every time.'''
    players = 1

    class State(NamedTuple):
        room: int

    def start(self): return self.State(0)
    def limits(self): return self.State(2)
    def moves(self, state): yield from (("end", "fall"), (), ("stay",))[state.room]
    def play(self, state, move): return self.State(1 if move == "end" else 2)
    def reward(self, state, move): return -1 if move == "stay" else 0
    def payoff(self, state): return 3
"""


@pytest.mark.parametrize("command", ["analyze", "table", "report", "fair", "line"])
def test_totals_without_limit_have_documents_too(command: str, tmp_path: Path) -> None:
    (tmp_path / "trap.py").write_text(TRAP, encoding="utf-8")
    validate(ask(command, f"{tmp_path / 'trap.py'}:Trap"))


def test_a_report_says_that_a_mistake_may_cost_without_limit(tmp_path: Path) -> None:
    (tmp_path / "trap.py").write_text(TRAP, encoding="utf-8")
    sections = {each["key"]: each for each in ask("report", f"{tmp_path / 'trap.py'}:Trap")["sections"]}
    assert sections["mistakes"]["figures"]["mistake"]["exact"] == "infinity"
    assert "can cost any number of points" in sections["mistakes"]["sentence"]
    assert sections["openings"]["sentence"] == "Of 2 first moves, 1 is best: end."


def test_defaults_that_are_fractions_are_exact(tmp_path: Path) -> None:
    file = tmp_path / "broken.py"
    file.write_text(BROKEN_RULES.replace("State(1)", "State(2)").replace("0.5", "1"), encoding="utf-8")
    document = ask("games", f"{file}:Broken")
    assert validate(document) == "game"
    assert document["params"][0]["default"] == {"exact": "1/2", "approx": 0.5}
    assert "share      like 1/2  1/2" in run("games", f"{file}:Broken").out


def test_certificates_and_what_is_said_about_them(tmp_path: Path) -> None:
    file = str(tmp_path / "turn.cert")
    assert validate(ask("prove", "pigturn", "--dist", "player", "-o", file)) == "proof"
    assert validate(json.loads(Path(file).read_text(encoding="utf-8"))) == "certificate"
    assert validate(ask("verify", file)) == "verdict"


def test_batches_hold_positions_and_errors() -> None:
    ending = run("value", "tictactoe", "--at", "-", "--jsonl", stdin="a1\na1 a1\n\n")
    names = [validate(json.loads(line)) for line in ending.out.splitlines()]
    assert names == ["position", "error", "position"]


@pytest.mark.parametrize("name", SCHEMAS)
def test_schemas_refuse_what_they_do_not_know(name: str) -> None:
    assert schema(name)["additionalProperties"] is False or name == "distribution"
