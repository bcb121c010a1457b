"""The pictures of the documentation, made from the code. Run this file to draw them anew."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import endsight as es
from endsight import charts, games
from endsight.charts import Chart

FOLDER = Path(__file__).parents[1] / "docs" / "pictures"


def _history(game: es.Game, record: str) -> Chart:
    return charts.history(es.review(es.solve(game), record))


PICTURES: dict[str, Callable[[], Chart]] = {
    "values-pots": lambda: charts.values(es.solve(games.Pots([4, 9, 2, 7, 5, 3, 8, 1]))),
    "policy-repeatbust": lambda: charts.policy(es.solve(games.RepeatBust())),
    "policy-pig": lambda: charts.policy(es.solve(games.Pig(target=15))),
    "distribution-pigturn": lambda: charts.distribution(es.solve(games.PigTurn())),
    "history-tictactoe": lambda: _history(games.TicTacToe(), "a1 b1 b2 c3 a3 a2 c1"),
    "history-pigturn": lambda: _history(games.PigTurn(), "roll 4 roll 6 roll 5 hold"),
    "graph-nim": lambda: charts.graph(es.solve(games.Nim(heaps=(1, 2)))),
}


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for name, draw in PICTURES.items():
        draw().save(FOLDER / f"{name}.svg")


if __name__ == "__main__":
    main()
