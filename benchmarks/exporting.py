"""Exports of some two million rows: computing time a row, of whole commands less that of an export of a tiny solution.

    python benchmarks/exporting.py --runs 3

Medians of user and system time in microseconds a row, with the fields of the state as
columns (`--fields`) and with the position's text; beside the latter what the rules' own
`show` takes.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import endsight as es

GAMES = {"connectfour:width=5,height=4": (), "pig": ("--interval",)}
FORMS = ("csv", "jsonl", "parquet")
SHOWN = 100_000
"""States of which the time of `show` is taken."""


def computing(*command: str) -> float:
    """User and system seconds of one command."""
    before = os.times()
    subprocess.run([sys.executable, "-m", "endsight", *command], check=True, capture_output=True)
    after = os.times()
    return after.children_user - before.children_user + after.children_system - before.children_system


def showing(folder: Path) -> float:
    """Seconds that the rules' `show` takes for a state."""
    with es.open_tablebase(folder) as table:
        states = [node for node, _ in zip(table.source.nodes(), range(SHOWN), strict=False)]
        began = time.process_time()
        for state in states:
            table.game.show(state)
        return (time.process_time() - began) / len(states)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=3)
    runs = parser.parse_args().runs
    with tempfile.TemporaryDirectory() as workspace:
        tiny = Path(workspace) / "tiny"
        computing("solve", "nim:heaps=1-2", "-o", str(tiny))
        print("| game | rows | form | fields | position | show |")
        print("|---|---|---|---|---|---|")
        for number, (game, options) in enumerate(GAMES.items()):
            folder = Path(workspace) / str(number)
            computing("solve", game, *options, "-o", str(folder))
            with es.open_tablebase(folder) as table:
                rows = table.manifest.states
            shown = showing(folder)
            for form in FORMS:
                cells = []
                for fields in (("--fields",), ()):
                    target = ("--to", form, "-o", str(Path(workspace) / "out"), *fields)
                    took = [
                        computing("export", str(folder), *target) - computing("export", str(tiny), *target)
                        for _ in range(runs)
                    ]
                    cells.append(f"{statistics.median(took) / rows * 1e6:.2f}")
                print(f"| {game} | {rows:,} | {form} | {' | '.join(cells)} | {shown * 1e6:.2f} |", flush=True)


if __name__ == "__main__":
    main()
