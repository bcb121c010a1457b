"""`check` asks rules that use sets again in processes with other hashes of texts."""

from __future__ import annotations

from pathlib import Path

import pytest

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
    assert f"broken: {rule} gives" in text
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
