"""Stored solutions are looked at by the rules in Python: when they are solved on files, and later."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import endsight as es
import thresholds
from command_line import ask, run
from endsight.errors import Wrong
from layer_runs import in_layers, shares_looked_at, store_a_wrong_value
from test_auditing import Long, OddPayoff, OddPlay, Short
from wrong_answers import compiled_as

MOST = 1_000
"""Positions that a solve looks at by itself."""
GAMES: dict[str, tuple[es.Game, dict[str, Any]]] = {
    "scores": (es.games.TicTacToe(), {}),
    "by player": (es.games.Dodgem(size=3), {}),
    "dense": (es.games.Nim(heaps=(3, 4, 5)), {"method": "graph"}),
    "numbers": (es.games.Pots(pots=(4, 9, 2, 7, 3)), {"method": "graph"}),
    "totals": (es.games.Pots(pots=(4, 9, 2, 7, 3)), {"method": "graph", "utility": "win"}),
    "texts": (es.games.RepeatBust(), {"method": "graph", "engine": "plain"}),
    "fractions": (es.games.Pig(target=10), {}),
    "ends": (es.games.Pig(target=10), {"interval": True}),
    "rounds": (es.games.Ur(pieces=1), {"method": "layers", "engine": "compiled", "interval": True}),
    "random": (es.games.TicTacToe(), {"fixed": {1: "random"}}),
    "worst": (es.games.TicTacToe(), {"symmetry": False, "fixed": {0: "worst"}}),
}


def looked_at(folder: Path, most: int) -> int:
    """How many rows an audit of at most so many looks at."""
    return ask("status", str(folder), "--audit", str(most))["audited_now"]


@pytest.mark.parametrize("name", GAMES)
def test_right_solutions_of_all_forms_pass(name: str, tmp_path: Path) -> None:
    game, options = GAMES[name]
    folder = es.save(es.solve(game, **options), tmp_path / "it")
    assert 0 < looked_at(folder, 150) <= 150
    stored = ask("status", str(folder))
    assert looked_at(folder, 10**6) >= 0.9 * min(stored["states"], stored["rows"])


def test_every_task_looks_at_its_share(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    thresholds.small_parts_of_layers(monkeypatch, 1_000)
    thresholds.audits_of_layers_take_their_time(monkeypatch)
    shares, folder = shares_looked_at(monkeypatch), tmp_path / "it"
    in_layers(folder, es.games.Dodgem(size=3), sent=True)
    status = ask("status", str(folder))
    assert status["parts"] > 1
    assert shares == list(range(status["parts"]))
    assert 0.8 * MOST <= status["audited"] <= MOST + status["parts"]


@pytest.mark.parametrize(
    ("right", "wrong", "told"),
    [
        (Long(plies=30), OddPlay(plies=30), "the rule 'play' says something else at State("),
        # Players alternate there, and nodes hold whose turn it is.
        pytest.param(
            Short(), OddPayoff(), "the rule 'payoff' says something else at Node(state=State(", marks=pytest.mark.slow
        ),
    ],
)
def test_a_wrong_solution_on_files_is_thrown_away(
    right: es.Game, wrong: es.Game, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    compiled_as(monkeypatch, wrong)
    thresholds.audits_of_layers_take_their_time(monkeypatch)
    folder = tmp_path / "it"
    with pytest.raises(Wrong, match="is wrong, and thrown away") as refusal:
        in_layers(folder, right)
    assert f"compiled, {told}" in str(refusal.value)
    assert refusal.value.exit_code == 4
    assert not folder.exists()


@pytest.fixture
def wrong_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A solution with one wrong value, of which everything else is as it should be."""
    store_a_wrong_value(monkeypatch)
    folder = es.save(es.solve(es.games.TicTacToe(), engine="plain"), tmp_path / "wrong")
    monkeypatch.undo()
    return folder


def test_a_wrong_value_is_found_later(wrong_folder: Path) -> None:
    done = run("status", str(wrong_folder), "--audit", "10000")
    assert done.code == 4
    assert not done.out
    assert "error: " in done.err
    assert "holds a wrong solution" in done.err
    assert "found:   the value at State(" in done.err
    assert ask("status", str(wrong_folder))["audited"] == 0


def test_status_tells_both_audits(tmp_path: Path) -> None:
    folder = tmp_path / "it"
    game = "connectfour:width=4,height=3"
    document = ask("solve", game, "-o", str(folder), "--engine", "compiled")
    assert 0 < document["audited"] <= MOST
    assert document["audited_now"] is None
    again = ask("status", str(folder), "--audit", "50")
    assert again["audited"] == document["audited"]
    assert 0 < again["audited_now"] <= 50
    assert f"{document['audited']:,} positions when it was solved, {again['audited_now']} positions now" in " ".join(
        run("status", str(folder), "--audit", "50").out.split()
    )


def test_rules_of_ones_own_are_named(tmp_path: Path) -> None:
    rules = tmp_path / "heap.py"
    rules.write_text(HEAP)
    folder = tmp_path / "it"
    assert run("solve", f"{rules}:Heap", "-o", str(folder)).code == 0
    refused = run("status", str(folder), "--audit", "9")
    assert refused.code == 3
    assert "--game" in refused.err
    assert ask("status", str(folder), "--audit", "9", "--game", f"{rules}:Heap")["audited_now"] == 9


HEAP = """
from typing import NamedTuple
from endsight import Game

class Heap(Game):
    class State(NamedTuple):
        left: int
    def limits(self):
        return self.State(10)
    def start(self):
        return self.State(10)
    def moves(self, state):
        return range(1, min(3, state.left) + 1)
    def play(self, state, move):
        return self.State(state.left - move)
    def payoff(self, state):
        return -1
"""


def test_a_record_that_was_changed_is_refused(tmp_path: Path) -> None:
    folder = es.save(es.solve(es.games.TicTacToe()), tmp_path / "it")
    record = folder / "AUDIT.json"
    record.write_text(re.sub(r'"audited": \d+', '"audited": 900', record.read_text()))
    refused = run("status", str(folder))
    assert (refused.code, "AUDIT.json is damaged" in " ".join(refused.err.split())) == (3, True)
    record.unlink()
    assert ask("status", str(folder))["audited"] is None


def test_an_unfinished_solution_is_not_audited(tmp_path: Path) -> None:
    assert run("solve", "tictactoe", "-o", str(tmp_path / "it"), "--states", "100").code == 5
    done = run("status", str(tmp_path / "it"), "--audit", "9")
    assert done.code == 3
    assert "is not finished" in done.err
