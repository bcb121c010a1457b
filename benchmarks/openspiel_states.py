"""States a second of `openspiel:NAME` beside OpenSpiel's own value iteration.

    python benchmarks/openspiel_states.py --python OTHER [--pairs 3]

OTHER is a Python that has `open_spiel` and `cvxpy`. Each run is a process of its own, one of ours and one of theirs in
turn. Ours explores OpenSpiel's states in Python and solves them exactly, told apart by what decides their future.
Theirs is `value_iteration(game, -1, 1e-9, cyclic_game=True)`, which meets every text of a state once. CPU seconds
include both; states are each side's own.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys

GAMES = [
    "tic_tac_toe",
    "nim(pile_sizes=3;4;5)",
    "clobber(rows=3,columns=4)",
    "dots_and_boxes(num_rows=1,num_cols=4)",
    "breakthrough(rows=5,columns=3)",
]
OURS = """
import json, sys, time
import endsight as es
es.solve("openspiel:nim(pile_sizes=1;2)").value()
game = es.load("openspiel:" + sys.argv[1])
begin = time.process_time()
solution = es.solve(game)
solution.value()
print(json.dumps([len(game.positions.met) + 1, time.process_time() - begin]))
"""
THEIRS = """
import json, sys, time
import pyspiel
from open_spiel.python.algorithms.value_iteration import value_iteration
game = pyspiel.load_game(sys.argv[1])
begin = time.process_time()
values = value_iteration(game, -1, 1e-9, cyclic_game=True)
print(json.dumps([len(values), time.process_time() - begin]))
"""


def rate(python: str, script: str, name: str) -> tuple[int, float]:
    """States, and states a second."""
    done = subprocess.run([python, "-c", script, name], capture_output=True, text=True, check=True)
    states, seconds = json.loads(done.stdout.splitlines()[-1])
    return states, states / seconds


def main() -> None:
    """All games, a line each."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--python", required=True, help="a Python that has open_spiel and cvxpy")
    parser.add_argument("--pairs", type=int, default=3)
    options = parser.parse_args()
    print("| game | our states | states/s | its texts | texts/s | ratio |\n|---|---|---|---|---|---|")
    for name in GAMES:
        pairs = [(rate(sys.executable, OURS, name), rate(options.python, THEIRS, name)) for _ in range(options.pairs)]
        ours, theirs = (statistics.median(each[side][1] for each in pairs) for side in (0, 1))
        ratio = statistics.median(own[1] / other[1] for own, other in pairs)
        states, texts = pairs[0][0][0], pairs[0][1][0]
        print(f"| `{name}` | {states:,} | {ours:,.0f} | {texts:,} | {theirs:,.0f} | {ratio:.2f} |", flush=True)


if __name__ == "__main__":
    main()
