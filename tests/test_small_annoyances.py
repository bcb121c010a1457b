"""What people who wrote games from the docs found misleading, by command."""

from __future__ import annotations

import shlex
import sys
from collections import Counter
from pathlib import Path

import pytest

import endsight as es
from censuses import count_few_in_estimates, follow_trend
from command_line import ask, run
from endsight import short_rules

HEAD = "from typing import NamedTuple\nfrom endsight import CHANCE, Game\n\n"
HEAP = """class Heap(Game):
    heap: int = 5
    class State(NamedTuple):
        left: int
    def limits(self): return self.State(self.heap)
    def start(self): return self.State(self.heap)
    def moves(self, state): return range(1, min(2, state.left) + 1)
    def play(self, state, move): return self.State(state.left - move)
    def payoff(self, state): return -1
"""
DIE = """class Die(Game):
    goal: int = 6
    class State(NamedTuple):
        total: int
        rolling: int
    def limits(self): return self.State(self.goal + 6, 1)
    def start(self): return self.State(0, 1)
    def moves(self, state):
        if state.total >= self.goal: return ()
        return (1, 2) if state.rolling else (0, 1)
    def to_move(self, state): return CHANCE if state.rolling else 0
    def play(self, state, move):
        if state.rolling: return self.State(state.total + move, 0)
        return self.State(state.total, 1) if move else self.State(self.goal, 0)
    def payoff(self, state): return state.total
"""
BACK = """class Back(Game):
    size: int = 4
    class State(NamedTuple):
        at: int
    def limits(self): return self.State(self.size + 1)
    def start(self): return self.State(0)
    def moves(self, state):
        if state.at <= self.size: yield 1
        if state.at == self.size and self.size > 3: yield 2
    def play(self, state, move): return self.State(state.at + 1 if move == 1 else state.at - 1)
    def reward(self, state, move): return ((1, -1) if self.size % 2 == 0 else (-1, 1)) if move == 2 else (0, 0)
    def payoff(self, state): return (0, 0)
"""
ROUND = HEAP.replace("state.left - move", "state.left")


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Write rules into a file of the current folder; gives its name."""
    monkeypatch.chdir(tmp_path)

    def written(text: str) -> str:
        (tmp_path / "game.py").write_text(HEAD + text)
        return "game.py"

    return written


# -------------------------------------------------------------------- sweep


def test_a_setting_without_a_value_has_a_row(write) -> None:
    answer = run("sweep", write(BACK), "--vary", "size=2..5")
    assert answer.code == 0
    rows = [line.split() for line in answer.out.splitlines() if line.strip()[:1].isdigit()]
    assert [row[0] for row in rows] == ["2", "3", "4", "5"]
    assert answer.out.count("no value: play can") == 2
    assert [row["value"] is None for row in ask("sweep", "game.py", "--vary", "size=2..5")["rows"]] == [False] * 2 + [
        True
    ] * 2


def test_rules_that_break_at_one_setting_keep_the_rows_before_it(write) -> None:
    file = write(HEAP.replace("return -1", "return 1 // (4 - self.heap)"))
    answer = run("sweep", file, "--vary", "heap=2..6")
    assert answer.code == 3
    assert answer.err.startswith("error: heap=4: ")
    assert [line.split()[0] for line in answer.out.splitlines()[3:]] == ["2", "3"]


# -------------------------------------------------------------------- solve


def test_the_advice_of_solve_asks_the_same_question(write) -> None:
    options = ["--at", "1", "--objective", "cooperative", "--utility", "lead", "--fix", "second=random"]
    out = run("solve", write(HEAP), "-o", "stored", *options).out
    command = shlex.split(" ".join(out.split("now:")[1].split()))
    assert command[:3] == ["endsight", "analyze", "game.py"]
    assert run(*command[1:]).code == 0
    assert set(options) < set(command)


@pytest.mark.parametrize("there", [False, True])
def test_a_refused_solve_leaves_nothing(write, tmp_path: Path, there: bool) -> None:
    folder = tmp_path / "stored"
    if there:
        folder.mkdir()
    for options in ([], ["--method", "search"], ["--mode", "disk"]):
        assert run("solve", write(BACK), "-o", "stored", *options).code in (2, 3)
        assert folder.exists() == there
        assert not there or not list(folder.iterdir())
    assert run("solve", write(HEAP), "-o", "stored").code == 0
    assert run("solve", write(BACK), "-o", "stored").code == 3
    assert run("status", "stored", "--check").code == 0


# -------------------------------------------------------------------- estimate, growth


def test_estimate_says_how_far_it_has_judged(write, monkeypatch: pytest.MonkeyPatch) -> None:
    count_few_in_estimates(monkeypatch, 100)
    write(BACK)
    out = run("estimate", "game.py:size=3000").out
    assert "Only its first positions were checked for loops" in " ".join(out.split())
    assert ask("estimate", "game.py:size=3")["judged"]
    assert "looked at for loops" not in run("estimate", "connectfour:width=4,height=3").out


def test_counting_may_go_deeper_than_random_play() -> None:
    nodes, lower, upper, moves = follow_trend([(1.0, 1.0, 1)] * 4, [1.0] * 10)
    assert lower <= nodes == 10 <= upper
    assert moves == 1


def test_the_first_measurement_of_growth_is_warm(write) -> None:
    """It is measured twice, which rules notice that count their payoffs."""
    counting = "def payoff(self, state):\n        ASKED.append(self.heap)\n        return -1"
    game = es.load(write("ASKED = []\n" + HEAP.replace("def payoff(self, state): return -1", counting)))
    rows = es.growth(game, "heap=3..5", "graph").to_dicts()
    asked = Counter(sys.modules[type(game).__module__].ASKED)
    assert asked[3] > 2 * asked[5] > 0
    assert [row["heap"] for row in rows] == [3, 4, 5]


# -------------------------------------------------------------------- lines, lengths, fairness


def test_a_line_that_comes_back_says_so(write) -> None:
    file = write(ROUND)
    assert "This is the position at the beginning again" in run("line", file).out
    document = ask("line", file)
    assert (document["back_to"], len(document["moves"])) == (0, 2)
    assert ask("line", "nim")["back_to"] is None
    assert "for ever" not in run("line", "nim").out


def test_play_that_need_not_end_has_no_length(write) -> None:
    file = write(ROUND)
    assert "Play may never end, so it has no expected length" in run("fair", file).out
    out = run("dist", file, "--length").out
    assert "\n\n\n" not in out
    assert "\n\n\n" not in run("dist", "nim", "--length").out


# -------------------------------------------------------------------- the same words however it is asked


@pytest.mark.parametrize("name", ["pigturn", "die"])
def test_expected_does_not_depend_on_where_the_answer_comes_from(write, name: str) -> None:
    game = write(DIE) if name == "die" else name
    assert run("solve", game, "-o", "stored").code == 0
    assert "Expected, with best play" in run("analyze", game).out
    assert "Expected, with best play" in run("analyze", game, "--from", "stored").out


def test_who_has_won_does_not_depend_on_whose_turn_the_end_is(write) -> None:
    said = []
    for mover in ("CHANCE", "0", "1"):
        to_move = f"    def to_move(self, state): return {mover} if state.left == 0 else state.left % 2\n"
        file = write(HEAP.replace("return -1", "return (1, -1)") + to_move)
        said.append(
            (run("value", file, "--at", "2 2 1").out, run("analyze", file, "--at", "2 2 1").out.splitlines()[4])
        )
    assert len(set(said)) == 1
    assert said[0] == ("first has won\n", "The game is over: first has won.")


def test_status_says_what_rows_are(write) -> None:
    # The same heap may stand before either player.
    file = write(HEAP.replace("return -1", "return (1, 2) if state.left else (0, 1)"))
    assert run("solve", file, "-o", "stored").code == 0
    document = ask("status", "stored")
    out = " ".join(run("status", "stored").out.split())
    assert document["rows"] > document["states"]
    assert f"rows {document['rows']}: one for each state and player to move there" in out
    assert run("solve", "tictactoe", "-o", "tictactoe").code == 0
    assert "rows" not in run("status", "tictactoe").out


# -------------------------------------------------------------------- games, names


def test_games_lists_what_the_first_player_may_do(write) -> None:
    then = ask("games", write(DIE))["then"]
    assert then == {"after": "1", "to_move": "player", "moves": ["0", "1"]}
    assert "after 1" in run("games", "game.py").out
    assert ask("games", "nim")["then"] is None


@pytest.mark.parametrize("columns", [30, 40, 100])
def test_the_list_of_games_keeps_to_the_terminal(monkeypatch: pytest.MonkeyPatch, columns: int) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    lines = run("games").out.splitlines()
    assert max(map(len, lines)) <= columns
    assert any(line.split()[:1] == ["tictactoe"] for line in lines)


def test_a_parameter_in_the_place_of_the_class(write) -> None:
    err = run("value", f"{write(HEAP)}:heap").err
    assert "allowed: game.py:CLASS:PARAMETER=VALUE" in err
    advised = err.split("try:")[1].strip()
    assert advised == "game.py:Heap:heap=5"
    assert run("value", advised).code == 0


# -------------------------------------------------------------------- short rules


def test_the_simplest_of_equally_good_rules_is_shown(write) -> None:
    rules = short_rules(es.load(write(DIE)))
    assert [rule.rule for rule in rules] == ["always 1"]
    assert rules[0].price.loss == 0
    # Where the other move is forced somewhere, "always" would not be true.
    assert "hold once total >= 20, else roll" in [rule.rule for rule in short_rules(es.games.PigTurn())]


# -------------------------------------------------------------------- proofs, narrow tables


def test_prove_says_how_rules_of_ones_own_are_verified(write) -> None:
    out = run("prove", f"{write(HEAP)}:heap=4", "-o", "heap.cert").out
    command = shlex.split(" ".join(out.split("now:")[1].split()))
    assert command == ["endsight", "verify", "heap.cert", "game.py:Heap"]
    assert run(*command[1:]).code == 0
    assert "now:" not in run("prove", "nim", "-o", "nim.cert").out


def test_signs_stand_beside_the_move_in_narrow_terminals(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    lines = run("analyze", "pig:target=4", "--at", "roll 2").out.splitlines()
    assert "  move    ▲ roll" in lines or "  move    ▲ hold" in lines, lines


# -------------------------------------------------------------------- numbers


def test_no_chance_is_told_as_nothing(write) -> None:
    weight = "    def weight(self, state, move): return 1 if move == 1 else {} - 1\n    def to_move"
    for least, told in ((30_000, "≈ 3.33e-3%"), (15_000, "≈ 0.01%")):
        assert told in run("analyze", write(DIE.replace("    def to_move", weight.format(least)))).out
    assert "bet   0      0%  " in run("analyze", "kuhn", "--at", "2 ?", "--as", "first").out


def test_a_long_stored_value_is_told_as_a_decimal(write) -> None:
    long = HEAP.replace("return -1", "value = Fraction(10**40 + 1, 3 * 10**40); return (value, -value)")
    assert run("solve", write("from fractions import Fraction\n" + long), "-o", "stored").code == 0
    assert "first ≈ 0.333333, second ≈ -0.333333" in run("status", "stored").out


def test_fairness_tells_no_number_twice() -> None:
    for line in run("fair", "pigturn").out.splitlines() + run("fair", "twodicepig:target=4").out.splitlines():
        numbers = [part for part in line.split("  ") if part.strip().startswith("≈")]
        assert len(numbers) == len(set(map(str.strip, numbers))), line


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("999", "999 bytes"),
        ("1000", "1 kB"),
        ("1KiB", "1.024 kB"),
        ("2500k", "2.5 MB"),
        ("1234kB", "1.234 MB"),
        ("0.9999MB", "999.9 kB"),
        ("999999", "1 MB"),
        ("1MB", "1 MB"),
    ],
)
def test_a_limit_of_memory_is_told_in_the_unit_that_fits(asked: str, told: str) -> None:
    ended = run("value", "dodgem", "--memory", asked)
    assert ended.code == 5
    assert f"more than {told} of memory" in ended.err
    assert f"allowed: {told}\n" in ended.err


@pytest.mark.parametrize(
    "asked",
    [
        "sweep nim --vary heaps=1,2 --vary misere=yes,no",
        "growth nim --vary heaps=1,2 --vary misere=yes,no",
        "analyze nim --policy first=greedy --policy second=random",
        "dist pots:1-2 --player first --player second",
        "simulate pots:1-2 --player first --player second",
        "table pots:1-2 --rule --player first --player second",
        "plot pots:1-2 distribution --player first --player second",
    ],
)
def test_a_second_question_in_one_command_is_refused(asked: str) -> None:
    """Only the last one was answered."""
    refused = run(*asked.split())
    assert (refused.code, refused.out) == (2, "")
    assert "it was given 2 times, and a command answers for one" in " ".join(refused.err.split())
