"""Two threads over one table against one: finding all states of Connect Four, wall time.

    python benchmarks/threads.py [--width 5] [--height 5] [--pairs 4]

Prints every pair and the median of the ratios. The first pair also pays for memory that the
system hands out for the first time. Needs two processors with nothing else to do.
"""

from __future__ import annotations

import argparse
import statistics
import time

import endsight as es
from endsight.compiler.rules import CompiledRules
from endsight.engine.entry import trusted_rules
from endsight.engine.goals import Goals
from endsight.engine.layers import _LayerRun
from endsight.engine.solved import plain_view
from endsight.engine.thread_pool import ThreadPool
from endsight.game.limits import Budget, Limits
from endsight.game.question import Question
from endsight.graph.objective import View


def forward(rules: CompiledRules, threads: int) -> tuple[float, float, int]:
    """Wall and processor seconds of finding all states, and how many there are."""
    with ThreadPool(threads) as pool:
        run = _LayerRun(
            rules, rules.game.position(), Budget(Limits(threads=threads)), pool, Goals.of(plain_view(rules))
        )
        wall, cpu = time.monotonic(), time.process_time()
        run.forward()
        return time.monotonic() - wall, time.process_time() - cpu, run.states


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--width", type=int, default=5)
    parser.add_argument("--height", type=int, default=5)
    parser.add_argument("--pairs", type=int, default=4)
    given = parser.parse_args()
    game = es.games.ConnectFour(width=given.width, height=given.height)
    rules = trusted_rules(View(game, Question(), symmetry=False), game.position(), tracks_mover=False)
    ratios = []
    for _ in range(given.pairs):
        (one, one_cpu, states), (two, two_cpu, _) = forward(rules, 1), forward(rules, 2)
        ratios.append(one / two)
        print(
            f"{states:,} states: one thread {one:.2f} s ({one_cpu:.2f} cpu), "
            f"two {two:.2f} s ({two_cpu:.2f} cpu), ratio {one / two:.2f}",
            flush=True,
        )
    print(f"median ratio {statistics.median(ratios):.2f}")


if __name__ == "__main__":
    main()
