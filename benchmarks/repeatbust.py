"""repeatbust: every threshold, the chance to bust and the mean number of rolls, exact or between proven ends.

    python benchmarks/repeatbust.py        # --quick leaves out what takes seconds

Seconds of this process (CPU), after one small solve that loads everything.
"""

from __future__ import annotations

import argparse
import time

import endsight as es
from endsight.answers.explanation import table_rows
from endsight.game.numbers import as_interval

QUICK = [(6, 2), (6, 3)]
EXACT = [*QUICK, (6, 4), (20, 2), (100, 1)]
BETWEEN_ENDS = [(10, 4), (6, 6)]


def facts(sides: int, dice: int, *, interval: bool) -> str:
    """One row of the table: the time for value, facts and thresholds, and the value."""
    started = time.process_time()
    solution = es.solve(es.games.RepeatBust(sides, dice), interval=interval)
    value = as_interval(solution.value()["player"])
    rows = table_rows(solution)
    names = [] if interval else list(solution.facts())
    seconds = time.process_time() - started
    kind = f"between ends {float(value.width):.1e} apart" if interval else f"exact, {', '.join(names)}"
    return f"| {sides}x{dice} | {seconds:.3f} | {float(value.middle):.6f} | {len(rows)} thresholds, {kind} |"


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--quick", action="store_true", help="only the small cases")
    is_quick = options.parse_args().quick
    facts(4, 2, interval=False)
    print("| dice | CPU s | value | what |\n| --- | --- | --- | --- |")
    for sides, dice in QUICK if is_quick else EXACT:
        print(facts(sides, dice, interval=False), flush=True)
    for sides, dice in [] if is_quick else BETWEEN_ENDS:
        print(facts(sides, dice, interval=True), flush=True)


if __name__ == "__main__":
    main()
