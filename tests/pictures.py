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


def _values(game: es.Game, moves: str = "") -> Chart:
    return charts.values(es.solve(game, game.position(moves)))


def _ur() -> es.Solution:
    game = games.Ur(pieces=2)
    return es.solve(game, game.position("4 enter-4 2 enter-2 0 4"), interval=True)


# One picture for every built-in game, in docs/gallery.md.
GALLERY: dict[str, Callable[[], Chart]] = {
    "dominoes": lambda: charts.policy(es.solve(games.Dominoes(n=5))),
    "repeatbust": lambda: charts.policy(es.solve(games.RepeatBust())),
    "pots": lambda: _values(games.Pots([4, 9, 2, 7, 5, 3, 8, 1])),
    "hiddenpots": lambda: charts.graph(es.solve(games.HiddenPots(count=2, max=2))),
    "rpsbag": lambda: charts.policy(es.solve(games.RpsBag([[1, 0, 2], [0, 3, 0], [1, 1, 1], [2, 0, 1]]))),
    "highcard": lambda: charts.policy(es.solve(games.HighCard([1, 3, 5, 7], [8, None, 4, None]))),
    "tictactoe": lambda: _values(games.TicTacToe(), "a1 b1"),
    "connectfour": lambda: _values(games.ConnectFour(width=4, height=3, line=3), "4 2"),
    "nim": lambda: charts.graph(es.solve(games.Nim(heaps=(1, 2)))),
    "pig": lambda: charts.policy(es.solve(games.Pig(target=15))),
    "pigturn": lambda: charts.distribution(es.solve(games.PigTurn())),
    "piglet": lambda: charts.graph(es.solve(games.Piglet(target=2))),
    "hazardstop": lambda: charts.distribution(es.solve(games.HazardStop())),
    "chomp": lambda: _values(games.Chomp(width=4, height=3)),
    "hexapawn": lambda: _values(games.Hexapawn(width=3, height=3)),
    "dodgem": lambda: charts.graph(es.solve(games.Dodgem(size=2))),
    "ur": lambda: charts.values(_ur()),
    "bigpig": lambda: _values(games.BigPig(target=30), "roll 5-5 roll 2-2"),
    "twodicepig": lambda: _values(games.TwoDicePig(target=20), "roll 2-4"),
    "blackjack": lambda: _values(games.Blackjack(), "10 6 10"),
    "scorecard": lambda: charts.distribution(es.solve(games.Scorecard(dice=3, sides=2))),
}

PICTURES: dict[str, Callable[[], Chart]] = GALLERY | {
    "history-tictactoe": lambda: _history(games.TicTacToe(), "a1 b1 b2 c3 a3 a2 c1"),
    "history-pigturn": lambda: _history(games.PigTurn(), "roll 4 roll 6 roll 5 hold"),
}


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for name, draw in PICTURES.items():
        draw().save(FOLDER / f"{name}.svg")


if __name__ == "__main__":
    main()
