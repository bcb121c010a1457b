"""Puzzles from one position: Korf's first ten orders of the 15-puzzle, and peg solitaire with 33 holes.

python benchmarks/puzzles.py            # all
python benchmarks/puzzles.py 9 5 2      # these orders alone
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import endsight as es
from endsight.naming.specification import load_game

RULES = Path(__file__).parent / "rules"
ORDERS = (
    "14-13-15-7-11-12-9-5-6-0-2-1-4-8-10-3",
    "13-5-4-10-9-12-8-14-2-3-7-1-0-15-11-6",
    "14-7-8-2-13-11-10-4-9-12-5-0-3-6-1-15",
    "5-12-10-7-15-11-14-0-8-2-1-13-3-4-9-6",
    "4-7-14-13-10-3-9-12-11-5-6-15-1-2-8-0",
    "14-7-1-9-12-3-6-15-8-11-2-5-10-0-4-13",
    "2-11-15-5-13-4-6-7-12-8-10-1-9-3-14-0",
    "12-11-15-3-8-0-4-2-6-13-9-5-14-1-10-7",
    "3-14-9-11-5-4-8-2-13-12-6-7-10-1-15-0",
    "13-11-8-9-0-15-7-10-4-3-6-14-5-12-2-1",
)
"""R. E. Korf, Artificial Intelligence 27 (1985), table 1."""
LENGTHS = (57, 55, 59, 56, 56, 52, 52, 50, 46, 59)
"""The lengths that are known."""


def main() -> None:
    """A line for each, with positions entered and seconds of computing."""
    chosen = list(map(int, sys.argv[1:])) or range(1, len(ORDERS) + 1)
    game = load_game(f"{RULES}/fifteen.py:Fifteen").game
    for number in chosen:
        place = game.position_from(f"tiles={ORDERS[number - 1]}")
        began = time.process_time()
        solution = es.solve(game, place)
        taken = time.process_time() - began
        value = -solution.value()["player"]
        assert value == LENGTHS[number - 1] == len(solution.line())
        print(f"15-puzzle {number}: {value} moves, {solution.source.states:,} positions, {taken:.1f} s", flush=True)
    if len(sys.argv) == 1:
        began = time.process_time()
        solution = es.solve(load_game(f"{RULES}/peg.py:Peg").game)
        taken = time.process_time() - began
        print(f"peg solitaire: {solution.value()['player']}, {solution.source.states:,} positions, {taken:.1f} s")


if __name__ == "__main__":
    main()
