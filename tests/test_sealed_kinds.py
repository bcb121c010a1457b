"""Documents of stored solutions with entries of the wrong kind, sealed again: refused with one message, never a bug."""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import endsight as es
from command_line import run
from endsight import Question
from endsight.storage.checkpoint import Checkpoint, File
from endsight.storage.identity import Identity
from endsight.storage.manifest import MANIFEST, PARTIAL
from endsight.storage.sealed import read_sealed, write_sealed

WRONG: tuple[Any, ...] = (None, True, -1, 10**30, "x", "", [], {}, [None], {"x": None}, [[1]], "\x1b[31m")


def places(document: Any, way: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The ways to all entries of a document."""
    if way:
        yield way
    if isinstance(document, dict | list):
        for key in document if isinstance(document, dict) else range(len(document)):
            yield from places(document[key], (*way, key))


def changed(document: Any, way: tuple[Any, ...], value: Any) -> Any:
    found = json.loads(json.dumps(document))
    inside = found
    for key in way[:-1]:
        inside = inside[key]
    inside[way[-1]] = value
    return found


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    found = {}
    for name, game, options in (
        ("one", es.games.TicTacToe(), {}),
        ("ends", es.games.Piglet(target=4), {"interval": True}),
        ("rewards", es.games.Pots((4, 9, 2)), {}),
    ):
        found[name] = tmp_path_factory.mktemp("stored") / name
        es.save(es.solve(game, **options), found[name])
    return found


SPECS = {"one": "tictactoe", "ends": "piglet:target=4", "rewards": "pots:4-9-2"}


def test_no_entry_of_a_solve_under_way_is_taken_for_a_bug(tmp_path: Path) -> None:
    folder = tmp_path / "begun"
    folder.mkdir()
    checkpoint = Checkpoint.begin(folder, Identity.of(es.games.TicTacToe().position(), Question()))
    checkpoint.commit("forward-0", [File("work/one", 3, "0" * 64)], {"states": 3})
    document = read_sealed(folder / PARTIAL)
    assert document is not None
    for way in places(document):
        for value in WRONG:
            write_sealed(folder / PARTIAL, changed(document, way, value))
            end = run("status", str(folder))
            assert end.code in (0, 3), (way, value, end)
            assert "\x1b[31m" not in end.out + end.err, (way, value)


@pytest.mark.parametrize("name", SPECS)
def test_no_entry_of_another_kind_is_taken_for_a_bug(name: str, stored: dict[str, Path], tmp_path: Path) -> None:
    draw = random.Random(name)
    folder = shutil.copytree(stored[name], tmp_path / "changed")
    document = read_sealed(folder / MANIFEST)
    assert document is not None
    for way in places(document):
        for value in draw.sample(WRONG, 3):
            write_sealed(folder / MANIFEST, changed(document, way, value))
            for command in (("status", str(folder)), ("value", SPECS[name], "--from", str(folder))):
                end = run(*command)
                assert end.code in (0, 3, 4), (way, value, end)
                assert "\x1b[31m" not in end.out + end.err, (way, value)
                if end.code:
                    assert end.err.startswith("error: "), (way, value, end)
