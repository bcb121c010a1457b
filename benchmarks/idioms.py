"""Many ways to write one game, against the one that was written for speed by hand.

    python benchmarks/idioms.py [--pairs 9] [--repeat 10] [NAME ...]

Solves tic-tac-toe, and other games of `tests/idioms`, in each way in which they are written there, in turn with
the first of the family (bit boards, or single numbers), and prints the median of the ratios of CPU time. What is
timed is the solve by layers in one thread, or the graph where dice decide; rules are translated, and kernels loaded,
before.
"""

from __future__ import annotations

import argparse
import functools
import statistics
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from endsight import CHANCE, Game
from endsight.compiler.refusal import CannotCompile
from endsight.compiler.rules import CompiledRules
from endsight.engine.exploring import explore_arrays
from endsight.engine.layers import solve_layers
from endsight.game.limits import Budget, Limits
from endsight.game.question import Question
from endsight.graph.objective import View

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from idioms import board_bits, board_games, boxes, others, tictactoe, wide

CLOBBER = [functools.partial(kind, side=4) for kind in (others.ClobberBits, others.ClobberTuple, others.ClobberText)]
SIZES = {"Hexapawn": {"width": 4, "height": 4}, "Domineering": {"width": 5}, "Col": {"width": 4}, "Race": {"length": 9}}
SIZES |= {"Kayles": {"rows": (5, 5, 4)}, "Mancala": {"seeds": 3}}
"""Boards that are larger than `tests/idioms/board_games` has them, so that there is something to measure."""
FAMILIES = [
    *(
        [functools.partial(kind) for kind in family]
        for family in [tictactoe.GAMES, wide.GAMES, boxes.GAMES, *others.FAMILIES]
    ),
    CLOBBER,
    *(
        [functools.partial(kind, **SIZES.get(pair[1].__name__, {})) for kind in pair]
        for pair in zip(board_bits.GAMES, board_games.GAMES, strict=True)
    ),
]
"""The ways to write each game, the one made for speed by hand first; clobber on 3x3 cells among others, and on 4x4."""


def rules_of(game: Game) -> CompiledRules:
    """The rules with warm kernels; raises `CannotCompile`."""
    tracks = View(game, Question(), symmetry=False).tracks
    rules = CompiledRules.of(game, symmetry=False, tracks_mover=tracks)
    seconds(rules, 1)
    return rules


def seconds(rules: CompiledRules, repeat: int) -> float:
    """CPU seconds of so many solves."""
    begin = time.process_time()
    for _ in range(repeat):
        budget, position = Budget(Limits(threads=1)), rules.game.position()
        if position.mover == CHANCE:
            explore_arrays(rules, position, budget)
        else:
            solve_layers(rules, position, budget)
    return time.process_time() - begin


def main(arguments: Sequence[str] | None = None) -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, default=9)
    parser.add_argument("--repeat", type=int, default=10)
    parser.add_argument("names", nargs="*")
    options = parser.parse_args(arguments)
    within = compiled = total = 0
    for family in FAMILIES:
        first: CompiledRules | None = None
        for kind in family:
            name = " ".join([kind.func.__name__, *(f"{key}={value}" for key, value in kind.keywords.items())])
            wanted = not options.names or any(each.func.__name__ in options.names for each in family)
            if not wanted or (options.names and kind.func.__name__ not in options.names and kind is not family[0]):
                continue
            total += 1
            try:
                rules = rules_of(kind())
            except CannotCompile as reason:
                print(f"{name:>20}  not compiled: {reason}", flush=True)
                continue
            compiled += 1
            first = first or rules
            seconds(first, 1)
            repeat = max(1, min(options.repeat, int(0.2 / seconds(first, 1))))
            pairs = [(seconds(first, repeat), seconds(rules, repeat)) for _ in range(options.pairs)]
            ratio = statistics.median(own / other for other, own in pairs)
            own = statistics.median(own for _, own in pairs) / repeat
            within += ratio <= 1.3
            print(f"{name:>20}  {ratio:5.2f}  {own * 1e3:7.2f} ms", flush=True)
    print(f"{compiled} of {total} compiled, {within} of them within 1.3 times the first of their family")


if __name__ == "__main__":
    main()
