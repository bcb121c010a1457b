"""Work that is stopped says what ran the rules, and why they were not compiled, as the answer would have."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from command_line import ask, run

RULES = """
from typing import NamedTuple
from endsight import CHANCE, Game

class Doubling(Game):
    depth: int = 3
    deed: str = "none"

    class State(NamedTuple):
        count: int

    def limits(self): return self.State(2**20)
    def start(self): return self.State(1)
    def to_move(self, state): return state.count % 2
    def moves(self, state): return (0, 1) if state.count < 2**self.depth else ()
    def payoff(self, state): return (1, -1) if state.count % 3 else (-1, 1)

    def play(self, state, move):
        return self.State(2 * state.count + move + (eval("0") if self.deed == "eval" else 0))

class Hidden(Doubling):
    def to_move(self, state): return CHANCE if state.count == 1 else state.count % 2
    def sees(self, state, player): return state.count if player else state.count % 2
"""
REASON = "the call of eval cannot be compiled: write what it does (doubling.py, line 19)"
IN_PYTHON = "this method works in Python"


@pytest.fixture
def rules(tmp_path: Path) -> str:
    file = tmp_path / "doubling.py"
    file.write_text(RULES, encoding="utf-8")
    return f"{file}:Doubling"


def told(*command: str, states: int) -> tuple[str, str | None]:
    """The engine and the refusal of an answer, which are those of the same question once it is stopped."""
    method = ask("value", *command)["method"]
    stopped = run("value", *(part.replace("depth=3", "depth=14") for part in command), f"--states={states}", "--json")
    assert stopped.code == 5
    document = json.loads(stopped.out)
    assert document["status"] != "exact"
    assert document["method"]["engine"] == method["engine"]
    assert document["method"]["refused"] == method["refused"]
    note = f"note: the rules were not compiled: {method['refused']}\n"
    assert (note in stopped.err) == (method["refused"] is not None)
    return method["engine"], method["refused"]


@pytest.mark.parametrize("method", ["auto", "graph", "layers", "search", "minimax", "alphabeta", "proofnumber"])
def test_rules_that_cannot_be_compiled(rules: str, method: str) -> None:
    question = f"{rules}:depth=3,deed=eval", f"--method={method}"
    reason = IN_PYTHON if method in ("minimax", "alphabeta") else REASON
    assert told(*question, "--engine=compiled", states=8) == ("plain", reason)
    assert told(*question, "--engine=plain", states=8) == ("plain", None)


@pytest.mark.parametrize("method", ["auto", "graph", "layers", "search", "minimax", "alphabeta", "proofnumber"])
def test_rules_that_can_be_compiled(rules: str, method: str) -> None:
    is_plain = method in ("minimax", "alphabeta")
    engine, reason = ("plain", IN_PYTHON) if is_plain else ("compiled", None)
    assert told(f"{rules}:depth=3", f"--method={method}", "--engine=compiled", states=8) == (engine, reason)


@pytest.mark.parametrize("deed", ["none", "eval"])
def test_players_who_see_different_things(rules: str, deed: str) -> None:
    game = f"{rules.replace('Doubling', 'Hidden')}:depth=3,deed={deed}"
    expected = ("compiled", None) if deed == "none" else ("plain", REASON)
    assert told(game, "--engine=compiled", states=3_000) == expected
    assert told(game, "--engine=plain", states=3_000) == ("plain", None)
