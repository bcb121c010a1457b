"""Bad surroundings: streams, caches, outputs and files of rules that are not what a command would like."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import threading
from pathlib import Path

import pytest

import endsight as es
from amounts import times
from command_line import run
from command_surroundings import PRECIOUS, PROGRAM, SURROUNDINGS, Line
from command_surroundings import run as run_in
from fuzz_commands import tried
from thresholds import read_small_files_alone

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="streams and files of Unix")


@pytest.mark.parametrize("count", times(8, 5))
def test_a_few_random_command_lines(count: int) -> None:
    wrong = []
    tried(count, 2026, 1, lambda result: wrong.append(result) if result.faults else None)
    assert not wrong


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_many_random_command_lines(seed: int) -> None:
    wrong = []
    tried(250, seed, 2, lambda result: wrong.append(result) if result.faults else None)
    assert not wrong


@pytest.mark.parametrize("surrounding", sorted(SURROUNDINGS))
def test_a_plain_question_in_every_surrounding(surrounding: str, tmp_path: Path) -> None:
    result = run_in(Line(("analyze", "nim:heaps=1-2", "--engine", "compiled"), surrounding, 60.0), tmp_path)
    assert not result.faults
    lost = surrounding in ("stdout closed", "stdout full", "all closed")
    assert result.code == (3 if lost else 0), result


# -------------------------------------------------------------------- outputs


@pytest.fixture(scope="module")
def solved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A stored solution, with its rows as CSV beside it."""
    folder = tmp_path_factory.mktemp("solved") / "nim"
    assert run("solve", "nim:heaps=1-2", "-o", str(folder)).code == 0
    return folder


def exported(solved: Path) -> str:
    """What `export` writes."""
    end = run("export", str(solved), "--to", "csv")
    assert end.code == 0
    return end.out


def test_a_link_is_followed_and_stays(solved: Path, tmp_path: Path) -> None:
    target, link = tmp_path / "target.csv", tmp_path / "link.csv"
    target.write_text(PRECIOUS, encoding="utf-8")
    link.symlink_to("target.csv")
    assert run("export", str(solved), "--to", "csv", "-o", str(link)).code == 0
    assert link.is_symlink()
    assert target.read_text(encoding="utf-8") == exported(solved)


def test_a_link_to_nothing_makes_what_it_leads_to(solved: Path, tmp_path: Path) -> None:
    link = tmp_path / "link.csv"
    link.symlink_to(tmp_path / "new.csv")
    assert run("export", str(solved), "--to", "csv", "-o", str(link)).code == 0
    assert (tmp_path / "new.csv").read_text(encoding="utf-8") == exported(solved)
    (tmp_path / "round").symlink_to(tmp_path / "round")
    assert run("export", str(solved), "--to", "csv", "-o", str(tmp_path / "round")).code == 3


def test_a_pipe_is_written_through(solved: Path, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[str] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_text(encoding="utf-8")))
    reader.start()
    assert run("export", str(solved), "--to", "csv", "-o", str(pipe)).code == 0
    reader.join(10)
    assert read == [exported(solved)]
    assert pipe.is_fifo()


def test_devices_are_written_through_and_never_replaced(solved: Path) -> None:
    before = Path("/dev/null").stat().st_mode
    assert run("export", str(solved), "--to", "csv", "-o", "/dev/null").code == 0
    full = run("export", str(solved), "--to", "csv", "-o", "/dev/full")
    assert (full.code, "the disk is full" in full.err) == (3, True)
    assert Path("/dev/null").stat().st_mode == before


@pytest.mark.parametrize("name", ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"])
def test_the_standard_output_by_its_name(name: str, solved: Path, tmp_path: Path) -> None:
    target = tmp_path / "out.csv"
    with target.open("w", encoding="utf-8") as out:
        out.write("before\n")
        out.flush()
        command = [sys.executable, "-c", PROGRAM, "export", str(solved), "--to", "csv", "-o", name]
        assert subprocess.run(command, stdout=out, check=False).returncode == 0
    assert target.read_text(encoding="utf-8") == "before\n" + exported(solved)


def test_what_is_no_file_is_refused(solved: Path, tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "socket"))
        for path, found in ((tmp_path, "a folder"), (tmp_path / "socket", "a socket")):
            end = run("export", str(solved), "--to", "csv", "-o", str(path))
            assert (end.code, f"found:   {found}" in end.err) == (3, True), end
            assert run("prove", "nim:heaps=1", "-o", str(path)).code == 3


def test_a_failure_leaves_the_old_file(solved: Path, tmp_path: Path) -> None:
    target = tmp_path / "old.csv"
    target.write_text(PRECIOUS, encoding="utf-8")
    assert run("export", str(solved), "--to", "csv", "-o", str(target), "--game", "nothing").code == 2
    assert run("prove", "nim", "--states", "1", "--method", "graph", "-o", str(target)).code == 5
    assert target.read_text(encoding="utf-8") == PRECIOUS


def test_a_chart_goes_through_links_and_is_whole_or_not_there(tmp_path: Path) -> None:
    (tmp_path / "link.svg").symlink_to(tmp_path / "chart.svg")
    assert run("plot", "nim:heaps=1-2", "values", "-o", str(tmp_path / "link.svg")).code == 0
    assert (tmp_path / "link.svg").is_symlink()
    assert (tmp_path / "chart.svg").read_text(encoding="utf-8").rstrip().endswith("</svg>")
    (tmp_path / "full.svg").symlink_to("/dev/full")
    assert run("plot", "nim:heaps=1-2", "values", "-o", str(tmp_path / "full.svg")).code == 3
    assert (tmp_path / "full.svg").is_symlink()


def test_rules_that_change_the_folder_do_not_move_the_files(tmp_path: Path) -> None:
    from mean_rules import DEEDS, rules_text

    file = tmp_path / "moving.py"
    file.write_text(rules_text("at_import", DEEDS["disturbs"]["folder"]), encoding="utf-8")
    for command in (
        ("prove", str(file), "-o", "mean.cert"),
        ("solve", str(file), "-o", "mean.solved"),
        ("value", str(file), "--from", "mean.solved"),
        ("export", "mean.solved", "--game", str(file), "--to", "csv", "-o", "mean.csv"),
        ("plot", str(file), "values", "-o", "mean.svg"),
    ):
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM, *command], cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done
    for name in ("mean.cert", "mean.solved", "mean.csv", "mean.svg"):
        assert (tmp_path / name).exists()


# -------------------------------------------------------------------- inputs


def test_what_people_type_may_be_of_another_encoding(tmp_path: Path) -> None:
    line = Line(("play", "nim:heaps=1-2"), "no locale", 60.0, stdin="é\nq\n")
    result = run_in(line, tmp_path)
    assert (result.code, result.faults) == (0, []), result


def test_a_pipe_in_the_place_of_a_part_is_refused(solved: Path, tmp_path: Path) -> None:
    folder = tmp_path / "broken"
    for name in sorted(path.relative_to(solved) for path in solved.rglob("*") if path.is_file()):
        shutil.copytree(solved, folder)
        (folder / name).unlink()
        os.mkfifo(folder / name)
        codes = {run("value", "nim:heaps=1-2", "--from", str(folder)).code}
        codes |= {run("export", str(folder), "--to", "csv").code, run("status", str(folder), "--check").code}
        assert codes <= {0, 3}
        assert codes != {0} or name.suffix not in (".json", ".parquet"), name
        shutil.rmtree(folder)


def test_pipes_in_the_cache_are_not_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ENDSIGHT_CACHE_DIR", str(tmp_path / "cache"))
    command = [sys.executable, "-c", PROGRAM, "value", "nim:heaps=2-3", "--engine", "compiled", "--method", "graph"]
    for _ in range(2):
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
        assert (done.returncode, done.stdout) == (0, "first wins in 5\n")
        kept = [path for path in (tmp_path / "cache").iterdir() if path.is_file()]
        for path in kept:
            path.unlink()
            os.mkfifo(path)
        assert kept


def test_there_is_no_home(monkeypatch: pytest.MonkeyPatch) -> None:
    def homeless() -> Path:
        raise RuntimeError("Could not determine home directory.")

    for name in ("ENDSIGHT_CACHE_DIR", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(Path, "home", homeless)
    assert run("value", "nim:heaps=1-2", "--engine", "compiled", "--method", "graph").code == 0
    assert run("doctor").code == 0


@pytest.mark.parametrize("text", ["0", "1", "4", "-5", "x", "1.5", "", "99999999999999999999", "²"])
def test_odd_widths(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", text)
    done = run("analyze", "tictactoe")
    assert done.code == 0
    assert 20 <= max(map(len, done.out.splitlines())) <= 80


def test_modules_are_looked_for_where_the_folder_is_gone(tmp_path: Path) -> None:
    result = run_in(Line(("value", "os.path:join"), "folder gone", 60.0), tmp_path)
    assert (result.code, result.faults) == (3, []), result


BARE = """from typing import NamedTuple
from endsight.game import Game
class Bare(Game):
    class State(NamedTuple):
        n: int
    def start(self): return self.State(3)
    def moves(self, state): return [1] if state.n else []
    def play(self, state, move): return self.State(state.n - move)
    def payoff(self, state): return -1
"""


@pytest.mark.parametrize(
    "command",
    [("solve", "RULES", "-o", "STORED"), ("export", "STORED", "--to", "csv", "--game", "RULES", "-o", os.devnull)],
)
def test_rules_in_a_file_are_named_where_the_folder_is_gone(command: tuple[str, ...], tmp_path: Path) -> None:
    rules, stored = tmp_path / "bare.py", tmp_path / "stored"
    rules.write_text(BARE, encoding="utf-8")
    if command[0] == "export":
        assert run("solve", str(rules), "-o", str(stored)).code == 0
    words = tuple({"RULES": str(rules), "STORED": str(stored)}.get(word, word) for word in command)
    result = run_in(Line(words, "folder gone", 60.0), tmp_path)
    assert (result.code, result.faults) == (0, []), result


def test_rules_without_parameters_are_shown(tmp_path: Path) -> None:
    path = tmp_path / "bare.py"
    path.write_text(BARE, encoding="utf-8")
    for end in (run("games", str(path)), run("games", f"{path}:Bare", "--json")):
        assert (end.code, "Bare" in end.out) == (0, True), end


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", 2),
        (b"x = 1\n", 2),
        (b"class Game(:\n", 3),
        (bytes(range(256)), 3),
        (bytes(1000), 3),
        (b"x = " + b"(" * 3000 + b")" * 3000, 3),
        (b"import nothing_of_that_name\n", 3),
    ],
)
def test_files_that_are_no_rules(content: bytes, code: int, tmp_path: Path) -> None:
    path = tmp_path / "odd.py"
    path.write_bytes(content)
    for command in ("games", "value", "estimate"):
        end = run(command, str(path))
        assert (end.code, end.err[:7]) == (code, "error: "), end


def test_a_folder_or_a_huge_file_is_no_file_of_rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "folder.py").mkdir()
    assert run("games", str(tmp_path / "folder.py")).code == 3
    huge = tmp_path / "huge.py"
    huge.touch()
    os.truncate(huge, 10**12)  # no room on the disk is taken
    read_small_files_alone(monkeypatch)
    end = run("games", str(huge))
    assert (end.code, "too big" in end.err) == (3, True)


def test_a_low_recursion_limit_is_blamed_on_who_set_it(tmp_path: Path) -> None:
    limit = sys.getrecursionlimit()
    path = tmp_path / "bare.py"
    path.write_text("import sys\nsys.setrecursionlimit(150)\n" + BARE, encoding="utf-8")
    try:
        end = run("estimate", str(path))
    finally:
        sys.setrecursionlimit(limit)
    assert end.code in (0, 3), end


def test_saving_a_certificate_in_python_follows_links(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "draw.cert")
    certificate = es.prove(es.solve(es.games.TicTacToe()))
    es.write_certificate(certificate, tmp_path / "link")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "draw.cert").is_file()
