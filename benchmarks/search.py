"""Search and symmetry at work: positions, memory and computing time.

    python benchmarks/search.py [boards] [dominoes] [lines] [tables] [--lines 100] [--seed 5]

boards    Connect Four 6x5 and 5x6 from the empty board, by `search`
dominoes  who wins from the empty line, theorems off, by `search`
lines     random lines of dominoes with n=10, each by `search` with a minute's limit
tables    all positions of dominoes up to relabelling, by `layers`

Everything runs compiled. Times are computing time of this process, compiling left out where
the rules have been compiled before (run it twice).
"""

from __future__ import annotations

import argparse
import random
import resource
import time
from collections.abc import Callable

import endsight as es
from endsight.game import Game
from endsight.game.limits import Limits
from endsight.game.position import Position

MINUTE = Limits(seconds=60)


def solved(game: Game, position: Position | None = None, method: str = "search", limits: Limits | None = None) -> str:
    """Solve, and say in a few words what came out and what it took."""
    started = time.process_time()
    try:
        solution = es.solve(game, position, method=method, engine="compiled", limits=limits)  # type: ignore[arg-type]
        words = f"{solution.category():<5} {solution.states:>13,} states"
    except es.LimitReached as stop:
        words = f"stop  {stop.states:>13,} states"
    seconds = time.process_time() - started
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    return f"{words} {seconds:8.2f} s, peak so far {memory:.2f} GB"


def boards() -> None:
    """Connect Four."""
    for width, height in ((5, 5), (5, 6), (6, 5)):
        print(f"connectfour {width}x{height}: {solved(es.games.ConnectFour(width=width, height=height))}", flush=True)


def dominoes() -> None:
    """The empty line."""
    for n in range(6, 11):
        print(f"dominoes n={n}: {solved(es.games.Dominoes(n=n))}", flush=True)


def lines(count: int, seed: int) -> None:
    """Lines of 2 to 50 tiles laid at random, of which play can go on."""
    game = es.games.Dominoes(n=10)
    chance = random.Random(seed)
    times = []
    stops = 0
    for _ in range(count):
        position = random_line(game, chance)
        started = time.process_time()
        words = solved(game, position, limits=MINUTE)
        times.append(time.process_time() - started)
        stops += words.startswith("stop")
        if times[-1] > 1:
            print(f"after {len(position.history)} tiles: {words}", flush=True)
    times.sort()
    print(f"{count} lines of n=10: median {times[count // 2]:.3f} s, worst {times[-1]:.1f} s, {stops} stopped")


def random_line(game: es.games.Dominoes, chance: random.Random) -> Position:
    """A line that is not over."""
    while True:
        position = game.position()
        for _ in range(chance.randrange(2, game.tiles - 4)):
            moves = list(position.moves())
            if not moves:
                break
            position = position.play(chance.choice(moves))
        if not position.is_over:
            return position


def tables() -> None:
    """Every position once, up to relabelling."""
    for n in range(5, 9):
        print(f"dominoes n={n}: {solved(es.games.Dominoes(n=n), method='layers')}", flush=True)


def main() -> None:
    """Run what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parts: dict[str, Callable[[], None]] = {"boards": boards, "dominoes": dominoes, "tables": tables}
    parser.add_argument("parts", nargs="*", default=[*parts, "lines"], help="boards, dominoes, lines, tables")
    parser.add_argument("--lines", type=int, default=100)
    parser.add_argument("--seed", type=int, default=5)
    options = parser.parse_args()
    for part in options.parts:
        if part == "lines":
            lines(options.lines, options.seed)
        else:
            parts[part]()


if __name__ == "__main__":
    main()
