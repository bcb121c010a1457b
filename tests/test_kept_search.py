"""A search that goes on from a file: the same values, less work, and no file of something else."""

from __future__ import annotations

import os
import threading
from pathlib import Path
from typing import Any

import pytest

import endsight as es
from amounts import seed_rows
from command_line import run
from endsight import Limits
from endsight.errors import FileError, QuestionError
from kernel_runs import Search
from test_search_kernel import KINDS, Plain, oracle, random_game
from thresholds import save_searches_while_they_run
from wrong_answers import first_audit_finds_a_mistake

GAME = "connectfour:width=5,height=4"
STATES = 32_000
"""Fewer than the search of that game needs."""


def searched(path: Path, game: str = GAME, states: int | None = None, position: str = "") -> es.Solution:
    return es.solve(game, position, method="search", engine="compiled", keep=path, limits=Limits(states=states))


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a search that came to its end has left."""
    path = tmp_path_factory.mktemp("kept") / "whole.search"
    assert searched(path).value() == {"first": 0, "second": 0}
    return path


def test_a_stopped_search_goes_on(tmp_path: Path, kept: Path) -> None:
    whole = searched(tmp_path / "other.search").states
    path, stops = tmp_path / "stopped.search", 0
    for _ in range(4):
        try:
            solution = searched(path, states=STATES * whole // 100_000)
            break
        except es.LimitReached:
            stops += 1
    assert stops in (1, 2, 3)
    assert solution.value() == {"first": 0, "second": 0}
    assert solution.states < whole
    again = searched(path)
    assert (again.value(), again.states < 20) == (solution.value(), True)


def test_it_serves_other_positions_of_the_same_rules(kept: Path) -> None:
    right = es.solve(GAME, method="layers")
    before = kept.stat().st_mtime_ns
    for line in ("3", "1 2", "3 3 3"):
        assert searched(kept, position=line).value() == right.value(line)
    assert kept.stat().st_mtime_ns > before


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seeds", seed_rows(6, 2))
def test_random_games(kind: type[Plain], seeds: range, tmp_path: Path) -> None:
    for seed in seeds:
        game, path = random_game(kind, seed), tmp_path / f"{seed}.search"
        positions = [game.position(), *(game.position().play(move) for move in game.position().moves())]
        right = [Search(game).values(each) for each in positions]
        assert right[0] == oracle(game)
        for position in positions[::-1]:
            searcher = Search(game, 4)
            searcher.keep(position, path)
        for position, value in zip(positions, right, strict=True):
            searcher = Search(game, 4)
            searcher.keep(position, path)
            assert searcher.values(position) == value


def changed(kept: Path, path: Path, **how: Any) -> Path:
    """A copy with something changed: bytes at a place, the length, or a word of the head."""
    data = bytearray(kept.read_bytes())
    if "at" in how:
        data[how["at"]] ^= 1
    if "word" in how:
        data = bytearray(bytes(data).replace(*how["word"], 1))
    path.write_bytes(data[: how.get("length", len(data))] + how.get("more", b""))
    return path


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({"at": 5_000}, "its checksum does not fit"),
        ({"at": -3}, "its checksum does not fit"),
        ({"more": b"\n"}, "its checksum does not fit"),
        ({"length": 100_000}, "is too short"),
        ({"length": 40}, "is not what a search"),
        ({"length": 0}, "is not what a search"),
        ({"at": 0}, "is not what a search"),
        ({"word": (b"endsight search 1", b"endsight search 0")}, "is not what a search"),
        ({"word": (b'"parts": 1', b'"parts": 2')}, "other settings"),
        ({"word": (b'"log_buckets": ', b'"log_buckets": 9')}, "more than"),
    ],
)
def test_a_file_that_was_changed_is_refused(kept: Path, tmp_path: Path, how: dict[str, Any], message: str) -> None:
    path = changed(kept, tmp_path / "changed.search", **how)
    before = path.read_bytes()
    with pytest.raises((FileError, es.LimitReached), match=message):
        searched(path)
    assert path.read_bytes() == before


def test_other_rules_are_refused(kept: Path) -> None:
    for other in ("connectfour:width=4,height=5", "connectfour:width=5,height=4,line=3", "tictactoe:width=4"):
        ending = run("value", other, "--method", "search", "--keep", str(kept))
        assert (ending.code, "other rules" in ending.err) == (3, True)
    with pytest.raises(FileError, match="other settings"):
        es.solve(GAME, method="search", engine="compiled", symmetry=False, keep=kept)


def test_what_was_wrong_is_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "file"
    first_audit_finds_a_mistake(monkeypatch)
    solution = es.solve("tictactoe", method="search", engine="compiled", keep=path)
    assert (solution.source.engine, solution.value()) == ("plain", {"first": 0, "second": 0})
    assert not path.exists()


def test_a_file_that_no_search_wrote_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "mine.txt"
    path.write_text("mine")
    first_audit_finds_a_mistake(monkeypatch)
    assert es.solve("tictactoe", method="graph", engine="compiled", keep=path).source.engine == "plain"
    assert run("value", "tictactoe", "--method", "graph", "--engine", "plain", "--keep", str(path)).code == 0
    assert path.read_text() == "mine"


@pytest.mark.parametrize(
    "asked",
    [
        ("value", "pots:4-9"),
        ("value", "pots:4-9", "--json"),
        ("analyze", "tictactoe", "--method", "proofnumber", "--engine", "plain"),
        ("prove", "pots:4-9", "-o", "-"),
        ("value", "tictactoe", "--method", "search", "--utility", "lead", "--engine", "compiled"),
    ],
)
def test_that_nothing_was_kept_is_said(asked: tuple[str, ...], tmp_path: Path) -> None:
    said = run(*asked, "--keep", str(tmp_path / "file"))
    assert (said.code, (tmp_path / "file").exists()) == (0, False)
    assert said.err.count("note: --keep saved nothing") == 1
    assert "proofs are saved only where --method search runs compiled rules" in " ".join(said.err.split())


def test_all_commands_that_search_keep_what_is_proven(tmp_path: Path) -> None:
    """The values of all moves as well: the next search from one of them has nothing left to do."""
    path, game = tmp_path / "file", "connectfour:width=5,height=4"
    how = ("--method", "search", "--engine", "compiled", "--keep", str(path))
    assert run("analyze", game, "--at", "3", *how).code == 0
    for move in "12345":
        fresh = es.solve(GAME, f"3 {move}", method="search", engine="compiled").states
        assert searched(path, position=f"3 {move}").states < min(20, fresh)
    before = path.stat().st_mtime_ns
    assert run("prove", game, "--at", "3 3", "-o", str(tmp_path / "cert"), *how).code == 0
    assert run("verify", str(tmp_path / "cert"), "connectfour").code == 0
    assert path.stat().st_mtime_ns > before


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")
def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(FileError, match="not a plain file"):
        searched(tmp_path / "pipe")


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="cannot be written"):
        searched(tmp_path / "no" / "file")


def test_rules_that_cannot_be_known_again(tmp_path: Path) -> None:
    game = Plain()
    object.__setattr__(game, "lock", threading.Lock())
    with pytest.raises(QuestionError, match="cannot be kept"):
        es.solve(game, method="search", engine="compiled", keep=tmp_path / "file")


def test_it_is_written_while_the_search_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not when it is stopped, where that would take long; at most one part in so many of the time."""
    save_searches_while_they_run(monkeypatch)
    game, path = es.games.ConnectFour(width=6, height=4), tmp_path / "file"
    searcher = Search(game, None, states=400_000, threads=1)
    with pytest.raises(es.LimitReached):
        searcher.keep(game.position(), path)
    later = Search(game, None)
    later.keep(game.position(), path)
    assert later.value(game.position()) == -1
    assert later.states < 900_000
