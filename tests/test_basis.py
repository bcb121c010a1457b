"""Whatever shows values says what they mean and rest on, where they are not simply the values."""

from __future__ import annotations

from pathlib import Path

import pytest

from command_line import run

RULES = """
from typing import NamedTuple
from endsight.game import Game

class Kingmaker(Game):
    '''The third player, who gets nothing, chooses which of the others wins, or waits.'''
    players = 3
    endless = (0, 0, -1)

    class State(NamedTuple):
        number: int

    def limits(self): return self.State(2)
    def start(self): return self.State(0)
    def to_move(self, state): return 2
    def moves(self, state): yield from ("first", "second", "wait")[: 3 * (state.number == 0)]
    def play(self, state, move): return self.State(("wait", "first", "second").index(move))
    def payoff(self, state): return (1, 0, 0) if state.number == 1 else (0, 1, 0)
"""
MEANING = "each player taking the first of their best moves"
CONVENTION = "Play that never ends pays"


@pytest.fixture
def game(tmp_path: Path) -> str:
    (tmp_path / "kingmaker.py").write_text(RULES, encoding="utf-8")
    return f"{tmp_path}/kingmaker.py:Kingmaker"


@pytest.mark.parametrize("command", ["analyze", "line", "dist", "fair", "table", "report", "review", "play"])
def test_every_command_says_what_its_values_mean_and_rest_on(command: str, game: str) -> None:
    more = {"review": ["second"], "play": ["--seat", "third=human", "--seat", "first=perfect"]}
    told = run(command, game, *more.get(command, []), stdin="second\n")
    assert told.code == 0, told
    text = " ".join(told.out.split())
    assert MEANING in text
    assert CONVENTION in text


def test_what_a_policy_gives_away_rests_on_what_endless_play_pays(game: str) -> None:
    assert CONVENTION in run("exploit", game, "greedy").out


def test_a_report_of_mixed_play_says_that_other_plans_are_as_good() -> None:
    assert "other best plans may win, draw and last otherwise" in " ".join(run("report", "rps").out.split())
