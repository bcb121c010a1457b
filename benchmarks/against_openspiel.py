"""States a second of our compiled engine and of OpenSpiel, on the same games in one run.

    python benchmarks/against_openspiel.py --python OTHER [--runs 3] [--quick]

OTHER is a Python that has `open_spiel` and `cvxpy` (its value iteration imports it) from
PyPI, in a virtual environment of its own. For every game each side runs in turn, `--runs`
times; printed are medians of CPU time. Ours: every reachable position enumerated and solved
exactly with distances (`layers`), rules compiled before the clock starts. Theirs:
`value_iteration` of `open_spiel.python.algorithms`, with `cyclic_game=True`, which is kinder to it,
as it then meets every state once; and alpha-beta of `minimax`, stopped after
100 000 nodes. Both solve the game from the same start, and the root values are compared.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import time
from pathlib import Path

from endsight.compiler.layers import solve_layers
from endsight.compiler.rules import CompiledRules
from endsight.game import Game
from endsight.games import ConnectFour, Nim, TicTacToe
from endsight.limits import Budget, Limits

sys.path.insert(0, str(Path(__file__).with_name("rules")))
from clobber import Clobber

GAMES: list[tuple[str, Game, str]] = [
    ("tic-tac-toe", TicTacToe(), "tic_tac_toe"),
    ("nim 3-4-5", Nim(heaps=(3, 4, 5)), "nim(pile_sizes=3;4;5,is_misere=false)"),
    ("clobber 3x4, own rules file", Clobber(rows=3, columns=4), "clobber(rows=3,columns=4)"),
    ("mnk 4x3, 3 in a row", TicTacToe(width=4, height=3, line=3), "mnk(m=4,n=3,k=3)"),
    ("Connect Four 4x4", ConnectFour(width=4, height=4), "connect_four(rows=4,columns=4,x_in_row=4)"),
]

THEIRS = """
import json, sys, time
import pyspiel
from open_spiel.python.algorithms import minimax
name, what = sys.argv[1:3]
game = pyspiel.load_game(name)
count = 0
value = None
if what == "value iteration":
    from open_spiel.python.algorithms.value_iteration import value_iteration
    begin = time.process_time()
    values = value_iteration(game, -1, 1e-9, cyclic_game=True)
    seconds = time.process_time() - begin
    count, value = len(values), values[str(game.new_initial_state())]
else:
    class Enough(Exception):
        pass
    search = minimax._alpha_beta
    def counted(*parts, **named):
        global count
        count += 1
        if count > 100_000:
            raise Enough
        return search(*parts, **named)
    minimax._alpha_beta = counted
    begin = time.process_time()
    try:
        value = minimax.alpha_beta_search(game)[0]
    except Enough:
        pass
    seconds = time.process_time() - begin
print(json.dumps([count, seconds, value]))
"""


def ours(game: Game, rules: CompiledRules) -> tuple[int, float, float]:
    """States, CPU seconds, value of the start for the first player."""
    begin = time.process_time()
    solved = solve_layers(rules, game.position(), Budget(Limits(threads=1)))
    seconds = time.process_time() - begin
    row = solved.look_up(rules.key(game.position().state, 0))
    assert row is not None
    return solved.states, seconds, float(row[0])


def theirs(python: str, name: str, what: str) -> tuple[int, float, float | None]:
    done = subprocess.run([python, "-c", THEIRS, name, what], capture_output=True, text=True, check=True)
    count, seconds, value = json.loads(done.stdout.splitlines()[-1])
    return count, seconds, value


def compare(title: str, game: Game, name: str, python: str, runs: int) -> None:
    rules = CompiledRules.of(game, symmetry=False)
    ours(game, rules)
    rates: dict[str, list[float]] = {"ours": [], "value iteration": [], "minimax": []}
    counts = {}
    for _ in range(runs):
        states, seconds, value = ours(game, rules)
        rates["ours"].append(states / seconds)
        for what in ("value iteration", "minimax"):
            counts[what], their_seconds, their_value = theirs(python, name, what)
            assert their_value is None or their_value == value, (title, what, value, their_value)
            rates[what].append(counts[what] / their_seconds)
    rate = {what: statistics.median(each) for what, each in rates.items()}
    iterated, searched = rate["value iteration"], rate["minimax"]
    print(
        f"{title:<28} {states:>9,} {rate['ours']:>12,.0f} {counts['value iteration']:>9,} {iterated:>9,.0f}"
        f" {rate['ours'] / iterated:>7,.1f} {searched:>9,.0f} {rate['ours'] / searched:>7,.1f}",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--python", required=True, help="a Python that has open_spiel and cvxpy")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--quick", action="store_true", help="only the three small games")
    options = parser.parse_args()
    heads = ("states", 9), ("ours /s", 12), ("theirs", 9), ("value it.", 9), ("ratio", 7), ("minimax", 9), ("ratio", 7)
    print(f"{'game':<28}", *(f"{head:>{width}}" for head, width in heads))
    for title, game, name in GAMES[:3] if options.quick else GAMES:
        compare(title, game, name, options.python, options.runs)


if __name__ == "__main__":
    main()
