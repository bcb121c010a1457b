"""Two players who see different things: our exact solver, OpenSpiel's linear program and Gambit's rational one.

    python benchmarks/beside_linear_programs.py --python OTHER [--pairs 3] [--most 120]

OTHER is a Python that has `open_spiel` with `cvxpy` and `ecos` (its linear program needs them), and `pygambit`. All
solve OpenSpiel's game: ours as `openspiel:NAME`, and our own rules of the same game; Gambit reads the tree that
`es.to_efg` writes. Each run is a process of its own. Printed are CPU seconds from the game to the value, after imports
(ours after another game, which loads what is loaded late): medians, and for each other side the median of the ratios
to ours; nothing longer than `--most` seconds is waited for. Ours and Gambit's values are exact, and compared as
fractions; OpenSpiel's is a double.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
from fractions import Fraction
from pathlib import Path

import endsight as es

GAMES = [
    ("kuhn_poker", "kuhn"),
    ("liars_dice(dice_sides=3)", "liarsdice:sides=3"),
    ("liars_dice(dice_sides=4)", "liarsdice:sides=4"),
    ("leduc_poker", "leduc"),
]

OURS = """
import json, sys, time
import endsight as es
es.solve("liarsdice:sides=2").value()
game = es.load(sys.argv[1])
begin = time.process_time()
value = es.solve(game).value()["first"]
print(json.dumps([time.process_time() - begin, str(value)]))
"""
OPEN_SPIEL = """
import json, sys, time
import pyspiel
from open_spiel.python.algorithms import sequence_form_lp
game = pyspiel.load_game(sys.argv[1])
begin = time.process_time()
value = sequence_form_lp.solve_zero_sum_game(game)[0]
print(json.dumps([time.process_time() - begin, str(float(value))]))
"""
GAMBIT = """
import json, sys, time
import pygambit
game = pygambit.read_efg(sys.argv[1])
begin = time.process_time()
found = pygambit.nash.lp_solve(game, rational=True).equilibria[0]
value = found.payoff(next(iter(game.players)))
print(json.dumps([time.process_time() - begin, str(value)]))
"""


def run(python: str, script: str, argument: str, most: float) -> tuple[float, str] | None:
    """CPU seconds and value of one run; None where it takes too long."""
    try:
        command = [python, "-c", script, argument]
        done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=most)
    except subprocess.TimeoutExpired:
        return None
    seconds, value = json.loads(done.stdout.splitlines()[-1])
    return seconds, value


def compare(name: str, own: str, python: str, pairs: int, most: float) -> str:
    """One line of the table."""
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder) / "game.efg"
        tree.write_text(es.to_efg(f"openspiel:{name}"), encoding="utf-8")
        sides = {
            "ours": (sys.executable, OURS, f"openspiel:{name}"),
            "own rules": (sys.executable, OURS, own),
            "OpenSpiel": (python, OPEN_SPIEL, name),
            "Gambit": (python, GAMBIT, str(tree)),
        }
        times: dict[str, list[float]] = {side: [] for side in sides}
        values: dict[str, str] = {}
        for _ in range(pairs):
            for side, (program, script, argument) in sides.items():
                found = run(program, script, argument, most) if len(times[side]) or side not in values else None
                values[side] = values.get(side, "") if found is None else found[1]
                times[side] += [] if found is None else [found[0]]
    exact = Fraction(values["ours"])
    assert Fraction(values["own rules"]) == exact, values
    assert not values["Gambit"] or Fraction(values["Gambit"]) == exact, values
    error = f"{abs(float(values['OpenSpiel']) - float(exact)):.0e}" if values["OpenSpiel"] else "-"
    cells = [f"`{name}`", f"{float(exact):.6f}", *(_cell(times, side, most) for side in sides), error]
    return f"| {' | '.join(cells)} |"


def _cell(times: dict[str, list[float]], side: str, most: float) -> str:
    if not times[side]:
        return f"over {most:g}"
    middle = statistics.median(times[side])
    ratio = statistics.median(other / own for own, other in zip(times["ours"], times[side], strict=False))
    return f"{middle:.3g}" if side == "ours" else f"{middle:.3g} ({ratio:.2g})"


def main() -> None:
    """All games."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--python", default=sys.executable, help="a Python that has open_spiel, cvxpy, ecos, pygambit")
    parser.add_argument("--pairs", type=int, default=3)
    parser.add_argument("--most", type=float, default=120)
    options = parser.parse_args()
    print("| game | value | ours, exact | our own rules | OpenSpiel, doubles | Gambit, rational | OpenSpiel's error |")
    print("|---|---|---|---|---|---|---|")
    for name, own in GAMES:
        print(compare(name, own, options.python, options.pairs, options.most), flush=True)


if __name__ == "__main__":
    main()
