"""Random discounted decision processes beside QuantEcon: our exact values against its floats.

    python benchmarks/discounts.py --python OTHER [--count 300]

OTHER is a Python that has `quantecon` from PyPI, in a virtual environment of its own. Each process has 2 to 12 states,
up to 3 actions, whole rewards from -9 to 9 and a discount of 1/2, 9/10 or 19/20. Printed is the largest difference
between our value of the first state and that of QuantEcon's policy iteration.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
from collections.abc import Iterator
from fractions import Fraction
from typing import Any, NamedTuple

import endsight as es
from endsight.game import CHANCE, Game

THEIRS = """
import json, sys
import numpy as np
import quantecon
found = []
for rewards, weights, (part, whole) in json.load(sys.stdin):
    chances = np.array([[[w / sum(row) for w in row] for row in rows] for rows in weights])
    process = quantecon.markov.DiscreteDP(np.array(rewards, float), chances, part / whole)
    found.append(float(process.solve(method="policy_iteration").v[0]))
print(json.dumps(found))
"""


class Process(Game):
    """In each state an action brings its reward, and leads on by chance."""

    players = 1
    rewards: tuple[tuple[int, ...], ...]
    weights: tuple[tuple[tuple[int, ...], ...], ...]
    counted: tuple[int, int]

    class State(NamedTuple):
        """The state, and one more than the action under way; 0 before it is chosen."""

        place: int
        action: int

    def setup(self) -> None:
        self.discount = Fraction(*self.counted)

    def limits(self) -> State:
        return self.State(len(self.rewards) - 1, len(self.rewards[0]))

    def start(self) -> State:
        return self.State(0, 0)

    def to_move(self, state: State) -> int:
        return CHANCE if state.action else 0

    def moves(self, state: State) -> Iterator[int]:
        if state.action:
            yield from (place for place, weight in enumerate(self.weights[state.place][state.action - 1]) if weight)
        else:
            yield from range(len(self.rewards[0]))

    def weight(self, state: State, move: int) -> int:
        return self.weights[state.place][state.action - 1][move]

    def play(self, state: State, move: int) -> State:
        return self.State(move, 0) if state.action else self.State(state.place, move + 1)

    def reward(self, state: State, move: int) -> int:
        return 0 if state.action else self.rewards[state.place][move]

    def payoff(self, state: State) -> int:
        return 0


def drawn(draw: random.Random) -> tuple[Any, Any, Any]:
    """Rewards, weights and the discount of one process."""
    states, actions = draw.randint(2, 12), draw.randint(1, 3)
    rewards = [[draw.randint(-9, 9) for _ in range(actions)] for _ in range(states)]
    weights = [[[draw.choice((0, 0, 1, 2, 3)) for _ in range(states)] for _ in range(actions)] for _ in range(states)]
    for row in (row for rows in weights for row in rows):
        row[draw.randrange(states)] += not any(row)
    return rewards, weights, draw.choice(((1, 2), (9, 10), (19, 20)))


def main() -> None:
    """The largest difference."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--python", required=True, help="a Python that has quantecon")
    parser.add_argument("--count", type=int, default=300)
    options = parser.parse_args()
    processes = [drawn(random.Random(seed)) for seed in range(options.count)]
    asked = json.dumps(processes)
    done = subprocess.run([options.python, "-c", THEIRS], input=asked, capture_output=True, text=True, check=True)
    theirs = json.loads(done.stdout.splitlines()[-1])
    ours = [float(es.solve(Process(*map(_fixed, process))).exact_values()[0]) for process in processes]
    largest = max(abs(own - other) for own, other in zip(ours, theirs, strict=True))
    print(f"{options.count} processes, largest difference {largest:.1e}")


def _fixed(value: Any) -> Any:
    """Lists as tuples, all the way down."""
    return tuple(map(_fixed, value)) if isinstance(value, list | tuple) else value


if __name__ == "__main__":
    main()
