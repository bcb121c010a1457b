"""Results that others have published: Connect Four on small boards, Kalah(4,3), and Othello on 4x4 squares."""

from __future__ import annotations

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest

import endsight as es
from amounts import each

SMALL = ((4, 4), (5, 4), (6, 4), (4, 5), (5, 5), (4, 6))
AMOUNTS = {"=": 0, "+": 1, "-": -1}


@pytest.fixture(scope="module")
def benchmark() -> Any:
    """The script that runs all boards, and holds the table of results."""
    spec: Any = spec_from_file_location("search_benchmark", Path(__file__).parents[1] / "benchmarks" / "search.py")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("board", each(SMALL, lambda board: sum(board) < 10))
def test_results_are_those_of_the_published_table(board: tuple[int, int], benchmark: Any) -> None:
    width, height = board
    solution = es.solve(es.games.ConnectFour(width=width, height=height), method="search")
    assert solution.value()["first"] == AMOUNTS[benchmark.RESULTS[height][width - 4]]


@pytest.mark.parametrize(("rules", "lead"), [("othello.py:Othello:size=4", -8), ("kalah.py:Kalah:houses=4,seeds=3", 6)])
def test_leads_of_other_games(rules: str, lead: int) -> None:
    """The second player wins Othello on 4x4 squares by 11 to 3, and the first one Kalah(4,3)."""
    game = es.load(str(Path(__file__).parents[1] / "benchmarks" / "rules" / rules))
    assert es.solve(game, method="search").value() == {"first": lead, "second": -lead}


def test_the_table_has_every_board_of_the_benchmark(benchmark: Any) -> None:
    boards = {*benchmark.QUICK_BOARDS, *benchmark.LARGE_BOARDS}
    assert boards == {(width, height) for height in (4, 5, 6) for width in range(4, 9)} - {(7, 6), (8, 6)}
    assert boards >= {*SMALL}
