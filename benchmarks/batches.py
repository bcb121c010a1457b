"""A batch of six positions beside one: computing time of whole commands, medians of pairs.

    python benchmarks/batches.py --pairs 3

The six are the start and the next five positions, breadth first; the one is the start. Rules are compiled before.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from endsight.naming.specification import load_game

PATHS = {
    "layers": ("connectfour:width=5,height=4", "--method", "layers", "--symmetry", "off"),
    "rounds": ("ur:pieces=3", "--interval", "--method", "layers"),
    "intervals": ("pig:target=60", "--interval"),
    "search": ("connectfour:width=6,height=4", "--method", "search"),
    "disk": ("connectfour:width=5,height=4",),
}


def computing(*command: str) -> float:
    """User and system seconds of one command."""
    before = os.times()
    subprocess.run([sys.executable, "-m", "endsight", *command], check=True, capture_output=True)
    after = os.times()
    return after.children_user - before.children_user + after.children_system - before.children_system


def first_positions(game: str, count: int) -> list[str]:
    """The moves that lead to the start and the next positions, breadth first."""
    positions = [load_game(game).game.position()]
    for position in positions:
        positions += map(position.play, position.moves())
        if len(positions) >= count:
            break
    return [position.text for position in positions[:count]]


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--pairs", type=int, default=3)
    pairs = parser.parse_args().pairs
    print("| solved | command | one, s | six, s | ratio (range) |", "|---|---|---|---|---|", sep="\n")
    with tempfile.TemporaryDirectory() as folder:
        for name, (game, *options) in PATHS.items():
            asked = [game, *options]
            if name == "disk":
                solved = str(Path(folder) / "solved")
                computing("solve", game, "-o", solved)
                asked += ["--from", solved]
            batch = Path(folder) / "positions"
            batch.write_text("\n".join(first_positions(game, 6)) + "\n", encoding="utf-8")
            one = ["value", *asked]
            six = [*one, "--at", f"@{batch}", "--jsonl"]
            computing(*one)
            times = [(computing(*one), computing(*six)) for _ in range(pairs)]
            ratios = sorted(more / less for less, more in times)
            middle = [statistics.median(column) for column in zip(*times, strict=True)]
            shown = f"{statistics.median(ratios):.2f} ({ratios[0]:.2f} to {ratios[-1]:.2f})"
            print(
                f"| {name} | `{' '.join([game, *options])}` | {middle[0]:.2f} | {middle[1]:.2f} | {shown} |", flush=True
            )


main()
