"""Every document fits its schema and says what the solution says."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from command_line import ask, run
from test_schemas import validate

GAMES = [
    ("tictactoe", "a1 b2"),
    ("dodgem", ""),
    ("pots:4-9-2-7", "R"),
    ("hiddenpots:count=3,max=2", "2 1 L"),
    ("repeatbust:sides=3,dice=1", ""),
    ("repeatbust:sides=3,dice=1", "2"),
    ("rpsbag:1-2-0/1-1-1", "paper rock"),
    ("highcard:hand=1-4-6,rival=2-x-x", ""),
    ("nim", "1:2"),
    ("pig:target=5", ""),
    ("pigturn", "roll 4"),
    ("dominoes:n=4", "0-1 1-3"),
]
COMMANDS = [
    ("analyze",),
    ("value",),
    ("line",),
    ("table",),
    ("dist", "--at-least", "--at-most"),
    ("dist", "--facts"),
    ("fair",),
]


def no_bare_float(item: Any, key: str = "") -> None:
    """Floats stand only under `approx`, beside the exact number, and under `seconds`."""
    if isinstance(item, dict):
        for name, value in item.items():
            no_bare_float(value, name)
    elif isinstance(item, list):
        for value in item:
            no_bare_float(value, key)
    else:
        assert not isinstance(item, float) or key in ("approx", "seconds"), key


@pytest.mark.parametrize(("game", "at"), GAMES)
def test_documents_fit_their_schemas(game: str, at: str) -> None:
    for command, *options in COMMANDS:
        document = ask(command, game, "--at", at, *options)
        validate(document)
        no_bare_float(document)


@pytest.mark.parametrize(("game", "at"), GAMES)
def test_moves_come_best_first_and_the_best_reach_the_value(game: str, at: str) -> None:
    document = ask("analyze", game, "--at", at)
    if document["to_move"] == "chance":
        chances = [Fraction(move["probability"]["exact"]) for move in document["moves"]]
        assert sum(chances) == 1
        assert all(move["rank"] is None and move["best"] is None for move in document["moves"])
        for player in document["players"]:
            values = [Fraction(move["value"][player]["exact"]) for move in document["moves"]]
            mean = sum(chance * value for chance, value in zip(chances, values, strict=True))
            assert mean == Fraction(document["value"][player]["exact"])
        return
    ranks = [move["rank"] for move in document["moves"]]
    assert ranks == sorted(ranks)
    assert ranks[0] == 1
    mover = document["to_move"]
    for move in document["moves"]:
        given_away = Fraction(document["value"][mover]["exact"]) - Fraction(move["value"][mover]["exact"])
        assert given_away == Fraction(move["regret"]["exact"])
        assert move["best"] == (given_away == 0)


def test_a_sweep_goes_on_after_an_error() -> None:
    ending = run("sweep", "chomp", "--vary", "width=1,2,0", "--json")
    document = json.loads(ending.out)
    assert validate(document) == "sweep"
    assert [row["status"] for row in document["rows"]] == ["exact", "exact", "unknown"]


def test_document_of_an_answer_that_a_limit_stopped() -> None:
    game = "tictactoe:width=4,height=4,line=4"
    ending = run("analyze", game, "--states", "2000", "--method", "graph", "--json")
    document = json.loads(ending.out)
    assert (ending.code, validate(document)) == (5, "position")
    assert (document["status"], document["value"], document["unproven_line"]) == ("enclosed", None, [])
    assert {name: number["exact"] for name, number in document["upper"].items()} == {"first": "1", "second": "1"}


LONG = """
from fractions import Fraction
from typing import NamedTuple
from endsight import Game

class Long(Game):
    players = 1

    class State(NamedTuple):
        left: int

    def limits(self): return self.State(1)
    def start(self): return self.State(1)
    def moves(self, state): return range(state.left)
    def play(self, state, move): return self.State(0)
    def payoff(self, state): return Fraction(10**{digits} + 1, 3)
"""


@pytest.mark.parametrize(("digits", "is_long"), [(3_000, False), (4_001, True)])
def test_long_numbers_are_given_in_hexadecimal(tmp_path: Path, digits: int, is_long: bool) -> None:
    (tmp_path / "long.py").write_text(LONG.replace("{digits}", str(digits)), encoding="utf-8")
    number = ask("value", f"{tmp_path}/long.py")["value"]["player"]
    value = Fraction(10**digits + 1, 3)
    assert (number["exact"] is None) == is_long
    if is_long:
        top, bottom = (int(part, 16) for part in number["exact_hex"].split("/"))
        assert Fraction(top, bottom) == value
    assert number["approx"] is None


def test_long_lists_in_parameters_are_described() -> None:
    described = ask("value", f"pots:{'-'.join(map(str, range(1001)))}")["params"]["pots"]
    assert described["count"] == 1001
    assert len(described["sha256"]) == 64
    assert ask("value", "pots:1--2")["params"]["pots"] == [1, -2]
