"""Stochastic shortest paths beside Storm, exactly: the expected cost of the best way, on the same graphs in one run.

    python benchmarks/shortest_paths.py --python OTHER [--pairs 5] [--quick]

OTHER is a Python that has `stormpy` 2 from PyPI, in a virtual environment of its own. The graph of a game of one player
is written as a model in PRISM's language, and Storm is asked for the least expected cost until the end, in rational
numbers. Both sides run in turn, `--pairs` times; printed are medians of CPU seconds, and of the ratios of pairs. Ours
is the whole `solve`, from rules in Python to the value; theirs leaves out what it takes to read and build the model
(beside it, in brackets). The values must be the same fractions.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import time
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import endsight as es
from endsight.game import CHANCE, Game
from endsight.graph.explorer import explore
from endsight.naming.specification import load_game

RULES = Path(__file__).with_name("rules")
GAMES = (
    "slippery.py:Slippery:width=6,height=6",
    "slippery.py:Slippery:width=10,height=10",
    "slippery.py:Slippery:width=16,height=16",
    "slippery.py:Slippery:width=24,height=24",
    "cliff.py:Cliff:width=12,height=4",
)

THEIRS = """
import json, sys, time, tempfile
import stormpy
with tempfile.NamedTemporaryFile("w", suffix=".nm") as file:
    file.write(sys.stdin.read())
    file.flush()
    begin = time.process_time()
    program = stormpy.parse_prism_program(file.name)
    asked = stormpy.parse_properties('Rmin=? [F "done"]', program)
    model = stormpy.build_model[stormpy.Rational](program, asked)
    built = time.process_time()
    found = stormpy.model_checking(model, asked[0])
    value = found.get_value(model.initial_states[0])
    print(json.dumps([str(value), built - begin, time.process_time() - built]))
"""


def model(game: Game) -> str:
    """The game as an MDP in PRISM's language: an action is a move with the chance after it."""
    _, graph = explore(game, game.position())

    def ways(node: int) -> Iterator[str]:
        if graph.movers[node] != CHANCE:
            yield f"(s'={node})"
            return
        for edge, chance in graph.chances(node):
            yield f"{chance}:(s'={graph.successors[edge]})"

    commands, costs = [], []
    for node in range(len(graph)):
        if graph.movers[node] == CHANCE or graph.is_end(node):
            continue
        for number, edge in enumerate(graph.edges(node)):
            name = f"a{node}_{number}"
            commands.append(f"[{name}] s={node} -> {' + '.join(ways(graph.successors[edge]))};")
            gain = None if graph.rewards is None else graph.rewards[edge]
            costs.append(f"[{name}] true : {0 if gain is None else -gain[0]};")
    ends = [f"s={node}" for node in range(len(graph)) if graph.is_end(node)]
    commands += [f"[] {end} -> true;" for end in ends]
    body = "\n".join(commands)
    rewards = "\n".join(costs)
    return (
        f"mdp\nmodule game\ns : [0..{len(graph) - 1}] init 0;\n{body}\nendmodule\n"
        f'rewards\n{rewards}\nendrewards\nlabel "done" = {" | ".join(ends)};\n'
    )


def ours(game: Game) -> tuple[Fraction, float]:
    """The expected cost, and CPU seconds."""
    begin = time.process_time()
    (value,) = es.solve(game, exact=True).values()
    assert not isinstance(value, es.Interval)
    return -Fraction(value), time.process_time() - begin


def theirs(python: str, text: str) -> tuple[Fraction, float, float]:
    """The same from Storm, with the seconds for the model before those for the value."""
    done = subprocess.run([python, "-c", THEIRS], input=text, capture_output=True, text=True, check=True)
    value, building, solving = json.loads(done.stdout.splitlines()[-1])
    return Fraction(value), building, solving


def compare(spec: str, python: str, pairs: int) -> None:
    """One line of the table."""
    game = load_game(f"{RULES}/{spec}").game
    text = model(game)
    ours(game)
    rows = []
    for _ in range(pairs):
        (value, seconds), (expected, building, solving) = ours(game), theirs(python, text)
        assert value == expected, (spec, value, expected)
        rows.append((seconds, solving, building, seconds / solving))
    mine, other, built, ratio = (statistics.median(column) for column in zip(*rows, strict=True))
    digits = len(str(value))
    cells = (spec.partition(":")[2], f"{digits}", f"{mine:.2f}", f"{other:.2f} ({built:.2f})", f"{ratio:.2f}")
    print(f"| {' | '.join(cells)} |", flush=True)


def main() -> None:
    """All games, or the small ones."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--python", required=True, help="a Python that has stormpy")
    parser.add_argument("--pairs", type=int, default=5)
    parser.add_argument("--quick", action="store_true", help="the smallest game only")
    options = parser.parse_args()
    print(
        f"| {options.pairs} pairs | letters of the value | ours, s | Storm, s (model) | ratio |\n|---|---|---|---|---|"
    )
    for spec in GAMES[:1] if options.quick else GAMES:
        compare(spec, options.python, options.pairs)


if __name__ == "__main__":
    main()
