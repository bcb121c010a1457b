"""Random games in which all players see the same, held against the oracle over histories.

    python tests/fuzz_beliefs.py --count 2000 --seed 1

Each game has random hidden states, several of which look the same, chance that may or may not be seen, rewards and
payoffs that may depend on what is hidden, and one or two players. Value, line, distribution, every position on a random
play (with `?` for what was not seen), and states kept apart instead of merged must all agree.
"""

from __future__ import annotations

import argparse
import sys
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).parent))

import pytest

import endsight as es
import thresholds
from belief_oracle import HistoryOracle
from endsight import CHANCE, Game


class Row(NamedTuple):
    """A state of a random game: who moves, what all see, and where each move leads, with weight and reward."""

    mover: int
    seen: int
    steps: tuple[tuple[str, int, int, Any], ...]
    payoff: Any


class RandomView(Game):
    """A game from a table of rows."""

    rows: tuple[Row, ...]
    players: int

    class State(NamedTuple):
        """The number of a row."""

        number: int

    def setup(self) -> None:
        """Rows that were read from a certificate are plain tuples."""
        self.rows = tuple(Row(*row) for row in self.rows)

    def start(self) -> State:
        return self.State(0)

    def to_move(self, state: State) -> int:
        return self.rows[state.number].mover

    def moves(self, state: State) -> list[str]:
        return [step[0] for step in self.rows[state.number].steps]

    def _step(self, state: State, move: str) -> Any:
        return next(step for step in self.rows[state.number].steps if step[0] == move)

    def weight(self, state: State, move: str) -> int:
        return int(self._step(state, move)[1])

    def play(self, state: State, move: str) -> State:
        return self.State(self._step(state, move)[2])

    def reward(self, state: State, move: str) -> Any:
        return self._step(state, move)[3]

    def payoff(self, state: State) -> Any:
        return self.rows[state.number].payoff

    def sees(self, state: State, player: int) -> int:
        return self.rows[state.number].seen


def random_game(random: Random) -> Game:
    """Layers of groups of states that look the same; a player's move leads from a group to groups of its own."""
    players, rows = random.choice((1, 1, 2)), list[Row | None]()
    kind = type("RandomView", (RandomView,), {"players": players, "__annotations__": {"rows": tuple}})

    def paid() -> Any:
        if random.random() < 0.4:
            return (0,) * players
        return tuple(random.randint(-2, 2) * random.choice((1, 1, Fraction(1, 2))) for _ in range(players))

    def group(depth: int, seen: int) -> list[int]:
        """Numbers of states that look the same and offer the same."""
        numbers = list(range(len(rows), len(rows) + random.randint(1, 3)))
        rows.extend([None] * len(numbers))
        if depth == 0 or random.random() < 0.1:
            for number in numbers:
                rows[number] = Row(0, seen, (), paid())
            return numbers
        mover = random.randrange(players)
        moves = [f"m{number}" for number in range(random.randint(1, 3))]
        ways = {move: later(depth - 1, seen) for move in moves}
        for number in numbers:
            rows[number] = Row(mover, seen, tuple((move, 1, random.choice(ways[move]), paid()) for move in moves), None)
        return numbers

    sights = iter(range(1, 10_000))

    def later(depth: int, before: int) -> list[int]:
        """States that a move may lead to: of one or two groups, or of chance that leads there, seen or not."""
        first = next(sights)
        if players == 1 and random.random() < 0.3:
            first = before
        found = group(depth, first)
        if random.random() < 0.5:
            found = found + group(depth, next(sights))
        for _ in range(random.choice((0, 1, 1, 2))):
            found = found + [chance(found, first) for _ in range(random.randint(1, 2))]
        return found

    def chance(after: list[int], seen: int) -> int:
        """A state in which chance moves to some of those states; it may look like the one before."""
        number = len(rows)
        rows.append(None)
        children = [random.choice(after) for _ in range(random.randint(1, 3))]
        look = seen if random.random() < 0.6 else next(sights)
        steps = tuple((f"c{at}", random.randint(1, 3), child, paid()) for at, child in enumerate(children))
        rows[number] = Row(CHANCE, look, steps, None)
        return number

    rows.append(None)
    start = later(random.randint(1, 3), 0)
    steps = tuple((f"c{at}", random.randint(1, 3), child, paid()) for at, child in enumerate(start))
    rows[0] = Row(CHANCE, 0, steps, None)
    game: Game = kind(tuple(rows))
    return game


def compare(game: Game, random: Random) -> bool:
    """Whether all see the same there; then everything is compared, and an AssertionError says what differs."""
    solution = es.solve(game)
    if not str(solution.notion).startswith("what players know"):
        return False
    wanted = HistoryOracle(game).value()
    assert solution.values() == wanted, (solution.values(), wanted)
    for most in (0, 10**9):
        with pytest.MonkeyPatch.context() as patch:
            thresholds.hidden_states_kept_apart(patch, most)
            assert es.solve(game, engine="plain").values() == wanted
    for player, name in enumerate(game.player_names):
        outcomes = solution.distribution(name)
        assert sum(amount * chance for amount, chance in outcomes.items()) == wanted[player]
    _compare_a_play(game, solution, random)
    return True


def _compare_a_play(game: Game, solution: es.Solution, random: Random) -> None:
    """Positions of a play: what is told with `?` is what is known, and every value is the mean of those after it."""
    place = solution.position
    while not place.is_over:
        options = solution.options(place)
        if place.mover == CHANCE:
            means = zip(*([own * option.probability for own in option.value] for option in options), strict=True)
            assert tuple(map(sum, means)) == solution.values(place)
        else:
            assert max(option.value[place.mover] for option in options) == solution.values(place)[place.mover]
        place = place.play(random.choice(options).move)
        again = solution.asked(game.position(place.text))
        assert (again.state, again.so_far) == (place.state, place.so_far), (again, place, place.text)


def main() -> None:
    """Compare as many games as asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    common = 0
    for number in range(asked.seed, asked.seed + asked.count):
        random = Random(number)
        try:
            common += compare(random_game(random), random)
        except Exception:
            print(f"seed {number}")
            raise
    print(f"{asked.count} games, {common} with a common view: all agree")


if __name__ == "__main__":
    main()
