"""What it costs to be told bounds while a solve goes on: CPU time with and without, in turn."""

from __future__ import annotations

import argparse
import statistics
import time

import endsight as es

TASKS = (
    ("connectfour 5x4, alphabeta in plain Python", es.games.ConnectFour(width=5, height=4), "alphabeta"),
    ("connectfour 7x4, search by compiled rules", es.games.ConnectFour(width=7, height=4), "search"),
    ("connectfour 6x4, layers by compiled rules", es.games.ConnectFour(width=6, height=4), "layers"),
    ("pig to 100, proven ends", es.games.Pig(target=100), "auto"),
)


def seconds(game: es.Game, method: str, told: list[es.Underway] | None) -> float:
    """CPU time of one solve."""
    began = time.process_time()
    es.solve(game, method=method, bounds=None if told is None else told.append)  # type: ignore[arg-type]
    return time.process_time() - began


def main() -> None:
    """Print a line a task."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=5)
    runs = parser.parse_args().runs
    for name, game, method in TASKS:
        seconds(game, method, None)
        told: list[es.Underway] = []
        pairs = [(seconds(game, method, None), seconds(game, method, told)) for _ in range(runs)]
        ratio = statistics.median(with_bounds / without for without, with_bounds in pairs)
        cpu = statistics.median(without for without, _ in pairs)
        print(f"{name}: {cpu:.2f} s without, ratio {ratio:.3f} with, told {len(told) / runs:.1f} times a solve")


if __name__ == "__main__":
    main()
