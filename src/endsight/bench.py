"""A fixed workload: how fast this machine is, and whether this version still finds the same.

Every family of games is solved small, by the graph, by its theorem and by search. The
signature is a hash over what was found, not over times: states of graphs, nodes of
searches, exact values of all (how much a theorem looks at is its own affair). It is the
same on every machine, and any change of it means that counts or values have changed. The
idea is that of the `bench` of chess programs.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from endsight.limits import Progress
from endsight.numbers import Number, full_text
from endsight.searching import SEARCHES, search
from endsight.solver import solve
from endsight.specification import load_game

__all__ = ["WORKLOAD", "Task", "bench", "signature"]

_BAG = "rpsbag:3-0-1/1-2-1/0-2-2/1-1-1"

WORKLOAD: tuple[tuple[str, str], ...] = (
    ("dominoes:n=4", "graph"),
    ("dominoes:n=5", "symmetry"),
    ("dominoes:n=5", "table"),
    ("dominoes:n=7", "theorem"),
    ("repeatbust:sides=3,dice=1", "graph"),
    ("repeatbust:sides=6,dice=2", "theorem"),
    ("pots:4-9-2-7-1-8-3-6-5-2-9-4", "graph"),
    ("pots:4-9-2-7-1-8-3-6-5-2-9-4", "theorem"),
    ("hiddenpots:count=5,max=3", "graph"),
    ("hiddenpots:count=5,max=3", "theorem"),
    (_BAG, "graph"),
    (_BAG, "theorem"),
    ("highcard:hand=1-3-5-7,rival=8-x-4-x", "graph"),
    ("highcard:hand=1-3-5-7,rival=8-x-4-x", "theorem"),
    ("tictactoe", "graph"),
    ("tictactoe", "symmetry"),
    ("tictactoe", "alphabeta"),
    ("tictactoe:width=4,height=3,line=3", "table"),
    ("connectfour:width=4,height=4", "symmetry"),
    ("connectfour:width=4,height=4", "table"),
    ("nim:heaps=3-4-5", "graph"),
    ("nim:heaps=3-4-5", "theorem"),
    ("chomp:width=6,height=4", "graph"),
    ("hexapawn:width=4,height=4", "graph"),
    ("dodgem", "graph"),
    ("pig:target=8", "graph"),
    ("pigturn", "graph"),
)
"""Games with the way they are solved: a method, `symmetry` (the graph with it), or a search."""


@dataclass(frozen=True)
class Task:
    """One task done: distinct states met, nodes visited (of searches), the exact value, computing time."""

    game: str
    method: str
    states: int
    nodes: int | None
    value: dict[str, Number]
    seconds: float


def bench(progress: Progress | None = None) -> Iterator[Task]:
    """Do the workload, one task after the other."""
    for spec, method in WORKLOAD:
        yield _done(spec, method, progress)


def signature(tasks: list[Task]) -> str:
    """16 hexadecimal digits over everything that was found; times do not count."""
    text = "\n".join(_found(task) for task in tasks)
    return sha256(text.encode()).hexdigest()[:16]


def _found(task: Task) -> str:
    values = " ".join(f"{name}={full_text(value)}" for name, value in task.value.items())
    states = "-" if task.method == "theorem" else task.states
    return f"{task.game} {task.method} {states} {task.nodes} {values}"


def _done(spec: str, method: Any, progress: Progress | None) -> Task:
    game = load_game(spec).game
    started = time.process_time()
    if method in SEARCHES:
        position = game.position()
        source = search(game, position, method=method, symmetry=False)
        value = dict(zip(game.player_names, source.value(position), strict=True))
        return Task(spec, method, source.states, source.result.nodes, value, time.process_time() - started)
    way: Any = "theorem" if method == "theorem" else "graph"
    solution = solve(game, method=way, symmetry=method == "symmetry", progress=progress)
    value = dict(zip(game.player_names, solution.exact_values(), strict=True))
    return Task(spec, method, solution.states, None, value, time.process_time() - started)
