"""The command line as its users meet it: words, documents, streams and exit codes."""

from __future__ import annotations

import json
import os
import re
import shlex
import signal
import subprocess
import sys
from fractions import Fraction
from io import StringIO
from pathlib import Path

import pytest
from click.shell_completion import BashComplete

import endsight as es
from command_line import exact, run
from doc_examples import PAGES, blocks
from endsight.faces.cli.group import endsight
from shown import progress_at_once, progress_told, wrapped_shown
from thresholds import threads_at_work

COMMANDS = endsight.list_commands(None)

RULES = """
from typing import NamedTuple
from endsight.game import Game

class MyGame(Game):
    "Take 1 to `most` from a heap; who cannot take has lost."
    heap: int = 10
    most: int = 3

    class State(NamedTuple):
        left: int

    def limits(self): return self.State(self.heap)
    def start(self): return self.State(self.heap)
    def moves(self, state): yield from range(1, min(self.most, state.left) + 1)
    def play(self, state, move): return self.State(state.left - move)
    def payoff(self, state): return -1

class Floats(MyGame):
    def payoff(self, state): return -1.0

class Crashing(MyGame):
    def play(self, state, move): return self.State(state.left - move // (state.left - 7))

class Leaving(MyGame):
    def play(self, state, move): raise SystemExit(0)

class Chatty(MyGame):
    def moves(self, state):
        return self.forgotten

def greedy(game, state): return min(game.most, state.left)
def lost(game, state): return state.nothing
def cheating(game, state): return 99
"""


@pytest.fixture(autouse=True)
def own_folder(tmp_path, monkeypatch):
    """Every test runs in a folder with a file of rules, and in a terminal of 80 columns."""
    (tmp_path / "mygame.py").write_text(RULES)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


def lines(*command: str, stdin: str = "") -> list[str]:
    """What a command that must answer prints."""
    ending = run(*command, stdin=stdin)
    assert (ending.code, ending.err) == (0, ""), ending
    return ending.out.splitlines()


# ---------------------------------------------------------------------- value


@pytest.mark.parametrize(
    ("command", "line"),
    [
        ("pots:4-9-2-7", "first 16, second 6"),
        ("pots:4-9-2-7 --objective cooperative", "first 16, second 6"),
        ("pots:4-9-2-7 --utility lead", "first 10, second -10"),
        ("pots:4-9-2-7 --utility win", "first wins"),
        ("pots:1-2-10-3 --fix first=bigger", "first 5, second 11"),
        ("pots:", "first 0, second 0"),
        ("tictactoe", "draw"),
        ("tictactoe --at a1", "draw"),
        ("tictactoe --at 'a1 b1'", "first wins in 5"),
        ("tictactoe --at 'a1 b1 a2 b2 a3'", "first has won"),
        ("hexapawn", "second wins in 6"),
        ("repeatbust:sides=2", "1337/512 ≈ 2.611328"),
        ("repeatbust:sides=2 --ascii", "1337/512 ~ 2.611328"),
        ("repeatbust:sides=2 --exact", "1337/512"),
        ("repeatbust:sides=2 --digits 12", "1337/512 = 2.611328125000"),
        ("repeatbust:sides=2 --digits 2", "1337/512 ≈ 2.61"),
        ("repeatbust:sides=2 --digits 0", "1337/512 ≈ 3"),
        ("repeatbust:sides=2 --interval", "[1337/512, 1337/512]"),
        ("repeatbust:sides=2 --interval --digits 2", "[2.61, 2.62]"),
        ("repeatbust:sides=2 --position 'reward=1 last=4'", None),
        ("pigturn", "492303203/60466176 ≈ 8.141795"),
        ("highcard:hand=1-3-5-7,rival=8-x-4-x", "5/2 = 2.5"),
        ("mygame.py:MyGame", "first wins in 5"),
        ("mygame.py:MyGame:heap=8", "second wins in 4"),
        ("mygame.py:MyGame:heap=8 --fix second=mygame.py:greedy", "first wins in 3"),
    ],
)
def test_value_is_one_line(command, line):
    answer = lines("value", *shlex.split(command))
    assert len(answer) == 1
    if line is not None:
        assert answer == [line]


def test_value_in_long_digits():
    value = Fraction(es.solve(es.games.RepeatBust()).value()["player"])
    assert lines("value", "repeatbust", "--exact") == [f"{value.numerator}/{value.denominator}"]
    assert lines("value", "repeatbust") == ["≈ 22.588601"]
    (decimals,) = lines("value", "repeatbust", "--digits", "60")
    assert abs(Fraction(decimals.removeprefix("≈ ")) - value) <= Fraction(1, 2 * 10**60)
    (interval,) = lines("value", "repeatbust", "--interval", "--digits", "60")
    low, high = (Fraction(end) for end in interval.strip("[]").split(", "))
    assert low < value < high
    assert high - low == Fraction(1, 10**60)


@pytest.mark.parametrize(
    ("command", "word"),
    [
        ("hexapawn", "Lose"),
        ("hexapawn --at b1-b2", "Lose"),
        ("mygame.py:MyGame", "Win"),
        ("mygame.py:MyGame --at 2", "Win"),
        ("mygame.py:MyGame --at 1", "Lose"),
        ("tictactoe", "Draw"),
    ],
)
def test_verdict_is_one_word_about_the_first_player(command, word):
    assert lines("value", *command.split(), "--verdict") == [word]


@pytest.mark.parametrize("game", ["pots:4-9", "pigturn", "repeatbust:sides=2"])
def test_no_verdict_about_scores(game):
    ending = run("value", game, "--verdict")
    assert (ending.code, ending.out) == (2, "")
    assert "is not a game that is only won, drawn or lost" in ending.err
    assert "the same without --verdict" in ending.err


def test_verdict_of_a_puzzle_file(own_folder):
    puzzle = "3\n2\n0 0\n0 1\n"
    (own_folder / "puzzle.txt").write_text(puzzle)
    assert lines("value", "dominoes:@puzzle.txt", "--verdict") == ["Win"]
    assert lines("value", "dominoes:@-", "--verdict", stdin=puzzle) == ["Win"]


# ---------------------------------------------------------------------- JSON and plain text


@pytest.mark.parametrize("moves", [False, True])
@pytest.mark.parametrize(
    ("game", "spec", "at"),
    [
        (es.games.TicTacToe(), "tictactoe", "a1 b1"),
        (es.games.RepeatBust(sides=2), "repeatbust:sides=2", "3 roll 4"),
        (es.games.Pots([4, 9, 2, 7]), "pots:4-9-2-7", "R"),
    ],
)
def test_json_is_the_document_of_the_answer(game, spec, at, moves):
    position = game.position(at)
    solution = es.solve(game, position)
    (text,) = ["\n".join(lines("analyze" if moves else "value", spec, "--at", at, "--json"))]
    document = json.loads(text)
    assert {player: exact(number) for player, number in document["value"].items()} == solution.value(position)
    assert (document["position"], document["to_move"]) == (at, position.to_move)
    wanted = [
        (option.text, option.rank, option.best, option.category, option.distance) for option in solution.options()
    ]
    told = [
        [row[name] for name in ("move", "rank", "best", "category", "distance")] for row in document.get("moves", ())
    ]
    assert list(map(tuple, told)) == (wanted if moves else [])
    for row, option in zip(document.get("moves", ()), solution.options(), strict=False):
        assert tuple(map(exact, row["value"].values())) == option.value


def test_json_is_ascii_on_any_stream():
    assert run("analyze", "pots:4-9", "--json").out.isascii()


def test_the_ends_of_an_interval_are_in_the_document():
    document = run("value", "repeatbust:sides=2", "--interval", "--json").document
    assert document["status"] == "exact"
    assert document["lower"] == document["upper"] == document["value"]
    assert run("value", "repeatbust:sides=2", "--json").document["lower"] is None


def test_plain_moves():
    assert lines("analyze", "tictactoe", "--at", "a1 b1", "--plain")[:5] == [
        "move\tprobability\tvalue\tregret\trank\tbest\tcategory\tdistance",
        "a2\t\tfirst=1 second=-1\t0\t1\ttrue\twin\t5",
        "b2\t\tfirst=1 second=-1\t0\t1\ttrue\twin\t5",
        "a3\t\tfirst=1 second=-1\t0\t1\ttrue\twin\t5",
        "c1\t\tfirst=0 second=0\t1\t4\tfalse\tdraw\t",
    ]


def test_plain_outcomes_of_chance_have_the_numbers_that_were_asked_for():
    assert lines("analyze", "repeatbust:sides=2", "--plain")[1] == "2\t1/4\t385/128\t\t\t\tvalue\t"
    assert lines("analyze", "repeatbust:sides=2", "--plain", "--digits", "3")[1] == "2\t0.250\t3.008\t\t\t\tvalue\t"


def test_plain_value_line_and_others():
    assert lines("value", "pots:4-9-2-7", "--plain", "--at", "R") == [
        "game\tposition\tto_move\tobjective\tutility\tstatus\tvalue\tso_far\tcategory\tdistance\tlower\tupper",
        "pots\tR\tsecond\tcompetitive\tpayoff\texact\tfirst=16 second=6\tfirst=7 second=0\tvalue\t\t\t",
    ]
    assert lines("line", "pots:4-9-2-7", "--plain") == [
        "player\tmove",
        *("first\tR", "second\tL", "first\tL", "second\tL"),
    ]
    assert lines("dist", "pots:4-9", "--fix", "first=random", "--plain", "--at-least", "--at-most") == [
        "payoff\tprobability\tat_least\tat_most",
        "4\t1/2\t1\t1/2",
        "9\t1/2\t1/2\t1",
    ]
    facts = lines("dist", "pots:4-9", "--fix", "first=random", "--plain", "--facts")
    assert facts[0].split("\t")[:2] == ["player", "expected_plies"]
    assert facts[1].split("\t")[:2] == ["first", "2"]
    assert lines("sweep", "nim", "--vary", "heaps=1-1,1-2", "--plain") == [
        "heaps\tstatus\tvalue\tmessage",
        "1-1\texact\tfirst=-1 second=1\t",
        "1-2\texact\tfirst=1 second=-1\t",
    ]
    assert lines("fair", "pots:4-9", "--plain")[1] == "pots\t\tfirst=9 second=4\t5\t1\t0\t0\t2\t1/2\t0"


def test_plain_table_of_a_game_without_a_shape():
    assert lines("table", "mygame.py:MyGame:heap=2,most=1", "--plain") == [
        "position\tto_move\tvalue\tcategory\tdistance\tbest",
        "left=2\tfirst\tfirst=-1 second=1\tloss\t2\t1",
        "left=1\tsecond\tfirst=-1 second=1\twin\t1\t1",
        "left=0\t\tfirst=-1 second=1\tloss\t0\t",
    ]


def test_a_table_is_as_long_as_asked_for() -> None:
    assert len(lines("table", "nim:heaps=1-2", "--rows", "8", "--plain")) == 9
    refused = run("table", "nim:heaps=1-2", "--rows", "7")
    assert refused.code == 2
    assert "more than 7 positions can be reached" in refused.err
    assert "--rows" in refused.err
    assert len(es.table("nim:heaps=1-2", rows=8)) == 8


# ---------------------------------------------------------------------- batches


def test_a_batch_answers_line_by_line(own_folder):
    batch = "a1 b1\n\na1 a1\na1 b1 a2 b2 a3\n"
    (own_folder / "batch.txt").write_text(batch)
    for command, stdin in ((("--at", "@batch.txt"), ""), (("--at", "-"), batch)):
        ending = run("value", "tictactoe", *command, "--jsonl", stdin=stdin)
        documents = [json.loads(line) for line in ending.out.splitlines()]
        assert [document["schema"] for document in documents] == [
            "endsight.position/1",
            "endsight.position/1",
            "endsight.error/1",
            "endsight.position/1",
        ]
        assert [document.get("position") for document in documents] == ["a1 b1", "", None, "a1 b1 a2 b2 a3"]
        assert [document.get("category") for document in documents] == ["win", "draw", None, "loss"]
        assert documents[2]["line"] == 3
        assert ending.code == 3
        assert ending.err.startswith("error: line 3: tictactoe: move 2, 'a1', is not legal after 'a1'\n")


@pytest.mark.parametrize("command", ["value", "analyze", "line"])
@pytest.mark.parametrize("game", ["tictactoe", "repeatbust:sides=2", "pots:4-9-2-7", "hexapawn"])
def test_a_batch_gives_the_same_values_as_single_questions(command, game, own_folder):
    histories = [""]
    position = es.load(game).position()
    while not position.is_over:
        position = position.play(next(position.moves()))
        histories.append(position.text)
    (own_folder / "batch.txt").write_text("\n".join(histories) + "\n")
    batch = lines(command, game, "--at", "@batch.txt", "--jsonl")
    assert len(batch) == len(histories)
    for text, history in zip(batch, histories, strict=True):
        single = run(command, game, "--at", history, "--json").document
        for key in ("value", "moves", "category", "distance", "so_far", "position", "to_move"):
            assert json.loads(text).get(key) == single.get(key)


def test_an_empty_batch_has_no_answers(own_folder):
    (own_folder / "empty.txt").write_text("")
    assert lines("value", "tictactoe", "--at", "@empty.txt", "--jsonl") == []


def test_a_position_may_come_from_a_file_over_several_lines(own_folder):
    (own_folder / "moves.txt").write_text("a1\nb1\n")
    assert lines("value", "tictactoe", "--at", "@moves.txt") == ["first wins in 5"]
    assert lines("value", "tictactoe", "--at", "-", stdin="a1 b1") == ["first wins in 5"]


# ---------------------------------------------------------------------- what goes wrong


@pytest.mark.parametrize(
    ("command", "code", "words"),
    [
        ("valu tictactoe", 2, ["there is no command 'valu': did you mean 'value'?", "try:     endsight value"]),
        ("qqq", 2, ["there is no command 'qqq'", "endsight --help"]),
        ("--jsn", 2, ["no such option"]),
        ("value", 2, ["missing argument 'GAME'", "endsight value --help"]),
        ("value tictactoe --jso", 2, ["no such option", "--jso", "try:     --json"]),
        ("value tictactoe a1", 2, ["unexpected extra argument"]),
        ("value tictacto", 2, ["called 'tictacto': did you mean 'tictactoe'?", "hexapawn", "try:     tictactoe"]),
        ("value pots", 2, ["pots needs pots", "pots:4-9-2-7"]),
        ("value tictactoe:size=3", 2, ["has no parameter 'size'", "width"]),
        ("value nim:heaps=3-x", 2, ["cannot read", "a whole number"]),
        ("value tictactoe --objective foo", 2, ["--objective", "competitive", "cooperative"]),
        ("value tictactoe --at a1 --position .../.../...", 2, ["--at and --position cannot be combined"]),
        ("value tictactoe --json --plain", 2, ["--json and --plain cannot be combined"]),
        ("value tictactoe --exact --digits 3", 2, ["--exact and --digits cannot be combined"]),
        ("value tictactoe --digits -1", 2, ["-1 is not in the range"]),
        ("value tictactoe --digits x", 2, ["'x' is not a valid whole number"]),
        ("play tictactoe --seed x", 2, ["'x' is not a valid whole number"]),
        ("plot tictactoe values -o - --width 1.5", 2, ["'1.5' is not a valid whole number"]),
        ("value tictactoe --verdict --json", 2, ["--verdict prints one word"]),
        ("value tictactoe --jsonl", 2, ["--jsonl reads one position a line", "--at @FILE"]),
        ("value tictactoe --jsonl --at a1", 2, ["--jsonl reads one position a line"]),
        ("value dominoes:@- --at -", 2, ["the standard input cannot be both"]),
        ("value tictactoe --engine fast", 2, ["'fast' is not one of 'auto', 'plain', 'compiled'"]),
        ("value tictactoe --method fast", 2, ["'fast' is not one of", "graph"]),
        ("value tictactoe --time 3x", 2, ["'3x' is not a time", "30s, 2m or 1.5h"]),
        ("value tictactoe --time 0", 2, ["the time must be more than 0", "30s, 2m or 1.5h"]),
        ("value tictactoe --time 0s", 2, ["the time must be more than 0s"]),
        ("value tictactoe --memory 0.0GB", 2, ["the memory size must be more than 0.0GB", "2GB or 500MB"]),
        ("value tictactoe --memory lots", 2, ["'lots' is not a memory size", "2GB"]),
        ("value tictactoe --states -5", 2, ["number of states"]),
        ("value tictactoe --fix second", 2, ["does not say who plays how", "PLAYER=POLICY"]),
        ("value tictactoe --fix third=random", 2, ["no player called 'third'", "first, second"]),
        ("value tictactoe --fix second=randm", 2, ["no policy called 'randm'", "try:     random"]),
        ("value repeatbust --utility win", 2, ["compares players"]),
        ("dist tictactoe --player third", 2, ["no player 'third'"]),
        ("sweep tictactoe", 2, ["missing option '--vary'"]),
        ("sweep tictactoe --vary 2..3", 2, ["cannot read --vary '2..3'", "KEY=2..20"]),
        ("sweep tictactoe --vary size=2..3", 2, ["has no parameter 'size'", "width, height, line"]),
        ("sweep tictactoe --vary width=2..9:0", 2, ["cannot step from 2 to 9 by 0"]),
        ("sweep tictactoe --vary width=1..999999999", 2, ["cannot step", "10,000 values"]),
        ("sweep tictactoe --vary width=2,x", 2, ["cannot read width=x", "a whole number"]),
        ("completion tcsh", 2, ["'tcsh'", "bash"]),
        ("value tictactoe --at x9", 3, ["move 1, 'x9', is not legal at the start", "found:", "allowed: a1 b1 c1"]),
        ("value tictactoe --position xxxx", 3, ["cannot read the position 'xxxx'", "parted by /"]),
        ("value tictactoe --at @nofile", 3, ["there is no file 'nofile'"]),
        ("value nofile.py:Game", 3, ["there is no file 'nofile.py'"]),
        ("value mygame.py:Crashing", 3, ["Crashing: the rule 'play' does not", "ZeroDivisionError", "mygame.py, line"]),
        ("value mygame.py:Leaving", 3, ["Leaving: the rule 'play' does not work", "SystemExit"]),
        ("value mygame.py:Chatty", 3, ["Chatty: the rule", "does not work", "AttributeError", "forgotten"]),
        ("value mygame.py:Floats", 3, ["no exact number", "-1.0", "never a float"]),
        ("value mygame.py:MyGame --fix first=mygame.py:lost", 3, ["does not work", "nothing", "mygame.py, line"]),
        ("value mygame.py:MyGame --fix first=mygame.py:cheating", 3, ["the policy cheating", "not legal", "99"]),
        ("value tictactoe --states 100", 5, ["more than 100 states", "raise --states"]),
        ("value connectfour --time 0.2", 5, ["more than 0.2 s", "raise --time"]),
        ("value connectfour --memory 1MB", 5, ["MB of memory", "raise --memory"]),
    ],
)  # fmt: skip
def test_errors_say_what_and_how_to_go_on(command, code, words):
    ending = run(*shlex.split(command))
    assert ending.code == code, ending
    told = ending.out.splitlines()
    assert told[:1] == ([] if code != 5 else ["Proven so far: first from -1 to 1, second from -1 to 1."])
    assert all(line.startswith("Best line so far (not proven): ") for line in told[1:])
    assert ending.err.startswith("error: ")
    assert "Traceback" not in ending.err
    assert [word for word in words if word not in ending.err] == []


def test_the_nearest_option_is_offered_first():
    assert "try:     --json, or endsight value --help" in run("value", "tictactoe", "--jso").err


def test_debug_shows_the_traceback_before_the_message():
    ending = run("value", "mygame.py:Crashing", "--debug")
    assert ending.code == 3
    assert ending.err.startswith("Traceback (most recent call last):")
    assert "error: Crashing: the rule 'play' does not work" in ending.err.splitlines()


def test_our_own_bugs_exit_with_1(monkeypatch):
    def broken(*_arguments, **_options):
        raise ZeroDivisionError("by surprise")

    monkeypatch.setattr("endsight.solve", broken)
    ending = run("value", "tictactoe")
    assert ending.code == 1
    assert "this is a bug in endsight" in ending.err
    assert "ZeroDivisionError: by surprise" in ending.err
    assert "Traceback" not in ending.err


def test_no_more_memory_is_a_limit(monkeypatch):
    def hungry(*_arguments, **_options):
        raise MemoryError

    monkeypatch.setattr("endsight.solve", hungry)
    ending = run("value", "tictactoe")
    assert ending.code == 5
    assert "there is no more memory" in ending.err


@pytest.mark.parametrize("command", ["value", "analyze"])
def test_a_limit_leaves_proven_bounds_in_json(command):
    ending = run(command, "tictactoe", "--states", "100", "--at", "a1", "--json")
    document = json.loads(ending.out)
    assert ending.code == 5
    assert "more than 100 states" in ending.err
    assert (document["schema"], document["status"], document["position"]) == ("endsight.position/1", "enclosed", "a1")
    assert document["value"] is None
    assert {name: end["exact"] for name, end in document["lower"].items()} == {"first": "-1", "second": "-1"}
    assert {name: end["exact"] for name, end in document["upper"].items()} == {"first": "1", "second": "1"}
    assert ("moves" in document) == (command == "analyze")


def test_a_limit_inside_a_batch_does_not_end_it():
    ending = run("value", "tictactoe", "--states", "100", "--at", "-", "--jsonl", stdin="\na1 b2 c3 a3\n")
    statuses = [json.loads(line)["status"] for line in ending.out.splitlines()]
    assert (ending.code, statuses) == (5, ["enclosed", "exact"])
    assert ending.err.startswith("error: line 1: stopped: more than 100 states")


# ---------------------------------------------------------------------- drawings for people


def test_analysis_of_a_won_position():
    assert lines("analyze", "tictactoe", "--at", "a1 b1")[:-3] == [
        "tictactoe · after a1 b1 · first to move",
        "",
        "  3  . . .",
        "  2  . . .",
        "  1  X O .",
        "     a b c",
        "",
        "First wins in 5 plies, with best play.",
        "",
        "     move  result    regret",
        "  ●  a2    win in 5       0",
        "  ●  b2    win in 5       0",
        "  ●  a3    win in 5       0",
        "  ▼  c1    draw           1",
        "  ▼  c2    draw           1",
        "  ▼  b3    draw           1",
        "  ▼  c3    draw           1",
        "",
        "a2, b2 and a3 are equally good (an exact tie).",
    ]
    assert lines("analyze", "tictactoe", "--at", "a1 b1")[-2].startswith("backward induction · ")
    assert lines("analyze", "tictactoe", "--at", "a1 b1")[-1].startswith("Python explores every game, small ones")


def test_analysis_of_scores():
    answer = lines("analyze", "pots:4-9-2-7")
    assert "Worth, with best play: first 16, second 6 (first ahead by 10)." in answer
    assert "  ▲  R     16     6       0" in answer
    assert "  ▼  L     11     11      5" in answer
    assert any(line.startswith("By a theorem: ") for line in answer)


def test_analysis_shows_the_line_that_refutes_a_losing_move():
    answer = lines("analyze", "mygame.py:MyGame:heap=5")
    assert "     move  result     regret  refuted by" in answer
    assert "  ▲  1     win in 3        0" in answer
    refuted = next(line for line in answer if line.startswith("  ▼  2"))
    reply = refuted.split("2  ")[-1].split()
    position = es.load("mygame.py:MyGame:heap=5").position(["2", *reply])
    assert position.is_over
    assert position.to_move is None
    assert len(reply) % 2 == 1


def test_analysis_of_chance():
    answer = lines("analyze", "repeatbust:sides=2")
    assert "Expected, with best play: 1337/512 ≈ 2.611328." in answer
    assert "  outcome       chance  value" in answer
    assert "  2        1/4     25%  385/128 ≈ 3.007812" in answer


def test_analysis_of_the_end():
    answer = lines("analyze", "tictactoe", "--at", "a1 b1 a2 b2 a3")
    assert "The game is over: first has won." in answer
    assert not any("regret" in line for line in answer)


def test_analysis_names_what_is_fixed_and_so_far():
    answer = lines("analyze", "pots:4-9-2-7", "--at", "R", "--fix", "second=smaller")
    assert answer[0] == "pots:4-9-2-7 · after R · second to move · second plays smaller"
    assert "Of that so far: first 7, second 0" in answer


def test_long_lists_of_moves_end_in_a_note():
    answer = lines("analyze", "nim:heaps=60")
    assert "  … 20 more moves; --json or --plain has all" in answer
    assert sum(line.startswith(("  ▲", "  ●", "  ▼")) for line in answer) == 40
    assert len(run("analyze", "nim:heaps=60", "--json").document["moves"]) == 60


def test_line_can_be_pasted_back():
    answer = lines("line", "tictactoe", "--at", "a1 b1")
    assert "  3  first   a2" in answer
    moves = next(line for line in answer if line.startswith("a1 b1 a2"))
    assert lines("value", "tictactoe", "--at", moves) == ["first has won"]


def test_table_has_the_shape_of_the_game():
    answer = lines("table", "repeatbust:sides=2")
    assert "  last  stop at  myopic stop at" in answer
    document = run("table", "repeatbust:sides=2", "--json").document
    for row in document["rows"]:
        assert any(
            line.split() == [str(row["last"]), str(row["stop_at"]), str(row["myopic_stop_at"])] for line in answer
        )


def test_distribution_with_bars():
    answer = lines("dist", "pots:4-9", "--fix", "first=random", "--at-least")
    assert "  first gets       chance  at least" in answer
    assert any(line.split()[:4] == ["9", "1/2", "50%", "50%"] and line.endswith("█" * 30) for line in answer)
    assert "  mean            13/2 = 6.5" in answer
    facts = lines("dist", "pots:4-9", "--fix", "first=random", "--facts")
    assert "  mean            13/2 = 6.5" in facts
    assert not any("█" in line for line in facts)


@pytest.mark.parametrize(
    "command", [["line"], ["dist"], ["dist", "--length"], ["table"], ["table", "--rule"], ["fair"]], ids=" ".join
)
def test_other_answers_that_are_stopped_give_the_document_of_value(command):
    ending = run(*command, "tictactoe", "--states", "100", "--at", "a1", "--json")
    document = json.loads(ending.out)
    assert ending.code == 5
    assert "more than 100 states" in ending.err
    assert (document["schema"], document["status"], document["position"]) == ("endsight.position/1", "enclosed", "a1")
    assert document["lower"]["first"]["exact"] == "-1"
    plain = run(*command, "tictactoe", "--states", "100", "--at", "a1", "--plain")
    assert (plain.code, plain.out) == (5, "")


def test_fair_in_words():
    answer = lines("fair", "pots:4-9")
    assert any("(first ahead by 5)" in line for line in answer)
    assert not any("seat advantage" in line for line in answer)
    assert any(line.split() == ["first", "wins", "100%"] for line in answer)
    assert any(line.split()[-3:] == ["choice)", "50%", "1/2"] for line in answer)


def test_sweep_keeps_going_past_settings_without_a_value():
    ending = run("sweep", "tictactoe", "--vary", "width=0..3", "--states", "100")
    assert ending.code == 5
    rows = ending.out.splitlines()
    assert any(line.split()[:3] == ["1", "0", "0"] for line in rows)
    assert any(
        "no value: tictactoe: width must be" in line or ("width" in line and "no value" in line) for line in rows
    )
    assert any(line.strip().startswith("3") and "more than 100 states" in line for line in rows)
    assert [
        row["status"] for row in json.loads(run("sweep", "tictactoe", "--vary", "width=0..2", "--json").out)["rows"]
    ] == [
        "unknown",
        "exact",
        "exact",
    ]


def test_rows_of_a_sweep_stand_below_each_other_in_any_width(monkeypatch):
    for columns in (20, 30, 45, 80):
        monkeypatch.setenv("COLUMNS", str(columns))
        rows = lines("sweep", "pig", "--vary", "target=1..4")
        assert all(len(row) <= columns for row in rows)
        assert sum("0.636" in row for row in rows) >= 1
    assert rows[-1].split()[0] == "4"


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("2..4", [2, 3, 4]),
        ("2..9:3", [2, 5, 8]),
        ("4..2", [4, 3, 2]),
        ("3,5,4", [3, 5, 4]),
        ("3", [3]),
        ("-1..1", [-1, 0, 1]),
    ],
)
def test_values_of_a_sweep(text, values):
    rows = json.loads(run("sweep", "chomp", "--vary", f"width={text}", "--json").out)["rows"]
    assert [row["width"] for row in rows] == values


GAMES = [
    "tictactoe:width=3,height=2", "hexapawn", "dodgem", "chomp", "nim", "pigturn", "pig:target=3",
    "repeatbust:sides=2", "pots:4-9-2-7-5-3-8-1", "hiddenpots:count=3,max=3",
    "rpsbag:100-0-200/0-300-0", "highcard:hand=1-3-5-7,rival=8-x-4-x", "dominoes:n=3",
]  # fmt: skip


@pytest.mark.parametrize("width", [40, 80, 200])
@pytest.mark.parametrize("game", GAMES)
def test_answers_fit_the_terminal(game, width, monkeypatch):
    monkeypatch.setenv("COLUMNS", str(width))
    for command in ("analyze", "line", "table", "fair", "games"):
        for line in lines(command, game):
            assert len(line) <= width, (command, line)
            assert line == line.rstrip(), (command, line)


@pytest.mark.parametrize("game", GAMES)
def test_ascii_is_ascii(game):
    for command in ("analyze", "line", "dist", "fair", "value"):
        assert "\n".join(lines(command, game, "--ascii")).isascii()


def test_colour_only_where_it_is_wanted(monkeypatch):
    assert "\x1b" not in run("analyze", "tictactoe").out
    assert "\x1b[1;38;5;32m" in run("analyze", "tictactoe", "--color", "always").out
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    assert "\x1b" in run("analyze", "tictactoe").out
    assert "\x1b" not in run("analyze", "tictactoe", "--color", "never").out
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in run("analyze", "tictactoe").out
    assert "\x1b" in run("analyze", "tictactoe", "--color", "always").out


# ---------------------------------------------------------------------- games and check


def test_list_of_games():
    answer = lines("games")
    for name in es.games.BUILT_IN:
        assert any(line.startswith(f"{name} ") for line in answer)
    document = run("games", "--json").document
    assert document["schema"] == "endsight.games/1"
    entry = next(row for row in document["games"] if row["name"] == "repeatbust")
    assert [row["name"] for row in entry["params"]] == ["sides", "dice", "first"]
    assert entry["params"][2]["choices"] == ["ignored", "scored"]
    assert "tictactoe\t" in run("games", "--plain").out


def test_one_game():
    answer = lines("games", "repeatbust")
    assert answer[-2:] == ["", "endsight analyze repeatbust"]
    assert answer[0] == "repeatbust"
    assert "  sides      number            6" in answer
    assert "  first      ignored | scored  ignored" in answer
    assert "  policies         myopic myopic-roll never random greedy lookahead best worst" in answer
    document = run("games", "pots", "--json").document
    assert document["example"] == "pots:1-3-5-7"
    assert document["moves"] == ["L", "R"]
    assert document["params"] == [
        {"name": "pots", "kind": "like 1-3-5-7", "choices": None, "required": True, "default": None}
    ]
    assert run("games", "mygame.py:MyGame", "--json").document["rules"].startswith("Take 1 to `most`")
    assert run("games", "tictactoe:width=2", "--json").document["moves"] == ["a1", "b1", "a2", "b2", "a3", "b3"]
    assert run("games", "tictacto").code == 2


def test_every_example_of_a_game_can_be_asked():
    for name in es.games.BUILT_IN:
        example = run("games", name, "--json").document["example"]
        assert example is not None, name
        assert es.load(example).title() == name


def test_a_broken_plug_in_only_warns(tmp_path, monkeypatch):
    info = tmp_path / "poker-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: poker\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[endsight.games]\npoker = no_such_package:Poker\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    ending = run("games")
    assert ending.code == 0
    assert ending.err.startswith("warning: the game 'poker' of the package poker cannot be loaded")
    assert "tictactoe" in ending.out
    assert not any(line.startswith("poker ") for line in ending.out.splitlines())


def test_check_of_sound_rules():
    answer = lines("check", "mygame.py:MyGame")
    assert answer[0] == "mygame.py:MyGame · checked all 11 states"
    assert answer[-1] == "No problems found."
    assert lines("check", "tictactoe", "--states", "500", "--time", "20s")[-1].endswith("in the positions checked.")


@pytest.mark.parametrize("rules", ["Floats", "Crashing", "Chatty"])
def test_check_of_broken_rules(rules):
    ending = run("check", f"mygame.py:{rules}")
    assert ending.code == 4
    assert ending.err == ""
    assert "cure: " in ending.out
    assert ending.out.splitlines()[-1].endswith(" found in the rules.")
    document = json.loads(run("check", f"mygame.py:{rules}", "--json").out)
    assert document["faults"]
    plain = run("check", f"mygame.py:{rules}", "--plain").out.splitlines()
    assert plain[0] == "rule\tstate\tmessage\tcure\tcount\tplace"
    assert len(plain) == 1 + len(document["faults"]) + len(document["warnings"])


# ---------------------------------------------------------------------- help, completion


def test_help_names_every_command():
    for arguments in ((), ("--help",), ("-h",)):
        answer = "\n".join(lines(*arguments))
        assert all(f"\n  {name} " in answer for name in COMMANDS)


def test_the_list_of_commands_says_of_each_what_the_command_says_itself():
    told = dict(re.findall(r"^  (\w+) +(.*(?:\n   .*)*)", run("--help").out.partition("\nAsk:")[2], re.MULTILINE))
    told = {name: " ".join(text.split()) for name, text in told.items()}
    assert told == {name: endsight.get_command(None, name).get_short_help_str(limit=80) for name in COMMANDS}


@pytest.mark.parametrize("name", COMMANDS)
def test_help_of_a_command_shows_examples(name):
    answer = lines(name, "-h")
    assert "Examples:" in answer
    assert any("endsight " + name in line for line in answer[answer.index("Examples:") :])


def test_help_shows_options_in_groups_each_once():
    groups = {"--at": "Position", "--position": "Position", "--engine": "Method", "--digits": "Numbers"}
    groups |= {"--verdict": "Options", "--states": "Limits", "--json": "Output", "-q, --quiet": "Output", "-h": "Help"}
    answer = lines("value", "-h")
    for option, group in groups.items():
        (place,) = [number for number, line in enumerate(answer) if re.match(rf"  {option}\b", line)]
        assert [line for line in answer[:place] if re.fullmatch(r"\w+:", line)][-1] == f"{group}:"


def test_the_version_has_a_short_option():
    assert lines("-V") == lines("--version")


def examples() -> list[str]:
    # tests/test_docs.py runs those that a page shows, and compares what they print.
    shown = [block for page in PAGES for block in blocks(page.read_text(encoding="utf-8"))]
    shown = [line for block in shown if block.language == "console" for line in block.lines]
    run_by_pages = {line.removeprefix("$ ") for line in shown if line.startswith("$ ")}
    # `serve` does not end by itself: tests/test_web_security.py starts and ends it.
    ending = [name for name in COMMANDS if name != "serve"]
    found = [line for name in ending for line in endsight.get_command(None, name).examples]
    return [line for line in [*found, *endsight.examples] if line.startswith("endsight ") and line not in run_by_pages]


SMALLER = {
    "dominoes:n=7": "dominoes:n=4",
    "page dodgem": "page hexapawn",
    "heaps=1-2,1-2-3,1-2-3-4": "heaps=1,1-2",
    "width=5,height=4": "width=4,height=3",
    "--games 1000": "--games 50",
    "--games 500": "--games 20",
    "play pig:target=20": "play pig:target=5",
    "simulate repeatbust": "simulate repeatbust:sides=3,dice=2",
}
"""Parts of examples that take seconds, and what shows as well that the command and its options work."""


@pytest.mark.parametrize("is_whole", [False, pytest.param(True, marks=pytest.mark.slow)], ids=["smaller", "whole"])
@pytest.mark.parametrize("example", examples())
def test_examples_of_the_help_work(example, is_whole, own_folder, monkeypatch):
    for part, smaller in SMALLER.items() if not is_whole else ():
        example = example.replace(part, smaller)
    if "--clear-cache" in example:  # that of the run belongs to other tests, too
        monkeypatch.setenv("ENDSIGHT_CACHE_DIR", str(own_folder / "cache"))
    (own_folder / "FILE").write_text("3\n2\n0 0\n0 1\n")
    (own_folder / "positions.txt").write_text("a1\na1 b2\n")
    (own_folder / "policies.py").write_text("def bold(game, state):\n    return list(game.moves(state))[-1]\n")
    if example.startswith("endsight verify"):
        lines("prove", "tictactoe", "--at", "a1 b2", "-o", "draw.cert")
        lines("prove", "mygame.py:MyGame", "-o", "mine.cert")
        lines("prove", "pigturn:sides=2", "--fix", "player=policies.py:bold", "-o", "bold.cert")
    command = shlex.split(example.partition(" > ")[0])[1:]
    for folder in [word for word in command if word.endswith(".solved") and command[0] != "solve"]:
        game = "mygame.py:MyGame" if folder.startswith("mygame") else folder.removesuffix(".solved")
        assert run("solve", game, "-o", folder).code == 0
    if command[0] == "play":  # its prompts stand on the error stream
        assert run(*command).code == 0
    else:
        assert lines(*command) or any(word == "-o" for word in command)


def test_version():
    assert lines("--version") == [f"endsight {es.__version__}"]


def test_choices_are_those_of_the_question():
    from typing import get_args, get_type_hints

    kinds, value = get_type_hints(es.Question), endsight.get_command(None, "value")
    choices = {option.name: getattr(option.type, "choices", None) for option in value.params}
    assert tuple(choices["objective"]) == get_args(kinds["objective"])
    assert tuple(choices["utility"]) == get_args(kinds["utility"])


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_script(shell):
    assert "_ENDSIGHT_COMPLETE" in "\n".join(lines("completion", shell))


@pytest.mark.parametrize(
    ("words", "begun", "found"),
    [
        ([], "an", ["analyze"]),
        (["value"], "tic", ["tictactoe"]),
        (["games"], "hex", ["hexapawn"]),
        (["value", "tictactoe"], "--obj", ["--objective"]),
        (["value", "tictactoe", "--objective"], "coo", ["cooperative"]),
    ],
)
def test_completion_of_words(words, begun, found):
    complete = BashComplete(endsight, {}, "endsight", "_ENDSIGHT_COMPLETE")
    assert [item.value for item in complete.get_completions(words, begun)] == found


# ---------------------------------------------------------------------- the process itself


def started(*command: str, **options) -> subprocess.Popen[bytes]:
    script = "from endsight.faces.cli import main; main()"
    environment = {**os.environ, "PYTHONIOENCODING": options.pop("encoding", "utf-8")}
    return subprocess.Popen(
        [sys.executable, "-c", script, *command],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment,
        **options,
    )


def finished(*command: str, **options) -> tuple[int, bytes, bytes]:
    process = started(*command, **options)
    out, err = process.communicate(timeout=60)
    return process.returncode, out, err


def test_answers_and_messages_go_to_their_own_streams():
    assert finished("value", "pots:4-9-2-7") == (0, b"first 16, second 6\n", b"")
    code, out, err = finished("value", "pots:4-9-2-7", "--at", "X")
    assert (code, out) == (3, b"")
    assert err.startswith(b"error: pots: move 1, 'X', is not legal at the start\n")


@pytest.mark.parametrize("command", [["analyze", "tictactoe"], ["--help"], ["value", "tictactoe", "--json"]])
def test_a_reader_that_goes_away_ends_it_quietly(command):
    with started(*command) as process:
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(60) == 0


TELLING = """import endsight as es
from itertools import count

class Telling(es.games.ConnectFour):
    asked = count(1)

    def moves(self, state):
        if next(self.asked) == 40_000:
            print("at work", flush=True)
        yield from super().moves(state)
"""
"""Rules that say so once they are at work; what rules print goes to the standard error."""


@pytest.mark.skipif(os.name == "nt", reason="signals differ")
def test_ctrl_c_exits_with_130(tmp_path):
    file = tmp_path / "telling.py"
    file.write_text(TELLING, encoding="utf-8")
    with started("value", f"{file}:Telling:width=5,height=5", "--engine", "plain", "--json") as process:
        try:
            assert process.stderr.readline() == b"at work\n"
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=60)
        finally:
            process.kill()
    document = json.loads(out)
    assert (process.returncode, document["status"], document["lower"]["first"]["exact"]) == (130, "enclosed", "-1")
    assert re.fullmatch(
        rb"stopped by Ctrl-C after [0-9,]+ states( in the rule '\w+' \(\w+\.py, line \d+\))?", err.strip()
    )


def test_streams_that_are_not_unicode():
    code, out, err = finished("analyze", "repeatbust:sides=2", encoding="latin-1")
    assert (code, err) == (0, b"")
    assert b"Expected, with best play: 1337/512 ~ 2.611328." in out
    code, out, err = finished("value", "tictactoe", "--at", "√", encoding="ascii")
    assert (code, out) == (3, b"")
    assert b"move 1, '?', is not legal" in err


@pytest.mark.skipif(os.name == "nt", reason="arguments are text there")
def test_arguments_that_are_not_text():
    code, out, err = finished("value", os.fsdecode(b"\xff\xfe"))
    assert (code, out) == (2, b"")
    assert b"there is no game called" in err


HEAVY = {"rich", "numpy", "llvmlite", "flint", "fastapi"}


@pytest.mark.parametrize(
    ("command", "unwanted"),
    [
        (["--help"], {*HEAVY, "psutil", "endsight.game.position", "endsight.answers.solver"}),
        (["games"], {*HEAVY, "psutil", "endsight.answers.solver"}),
        (["value", "tictactoe", "--json"], {"rich", "numpy", "llvmlite", "flint", "fastapi"}),
        (["value", "tictactoe", "--verdict"], HEAVY),
        (["value", "pots:4-9-2-7"], HEAVY),
        (["analyze", "pots:4-9-2-7", "--plain"], HEAVY),
    ],
)
def test_nothing_is_loaded_that_is_not_needed(command, unwanted):
    script = (
        "import sys\nfrom endsight.faces.cli import main\n"
        "try:\n    main()\nexcept SystemExit as end:\n    assert not end.code\n"
        f"print(sorted(set(sys.modules) & {unwanted!r}), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", script, *command], capture_output=True, text=True, check=True)
    assert done.stderr == "[]\n"
    assert done.stdout


# ---------------------------------------------------------------------- progress and hints


class Terminal:
    """A standard error that keeps what is written."""

    encoding = "utf-8"

    def __init__(self, is_terminal: bool) -> None:
        self.text = ""
        self.is_terminal = is_terminal

    def isatty(self) -> bool:
        return self.is_terminal

    def write(self, text: str) -> None:
        self.text += text

    def flush(self) -> None:
        pass


def test_progress_appears_after_a_second_and_leaves_no_trace(monkeypatch):
    terminal = Terminal(True)
    monkeypatch.setattr(sys, "stderr", terminal)
    told = [(0, "exploring", 1000), (1.1, "exploring", 12_288), (0, "exploring", 12_300), (1, "solving", 9)]
    shown = progress_told(monkeypatch, told, lambda: terminal.text)
    assert shown[0] == ""
    assert shown[2].startswith("\rexploring  at least 1 s left  1.1 s so far  12,288 states  11,000/s")
    last = terminal.text.split("\r")[-3:]
    assert last[0].startswith("solving  about 1 s left  2.1 s so far  9 states")
    assert len(last[0]) >= len(shown[2]) - 1
    assert last[1:] == [" " * (len(last[0].rstrip()) + len("^C")), ""]


def test_no_progress_where_nobody_looks(monkeypatch):
    monkeypatch.setattr(sys, "stderr", Terminal(False))
    assert progress_told(monkeypatch, [(2, "solving", 9)], lambda: sys.stderr.text) is None


@pytest.mark.parametrize("quiet", [(), ("-q",), ("--quiet",)])
def test_quiet_commands_answer_without_notes_and_progress(quiet, own_folder, monkeypatch, capsys):
    monkeypatch.setattr(sys, "stderr", Terminal(True))
    progress_at_once(monkeypatch)
    assert asked_here("value", "tictactoe", "--keep", "kept", *quiet) == 0
    assert capsys.readouterr().out == "draw\n"
    assert (sys.stderr.text == "") is bool(quiet)
    if not quiet:
        assert "exploring" in sys.stderr.text
        assert "note: --keep saved nothing" in sys.stderr.text
    assert asked_here("value", "tictactoe", "--at", "zz", *quiet) == 3
    assert "error: tictactoe: move 1, 'zz', is not legal" in sys.stderr.text


WARNING_RULES = """
import warnings
from typing import NamedTuple
from endsight import Game

class Warns(Game):
    class State(NamedTuple):
        left: int

    def limits(self): return self.State(1)
    def start(self):
        warnings.warn("this rule is old")
        return self.State(1)
    def to_move(self, state): return 0
    def moves(self, state): return range(state.left)
    def play(self, state, move): return self.State(0)
    def payoff(self, state): return 1
"""


@pytest.mark.parametrize("quiet", [(), ("-q",)])
def test_quiet_commands_pass_over_warnings_of_rules(quiet, own_folder):
    (own_folder / "warns.py").write_text(WARNING_RULES)
    code, out, err = finished("value", "warns.py", *quiet)
    assert (code, out) == (0, b"1\n")
    assert (b"this rule is old" in err) is not bool(quiet)


def asked_here(*command):
    """The exit code of a command with the streams of this process."""
    with pytest.raises(SystemExit) as end:
        endsight(list(command))
    return end.value.code


def test_waiting_for_somebody_to_type_is_said(monkeypatch, capsys):
    class Typing(StringIO):
        def isatty(self) -> bool:
            return True

    terminal = Terminal(True)
    monkeypatch.setattr(sys, "stdin", Typing("a1 b1"))
    monkeypatch.setattr(sys, "stderr", terminal)
    assert asked_here("value", "tictactoe", "--at", "-") == 0
    assert capsys.readouterr().out == "first wins in 5\n"
    assert terminal.text == "reading the moves from the terminal; press Ctrl-D to finish\n"


def test_messages_are_wrapped_in_terminals(monkeypatch):
    monkeypatch.setenv("COLUMNS", "40")
    terminal = Terminal(True)
    monkeypatch.setattr(sys, "stderr", terminal)
    assert asked_here("value", "tictactoe:widht=4") == 2
    rows = terminal.text.splitlines()
    assert max(map(len, rows)) <= 40
    assert rows[1].startswith(" " * 7)
    assert rows[-2].startswith(" " * 11 + "line=")


def test_numbers_before_a_colon_stay_with_what_follows():
    assert wrapped_shown("9: 4, 10: 3, 11: 2, 12: 1", 17) == ["9: 4, 10: 3,", "11: 2, 12: 1"]


def test_files_of_the_package_are_small():
    lines = {path: len(path.read_text().splitlines()) for path in Path(es.__file__).parent.rglob("*.py")}
    assert len(lines) > 100
    assert {path for path, count in lines.items() if count > 500} == set()


@pytest.mark.parametrize("number", ["1", "3"])
def test_threads_reach_the_limits_and_change_no_answer(number, monkeypatch):
    seen = threads_at_work(monkeypatch)
    ending = run("value", "tictactoe", "--method", "layers", "--threads", number)
    assert (ending.code, ending.out) == (0, "draw\n")
    assert seen == [int(number)]


UNCOMPILED = """
from typing import NamedTuple
from endsight import Game

class Down(Game):
    players = 2

    class State(NamedTuple):
        left: int

    def limits(self): return self.State(10_000_000)
    def start(self): return self.State(10_000_000)
    def to_move(self, state): return state.left % 2
    def moves(self, state): return range(eval("1"), min(3, state.left + 1))
    def play(self, state, move): return self.State(state.left - move)
    def payoff(self, state): return 1, -1
"""


@pytest.mark.parametrize(
    ("question", "code"), [(("--position", "left=10", "--engine", "compiled"), 0), (("--states", "40000"), 5)]
)
def test_a_note_says_why_rules_were_not_compiled(own_folder, question, code):
    (own_folder / "down.py").write_text(UNCOMPILED)
    ending = run("value", "down.py:Down", *question)
    assert ending.code == code
    reason = "the call of eval cannot be compiled: write what it does (down.py, line 14)"
    assert ending.err.endswith(f"note: the rules were not compiled: {reason}\n")
    assert "not compiled" not in run("value", "down.py:Down", "--position", "left=10", "--engine", "plain").err


@pytest.mark.parametrize(
    "question",
    [
        "analyze",
        "line",
        "check",
        "page -o -",
        "plot board -o board.svg",
        "plot values -o moves.svg",
        "value --method graph",
    ],
)
def test_a_position_with_too_many_moves_to_list_is_refused_without_blame(question: str, own_folder: Path) -> None:
    """The drawing came first, then a message as of rules that never end; pictures filled the memory."""
    command, *rest = question.split()
    kind = rest[:1] if command == "plot" else []
    ending = run(command, "nim:heaps=1000000000000000000000000000000-2-2", *kind, *rest[len(kind) :])
    assert (ending.code, ending.out) == (2, "")
    assert ending.err.startswith("error: nim has more than 1,000,000 moves there, too many to list\n")
    assert "loop" not in ending.err


def test_the_rows_of_a_position_with_too_many_moves_are_not_all_listed() -> None:
    ending = run("table", "nim:heaps=1000000000000000000000000000000")
    assert (ending.code, ending.out) == (2, "")
    assert ending.err.startswith("error: nim has no policy table here: more than 10,000 positions can be reached\n")


def test_no_threads_are_refused():
    ending = run("value", "tictactoe", "--threads", "0")
    assert ending.code == 2
    assert "'--threads'" in ending.err
