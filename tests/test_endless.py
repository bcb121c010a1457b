"""What rules say that play pays which never ends."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import endsight as es
import fuzz_judgement
from amounts import seed_rows
from command_line import run
from endsight import Game, check_rules
from endsight.errors import NoValue, RulesError

HALF = Fraction(1, 2)

RULES = '''
from fractions import Fraction
from typing import NamedTuple
from endsight import Game

class Ring(Game):
    """Round four squares; whoever leaves the ring loses."""
    endless = Fraction(1, 2)
    class State(NamedTuple):
        square: int
    def limits(self): return self.State(5)
    def start(self): return self.State(0)
    def to_move(self, state): return state.square % 2
    def moves(self, state):
        if state.square < 4: yield from (0, 1)
    def play(self, state, move): return self.State((state.square + 1) % 4 if move == 0 else 4 + state.square % 2)
    def payoff(self, state): return (0, 1) if state.square == 4 else (1, 0)
'''


class Ring(Game):
    """Round four squares; whoever leaves the ring loses 1."""

    class State(NamedTuple):
        square: int

    def limits(self) -> State:
        return self.State(4)

    def start(self) -> State:
        return self.State(0)

    def moves(self, state: State) -> Any:
        if state.square < 4:
            yield from (0, 1)

    def play(self, state: State, move: int) -> State:
        return self.State((state.square + 1) % 4 if move == 0 else 4)

    def payoff(self, state: State) -> int:
        return 1


class FirstWaits(Ring):
    endless = (1, -1)


class SecondWaits(Ring):
    endless = (-1, 1)


class Both(Ring):
    endless = 1


class Line(Ring):
    """No loop: what endless play pays does not matter."""

    endless = (1, -1)

    def play(self, state: Any, move: int) -> Any:
        return self.State(state.square + 1 if move == 0 else 4)


@pytest.mark.parametrize(
    ("kind", "value", "distance"), [(Ring, 0, None), (FirstWaits, 1, None), (SecondWaits, -1, None)]
)
def test_who_is_paid_for_waiting_waits(kind: type[Ring], value: int, distance: int | None) -> None:
    solution = es.solve(kind())
    assert solution.values() == (value, -value)
    assert solution.category() == ("draw", "win", "loss")[value]
    assert solution.distance() is distance
    assert [solution.value(move_to)["first"] for move_to in (kind().position("0"), kind().position("1"))] == [value, -1]
    assert es.verify(es.prove(solution), kind).claim
    assert dict(solution.distribution()) == {value: 1}


def test_both_cannot_be_paid_for_waiting_in_a_game_of_rivals() -> None:
    with pytest.raises(NoValue, match="not opposed") as refused:
        es.solve(Both())
    assert "endless = 0 in the rules" in str(refused.value)


def test_games_without_loops_do_not_feel_it() -> None:
    class Plain(Line):
        endless = 0

    plain = es.solve(Plain())
    assert plain.distance() == 4
    for method in ("auto", "graph", "layers", "search", "alphabeta", "proofnumber"):
        assert es.solve(Line(), method=method).values() == plain.values()
    assert es.solve(Line()).distance() == plain.distance()


@pytest.mark.parametrize("said", [0.5, "1", (1, 2, 3), (1,), None])
def test_what_cannot_be_paid_is_refused(said: Any) -> None:
    class Wrong(Ring):
        endless = said

    with pytest.raises(RulesError, match="endless is not a payoff for play that never ends") as refused:
        es.solve(Wrong())
    assert "endless = 0, or endless = (1, -1)" in str(refused.value)


def test_it_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ring.py").write_text(RULES, encoding="utf-8")
    assert "Play that never ends pays 1/2 to each player." in run("games", "ring.py").out
    assert "endless play  pays 1/2 = 0.5 to each player" in run("check", "ring.py").out
    assert "Play that never ends pays 1/2 = 0.5 to each player." in run("analyze", "ring.py").out
    document = json.loads(run("value", "ring.py", "--json").out)
    assert document["facts"]["endless"]["first"] == {"exact": "1/2", "approx": 0.5}
    assert document["value"]["first"]["exact"] == "1/2"
    run("solve", "ring.py", "-o", "kept")
    (tmp_path / "ring.py").write_text(RULES.replace("Fraction(1, 2)", "Fraction(1, 3)"), encoding="utf-8")
    assert "mean something else today" in run("value", "ring.py", "--from", "kept").err
    (tmp_path / "ring.py").write_text(RULES.replace("    endless = Fraction(1, 2)\n", ""), encoding="utf-8")
    assert "endless = Fraction(1, 2) in the rules" in run("value", "ring.py").err


@pytest.mark.parametrize("seeds", seed_rows(80, 5, 7001))
def test_random_games_where_endless_play_pays(seeds: range) -> None:
    counts, wrong = fuzz_judgement.run(seeds, kind="waiting", compiled=10)
    assert not wrong, "\n".join(wrong)
    assert counts["certified"] > len(seeds) / 2


def test_check_says_what_staying_for_ever_pays() -> None:
    class Stays(Ring):
        """Nothing ends, which the second player likes."""

        endless = (-1, 1)

        def moves(self, state: Any) -> Any:
            yield 0

        def play(self, state: Any, move: int) -> Any:
            return state

    cures = [warning.cure for warning in check_rules(Stays()).warnings]
    assert any(cure.endswith("which pays first -1, second 1") for cure in cures)
