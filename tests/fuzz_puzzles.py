"""Random puzzles whose bounds are right or lie: what is proven of a bound holds at every state, and answers are right.

python tests/fuzz_puzzles.py --count 5000 --seed 1
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from random import Random
from typing import Any, NamedTuple

import endsight as es
from endsight import Game
from endsight.compiler.bound_proof import prove_bound
from endsight.errors import NoValue
from many_cases import try_many

TOP, CELLS = 3, 3
Rows = tuple[tuple[int, ...], ...]


class State(NamedTuple):
    """Where each wheel stands."""

    wheels: tuple[int, ...]


class Turning(Game):
    """Wheels are turned on, at a cost, until they stand right; ends pay by where the last wheel stands."""

    players = 1
    costs: Rows = ((1,) * (TOP + 1),) * CELLS
    left: Rows = ((0,) * (TOP + 1),) * CELLS
    paid: tuple[int, ...] = (0,) * (TOP + 1)
    goal: int = 0
    early: tuple[int, ...] = (0,) * CELLS

    State = State

    def limits(self) -> State:
        return self.State(TOP)

    def start(self) -> State:
        return self.State((TOP,) * CELLS)

    def moves(self, state: State) -> Iterator[int]:
        if state.wheels[0] != self.goal or state.wheels[1] != self.goal:
            for wheel in range(CELLS):
                if wheel == 0 or state.wheels[wheel - 1] != 1:
                    yield wheel

    def play(self, state: State, move: int) -> State:
        wheels = list(state.wheels)
        wheels[move] = (wheels[move] + 1) % (TOP + 1)
        return self.State(tuple(wheels))

    def reward(self, state: State, move: int) -> int:
        return -self.costs[move][state.wheels[move]]

    def payoff(self, state: State) -> int:
        return self.paid[state.wheels[2]]

    def order(self, state: State, move: int) -> int:
        return self.early[move]

    def bound(self, state: State) -> int:
        return sum(self.left[wheel][place] for wheel, place in enumerate(state.wheels) if place != self.goal)


class Sorting(Turning):
    """Neighbours change places, or a wheel falls to 0; the bound goes by pairs, and by the largest of all."""

    def moves(self, state: State) -> Iterator[int]:
        if state.wheels[0] > state.wheels[1]:
            yield 0
        if state.wheels[1] > state.wheels[2]:
            yield 1
        if state.wheels[0] != self.goal and max(state.wheels) > 0:
            yield 2

    def play(self, state: State, move: int) -> State:
        a, b, c = state.wheels
        if move == 0:
            return self.State((b, a, c))
        return self.State((a, c, b)) if move == 1 else self.State((a - 1 if a else b, b // 2, c))

    def bound(self, state: State) -> int:
        a, b, c = state.wheels
        total = self.left[0][abs(a - b)]
        if a > b or b > c:
            total += self.left[1][max(b, c)]
        return total + self.left[2][0]


class Halving(Turning):
    """The same with wheels that turn back where they are not even, in halves."""

    def play(self, state: State, move: int) -> State:
        turned = (state.wheels[move] - (1 if state.wheels[move] % 2 else 2)) % (TOP + 1)
        return self.State(tuple(turned if wheel == move else each for wheel, each in enumerate(state.wheels)))

    def reward(self, state: State, move: int) -> Fraction:
        return Fraction(-self.costs[move][state.wheels[move]], 2)

    def bound(self, state: State) -> Fraction:
        total = 0
        for wheel, place in enumerate(state.wheels):
            total += self.left[wheel][place] if place > 1 else 0
        return Fraction(total, 2)


KINDS = (Turning, Sorting, Halving)


def rows(random: Random, least: int, most: int) -> Rows:
    """Numbers for every place of every wheel."""
    return tuple(tuple(random.randint(least, most) for _ in range(TOP + 1)) for _ in range(CELLS))


def puzzle(random: Random) -> Any:
    """A random one; its bound is often just right, and then now and then a little less."""
    goal, costs = random.randint(0, TOP), rows(random, random.choice((1, 1, 1, 0)), random.choice((1, 3)))
    left = rows(random, -random.choice((1, 1, 3)), random.choice((0, 0, 4)))
    if random.random() < 0.7:
        goal = 0
        turns = [[(goal - place) % (TOP + 1) for place in range(TOP + 1)] for _ in range(CELLS)]
        left = tuple(tuple(-min(row) * turn for turn in each) for row, each in zip(costs, turns, strict=True))
        left = (*left[:2], (0,) * (TOP + 1))
    if random.random() < 0.3:
        wheel, place = random.randrange(CELLS), random.randrange(TOP + 1)
        less = tuple(each - (at == place) for at, each in enumerate(left[wheel]))
        left = tuple(less if at == wheel else row for at, row in enumerate(left))
    paid = tuple(random.randint(*random.choice(((0, 0), (-2, 0)))) for _ in range(TOP + 1))
    early = tuple(random.randint(-1, 1) for _ in range(CELLS))
    return random.choice(KINDS)(costs=costs, left=left, paid=paid, goal=goal, early=early)


def is_consistent(game: Any) -> bool:
    """Whether no move of any state, nor end, brings more than the bound promises: the definition."""
    for wheels in product(range(TOP + 1), repeat=CELLS):
        state = game.State(wheels)
        after = [(game.reward(state, move), game.bound(game.play(state, move))) for move in game.moves(state)]
        most = max(map(sum, after)) if after else game.payoff(state)
        if game.bound(state) < most:
            return False
    return True


def value_of(game: Any, method: Any, **asked: Any) -> Any:
    """What a method says, as text where there is no value; and the algorithm's name."""
    try:
        found = es.solve(game, method=method, **asked)
    except NoValue:
        return "no value", None
    return found.value(), found.method


def tried(seed: str) -> list[str]:
    """What there is to count of one random puzzle; AssertionError for anything that is wrong."""
    game = puzzle(Random(seed))
    proof, consistent = prove_bound(game), is_consistent(game)
    assert consistent or proof.refusal is not None, f"a bound that lies is taken for proven: {game.values()}"
    expected, _ = value_of(game, "graph", engine="plain")
    found, method = value_of(game, "search", engine="compiled")
    assert found == expected, f"{type(game).__name__}, {game.values()}: {found} in place of {expected}"
    is_used = method == "iterative deepening"
    assert proof.is_costly or not is_used
    facts = {"bounds consistent": consistent, "bounds proven": proof.refusal is None, "bounds used": is_used}
    return [name for name, holds in facts.items() if holds]


if __name__ == "__main__":
    try_many(__doc__, 1000, tried)
