"""Many random cases, one after the other: each has a number, and what came of them is told however they stop."""

from __future__ import annotations

import argparse
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

from endsight.errors import EndsightError

TOLD_EVERY = 10.0
"""Seconds between two notes of how far the work is."""


def try_many(doc: str, count: int, tried: Callable[[str], Iterable[str]]) -> None:
    """Try the cases that the command line asks for, print each that fails, and exit with 1 if one did.

    `tried` gets a text that seeds the case, and returns what to count; it raises `AssertionError` where
    something is wrong. `--only` tries a single case again. `--seconds`, SIGTERM (which `timeout` sends) and Ctrl-C
    end the work early; the counts so far are printed.
    """
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=count)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=float("inf"), help="stop after so many seconds")
    parser.add_argument("--only", type=int, help="the number of a single case")
    options = parser.parse_args()
    numbers = range(options.count) if options.only is None else [options.only]
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    counts: Counter[str] = Counter()
    done = wrong = 0
    began = told = time.monotonic()
    try:
        for number in numbers:
            if (now := time.monotonic()) > began + options.seconds:
                break
            if now > told + TOLD_EVERY:
                told = now
                print(f"{done} of {len(numbers)} cases, {wrong} wrong, {now - began:.0f} s", file=sys.stderr)
            wrong += not _passes(options.seed, number, tried, counts)
            done += 1
    except KeyboardInterrupt:
        print("stopped early", file=sys.stderr)
    seconds = time.monotonic() - began
    print(f"{done} of {len(numbers)} cases, seed {options.seed}, {seconds:.0f} s: {dict(counts)}, {wrong} wrong")
    sys.exit(1 if wrong else 0)


def _passes(seed: int, number: int, tried: Callable[[str], Iterable[str]], counts: Counter[Any]) -> bool:
    try:
        counts.update(tried(f"{seed} {number}"))
    except (AssertionError, EndsightError) as error:
        print(f"--seed {seed} --only {number}: {type(error).__name__}: {error}", flush=True)
        return False
    return True
