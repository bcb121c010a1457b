"""Games in which players see different things: from rules to information sets, and on to two plans and the value.

    python benchmarks/hidden_information.py [GAME ...] [--walks-only] [--runs 3]

For every game both walks, plain and compiled, are timed in CPU seconds: the plain one once, and only up to 400,000
histories; the compiled one `--runs` times, the first of which may have to compile: as a whole, rules translated and the
record made, and the walk alone. Told are the best runs, and histories a second by each. Then the equilibrium is found
from the sets: CPU seconds, the value and how it is proven, and the most memory that the process has had by then.
"""

from __future__ import annotations

import argparse
import resource
from time import process_time

import endsight as es
from endsight.algorithms.compiled_walk import WalkArrays, compiled_information_sets, rules_of
from endsight.algorithms.equilibrium import equilibrium
from endsight.algorithms.information_sets import few_information_sets
from endsight.algorithms.walked_sets import walked_sets
from endsight.game import Game
from endsight.game.limits import Budget

GAMES = ("kuhn", "leduc", "leduc:ranks=13", "phantomtictactoe:width=3,height=2", "liarsdice", "liarsdice:sides=7")
MOST_PLAINLY = 400_000
"""Histories that the plain walk is asked for."""


def megabytes() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def plain_seconds(game: Game) -> float | None:
    """CPU seconds of the plain walk; None for a game that is too large for it here."""
    began = process_time()
    found = few_information_sets(game, at_most=MOST_PLAINLY)
    return None if found is None else process_time() - began


def compiled_seconds(game: Game, runs: int) -> tuple[list[float], float]:
    """CPU seconds of each compiled walk, translation and arrays included, without the audit; of the best walk alone."""
    seconds, alone = [], []
    for _ in range(runs):
        began = process_time()
        compiled_information_sets(game, Budget())
        seconds.append(process_time() - began)
        walk = WalkArrays(rules_of(game), Budget(), "payoff")
        began = process_time()
        walk.run()
        alone.append(process_time() - began)
    return seconds, min(alone)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", default=GAMES)
    parser.add_argument("--walks-only", action="store_true")
    parser.add_argument("--runs", type=int, default=3)
    asked = parser.parse_args()
    for name in asked.games:
        measure(name, asked.runs, walks_only=asked.walks_only)


def measure(name: str, runs: int, *, walks_only: bool) -> None:
    """Walk through one game by both engines, and solve it."""
    game = es.load(name)
    seconds, alone = compiled_seconds(game, runs)
    began = process_time()
    walked = walked_sets(game)
    whole = process_time() - began
    sets = walked.sets
    sizes = " + ".join(str(len(side)) for side in sets.sides)
    print(f"{name}: {sets.nodes:,} histories, {sizes} sets, {len(sets.payoffs):,} payoffs")
    rates = [f"{sets.nodes / best:,.0f} a second" for best in (min(seconds), alone)]
    print(f"  compiled {seconds[0]:.2f}, then {min(seconds):.3f} s ({rates[0]}), {alone:.3f} s alone ({rates[1]})")
    if (plain := plain_seconds(game)) is not None:
        times = [f"{plain / best:.0f}" for best in (min(seconds), alone)]
        print(f"  plain {plain:.3f} s ({sets.nodes / plain:,.0f} a second), {times[0]} and {times[1]} times as long")
    print(f"  {walked.engine} walk, audited: {whole:.2f} s; {megabytes()} MB", flush=True)
    if walks_only:
        return
    began = process_time()
    found = equilibrium(sets)
    width = "exact" if found.is_exact else f"{float(found.upper - found.lower):.1e} wide"
    print(f"  {found.method} {process_time() - began:.2f} s: {float(found.lower):.6f}, {width}; {megabytes()} MB")


if __name__ == "__main__":
    main()
