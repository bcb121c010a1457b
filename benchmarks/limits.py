"""How closely limits are kept, and how quickly Ctrl-C ends a command: measured from outside.

    python benchmarks/limits.py [--runs 50] [--seed 1] [time] [memory] [interrupt]

Every run is a command of its own, on a game that would go on far beyond the limit, by one
of the engines and methods in turn. Printed are the overshoots: seconds past `--time`
(start of Python, imports and the writing of the answer included), percent past `--memory`
(peak of resident memory, as the system counts it), and after Ctrl-C at a random moment the
seconds until the end, with anything that was not as it should be: another exit code, a
traceback, a document that cannot be read.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

WORK = (
    "connectfour --engine plain --method graph",
    "connectfour:width=6,height=5 --engine compiled --method graph",
    "connectfour:width=6,height=6 --method layers",
    "connectfour --method search",
    "dominoes:n=9 --method layers",
    "tictactoe:width=5,height=5,line=5 --method alphabeta",
    "tictactoe:width=5,height=5,line=5 --method minimax",
    "pig:target=200 --engine compiled",
    "pig:target=60 --engine plain",
    "pig --exact",
    "pots:" + "-".join(str(number * number % 97) for number in range(4000)) + " --utility win --method graph",
)
"""Questions that take more than any limit used here."""


@dataclass(frozen=True)
class Ending:
    """How a command ended: exit code, both streams, wall time, peak of memory in bytes."""

    code: int
    out: str
    err: str
    seconds: float
    memory: int


def run(arguments: Sequence[str], interrupt_after: float | None = None) -> Ending:
    """Run a command to its end; seconds count from the interrupt where there is one."""
    command = shutil.which("endsight") or "endsight"
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        started = time.monotonic()
        process = subprocess.Popen([command, *arguments], stdout=out, stderr=err)
        if interrupt_after is not None:
            time.sleep(interrupt_after)
            started = time.monotonic()
            os.kill(process.pid, signal.SIGINT)  # not `send_signal`, which would reap one that has ended
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.monotonic() - started
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0), err.seek(0)
        texts = out.read().decode(), err.read().decode()
    return Ending(process.returncode, *texts, seconds, usage.ru_maxrss * 1024)


def faults(ending: Ending, code: int) -> list[str]:
    """What is not as it should be."""
    found = [] if ending.code == code else [f"exit code {ending.code}"]
    found += ["traceback"] if "Traceback" in ending.err else []
    try:
        document = json.loads(ending.out) if ending.out else None
    except ValueError:
        return [*found, "unreadable document"]
    lacks = document is None and code == 5
    return found + (["no document"] if lacks else [])


def time_limit(arguments: list[str], chance: random.Random) -> tuple[float, str, list[str]]:
    """Seconds past the limit."""
    limit = round(chance.uniform(0.5, 6), 2)
    ending = run([*arguments, "--time", f"{limit}s", "--json"])
    return ending.seconds - limit, f"--time {limit}s", faults(ending, 5)


def memory_limit(arguments: list[str], chance: random.Random) -> tuple[float, str, list[str]]:
    """Percent past the limit; a minute stops those that need little memory."""
    limit = chance.choice([150, 200, 300, 400, 600])
    ending = run([*arguments, "--memory", f"{limit}MB", "--time", "20s", "--json"])
    return 100 * (ending.memory / (limit * 1e6) - 1), f"--memory {limit}MB", faults(ending, 5)


def interrupt(arguments: list[str], chance: random.Random) -> tuple[float, str, list[str]]:
    """Seconds from Ctrl-C to the end."""
    moment = round(chance.uniform(0.05, 6), 2)
    ending = run([*arguments, "--json"], interrupt_after=moment)
    return ending.seconds, f"Ctrl-C after {moment} s", faults(ending, 130)


MEASURES: dict[str, tuple[Callable[..., tuple[float, str, list[str]]], str]] = {
    "time": (time_limit, "seconds past --time"),
    "memory": (memory_limit, "percent past --memory"),
    "interrupt": (interrupt, "seconds from Ctrl-C to the end"),
}


def measure(name: str, runs: int, seed: int, work: Sequence[str]) -> None:
    """Print every run and what they come to."""
    function, unit = MEASURES[name]
    chance = random.Random(seed)
    amounts: list[float] = []
    wrong = 0
    for number in range(runs):
        question = work[number % len(work)]
        amount, what, found = function(["value", *question.split()], chance)
        amounts.append(amount)
        wrong += bool(found)
        print(f"{amount:8.2f}  {what:<22} {question[:60]:<60} {', '.join(found)}", flush=True)
    amounts.sort()
    print(f"{name}: {unit}: median {amounts[runs // 2]:.2f}, worst {amounts[-1]:.2f}; {wrong} of {runs} runs faulty")


def main() -> None:
    """Measure what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("measures", nargs="*", choices=[*MEASURES, "all"], default="all")
    parser.add_argument("--runs", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", help="questions that contain this text")
    options = parser.parse_args()
    work = [question for question in WORK if options.only is None or options.only in question]
    for name in MEASURES if "all" in options.measures else options.measures:
        measure(name, options.runs, options.seed, work)


if __name__ == "__main__":
    main()
