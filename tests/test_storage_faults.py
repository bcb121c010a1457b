"""Stored solutions outlast what disks, people and the kernel do to them."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import pyarrow as pa
import pytest

import endsight as es
import storage_edits
import storage_kills
import thresholds
from amounts import every, times
from command_line import ask, run
from endsight.errors import FileError, FolderBusy
from stored_folders import contents, flip, forge, killed_at, locked

RULES = """
from typing import NamedTuple
from endsight import Game

class Own(Game):
    class State(NamedTuple):
        left: int

    def limits(self): return self.State(5)
    def start(self): return self.State(5)
    def moves(self, state): return range(1, min(2, state.left) + 1)
    def play(self, state, move): return self.State(state.left - move)
    def payoff(self, state): return {price}
"""
UNIX = pytest.mark.skipif(os.name == "nt", reason="signals and modes of Unix")


@pytest.fixture
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Parts of few rows, so that a small game has several."""
    thresholds.small_stored_parts(monkeypatch, 10)


@pytest.fixture
def small_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    """Row groups of few rows, of which the last one read is kept."""
    thresholds.stored_rows_in_small_groups(monkeypatch, 16)
    thresholds.one_block_is_kept(monkeypatch)


def nim() -> es.Solution:
    return es.solve(es.games.Pots([4, 9, 2, 7, 5, 3]), method="graph")


# ---------------------------------------------------------------------- changed files


def test_random_edits_are_refused_or_change_nothing(tmp_path: Path) -> None:
    for name, folder in storage_edits.make(tmp_path).items():
        found = storage_edits.random_edits(folder, storage_edits.GAMES[name], 120, Random(5))
        assert sum(found.values()) == 120
        assert found["refused, FileError"] > 80
        assert not found["WRONG"]


def test_changed_bytes_are_refused_or_change_nothing(tmp_path: Path) -> None:
    for name, folder in storage_edits.make(tmp_path).items():
        found = storage_edits.byte_changes(folder, storage_edits.GAMES[name], 1, Random(5), step=15)
        assert found["refused, FileError"] > 100
        assert not found["WRONG"]


def test_a_reader_that_believes_anything_would_be_caught(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The harness itself: without checksums changed bytes do go unnoticed."""
    thresholds.checksums_of_rows_always_fit(monkeypatch)
    folder = storage_edits.make(tmp_path)["repeatbust"]
    found = storage_edits.byte_changes(folder, storage_edits.GAMES["repeatbust"], 1, Random(5), step=6)
    assert found["WRONG"]


def test_a_file_that_changes_while_it_is_open_is_noticed(tmp_path: Path) -> None:
    folder = es.save(es.solve(es.games.TicTacToe(), method="graph"), tmp_path / "t")
    with es.open_tablebase(folder) as table:
        position = table.game.position("a1 b2")
        (part,) = folder.rglob("*.parquet")
        data = part.read_bytes()
        part.write_bytes(data[:40] + bytes([data[40] ^ 1]) + data[41:])
        with pytest.raises(FileError, match="is not what was written"):
            table.probe(position)
    with es.open_tablebase(folder) as table:
        os.truncate(part, 100)
        with pytest.raises(FileError, match="100 bytes instead of"):
            table.probe(position)
        part.unlink()
        with pytest.raises(FileError, match="cannot be read"):
            table.probe(position)
    done = run("value", "tictactoe", "--from", str(folder))
    assert done.code == 3
    assert "part-0000.parquet" in done.err


def test_edited_rules_are_refused(tmp_path: Path) -> None:
    for name, price in (("one", -1), ("two", 1)):
        (tmp_path / f"{name}.py").write_text(RULES.format(price=price))
    one, two = (es.load(f"{tmp_path / name}.py") for name in ("one", "two"))
    folder = es.save(es.solve(one), tmp_path / "solved")
    with pytest.raises(FileError, match="rules that mean something else today"):
        es.open_tablebase(folder, two)
    with pytest.raises(FileError, match="whose rules are not in the file") as refusal:
        es.open_tablebase(folder)
    assert "--game file.py:Class" in str(refusal.value)


OF_ENUMS = """
from enum import Enum
from typing import NamedTuple
from endsight import Game

class Colour(Enum):
    RED, GREEN, BLUE = "r", "g", "b"

class Own(Game):
    class State(NamedTuple):
        left: int
        colour: Colour

    def limits(self): return self.State(5, Colour)
    def start(self): return self.State(5, Colour.RED)
    def moves(self, state): return range(1, min(2, state.left) + 1)
    def play(self, state, move): return self.State(state.left - move, [*Colour][move])
    def payoff(self, state): return -1
"""


@pytest.mark.parametrize(
    ("name", "options", "column", "value"),
    [
        ("tictactoe", (), "score", 100),
        ("own", (), "key", 2**63 - 1),
        ("pots:4-9-2-7", ("--utility", "win"), "key", "x"),
        ("goofspiel:cards=2,points=win", ("--utility", "win"), "key", "[[1],0,[]]"),
        ("pots:4-9-2-7", ("--utility", "win"), "key", None),
        ("pig:target=4", ("--interval",), "exact_0", "1/0"),
        ("pig:target=4", ("--interval",), "exact_0", "many"),
    ],
)
def test_forged_rows_are_refused_with_one_message(
    name: str, options: tuple[str, ...], column: str, value: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The checksums are those of the rows, and a row says what cannot be."""
    if name == "own":
        name = f"{tmp_path}/own.py"
        Path(name).write_text(OF_ENUMS, encoding="utf-8")
    with monkeypatch.context() as patch:
        forge(patch, column, 2, value)
        assert run("solve", name, *options, "-o", str(tmp_path / "it")).code == 0
    for form in ("csv", "jsonl", "parquet", "dot"):
        for more in ((), ("--fields",)) if form != "dot" else ((),):
            output = tmp_path / f"out.{form}"
            told = run("export", str(tmp_path / "it"), "--game", name, "--to", form, *more, "-o", str(output))
            assert (told.code, told.err.count("error:"), output.exists()) == (3, 1, False), told.err


def test_a_file_where_a_folder_belongs(tmp_path: Path) -> None:
    file = tmp_path / "notes.txt"
    file.write_text("not a solution")
    for command in (["status"], ["export", "--to", "csv"], ["value", "tictactoe", "--from"]):
        done = run(*command, str(file))
        assert done.code == 3
        assert f"{file} is not a folder" in done.err
    assert file.read_text() == "not a solution"


BLOCK = 300_000
"""Bytes that one block of rows may take, whatever the size of the file."""


def test_a_reader_takes_no_more_than_twice_the_file(tmp_path: Path) -> None:
    game = es.games.ConnectFour(width=4, height=4)
    folder = es.save(es.solve(game, method="layers"), tmp_path / "c", best=True)
    script = (
        "import random, sys, tracemalloc, pyarrow as pa, endsight as es\n"
        "table = es.open_tablebase(sys.argv[1]); table.options(table.game.position())\n"
        "before = pa.total_allocated_bytes(); tracemalloc.start()\n"
        "draw = random.Random(1)\n"
        "for _ in range(100):\n"
        "    place = table.game.position()\n"
        "    while not place.is_over: table.probe(place); place = place.play(draw.choice(list(place.moves())))\n"
        "for place in map(table.game.position, ('1 2 3 4', '4 4 4', '2 2 3 3 1')): table.options(place)\n"
        "print(tracemalloc.get_traced_memory()[1] + pa.default_memory_pool().max_memory() - before)\n"
    )
    done = subprocess.run([sys.executable, "-c", script, str(folder)], capture_output=True, text=True, check=True)
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    assert int(done.stdout) <= 2 * size + BLOCK


# ---------------------------------------------------------------------- faults of the disk


class FaultyDisk:
    """Fails at one of the calls that write, counted from 1; counts them all."""

    CALLS = ("open", "write", "fsync", "replace")

    def __init__(self, monkeypatch: pytest.MonkeyPatch, fails_at: int, error: int) -> None:
        self.calls, self.fails_at, self.error = 0, fails_at, error
        for name in self.CALLS:
            monkeypatch.setattr(os, name, self._wrapped(getattr(os, name)))

    def _wrapped(self, call: Callable[..., Any]) -> Callable[..., Any]:
        def counted(*arguments: Any, **more: Any) -> Any:
            self.calls += 1
            if self.calls == self.fails_at:
                raise OSError(self.error, os.strerror(self.error))
            return call(*arguments, **more)

        return counted


def _failure(solution: es.Solution, folder: Path) -> FileError | None:
    try:
        es.save(solution, folder)
    except FileError as error:
        return error
    return None


@UNIX
@pytest.mark.parametrize("step", every(3))
@pytest.mark.parametrize("error", [errno.ENOSPC, errno.EIO, errno.EROFS])
def test_a_disk_that_fails_at_any_call_leaves_the_last_good_state(
    error: int, step: int, small_parts: None, tmp_path: Path
) -> None:
    solution = nim()
    truth = contents(es.save(solution, tmp_path / "truth"))
    first = error % step + 1  # each call fails in one of the three ways at least
    for number in range(first, 200, step):
        folder = tmp_path / str(number)
        with pytest.MonkeyPatch.context() as patch:
            disk = FaultyDisk(patch, number, error)
            failure = _failure(solution, folder)
        if failure is None:
            break
        assert failure.exit_code == 3
        assert {errno.ENOSPC: "full", errno.EIO: "reports an error", errno.EROFS: "read-only"}[error] in str(failure)
        if folder.exists() and any(folder.iterdir()):
            storage_kills.assert_whole(folder)
        assert not list(tmp_path.rglob(".*.tmp-*"))
        es.save(solution, folder)
        assert contents(folder) == truth
    assert disk.calls >= 20
    assert disk.calls < number <= disk.calls + step


@UNIX
@pytest.mark.skipif(hasattr(os, "geteuid") and os.geteuid() == 0, reason="root may write anywhere")
def test_a_read_only_folder_is_a_clear_message(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    done = run("solve", "tictactoe", "-o", str(tmp_path / "t"))
    assert (done.code, "no permission" in done.err) == (3, True)


def test_a_path_through_a_file_is_a_clear_message(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for path in (tmp_path / "file", tmp_path / "file" / "t"):
        done = run("solve", "tictactoe", "-o", str(path))
        assert done.code == 3
        assert "file" in done.err


# ---------------------------------------------------------------------- two at once, and going on


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes cannot be forked here")
def test_processes_that_were_forked_read_one_open_solution_each_by_itself(small_groups: None, tmp_path: Path) -> None:
    """An open file is shared by them, and with it the place at which the next one reads."""
    solution = es.solve("nim:heaps=7-7-7", method="graph")
    with es.open_tablebase(es.save(solution, tmp_path / "nim")) as table:
        right = {position.state: table.probe(position) for position in table}
        places = [table.game.position_from(table.game.show(state)) for state in right]
        table.probe(places[0])  # the file is open before they are forked
        children = []
        for seed in range(4):
            child = os.fork()
            if child == 0:
                status = 1
                with suppress(BaseException):
                    status = int(not all(_reads(table, places, right, seed) for _ in range(8)))
                os._exit(status)
            children.append(child)
        assert all(_reads(table, places, right, 4) for _ in range(8))
        assert [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children] == [0] * 4


def _reads(table: es.Tablebase, places: list[es.Position], right: dict, seed: int) -> bool:
    """Whether all positions have the entries that they should have, read in an order of its own."""
    order = Random(seed).sample(places, len(places))
    return all(table.probe(place) == right[place.state] for place in order)


def test_threads_that_ask_one_solution_at_once_get_its_answers(small_groups: None, tmp_path: Path) -> None:
    solution = es.solve("nim:heaps=7-7-7", method="graph")
    with es.open_tablebase(es.save(solution, tmp_path / "nim")) as table:
        right = {position.state: table.probe(position) for position in table}
        places = [table.game.position_from(table.game.show(state)) for state in right]
        with ThreadPoolExecutor(6) as pool:
            assert all(pool.map(lambda seed: _reads(table, places, right, seed), range(24)))


def test_a_second_writer_is_told(tmp_path: Path) -> None:
    folder = tmp_path / "t"
    folder.mkdir()
    with locked(folder), pytest.raises(FolderBusy, match="another process"):
        es.save(nim(), folder)
    with locked(folder):
        done = run("solve", "tictactoe", "-o", str(folder))
        assert done.code == 5
        assert "is being written by another process" in done.err
    assert run("solve", "tictactoe", "-o", str(folder)).code == 0


def test_what_was_committed_is_not_written_again(small_parts: None, tmp_path: Path) -> None:
    solution, folder = nim(), tmp_path / "t"
    with killed_at(2, ".parquet", before=True) as written:
        es.save(solution, folder)
    status = ask("status", str(folder))
    assert (status["status"], status["done"]) == ("interrupted", ["tier=000/part-0000.parquet"])
    with pytest.raises(FileError, match="not finished"):
        es.open_tablebase(folder)
    done = run("solve", "tictactoe", "-o", str(folder))
    assert (done.code, "the solution of a different question" in done.err) == (3, True)
    with killed_at(0, ".parquet") as rest:
        es.save(solution, folder)
    assert [path.name for path in written + rest] == [f"part-000{number}.parquet" for number in (0, 1, 1, 2)]
    assert contents(folder) == contents(es.save(solution, tmp_path / "truth"))


def test_what_was_committed_and_damaged_is_written_again(small_parts: None, tmp_path: Path) -> None:
    solution, folder = nim(), tmp_path / "t"
    with killed_at(2, ".parquet") as written:
        es.save(solution, folder)
    flip(written[0])
    es.save(solution, folder)
    assert contents(folder) == contents(es.save(solution, tmp_path / "truth"))


@UNIX
@pytest.mark.parametrize("kills", times(3, 1))
def test_killed_solves_go_on_to_the_same_bytes(kills: int, tmp_path: Path) -> None:
    truth, seconds = storage_kills.undisturbed(tmp_path / "truth")
    random = Random(3)
    found = storage_kills.kill_until_done(tmp_path / "killed", truth, seconds, kills, random)
    assert sum(found.values()) <= kills
    storage_kills.side_by_side(tmp_path / "pair", truth, seconds, random)


@UNIX
def test_ctrl_c_says_how_to_go_on(tmp_path: Path) -> None:
    script = "from endsight.faces.cli import main; main()"
    process = subprocess.Popen(
        [sys.executable, "-c", script, "solve", "connectfour:width=5,height=4", "-o", str(tmp_path / "c")],
        stderr=subprocess.PIPE,
        text=True,
    )
    while not (tmp_path / "c" / "PARTIAL.json").exists():
        assert process.poll() is None
    process.send_signal(signal.SIGINT)
    _, message = process.communicate()
    assert process.returncode == 130
    assert "the same command" in message


def test_a_limit_says_what_is_kept(tmp_path: Path) -> None:
    done = run("solve", "tictactoe", "-o", str(tmp_path / "t"), "--mode", "memory", "--states", "100")
    assert done.code == 5
    assert "the same command starts over" in done.err
    shown = " ".join(run("status", str(tmp_path / "t")).out.split())  # a long path moves the rest to the next line
    assert shown.startswith(f"{tmp_path / 't'} · not complete")


def test_check_reads_everything(tmp_path: Path) -> None:
    folder = es.save(nim(), tmp_path / "n")
    assert ask("status", str(folder), "--check")["checked"]
    (part,) = folder.rglob("*.parquet")
    data = part.read_bytes()
    part.write_bytes(data[:-20] + bytes(20))
    assert run("status", str(folder)).code == 0
    checked = run("status", str(folder), "--check")
    assert (checked.code, "its checksum" in checked.err) == (3, True)
    assert pa.total_allocated_bytes() < 1 << 30
