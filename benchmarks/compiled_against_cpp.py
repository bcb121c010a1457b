"""The compiled engine against the same algorithms written in C++ by hand.

    python benchmarks/compiled_against_cpp.py [--runs 5] [--large]

Compiles `reference/*.cpp` with g++ -O3 -march=native, runs both sides in turn (so that a
busy machine is busy for both) and prints medians of CPU time and of the ratios of the pairs. Our side
includes growing its tables from 65 536 slots; the C++ tables have their final size from
the start. One run of each side comes first and is not counted: the memory of a virtual
machine is slow (some 2 s per GB) the first time that anybody touches it, and whoever came
first would pay. Tasks of some milliseconds are repeated within a pair. `--large` adds Connect
Four 5x5 (69 763 700 states, about 2 GB).
"""

from __future__ import annotations

import argparse
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import psutil

from endsight.compiler.rules import CompiledRules
from endsight.engine.kernels.backward import solve_keys
from endsight.engine.kernels.forward import find_keys
from endsight.engine.layers import solve_layers
from endsight.game.limits import Budget, Limits
from endsight.games import ConnectFour

Run = tuple[int, int, float]
"""States, edges, CPU seconds."""

_LEAST = 0.2
"""Seconds that each side of a pair takes at least: short tasks are repeated."""
REFERENCE = Path(__file__).with_name("reference")


def built(name: str, folder: str) -> str:
    binary = str(Path(folder) / name)
    subprocess.run(["g++", "-O3", "-march=native", "-o", binary, str(REFERENCE / f"{name}.cpp")], check=True)
    return binary


def reference(binary: str, *arguments: object, times: int = 1) -> Run:
    command = [binary, *map(str, arguments), str(times)]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    seconds = statistics.fmean(sum(map(float, line.split()[3:])) for line in lines)
    states, edges = map(int, lines[0].split()[:2])
    return states, edges, seconds


def repeated(run: Callable[[], Run], times: int) -> Run:
    """The mean of several runs: a task of some milliseconds is too short for one."""
    found = [run() for _ in range(times)]
    return *found[0][:2], statistics.fmean(seconds for _, _, seconds in found)


def layers(width: int, height: int) -> Callable[[], Run]:
    game = ConnectFour(width=width, height=height)
    rules = CompiledRules.of(game, symmetry=False)
    rules.kernel(find_keys, SHARED=0, COUNTS=0, MEASURES=0)
    rules.kernel(solve_keys, WIN_LOSS=1, IN_WORD=1)

    def run() -> Run:
        begin = time.process_time()
        solved = solve_layers(rules, game.position(), Budget(Limits(threads=1)))
        return solved.states, solved.edges, time.process_time() - begin

    return run


def compare(title: str, ours: Callable[[], Run], theirs: Callable[..., Run], runs: int) -> None:
    ours_seconds, theirs_seconds = [], []
    theirs(times=1)
    times = max(1, round(_LEAST / ours()[2]))
    for _ in range(runs):
        mine, other = repeated(ours, times), theirs(times=times)
        assert mine[:2] == other[:2], (mine, other)
        ours_seconds.append(mine[2])
        theirs_seconds.append(other[2])
    ours_median, theirs_median = statistics.median(ours_seconds), statistics.median(theirs_seconds)
    ratios = [mine / other for mine, other in zip(ours_seconds, theirs_seconds, strict=True)]
    print(
        f"{title:<26} {mine[0]:>11,} {mine[1]:>12,} {ours_median:>9.4f} {theirs_median:>9.4f}"
        f" {statistics.median(ratios):>6.2f} {ours_median / mine[1] * 1e9:>8.1f}"
        f"   {min(ratios):.2f} - {max(ratios):.2f}",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--large", action="store_true")
    options = parser.parse_args()
    print(f"{'task':<26} {'states':>11} {'edges':>12} {'ours s':>9} {'C++ s':>9} {'ratio':>6} {'ns/edge':>8}   ratios")
    solve_layers(CompiledRules.of(ConnectFour(width=5, height=4)), ConnectFour(width=5, height=4).position(), Budget())
    with tempfile.TemporaryDirectory() as folder:
        four = built("connectfour_layers", folder)
        for width, height in ((4, 4), (5, 4)):
            compare(
                f"Connect Four {width}x{height} layers",
                layers(width, height),
                partial(reference, four, width, height),
                options.runs,
            )
        if options.large:
            before = psutil.Process().memory_info().rss
            compare("Connect Four 5x5 layers", layers(5, 5), partial(reference, four, 5, 5), options.runs)
            peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
            print(f"Connect Four 5x5: {(peak - before) / 69_763_700:.1f} bytes a state")


if __name__ == "__main__":
    main()
