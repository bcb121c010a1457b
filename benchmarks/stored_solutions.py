"""Stored solutions: bytes a state, time to store, time of a look-up, by game.

    python benchmarks/stored_solutions.py            # --large: connectfour 5x5 as well

CPU seconds of this process for solving and for solving and storing, in this order, after
one small solve has warmed up whatever is compiled. Look-ups are of random positions, met by
random play, by `Tablebase.probe`: with no block in memory, and with the blocks in memory;
`by key` is the same without symmetry, packing and the answer as an object. Medians, in
microseconds of wall time.
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from random import Random
from typing import Any

import endsight as es
from endsight.game.question import Question
from endsight.storage.saving import solve_into

GAMES = [
    "tictactoe",
    "tictactoe:width=4,height=3,line=3",
    "connectfour:width=4,height=4",
    "connectfour:width=5,height=4",
    "nim:heaps=30-30-30-30",
    "nim:heaps=50-50-50-50",
    "repeatbust:sides=6,dice=2",
    "pig:target=30",
]
LARGE = ["connectfour:width=5,height=5"]
MOST_PLIES = 40


def cpu(work: Callable[[], Any]) -> tuple[Any, float]:
    started = time.process_time()
    result = work()
    return result, time.process_time() - started


def median(work: Callable[[Any], Any], items: Iterable[Any]) -> float:
    times = []
    for item in items:
        started = time.perf_counter()
        work(item)
        times.append(time.perf_counter() - started)
    return statistics.median(times) * 1e6


def positions(game: es.Game, count: int) -> list[es.Position]:
    random, found = Random(1), []
    while len(found) < count:
        place = game.position()
        for _ in range(random.randrange(MOST_PLIES)):
            moves = list(place.moves())
            if not moves:
                break
            place = place.play(random.choice(moves))
        found.append(place)
    return found


def measure(spec: str, folder: Path) -> list[str]:
    game = es.load(spec)
    method = "graph" if spec.startswith(("repeatbust", "pig")) else "layers"
    _, solving = cpu(lambda: es.solve(game, method=method))
    stored, storing = cpu(lambda: solve_into(folder, game.position(), Question(), method=method))
    manifest = stored.manifest
    with es.open_tablebase(folder) as table:
        source, asked = table.source, positions(game, 400)
        source._cache.most = 0
        cold = median(table.probe, asked[:200])
        source._cache.most = 1 << 30
        for place in asked:
            table.probe(place)
        warm = median(table.probe, asked)
        keys = [source.keys.of(source.view.key(place)) for place in asked]
        first = [key for key in keys if key <= manifest.parts[0].last]
        by_key = median(lambda key: source._row_in(0, key), first)
    return [
        spec,
        f"{manifest.states:,}",
        f"{manifest.layout.keys}, {manifest.layout.values}",
        f"{manifest.size / manifest.states:.2f}",
        f"{solving:.2f}",
        f"{storing:.2f}",
        f"{cold:.0f}",
        f"{warm:.0f}",
        f"{by_key:.1f}",
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", help="instead of the usual ones")
    parser.add_argument("--large", action="store_true")
    arguments = parser.parse_args()
    root = Path(tempfile.mkdtemp())
    try:
        es.save(es.solve(es.games.ConnectFour(width=3, height=3, line=3), method="layers"), root / "first")
        titles = (
            "game | states | form | B/state | solve, s | solve and store, s | cold, us | in memory, us | by key, us"
        )
        print(f"| {titles} |")
        print("|---|---|---|---|---|---|---|---|---|")
        for number, spec in enumerate(arguments.games or [*GAMES, *(LARGE if arguments.large else [])]):
            print(f"| {' | '.join(measure(spec, root / str(number)))} |", flush=True)
            shutil.rmtree(root / str(number))
    finally:
        shutil.rmtree(root)


if __name__ == "__main__":
    main()
