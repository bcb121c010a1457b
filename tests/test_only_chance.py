"""Games in which nobody decides anything, or not yet: every command answers, and says nothing that is not so."""

from __future__ import annotations

from pathlib import Path

import pytest

from command_line import ask, exact, run

RULES = """from fractions import Fraction
from typing import NamedTuple
from endsight import CHANCE, Game

class Draws(Game):
    "Lots are drawn, and nobody does anything."
    draws: int = 3
    seats: int = 3
    turns: int = 0

    class State(NamedTuple):
        drawn: int
        total: int

    def setup(self): self.last = self.draws + self.turns
    def limits(self): return self.State(self.last, 2 * self.last)
    def start(self): return self.State(0, 0)
    def to_move(self, state): return CHANCE if state.drawn < self.draws or self.turns == 0 else 0
    def moves(self, state): return (1, 2) if state.drawn < self.last else ()
    def weight(self, state, move): return move
    def play(self, state, move): return self.State(state.drawn + 1, state.total + move)
    def payoff(self, state): return (state.total, Fraction(-state.total, 3), 1)[: self.seats]
"""
COMMANDS = [
    "value",
    "analyze",
    "line",
    "line --json",
    "dist",
    "dist --length",
    "fair",
    "report",
    "table",
    "check",
    "estimate",
    "simulate --games 5",
    "exploit random",
    "review 1",
    "page -o -",
    "plot values -o -",
    "plot board -o -",
]


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "draws.py"
    path.write_text(RULES)
    return str(path)


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("settings", ["", ":seats=1", ":seats=2,draws=1", ":draws=2,turns=1", ":seats=1,draws=0"])
def test_every_command_answers_where_chance_alone_decides(file: str, settings: str, command: str) -> None:
    name, *options = command.split()
    said = run(name, file + settings, *options)
    nothing_left = settings == ":seats=1,draws=0" and name in ("review", "plot") and "board" not in options
    assert said.code == ({"review": 3, "plot": 2}[name] if nothing_left else 0), said.err
    assert "see different things" not in said.out
    assert "mix their moves" not in said.out


@pytest.mark.parametrize("settings", ["", ":draws=2,turns=1"])
def test_a_line_that_begins_with_lots_says_so(file: str, settings: str) -> None:
    assert "no player decides right after it" in " ".join(run("line", file + settings).out.split())
    assert "see different things" in run("line", "kuhn").out
    assert "see different things" not in run("line", "hiddenpots:count=3,max=2").out


def test_reports_say_that_nobody_has_a_choice(file: str) -> None:
    reasons = {row["title"]: row["reason"] for row in ask("report", file)["left_out"]}
    assert reasons["Choices"] == reasons["Mistakes"] == "perfect players never have a real choice"
    assert "mix their moves" in {row["title"]: row["reason"] for row in ask("report", "kuhn")["left_out"]}["Choices"]


def test_the_value_is_the_mean_of_all_lots(file: str) -> None:
    assert exact(ask("value", file)["value"]["first"]) == 5
    assert exact(ask("value", file + ":draws=2,turns=1")["value"]["first"]) == exact(
        ask("value", file)["value"]["first"]
    ) + (2 - exact(ask("value", file + ":draws=1")["value"]["first"]))
