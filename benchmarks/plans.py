"""What an equilibrium of players who see different things takes, step by step, in CPU seconds.

python benchmarks/plans.py kuhn leduc liarsdice:sides=6
"""

import resource
import sys
from time import process_time

from endsight.algorithms.basic_solution import basic_solution
from endsight.algorithms.best_reply import bounds
from endsight.algorithms.sequence_form import sequence_form
from endsight.algorithms.simplex import optimum
from endsight.algorithms.walked_sets import walked_sets
from endsight.game.limits import Budget
from endsight.naming.specification import load_game


def main() -> None:
    print(
        "| game | histories | sets | walk | program | exact | replies | value | peak MB |",
        "|---|---|---|---|---|---|---|---|---|",
        sep="\n",
    )
    for name in sys.argv[1:]:
        budget, began = Budget(), process_time()
        walked = walked_sets(load_game(name).game, budget=budget)
        sets, walk = walked.sets, process_time()
        program = sequence_form(sets)
        found = optimum(program, budget)
        solved = process_time()
        solution = basic_solution(program, found.basis, budget)
        exact = process_time()
        lower, upper = bounds(sets, *solution.plans)
        replied = process_time()
        assert lower == upper, "not optimal at once"
        value = f"{lower}" if len(str(lower)) < 20 else f"{float(lower):.6f} ({lower.denominator.bit_length()} bits)"
        steps = " | ".join(f"{step:.2f}" for step in (walk - began, solved - walk, exact - solved, replied - exact))
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        counts = f"{sets.nodes:,} | {len(sets.sides[0]):,} + {len(sets.sides[1]):,}"
        print(f"| `{name}` | {counts} | {steps} | {value} | {peak} |", flush=True)


main()
