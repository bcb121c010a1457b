"""What reaches a terminal: nothing raw from rules, files, arguments or surroundings, and tables that stay in form."""

from __future__ import annotations

import contextlib
import csv
import json
import os
import pty
import re
import subprocess
import sys
import unicodedata
from pathlib import Path
from random import Random

import pyarrow.parquet as pq
import pytest
from rich.cells import cell_len

import endsight as es
from amounts import times
from command_line import run
from endsight import load, review
from endsight.errors import UsageError
from hostile_commands import SIGNS, Rules, hostile_text, raw_signs, run_commands, write_rules
from shown import wrapped_shown
from web_server import serving

ENDSIGHT = [sys.executable, "-m", "endsight"]


# ---------------------------------------------------------------------- the function


def printable(text: str) -> str:
    """How a text reads in a message."""
    return str(UsageError(text))


def test_every_sign_is_seen_or_escaped() -> None:
    """Those that stay as they are take room on the screen or stand on another sign."""
    planes = (*range(0x3400), *range(0xD700, 0x10000), *range(0xE0000, 0xE0200), *range(0x10000, 0x110000, 97))
    for number in planes:
        sign = chr(number)
        shown = printable(sign)
        if shown == sign:
            assert unicodedata.category(sign) not in {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
        else:
            assert shown.isascii()
            assert shown.isprintable()
            assert shown.encode("ascii").decode("unicode_escape") == sign


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[31m", r"\x1b[31m"),
        ("a\nb\r\tc", r"a\nb\r\tc"),
        ("\u202eabc\u2069", r"\u202eabc\u2069"),
        ("\u200b\u2028\ufeff\xad", r"\u200b\u2028\ufeff\xad"),
        ("\udcff\ud800", r"\udcff\ud800"),
        ("\x7f\x9b", r"\x7f\x9b"),
        ("C:\\new \\x1b", "C:\\new \\x1b"),
        ("e\u0301 ♟\ufe0f 一 😀 \u00a0\u3000", "e\u0301 ♟\ufe0f 一 😀 \u00a0\u3000"),
    ],
)
def test_one_line(text: str, shown: str) -> None:
    assert printable(text) == shown
    assert printable(shown) == shown


def test_drawings_keep_their_lines(tmp_path: Path) -> None:
    rules = write_rules(tmp_path, {"draw": "a\tb\r\n\x1b[2J\n\u2028"})
    assert "a       b\n  \\x1b[2J\n  \\u2028" in run("analyze", rules.spec).out


def test_errors_as_text_are_printable() -> None:
    error = UsageError("a\nerror: b\x1b", found="c\nd\x1b", allowed="e\u202e", advice="f\r")
    assert str(error) == ("a\\nerror: b\\x1b\n  found:   c\n           d\\x1b\n  allowed: e\\u202e\n  try:     f\\r")
    assert error.message == "a\nerror: b\x1b"


# ---------------------------------------------------------------------- commands


@pytest.mark.parametrize("count", times(20_000, 80))
def test_nothing_raw_comes_out_of_any_command(count: int) -> None:
    assert run_commands(count, seed=20) >= count


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Rules:
    """Rules with everything hostile in every text."""
    signs = "x".join(sign for sign in SIGNS if not sign.isspace() and sign != "")
    names = ("name", "label", "show", "draw", "doc", "player", "class")
    folder = tmp_path_factory.mktemp("rules")
    return write_rules(
        folder, dict.fromkeys(names, signs) | {"move": "\x1b[2J\u202e"}, name="r\x1b[31m\n\u202e\udcff.py"
    )


@pytest.mark.parametrize("words", [["analyze"], ["games"], ["value", "--debug", "--at", "9"], ["line", "--plain"]])
def test_real_processes(hostile: Rules, words: list[str]) -> None:
    """With real streams, arguments in bytes, and everything in the environment hostile."""
    environment = os.environ | {"XDG_CACHE_HOME": str(hostile.file.parent / "\x1b[31mcache"), "TERM": "\x1b[2J"}
    command = [*ENDSIGHT, words[0], hostile.spec, *words[1:]]
    done = subprocess.run(command, capture_output=True, env=environment, check=False)
    for stream in (done.stdout, done.stderr):
        assert not raw_signs(stream.decode("utf-8"), tabs="--plain" in words), (words, stream)
    assert done.returncode == (3 if "9" in words else 0)
    assert done.stdout or done.stderr


def test_paths_of_the_environment(tmp_path: Path) -> None:
    environment = os.environ | {"XDG_CACHE_HOME": str(tmp_path / "\x1b[31m\n\u202ecache")}
    done = subprocess.run([*ENDSIGHT, "doctor"], capture_output=True, env=environment, check=False)
    assert not raw_signs(done.stdout.decode() + done.stderr.decode())


def test_warnings_of_python_about_rules(tmp_path: Path) -> None:
    """Python shows the line that it warns about."""
    rules = write_rules(tmp_path, {}, name="w\x1b[31m.py")
    text = rules.file.read_text(encoding="utf-8")
    late = '\n\nclass Late:\n    def __del__(self):\n        raise ValueError("\\x1b[31m")\n\n\nLate()\n'
    rules.file.write_text(f'"\\d\x9b31m\u202e"\n{text}{late}', encoding="utf-8")
    done = subprocess.run([*ENDSIGHT, "value", rules.spec], capture_output=True, check=False)
    assert not raw_signs(done.stdout.decode() + done.stderr.decode())
    assert b"warning" in done.stderr.lower()
    assert done.returncode == 0


def test_a_terminal_sees_colours_and_nothing_else(hostile: Rules) -> None:
    """A game played in a pseudo-terminal: prompts, boards, hints, and what was typed."""
    master, slave = pty.openpty()
    command = [*ENDSIGHT, "play", hostile.spec, "--show", "--seed", "1"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=slave, stderr=slave, close_fds=True) as process:
        os.close(slave)
        assert process.stdin is not None
        process.stdin.write("?\nmoves\n\x1b[2J\u202e\n1\x1b[2J\u202e\nq\n".encode())
        process.stdin.close()
        seen = b""
        with contextlib.suppress(OSError):
            while part := os.read(master, 65536):
                seen += part
    os.close(master)
    text = seen.decode("utf-8").replace("\r\n", "\n")
    assert "\x1b[" in text
    assert not raw_signs(text, colours=True), text
    assert "\\x1b[2J" in text


def test_what_one_of_two_people_types_at_once_is_not_echoed() -> None:
    """In a terminal of the command's own; the end of the input ends the game."""
    spawn = [sys.executable, "-c", "import pty, sys; sys.exit(pty.spawn(sys.argv[1:]))"]
    command = [*spawn, *ENDSIGHT, "play", "rps", "--seat", "second=human"]
    seen = b""
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for asked, typed in ((b"first> ", b"rock\n"), (b"second> ", b"\x04")):
            while asked not in seen and (part := process.stdout.read(65536)):
                seen += part
            process.stdin.write(typed)
        seen += process.stdout.read()
    after = seen.decode().split("first> ")[1]
    assert "rock" not in after.split("second to move")[0]
    assert after.rstrip().endswith("second>")
    assert process.returncode == 0


@pytest.mark.parametrize("color", ["never", "always"])
def test_markup_is_text(tmp_path: Path, color: str) -> None:
    rules = write_rules(tmp_path, {"draw": "[bold red]x[/] ", "move": "[link=http://evil.example]:smile:[/link]"})
    ending = run("analyze", rules.spec, "--color", color)
    assert "[bold red]x[/]" in ending.out
    assert "[link=http://evil.example]:smile:[/link]" in ending.out
    assert ("\x1b[" in ending.out) == (color == "always")


def test_cells_cannot_break_rows(tmp_path: Path) -> None:
    rules = write_rules(tmp_path, {"name": "\tx\ny", "move": "\ta"})
    header, *rows = run("analyze", rules.spec, "--plain").out.rstrip("\n").split("\n")
    assert len(rows) == 2
    assert {row.count("\t") for row in rows} == {header.count("\t")}
    assert rows[0].split("\t")[0] in {r"1\ta", r"2\ta"}


@pytest.mark.parametrize("text", ['\x1b[2J,"', "\udcff\ud800", "\n\u202e", "=1+1"])
def test_exports_of_every_form(tmp_path: Path, text: str) -> None:
    rules = write_rules(tmp_path, dict.fromkeys(("player", "show", "name", "label", "move"), text))
    folder = str(tmp_path / "solved")
    assert run("solve", rules.spec, "-o", folder).code == 0
    tables = {}
    for form in ("csv", "jsonl", "dot"):
        ending = run("export", folder, "--to", form, "--game", rules.spec)
        assert ending.code == 0
        assert not raw_signs(ending.out)
        tables[form] = ending.out
    (header, *rows) = csv.reader(tables["csv"].splitlines())
    documents = list(map(json.loads, tables["jsonl"].splitlines()))
    exact = text.encode("utf-8", "backslashreplace").decode()
    assert [document["position"] for document in documents] == [f"{left}{exact}" for left in range(4)]
    assert [row[0] for row in rows] == [printable(document["position"]) for document in documents]
    assert [row[1] for row in rows] == [printable(document["to_move"]) for document in documents]
    assert header == list(map(printable, documents[0]))
    parquet = tmp_path / "all.parquet"
    assert run("export", folder, "--to", "parquet", "--game", rules.spec, "-o", str(parquet)).code == 0
    assert pq.read_table(parquet).column_names == list(documents[0])


def test_python_shows_no_raw_text(tmp_path: Path) -> None:
    """What a session of Python prints of games, positions, solutions, tables and certificates."""
    texts = dict.fromkeys(("name", "label", "draw", "show", "move", "class", "player"), "\x1b[2J\u202e\x9b")
    game = load(write_rules(tmp_path, texts).spec)
    solution = es.solve(game)
    position = game.position()
    shown = [game, position, solution, solution.move_table(), solution.policy, solution.distribution()]
    shown += [review(solution, [solution.line()[0]]), es.prove(solution)]
    for each in shown:
        assert not raw_signs(f"{each}\n{each!r}"), type(each)
    assert "\\x1b[2J" in str(position)


# ---------------------------------------------------------------------- room on the screen


def test_wide_signs_keep_tables_in_form(tmp_path: Path) -> None:
    rules = write_rules(tmp_path, {"player": "一二三四", "move": "e\u0301一😀"})
    for columns in ("40", "60", "100"):
        lines = subprocess.run(
            [*ENDSIGHT, "analyze", rules.spec],
            capture_output=True,
            env=os.environ | {"COLUMNS": columns},
            encoding="utf-8",
            check=True,
        ).stdout.splitlines()
        assert max(map(cell_len, lines)) <= int(columns)
        rows = [line for line in lines if re.search(r"\de\u0301一😀 ", line)]
        assert len(rows) >= 2
        ends = {cell_len(row[: row.index("一😀") + 2]) for row in rows}
        assert len(ends) == 1


def test_wrapped_rows_fit_and_lose_nothing() -> None:
    random = Random(4)
    for _ in range(3_000):
        text = "".join(random.choice("ab  一é\u0301😀") for _ in range(random.randrange(40)))
        width, hanging = random.randrange(4, 15), random.randrange(3)
        rows = wrapped_shown(text, width, hanging)
        assert max(map(cell_len, rows)) <= width
        assert "".join(rows).replace(" ", "") == text.replace(" ", "")
        assert all(row.startswith(" " * hanging) for row in rows[1:])


# ---------------------------------------------------------------------- pages


def test_pages_show_no_raw_text(tmp_path: Path) -> None:
    random = Random(6)
    specs = []
    for number in range(4):
        folder = tmp_path / str(number)
        folder.mkdir()
        texts = {name: hostile_text(random) for name in ("name", "label", "choice", "draw", "move", "doc", "player")}
        specs.append(write_rules(folder, texts, chance=number == 3).spec)
    with serving(specs, quick=1) as served:
        for number in range(1, len(specs) + 1):
            for path in ("", "/rules", "/table", "/dist", "/review?at=1", "/proof", "?at=%1b%5b31m%E2%80%AE"):
                answer = served.get(f"/games/{number}{path}")
                assert answer.status_code < 500
                assert not raw_signs(answer.text), (number, path)


# ---------------------------------------------------------------------- charts


@pytest.mark.parametrize("kind", ["values", "history", "graph"])
def test_names_in_charts_are_no_formulas(tmp_path: Path, kind: str) -> None:
    """matplotlib takes what stands between two dollar signs for a formula, and fails where it is none."""
    pytest.importorskip("matplotlib")
    rules = write_rules(tmp_path, {"move": "$\\frac{$", "name": "$^$", "show": "$}$\x1b", "player": "$_$"})
    target = tmp_path / "chart.png"
    ending = run("plot", rules.spec, kind, "--at", "1$\\frac{$", "-o", str(target))
    assert ending.code == 0, ending.err
    assert target.stat().st_size > 1_000
    svg = run("plot", rules.spec, kind, "--at", "1$\\frac{$", "-o", "-")
    assert svg.code == 0
    assert "$\\frac{$" in svg.out
    assert not raw_signs(svg.out)
