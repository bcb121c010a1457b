"""Solutions whose rules changed since, in one process: refused, or of the rules as they are."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import edited_rules
import endsight as es
from amounts import each
from edited_rules import Files, loaded
from endsight.errors import EndsightError, QuestionError

RULES: Files = {
    "rules.py": """
from array import array
from collections import deque
from types import MappingProxyType
from typing import NamedTuple

import helpers
import numpy as np

from endsight import Game

TABLE = [1, 2]
OTHERS = deque([1]), array("q", [1]), memoryview(bytearray([1])), np.array([1])
HIDDEN = {0: 1}
SHOWN = MappingProxyType(HIDDEN)


class Own(Game):
    by = 1

    class State(NamedTuple):
        at: int

    def setup(self):
        self.more = 0

    def limits(self):
        return self.State(6)

    def start(self):
        return self.State(0)

    def moves(self, state):
        return range(1, min(3, 7 - state.at))

    def play(self, state, move):
        return self.State(state.at + move)

    def payoff(self, state):
        return helpers.share() + TABLE[0] + SHOWN[0] + sum(int(each[0]) for each in OTHERS) + self.by + self.more


class Filling(Own):
    def setup(self):
        self.known, self.shown, self.asked, self.more = {}, {}, 0, 0

    def moves(self, state):
        self.asked += 1
        return self.known.setdefault(state.at, list(super().moves(state)))

    def show(self, state):
        return self.shown.setdefault(state, f"at {state.at}")
""",
    "helpers.py": """
UNIT = 1


def share(times=1):
    return UNIT * times
""",
}


def _rules(game: es.Game) -> Any:
    return sys.modules[type(game).__module__]


CHANGES: dict[str, Callable[[Any], None]] = {
    "a constant of a helper": lambda game: setattr(_rules(game).helpers, "UNIT", 9),
    "a helper": lambda game: setattr(_rules(game).helpers, "share", lambda: 9),
    "a default": lambda game: setattr(_rules(game).helpers.share, "__defaults__", (9,)),
    "a table": lambda game: _rules(game).TABLE.__setitem__(0, 9),
    "a dictionary behind a view": lambda game: _rules(game).HIDDEN.__setitem__(0, 9),
    **{
        f"table {number}": lambda game, number=number: _rules(game).OTHERS[number].__setitem__(0, 9)
        for number in range(4)
    },
    "an attribute of the class": lambda game: setattr(type(game), "by", 9),
    "an attribute of the game": lambda game: setattr(game, "more", 9),
    "a method": lambda game: setattr(type(game), "payoff", lambda self, state: 9),
}
MOVES = {"before": "1", "after": "2", "again": "1 1"}
ANSWERS: dict[str, Callable[[es.Solution, Path], Any]] = {
    "save": lambda solution, path: es.save(solution, path / "solved"),
    "prove": lambda solution, path: es.prove(solution),
    "options": lambda solution, path: solution.options(),
    "options after moves": lambda solution, path: solution.options("1 2"),
    "best_moves": lambda solution, path: solution.best_moves(),
    "line": lambda solution, path: solution.line(),
    "distribution": lambda solution, path: solution.distribution(),
    "length_distribution": lambda solution, path: solution.length_distribution(),
    "chain": lambda solution, path: solution.chain(),
    "value after moves": lambda solution, path: solution.value("1 2"),
    "another position": lambda solution, path: solution.afresh(solution.game.position(MOVES[path.name])),
}


@pytest.fixture
def game(tmp_path: Path) -> Any:
    game = loaded(tmp_path, RULES)
    assert game is not None
    yield game
    edited_rules.forget()


PAIRS = [(change, answer) for change in CHANGES for answer in ANSWERS]


@pytest.mark.parametrize("pair", each(PAIRS, lambda pair: PAIRS.index(pair) % 4 == 0), ids=" and then ".join)
def test_what_was_solved_before_a_change_is_refused(game: Any, tmp_path: Path, pair: tuple[str, str]) -> None:
    """Old values were stored under the key of the new rules, and old values stood beside payoffs of new ones."""
    change, answer = pair
    solution = es.solve(game)
    ANSWERS[answer](solution, tmp_path / "before")
    CHANGES[change](game)
    with pytest.raises(QuestionError, match="changed since they were solved"):
        ANSWERS[answer](solution, tmp_path / "after")
    assert not (tmp_path / "after").exists()
    assert es.solve(game).value() != solution.value()
    ANSWERS[answer](es.solve(game), tmp_path / "again")


@pytest.mark.parametrize("ask", ["solution", "value", "options", "best_moves", "distance"])
def test_what_was_opened_before_a_change_is_refused(game: Any, tmp_path: Path, ask: str) -> None:
    es.save(es.solve(game), tmp_path / "solved")
    table = es.open_tablebase(tmp_path / "solved", game)
    getattr(table, ask)()
    CHANGES["a helper"](game)
    with pytest.raises(QuestionError, match="changed since they were solved"):
        getattr(table, ask)()


def test_a_policy_that_changed_is_refused(game: Any, tmp_path: Path) -> None:
    took = [1]
    solution = es.solve(game, fixed={"first": lambda _, state: min(took[0], 6 - state.at)})
    took[0] = 2
    with pytest.raises(QuestionError, match="changed since they were solved"):
        es.save(solution, tmp_path / "after")


def test_what_only_a_user_sets_may_change(game: Any, tmp_path: Path) -> None:
    """A new game of such a class fails when it is played: `save` ended in that error of the rules."""
    del type(game).by
    with pytest.raises(EndsightError):
        es.solve(game)
    game.by = 1
    solution = es.solve(game)
    es.save(solution, tmp_path / "before")
    game.by = 9
    with pytest.raises(QuestionError, match="changed since they were solved"):
        es.save(solution, tmp_path / "after")


def test_what_rules_change_while_they_run_is_no_change(game: Any, tmp_path: Path) -> None:
    game = _rules(game).Filling()
    solution = es.solve(game, "1")
    for _ in range(2):
        assert solution.options() == solution.options("1")
        assert solution.line("2")
        assert solution.value("1 2")
    CHANGES["a constant of a helper"](game)
    with pytest.raises(QuestionError, match="have changed since they were solved"):
        solution.options()


def test_tables_may_grow_after_a_solve_but_not_before_it_is_stored(game: Any, tmp_path: Path) -> None:
    solution = es.solve(game)
    _rules(game).TABLE.append(3)  # as a list of what was worked out grows
    assert solution.options()
    with pytest.raises(QuestionError, match="another entry of a list"):
        es.save(solution, tmp_path / "after")


LOADED_LATER = """
from typing import NamedTuple
import endsight as es

class Rules(es.Game):
    class State(NamedTuple):
        left: int
    def limits(self): return self.State(3)
    def start(self): return self.State(3)
    def moves(self, state):
        return range(1, 1 + min(state.left, 2)) if state.left < 9 else es.exploit
    def play(self, state, move): return self.State(state.left - move)
    def payoff(self, state): return -1

solution = es.solve(Rules())
assert "exploit" not in vars(es)
assert es.exploit
print(solution.best_moves())
"""


def test_what_endsight_loads_when_it_is_asked_for_is_no_change(tmp_path: Path) -> None:
    file = tmp_path / "later.py"
    file.write_text(LOADED_LATER, encoding="utf-8")
    told = subprocess.run([sys.executable, file], capture_output=True, text=True, check=False)
    assert told.stdout == "['1', '2']\n", told.stderr


WITH_A_LIBRARY = """
from typing import NamedTuple
from numpy.random import default_rng
from endsight import Game

class Own(Game):
    players = 1
    class State(NamedTuple):
        left: int
    def limits(self): return self.State(3)
    def start(self): return self.State(3)
    def moves(self, state): return range(1, 1 + min(state.left, 2))
    def play(self, state, move): return self.State(state.left - move)
    def payoff(self, state): return 1 + int(default_rng(1).integers(1))
"""


def test_functions_of_a_library_that_make_their_attributes_anew_are_no_change(tmp_path: Path) -> None:
    """Functions compiled by Cython belong to a class of no library, which tells an offset as a new number each time."""
    game = loaded(tmp_path, {"rules.py": WITH_A_LIBRARY})
    assert game is not None
    solution = es.solve(game)
    assert (solution.value(), solution.best_moves()) == ({"player": 1}, ["1", "2"])
    edited_rules.forget()
