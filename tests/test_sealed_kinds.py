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
from stored_folders import killed_at, seal, unsealed

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
    folder, solution = tmp_path / "begun", es.solve(es.games.TicTacToe())
    with killed_at(named="MANIFEST.json", before=True):
        es.save(solution, folder)
    document = unsealed(folder / "PARTIAL.json")
    assert document["done"]
    draw = random.Random(1)
    for way in places(document):
        for value in draw.sample(WRONG, 4):
            seal(folder / "PARTIAL.json", changed(document, way, value))
            end = run("status", str(folder))
            assert end.code in (0, 3), (way, value, end)
            assert "\x1b[31m" not in end.out + end.err, (way, value)


@pytest.mark.parametrize("name", SPECS)
def test_no_entry_of_another_kind_is_taken_for_a_bug(name: str, stored: dict[str, Path], tmp_path: Path) -> None:
    draw = random.Random(name)
    folder = shutil.copytree(stored[name], tmp_path / "changed")
    document = unsealed(folder / "MANIFEST.json")
    for way in places(document):
        for value in draw.sample(WRONG, 3):
            seal(folder / "MANIFEST.json", changed(document, way, value))
            for command in (("status", str(folder)), ("value", SPECS[name], "--from", str(folder))):
                end = run(*command)
                assert end.code in (0, 3, 4), (way, value, end)
                assert "\x1b[31m" not in end.out + end.err, (way, value)
                if end.code:
                    assert end.err.startswith("error: "), (way, value, end)
