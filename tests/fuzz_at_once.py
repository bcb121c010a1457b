"""Random games in which players move at once, beside a recursion that tries every square part of every matrix.

`python tests/fuzz_at_once.py --count 2000 --seed 1` holds the values of all nodes, the chances of the joint moves, what
each player's own part is worth against the other's mixture, and the distribution against it, under every utility. It
stops at the first thing that is wrong.
"""

from __future__ import annotations

import argparse
import sys
from fractions import Fraction
from random import Random

import endsight as es
from at_once import AtOnceGraph, Naive, random_game

QUESTIONS = ({}, {}, {"utility": "win"}, {"utility": "lead"}, {"objective": "cooperative"})


def compare(game: AtOnceGraph, options: dict) -> None:
    """Every position that play can reach has the same value, and mixtures that hold it."""
    solution, oracle = es.solve(game, **options), Naive(game, **options)
    waiting, seen = [game.position()], set()
    for position in waiting:
        if (position.state, position.so_far) in seen:
            continue
        seen.add((position.state, position.so_far))
        waiting += map(position.play, position.moves())
        assert solution.values(position) == oracle.value(position), position
        if len(position.movers) > 1 and not position.is_over and "objective" not in options:
            check_mixtures(solution, position)
    if "objective" not in options:
        found = solution.distribution()
        assert sum(found.outcomes.values()) == 1
        assert sum(amount * chance for amount, chance in found.outcomes.items()) == oracle.value()[0]


def check_mixtures(solution: es.Solution, position: es.Position) -> None:
    """The chances are those of two mixtures; each holds the value against all that the other may do."""
    joint = solution.options(position)
    value = solution.values(position)
    assert sum(option.probability for option in joint) == 1
    for player in (0, 1):
        parts = solution.parts(player, position)
        own = {option.move: option.probability for option in parts}
        assert sum(own.values()) == 1
        assert all(option.value[player] <= value[player] for option in parts)
        assert all(option.regret == value[player] - option.value[player] for option in parts)
        assert all(option.best for option in parts if option.probability)
        for move, chance in own.items():
            assert chance == sum(option.probability for option in joint if option.move[player] == move)


def run(count: int, seed: int) -> int:
    random = Random(seed)
    mixed = 0
    for _ in range(count):
        game = random_game(random)
        compare(game, random.choice(QUESTIONS))
        mixed += Fraction(es.solve(game).values()[0]).denominator > 2
    return mixed


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    mixed = run(asked.count, asked.seed)
    print(f"{asked.count} games, {mixed} of them worth neither a whole number nor a half: no difference")
    return 0


if __name__ == "__main__":
    sys.exit(main())
