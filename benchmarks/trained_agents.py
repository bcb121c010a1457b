"""What programs give away that OpenSpiel's tabular Q-learning has trained by playing with themselves.

    python benchmarks/trained_agents.py [--seed 1] [--whole] [GAME=GAMES ...]

It needs `open_spiel` and `pettingzoo`. One learner for each seat plays so many games in `es.pettingzoo_env(GAME)`. Then
each plays the action that it values most (the first of several), and `es.exploit` says what that gives away to a best
reply, as an exact fraction. The same seed gives the same program and the same fractions. Of
long ones the decimal and the number of bits are printed, but for `--whole`.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
from open_spiel.python.algorithms.tabular_qlearner import QLearner
from open_spiel.python.rl_environment import StepType, TimeStep

import endsight as es

GAMES = {
    "pig:target=20": 40_000,
    "pig": 2_000,
    "connectfour:width=4,height=4": 60_000,
    "leduc": 150_000,
}
"""How many games take a minute or less."""
LONGEST = 240


def train(env: Any, games: int, seed: int) -> dict[str, QLearner]:
    """One learner for each seat of a PettingZoo environment, after so many games among themselves."""
    np.random.seed(seed)  # what OpenSpiel's learner draws from
    names = env.possible_agents
    learners = {name: QLearner(seat, len(env.actions)) for seat, name in enumerate(names)}
    for game in range(games):
        env.reset(seed=seed + game)
        asked = set[str]()
        for name in env.agent_iter():
            observation, reward, over, _, _ = env.last()
            if not over or name in asked:  # a learner who never moved has nothing to learn
                done = learners[name].step(told(observation, reward, names.index(name), len(names), over))
            asked.add(name)
            env.step(None if over else done.action)
    return learners


def told(observation: dict[str, Any], reward: float, seat: int, seats: int, over: bool) -> TimeStep:
    """What an agent is told, in OpenSpiel's form."""
    own = [observation["observation"].tolist() if each == seat else None for each in range(seats)]
    legal = [observation["action_mask"].nonzero()[0].tolist()] * seats
    kind = StepType.LAST if over else StepType.MID
    return TimeStep({"info_state": own, "legal_actions": legal}, [reward] * seats, [1.0] * seats, kind)


def agent_of(learner: QLearner) -> Callable[[Any, Any], int]:
    """The learner without its experiments: the action that it values most, the first of several."""
    return partial(most_valued, learner._q_values)


def most_valued(values: Any, observation: Any, action_mask: Any) -> int:
    known = values.get(str(observation.tolist()), {})
    return int(max(action_mask.nonzero()[0], key=lambda action: known.get(action, 0.0)))


def given_away(game: str, games: int, seed: int) -> es.Exploit:
    """Train, and measure."""
    env = es.pettingzoo_env(game)
    policies = {name: env.policy(agent_of(learner)) for name, learner in train(env, games, seed).items()}
    return es.exploit(game, policies)


def text(amount: Fraction | int) -> str:
    """The fraction, or of a long one the decimal and how long it is."""
    bits = amount.numerator.bit_length() + amount.denominator.bit_length()
    return str(amount) if bits <= LONGEST else f"{float(amount):.6f} ({bits:,} bits)"


def main() -> None:
    """One line a seat."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--whole", action="store_true", help="print long fractions whole")
    parser.add_argument("games", nargs="*", metavar="GAME=GAMES")
    options = parser.parse_args()
    sys.set_int_max_str_digits(0)
    asked = {spec: int(count) for spec, _, count in (each.rpartition("=") for each in options.games)} or GAMES
    print("| game | games | seat | brings | best play | gives away | seconds |\n|---|---|---|---|---|---|---|")
    for spec, count in asked.items():
        begin = time.process_time()
        for each in given_away(spec, count, options.seed).players:
            amounts = map(str if options.whole else text, (each.brings, each.value, each.gives_away))
            cells = [f"`{spec}`", f"{count:,}", each.player, *amounts, f"{time.process_time() - begin:.0f}"]
            print(f"| {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
