"""Steps a second of our environments beside those of PettingZoo and pgx, in tic-tac-toe and Connect Four.

    python benchmarks/environments.py [--pairs 5] [--steps 10000]

It needs `pettingzoo`, `gymnasium`, and for the sides that it finds `pygame` (PettingZoo's Connect Four) and `pgx` with
`jax`. Random legal moves are played one after the other, CPU seconds are counted, and all sides are asked in turn.
Ours are `es.pettingzoo_env(GAME)` and `es.gym_env(GAME, "random", values=False)`, of which a step holds the opponent's
move as well. PettingZoo's are as it delivers them (`env()`), with its checks, and without (`raw_env()`). pgx's
are compiled by jax before the clock starts: one game stepped from Python, and 1,000 games at once in one call.
"""

from __future__ import annotations

import argparse
import statistics
import time
import warnings
from collections.abc import Callable
from functools import partial
from importlib import import_module
from random import Random
from typing import Any

import endsight as es

GAMES = {"tictactoe": ("tictactoe_v3", "tic_tac_toe"), "connectfour": ("connect_four_v3", "connect_four")}
TOGETHER, LENGTH = 1_000, 100
Run = Callable[[int], int]
"""Plays so many steps, or some more, and says how many."""


def in_turn(env: Any, steps: int) -> int:
    """Steps of a PettingZoo environment."""
    random = Random(1)
    env.reset(seed=1)
    for _ in range(steps):
        if all(env.terminations.values()):
            env.reset()
        mask = env.observe(env.agent_selection)["action_mask"]
        env.step(random.choice(mask.nonzero()[0]))
    return steps


def of_one_seat(env: Any, steps: int) -> int:
    """Steps of a Gymnasium environment."""
    random, over = Random(1), True
    for _ in range(steps):
        if over:
            _, info = env.reset(seed=random.getrandbits(30))
        _, _, over, _, info = env.step(random.choice(info["action_mask"].nonzero()[0]))
    return steps


def one_by_one(env: Any, steps: int) -> int:
    """Steps of one game of pgx, each called from Python."""
    import numpy as np

    random, state = Random(1), env.init(0)
    for _ in range(steps):
        if state.terminated:
            state = env.init(0)
        state = env.step(state, random.choice(np.asarray(state.legal_action_mask).nonzero()[0]))
    return steps


class Single:
    """A game of pgx with its functions compiled."""

    def __init__(self, name: str) -> None:
        import jax
        import pgx

        env, key = pgx.make(name), jax.random.PRNGKey(1)
        start, self.step = jax.jit(env.init), jax.jit(env.step)
        self.init = lambda _: start(key)


def many(name: str) -> Run:
    """1,000 games of pgx at once, which begin again where they end, in one compiled call of 100 steps each."""
    import jax
    import pgx
    from pgx.experimental import auto_reset

    env = pgx.make(name)
    step = jax.vmap(auto_reset(env.step, env.init))

    def turn(held: Any, _: Any) -> Any:
        state, key = held
        key, drawn, fresh = jax.random.split(key, 3)
        action = jax.random.categorical(drawn, jax.numpy.log(state.legal_action_mask.astype(float)), axis=1)
        return (step(state, action, jax.random.split(fresh, TOGETHER)), key), None

    begin = jax.vmap(env.init)(jax.random.split(jax.random.PRNGKey(0), TOGETHER))
    play = jax.jit(lambda state, key: jax.lax.scan(turn, (state, key), length=LENGTH)[0])

    def run(steps: int) -> int:
        for _ in range(-(-steps // (TOGETHER * LENGTH))):
            jax.block_until_ready(play(begin, jax.random.PRNGKey(1)))
        return -(-steps // (TOGETHER * LENGTH)) * TOGETHER * LENGTH

    return run


def sides(game: str) -> dict[str, Run]:
    """All that are installed, ours first."""
    theirs, pgx_name = GAMES[game]
    found: dict[str, Run] = {
        "ours, PettingZoo": partial(in_turn, es.pettingzoo_env(game)),
        "ours, Gymnasium": partial(of_one_seat, es.gym_env(game, "random", values=False)),
    }
    try:
        module = import_module(f"pettingzoo.classic.{theirs}")
        found |= {
            "PettingZoo's": partial(in_turn, module.env()),
            "PettingZoo's, raw": partial(in_turn, module.raw_env()),
        }
    except ImportError as error:
        print(f"(without PettingZoo's: {error})")
    try:
        found |= {"pgx, one game": partial(one_by_one, Single(pgx_name)), "pgx, 1,000 at once": many(pgx_name)}
    except ImportError as error:
        print(f"(without pgx: {error})")
    return found


def rate(run: Run, steps: int) -> float:
    """Steps in a second of CPU time."""
    begin = time.process_time()
    return run(steps) / (time.process_time() - begin)


def main() -> None:
    """A line for each side of each game."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--pairs", type=int, default=5)
    parser.add_argument("--steps", type=int, default=10_000)
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    print("| game | environment | steps a second | beside ours |\n|---|---|---|---|")
    for game in GAMES:
        runs = sides(game)
        for run in runs.values():
            run(100)  # compiled, and in the caches
        rates = [{side: rate(run, options.steps) for side, run in runs.items()} for _ in range(options.pairs)]
        for side in runs:
            ratio = statistics.median(each[side] / each["ours, PettingZoo"] for each in rates)
            print(
                f"| {game} | {side} | {statistics.median(each[side] for each in rates):,.0f} | {ratio:.2f} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
