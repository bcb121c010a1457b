"""A batch, a page and a review ask one solution: the game is not solved again for every position."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from command_line import run
from shown import Page
from thresholds import compile_small_games


@pytest.fixture(autouse=True, scope="module")
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Small games are made to count as large here, which must not be remembered elsewhere."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ENDSIGHT_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))
        yield


GAMES = {
    "graph": ("tictactoe", ("--method", "graph"), "", "a1", "a1 b2", "b2", "c3 a1", "a2 b2 c2"),
    "layers": ("connectfour:width=4,height=3,line=3", ("--method", "layers"), "1", "2", "1 2", "3 3", "4", "2 1 1"),
    "rounds": ("ur:pieces=1", ("--method", "layers"), "", "2", "1", "0", "3", "4"),
    "intervals": (
        "pig:target=12",
        (),
        "roll",
        "roll 2",
        "roll 3",
        "roll 2 roll",
        "roll 4",
        "roll 1",
    ),
    "search": ("connectfour:width=4,height=3,line=3", ("--method", "search"), "1", "2", "1 2", "3 3", "4", "2 1 1"),
    "theorem": ("pots:4-9-2-7-5-6", (), "", "L", "R", "L R", "L L", "R R"),
}


METHODS = {
    "graph": "backward induction",
    "layers": "layers",
    "rounds": "interval iteration by layers",
    "intervals": "interval iteration, exact along best play",
    "search": "search",
    "theorem": "stack reduction",
}


@pytest.mark.parametrize("way", GAMES)
def test_a_batch_of_six_solves_once(way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One solve takes one time; every other takes another."""
    compile_small_games(monkeypatch)
    game, options, *histories = GAMES[way]
    batch = tmp_path / "batch.txt"
    batch.write_text("\n".join(histories) + "\n")
    ending = run("value", game, "--at", f"@{batch}", "--jsonl", *options)
    assert ending.code == 0, ending
    documents = [json.loads(line) for line in ending.out.splitlines()]
    assert {document["method"]["name"] for document in documents} == {METHODS[way]}
    assert len({document["method"]["seconds"] for document in documents}) == 1
    values = [document["value"] for document in documents]
    assert len(values) == len(histories)
    single = [json.loads(run("value", game, "--at", each, "--json", *options).out)["value"] for each in histories[::2]]
    assert values[::2] == single


def test_a_batch_from_the_disk_solves_nothing(tmp_path: Path) -> None:
    folder, batch = str(tmp_path / "solved"), tmp_path / "batch.txt"
    assert run("solve", "tictactoe", "-o", folder).code == 0
    batch.write_text("\n".join(GAMES["graph"][2:]) + "\n")
    ending = run("value", "tictactoe", "--at", f"@{batch}", "--jsonl", "--from", folder)
    methods = [json.loads(line)["method"] for line in ending.out.splitlines()]
    assert [(method["engine"], method["seconds"]) for method in methods] == [("none", 0.0)] * 6


@pytest.mark.parametrize("way", GAMES)
def test_the_page_solves_once_for_all_clicks(way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    compile_small_games(monkeypatch)
    game, options, *_ = GAMES[way]
    extra = {name.removeprefix("--"): value for name, value in zip(options[::2], options[1::2], strict=True)}
    page, moves = Page(seconds=60), list[str]()
    for _ in range(5):
        moves.append(page.board(game, " ".join(moves), **extra)["values"]["moves"][0]["move"])
    assert page.solved == [""]
