"""Puzzles from one position by a search from both ends, beside iterative deepening and the graph of all positions.

python benchmarks/both_ends.py             # all
python benchmarks/both_ends.py cube lights # these alone
python benchmarks/both_ends.py --search    # without the graph
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Any

import endsight as es
from endsight import Limits
from endsight.compiler.hint_proofs import prove_before
from endsight.naming.specification import load_game

RULES = Path(__file__).parent / "rules"
PUZZLES = {
    "8-puzzle": ("fifteen.py:Retraced:rows=3,columns=3", "tiles=8-0-6-5-4-7-2-3-1", 31),
    "15-puzzle": ("fifteen.py:Retraced", "tiles=11-1-10-6-4-2-15-3-0-12-9-5-13-8-7-14", 36),
    "pancakes, 10": ("retraced.py:Pancakes", "", None),
    "pancakes, 13": ("retraced.py:Pancakes:count=13", "", None),
    "cube": ("retraced.py:PocketCube", "", 11),
    "lights, 4x4": ("retraced.py:Lights:size=4", "", 4),
    "lights, 5x5": ("retraced.py:Lights", "", 15),
}
"""The rules, the position if it is not the start, and the length if it is known."""
WAYS: dict[str, dict[str, Any]] = {
    "bidirectional search": {"method": "search"},
    "shortest paths": {"method": "graph", "engine": "compiled"},
    "iterative deepening": {"method": "search"},
}

LONG, SECONDS = 20.0, 600.0
"""Runs of more seconds of computing are not repeated; none takes longer than this by the clock."""


def measured(game: Any, place: Any, asked: dict[str, Any]) -> tuple[Any, int, float]:
    """The answer, how many positions were found or entered, and the seconds; again if compiling may have counted."""
    taken = 0.0
    for _ in range(2):
        if taken < LONG:
            began = time.process_time()
            try:
                solution = es.solve(game, place, limits=Limits(memory=4 << 30, seconds=SECONDS), **asked)
            except es.errors.LimitReached as stop:
                return None, stop.states or 0, time.process_time() - began
            taken = time.process_time() - began
    return solution, solution.source.states, taken


def main() -> None:
    """A line for each puzzle and method."""
    ways = {way: asked for way, asked in WAYS.items() if asked["method"] == "search" or "--search" not in sys.argv}
    for name in [each for each in sys.argv[1:] if each != "--search"] or PUZZLES:
        rules, text, known = next(found for each, found in PUZZLES.items() if each.startswith(name))
        game = load_game(f"{RULES}/{rules}").game
        began = time.process_time()
        assert prove_before(game).is_costly
        print(f"{name}: proven in {time.process_time() - began:.1f} s")
        for way, asked in ways.items():
            own = game
            if way == "iterative deepening":
                if "Retraced" not in rules:
                    continue
                own = load_game(f"{RULES}/{rules.replace('Retraced', 'Fifteen')}").game
            solution, states, taken = measured(own, own.position_from(text) if text else own.position(), asked)
            length = None if solution is None else -solution.value()["player"]
            assert solution is None or (solution.method == way and known in (None, length))
            print(f"  {way}: {length} moves, {states:,} positions, {taken:.2f} s", flush=True)


if __name__ == "__main__":
    main()
