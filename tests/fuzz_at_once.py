"""Random games in which players move at once, beside a recursion that tries every square part of every matrix.

`python tests/fuzz_at_once.py --count 2000 --seed 1` holds the values of all positions, the chances of the joint moves,
what each player's own part is worth against the other's mixture, and the distribution against it, under every utility.
With `--loops` play can come back to a position, and proven bounds are held against one move of the game. With
`--lasting` play may never end: where one player alone has a choice, bounds hold the exact value of the game in which
that one moves alone, and else what is worth as much after some moves at worst and at best. It stops at the first thing
that is wrong.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from fractions import Fraction
from math import ceil, floor
from random import Random

import endsight as es
from at_once import AtOnceGraph, Naive, OneMove, in_turns, random_game, random_lasting_game, value_of_matrix
from ranges import as_range

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
    enclosed = es.solve(game, interval=True, **options).values()[0]
    assert oracle.value()[0] in as_range(enclosed)
    assert as_range(enclosed).width < Fraction(1, 1 << 54)
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


def compare_bounds(game: AtOnceGraph) -> Fraction:
    """No lower bound lies above what one move makes of the lower bounds, and no upper one below; the widest pair.

    As play always ends, the value lies in between.
    """
    solution = es.solve(game)
    waiting = [game.position()]
    bounds: dict = {}
    for position in waiting:
        bare = replace(position, so_far=(0, 0), history=())
        if position.state not in bounds:
            bounds[position.state] = bare, list(map(as_range, solution.values(bare)))
            waiting += map(position.play, position.moves())
    for side in (0, 1):
        told = {s: tuple((i.lower, i.upper)[side ^ p] for p, i in enumerate(row)) for s, (_, row) in bounds.items()}
        oracle = OneMove(game, told)
        for state, (position, _) in bounds.items():
            moved = oracle._value_of(oracle.root(position))
            assert (moved[0] >= told[state][0]) if side == 0 else (moved[0] <= told[state][0]), position
    return max(own.width for _, (own, _) in bounds.values())


def run_loops(count: int, seed: int) -> Fraction:
    random = Random(seed)
    return max(compare_bounds(random_game(random, loops=True)) for _ in range(count))


def compare_lasting(game: AtOnceGraph, alone: bool) -> Fraction:
    """The bounds hold what others say about the start; how far apart they are."""
    own = as_range(es.solve(game).values()[0])
    if alone:
        exact = es.solve(in_turns(game), exact=True).values()[0]
        assert own.lower <= exact <= own.upper, game
        return own.width
    for side, round_to in enumerate((floor, ceil)):
        worst = (min, max)[side]([*game.ends, 0, 1])
        told = [end if not edges else worst for end, edges in zip(game.ends, game.successors, strict=True)]
        for _ in range(12):
            told = [Fraction(round_to((1 << 40) * moved(game, told, at)), 1 << 40) for at in range(len(told))]
        assert told[0] <= own.upper if side == 0 else told[0] >= own.lower, game
    return own.width


def moved(game: AtOnceGraph, told: list, at: int) -> Fraction:
    """What one move of the game makes of values of the first player; ends keep theirs."""
    after = [told[child] for child in game.successors[at]]
    if not after:
        return told[at]
    columns = game.columns[at]
    if not columns:
        weights = game.weights[at]
        return Fraction(sum(weight * value for weight, value in zip(weights, after, strict=True))) / sum(weights)
    return value_of_matrix([after[begin : begin + columns] for begin in range(0, len(after), columns)])


def run_lasting(count: int, seed: int) -> int:
    """How many of the games have bounds that do not meet closely."""
    random = Random(seed)
    wide = 0
    for number in range(count):
        alone = number % 2 == 0
        wide += compare_lasting(random_lasting_game(random, alone=alone), alone) > Fraction(1, 1 << 40)
    return wide


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
    parser.add_argument("--loops", action="store_true", help="games in which play can come back to a position")
    parser.add_argument("--lasting", action="store_true", help="games in which play may never end")
    asked = parser.parse_args()
    if asked.lasting:
        wide = run_lasting(asked.count, asked.seed)
        print(f"{asked.count} games that may never end: all bounds hold, {wide} of them more than 1e-12 apart")
        return 0
    if asked.loops:
        widest = float(run_loops(asked.count, asked.seed))
        print(f"{asked.count} games with loops: all bounds hold, the widest {widest:.1e} apart")
        return 0
    mixed = run(asked.count, asked.seed)
    print(f"{asked.count} games, {mixed} of them worth neither a whole number nor a half: no difference")
    return 0


if __name__ == "__main__":
    sys.exit(main())
