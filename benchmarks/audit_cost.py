"""What the audit of compiled answers costs: solves with it and without it, in pairs.

    python benchmarks/audit_cost.py [--pairs 5] [--only NAME ...] [--files]

CPU seconds of this process, with all machine code there. Medians of the pairs' differences; allowed are 50 ms, or 5%
of what the solve takes without, whichever is more. `--files` solves into a folder, by tasks of one worker.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest.mock import patch

import endsight as es
from endsight.errors import EndsightError
from endsight.layers.solving import solve_layered
from endsight.storage.manifest import audited_rows

RULES = Path(__file__).parent / "rules"
GAMES: tuple[tuple[str, str], ...] = (
    ("dominoes:n=4", "layers"),
    ("repeatbust", "layers"),
    ("repeatbust:sides=20,dice=2", "auto"),
    ("pots:" + "-".join(str(7 * pot % 23) for pot in range(60)), "layers"),
    ("hiddenpots:count=6,max=6", "auto"),
    ("highcard:hand=1-3-5-7-9-11,rival=8-x-4-x-2-x", "layers"),
    ("tictactoe", "layers"),
    ("tictactoe", "search"),
    ("connectfour:width=5,height=4", "layers"),
    ("connectfour:width=6,height=4", "search"),
    ("nim:heaps=20-30-40", "layers"),
    ("pig:target=40", "auto"),
    ("pigturn:sides=20", "auto"),
    ("piglet:target=30", "auto"),
    ("bigpig:target=40", "auto"),
    ("twodicepig:target=30", "auto"),
    ("hazardstop:sides=20", "auto"),
    ("ur:pieces=2", "auto"),
    ("ur:pieces=2", "rounds"),
    ("blackjack", "auto"),
    ("scorecard", "auto"),
    ("chomp:width=10,height=10", "layers"),
    ("hexapawn:width=4,height=4", "layers"),
    ("dodgem:size=4", "layers"),
    ("bankpig.py:BankPig", "auto"),
    ("clobber.py:Clobber", "layers"),
    ("clobber.py:Clobber", "search"),
    ("einstein.py:Einstein", "auto"),
    ("frozen.py:Frozen", "auto"),
    ("hanoi.py:Hanoi", "auto"),
    ("kalah.py:Kalah:houses=3,seeds=3", "auto"),
    ("krk.py:Krk", "auto"),
    ("lights.py:Lights", "auto"),
    ("pancakes.py:Pancakes:count=8", "auto"),
    ("peg.py:Peg:board=square", "auto"),
    ("pocketcube.py:PocketCube", "auto"),
    ("showdown.py:Showdown", "auto"),
    ("sliding.py:Sliding", "auto"),
    ("truel.py:Truel", "auto"),
)
"""Games of the package and of the folder `rules`, and by which method each is solved."""
ON_FILES = (
    "connectfour:width=5,height=4",
    "nim:heaps=20-30-40",
    "repeatbust:sides=20,dice=2",
    "dodgem:size=4",
    "scorecard",
)


def solve(game: es.Game, method: str) -> int:
    """Solve with compiled rules; gives at how many positions the answer was audited."""
    options: dict[str, Any] = {"method": "layers" if method == "rounds" else method}
    if method == "rounds":
        options["interval"] = True
    return es.solve(game, engine="compiled", limits=es.Limits(seconds=40), **options).source.audited


def solve_files(game: es.Game, _: str) -> int:
    """The same into a folder."""
    with tempfile.TemporaryDirectory() as folder:
        solve_layered(Path(folder) / "it", game.position())
        return audited_rows(Path(folder) / "it") or 0


def pairs(work: Callable[[es.Game, str], int], game: es.Game, method: str, count: int) -> tuple[float, float, int]:
    """Seconds without the audit and what it adds, medians of so many pairs; how many positions it looked at."""
    audited, without, more = work(game, method), [], []
    for number in range(count):
        seconds = {}
        for with_audit in (number % 2 == 0, number % 2 == 1):
            began = time.process_time()
            if with_audit:
                audited = work(game, method)
            else:
                with (
                    patch("endsight.answers.auditing.audited", lambda *_: None),
                    patch("endsight.layers.solving.audit_files", lambda *_: 0),
                ):
                    work(game, method)
            seconds[with_audit] = time.process_time() - began
        without.append(seconds[False])
        more.append(seconds[True] - seconds[False])
    return statistics.median(without), statistics.median(more), audited


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, default=5)
    parser.add_argument("--only", nargs="*", default=[""])
    parser.add_argument("--files", action="store_true")
    options = parser.parse_args()
    print("| game | method | without, ms | audit, ms | allowed, ms | positions |\n|---|---|---|---|---|---|")
    games = [(name, "files") for name in ON_FILES] if options.files else GAMES
    for spec, method in games:
        if not any(word in spec for word in options.only):
            continue
        game = es.load(f"{RULES / spec}" if ".py:" in spec else spec)
        try:
            without, more, audited = pairs(solve_files if options.files else solve, game, method, options.pairs)
        except EndsightError as error:
            print(f"| {spec} | {method} | {str(error).splitlines()[0]} | | | |", flush=True)
            continue
        allowed = max(0.05, 0.05 * without)
        over = " (over)" if more > allowed else ""
        name = spec if len(spec) < 50 else spec[:49] + "…"
        figures = f"{without * 1e3:.0f} | {more * 1e3:.0f}{over} | {allowed * 1e3:.0f} | {audited}"
        print(f"| {name} | {method} | {figures} |", flush=True)


if __name__ == "__main__":
    main()
