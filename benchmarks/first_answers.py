"""First answers: how long people wait, beside the textbook method in C++.

    python benchmarks/first_answers.py [--runs 5] [--large] [--write]

Each task runs `--runs` times (in turn with its reference, so that a busy machine is busy
for both) and medians are shown: CPU seconds of this process, but wall-clock seconds for
whole processes. The references are `reference/*.cpp`, compiled with g++ -O3 -march=native; they answer less: doubles
instead of exact numbers, the value alone instead of tables and distributions. `--large`
runs the quadratic table at 200 000 pots too. `--write` puts the figures into RESULTS.md.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import endsight as es
from endsight.answers.explanation import table_rows
from endsight.faces.documents import distribution_document, position_document, table_document

HERE = Path(__file__).parent
RESULTS = HERE / "RESULTS.md"
TITLE = "## First answers"
SOURCES = ("pots_table", "dice_bag", "repeat_recursion")
Run = Callable[[], float]
"""Does the work once and gives its seconds."""


@dataclass(frozen=True)
class Task:
    """One line of the report; `target` in seconds, `reference` for the same size where there is one."""

    name: str
    ours: Run
    target: float | None = None
    reference: Run | None = None
    runs: int | None = None


def timed(work: Callable[[], object], clock: Callable[[], float] = time.process_time) -> Run:
    def run() -> float:
        started = clock()
        work()
        return clock() - started

    return run


# ---------------------------------------------------------------------- references


class References:
    """The C++ programs, built once."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for name in SOURCES:
            source = HERE / "reference" / f"{name}.cpp"
            subprocess.run(["g++", "-O3", "-march=native", "-o", folder / name, source], check=True)

    def run(self, name: str, text: str, value: float) -> Run:
        """A run of that program; its answer must be `value` but for rounding."""

        def once() -> float:
            done = subprocess.run([self.folder / name], input=text, capture_output=True, text=True, check=True)
            seconds, answer, *_ = map(float, done.stdout.split())
            assert abs(answer - value) <= 1e-9 * max(1.0, abs(value)), (name, answer, value)
            return seconds

        return once


# ---------------------------------------------------------------------- tasks


def pots_tasks(references: References, large: bool) -> Iterator[Task]:
    chance = random.Random(3)
    for count, objective, target in (
        (5_000, "competitive", None),
        (20_000, "competitive", None),
        (200_000, "competitive", 0.2),
        (5_000, "cooperative", 0.2),
    ):
        pots = [chance.randrange(1_000_000) for _ in range(count)]

        def solve(pots: list[int] = pots, objective: str = objective) -> es.Solution:
            solution = es.solve(es.games.Pots(pots), objective=objective)
            solution.value()
            return solution

        reference = None
        if count <= 20_000 or large:
            text = f"{int(objective == 'cooperative')} {count} {' '.join(map(str, pots))}"
            reference = references.run("pots_table", text, float(solve().value()["first"]))
        yield Task(f"pots, {count:,} {objective}: value", timed(solve), target, reference)


def rpsbag_tasks(references: References) -> Iterator[Task]:
    chance = random.Random(4)
    dice = []
    for _ in range(50):
        first, second = sorted((chance.randint(0, 300), chance.randint(0, 300)))
        dice.append((first, second - first, 300 - second))

    def table() -> str:
        solution = es.solve(es.games.RpsBag(dice=dice))
        return json.dumps(table_document(solution, table_rows(solution), solution.position))

    def value() -> float:
        return float(es.solve(es.games.RpsBag(dice=dice)).value()["player"])

    text = "50 " + " ".join(" ".join(map(str, die)) for die in dice)
    reference = references.run("dice_bag", text, value())
    yield Task("rpsbag, 50 dice: value", timed(value), None, reference)
    yield Task("rpsbag, 50 dice: value and whole table as JSON", timed(table), 2.0, reference)


def highcard_tasks(folder: Path) -> Iterator[Task]:
    file = folder / "cards.txt"
    for count in (50, 1_000_000):
        chance = random.Random(5)
        deck = list(range(1, 2 * count + 1))
        chance.shuffle(deck)
        rival = [str(card) if chance.random() < 0.5 else "x" for card in deck[count:]]
        spec = f"highcard:@{file}" if count > 50 else "highcard:hand={},rival={}"
        text = f"{' '.join(map(str, deck[:count]))}\n{' '.join(rival)}\n"
        if count > 50:
            file.write_text(text)
            yield Task(
                f"highcard, N={count:,}: value from the file",
                timed(lambda spec=spec: es.solve(es.load(spec)).value()),
                2.0,
            )
        else:
            spec = spec.format("-".join(map(str, deck[:count])), "-".join(rival))
            yield Task(
                f"highcard, N={count}: value and distribution",
                timed(lambda spec=spec: es.solve(es.load(spec)).distribution()),
                0.2,
            )


def repeatbust_tasks(references: References) -> Iterator[Task]:
    for sides, dice, target in ((6, 2, None), (6, 3, None), (6, 4, 4.0)):

        def facts(sides: int = sides, dice: int = dice, outcomes: bool = False) -> es.Solution:
            solution = es.solve(es.games.RepeatBust(sides=sides, dice=dice))
            place, spread = solution.position, solution.distribution()
            documents = [
                position_document(solution),
                table_document(solution, table_rows(solution), place),
                distribution_document(solution, spread, place, facts_only=not outcomes),
            ]
            json.dumps(documents)
            return solution

        value = float(facts().value()["player"])
        reference = references.run("repeat_recursion", f"{sides} {dice}", value)
        size = f"{sides} sides {dice} dice"
        yield Task(f"repeatbust, {size}: all facts, exact", timed(facts), target, reference)
        yield Task(f"repeatbust, {size}: with all outcomes as JSON", timed(partial(facts, outcomes=True)))


def line_of_play(length: int, chance: random.Random) -> es.Position:
    """A random line of dominoes, n=7, of that length, or shorter where play ends before."""
    while True:
        position = es.games.Dominoes(n=7).position()
        while len(position.history) < length and (moves := list(position.moves())):
            position = position.play(chance.choice(moves))
        if len(position.history) == length or length > 20:
            return position


def dominoes_tasks() -> Iterator[Task]:
    """The slowest of many positions, one or more of each length."""
    chance = random.Random(6)
    positions = [line_of_play(length, chance) for length in range(1, 26) for _ in range(3)]

    def slowest(work: Callable[[es.Position], object]) -> Run:
        return lambda: max(timed(partial(work, position))() for position in positions)

    def verdict(position: es.Position) -> object:
        return es.solve(position.game, position).value()

    def distances(position: es.Position) -> object:
        return position_document(es.solve(position.game, position))

    many = len(positions)
    yield Task(f"dominoes, n=7: verdict, slowest of {many} random lines", slowest(verdict), 3.0, runs=1)
    yield Task(f"dominoes, n=7: every move with distance, slowest of {many}", slowest(distances), 10.0, runs=1)


def start_up_tasks() -> Iterator[Task]:
    def command(*arguments: str) -> Run:
        line = [sys.executable, "-c", "from endsight.faces.cli import main; main()", *arguments]
        return timed(lambda: subprocess.run(line, check=True, stdout=subprocess.DEVNULL), time.perf_counter)

    yield Task("endsight --help, a whole process", command("--help"), 0.3)
    yield Task("endsight games, a whole process", command("games"))
    yield Task("endsight value pots:4-9-2-7, a whole process", command("value", "pots:4-9-2-7"))


# ---------------------------------------------------------------------- report


def measured(task: Task, runs: int) -> tuple[str, ...]:
    ours, theirs = [], []
    for _ in range(task.runs or runs):
        ours.append(task.ours())
        if task.reference is not None:
            theirs.append(task.reference())
    mine = statistics.median(ours)
    other = statistics.median(theirs) if theirs else None
    target = "" if task.target is None else f"< {task.target:g}{'' if mine < task.target else ' MISSED'}"
    ratio = "" if other is None else f"{mine / other:.2g}"
    return task.name, seconds(mine), target, "" if other is None else seconds(other), ratio


def seconds(value: float) -> str:
    return f"{value:.2g}" if value < 1 else f"{value:.1f}"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--large", action="store_true")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--only", default="", help="tasks whose names contain this")
    options = parser.parse_args()
    rows: list[tuple[str, ...]] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        references = References(folder)
        groups: list[Callable[[], Iterator[Task]]] = [
            start_up_tasks,
            lambda: pots_tasks(references, options.large),
            lambda: rpsbag_tasks(references),
            lambda: highcard_tasks(folder),
            lambda: repeatbust_tasks(references),
            dominoes_tasks,
        ]
        for group in groups:
            for task in group():
                if options.only in task.name:
                    rows.append(measured(task, options.runs))
                    print(" | ".join(rows[-1]), flush=True)
    if options.write:
        write(rows, options.runs)


def write(rows: list[tuple[str, ...]], runs: int) -> None:
    """Replace the section in RESULTS.md."""
    head = (
        f"`python benchmarks/first_answers.py --runs {runs} --write`: CPU seconds in one process, wall-clock seconds of"
        f"\nwhole processes (medians of {runs}), beside the textbook method in C++ (`benchmarks/reference/`,"
        "\ng++ -O3 -march=native), which answers less: doubles instead of exact numbers, and the value alone."
        "\nRatio: our time over its time, at the same size."
        f" Python {sys.version_info.major}.{sys.version_info.minor}, {os.cpu_count()} virtual cores,"
        f"\nshared with other work (load {os.getloadavg()[0]:.1f} at the end).\n"
    )
    table = ["| task | ours, s | target, s | C++, s | ratio |", "|---|---|---|---|---|"]
    table += [f"| {' | '.join(row)} |" for row in rows]
    section = f"{TITLE}\n\n{head}\n" + "\n".join(table) + "\n"
    text = RESULTS.read_text(encoding="utf-8")
    before, found, after = text.partition(TITLE + "\n")
    if found:
        _, other, rest = after.partition("\n## ")
        text = before + section + (f"\n## {rest}" if other else "")
    else:
        text = text.rstrip("\n") + "\n\n" + section
    RESULTS.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
