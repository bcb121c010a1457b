"""What beginners get wrong in rules: each message names the rule, its line, what was found, and what to do."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import endsight as es
from command_line import ask, run
from endsight import Game
from endsight.errors import RulesError
from endsight.errors.legal_moves import MOST_MOVES
from hidden_games import Poker
from thresholds import check_without_samples

RULES = """from typing import NamedTuple
from endsight import CHANCE, Game

class Heap(Game):
    goal: int = 5

    class State(NamedTuple):
        left: int

    def limits(self):
        return self.State(self.goal)

    def start(self):
        return self.State(self.goal)

    def moves(self, state):
        return range(1, min(2, state.left) + 1)

    def play(self, state, move):
        return self.State(state.left - move)

    def payoff(self, state):
        return -1
"""
MOVES = "return range(1, min(2, state.left) + 1)"
BOTH = "\n        if state.left == 1:\n            return [1]\n        yield 1"
SHOW_MOVE = "    def show_move(self, state, move):\n        return move\n"
TURNS = "    def to_move(self, state):\n        return state.left % 2\n"


def rules(folder: Path, old: str = "", new: str = "", more: str = "") -> str:
    file = folder / "heap.py"
    file.write_text(RULES.replace(old, new) + more)
    return str(file)


def line_of(file: str, text: str) -> str:
    lines = Path(file).read_text().splitlines()
    return f"heap.py, line {1 + next(number for number, line in enumerate(lines) if text in line)}"


RULES_OF_GAMES = (
    *(
        "setup",
        "limits",
        "start",
        "moves",
        "play",
        "payoff",
        "to_move",
        "seat",
        "sees",
        "weight",
        "reward",
        "canonical",
    ),
    *("exchanged", "layer", "rank", "unrank", "par", "show", "parse", "show_move", "parse_move"),
)
TAKEN = {*RULES_OF_GAMES, *(name for name in vars(Game) if callable(getattr(Game, name)))}


@pytest.mark.parametrize("how", ["    {}: int = 3", "    {} = 3", "    {}: int", "    pass\n\nOdd.{} = 3"])
def test_a_parameter_or_constant_called_like_a_rule_is_refused(tmp_path: Path, how: str) -> None:
    names = sorted(name for name in TAKEN if not name.startswith("_"))
    assert {"layer", "parameters", "reward", "seat", "title"} <= set(names)
    for name in names:
        file = rules(tmp_path, more=f"\n\nclass Odd(Heap):\n{how.format(name)}\n")
        for command in ("value", "games", "check"):
            said = run(command, f"{file}:Odd")
            assert (said.code, said.out) == (4 if command == "check" else 3, "")
            assert said.err.startswith(
                f"error: Odd: {name} is the name of a rule, and cannot be a parameter or a constant\n"
            )
            assert said.err.endswith(f"such as the_{name}\n")
    assert run("value", f"{file}:Heap").code == 0


@pytest.mark.parametrize("ask_of", [es.solve, es.analyze, es.estimate, es.table, es.fair, es.gym_env])
def test_functions_refuse_such_a_name_too(ask_of: Callable[[es.Game], object]) -> None:
    class Weighed(es.games.Pots):
        weight: int = 3  # type: ignore[assignment]

    class Constant(es.games.Pots):
        layer = 3  # type: ignore[assignment]

    for kind, name in ((Weighed, "weight"), (Constant, "layer")):
        with pytest.raises(RulesError, match=f"{name} is the name of a rule, and cannot be a parameter or a constant"):
            ask_of(kind(pots=(4, 9)))


def test_rules_made_of_descriptors_and_objects_that_can_be_called_are_rules(tmp_path: Path) -> None:
    more = """
from functools import partial, partialmethod

class Ends:
    def __call__(self, state): return -1

class Odd(Heap):
    payoff = Ends()
    show_move = partialmethod(lambda self, form, state, move: form % move, "m%d")
    @property
    def limits(self): return partial(self.State, 5)
"""
    document = ask("analyze", rules(tmp_path, more=more) + ":Odd")
    assert {move["move"] for move in document["moves"]} == {"m1", "m2"}


@pytest.mark.parametrize(
    ("old", "new", "more", "rule", "words"),
    [
        (
            "",
            "",
            "    def show_move(self, state, move):\n        return move\n",
            "show_move",
            ("does not return text", "1 in left=5"),
        ),
        ("", "", "    def draw(self, state):\n        return 7\n", "draw", ("does not return text", "7 in left=5")),
        (
            MOVES,
            "\n        if state.left == 1:\n            return [1]\n        yield 1",
            "",
            "moves",
            ("discards the value",),
        ),
        (
            "return -1",
            "return 1",
            TURNS,
            "payoff",
            ("payoff returns a single number", "1 in left=0", "a tuple of 2", "(1, -1)"),
        ),
        ("return -1", "return float('nan')", "", "payoff", ("payoff returns no exact number", "nan in left=0")),
        (
            "def play(self, state, move):",
            "def play(self, move):",
            "",
            "play",
            ("takes 2 pos", "def play(self, state, move)"),
        ),
        ("def start(self):", "def start():", "", "start", ("TypeError", "allowed: def start(self)")),
        ("def payoff(self, state):", "def payoff(self):", "", "payoff", ("TypeError", "def payoff(self, state)")),
    ],
)
def test_the_rule_and_its_line_are_named(
    tmp_path: Path, old: str, new: str, more: str, rule: str, words: tuple[str, ...]
) -> None:
    file = rules(tmp_path, old, new, more)
    place = line_of(file, f"def {rule}(")
    answer = run("analyze", file)
    assert answer.code == 3
    for word in (*words, place):
        assert word in answer.err, answer.err
    assert "endsight/" not in answer.err
    fault = next(fault for fault in run_check(file)["faults"] if fault["rule"] == rule)
    assert place in fault["message"] or fault["place"] == place


def run_check(file: str) -> dict:
    return json.loads(run("check", file, "--json").out)


def test_a_nan_is_told_as_what_it_is(tmp_path: Path) -> None:
    faults = run_check(rules(tmp_path, "return -1", "return float('nan')"))["faults"]
    assert [fault["message"] for fault in faults] == ["returns nan: no exact number"]


def test_the_rules_of_a_game_are_told_by_their_own_mistake(tmp_path: Path) -> None:
    answer = run("games", rules(tmp_path, "def limits(self):", "def limits(self, state):"))
    assert answer.code == 3
    assert "the rule 'limits' does not work" in answer.err
    assert "allowed: def limits(self)" in answer.err


def test_every_missing_rule_is_named_once(tmp_path: Path) -> None:
    file = rules(tmp_path, RULES[RULES.index("    def moves") :], "")
    out = run("check", file).out
    assert [line for line in out.splitlines() if line.startswith("error")] == [
        f"error: {rule} is missing" for rule in ("moves", "play", "payoff")
    ]
    assert "cure: write def play(self, state, move) in class Heap" in out


def test_misspelt_rules_are_pointed_out(tmp_path: Path) -> None:
    wrong = {"rewards": "reward", "tomove": "to_move", "wait": "weight", "show_moves": "show_move"}
    more = "".join(f"    def {name}(self, *about):\n        return 0\n" for name in wrong)
    warnings = ask("check", rules(tmp_path, more=more))["warnings"]
    assert {fault["rule"]: fault["cure"] for fault in warnings} == {
        name: f"rename it to {rule}" for name, rule in wrong.items()
    }
    used = (
        "    def rewards(self):\n        return 0\n    def reward(self, state, move):\n        return self.rewards()\n"
    )
    assert not ask("check", rules(tmp_path, more=used))["warnings"]


def test_built_in_games_have_no_rule_that_is_never_asked() -> None:
    for game in map(es.load, ("nim", "pig:target=4", "pigturn", "hiddenpots:count=3,max=2", "dodgem:size=2")):
        report = es.check_rules(game)
        assert not [
            fault for fault in report.warnings if "is no rule" in fault.message or "never asked" in fault.message
        ]


def test_a_weight_that_is_never_asked_is_pointed_out(tmp_path: Path) -> None:
    more = "    def weight(self, state, move):\n        return 1\n"
    assert "warning: weight is never used" in run("check", rules(tmp_path, more=more)).out


def test_moves_without_end_are_refused_by_all(tmp_path: Path) -> None:
    endless = "\n        number = 0\n        while state.left:\n            number += 1\n            yield number"
    file = rules(tmp_path, MOVES, endless)
    for command in ("value", "check", "estimate", "simulate"):
        answer = run(command, file)
        assert answer.code in (3, 4)
        assert f"more than {MOST_MOVES:,} moves" in " ".join((answer.err + answer.out).split()), command


def test_states_that_grow_without_end_are_pointed_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    check_without_samples(monkeypatch)
    file = rules(tmp_path, "state.left - move", "state.left + move").replace("\\", "/")
    Path(file).write_text(Path(file).read_text().replace("State(self.goal)", "State(10**9)", 1))
    assert "no end was found" in " ".join(run("check", file, "--states", "1500").out.split())


POLICIES = "def named(game, state):\n    return '1'\ndef wrong(game, state):\n    return 7\n"


def test_a_policy_gives_the_move_and_not_its_name(tmp_path: Path) -> None:
    file, policies = rules(tmp_path), tmp_path / "policies.py"
    policies.write_text(POLICIES)
    named = run("value", file, "--fix", f"first={policies}:named")
    assert named.code == 3
    assert "the policy named chose a move that is not legal" in named.err
    assert "'1', the name of a move, not the move, in left=5" in named.err
    assert "try:     return 1" in named.err
    wrong = run("value", file, "--fix", f"first={policies}:wrong").err
    assert "7, in left=5" in wrong
    assert "allowed: 1 (1), 2 (2)" in wrong
    more = "    def policy_named(self, state):\n        return '1'\n"
    assert "returns '1', the name of the move 1" in run("check", rules(tmp_path, more=more)).out


@pytest.mark.parametrize("one", [True, 1.0])
def test_a_move_of_another_type_is_played_as_the_move_that_it_equals(tmp_path: Path, one: object) -> None:
    file, fixed = rules(tmp_path), dict.fromkeys(("first", "second"), lambda game, state: one)
    found = es.solve(file, fixed=fixed)
    assert set(found.line()) == {"1"}
    for limits in (None, es.Limits(states=1)):
        sample = es.simulate(file, fixed=fixed, games=1, limits=limits)
        assert list(sample.counts) == [found.values()[0]]


def test_players_are_counted_behind_thousands_of_deals() -> None:
    assert Poker(cards=50).player_names == ("first", "second")


def test_one_player_paid_and_two_who_move(tmp_path: Path) -> None:
    # The first end is met before anybody but the first player moves.
    more = "    def to_move(self, state):\n        return 1 if state.left == 3 else 0\n"
    file = rules(tmp_path, "goal: int = 5", "goal: int = 2", more)
    answer = run("value", f"{file}:goal=5")
    assert "payoff" in answer.err


# -------------------------------------------------------------------- rules that never return


HANG = "\n        while state.left == 3:\n            pass\n        return self.State(state.left - move)"


@pytest.mark.skipif(os.name == "nt", reason="signals differ")
def test_a_rule_that_never_returns_is_named(tmp_path: Path) -> None:
    file = rules(tmp_path, "\n        return self.State(state.left - move)", HANG)
    where = "in the rule 'play' (heap.py, line 2"
    for command in ("value", "check", "estimate"):
        answer = run(command, file, "--time", "0.3")
        assert answer.code == 5
        assert where in answer.err, answer.err


@pytest.mark.skipif(os.name == "nt", reason="signals differ")
def test_ctrl_c_names_it_too_and_keeps_the_rows_of_a_sweep(tmp_path: Path) -> None:
    tells = "\n        if state.left == 3:\n            print(end='3', flush=True)"
    file = rules(tmp_path, "\n        return self.State(state.left - move)", tells + HANG)
    command = [sys.executable, "-m", "endsight", "sweep", file, "--vary", "goal=1..4"]
    work = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=tmp_path)
    assert work.stderr is not None
    assert work.stderr.read(1) == "3"  # what rules print comes there: now it goes round
    assert work.stdout is not None
    lines = iter(work.stdout.readline, "")  # they are out while the third is at work
    assert next(line.split()[:2] for line in lines if line.split()[:1] == ["1"]) == ["1", "1"]
    assert next(lines).split()[:2] == ["2", "1"]
    work.send_signal(signal.SIGINT)
    out, err = work.communicate(timeout=60)
    assert (work.returncode, out) == (130, ""), err
    assert "in the rule 'play' (heap.py, line 2" in err


@pytest.mark.skipif(os.name == "nt", reason="signals differ")
@pytest.mark.parametrize("form", ["--json", "--plain"])
def test_ctrl_c_leaves_what_is_done_of_a_sweep_for_programs(tmp_path: Path, form: str) -> None:
    tells = "\n        if state.left == 3:\n            print(end='3', flush=True)"
    file = rules(tmp_path, "\n        return self.State(state.left - move)", tells + HANG)
    command = [sys.executable, "-m", "endsight", "sweep", file, "--vary", "goal=1..4", form]
    work = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=tmp_path)
    assert work.stderr is not None
    assert work.stderr.read(1) == "3"
    work.send_signal(signal.SIGINT)
    out, err = work.communicate(timeout=60)
    assert work.returncode == 130, err
    rows = (row["goal"] for row in json.loads(out)["rows"]) if form == "--json" else out.splitlines()
    assert len(list(rows)) == (2 if form == "--json" else 3)
