"""The questions of the command line as functions: the same names, the same answers."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import endsight as es
from command_line import run


def test_analyze_is_the_solution_at_a_position() -> None:
    found = es.analyze("tictactoe", "a1 b2")
    assert found.value == es.solve("tictactoe").value("a1 b2")
    assert [option.text for option in found.moves if option.best] == found.best_moves
    assert [row["move"] for row in found.to_dicts()] == [option.text for option in found.moves]
    assert es.analyze("repeatbust", "7").facts == es.solve("repeatbust").facts(es.load("repeatbust").position("7"))


@pytest.mark.parametrize("game", ["pigturn", "tictactoe", "pots:4-9-2-7"])
def test_fair_says_what_the_command_says(game: str) -> None:
    told = json.loads(run("fair", game, "--json").out)
    for row in es.fair(game).to_dicts():
        name, is_value, player = row["measure"].partition("value_")
        number = told["value"][player] if is_value else told[name]
        assert str(row["value"]) == number["exact"]


@pytest.mark.parametrize("game", ["repeatbust", "pig:target=5", "nim:heaps=1-2"])
def test_table_has_the_rows_of_the_command(game: str) -> None:
    rows = es.table(game).to_dicts()
    told = json.loads(run("table", game, "--json").out)["rows"]
    assert len(rows) == len(told) > 0
    for row, other in zip(rows, told, strict=True):
        for key in other.keys() & row.keys():
            assert row[key] == other[key] or isinstance(other[key], dict | list)


def test_sweep_has_a_row_for_every_setting() -> None:
    rows = es.sweep("repeatbust", "sides=2..4").to_dicts()
    assert [(row["sides"], row["value"]) for row in rows] == [
        (sides, es.solve(f"repeatbust:sides={sides}").value()["player"]) for sides in (2, 3, 4)
    ]
    assert rows == es.sweep("repeatbust", {"sides": range(2, 5)}).to_dicts()
    late = es.sweep("nim", {"heaps": [(1, 2), (30, 30)]}, method="graph", limits=es.Limits(states=20)).to_dicts()
    assert [row["heaps"] for row in late] == ["1-2", "30-30"]
    assert late[0]["message"] is None
    assert late[1]["value_first"] is None
    assert "20 states" in late[1]["message"]


def test_growth_and_estimate_count() -> None:
    rows = es.growth("nim", "heaps=1-2,2-3", ["graph"]).to_dicts()
    assert [row["positions"] for row in rows] == [
        es.solve(f"nim:heaps={heaps}", method="graph", symmetry=False).states for heaps in ("1-2", "2-3")
    ]
    assert es.estimate("nim:heaps=1-2", symmetry=False).states == 6


def test_plot_draws_the_charts_of_the_command(tmp_path: Path) -> None:
    for kind, position in (("values", "L"), ("distribution", ""), ("history", "L R"), ("graph", "L"), ("board", "L")):
        done = run("plot", "pots:4-9-2-7", kind, "--at", position, "-o", str(tmp_path / f"{kind}.svg"))
        assert done.code == 0, done.err
        assert (tmp_path / f"{kind}.svg").read_text() == es.plot("pots:4-9-2-7", kind, position).svg()


def test_a_board_is_a_chart_in_svg_alone(tmp_path: Path) -> None:
    board = es.plot("tictactoe", "board", "a1 b1")
    assert repr(board) == "<BoardChart: Tic-tac-toe>"
    assert board.svg(width=390).count('class="es-place move') == 7
    assert "b2: win in 5, the best" in board.description
    board.save(tmp_path / "board.svg")
    assert (tmp_path / "board.svg").read_text() == board.svg()
    for draw in (board.axes, lambda: board.save(tmp_path / "board.png")):
        with pytest.raises(es.UsageError, match="a board can be drawn only as SVG"):
            draw()
    with pytest.raises(es.QuestionError, match="assumes that players see everything"):
        es.plot("kuhn", "board")


@pytest.mark.parametrize("form", ["csv", "jsonl", "parquet", "dot"])
def test_export_writes_the_file_of_the_command(form: str, tmp_path: Path) -> None:
    es.save(es.solve("nim:heaps=1-2"), tmp_path / "nim")
    assert run("export", str(tmp_path / "nim"), "--to", form, "-o", str(tmp_path / "one")).code == 0
    es.export(tmp_path / "nim", form, tmp_path / "other")  # type: ignore[arg-type]
    assert (tmp_path / "one").read_bytes() == (tmp_path / "other").read_bytes()


REFUSED: list[tuple[Callable[[], Any], type[Exception], str]] = [
    (lambda: es.sweep("nim", "sides=1..2"), es.ParameterError, "nim has no parameter 'sides'"),
    (lambda: es.sweep("nim", {"sides": [1]}), es.ParameterError, "nim has no parameter 'sides'"),
    (lambda: es.sweep("nim", 3), es.UsageError, "sweep takes a dictionary"),  # type: ignore[arg-type]
    (lambda: es.sweep("nim", {}), es.UsageError, "sweep varies one parameter"),
    (lambda: es.fair(3), es.UsageError, "fair takes a game"),  # type: ignore[arg-type]
    (lambda: es.export("x", "xls", "y"), es.UsageError, "export writes no 'xls'"),  # type: ignore[arg-type]
    (lambda: es.plot("nim", "pie"), es.QuestionError, "there is no chart called 'pie'"),
    (lambda: es.table("pots:4-9", "Q"), es.IllegalMoveError, "pots: move 1, 'Q', is not legal at the start"),
    (lambda: es.growth("nim", "heaps=1-2", "quick"), es.QuestionError, "growth has no method 'quick'"),
]


@pytest.mark.parametrize(("call", "kind", "message"), REFUSED, ids=[message for *_, message in REFUSED])
def test_what_is_no_question(call: Callable[[], Any], kind: type[Exception], message: str) -> None:
    with pytest.raises(kind) as caught:
        call()
    assert str(caught.value).startswith(message)
