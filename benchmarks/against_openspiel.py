"""States a second of our compiled engine and of OpenSpiel, on the same games in one run.

    python benchmarks/against_openspiel.py --python OTHER [--pairs 5] [--quick]

OTHER is a Python that has `open_spiel` and `cvxpy` (its value iteration imports it) from
PyPI, in a virtual environment of its own. For every game each side runs in turn, `--pairs`
times: ours, value iteration, minimax. Printed are medians of states in a second of CPU time,
and of the ratios of each pair the median and the range (which show how much of it is the
machine's other work). Our side of a pair is repeated until it has taken a second. Ours:
every reachable position enumerated and solved exactly with distances (`layers`), rules
compiled before the clock starts. Theirs: `value_iteration` of
`open_spiel.python.algorithms`, with `cyclic_game=True`, which is kinder to it, as it then
meets every state once; and alpha-beta of `minimax`, stopped after 100 000 nodes. Both solve
the game from the same start, and the root values are compared.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import time
from pathlib import Path

from endsight.compiler.rules import CompiledRules
from endsight.engine.layers import solve_layers
from endsight.game import Game
from endsight.game.limits import Budget, Limits
from endsight.games import ConnectFour, Nim, TicTacToe

sys.path.insert(0, str(Path(__file__).with_name("rules")))
from clobber import Clobber

LEAST = 1.0
"""CPU seconds of our side in each pair: single solves are too short to measure."""

THEIR_WAYS = ("value iteration", "minimax")

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
    """States of one solve, CPU seconds for each, value of the start for the first player."""
    begin, count, seconds = time.process_time(), 0, 0.0
    while seconds < LEAST:
        solved = solve_layers(rules, game.position(), Budget(Limits(threads=1)))
        seconds, count = time.process_time() - begin, count + 1
    answer = solved.answer(game.position())
    assert answer is not None
    return solved.states, seconds / count, float(answer[0][0])


def theirs(python: str, name: str, what: str) -> tuple[int, float, float | None]:
    done = subprocess.run([python, "-c", THEIRS, name, what], capture_output=True, text=True, check=True)
    count, seconds, value = json.loads(done.stdout.splitlines()[-1])
    return count, seconds, value


def compare(title: str, game: Game, name: str, python: str, pairs: int) -> None:
    """One line of the table."""
    rules = CompiledRules.of(game, symmetry=False)
    ours(game, rules)
    rates: dict[str, list[float]] = {"ours": [], **{what: [] for what in THEIR_WAYS}}
    ratios: dict[str, list[float]] = {what: [] for what in THEIR_WAYS}
    for _ in range(pairs):
        states, seconds, value = ours(game, rules)
        rates["ours"].append(states / seconds)
        for what in THEIR_WAYS:
            count, their_seconds, their_value = theirs(python, name, what)
            assert their_value is None or their_value == value, (title, what, value, their_value)
            rates[what].append(count / their_seconds)
            ratios[what].append(states / seconds / rates[what][-1])
    cells = [title, f"{states:,}", f"{statistics.median(rates['ours']):,.0f}"]
    for what in THEIR_WAYS:
        low, middle, high = min(ratios[what]), statistics.median(ratios[what]), max(ratios[what])
        cells += [f"{statistics.median(rates[what]):,.0f}", f"{_short(middle)} ({_short(low)} to {_short(high)})"]
    print(f"| {' | '.join(cells)} |", flush=True)


def _short(ratio: float) -> str:
    return f"{ratio:,.0f}" if ratio >= 100 else f"{ratio:.1f}" if ratio >= 1 else f"{ratio:.2f}"


def main() -> None:
    """All games, or the small ones."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--python", required=True, help="a Python that has open_spiel and cvxpy")
    parser.add_argument("--pairs", type=int, default=5)
    parser.add_argument("--quick", action="store_true", help="only the three small games")
    options = parser.parse_args()
    print(f"| {options.pairs} pairs | states | ours, states/s | value iteration, states/s | ratio |", end="")
    print(" alpha-beta, nodes/s | ratio |\n|---|---|---|---|---|---|---|")
    for title, game, name in GAMES[:3] if options.quick else GAMES:
        compare(title, game, name, options.python, options.pairs)


if __name__ == "__main__":
    main()
