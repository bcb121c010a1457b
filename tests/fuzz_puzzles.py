"""Random puzzles whose hints are right or wrong: what is proven of a hint holds at every state, and answers are right.

python tests/fuzz_puzzles.py --count 5000 --seed 1
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from random import Random
from typing import Any, NamedTuple

import endsight as es
from both_engines import proven_hint
from endsight import Game
from endsight.errors import NoValue
from many_cases import try_many
from naive import Recursion

TOP, CELLS = 3, 3
Rows = tuple[tuple[int, ...], ...]


class State(NamedTuple):
    """Where each wheel stands."""

    wheels: tuple[int, ...]


class Turning(Game):
    """Wheels are turned on, at a cost, until they stand right; ends pay by where the last wheel stands.

    `back` says by how much `before` turns each wheel back, and `last` where the last wheel stands in `ends`.
    """

    players = 1
    costs: Rows = ((1,) * (TOP + 1),) * CELLS
    left: Rows = ((0,) * (TOP + 1),) * CELLS
    paid: tuple[int, ...] = (0,) * (TOP + 1)
    goal: int = 0
    early: tuple[int, ...] = (0,) * CELLS
    back: Rows = ((1,),) * CELLS
    last: tuple[int, ...] = tuple(range(TOP + 1))
    endless: int = 0
    is_bounded: bool = True

    State = State

    def setup(self) -> None:
        if not self.is_bounded:
            self.bound = None  # type: ignore[assignment]

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

    def before(self, state: State) -> Iterator[State]:
        for wheel in range(CELLS):
            for by in self.back[wheel]:
                wheels = list(state.wheels)
                wheels[wheel] = (wheels[wheel] - by) % (TOP + 1)
                yield self.State(tuple(wheels))

    def ends(self) -> Iterator[State]:
        yield self.State((self.goal, (self.goal + 1) % (TOP + 1), 0))
        for last in self.last:
            yield self.State((self.goal, self.goal, last))


class Falling(Turning):
    """Wheels only go down, and play ends where none can."""

    def moves(self, state: State) -> Iterator[int]:
        for wheel in range(CELLS):
            if state.wheels[wheel] > 0 and (wheel == 0 or state.wheels[wheel - 1] != 1):
                yield wheel

    def play(self, state: State, move: int) -> State:
        return self.State(tuple(each - (1 if wheel == move else 0) for wheel, each in enumerate(state.wheels)))

    def bound(self, state: State) -> int:
        return self.left[0][state.wheels[0]]

    def before(self, state: State) -> Iterator[State]:
        for wheel in range(CELLS):
            for by in self.back[wheel]:
                if state.wheels[wheel] + by <= TOP or self.goal == 3:  # a goal that takes steps back too far
                    yield self.State(tuple(each + (by if wheel == at else 0) for at, each in enumerate(state.wheels)))

    def ends(self) -> Iterator[State]:
        for wheels in product(range(TOP + 1), range(TOP + 1), self.last):
            state = self.State(wheels)
            if not list(self.moves(state)):
                yield state


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

    def before(self, state: State) -> Iterator[State]:
        a, b, c = state.wheels
        if self.back[0]:
            yield self.State((b, a, c))
        yield self.State((a, c, b))
        for first in range(TOP + 1):
            for by in (0, *self.back[1]):
                yield self.State((first, (2 * b + by) % (TOP + 1), c))

    def ends(self) -> Iterator[State]:
        for wheels in product(range(TOP + 1), range(TOP + 1), self.last):
            if wheels[0] <= wheels[1] <= wheels[2]:
                yield self.State(wheels)


class Halving(Turning):
    """The same with wheels that turn back where they are not even, in halves."""

    back: Rows = ((2, 3),) * CELLS

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


KINDS = (Turning, Sorting, Halving, Falling)
BACK = {Turning: (1,), Sorting: (1,), Halving: (2, 3), Falling: (1,)}
"""What takes all steps back."""


def rows(random: Random, least: int, most: int) -> Rows:
    """Numbers for every place of every wheel."""
    return tuple(tuple(random.randint(least, most) for _ in range(TOP + 1)) for _ in range(CELLS))


def puzzle(random: Random) -> Any:
    """A random one; its hints are often just right, and then now and then there is a little less in them."""
    goal, costs = random.randint(0, TOP), rows(random, random.choice((1, 1, 1, 0, 0, -1)), random.choice((1, 3)))
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
    kind, last = random.choice(KINDS), list(range(TOP + 1))
    back = [[*BACK[kind]] for _ in range(CELLS)]
    for row in (*back, last):
        if random.random() < 0.08:
            row.pop(random.randrange(len(row)))
        if random.random() < 0.2:
            row.append(random.randint(0, TOP))
    return kind(
        costs=costs, left=left, paid=paid, goal=goal, early=early, back=tuple(map(tuple, back)), last=tuple(last),
        endless=random.choice((0, 0, 0, 2, -4)), is_bounded=random.random() < 0.5,
    )  # fmt: skip


def is_consistent(game: Any) -> bool:
    """Whether no move of any state, nor end, brings more than a bound promises: the definition."""
    if not game.is_bounded:
        return False
    for wheels in product(range(TOP + 1), repeat=CELLS):
        state = game.State(wheels)
        after = [(game.reward(state, move), game.bound(game.play(state, move))) for move in game.moves(state)]
        most = max(map(sum, after)) if after else game.payoff(state)
        if game.bound(state) < most:
            return False
    return True


def is_complete(game: Any) -> bool:
    """Whether `before` yields the state before every move, and `ends` every state without moves: the definition."""
    ends = list(game.ends())
    for wheels in product(range(TOP + 1), repeat=CELLS):
        state = game.State(wheels)
        after = [game.play(state, move) for move in game.moves(state)]
        if not all(state in game.before(each) for each in after) or not (after or state in ends):
            return False
    return True


def best_end(game: Any) -> Any:
    """The most that play from the start to an end brings, by sweeps; None where there is none."""
    states = [game.State(wheels) for wheels in product(range(TOP + 1), repeat=CELLS)]
    steps = {at: [(game.reward(at, each), game.play(at, each)) for each in game.moves(at)] for at in states}
    best = {state: game.payoff(state) for state in states if not steps[state]}
    for _ in states:  # no best play comes twice to a state, as no move brings more than 0
        for state in states:
            own = [gain + best[after] for gain, after in steps[state] if after in best]
            best |= {state: max(own)} if own else {}
    return best.get(game.start())


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
    told = f"{type(game).__name__}, {game.values()}"
    bound, consistent = proven_hint(game, "bound"), is_consistent(game)
    before, complete = proven_hint(game, "before"), is_complete(game)
    assert consistent or bound.refusal is not None, f"a bound that lies is taken for proven: {told}"
    assert complete or before.refusal is not None, f"steps back that leave out a state are taken for proven: {told}"
    expected, _ = value_of(game, "graph", engine="plain")
    found, method = value_of(game, "search", engine="compiled")
    assert found == expected, f"{told}: {found} in place of {expected}"
    used = {name: method == name for name in ("iterative deepening", "bidirectional search")}
    assert bound.is_costly or not used["iterative deepening"]
    assert before.never_gains or not used["bidirectional search"]
    if used["bidirectional search"]:
        assert found == {"player": best_end(game)}, f"{told}: {found}, and {best_end(game)} by sweeps"
        assert type(game) is not Falling or found == {"player": Recursion(game).value()[0]}
    facts = {
        "bounds consistent": consistent,
        "bounds proven": bound.refusal is None,
        "bounds used": used["iterative deepening"],
        "steps back complete": complete,
        "steps back proven": before.refusal is None,
        "moves that bring something": any(cost < 0 for row in game.costs for cost in row),
        "steps back used": used["bidirectional search"],
    }
    return [name for name, holds in facts.items() if holds]


if __name__ == "__main__":
    try_many(__doc__, 1000, tried)
