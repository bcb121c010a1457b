"""Stored solutions are looked at by the rules in Python: when they are solved on files, and later."""

from __future__ import annotations

import pickle
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import endsight as es
from command_line import ask, run
from endsight import Question
from endsight.answers import auditing
from endsight.errors import FileError, Wrong
from endsight.layers.executors import Serial
from endsight.layers.solving import solve_layered
from endsight.storage import parts
from endsight.storage import values as stored_values
from endsight.storage.audit import audit_folder
from endsight.storage.audit_record import audited_rows
from endsight.storage.saving import solve_into
from test_auditing import Long, OddPayoff, OddPlay, Short
from wrong_answers import compiled_as

GAMES: dict[str, tuple[es.Game, dict[str, Any], dict[str, Any]]] = {
    "scores": (es.games.TicTacToe(), {}, {}),
    "by player": (es.games.Dodgem(size=3), {}, {}),
    "dense": (es.games.Nim(heaps=(3, 4, 5)), {}, {}),
    "numbers": (es.games.Pots(pots=(4, 9, 2, 7, 3)), {}, {}),
    "totals": (es.games.Pots(pots=(4, 9, 2, 7, 3)), {}, {"utility": "win"}),
    "texts": (es.games.RepeatBust(), {"engine": "plain"}, {}),
    "fractions": (es.games.Pig(target=10), {}, {}),
    "ends": (es.games.Pig(target=10), {"kind": "interval"}, {}),
    "rounds": (es.games.Ur(pieces=1), {"method": "layers", "engine": "compiled", "kind": "interval"}, {}),
    "random": (es.games.TicTacToe(), {}, {"fixed": {1: "random"}}),
    "worst": (es.games.TicTacToe(), {"symmetry": False}, {"fixed": {0: "worst"}}),
}


@pytest.mark.parametrize("name", GAMES)
def test_right_solutions_of_all_forms_pass(name: str, tmp_path: Path) -> None:
    game, options, question = GAMES[name]
    manifest = solve_into(tmp_path / "it", game.position(), Question(**question), **options).manifest
    assert 0 < audit_folder(tmp_path / "it", None, 150) <= 150
    looked = audit_folder(tmp_path / "it", None, 10**6)
    assert looked >= 0.9 * min(manifest.states, manifest.rows)


class Sent(Serial):
    """Tasks and what they give back as they travel to another process."""

    def run(self, task: Any, calls: Any) -> Iterator[Any]:
        for call in calls:
            yield call, pickle.loads(pickle.dumps(task(*pickle.loads(pickle.dumps(call)))))


def test_every_task_looks_at_its_share(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts, "PART_ROWS", 1 << 22)
    monkeypatch.setattr("endsight.layers.table.PART_ROWS", 1_000)
    monkeypatch.setattr("endsight.layers.auditing.LEAST_SECONDS", 60.0)
    shares: list[int] = []
    honest = auditing.audit

    def audit(*arguments: Any, share: int = 0) -> auditing.Audit:
        shares.append(share)
        return honest(*arguments, share=share)

    monkeypatch.setattr("endsight.storage.audit.audit", audit)
    folder = tmp_path / "it"
    manifest = solve_layered(folder, es.games.Dodgem(size=3).position(), executor=Sent()).manifest
    assert len(manifest.parts) > 1
    assert shares == list(range(len(manifest.parts)))
    assert audited_rows(folder) == ask("status", str(folder))["audited"]
    assert 0.8 * auditing.MOST <= (audited_rows(folder) or 0) <= auditing.MOST + len(manifest.parts)


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
    monkeypatch.setattr("endsight.layers.auditing.LEAST_SECONDS", 60.0)
    folder = tmp_path / "it"
    with pytest.raises(Wrong, match="is wrong, and thrown away") as refusal:
        solve_layered(folder, right.position())
    assert f"compiled, {told}" in str(refusal.value)
    assert refusal.value.exit_code == 4
    assert not folder.exists()


@pytest.fixture
def wrong_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A solution with one wrong value, of which everything else is as it should be."""
    honest = stored_values.scores

    def scores(values: Any, distances: Any, draw: Any) -> Any:
        values, distances = list(values), list(distances)
        place = max(node for node, plies in enumerate(distances) if plies)
        values[place] = values[place][::-1]
        return honest(values, distances, draw)

    monkeypatch.setattr(stored_values, "scores", scores)
    folder = es.save(es.solve(es.games.TicTacToe(), engine="plain"), tmp_path / "wrong")
    monkeypatch.undo()
    return folder


def test_a_wrong_value_is_found_later(wrong_folder: Path) -> None:
    with pytest.raises(Wrong, match="holds a wrong solution"):
        audit_folder(wrong_folder, None, 10_000)
    done = run("status", str(wrong_folder), "--audit", "10000")
    assert done.code == 4
    assert not done.out
    assert "error: " in done.err
    assert "found:   the value at State(" in done.err
    assert ask("status", str(wrong_folder))["audited"] == 0


def test_status_tells_both_audits(tmp_path: Path) -> None:
    folder = tmp_path / "it"
    game = "connectfour:width=4,height=3"
    document = ask("solve", game, "-o", str(folder), "--engine", "compiled")
    assert 0 < document["audited"] <= auditing.MOST
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
    with pytest.raises(FileError, match=r"AUDIT\.json is damaged"):
        audited_rows(folder)
    record.unlink()
    assert ask("status", str(folder))["audited"] is None


def test_an_unfinished_solution_is_not_audited(tmp_path: Path) -> None:
    assert run("solve", "tictactoe", "-o", str(tmp_path / "it"), "--states", "100").code == 5
    done = run("status", str(tmp_path / "it"), "--audit", "9")
    assert done.code == 3
    assert "is not finished" in done.err
