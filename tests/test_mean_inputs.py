"""Inputs that people get wrong: what they are answered with, word for word where it matters.

An error is an exit code and a message on the standard error, never a traceback, and leaves
the standard output empty.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

import endsight as es
import faulty_games
from command_line import Ending, ask, run
from faulty_games import FAULTY

HERE = Path(__file__).parent


def refused(code: int, *parts: str, command: Sequence[str], stdin: str | bytes = "") -> Ending:
    """The ending of a command that must fail like this; `parts` stand in the message, in this order."""
    ending = run(*command, stdin=stdin)
    assert ending.code == code, ending
    assert ending.out == "", ending
    assert ending.err.startswith("error: "), ending
    assert "Traceback" not in ending.err, ending
    place = 0
    for part in parts:
        assert part in ending.err[place:], (part, ending)
        place = ending.err.index(part, place)
    return ending


def value(spec: str, *options: str) -> list[str]:
    return ["value", spec, *options]


# ---------------------------------------------------------------------- names

NAMES = [
    (value("post:1-2"), "no game called 'post'", "try:     pots"),
    (value("Pots:1-2"), "no game called 'Pots'", "try:     pots"),
    (value("dominos"), "no game called 'dominos'", "try:     dominoes"),
    (value("tictacto"), "no game called", "try:     tictactoe"),
    (value("repeat-bust"), "no game called", "try:     repeatbust"),
    (value(""), "no game is named", "allowed:"),
    (value(":"), "no game is named", "allowed:"),
    (["vlaue", "nim"], "no command 'vlaue'", "try:     endsight value"),
    (["analyse", "nim"], "no command 'analyse'", "try:     endsight analyze"),
    (["value"], "missing argument 'GAME'"),
    (value("nim", "extra"), "unexpected extra argument"),
    (value("repeatbust:side=6"), "no parameter 'side'", "try:     sides="),
    (value("nim:heap=3"), "no parameter 'heap'", "try:     heaps="),
    (value("repeatbust:first=score"), "'first=score'", "allowed: ignored, scored", "try:     scored"),
    (value("nim:misere=maybe"), "'misere=maybe'", "allowed: yes or no"),
    (value("pots:1-2", "--fix", "first=biger"), "no policy called 'biger'", "try:     bigger"),
    (value("pots:1-2", "--fix", "frist=bigger"), "no player called 'frist'", "try:     first"),
    (value("repeatbust", "--fix", "player=myopc"), "no policy called 'myopc'", "try:     myopic"),
    (value("pots:1-2", "--fix", "bigger"), "'bigger' does not say who plays how", "allowed: PLAYER=POLICY"),
    (value("pots:1-2", "--objective", "cooperativ"), "'cooperativ' is not one of"),
    (value("pots:1-2", "--utility", "wins"), "'wins' is not one of"),
    (value("pots:1-2", "--method", "theorm"), "'theorm' is not one of 'auto', 'theorem', 'graph'"),
    (value("pots:1-2", "--engine", "fast"), "'fast' is not one of 'auto', 'plain'"),
    (value("pots:1-2", "--jsn"), "no such option '--jsn'", "--json"),
    (["dist", "pots:1-2", "--player", "third"], "no player 'third'", "allowed: first, second"),
    (["games", "dominos"], "no game called 'dominos'", "try:     dominoes"),
    (["completion", "bsh"], "'bsh' is not one of"),
]


@pytest.mark.parametrize(("command", "parts"), [(command, parts) for command, *parts in NAMES], ids=str)
def test_misspelt_names_are_answered_with_the_nearest(command: list[str], parts: list[str]) -> None:
    refused(2, *parts, command=command)


# ---------------------------------------------------------------------- parameters

PARAMETERS = [
    ("pots", "pots needs pots", "try:     pots:4-9-2-7 or pots:@FILE"),
    ("hiddenpots", "hiddenpots needs count", "allowed: count=..., max=..."),
    ("hiddenpots:count=3", "hiddenpots needs max"),
    ("rpsbag", "rpsbag needs dice", "rpsbag:@FILE"),
    ("highcard", "highcard needs hand", "try:     highcard:hand=1-3-5-7,rival=8-x-4-x"),
    ("highcard:hand=1-2", "highcard needs rival"),
    ("pots:x", "number 1: 'x'", "allowed: a whole number"),
    ("pots:1-2.5", "number 2: '2.5'", "allowed: a whole number"),
    ("pots:1e9", "number 1: '1e9'"),
    ("pots:1--", "a - that belongs to no number"),
    ("pots:---1", "a - that belongs to no number"),
    ("pots:1,2,3", "'2' belongs to no parameter", "try:     pots:1-2-3"),
    ("pots:" + "9" * 5000, "a number of 5,000 digits", "allowed: up to 4,300 digits"),
    ("nim:1-2,heaps=3", "was given 'heaps' twice"),
    ("hiddenpots:count=-1,max=3", "count=-1 is out of range", "allowed: count from 0 up"),
    ("hiddenpots:count=3,max=0", "max=0 is out of range", "allowed: max from 1 up"),
    ("repeatbust:0", "sides must be at least 1", "found:   0"),
    ("repeatbust:sides=6,dice=-2", "dice must be at least 1", "found:   -2"),
    ("dominoes:n=0", "n is the number of values", "allowed: 1 to 100000"),
    ("tictactoe:width=0", "width=0 is out of range"),
    ("tictactoe:width=99", "width=99 is out of range", "allowed: width from 1 to 26"),
    ("pigturn:bust=7", "bust must be one of the faces", "allowed: 1 to 6"),
    # hand and rival lists that overlap, repeat, or have the wrong length
    ("highcard:hand=1-3-5-7,rival=8-x-4", "the same number of cards", "4 in the hand, 3 turns of the rival"),
    ("highcard:hand=1-3,rival=x-x-x", "the same number of cards", "2 in the hand, 3 turns of the rival"),
    ("highcard:hand=,rival=", "at least one"),
    ("highcard:hand=1-1,rival=x-x", "every card exists once", "1 twice in hand"),
    ("highcard:hand=1-2,rival=3-3", "every card exists once", "3 twice in rival"),
    ("highcard:hand=1-3-5-7,rival=1-x-4-x", "every card exists once", "1 in hand and in rival"),
    ("highcard:hand=1-5,rival=x-x", "with 2 turns the cards are 1 to 4", "5 in hand"),
    ("highcard:hand=0-1,rival=x-x", "with 2 turns the cards are 1 to 4", "0 in hand"),
    ("highcard:hand=1-2,rival=-5-x", "with 2 turns the cards are 1 to 4", "-5 in rival"),
    ("highcard:hand=1-2,rival=3-y", "number 2: 'y'"),
    ("highcard:hand=1-x,rival=3-x", "number 2: 'x'"),
    ("highcard:1-3,2-x", "'2-x' belongs to no parameter", "try:     highcard:hand=1-3,rival=2-x"),
    # weights that are all zero, too few, too many, negative
    ("rpsbag:", "needs at least one die"),
    ("rpsbag:0-0-0", "die 1 is not a die", "all three weights are 0"),
    ("rpsbag:1-2-3/0-0-0", "die 2 is not a die", "all three weights are 0"),
    ("rpsbag:1-2", "die 1 is not a die", "not three weights"),
    ("rpsbag:1-2-3/1-2-3-4", "die 2 is not a die", "not three weights"),
    ("rpsbag:1-2-3/", "die 2 is not a die", "not three weights"),
    ("rpsbag:1--2-3", "die 1 is not a die", "-2: a negative weight"),
    ("rpsbag:a-b-c", "row 1: number 1: 'a'"),
]


@pytest.mark.parametrize(("spec", "parts"), [(spec, parts) for spec, *parts in PARAMETERS], ids=lambda x: str(x)[:40])
def test_parameters_that_cannot_be(spec: str, parts: list[str]) -> None:
    refused(2, *parts, command=value(spec))


# ---------------------------------------------------------------------- questions

QUESTIONS = [
    (value("repeatbust", "--utility", "win"), "repeatbust has only one", "allowed: payoff"),
    (value("pigturn", "--utility", "lead"), "pigturn has only one"),
    (value("pots:1-2", "--verdict"), "not a game that is only won, drawn or lost", "first 2, second 1"),
    (value("nim", "--verdict", "--json"), "--verdict prints one word"),
    (value("nim", "--json", "--plain"), "--json and --plain cannot be combined"),
    (value("nim", "--exact", "--interval"), "cannot be combined"),
    (value("nim", "--digits", "-1"), "-1 is not in the range"),
    (value("nim", "--digits", "x"), "'x' is not a valid whole number"),
    (value("nim", "--time", "0"), "the time must be more than 0", "30s, 2m or 1.5h"),
    (value("nim", "--time", "-1s"), "is not a time"),
    (value("nim", "--memory", "lots"), "'lots' is not a memory size", "2GB"),
    (value("nim", "--states", "0"), "the number of states must be more than 0"),
    (value("nim", "--states", "nan"), "'nan' is not a number of states"),
    (value("nim", "--at", "1:1", "--position", "heaps=1"), "--at and --position cannot be combined"),
    (value("nim", "--jsonl"), "--jsonl reads one position a line", "--at - or --at @FILE"),
    (value("nim", "--jsonl", "--at", "1:1"), "--jsonl reads one position a line"),
    (value("pots:@-", "--at", "-"), "the standard input cannot be both"),
    (value("tictactoe:@-"), "tictactoe cannot be read from a file"),
    (value("rpsbag:@-,row=dice"), "no parameter 'row'", "try:     rows="),
    (value("rpsbag:@-,rows=columns"), "'rows=columns'", "allowed: faces, dice"),
    (value("pots:@-,rows=dice"), "rows"),
    (value("dominoes:@-,n=4"), "a file takes no options", "which says all of the game"),
    (value("tictactoe", "--method", "theorem"), "no theorem settles this position of tictactoe"),
    (["sweep", "nim"], "missing option '--vary'"),
    (["export", "nim.solved"], "missing option '--to'\n  allowed: csv, jsonl, parquet, dot, efg\n"),
    (["plot", "nim"], "missing argument 'KIND'\n  allowed: values, policy, distribution, history, graph, board\n"),
    (["plot", "nim", "values", "-o", "-.png"], "'-.png' would be a file whose name begins with -", "./-.png"),
    (["prove", "zyxwv", "-o", "x"], "no game called 'zyxwv'", "your own rules are FILE.py:Class"),
    (["review", "nim"], "there is no record to review", "endsight review --help"),
    (["sweep", "nim", "--vary", "heaps"], "cannot read --vary 'heaps'"),
    (["sweep", "repeatbust", "--vary", "side=2..3"], "no parameter 'side'", "try:     --vary sides="),
    (["sweep", "hiddenpots", "--vary", "count=2..3"], "hiddenpots needs count"),
    (value("pots:1-2", "--fix", "first=bigger", "--fix", "first=smaller"), "--fix was given twice for first"),
    (["sweep", "repeatbust", "--vary", "sides=2..x"], "'2..x'", "a whole number"),
    (["sweep", "repeatbust", "--vary", "sides=2..3:0"], "cannot step from 2 to 3 by 0"),
    (["sweep", "repeatbust", "--vary", "sides=1..1000000"], "1 to 10,000 values"),
]


@pytest.mark.parametrize(("command", "parts"), [(command, parts) for command, *parts in QUESTIONS], ids=str)
def test_questions_without_an_answer(command: list[str], parts: list[str]) -> None:
    refused(2, *parts, command=command, stdin="1 2 3")


@pytest.mark.parametrize(
    "limit", ["--memory=9223372036GB", "--memory=9e99GB", "--time=1e99s", "--time=1e999h", "--states=1e300"]
)
def test_limits_beyond_reach_are_none(limit: str) -> None:
    answer = run(*value("nim", "--method", "graph", limit))
    assert (answer.code, answer.out) == (0, "first wins in 11\n")


def test_a_file_of_rules_without_its_ending_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "heaps.py").touch()
    monkeypatch.chdir(tmp_path)
    refused(2, "there is no game called 'heaps'", "try:     heaps.py", command=value("heaps"))


@pytest.mark.parametrize("record", ["", "  ", "-", "@empty.txt"])
def test_an_empty_record_is_not_reviewed(record: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "empty.txt").touch()
    monkeypatch.chdir(tmp_path)
    parts = ("the record holds no moves", "an empty text", "with chance outcomes", "endsight games pigturn")
    refused(3, *parts, command=["review", "pigturn", record], stdin="\n")


def test_a_game_that_is_over_at_once_can_be_reviewed() -> None:
    assert "The game is over" in run("review", "pots:", "").out


BROKEN_CERTIFICATES = [
    (b"", "Expecting value: line 1 column 1"),
    (b"hello", "Expecting value: line 1 column 1"),
    (b'{"schema": "endsight.certif', "Unterminated string starting at: line 1 column 12"),
    (b'{"schema": "endsight.certificate/2"', "Expecting ',' delimiter: line 1 column 36"),
    (b"\xff\xfe\xfa", "'utf"),
    (b"[1.5]", "'1.5' instead of a whole number"),
    (b"{}", "the keys schema, version, game, claim, evidence, play"),
    (b'{"schema": "endsight.certificate/1", "version": "", "game": 1, "claim": 1, "evidence": 1, "play": 1}', "/1"),
    (
        b'{"schema": "endsight/certificate/2", "version": "", "game": 1, "claim": 1, "evidence": 1, "play": 1}',
        "'endsight/certificate/2' instead of endsight.certificate/2",
    ),
]


@pytest.mark.parametrize(("content", "found"), BROKEN_CERTIFICATES, ids=[found for _, found in BROKEN_CERTIFICATES])
def test_what_is_no_certificate(content: bytes, found: str, tmp_path: Path) -> None:
    file = tmp_path / "broken.cert"
    file.write_bytes(content)
    parts = ("broken.cert is not a certificate", found, "endsight.certificate/2", f"endsight prove GAME -o {file}")
    refused(3, *parts, command=["verify", str(file)])


# ---------------------------------------------------------------------- positions

POSITIONS = [
    ("dominoes:n=5", "0-1 2-2", "move 2, '2-2', is not legal after '0-1'", "tail 1", "allowed: 1-1 1-2 1-3 1-4"),
    ("dominoes:n=5", "0-1 1-0", "move 2, '1-0', is not legal after '0-1'"),
    ("dominoes:n=3", "0-3", "move 1, '0-3', is not legal at the start"),
    ("dominoes:n=1", "0-0 0-0", "nothing: the game is over there"),
    ("pots:1-2", "L L L", "move 3, 'L', is not legal after 'L L'", "nothing: the game is over there"),
    ("pots:1-2", "l", "move 1, 'l', is not legal at the start", "[1] [2]", "allowed: L R"),
    ("pots:5", "R", "allowed: L"),
    ("repeatbust", "13", "move 1, '13'", "allowed: 2 3 4 5 6 7 8 9 10 11 12"),
    ("repeatbust", "7 roll 7 stop", "move 4, 'stop'", "bust", "the game is over there"),
    ("repeatbust", "7 stop roll", "move 3, 'roll'", "stopped with reward 0"),
    ("hiddenpots:count=3,max=3", "4", "move 1, '4'", "allowed: 1 2 3"),
    ("rpsbag:1-0-2", "paper paper", "move 2, 'paper'", "allowed: rock scissors"),
    ("rpsbag:1-0-2", "stone", "allowed: rock paper scissors"),
    ("highcard:hand=1-3,rival=x-x", "2", "move 1, '2'", "allowed: 1 3"),
    ("tictactoe", "a1 a1", "move 2, 'a1', is not legal after 'a1'", "X . .", "allowed: b1"),
    ("tictactoe", "a1 b1 a2 b2 a3 b3", "move 6, 'b3'", "the game is over there"),
    ("connectfour", "8", "allowed: 1 2 3 4 5 6 7"),
    ("nim", "1:9", "move 1, '1:9'"),
    ("nim", "0:1", "move 1, '0:1'"),
    ("pig", "hold", "allowed: roll"),
    ("chomp:width=2,height=2", "c1", "move 1, 'c1'"),
]


@pytest.mark.parametrize(("spec", "at", "parts"), [(s, at, parts) for s, at, *parts in POSITIONS], ids=str)
def test_illegal_lines_of_play(spec: str, at: str, parts: list[str]) -> None:
    refused(3, *parts, command=value(spec, "--at", at))
    refused(3, *parts, command=["analyze", spec, "--at", at, "--json"])
    refused(3, *parts, command=["line", spec, "--at", "-"], stdin=at)


TEXTS = [
    ("repeatbust", "reward=5", "cannot read the position 'reward=5'", "nothing for last"),
    ("repeatbust", "", "cannot read the position ''"),
    ("repeatbust", "reward=5 last=13", "no such position", "last from 2 to 12"),
    ("repeatbust", "reward=-5 last=7", "reward is -5"),
    ("repeatbust", "reward=x last=7", "reward is 'x'"),
    ("repeatbust", "reward=5 last=7 last=8", "cannot read the position"),
    ("pots:1-2", "left=2 right=1", "the line would begin at 2 and end before 1"),
    ("pots:1-2", "left=0 right=5", "right is 5", "right: a whole number from 0 to 2"),
    ("tictactoe", "x", "cannot read"),
    ("nim", "9-9-9", ""),
    ("dominoes:n=5", "used=0-9 tail=1", "tiles a-b of values 0 to 4"),
    ("hiddenpots:count=3,max=3", "left=0 right=0 hidden=1", "both ends are covered"),
]


@pytest.mark.parametrize(("spec", "text", "parts"), [(s, text, parts) for s, text, *parts in TEXTS], ids=str)
def test_texts_that_are_no_positions(spec: str, text: str, parts: list[str]) -> None:
    refused(3, *parts, command=value(spec, "--position", text))


# ---------------------------------------------------------------------- files

FILES = [
    ("pots", "1 2 x", "line 1 of the file, word 3", "'x'"),
    ("pots", "1\n2\n\n3 4.5", "line 4 of the file, word 2", "'4.5'"),
    ("pots", "1_000", "'1_000'"),
    ("pots", "٣", "'٣'"),
    ("pots", b"\xff\xfe1\x00", "is not UTF-8 text", "byte 0xff at offset 0"),
    ("pots", b"1 2\x003", "word 2"),
    ("rpsbag", "1 2\n3 4\n5", "line 3 does not fit line 1", "one number for every die"),
    ("rpsbag", "1 2\n3 4\n", "found:   2 rows of numbers", "rows=dice"),
    ("rpsbag", "1\n1\n1\n1\n", "found:   4 rows of numbers"),
    ("rpsbag", "", "found:   0 rows of numbers"),
    ("rpsbag", "0 1\n0 1\n0 1\n", "die 1 is not a die", "all three weights are 0"),
    ("rpsbag", "1 1\n-1 1\n1 1\n", "line 2 cannot be read as weights", "'-1'", "whole numbers from 0 up"),
    ("rpsbag", "1 one\n1 1\n1 1\n", "one"),
    ("highcard", "1 3", "two rows"),
    ("highcard", "1 3\nx x\n2 4", "two rows"),
    ("highcard", "", "two rows"),
    ("highcard", "x 3\nx x", "line 1 cannot be read as cards", "'x'"),
    ("highcard", "1 3\nx q", "line 2 cannot be read as cards", "'q'"),
    ("highcard", "1 3\nx 3", "every card exists once"),
    ("highcard", "1 3\nx", "the same number of cards"),
    ("dominoes", "", "the puzzle file is cut short", "nothing"),
    ("dominoes", "3", "the puzzle file is cut short", "1 line"),
    ("dominoes", "3\n2\n0 0\n", "promises 2 tiles", "found:   1 lines", "cut short"),
    ("dominoes", "3\n2\n0 0\n0", "line 4 of the puzzle file should be a tile"),
    ("dominoes", "3\n1\n0 0\n0 1\n", "promises 1 tiles", "remove the lines at the end"),
    ("dominoes", "3\n99999999999\n", "promises 99999999999 tiles"),
    ("dominoes", "3\n2\n0 0\n1 1\n", "move 2, '1-1', is not legal after '0-0'"),
    ("dominoes", "3\n2\n0 0\n0 0\n", "move 2, '0-0', is not legal"),
    ("dominoes", "3\n1\n0 3\n", "line 3 of the puzzle file names a value that is not there", "values 0 to 2"),
    ("dominoes", "3\n1\n0 0 0\n", "line 3 of the puzzle file should be a tile"),
    ("dominoes", "3\n1\n0-0\n", "line 3 of the puzzle file should be a tile"),
    ("dominoes", "three\n0\n", "line 1 of the puzzle file should be the number of values"),
    ("dominoes", "0\n0\n", "the number of values", "allowed: 1 to 100000"),
    ("dominoes", "999999\n0\n", "the number of values", "allowed: 1 to 100000"),
    ("dominoes", "3 0\n", "cut short"),
    ("dominoes", b"3\n\x80\n", "is not UTF-8 text"),
    ("dominoes", b"3\n2\n0 0\n0\x00 1", "line 4", "\\x00"),
]


@pytest.mark.parametrize(("game", "content", "parts"), [(g, c, parts) for g, c, *parts in FILES], ids=repr)
def test_files_that_cannot_be_read(game: str, content: str | bytes, parts: list[str], tmp_path: Path) -> None:
    file = tmp_path / "input.txt"
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    refused(3, *parts, command=value(f"{game}:@{file}"))
    refused(3, *parts, command=value(f"{game}:@-", "--json"), stdin=content)


def test_files_that_are_not_there(tmp_path: Path) -> None:
    (tmp_path / "line.txt").write_text("1 2 3")
    refused(3, "there is no file", "line.txt", command=value(f"pots:@{tmp_path / 'lines.txt'}"))
    refused(3, "is a folder, not a file", command=value(f"pots:@{tmp_path}"))
    refused(3, "there is no folder", command=value(f"pots:@{tmp_path / 'no' / 'where'}"))
    refused(3, "there is no file", command=value("pots:1-2", "--at", f"@{tmp_path / 'none'}"))
    refused(3, "there is no file", command=value("nogame.py:Game"))
    refused(3, "is a folder", command=value("pots:1-2", "--at", f"@{tmp_path}"))
    refused(3, "cannot be read", command=value("pots:@a\0b"))


LINE_ENDS = [
    "3\n2\n0 0\n0 1\n",
    "3\r\n2\r\n0 0\r\n0 1\r\n",
    "\ufeff3\n2\n0 0\n0 1",
    "3\r2\r0 0\r0 1\r",
    "\n3\n\n2\n0 0\n0 1\n\n",
]


@pytest.mark.parametrize("content", LINE_ENDS, ids=repr)
def test_puzzle_files_with_any_line_ends(content: str, tmp_path: Path) -> None:
    file = tmp_path / "puzzle.txt"
    file.write_bytes(content.encode())
    assert run("value", f"dominoes:@{file}", "--verdict").out == "Win\n"
    assert run("value", "dominoes:@-", "--verdict", stdin=content.encode()).out == "Win\n"


def test_puzzle_files_of_a_thousand_values() -> None:
    assert run("value", "dominoes:@-", "--verdict", stdin="1000\n0\n").out == "Win\n"
    assert run("value", "dominoes:@-", "--verdict", stdin="1000\n1\n7 7\n").out == "Win\n"
    assert run("value", "dominoes:@-", "--verdict", stdin="1000\n2\n7 7\n7 3\n").out == "Win\n"
    assert run("value", "dominoes:@-", "--verdict", stdin="1000\n1\n7 3\n").out == "Lose\n"
    # Where nothing settles a line, that is said at once, instead of searching for years.
    long = run("value", "dominoes:@-", "--verdict", stdin="1000\n4\n0 1\n1 2\n2 3\n3 4\n")
    assert (long.code, long.err[:15]) in ((0, ""), (5, "error: stopped:"))


def test_names_of_files_with_any_character(tmp_path: Path) -> None:
    for name in ("a b.txt", "a,b=c.txt", "a:b.txt", "@.txt", "ä.txt"):
        file = tmp_path / name
        file.write_text("4 9 2 7")
        assert run("value", f"pots:@{file}").out == "first 16, second 6\n"


# ---------------------------------------------------------------------- odd but right


@pytest.mark.parametrize(
    ("spec", "answer"),
    [
        ("pots:", "first 0, second 0"),
        ("pots:5", "first 5, second 0"),
        ("pots:-5", "first -5, second 0"),
        ("pots:-3-7--2-5", "first 12, second -5"),
        ("pots:--5", None),
        ("pots:0-0-0-0", "first 0, second 0"),
        ("pots:8-8-8-8-8", "first 24, second 16"),
        ("pots:-1--1--1", "first -2, second -1"),
        ("pots:99999999999999999999999-1", "first 99999999999999999999999, second 1"),
        ("hiddenpots:count=0,max=3", "first 0, second 0"),
        ("hiddenpots:count=1,max=1", "first 1, second 0"),
        ("repeatbust:1", "0"),
        ("repeatbust:sides=1,dice=1,first=scored", "1"),
        ("rpsbag:0-0-1", "3"),
        ("rpsbag:1-1-1", "4/3 ≈ 1.333333"),
        ("rpsbag:1-0-0/2-0-0/300-0-0", "9"),
        ("highcard:hand=2,rival=1", "1"),
        ("highcard:hand=1,rival=2", "0"),
        ("highcard:hand=1,rival=x", "0"),
        ("highcard:hand=2,rival=-1", "1"),
        ("nim:heaps=", "second has won"),
        ("nim:heaps=,misere=yes", "first has won"),
        ("nim:0-0", "second has won"),
        ("nim:5", "first wins"),
        ("dominoes:n=1", "first wins"),
        ("tictactoe:1,1,1", None),
        ("tictactoe:width=1,height=1,line=1", "first wins in 1"),
        ("chomp:width=1,height=1", None),
        ("pigturn:sides=1,bust=1", "0"),
    ],
)
def test_the_smallest_and_the_oddest(spec: str, answer: str | None) -> None:
    ending = run("value", spec)
    if answer is None:
        assert ending.code in (0, 2), ending
    else:
        assert (ending.code, ending.out, ending.err) == (0, answer + "\n", "")


def test_huge_pots_stay_exact() -> None:
    big = 10**4000 + 7
    document = ask("value", f"pots:{big}-1")
    first = document["value"]["first"]
    assert first["exact"] is None
    assert first["approx"] is None
    assert int(first["exact_hex"], 16) == big
    assert document["value"]["second"] == {"exact": "1", "approx": 1.0}
    assert run("value", f"pots:{big}-1", "--exact").out == f"first {big}, second 1\n"


def test_files_with_odd_blanks() -> None:
    for content in ("4 9 2 7", "4,9,2,7", "4\n9\n2\n7\n", "\ufeff4\r\n9 2,\t7\r\n", " 4 ,9, 2 ,7 "):
        assert run("value", "pots:@-", stdin=content.encode()).out == "first 16, second 6\n"
    assert run("value", "pots:@-", stdin="").out == "first 0, second 0\n"
    assert run("value", "rpsbag:@-", stdin="1 0\r\n1 0\r\n1 1\r\n").code == 0
    assert run("value", "rpsbag:@-,rows=dice", stdin="1 0 2\n").out == run("value", "rpsbag:1-0-2").out
    assert run("value", "highcard:@-", stdin="4, 2\n-1 x\n").out == "3/2 = 1.5\n"


def test_sweeps_over_parameters_that_must_be_given_or_are_lists() -> None:
    rows = ask("sweep", "hiddenpots:max=1", "--vary", "count=1..3")["rows"]
    assert [(row["count"], row["value"]["first"]["exact"]) for row in rows] == [(1, "1"), (2, "1"), (3, "2")]
    rows = ask("sweep", "nim", "--vary", "heaps=0..2")["rows"]
    assert [(row["heaps"], row["value"]["first"]["exact"]) for row in rows] == [([0], "-1"), ([1], "1"), ([2], "1")]
    rows = ask("sweep", "pots", "--vary", "pots=1-2,3-4")["rows"]
    assert [row["value"]["first"]["exact"] for row in rows] == ["2", "4"]


# ---------------------------------------------------------------------- limits

LIMITED = [
    ("connectfour", "--states", "1000"),
    ("connectfour", "--time", "50ms"),
    ("connectfour", "--memory", "1MB"),
    ("pig", "--states", "500"),
    ("tictactoe:width=4,height=4", "--states", "100"),
    ("hiddenpots:count=100000,max=100000", "--time", "10ms"),
    ("hiddenpots:count=300,max=300", "--time", "10ms", "--utility", "win"),
    ("repeatbust:sides=6,dice=5", "--time", "100ms"),
    ("pigturn:sides=1000", "--time", "100ms"),
    ("nim:heaps=99-98-97", "--method", "graph", "--states", "5000"),
]


@pytest.mark.parametrize("question", LIMITED, ids=" ".join)
def test_limits_end_with_a_message_and_a_document(question: tuple[str, ...]) -> None:
    ending = run(*value(*question))
    assert (ending.code, ending.err.partition(" more than")[0]) == (5, "error: stopped:"), ending
    for command in ("value", "analyze", "table", "dist", "line", "fair"):
        ending = run(command, *question, "--json")
        assert ending.code == 5, ending
        assert ending.err.startswith("error: stopped: more than")
        document = json.loads(ending.out)
        assert document["status"] == ("unknown" if document["lower"] is None else "enclosed")
        assert document["value"] is None
        assert document["game"] == question[0].partition(":")[0]


def test_a_game_too_big_to_be_estimated_stops_at_once() -> None:
    refused(5, "an exact answer needs about", command=value("repeatbust:sides=100,dice=10"))
    refused(2, "too many sums", command=value("repeatbust:sides=6,dice=100000"))


# ---------------------------------------------------------------------- batches


def test_a_batch_answers_line_by_line(tmp_path: Path) -> None:
    lines = ["", "a1", "a1 a1", "nonsense", "a1 b2 c3", "  b2  "]
    file = tmp_path / "positions.txt"
    file.write_text("\n".join(lines) + "\n")
    from_file = run("value", "tictactoe", "--at", f"@{file}", "--jsonl")
    from_stdin = run("value", "tictactoe", "--at", "-", "--jsonl", stdin="\r\n".join(lines))
    for ending in (from_file, from_stdin):
        assert ending.code == 3
        documents = [json.loads(line) for line in ending.out.splitlines()]
        assert [document["schema"] for document in documents] == [
            f"endsight.{kind}/1" for kind in ("position", "position", "error", "error", "position", "position")
        ]
        assert [document.get("position") for document in documents] == ["", "a1", None, None, "a1 b2 c3", "b2"]
        assert [document["line"] for document in documents if "line" in document] == [3, 4]
        assert documents[2]["exit_code"] == 3
        assert "error: line 3: tictactoe: move 2, 'a1', is not legal" in ending.err
        assert "error: line 4: tictactoe: move 1, 'nonsense', is not legal" in ending.err
        assert "Traceback" not in ending.err


def test_a_batch_goes_on_after_a_limit() -> None:
    lines = "\na1 b2 c3 a3 b3 b1\n"
    ending = run("value", "tictactoe", "--at", "-", "--jsonl", "--states", "100", stdin=lines)
    assert ending.code == 5
    first, second = (json.loads(line) for line in ending.out.splitlines())
    assert (first["status"], second["status"]) == ("enclosed", "exact")
    assert "error: line 1: stopped: more than 100 states" in ending.err


def test_an_empty_batch_has_no_answers() -> None:
    ending = run("value", "nim", "--at", "-", "--jsonl", stdin="")
    assert (ending.code, ending.out, ending.err) == (0, "", "")


# ---------------------------------------------------------------------- rules with a fault


# The alarm of --time may ring while hypothesis looks at the garbage collector; Python tells of it, and it rings again.
@pytest.mark.filterwarnings(
    "ignore:Exception ignored in. <function gc_cumulative_time:pytest.PytestUnraisableExceptionWarning"
)
@pytest.mark.parametrize(("kind", "rule", "message"), FAULTY, ids=lambda item: getattr(item, "__name__", ""))
def test_rules_with_a_fault_from_the_command_line(kind: type, rule: str, message: str) -> None:
    spec = f"{HERE / 'faulty_games.py'}:{kind.__name__}"
    checked = run("check", spec)
    assert checked.code == 4, checked
    assert f"error: {rule} " in checked.out
    assert "cure: " in checked.out
    assert checked.err == ""
    limits = ["--states", "2000", "--time", "300ms"]
    for command, options in (("value", limits), ("analyze", limits), ("games", [])):
        ending = run(command, spec, *options)
        assert ending.code in (0, 3, 5), ending
        assert "Traceback" not in ending.err
        assert (ending.err == "") == (ending.code == 0)
        assert "bug" not in ending.err


def test_faults_as_a_document() -> None:
    ending = run("check", f"{HERE / 'faulty_games.py'}:WeightZero", "--json")
    assert ending.code == 4
    (fault,) = json.loads(ending.out)["faults"]
    assert fault["rule"] == "weight"
    assert "returns 0" in fault["message"]
    assert fault["cure"]
    assert fault["state"]
    plain = run("check", f"{HERE / 'faulty_games.py'}:WeightZero", "--plain")
    assert plain.code == 4
    assert plain.out.splitlines()[0].split("\t") == ["rule", "state", "message", "cure", "count", "place"]
    assert plain.out.splitlines()[1].startswith("weight\t")


def test_sound_rules_of_the_same_file() -> None:
    for kind in (faulty_games.Heap, faulty_games.Dice, faulty_games.Walk, faulty_games.Pair):
        report = es.check_rules(kind())
        assert [*report.faults, *report.warnings] == []
    ending = run("check", f"{HERE / 'faulty_games.py'}:Pair")
    assert ending.code == 0, ending
    assert "No problems found." in ending.out


@pytest.mark.parametrize(
    ("content", "name", "parts"),
    [
        ("class Game:\n    pass\n", "Game", ["is not a game"]),
        ("def f(:\n", "F", ["line 1"]),
        ("raise RuntimeError('no')\n", "F", ["RuntimeError: no"]),
        ("import sys\nsys.exit(3)\n", "F", ["SystemExit"]),
        ("import nothing_of_that_name\n", "F", ["nothing_of_that_name"]),
        ("x = 1\n", "F", ["no class 'F'"]),
    ],
)
def test_files_of_rules_that_do_not_load(content: str, name: str, parts: list[str], tmp_path: Path) -> None:
    file = tmp_path / "rules.py"
    file.write_text(content)
    for command in ("value", "check"):
        ending = run(command, f"{file}:{name}")
        assert ending.code in (2, 3, 4), ending
        assert ending.out == ""
        assert "Traceback" not in ending.err
        assert "bug" not in ending.err


def test_policies_from_files_that_do_not_work(tmp_path: Path) -> None:
    file = tmp_path / "policies.py"
    file.write_text(
        "def take_left(game, state):\n    return 0\n\n\n"
        "def nothing(game, state):\n    return None\n\n\n"
        "def fails(game, state):\n    return 1 // 0\n\n\n"
        "def alone(game):\n    return 0\n\n\nnumber = 3\n"
    )
    assert run("value", "pots:1-2-3", "--fix", f"second={file}:take_left").code == 0
    refused(3, "not legal", command=value("pots:1-2-3", "--fix", f"second={file}:nothing"))
    refused(
        3,
        "a policy from a file does not work",
        "ZeroDivisionError",
        "policies.py, line 10",
        command=value("pots:1-2-3", "--fix", f"second={file}:fails"),
    )
    refused(3, "is not a policy", command=value("pots:1-2-3", "--fix", f"second={file}:alone"))
    refused(3, "is not a policy", command=value("pots:1-2-3", "--fix", f"second={file}:number"))
    refused(
        2, "has no function 'take_lef'", "take_left", command=value("pots:1-2-3", "--fix", f"second={file}:take_lef")
    )
    refused(3, "there is no file", command=value("pots:1-2-3", "--fix", "second=none.py:f"))
